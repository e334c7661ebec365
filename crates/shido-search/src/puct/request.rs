//! What the search asks an evaluator for.

use shido_go::{Position, Symmetry};

use super::tree::NodeId;

/// A position to evaluate. It goes back with [`super::Puct::apply`] or
/// [`super::Puct::cancel`], in any order.
pub struct EvalRequest {
    pub(super) position: Box<Position>,
    pub(super) node: NodeId,
    pub(super) depth: u32,
    /// Tells requests of a tree that is gone from those of this one.
    pub(super) generation: u64,
    pub(super) terms: Terms,
}

/// How the evaluator should look at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) symmetries: u8,
    pub(super) history: Option<usize>,
    pub(super) conservative_pass: bool,
    pub(super) ownership: bool,
}

impl std::fmt::Debug for EvalRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvalRequest")
            .field("moves", &self.position.moves().len())
            .field("depth", &self.depth)
            .field("terms", &self.terms)
            .finish_non_exhaustive()
    }
}

impl EvalRequest {
    /// Returns the position, with the komi the search wants it judged by.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the number of moves between the root and the position.
    pub fn depth(&self) -> usize {
        self.depth as usize
    }

    /// Returns the symmetries whose evaluations should be averaged; usually one.
    pub fn symmetries(&self) -> impl Iterator<Item = Symmetry> + use<> {
        let bits = self.terms.symmetries;
        Symmetry::all().filter(move |it| bits >> it.bits() & 1 != 0)
    }

    /// Returns how many of the latest moves the evaluator may know of; `None` for all.
    pub fn history(&self) -> Option<usize> {
        self.terms.history
    }

    /// Returns whether a pass should not be taken to end the game.
    pub fn conservative_pass(&self) -> bool {
        self.terms.conservative_pass
    }

    /// Returns whether the ownership is wanted.
    pub fn wants_ownership(&self) -> bool {
        self.terms.ownership
    }
}
