//! How well a network, or the move model, predicts and judges recorded games.
//!
//! Only positions in which a stone was played count, and only among the legal points,
//! so that a model that does not know the pass can stand beside one that does
//! (PD10, §2.3). A network is asked without optimism and without turning the board;
//! one that imitates people is told the ranks that [`Asked`] says. Start at
//! [`evaluate`]; [`ranks`] guesses ranks from moves, [`games`] reads records.

pub mod games;
mod predict;
pub mod ranks;
mod report;
#[cfg(test)]
mod tests;

use shido_go::{Color, Move, Position, Rank};

use crate::dataset::PackedGame;
use crate::dataset::source::rank_of_code;
use crate::in_parallel::in_parallel;
pub use predict::{NetPredictor, Predictor};
pub use report::{BANDS, Bin, Report, Row, Value};
use report::{Tally, band};

/// Whose moves a human-imitation net is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Those of the two players as they are.
    Own,
    /// Those of two players of this rank.
    As(Rank),
}

impl Asked {
    fn ranks(self, game: &PackedGame) -> [Option<Rank>; 2] {
        match self {
            Asked::Own => game.ranks.map(|it| it.map(rank_of_code)),
            Asked::As(rank) => [Some(rank); 2],
        }
    }
}

/// What to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Whose moves are asked for.
    pub asked: Asked,
    /// At most so many positions of each rank band, spread over the games.
    pub positions: Option<usize>,
    /// Threads.
    pub threads: usize,
}

/// Positions that are evaluated together.
const BATCH: usize = 8;

/// Measures a predictor on games.
///
/// `on_game` hears of each game that is done, from any thread. What is found does not
/// depend on the number of threads but for rounding in the last digits.
pub fn evaluate(
    predictor: &Predictor,
    games: &[PackedGame],
    settings: &Settings,
    on_game: &(dyn Fn() + Sync),
) -> Report {
    let strides = strides(games, settings.positions);
    let tallies = in_parallel(
        games,
        settings.threads,
        || predictor.worker(),
        |worker, i, game| {
            let chosen = |ply: usize, mover: Color| {
                let stride = strides[band(game.ranks[mover.index()])];
                (ply + i).is_multiple_of(stride)
            };
            let ranks = settings.asked.ranks(game);
            let mut tally = Tally::default();
            for batch in steps(game, chosen).chunks(BATCH) {
                let answers = worker.ask(batch, |_| ranks);
                for (step, answer) in batch.iter().zip(&answers) {
                    tally.add(game, step, answer);
                }
            }
            on_game();
            tally
        },
    );
    let mut sum = Tally::default();
    for tally in &tallies {
        sum.merge(tally);
    }
    sum.report(games.len())
}

/// Returns for each band which positions to take: one in so many, an odd number so
/// that both players are seen.
fn strides(games: &[PackedGame], positions: Option<usize>) -> [usize; BANDS.len()] {
    let Some(most) = positions else {
        return [1; BANDS.len()];
    };
    let mut moves = [0; BANDS.len()];
    for game in games {
        for rank in game.ranks {
            moves[band(rank)] += game.len().div_ceil(2);
        }
    }
    moves.map(|it: usize| it.div_ceil(most.max(1)).max(1) | 1)
}

/// A position and the stone that was played there.
pub(crate) struct Step {
    pub(crate) position: Position,
    ply: usize,
    pub(crate) played: shido_go::Point,
}

/// Returns the chosen positions of a game in which a stone was played.
pub(crate) fn steps(game: &PackedGame, chosen: impl Fn(usize, Color) -> bool) -> Vec<Step> {
    let (Ok(mut position), Ok(moves)) = (game.start(), game.moves()) else {
        return Vec::new();
    };
    let mut steps = Vec::new();
    for (ply, mv) in moves.into_iter().enumerate() {
        let mover = position.to_move();
        if !position.is_legal(mover, mv) {
            break;
        }
        if let Move::Play(played) = mv
            && chosen(ply, mover)
        {
            steps.push(Step {
                position: position.clone(),
                ply,
                played,
            });
        }
        if position.play(mv).is_err() {
            break;
        }
    }
    steps
}
