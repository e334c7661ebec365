//! What the measures know of a move: numbers from a review, no position.

use serde::Serialize;

use super::bootstrap::Total;

/// A point by its column and row, each from 0.
pub type Point = (u8, u8);

/// One played move as a reviewing analyst saw it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MoveRecord {
    /// Where it was played; none for a pass.
    pub point: Option<Point>,
    /// Where the opponent had just played; none for a pass or no move.
    pub previous: Option<Point>,
    /// Probability that a human plays it (`p'`, from `π_human`).
    pub naturalness: f64,
    /// The greatest `p'` of all legal moves.
    pub best_naturalness: f64,
    /// Probability that the engine's network gives it (`π_KataGo`).
    pub engine_probability: f64,
    /// Points given away against the best move (`a_max - a_i`); by the judge's errors it can be
    /// negative.
    pub loss: f64,
}

/// Sums a value over the moves of each game; moves without one do not count.
pub(crate) fn totals<G: AsRef<[MoveRecord]>>(
    games: &[G],
    value: impl Fn(&MoveRecord) -> Option<f64>,
) -> Vec<Total> {
    let total = |game: &G| game.as_ref().iter().filter_map(&value).collect();
    games.iter().map(total).collect()
}

/// Counts the moves of each game that have a property.
pub(crate) fn shares<G: AsRef<[MoveRecord]>>(
    games: &[G],
    property: impl Fn(&MoveRecord) -> bool,
) -> Vec<Total> {
    totals(games, |it| Some(f64::from(u8::from(property(it)))))
}

/// A move with nothing remarkable, for tests to change.
#[cfg(test)]
pub(super) const PLAIN: MoveRecord = MoveRecord {
    point: Some((3, 3)),
    previous: Some((3, 4)),
    naturalness: 0.5,
    best_naturalness: 0.5,
    engine_probability: 0.5,
    loss: 0.0,
};
