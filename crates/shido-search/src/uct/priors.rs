//! What the search knows beforehand: the playout policy and the tree's priors.

use std::sync::Arc;

use shido_go::{Move, Point};
use shido_patterns::playout::Playout;
use shido_patterns::policy::Policy;

use super::UctSettings;

/// The move models of a search.
#[derive(Clone)]
pub struct Knowledge {
    /// Samples the playouts' moves.
    pub policy: Arc<Policy>,
    /// Judges moves in the tree; without one the playouts' policy does.
    pub model: Option<Arc<dyn MoveModel>>,
}

/// A model of which moves are likely, for the priors of the tree.
pub trait MoveModel: Send + Sync {
    /// Fills `out` with the legal moves that fill no eye and their probabilities.
    ///
    /// `last` and `before` are the points of the last two moves, `None` for a pass.
    fn priors(
        &self,
        playout: &Playout,
        last: [Option<Point>; 2],
        scratch: &mut Scratch,
        out: &mut Vec<(Point, f32)>,
    );
}

/// Buffers a thread reuses.
#[derive(Default)]
pub struct Scratch {
    points: Vec<(Point, f32)>,
    /// Owned by the model: whatever it wants to reuse between calls.
    pub model: Option<Box<dyn std::any::Any + Send>>,
}

impl Knowledge {
    /// Lists legal moves with their probabilities; passes are the caller's concern.
    pub(super) fn priors(
        &self,
        playout: &mut Playout,
        before: Option<Point>,
        scratch: &mut Scratch,
        out: &mut Vec<(Move, f32)>,
    ) {
        out.clear();
        if let Some(model) = &self.model {
            let mut points = std::mem::take(&mut scratch.points);
            points.clear();
            model.priors(playout, [playout.last(), before], scratch, &mut points);
            out.extend(points.iter().map(|&(point, p)| (Move::Play(point), p)));
            scratch.points = points;
        } else {
            let moves = playout.distribution(&self.policy);
            out.extend(
                moves
                    .into_iter()
                    .map(|(point, p)| (Move::Play(point), p as f32)),
            );
        }
    }
}

/// Sorts, cuts, flattens and normalizes a list of moves, and adds the pass.
pub(super) fn shape(moves: &mut Vec<(Move, f32)>, settings: &UctSettings) {
    for (_, p) in moves.iter_mut() {
        *p = p.max(1e-9).powf(settings.prior_power);
    }
    // Equal priors keep a fixed order, so that a search can be repeated.
    moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
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
