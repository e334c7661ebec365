//! How natural moves are, in the four measures of (HI24, §5.2), and the share of
//! unlikely moves of (SF21, Table 7).

use std::ops::RangeInclusive;

use super::judged::JudgedMove;

/// A probability that a geometric mean does not go below, so that one impossible move
/// does not make the mean of a thousand zero.
const LEAST: f64 = 1e-6;
/// Probability below which SF21 counts a move (Table 7).
const RARE_BELOW: f32 = 0.05;

/// Returns the mean; `None` of nothing.
pub fn arithmetic_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values
        .into_iter()
        .fold((0.0, 0usize), |(sum, count), it| (sum + it, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Returns the geometric mean of probabilities, none taken below one in a million;
/// `None` of nothing.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let logs = values.into_iter().map(|it| it.max(LEAST).ln());
    arithmetic_mean(logs).map(f64::exp)
}

/// How natural some moves were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Naturalness {
    /// How many moves.
    pub moves: usize,
    /// The mean distance from the previous move, where both were stones.
    pub distance: Option<f64>,
    /// The arithmetic mean of `p′`.
    pub arithmetic: f64,
    /// The geometric mean of `p′`.
    pub geometric: f64,
    /// The share of moves in place of one with `p′` above 0.9.
    pub ignored: f64,
    /// The share of moves with `p′` below 0.05.
    pub rare: f64,
    /// The share of moves that a person would find odd.
    pub unnatural: f64,
}

impl Naturalness {
    /// Sums moves up; `None` of nothing.
    pub fn of(moves: &[JudgedMove]) -> Option<Naturalness> {
        let likely = || moves.iter().map(|it| f64::from(it.naturalness));
        let share = |is: &dyn Fn(&JudgedMove) -> bool| {
            moves.iter().filter(|it| is(it)).count() as f64 / moves.len() as f64
        };
        Some(Naturalness {
            moves: moves.len(),
            distance: arithmetic_mean(moves.iter().filter_map(|it| it.distance)),
            arithmetic: arithmetic_mean(likely())?,
            geometric: geometric_mean(likely())?,
            ignored: share(&JudgedMove::ignores_the_obvious),
            rare: share(&|it| it.naturalness < RARE_BELOW),
            unnatural: share(&JudgedMove::is_unnatural),
        })
    }

    /// Returns the mean distance of the moves with some numbers, as over moves 2 to 60
    /// in (SF21, §5.2).
    pub fn distance_in(moves: &[JudgedMove], numbers: RangeInclusive<usize>) -> Option<f64> {
        let within = moves.iter().filter(|it| numbers.contains(&it.number));
        arithmetic_mean(within.filter_map(|it| it.distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups A, B and C, D (HI24, §5.2).
    #[test]
    fn means_are_the_papers() {
        let arithmetic = |it: [f64; 2]| arithmetic_mean(it).unwrap();
        let geometric = |it: [f64; 2]| geometric_mean(it).unwrap();
        assert!((arithmetic([0.9, 0.001]) - 0.4505).abs() < 1e-12);
        assert!((geometric([0.9, 0.001]) - 0.03).abs() < 1e-12);
        assert!((arithmetic([0.4, 0.1]) - 0.25).abs() < 1e-12);
        assert!((geometric([0.4, 0.1]) - 0.2).abs() < 1e-12);
        assert_eq!(arithmetic_mean([]), None);
        assert!(geometric([0.0, 1.0]) > 0.0);
    }

    #[test]
    fn moves_are_summed_up() {
        let judged = |number, distance, naturalness, most_natural| JudgedMove {
            number,
            distance,
            naturalness,
            most_natural,
            prior: None,
            loss: None,
        };
        let moves = [
            judged(2, Some(1.0), 0.5, 0.5),
            judged(4, Some(3.0), 0.04, 0.95),
            judged(6, None, 0.005, 0.6),
            judged(62, Some(8.0), 0.91, 0.91),
        ];
        let found = Naturalness::of(&moves).unwrap();
        assert_eq!(found.moves, 4);
        assert_eq!(found.distance, Some(4.0));
        assert_eq!(
            (found.ignored, found.rare, found.unnatural),
            (0.25, 0.5, 0.5)
        );
        assert!((found.arithmetic - 0.36375).abs() < 1e-6);
        assert!(found.geometric < found.arithmetic);
        assert_eq!(Naturalness::distance_in(&moves, 2..=60), Some(2.0));
        assert_eq!(Naturalness::of(&[]), None);
    }
}
