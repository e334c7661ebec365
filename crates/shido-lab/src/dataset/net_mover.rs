//! A network as a maker of positions: by its policy alone, or by a short search.
//!
//! A network is judged by the games it plays, and those lead to positions that games of
//! people do not. Training on them, labeled by a teacher, mends what it believes there.

use shido_engine::native::Native;
use shido_engine::{Analyst, Limits};
use shido_go::{Move, Position};

use super::play::Mover;

/// The chance of each legal move to be considered beside the network's own, so that
/// blunders and their punishment occur.
const STRAY: f64 = 0.03;

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

    fn searched(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) {
        let found = self.analyst.analyze(position, &Limits::visits(self.visits));
        let candidates = found.candidates.iter();
        moves.extend(candidates.map(|it| (it.mv, it.visits as f64)));
    }
}

impl Mover for NetMover {
    fn weigh(&mut self, position: &Position, moves: &mut Vec<(Move, f64)>) {
        moves.clear();
        if self.visits > 1 {
            self.searched(position, moves);
        } else {
            self.policy(position, moves);
        }
        let color = position.to_move();
        moves.retain(|&(mv, weight)| weight > 0.0 && position.is_legal(color, mv));
        let total: f64 = moves.iter().map(|it| it.1).sum();
        let stray = STRAY * total / moves.len().max(1) as f64;
        for (mv, weight) in moves.iter_mut() {
            if mv.point().is_some() {
                *weight += stray;
            }
        }
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
        for line in first.lines() {
            let game: PackedGame = serde_json::from_str(line).unwrap();
            let mut position = game.start().unwrap();
            for mv in game.moves().unwrap() {
                position.play(mv).unwrap();
            }
        }
    }

    #[test]
    fn every_legal_point_may_be_strayed_to() {
        let position = Position::new(shido_go::Size::S9, shido_go::Rules::NAMED[0].1, 7.0);
        let mut moves = Vec::new();
        mover(1).weigh(&position, &mut moves);
        assert_eq!(moves.len(), 82);
        let total: f64 = moves.iter().map(|it| it.1).sum();
        let least = STRAY / 82.0 / (1.0 + STRAY);
        let points = moves.iter().filter(|it| it.0 != Move::Pass);
        for (mv, weight) in points {
            assert!(weight / total >= least * 0.999, "{mv:?}");
        }
    }
}
