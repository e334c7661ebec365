//! Guesses players' ranks from their moves.
//!
//! Two guesses: the rank that makes the moves likeliest, and what is to be expected of the
//! rank when it is also known which ranks people have. One game tells too little to do
//! without the second. The opponent's rank is kept from the network, since people mostly
//! play their equals. The moves of a player are taken as independent.

use serde::Serialize;
use shido_go::{Color, Rank};

use super::predict::{Worker, against_unknown};
use super::{Predictor, steps};
use crate::dataset::PackedGame;
use crate::dataset::source::{TOP, rank_of_code};
use crate::in_parallel::in_parallel;
use crate::stats::Estimate;
use crate::stats::bootstrap::Bootstrap;

/// The mean of the ranks of people whose games are reviewed, 30k = 0: the 16,145 players of
/// the Teaching Ladder, held-out games included.
const USUAL_RANK: f64 = 19.2;
/// The standard deviation of those.
const RANK_DEVIATION: f64 = 7.6;

/// How to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankSettings {
    /// At most so many moves of each player, spread over the game.
    pub moves: Option<usize>,
    /// Try every so many-th rank; between them the likelihood is taken as a parabola.
    pub step: u8,
    /// Threads.
    pub threads: usize,
}

/// A player whose rank was guessed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GuessedRank {
    /// The true rank on the one scale, 30k = 0 to 9d = 38.
    pub rank: u8,
    /// What is to be expected after the game, on the same scale.
    pub guess: f64,
    /// The rank that makes the moves likeliest.
    pub likeliest: f64,
    /// From how many moves.
    pub moves: usize,
}

/// Guesses the ranks of all players who have one.
///
/// `on_game` hears of each game that is done. A predictor that cannot be told a rank
/// guesses nothing.
pub fn guess_ranks(
    predictor: &Predictor,
    games: &[PackedGame],
    settings: &RankSettings,
    on_game: &(dyn Fn() + Sync),
) -> Vec<GuessedRank> {
    if !matches!(predictor, Predictor::Net(net) if net.imitates_people()) {
        return Vec::new();
    }
    let found = in_parallel(
        games,
        settings.threads,
        || predictor.worker(),
        |worker, _, game| {
            let guessed = Color::BOTH.map(|player| guess_rank(worker, game, player, settings));
            on_game();
            guessed
        },
    );
    found.into_iter().flatten().flatten().collect()
}

fn guess_rank(
    worker: &mut Worker<'_>,
    game: &PackedGame,
    player: Color,
    settings: &RankSettings,
) -> Option<GuessedRank> {
    let rank = game.ranks[player.index()]?;
    let moves = game.len().div_ceil(2);
    let stride = settings.moves.map_or(1, |it| moves.div_ceil(it.max(1)));
    let steps = steps(game, |ply, mover| {
        mover == player && (ply / 2).is_multiple_of(stride.max(1))
    });
    if steps.is_empty() {
        return None;
    }
    let codes: Vec<u8> = (0..=TOP)
        .step_by(usize::from(settings.step.max(1)))
        .collect();
    let players: Vec<[Option<Rank>; 2]> = codes
        .iter()
        .map(|&code| against_unknown(player, rank_of_code(code)))
        .collect();
    let mut sums = vec![0.0; codes.len()];
    let mut chances = Vec::new();
    for step in &steps {
        worker.log_chances(step, &players, &mut chances);
        for (sum, chance) in sums.iter_mut().zip(&chances) {
            *sum += chance;
        }
    }
    Some(GuessedRank {
        rank,
        guess: expected(&codes, &sums),
        likeliest: f64::from(settings.step.max(1)) * peak(&sums),
        moves: steps.len(),
    })
}

/// Returns the mean rank by Bayes' rule from log likelihoods and what is usual.
fn expected(codes: &[u8], likelihoods: &[f64]) -> f64 {
    let log_chance = |(&code, &likelihood): (&u8, &f64)| {
        let off = (f64::from(code) - USUAL_RANK) / RANK_DEVIATION;
        likelihood - off * off / 2.0
    };
    let logs: Vec<f64> = codes.iter().zip(likelihoods).map(log_chance).collect();
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut total, mut sum) = (0.0, 0.0);
    for (&code, log) in codes.iter().zip(&logs) {
        let chance = (log - highest).exp();
        total += chance;
        sum += chance * f64::from(code);
    }
    sum / total
}

