//! Speed of SGF: bytes read into trees, and main lines replayed by the rules.
//!
//! The games are made here from a seed, so that no file is needed: random legal
//! moves that fill no eye, a clock reading after each move and a comment after
//! every eighth, which is about as much text as a server writes.

use std::hint::black_box;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::sgf::{self, Reading};
use shido_go::{Game, GameInfo, Move, Played, Position, Recorder, Rules, Size};

use super::{Figure, Settings, Speed};

/// Games in the measured collection.
const GAMES: usize = 50;
const SEED: u64 = 0x5348_4944_4f53_4746;

/// Measures megabytes read and moves replayed per second, on one thread.
pub(super) fn run(settings: &Settings) -> Vec<Figure> {
    vec![
        Figure::by_board("SGF read", "MB/s", |side| {
            let files = files(Size::square(side).ok()?);
            let bytes: usize = files.iter().map(Vec::len).sum();
            Some(Speed::measure(settings, || {
                for file in &files {
                    black_box(sgf::read(file.as_slice()));
                }
                bytes as f64 / 1e6
            }))
        }),
        Figure::by_board("SGF replayed", "moves/s", |side| {
            let files = files(Size::square(side).ok()?);
            let readings: Vec<Reading> = files.into_iter().map(sgf::read).collect();
            Some(Speed::measure(settings, || {
                readings.iter().map(replay).sum::<usize>() as f64
            }))
        }),
    ]
}

/// Takes the games from their trees and plays them through; returns the moves.
fn replay(reading: &Reading) -> usize {
    let mut moves = 0;
    for tree in reading.collection.games() {
        let game = Game::from_tree(tree).expect("the games were written for a board of ours");
        let (position, _) = game.replay().finish();
        moves += position.moves().len();
    }
    moves
}

fn files(size: Size) -> Vec<Vec<u8>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    (0..GAMES).map(|_| file(size, &mut rng)).collect()
}

/// Writes one game of two moves for every three points of the board.
fn file(size: Size, rng: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut position = Position::new(size, Rules::JAPANESE, 6.5);
    let mut recorder = Recorder::of_start(&position, &GameInfo::default());
    for turn in 0..size.area() * 2 / 3 {
        let color = position.to_move();
        let board = position.board();
        let open: Vec<Move> = board
            .empty_points()
            .filter(|&point| board.is_legal(color, point) && !board.is_eye(color, point))
            .map(Move::Play)
            .collect();
        let mv = match open.len() {
            0 => Move::Pass,
            count => open[rng.next_u32() as usize % count],
        };
        position.play(mv).expect("chosen among the legal moves");
        let node = recorder.play(Played { color, mv });
        let clock = (rng.next_u32() % 6_000_000) as f64 / 1e3;
        let name = format!("{}L", color.letter());
        recorder
            .collection_mut()
            .add(node, &name, &[&clock.to_string()]);
        if turn % 8 == 7 {
            recorder.comment("somebody [5k]: a remark of ordinary length");
        }
    }
    recorder.finish().write()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_games_are_sound_and_always_the_same() {
        let size = Size::S9;
        assert_eq!(files(size), files(size));
        for file in files(size) {
            let reading = sgf::read(file);
            assert!(reading.warnings.is_empty());
            assert_eq!(replay(&reading), 54);
        }
    }
}
