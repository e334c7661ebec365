//! Plays any legal move that fills no eye of its own, each with equal chance.
//!
//! It passes when no such move is left, so its games end. For trying out
//! everything around a game quickly.

use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::gtp::Reply;
use shido_go::{Move, PointSet, Position};

use super::{Choice, MoveRecord, Player};
use crate::outside::EngineFailure;

/// A uniformly random player.
#[derive(Debug, Clone)]
pub struct RandomPlayer {
    random: Xoshiro256PlusPlus,
}

impl RandomPlayer {
    /// Returns a player whose choices follow from the seed.
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Draws empty points until one will do, so that every such point is equally likely.
    fn draw(&mut self, position: &Position) -> Move {
        let (board, color) = (position.board(), position.to_move());
        let mut left: Vec<_> = board.empty_points().collect();
        while !left.is_empty() {
            let at = self.random.next_u64() % left.len() as u64;
            let point = left.swap_remove(at as usize);
            if !board.is_eye(color, point) && position.is_legal(color, Move::Play(point)) {
                return Move::Play(point);
            }
        }
        Move::Pass
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &'static str {
        "random"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn new_game(&mut self, _: &Position, seed: u64) -> Result<(), EngineFailure> {
        *self = RandomPlayer::new(seed);
        Ok(())
    }

    fn genmove(&mut self, position: &Position) -> Result<Choice, EngineFailure> {
        let begun = Instant::now();
        let reply = Reply::Move(self.draw(position));
        let record = MoveRecord {
            time: begun.elapsed(),
            ..MoveRecord::default()
        };
        Ok(Choice { reply, record })
    }

    fn dead_stones(&mut self, _: &Position) -> Result<Option<PointSet>, EngineFailure> {
        Ok(None)
    }

    fn restart(&mut self) -> Result<(), EngineFailure> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use shido_go::{Rules, Size};

    use super::*;

    fn play_out(seed: u64) -> Vec<Move> {
        let mut player = RandomPlayer::new(0);
        let mut position = Position::new(Size::S9, Rules::CHINESE, 7.5);
        player.new_game(&position, seed).unwrap();
        while !position.is_over() {
            assert!(position.moves().len() < 1000, "a random game must end");
            let Reply::Move(mv) = player.genmove(&position).unwrap().reply else {
                panic!("a random player never resigns");
            };
            position.play(mv).unwrap();
        }
        position.moves().iter().map(|played| played.mv).collect()
    }

    #[test]
    fn games_end_and_follow_from_the_seed() {
        assert_eq!(play_out(7), play_out(7));
        assert_ne!(play_out(7), play_out(8));
    }
}
