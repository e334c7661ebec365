//! How well results reflect the student's moves: the best MCC (HI24, §5.4).
//!
//! A game's badness is the student's mean loss. "The student wins if its badness
//! is below a threshold" is a prediction, and the best Matthews correlation
//! coefficient over all thresholds is the measure.

use super::bootstrap::Bootstrap;
use super::estimate::Estimate;

/// Thresholds are 0, 0.01, … 5.99 (HI24, §5.4).
const THRESHOLDS: usize = 600;
/// Thresholds in a point.
const PER_POINT: f64 = 100.0;

/// Predictions of a yes-or-no question against the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Confusion {
    /// Said yes, is yes.
    pub true_positives: u64,
    /// Said yes, is no.
    pub false_positives: u64,
    /// Said no, is yes.
    pub false_negatives: u64,
    /// Said no, is no.
    pub true_negatives: u64,
}

impl Confusion {
    /// Counts one prediction.
    pub fn add(&mut self, predicted: bool, truth: bool) {
        *match (predicted, truth) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        } += 1;
    }

    /// Returns the Matthews correlation coefficient, 0 where it is not defined.
    pub fn mcc(&self) -> f64 {
        let [tp, fp, fnn, tn] = [
            self.true_positives,
            self.false_positives,
            self.false_negatives,
            self.true_negatives,
        ]
        .map(|it| it as f64);
        let scale = ((tp + fp) * (tp + fnn) * (tn + fp) * (tn + fnn)).sqrt();
        if scale == 0.0 {
            0.0
        } else {
            (tp * tn - fp * fnn) / scale
        }
    }
}

/// One game from the student's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentGame {
    /// Mean points that a move of the student gave away; see [`badness`].
    pub badness: f64,
    /// Whether the student won.
    pub won: bool,
}

/// Returns the mean of the losses, 0 for no move.
pub fn badness(losses: &[f64]) -> f64 {
    losses.iter().sum::<f64>() / losses.len().max(1) as f64
}

/// The measure and where it was reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestMcc {
    /// The highest coefficient. Its interval chooses a threshold in every resample.
    pub mcc: Estimate,
    /// The lowest threshold that reaches it.
    pub threshold: f64,
}

/// Returns the best coefficient over the paper's thresholds.
pub fn best_mcc(games: &[StudentGame], bootstrap: &Bootstrap) -> BestMcc {
    let placed: Vec<(usize, bool)> = games
        .iter()
        .map(|it| (first_above(it.badness), it.won))
        .collect();
    let all: Vec<&(usize, bool)> = placed.iter().collect();
    BestMcc {
        mcc: bootstrap.estimate(&placed, |it| best(it).0),
        threshold: best(&all).1 as f64 / PER_POINT,
    }
}

/// Returns the first threshold above a badness, as its number.
fn first_above(badness: f64) -> usize {
    // Dividing gives the very doubles that 0.01, 0.02, … are; a product would not.
    (0..THRESHOLDS)
        .find(|&it| badness < it as f64 / PER_POINT)
        .unwrap_or(THRESHOLDS)
}

/// Returns the best coefficient and its threshold's number.
fn best(games: &[&(usize, bool)]) -> (f64, usize) {
    let mut at = [[0_u64; 2]; THRESHOLDS + 1];
    let mut sums = Confusion::default();
    for &&(place, won) in games {
        at[place][usize::from(won)] += 1;
        sums.add(false, won);
    }
    let mut best = (f64::NEG_INFINITY, 0);
    for (threshold, [lost, won]) in at[..THRESHOLDS].iter().enumerate() {
        sums.true_positives += won;
        sums.false_negatives -= won;
        sums.false_positives += lost;
        sums.true_negatives -= lost;
        if sums.mcc() > best.0 {
            best = (sums.mcc(), threshold);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(badness: f64, won: bool) -> StudentGame {
        StudentGame { badness, won }
    }

    #[test]
    fn the_coefficient_of_a_table() {
        // (6·3 − 1·2) / sqrt(7·8·4·5) = 16 / sqrt(1120).
        let table = Confusion {
            true_positives: 6,
            false_positives: 1,
            false_negatives: 2,
            true_negatives: 3,
        };
        assert!((table.mcc() - 16.0 / 1120.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(Confusion::default().mcc(), 0.0);
    }

    #[test]
    fn games_decided_by_badness_give_one() {
        let games: Vec<_> = (0..20)
            .map(|i| game(0.1 * f64::from(i) + 0.005, i < 10))
            .collect();
        let found = best_mcc(&games, &Bootstrap::default());
        assert_eq!((found.mcc.value, found.mcc.n), (1.0, 20));
        assert_eq!(found.threshold, 0.91);
    }

    #[test]
    fn a_badness_on_a_threshold_is_not_below_it() {
        let games = [game(0.07, true), game(0.08, false)];
        assert_eq!(best_mcc(&games, &Bootstrap::default()).threshold, 0.08);
    }

    #[test]
    fn it_finds_the_best_of_all_thresholds() {
        let games = [
            game(0.5, true),
            game(1.0, false),
            game(1.5, true),
            game(2.0, false),
            game(9.0, false),
        ];
        let by_hand = |threshold: f64| {
            let mut table = Confusion::default();
            for it in games {
                table.add(it.badness < threshold, it.won);
            }
            table.mcc()
        };
        let best = [0.6, 1.1, 1.6, 2.1]
            .map(by_hand)
            .into_iter()
            .fold(-1.0, f64::max);
        let found = best_mcc(&games, &Bootstrap::default());
        assert_eq!(found.mcc.value, best);
        assert_eq!(by_hand(found.threshold), best);
    }

    #[test]
    fn badness_is_the_mean_loss() {
        assert_eq!(badness(&[0.0, 1.5, 3.0]), 1.5);
        assert_eq!(badness(&[]), 0.0);
    }
}
