//! The Bradley–Terry move model as a maker of positions: it knows moves, not who is ahead.

use std::sync::Arc;

use shido_go::{Move, Point, Position};
use shido_patterns::feature_set::Turn;
use shido_patterns::large::{LargeModel, PriorScratch};

use super::PackedSearch;
use super::play::Mover;

/// The Bradley–Terry move model of the program.
pub struct ModelMover {
    model: Arc<LargeModel>,
    scratch: PriorScratch,
    priors: Vec<(Point, f32)>,
}

impl ModelMover {
    /// Returns the mover.
    pub fn embedded() -> ModelMover {
        ModelMover {
            model: LargeModel::embedded(),
            scratch: PriorScratch::new(),
            priors: Vec::new(),
        }
    }
}

impl Mover for ModelMover {
    fn weigh(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) -> Option<PackedSearch> {
        let played = position.moves();
        let point = |ago: usize| {
            played
                .get(played.len().wrapping_sub(ago))
                .and_then(|it| it.mv.point())
        };
        let turn = Turn {
            board: position.board(),
            mover: position.to_move(),
            last: [point(1), point(2)],
        };
        self.model
            .priors(&mut self.scratch, &turn, &mut self.priors);
        let pass = f64::from(self.model.pass(&turn, position.passes() > 0));
        let color = position.to_move();
        let legal = |it: &&(Point, f32)| position.is_legal(color, Move::Play(it.0));
        let plays = self.priors.iter().filter(legal);
        moves.clear();
        moves.extend(plays.map(|it| (Move::Play(it.0), f64::from(it.1) * (1.0 - pass))));
        moves.push((Move::Pass, pass));
        None
    }

    fn lead(&mut self, _: &Position) -> Option<f32> {
        None
    }

    fn ownership(&mut self, _: &Position) -> Option<Vec<f32>> {
        None
    }
}
