//! A network as a maker of positions: by its policy alone, or by a short search.
//!
//! A network is judged by the games it plays, and those lead to positions that games of
//! people do not. Training on them, labeled by a teacher, mends what it believes there.

use shido_engine::native::Native;
use shido_engine::{Analyst, Limits};
use shido_go::{Move, Position, Symmetry};
use shido_search::{Analysis, Points};

use super::PackedSearch;
use super::play::Mover;

/// Weighs moves as a network does.
pub struct NetMover {
    analyst: Native,
    visits: u64,
}

impl NetMover {
    /// Returns a mover that searches so many visits a move; 1 asks the policy alone.
    pub fn new(analyst: Native, visits: u64) -> NetMover {
        NetMover { analyst, visits }
    }

    fn policy(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) {
        let policy = self.analyst.policy(position);
        let plays = position.size().points().map(Move::Play);
        let all = plays.chain([Move::Pass]).zip(policy);
        moves.extend(all.map(|(mv, p)| (mv, f64::from(p))));
    }

    fn searched(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) -> Analysis {
        let found = self.analyst.analyze(position, &Limits::visits(self.visits));
        let candidates = found.candidates.iter();
        moves.extend(candidates.map(|it| (it.mv, it.visits as f64)));
        found
    }
}

impl Mover for NetMover {
    fn weigh(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) -> Option<PackedSearch> {
        moves.clear();
        let search = if self.visits > 1 {
            PackedSearch::of(&self.searched(position, moves))
        } else {
            self.policy(position, moves);
            None
        };
        let color = position.to_move();
        moves.retain(|&(mv, weight)| weight > 0.0 && position.is_legal(color, mv));
        search
    }

    fn lead(&mut self, position: &Position) -> Option<f32> {
        let found = self.analyst.raw(position, Symmetry::IDENTITY, 0.0)?;
        let Points(lead) = found.lead.for_black(position.to_move()).0;
        Some(lead)
    }

    fn ownership(&mut self, position: &Position) -> Option<Vec<f32>> {
        let found = self.analyst.analyze(position, &Limits::visits(self.visits));
        Some(found.ownership)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shido_engine::native::{NativeSettings, Network};
    use shido_net::CpuChoice;
    use shido_net::tiny;

    use super::*;
    use crate::dataset::{PackedGame, PlaySettings, play};

    fn mover(visits: u64) -> Box<dyn Mover> {
        let model = tiny::Plan::new(14).build();
        let network = Network::new(model, CpuChoice::Auto).expect("it runs here");
        let analyst = Native::new(Arc::new(network), NativeSettings::default(), 1 << 20);
        Box::new(NetMover::new(analyst.expect("sound settings"), visits))
    }

    #[test]
    fn networks_play_legal_games_that_can_be_repeated() {
        let settings = PlaySettings {
            games: 2,
            sides: (7, 7),
            seed: 5,
        };
        let text = || {
            let mut out = Vec::new();
            let mut movers = [mover(1), mover(4)];
            play(&settings, &mut movers, &mut out, &mut |_| ()).unwrap();
            String::from_utf8(out).unwrap()
        };
        let first = text();
        assert_eq!(first, text());
        assert!(first.contains("searches"));
        for line in first.lines() {
            let game: PackedGame = serde_json::from_str(line).unwrap();
            let mut position = game.start().unwrap();
            for mv in game.moves().unwrap() {
                position.play(mv).unwrap();
            }
        }
    }

    #[test]
    fn the_lead_follows_the_komi() {
        let mut position = Position::new(shido_go::Size::S9, shido_go::Rules::NAMED[0].1, 7.0);
        let mut mover = mover(1);
        let at_seven = mover.lead(&position);
        position.set_komi(-60.0);
        assert_ne!(mover.lead(&position), at_seven);
    }
}
