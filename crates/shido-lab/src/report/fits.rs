//! Settings found from games at several values of them.

use std::collections::BTreeMap;

use shido_coach::{CalibrationRow, CalibrationTable};

use super::calibration::empty_table;
use super::results::of_pairing;
use super::{Games, Table};
use crate::spec::{FitSpec, PlayerSpec, Spec};
use crate::stats::bootstrap::Bootstrap;
use crate::stats::logistic::{Curve, Trial, setting_for};
use crate::stats::wilson::wilson;

/// Returns the games of a fit.
fn trials(spec: &Spec, fit: &FitSpec, games: &Games, name: &String) -> Option<Vec<Trial>> {
    let PlayerSpec::Partner(partner) = &spec.players[name] else {
        return None;
    };
    let x = partner.settings.get(&fit.setting)?.parse().ok()?;
    let points = of_pairing(games, name, &fit.opponent).filter_map(|it| it.points_of(name));
    Some(points.map(|points| Trial { x, points }).collect())
}

pub(super) fn table(spec: &Spec, fit: &FitSpec, games: &Games) -> Table {
    let mut all: Vec<Trial> = Vec::new();
    let mut rows = Vec::new();
    for name in &fit.players {
        let Some(own) = trials(spec, fit, games, name) else {
            continue;
        };
        let PlayerSpec::Partner(partner) = &spec.players[name] else {
            continue;
        };
        let won: f64 = own.iter().map(|it| it.points).sum();
        let rate = wilson(won, own.len() as u64).percent();
        let x = partner.settings[&fit.setting].clone();
        rows.push(vec![name.clone(), x, rate.to_string()]);
        all.extend(own);
    }
    let found = setting_for(&all, fit.target, &Bootstrap::default());
    let slope = Curve::fit(&all).map_or(String::new(), |it| format!(", slope {:.3}", it.slope));
    rows.push(vec![
        format!("found for {} %", 100.0 * fit.target),
        // Games at one value alone tell nothing.
        if found.value.is_nan() {
            "—".to_owned()
        } else {
            found.to_string()
        },
        "—".to_owned(),
    ]);
    Table {
        title: fit.title.clone(),
        head: ["player", fit.setting.as_str(), "won"]
            .map(str::to_owned)
            .to_vec(),
        rows,
        note: format!(
            "One logistic fit over all games against {}{slope}; 95 % bootstrap interval over \
             games, Wilson intervals of the win rates.",
            fit.opponent
        ),
    }
}

/// Returns what a fit found for a level, and the table it belongs to.
pub(super) fn row(
    spec: &Spec,
    fit: &FitSpec,
    games: &Games,
) -> Option<(CalibrationTable, CalibrationRow)> {
    let level = fit.level?;
    let name = fit.players.first()?;
    let PlayerSpec::Partner(partner) = &spec.players[name] else {
        return None;
    };
    let trials = fit
        .players
        .iter()
        .filter_map(|it| trials(spec, fit, games, it));
    let trials: Vec<Trial> = trials.flatten().collect();
    let value = Curve::fit(&trials)?.at(fit.target);
    // Beyond what was tried the curve is a guess.
    let tried = |it: &Trial| it.x;
    let least = trials.iter().map(tried).fold(f64::INFINITY, f64::min);
    let most = trials.iter().map(tried).fold(f64::NEG_INFINITY, f64::max);
    if !(least..=most).contains(&value) {
        return None;
    }
    let seats = games.games.iter().flat_map(|it| [&it.black, &it.white]);
    let seat = seats.into_iter().find(|it| it.name == *name)?;
    let table = empty_table(spec, partner.partner, seat);
    let row = CalibrationRow {
        level,
        rank: None,
        settings: BTreeMap::from([(fit.setting.clone(), (value * 100.0).round() / 100.0)]),
        games: Some(trials.len() as u64),
    };
    Some((table, row))
}
