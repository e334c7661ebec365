//! What the search knows beforehand: the playout policy and the tree's priors.

use std::sync::Arc;

use shido_go::{Move, Point, Size};
use shido_patterns::feature_set::Turn;
use shido_patterns::large::{LargeModel, PriorScratch};
use shido_patterns::playout::Playout;
use shido_patterns::policy::Policy;

use super::UctSettings;

/// Prior of a move that the model thinks impossible.
const LEAST: f32 = 1e-9;

/// The move models of a search.
#[derive(Clone)]
pub struct Knowledge {
    /// Samples the playouts' moves; without one the program's own for the board does.
    pub policy: Option<Arc<Policy>>,
    /// Judges moves in the tree; without one the playouts' policy does.
    pub model: Option<Arc<LargeModel>>,
}

/// Buffers a thread reuses.
#[derive(Default)]
pub(super) struct Scratch {
    points: Vec<(Point, f32)>,
    model: PriorScratch,
}

impl Knowledge {
    /// Returns what the program ships: its playout gammas and its large model.
    pub fn shipped() -> Knowledge {
        Knowledge {
            policy: None,
            model: Some(LargeModel::embedded()),
        }
    }

    /// Returns a playout policy alone, which then gives the priors too.
    pub fn of_policy(policy: Policy) -> Knowledge {
        Knowledge {
            policy: Some(Arc::new(policy)),
            model: None,
        }
    }

    /// Returns what samples the moves of playouts on a board.
    pub(super) fn playouts(&self, size: Size) -> Arc<Policy> {
        let own = self.policy.as_ref().map(Arc::clone);
        own.unwrap_or_else(|| Policy::embedded_for(size))
    }

    /// Lists legal moves with their probabilities, by `policy` if there is no model;
    /// passes are the caller's concern.
    ///
    /// `before` is the point of the move before the last one.
    pub(super) fn priors(
        &self,
        playout: &mut Playout,
        policy: &Policy,
        before: Option<Point>,
        scratch: &mut Scratch,
        out: &mut Vec<(Move, f32)>,
    ) {
        out.clear();
        let points = &mut scratch.points;
        if let Some(model) = &self.model {
            let turn = Turn {
                board: playout.board(),
                mover: playout.to_move(),
                last: [playout.last(), before],
            };
            model.priors(&mut scratch.model, &turn, points);
        } else {
            playout.distribution(policy, points);
        }
        out.extend(points.iter().map(|&(point, p)| (Move::Play(point), p)));
    }
}

/// Raises priors to a power: flatter below 1, sharper above.
pub(super) fn raise(moves: &mut [(Move, f32)], power: f32) {
    for (_, p) in moves {
        *p = p.powf(power);
    }
}

/// Sorts, cuts and normalizes a list of moves, and adds the pass.
pub(super) fn shape(moves: &mut Vec<(Move, f32)>, settings: &UctSettings) {
    for (_, p) in moves.iter_mut() {
        *p = p.max(LEAST);
    }
    // Equal priors keep a fixed order, so that a search can be repeated.
    moves.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    moves.truncate(settings.max_children);
    let total: f32 = moves.iter().map(|&(_, p)| p).sum();
    for (_, p) in moves.iter_mut() {
        *p *= (1.0 - settings.pass_prior) / total;
    }
    let pass = if moves.is_empty() {
        1.0
    } else {
        settings.pass_prior
    };
    moves.push((Move::Pass, pass));
}
