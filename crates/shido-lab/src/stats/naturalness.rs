//! The four measures of how natural moves look (HI24, §5.2).
//!
//! All are means over the moves of one player, with intervals from resampling
//! whole games. `p'` is the probability that a network of human play gives a move.

use super::bootstrap::Bootstrap;
use super::estimate::Estimate;
use super::record::{MoveRecord, Point, shares, totals};

/// From which `p'` a move is one that a human is all but sure to play (HI24, §5.2).
pub const OBVIOUS: f64 = 0.9;

/// How natural one player's moves were: the columns of (HI24, Table 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Naturalness {
    /// Euclidean distance from the previous move; closer to humans' is better.
    pub distance: Estimate,
    /// Arithmetic average of `p'`; higher is better.
    pub arithmetic: Estimate,
    /// Geometric average of `p'`, which a few unnatural moves spoil; higher is better.
    pub geometric: Estimate,
    /// Share of all moves at which a move of `p' > 0.9` was not played; lower is better.
    pub neglected: Estimate,
}

/// Returns the distance between two points, in lines.
pub fn distance(a: Point, b: Point) -> f64 {
    let along = |a: u8, b: u8| f64::from(a) - f64::from(b);
    along(a.0, b.0).hypot(along(a.1, b.1))
}

/// Measures the moves of one player in several games.
///
/// The distance leaves out passes and answers to passes. The other measures take
/// every move given.
pub fn naturalness<G: AsRef<[MoveRecord]>>(games: &[G], bootstrap: &Bootstrap) -> Naturalness {
    let step = |it: &MoveRecord| Some(distance(it.point?, it.previous?));
    let logarithm = |it: &MoveRecord| Some(it.naturalness.ln());
    let neglects = |it: &MoveRecord| it.best_naturalness > OBVIOUS && it.naturalness <= OBVIOUS;
    Naturalness {
        distance: bootstrap.mean(&totals(games, step)),
        arithmetic: bootstrap.mean(&totals(games, |it| Some(it.naturalness))),
        geometric: bootstrap.mean(&totals(games, logarithm)).map(f64::exp),
        neglected: bootstrap.mean(&shares(games, neglects)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::PLAIN;
    use super::*;

    fn of(naturalness: &[f64]) -> Naturalness {
        let record = |&naturalness: &f64| MoveRecord {
            naturalness,
            ..PLAIN
        };
        let game: Vec<_> = naturalness.iter().map(record).collect();
        super::naturalness(&[game], &Bootstrap::default())
    }

    #[test]
    fn averages_of_the_papers_two_groups() {
        // (HI24, §5.2): 0.9 and 0.001 against 0.4 and 0.1.
        let (first, second) = (of(&[0.9, 0.001]), of(&[0.4, 0.1]));
        assert!((first.arithmetic.value - 0.4505).abs() < 1e-12);
        assert!((second.arithmetic.value - 0.25).abs() < 1e-12);
        assert!((first.geometric.value - 0.03).abs() < 1e-12);
        assert!((second.geometric.value - 0.2).abs() < 1e-12);
        assert_eq!(first.geometric.n, 2);
    }

    #[test]
    fn distances_are_between_stones_only() {
        let near = MoveRecord {
            point: Some((3, 3)),
            previous: Some((6, 7)),
            ..PLAIN
        };
        let pass = MoveRecord {
            point: None,
            ..near
        };
        let after_pass = MoveRecord {
            previous: None,
            ..near
        };
        let found = naturalness(&[[near, pass, after_pass]], &Bootstrap::default());
        assert_eq!((found.distance.value, found.distance.n), (5.0, 1));
        assert_eq!(found.arithmetic.n, 3);
    }

    #[test]
    fn only_obvious_moves_can_be_neglected() {
        let played = MoveRecord {
            naturalness: 0.95,
            best_naturalness: 0.95,
            ..PLAIN
        };
        let missed = MoveRecord {
            naturalness: 0.02,
            best_naturalness: 0.95,
            ..PLAIN
        };
        let open = MoveRecord {
            naturalness: 0.02,
            best_naturalness: 0.9,
            ..PLAIN
        };
        let found = naturalness(&[[played, missed], [open, played]], &Bootstrap::default());
        assert_eq!((found.neglected.value, found.neglected.n), (0.25, 4));
    }
}