/// Returns where the highest of evenly spaced values is, by a parabola through its neighbors.
fn peak(values: &[f64]) -> f64 {
    let best = (0..values.len())
        .max_by(|&a, &b| values[a].total_cmp(&values[b]))
        .unwrap_or(0);
    let inner = best > 0 && best + 1 < values.len();
    if !inner {
        return best as f64;
    }
    let (left, top, right) = (values[best - 1], values[best], values[best + 1]);
    let bend = left - 2.0 * top + right;
    if bend < 0.0 {
        best as f64 + 0.5 * (left - right) / bend
    } else {
        best as f64
    }
}

/// How good guesses are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankReport {
    /// Pearson's correlation of guesses and ranks.
    pub correlation: Estimate,
    /// The mean distance in ranks.
    pub error: Estimate,
    /// The mean distance of the likeliest ranks.
    pub likeliest_error: f64,
    /// The mean of guess less rank.
    pub bias: f64,
    /// The mean distance if everybody were guessed to have the median rank.
    pub median_error: f64,
}

/// Says how good guesses are, with intervals by drawing players anew.
pub fn report(players: &[GuessedRank]) -> RankReport {
    let n = players.len().max(1) as f64;
    let distance = |it: &GuessedRank| (it.guess - f64::from(it.rank)).abs();
    let bootstrap = Bootstrap::default();
    let mut ranks: Vec<u8> = players.iter().map(|it| it.rank).collect();
    ranks.sort_unstable();
    let median = ranks.get(ranks.len() / 2).copied().unwrap_or(0);
    let distances = ranks.iter().map(|it| f64::from(it.abs_diff(median)));
    RankReport {
        correlation: bootstrap.estimate(players, correlation),
        error: bootstrap.estimate(players, |drawn| {
            drawn.iter().map(|it| distance(it)).sum::<f64>() / drawn.len().max(1) as f64
        }),
        likeliest_error: players
            .iter()
            .map(|it| (it.likeliest - f64::from(it.rank)).abs())
            .sum::<f64>()
            / n,
        bias: players
            .iter()
            .map(|it| it.guess - f64::from(it.rank))
            .sum::<f64>()
            / n,
        median_error: distances.sum::<f64>() / n,
    }
}

fn correlation(players: &[&GuessedRank]) -> f64 {
    let n = players.len() as f64;
    let mean = |of: &dyn Fn(&GuessedRank) -> f64| players.iter().map(|it| of(it)).sum::<f64>() / n;
    let (rank, guess) = (mean(&|it| f64::from(it.rank)), mean(&|it| it.guess));
    let product = mean(&|it| (f64::from(it.rank) - rank) * (it.guess - guess));
    let ranks = mean(&|it| (f64::from(it.rank) - rank).powi(2));
    let guesses = mean(&|it| (it.guess - guess).powi(2));
    product / (ranks * guesses).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_lies_between_the_values() {
        let values: Vec<f64> = (0..6).map(|x| -(f64::from(x) - 2.3).powi(2)).collect();
        assert!((peak(&values) - 2.3).abs() < 1e-9);
        assert_eq!(peak(&[3.0, 2.0, 1.0]), 0.0);
        assert_eq!(peak(&[1.0, 2.0, 3.0]), 2.0);
    }

    #[test]
    fn little_is_guessed_from_little() {
        let codes: Vec<u8> = (0..=TOP).collect();
        let told = |by: f64| -> Vec<f64> {
            let log = |&code: &u8| -by * (f64::from(code) - 30.0).powi(2);
            codes.iter().map(log).collect()
        };
        assert!((expected(&codes, &told(0.0)) - USUAL_RANK).abs() < 0.2);
        let between = expected(&codes, &told(0.01));
        assert!(between > 23.0 && between < 28.0, "{between}");
        assert!((expected(&codes, &told(10.0)) - 30.0).abs() < 0.1);
    }

    #[test]
    fn guesses_are_compared_with_ranks() {
        let player = |rank: u8, guess: f64| GuessedRank {
            rank,
            guess,
            likeliest: guess + 1.0,
            moves: 10,
        };
        let players = [player(10, 12.0), player(20, 22.0), player(30, 32.0)];
        let found = report(&players);
        assert!((found.correlation.value - 1.0).abs() < 1e-12);
        assert!((found.error.value - 2.0).abs() < 1e-12);
        assert!((found.likeliest_error - 3.0).abs() < 1e-12);
        assert!((found.bias - 2.0).abs() < 1e-12);
        assert!((found.median_error - 20.0 / 3.0).abs() < 1e-12);
    }
}
