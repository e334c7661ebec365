//! The measures that can be columns of a paper's table, each from the games of a row.
//!
//! | column | of |
//! |---|---|
//! | `win_rate` | (HI24, Tables 1 to 3; SF21, Table 1) |
//! | `distance`, `mean`, `geometric`, `ignored` | (HI24, Table 4) |
//! | `second_mean`, `second_geometric`, `second_ignored` | the same by a second human network |
//! | `blunders`, `unlikely` | (HI24, Table 5) |
//! | `mcc` | (HI24, Table 6), the opponent being the student |
//! | `close_100`, `close_end` | (HI24, Table 7) |
//! | `loss`, `extra` | points lost a move; games' situations of extra simulations |
//! | `unnatural`, `near` | (SF21, §5.2): unnatural moves a game and distance, moves 2 to 60 |
//! | `below_5` | (SF21, Table 7): share of moves below 5 % |
//! | `engine_mean`, `engine_geometric`, `engine_below_5` | the same by the analyst's own move model |

use std::collections::{BTreeMap, BTreeSet};

use shido_go::Color;

use super::results::win_rate;
use super::{Games, ReportError};
use crate::line::{End, GameLine};
use crate::review::{Review, Witness};
use crate::spec::{PlayerSpec, Spec};
use crate::stats::bootstrap::{Bootstrap, Total};
use crate::stats::closeness::{GameScore, MIDDLE_MOVE, closeness};
use crate::stats::mcc::{StudentGame, badness, best_mcc};
use crate::stats::naturalness::{OBVIOUS, distance, naturalness};
use crate::stats::quality::{Thresholds, quality};
use crate::stats::{Estimate, MoveRecord};

/// The moves of a game that SF21's human subjects looked at.
const LOOKED_AT: usize = 60;
/// Below this a move is unlikely in (SF21, Table 7).
const RARE: f64 = 0.05;
/// Below this a move is unnatural where no person can be asked.
const UNNATURAL: f64 = 0.01;

/// One row's games and who played them.
pub(super) struct Row<'a> {
    name: &'a str,
    games: Vec<(&'a GameLine, Color)>,
    /// How many sides of a game are in it: of a recorded one both.
    sides: u64,
    reviews: &'a BTreeMap<String, Review>,
}

/// How a column's numbers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A share, in percent.
    Percent,
    /// A number with so many digits.
    Plain(usize),
}

impl Unit {
    /// Shows what was measured.
    pub(super) fn show(self, it: Estimate) -> String {
        match self {
            _ if it.n == 0 => "—".to_owned(),
            Unit::Percent => format!("{:.2}", it.percent()),
            Unit::Plain(digits) => format!("{it:.digits$}"),
        }
    }

    /// Shows a paper's number.
    pub(super) fn show_paper(self, value: f64) -> String {
        match self {
            Unit::Percent => format!("{} %", round(100.0 * value)),
            Unit::Plain(_) => value.to_string(),
        }
    }
}

/// Takes the noise of binary numbers off a decimal one.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

type Measured = Result<Estimate, ReportError>;

/// A column that the games give.
pub(super) struct Column {
    pub(super) unit: Unit,
    measure: fn(&Row<'_>) -> Measured,
}

impl Column {
    /// Returns the column of a name.
    pub(super) fn named(name: &str) -> Option<&'static Column> {
        COLUMNS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|it| &it.1)
    }

    /// Measures a row.
    pub(super) fn of(&self, row: &Row<'_>) -> Measured {
        (self.measure)(row)
    }
}

