//! One answer about a position without search: of a network, of playouts, of a table.
//!
//! Search asks for evaluations and never makes them; `engine` does.

use crate::{ForMover, Points, WinRate};

/// What an evaluator says of one position, from the side of the player to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The probability of each move, row by row from the top left, then the pass.
    /// Sums to 1 over the legal moves; an illegal move has 0.
    pub policy: Box<[f32]>,
    /// The chance to win, a game without result counted as half.
    pub win_rate: ForMover<WinRate>,
    /// The chance of a game without result (an endless cycle).
    pub no_result: f32,
    /// The mean final score that self-play would have, komi included.
    pub score_mean: ForMover<Points>,
    /// The standard deviation of that score.
    pub score_deviation: Points,
    /// The komi change that would make the game even, as a score.
    pub lead: ForMover<Points>,
    /// How long the outcome stays open, in the evaluator's own unit, if it knows.
    pub variance_time: Option<f32>,
    /// How far the win/loss value may move in the short term, if it knows.
    pub short_term_win_loss_error: Option<f32>,
    /// How far the score may move in the short term, if it knows.
    pub short_term_score_error: Option<Points>,
    /// For each point, row by row: 1 the mover's, −1 the opponent's; if asked for.
    pub ownership: Option<Box<[f32]>>,
}
