//! How well bad moves are detected: F-measures with folds by game (FT20, §3.1, §6.1).
//!
//! The paper reports the F-measure of good moves, of bad moves, and their average
//! weighted by how many there are of each. Predictions for all moves come from
//! models that were trained on other folds and are counted together. Moves of one
//! game are never in two folds, which the paper's ten folds did not ensure.

use std::collections::BTreeMap;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::bootstrap::{Bootstrap, below};
use super::estimate::Estimate;
use super::mcc::Confusion;

/// Precision, recall and their harmonic mean; 0 where there is nothing to divide by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FMeasure {
    /// Share of the positives said that are positives.
    pub precision: f64,
    /// Share of the positives that were said.
    pub recall: f64,
    /// `2 precision recall / (precision + recall)`.
    pub f: f64,
}

impl Confusion {
    /// Returns how well the positive class was found.
    pub fn f_measure(&self) -> FMeasure {
        let share = |part: u64, rest: u64| part as f64 / (part + rest).max(1) as f64;
        let wrong = self.false_positives + self.false_negatives;
        FMeasure {
            precision: share(self.true_positives, self.false_positives),
            recall: share(self.true_positives, self.false_negatives),
            f: share(2 * self.true_positives, wrong),
        }
    }

    /// Returns the same predictions as seen from the negative class.
    pub fn flipped(&self) -> Self {
        Self {
            true_positives: self.true_negatives,
            false_positives: self.false_negatives,
            false_negatives: self.false_positives,
            true_negatives: self.true_positives,
        }
    }

    /// Returns the F-measures of both classes, weighted by their true sizes.
    pub fn average_f(&self) -> f64 {
        let positives = (self.true_positives + self.false_negatives) as f64;
        let negatives = (self.true_negatives + self.false_positives) as f64;
        let (f, g) = (self.f_measure().f, self.flipped().f_measure().f);
        weighted_average([(f, positives), (g, negatives)])
    }
}

/// Returns the average of values by their weights.
fn weighted_average(values: [(f64, f64); 2]) -> f64 {
    let sum: f64 = values.iter().map(|(value, weight)| value * weight).sum();
    sum / values.iter().map(|it| it.1).sum::<f64>()
}

/// A move that was judged by a model which has not seen its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// The game it is from.
    pub game: u32,
    /// Whether the teacher labeled it bad.
    pub bad: bool,
    /// Whether the model called it bad.
    pub predicted_bad: bool,
}

/// The three numbers of a cell of (FT20, Table 6.1), from resampled games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detection {
    /// F-measure of good moves.
    pub good: Estimate,
    /// F-measure of bad moves.
    pub bad: Estimate,
    /// Their average, weighted by the number of moves.
    pub average: Estimate,
}

/// Measures judged moves; every `n` is the number of moves.
pub fn detection(moves: &[Judged], bootstrap: &Bootstrap) -> Detection {
    let mut games: BTreeMap<u32, Confusion> = BTreeMap::new();
    for it in moves {
        games
            .entry(it.game)
            .or_default()
            .add(it.predicted_bad, it.bad);
    }
    let games: Vec<Confusion> = games.into_values().collect();
    let measure = |statistic: fn(&Confusion) -> f64| Estimate {
        n: moves.len() as u64,
        ..bootstrap.estimate(&games, |it| statistic(&sum(it)))
    };
    Detection {
        good: measure(|it| it.flipped().f_measure().f),
        bad: measure(|it| it.f_measure().f),
        average: measure(Confusion::average_f),
    }
}

fn sum(games: &[&Confusion]) -> Confusion {
    games
        .iter()
        .fold(Confusion::default(), |sum, it| Confusion {
            true_positives: sum.true_positives + it.true_positives,
            false_positives: sum.false_positives + it.false_positives,
            false_negatives: sum.false_negatives + it.false_negatives,
            true_negatives: sum.true_negatives + it.true_negatives,
        })
}

/// Returns the fold of each move, given its game: games stay whole, folds about equal.
///
/// Games come in random order; each goes to the fold with the fewest moves so far.
/// Zero folds count as one.
pub fn folds_by_game(games: &[u32], folds: usize, seed: u64) -> Vec<usize> {
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for &game in games {
        *sizes.entry(game).or_default() += 1;
    }
    let mut order: Vec<(u32, usize)> = sizes.into_iter().collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for i in (1..order.len()).rev() {
        order.swap(i, below(&mut rng, i + 1));
    }
    let mut filled = vec![0; folds.max(1)];
    let mut fold_of = BTreeMap::new();
    for (game, size) in order {
        let fold = (0..filled.len())
            .min_by_key(|&it| filled[it])
            .expect("there is a fold");
        filled[fold] += size;
        fold_of.insert(game, fold);
    }
    games.iter().map(|it| fold_of[it]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_of_the_previous_work() {
        // (FT20, §3.1): 0.826/0.444/0.709 for 1963 good and 873 bad moves.
        let average = weighted_average([(0.826, 1963.0), (0.444, 873.0)]);
        assert!((average - 0.709).abs() < 0.001, "{average}");
    }

    #[test]
    fn a_table_by_hand() {
        let table = Confusion {
            true_positives: 6,
            false_positives: 2,
            false_negatives: 4,
            true_negatives: 18,
        };
        let bad = table.f_measure();
        assert_eq!((bad.precision, bad.recall), (0.75, 0.6));
        assert!((bad.f - 2.0 * 0.75 * 0.6 / 1.35).abs() < 1e-12);
        let good = table.flipped().f_measure();
        assert!((good.f - 36.0 / 42.0).abs() < 1e-12);
        assert!((table.average_f() - (10.0 * bad.f + 20.0 * good.f) / 30.0).abs() < 1e-12);
        assert_eq!(Confusion::default().f_measure().f, 0.0);
    }

    #[test]
    fn detection_counts_all_games_together() {
        let judged = |game, bad, predicted_bad| Judged {
            game,
            bad,
            predicted_bad,
        };
        let moves = [
            judged(1, true, true),
            judged(1, false, true),
            judged(2, true, false),
            judged(2, false, false),
            judged(3, true, true),
            judged(3, false, false),
        ];
        let found = detection(&moves, &Bootstrap::default());
        assert!((found.bad.value - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!((found.good.n, found.good.value), (6, found.bad.value));
        assert!(found.bad.low < found.bad.value && found.bad.value < found.bad.high);
    }

    #[test]
    fn games_stay_whole_and_folds_equal() {
        let games: Vec<u32> = (0..1000).map(|it| it * 7 % 50).collect();
        let folds = folds_by_game(&games, 10, 5);
        for (a, b) in games.iter().zip(&folds) {
            assert!(games.iter().zip(&folds).all(|(c, d)| a != c || b == d));
        }
        assert!((0..10).all(|fold| folds.iter().filter(|&&it| it == fold).count() == 100));
        assert_ne!(folds, folds_by_game(&games, 10, 6));
        assert_eq!(folds_by_game(&[4, 5], 0, 1), [0, 0]);
    }
}
