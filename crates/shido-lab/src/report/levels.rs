//! Levels that have met other levels, as the coach reads them.
//!
//! A level of the default partner that has played enough games with others counts as
//! measured: what it played with becomes a row of `calibration.toml`.

use std::collections::{BTreeMap, BTreeSet};

use shido_coach::play::PartnerKind;
use shido_coach::{CalibrationRow, CalibrationTable, Level};

use super::Games;
use super::calibration::empty_table;
use crate::line::{End, SeatLine};
use crate::spec::{PlayerSpec, Spec};

/// Games that a level must have played.
const LEAST_GAMES: u64 = 40;
/// The numbers that make a level of the default partner: their names, and where a
/// ledger keeps them.
const NUMBERS: [(&str, &str); 3] = [
    ("alpha", "/played/control/lead-range"),
    ("beta", "/played/control/even-loss"),
    ("natural.variety", "/played/natural/variety"),
];

/// Returns the rows of the levels that met others often enough.
pub(super) fn rows(spec: &Spec, games: &Games) -> Vec<(CalibrationTable, CalibrationRow)> {
    let mut met: BTreeMap<Level, (u64, &SeatLine)> = BTreeMap::new();
    // Who played a level, and with what.
    let mut players: BTreeMap<Level, BTreeSet<String>> = BTreeMap::new();
    let played = games.games.iter();
    for game in played.filter(|it| it.outcome.end != End::Failure) {
        let seats = [&game.black, &game.white];
        let [Some(_), Some(_)] = seats.map(|seat| level(spec, seat)) else {
            continue;
        };
        for seat in seats {
            let Some(level) = level(spec, seat) else {
                continue;
            };
            met.entry(level).or_insert((0, seat)).0 += 1;
            let numbers = NUMBERS.map(|(_, place)| seat.settings.pointer(place));
            let player = format!("{} {numbers:?} {:?}", seat.name, seat.hashes);
            players.entry(level).or_default().insert(player);
        }
    }
    // Several players of one level, or one whose numbers changed, are an experiment about
    // the level and not a measurement of it.
    met.retain(|level, (played, _)| *played >= LEAST_GAMES && players[level].len() == 1);
    let row = |(level, (played, seat)): (Level, (u64, &SeatLine))| {
        let mut settings = BTreeMap::new();
        for (name, place) in NUMBERS {
            let value = seat.settings.pointer(place)?.as_f64()?;
            settings.insert(name.to_owned(), (value * 1000.0).round() / 1000.0);
        }
        let row = CalibrationRow {
            level,
            rank: None,
            settings,
            games: Some(played),
        };
        Some((empty_table(spec, PartnerKind::Natural, seat), row))
    };
    met.into_iter().filter_map(row).collect()
}

/// Returns the level that a player plays at, if it is the default partner.
fn level(spec: &Spec, seat: &SeatLine) -> Option<Level> {
    match spec.players.get(&seat.name)? {
        PlayerSpec::Partner(it) if it.partner == PartnerKind::Natural => it.level,
        _ => None,
    }
}
