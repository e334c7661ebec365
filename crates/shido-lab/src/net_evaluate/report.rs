//! What was measured: prediction by rank band and phase, and how true the values are.

use serde::Serialize;
use shido_go::Color;

use super::Step;
use super::predict::Answer;
use crate::dataset::PackedGame;
use crate::dataset::source::TOP;
use crate::patterns::evaluate::{Measure, PHASES, phase};
use crate::stats::wilson::wilson;

/// Bands of ranks on the one scale (see [`crate::dataset::source`]).
pub const BANDS: [&str; 8] = [
    "30k–21k",
    "20k–16k",
    "15k–11k",
    "10k–6k",
    "5k–1k",
    "1d–8d",
    "9d",
    "no rank",
];

/// Returns the band of a place on the scale.
pub(super) fn band(code: Option<u8>) -> usize {
    match code {
        Some(0..=9) => 0,
        Some(10..=14) => 1,
        Some(15..=19) => 2,
        Some(20..=24) => 3,
        Some(25..=29) => 4,
        Some(30..TOP) => 5,
        Some(_) => 6,
        None => 7,
    }
}

/// Bins of predicted win rates.
const BINS: usize = 10;

/// Prediction over some moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which moves.
    pub name: &'static str,
    /// How many.
    pub moves: u64,
    /// The mean logarithm of the chance of the move played (PD10, §2.3).
    pub log_evidence: f64,
    /// The variance of that logarithm.
    pub variance: f64,
    /// The share of moves that were thought likeliest.
    pub top_1: f64,
    /// The 95 % interval of that share, as if moves were independent.
    pub top_1_interval: [f64; 2],
    /// The share of moves among the five likeliest.
    pub top_5: f64,
}

/// Positions whose predicted win rate is in a tenth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Bin {
    /// How many.
    pub positions: u64,
    /// The mean of what was predicted.
    pub predicted: f64,
    /// The share that was won, draws counted half.
    pub won: f64,
}

/// How true values and scores are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Value {
    /// Positions of games with a result.
    pub results: u64,
    /// The mean cross-entropy of the predicted win rates, in nats.
    pub cross_entropy: f64,
    /// By predicted win rate.
    pub bins: [Bin; BINS],
    /// Positions of games that were counted.
    pub scores: u64,
    /// The mean distance between predicted and counted score, in points.
    pub score_error: f64,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Games looked at.
    pub games: usize,
    /// All moves.
    pub all: Row,
    /// By [`BANDS`].
    pub by_rank: Vec<Row>,
    /// By part of the game.
    pub by_phase: Vec<Row>,
    /// How true the values are, if there are any.
    pub value: Option<Value>,
}

/// Sums over positions.
#[derive(Default)]
pub(super) struct Tally {
    all: Measure,
    by_rank: [Measure; BANDS.len()],
    by_phase: [Measure; PHASES.len()],
    /// Sums, not yet means.
    bins: [Bin; BINS],
    cross_entropy: f64,
    results: u64,
    scores: u64,
    score_error: f64,
    has_values: bool,
}

impl Tally {
    pub(super) fn add(&mut self, game: &PackedGame, step: &Step, answer: &Answer) {
        let mover = step.position.to_move();
        self.all.add(&answer.guess);
        self.by_rank[band(game.ranks[mover.index()])].add(&answer.guess);
        self.by_phase[phase(step.ply, step.position.size().area())].add(&answer.guess);
        let Some((win, score)) = answer.value else {
            return;
        };
        self.has_values = true;
        let Some(margin) = game.result.map(f64::from) else {
            return;
        };
        let margin = match mover {
            Color::Black => margin,
            Color::White => -margin,
        };
        let won = match margin {
            0.0 => 0.5,
            it => f64::from(u8::from(it > 0.0)),
        };
        let bin = &mut self.bins[((win * BINS as f64) as usize).min(BINS - 1)];
        bin.positions += 1;
        bin.predicted += win;
        bin.won += won;
        self.results += 1;
        // A net that is quite sure and wrong is not infinitely wrong.
        let win = win.clamp(1e-6, 1.0 - 1e-6);
        self.cross_entropy -= won * win.ln() + (1.0 - won) * (1.0 - win).ln();
        if game.counted {
            self.scores += 1;
            self.score_error += (score - margin).abs();
        }
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        self.all.merge(&other.all);
        for (mine, theirs) in self.by_rank.iter_mut().zip(&other.by_rank) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.by_phase.iter_mut().zip(&other.by_phase) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.bins.iter_mut().zip(&other.bins) {
            mine.positions += theirs.positions;
            mine.predicted += theirs.predicted;
            mine.won += theirs.won;
        }
        self.cross_entropy += other.cross_entropy;
        self.results += other.results;
        self.scores += other.scores;
        self.score_error += other.score_error;
        self.has_values |= other.has_values;
    }

    pub(super) fn report(self, games: usize) -> Report {
        let mean = |sum: f64, n: u64| sum / n.max(1) as f64;
        let rows = |names: &[&'static str], measures: &[Measure]| {
            let rows = names.iter().zip(measures);
            rows.map(|(name, it)| row(name, it)).collect()
        };
        Report {
            games,
            all: row("all", &self.all),
            by_rank: rows(&BANDS, &self.by_rank),
            by_phase: rows(&PHASES, &self.by_phase),
            value: self.has_values.then(|| Value {
                results: self.results,
                cross_entropy: mean(self.cross_entropy, self.results),
                bins: self.bins.map(|it| Bin {
                    positions: it.positions,
                    predicted: mean(it.predicted, it.positions),
                    won: mean(it.won, it.positions),
                }),
                scores: self.scores,
                score_error: mean(self.score_error, self.scores),
            }),
        }
    }
}

fn row(name: &'static str, measure: &Measure) -> Row {
    let evidence = &measure.evidence;
    let moves = evidence.n();
    let top_1 = wilson(measure.top_1() * moves as f64, moves);
    Row {
        name,
        moves,
        log_evidence: evidence.mean(),
        variance: evidence.variance(),
        top_1: measure.top_1(),
        // Of no move, any share may be true.
        top_1_interval: if moves == 0 {
            [0.0, 1.0]
        } else {
            [top_1.low, top_1.high]
        },
        top_5: measure.top_5(),
    }
}
