//! What a style or a partner changes of the search, as code instead of numbers.
//!
//! A hook must be a pure function of what it is given, or a search cannot be
//! repeated.

use std::sync::Arc;

use shido_go::{Color, Move, Position};

use crate::{ForBlack, Points, Utility};

/// Weighs the moves of every position that the search comes to (SF21, §4.2 and §4.4.1).
pub trait PriorWeights: Send + Sync {
    /// Returns the factor on the probability of a move of the player to move.
    fn weight(&self, position: &Position, mv: Move) -> f32;
}

/// Says what an evaluation is worth instead of the result and the score.
pub trait Objective: Send + Sync {
    /// Returns what the search should maximize for Black and minimize for White.
    fn utility(&self, leaf: &Leaf<'_>) -> ForBlack<Utility>;

    /// Returns the largest utility that can come about.
    fn radius(&self) -> f32 {
        1.4
    }
}

/// One evaluated position, from Black's side.
#[derive(Debug, Clone, Copy)]
pub struct Leaf<'a> {
    /// The player to move.
    pub to_move: Color,
    /// The chance to win less the chance to lose, for Black.
    pub win_loss: f32,
    /// The chance of a game without result.
    pub no_result: f32,
    /// The mean final score.
    pub score_mean: ForBlack<Points>,
    /// The standard deviation of that score.
    pub score_deviation: Points,
    /// The points Black is ahead by.
    pub lead: ForBlack<Points>,
    /// For each point, row by row: 1 Black's, −1 White's; missing where the evaluator
    /// gave none.
    pub ownership: Option<&'a [f32]>,
    /// What the settings alone would make of it.
    pub standard: ForBlack<Utility>,
}

/// The hooks of a search; none by default.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Factors on the policy at every position.
    pub prior: Option<Arc<dyn PriorWeights>>,
    /// What the search maximizes.
    pub objective: Option<Arc<dyn Objective>>,
}

impl std::fmt::Debug for Hooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hooks")
            .field("prior", &self.prior.is_some())
            .field("objective", &self.objective.is_some())
            .finish()
    }
}

impl<F: Fn(&Position, Move) -> f32 + Send + Sync> PriorWeights for F {
    fn weight(&self, position: &Position, mv: Move) -> f32 {
        self(position, mv)
    }
}