const fn percent(measure: fn(&Row<'_>) -> Measured) -> Column {
    Column {
        unit: Unit::Percent,
        measure,
    }
}

const fn plain(digits: usize, measure: fn(&Row<'_>) -> Measured) -> Column {
    Column {
        unit: Unit::Plain(digits),
        measure,
    }
}

const COLUMNS: &[(&str, Column)] = &[
    ("win_rate", percent(|row| Ok(row.win_rate()))),
    (
        "distance",
        plain(3, |row| Ok(natural(row, Witness::First)?.distance)),
    ),
    (
        "mean",
        plain(3, |row| Ok(natural(row, Witness::First)?.arithmetic)),
    ),
    (
        "geometric",
        plain(3, |row| Ok(natural(row, Witness::First)?.geometric)),
    ),
    (
        "ignored",
        percent(|row| Ok(natural(row, Witness::First)?.neglected)),
    ),
    (
        "second_mean",
        plain(3, |row| Ok(natural(row, Witness::Second)?.arithmetic)),
    ),
    (
        "second_geometric",
        plain(3, |row| Ok(natural(row, Witness::Second)?.geometric)),
    ),
    (
        "second_ignored",
        percent(|row| Ok(natural(row, Witness::Second)?.neglected)),
    ),
    ("blunders", percent(|row| Ok(good(row)?.blunders))),
    ("unlikely", percent(|row| Ok(good(row)?.unlikely))),
    ("mcc", plain(3, mcc)),
    (
        "close_100",
        percent(|row| Ok(closeness(&row.scores()).middle)),
    ),
    ("close_end", percent(|row| Ok(closeness(&row.scores()).end))),
    (
        "loss",
        plain(2, |row| row.mean(Witness::First, |it| Some(it.loss))),
    ),
    ("extra", plain(2, |row| Ok(row.extra()))),
    ("unnatural", plain(2, unnatural)),
    ("near", plain(2, near)),
    (
        "below_5",
        percent(|row| row.mean(Witness::First, |it| Some(rare(it.naturalness)))),
    ),
    (
        "engine_mean",
        plain(3, |row| Ok(by_engine(row)?.arithmetic)),
    ),
    (
        "engine_geometric",
        plain(3, |row| Ok(by_engine(row)?.geometric)),
    ),
    (
        "engine_below_5",
        percent(|row| row.mean(Witness::First, |it| Some(rare(it.engine_probability)))),
    ),
];

fn natural(
    row: &Row<'_>,
    witness: Witness,
) -> Result<crate::stats::naturalness::Naturalness, ReportError> {
    Ok(naturalness(&row.records(witness)?, &Bootstrap::default()))
}

/// Returns how natural moves are where the analyst's own move model says it.
fn by_engine(row: &Row<'_>) -> Result<crate::stats::naturalness::Naturalness, ReportError> {
    let mut records = row.records(Witness::First)?;
    for record in records.iter_mut().flatten() {
        record.naturalness = record.engine_probability;
    }
    Ok(naturalness(&records, &Bootstrap::default()))
}

/// Returns 1 for a move that is rarely played.
fn rare(probability: f64) -> f64 {
    f64::from(u8::from(probability < RARE))
}

fn good(row: &Row<'_>) -> Result<crate::stats::quality::Quality, ReportError> {
    let records = row.records(Witness::First)?;
    Ok(quality(
        &records,
        &Thresholds::default(),
        &Bootstrap::default(),
    ))
}

impl<'a> Row<'a> {
    /// Returns the games of a player with an opponent; of a set of records, all.
    pub(super) fn new(
        spec: &Spec,
        games: &'a Games,
        reviews: &'a BTreeMap<String, Review>,
        name: &'a str,
        opponent: &str,
    ) -> Row<'a> {
        let recorded = matches!(spec.players.get(name), Some(PlayerSpec::Sgf { .. }));
        let mut seats = Vec::new();
        for game in &games.games {
            let [black, white] = [&game.black.name, &game.white.name];
            for (own, other, color) in [(black, white, Color::Black), (white, black, Color::White)]
            {
                if own == name && (recorded || other == opponent) {
                    seats.push((game, color));
                }
            }
        }
        Row {
            name,
            games: seats,
            sides: if recorded { 2 } else { 1 },
            reviews,
        }
    }

    fn win_rate(&self) -> Estimate {
        let decided = self
            .games
            .iter()
            .filter(|(game, _)| game.black.name != game.white.name);
        win_rate(self.name, decided.map(|(game, _)| *game))
    }

    /// Returns the moves of each game that was judged.
    fn records(&self, witness: Witness) -> Result<Vec<Vec<MoveRecord>>, ReportError> {
        self.first_records(witness, usize::MAX)
    }

    /// Returns the first moves of each game that was judged. A recorded game, of which both
    /// sides are in the row, is one game: what they did depends on each other.
    fn first_records(
        &self,
        witness: Witness,
        most: usize,
    ) -> Result<Vec<Vec<MoveRecord>>, ReportError> {
        let mut records: Vec<(&str, Vec<MoveRecord>)> = Vec::new();
        for (game, color) in &self.games {
            let Some(review) = self.reviews.get(&game.game) else {
                continue;
            };
            let mut moves = review.records_by(game, *color, witness)?;
            moves.truncate(most);
            match records.last_mut() {
                Some((last, both)) if *last == game.game => both.append(&mut moves),
                _ => records.push((&game.game, moves)),
            }
        }
        Ok(records.into_iter().map(|it| it.1).collect())
    }

    /// Averages a value over all moves.
    fn mean(&self, witness: Witness, value: impl Fn(&MoveRecord) -> Option<f64>) -> Measured {
        let records = self.records(witness)?;
        let totals: Vec<Total> = records
            .iter()
            .map(|game| game.iter().filter_map(&value).collect())
            .collect();
        Ok(Bootstrap::default().mean(&totals))
    }

    /// Returns the differences at move 100 and at the end, as judged where nothing was
    /// counted: a game that was given up ended with the lead it had, one that an engine
    /// broke off has no end. A recorded game, of which both sides are in the row, is one game.
    fn scores(&self) -> Vec<GameScore> {
        let mut seen = BTreeSet::new();
        let score = |(game, _): &(&GameLine, Color)| {
            let review = self.reviews.get(&game.game);
            let last = review.and_then(|it| it.lead_after(it.judged.len()));
            Some(GameScore {
                middle: review.and_then(|it| it.lead_after(MIDDLE_MOVE)),
                end: game.outcome.margin.map(f64::from).or(last)?,
            })
        };
        let games = self.games.iter();
        games
            .filter(|(game, _)| game.outcome.end != End::Failure)
            .filter(|(game, _)| seen.insert(&game.game))
            .filter_map(score)
            .collect()
    }

    /// Returns how often a game had the special situation of extra simulations.
    fn extra(&self) -> Estimate {
        let count = |(game, color): &(&GameLine, Color)| {
            let first = game.start.as_ref().map_or(Color::Black, |it| it.to_move);
            let own = |i: usize| i.is_multiple_of(2) == (*color == first);
            let moves = game.moves.iter().enumerate().filter(|(i, _)| own(*i));
            let extra = moves.filter(|(_, it)| {
                let notes = it.partner.as_ref().map(|it| it.notes.as_slice());
                notes.is_some_and(|it| it.iter().any(|it| it == "extra-simulations"))
            });
            Total {
                sum: extra.count() as f64,
                count: 1,
            }
        };
        let totals: Vec<Total> = self.games.iter().map(count).collect();
        Bootstrap::default().mean(&totals)
    }

    /// Returns the first moves of each judged game.
    fn first_moves(&self) -> Result<Vec<Vec<MoveRecord>>, ReportError> {
        self.first_records(Witness::First, LOOKED_AT / 2)
    }
}

/// Returns how well the results reflect the opponent's moves, in games that moves decided.
///
/// Recorded games have no student: both sides have the row's name.
fn mcc(row: &Row<'_>) -> Measured {
    let mut students = Vec::new();
    for (game, color) in &row.games {
        if game.outcome.end == End::Failure || game.black.name == game.white.name {
            continue;
        }
        let (Some(review), Some(points)) = (row.reviews.get(&game.game), game.points_of(row.name))
        else {
            continue;
        };
        let moves = review.records(game, !*color)?;
        let losses: Vec<f64> = moves.iter().map(|it| it.loss).collect();
        students.push(StudentGame {
            badness: badness(&losses),
            won: points < 0.5,
        });
    }
    Ok(best_mcc(&students, &Bootstrap::default()).mcc)
}

/// Counts moves a game that no person would play, or that leave an obvious one.
fn unnatural(row: &Row<'_>) -> Measured {
    let odd = |it: &&MoveRecord| {
        let ignores = it.best_naturalness > OBVIOUS && it.naturalness <= OBVIOUS;
        it.naturalness < UNNATURAL || ignores
    };
    let count = |game: &Vec<MoveRecord>| Total {
        sum: game.iter().filter(odd).count() as f64,
        count: row.sides,
    };
    let totals: Vec<Total> = row.first_moves()?.iter().map(count).collect();
    Ok(Bootstrap::default().mean(&totals))
}

/// Returns the distance to the opponent's last move in the first moves.
fn near(row: &Row<'_>) -> Measured {
    let step = |it: &MoveRecord| Some(distance(it.point?, it.previous?));
    let totals: Vec<Total> = row
        .first_moves()?
        .iter()
        .map(|game| game.iter().filter_map(step).collect())
        .collect();
    Ok(Bootstrap::default().mean(&totals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names_and_units() {
        let column = Column::named("ignored").unwrap();
        assert_eq!(column.unit.show_paper(0.00152), "0.152 %");
        assert_eq!(column.unit.show(Estimate::NONE), "—");
        assert!(Column::named("beauty").is_none());
        let mut names: Vec<_> = COLUMNS.iter().map(|it| it.0).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COLUMNS.len());
    }
}
