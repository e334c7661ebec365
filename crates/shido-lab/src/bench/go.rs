//! Speed of the game itself: uniformly random playouts to the end.
//!
//! A playout draws among the empty points until one is legal and does not fill
//! the player's own eye; it ends when neither side has such a point, and is
//! counted by area. Nothing is allocated, so memory is constant.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Board, Color, Point, Size};

use super::{Figure, Settings, Speed};

/// Playouts between two looks at the clock.
const BATCH: usize = 64;
const SEED: u64 = 0x5348_4944_4f47_4f31;

/// Measures playouts and their moves per second, on one thread.
pub(super) fn run(settings: &Settings) -> Vec<Figure> {
    vec![
        Figure::by_board("random playouts", "games/s", |side| {
            measure(settings, side, |_| 1.0)
        }),
        Figure::by_board("random playouts", "moves/s", |side| {
            measure(settings, side, |moves| moves as f64)
        }),
    ]
}

fn measure(settings: &Settings, side: usize, unit: fn(usize) -> f64) -> Option<Speed> {
    let start = Board::new(Size::square(side).ok()?);
    let mut board = start.clone();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut black_wins = 0u64;
    let speed = Speed::measure(settings, || {
        let mut units = 0.0;
        for _ in 0..BATCH {
            board.copy_from(&start);
            units += unit(play_out(&mut board, Color::Black, &mut rng));
            black_wins += u64::from(board.played_out_lead() > 0);
        }
        units
    });
    // The count must not be optimized away.
    std::hint::black_box(black_wins);
    Some(speed)
}

/// Plays random moves until both sides have none left; returns how many.
///
/// Three times the board's area is the limit, against endless cycles.
pub fn play_out(board: &mut Board, to_move: Color, rng: &mut Xoshiro256PlusPlus) -> usize {
    let limit = 3 * board.size().area();
    let mut color = to_move;
    let mut passes = 0;
    for moves in 0..limit {
        if let Some(point) = random_move(board, color, rng) {
            board.play(color, point);
            passes = 0;
        } else {
            board.clear_ko();
            passes += 1;
            if passes == 2 {
                return moves + 1;
            }
        }
        color = !color;
    }
    limit
}

/// Draws a legal point that is not an own eye, each with equal chance.
#[inline]
fn random_move(board: &Board, color: Color, rng: &mut Xoshiro256PlusPlus) -> Option<Point> {
    let fits = |point| board.is_legal(color, point) && !board.is_eye(color, point);
    let count = board.empty_count();
    // A few free draws are exactly uniform; they nearly always find a move.
    for _ in 0..count {
        let draw = (u64::from(rng.next_u32()) * count as u64) >> 32;
        let point = board.nth_empty(draw as usize);
        if fits(point) {
            return Some(point);
        }
    }
    // Else choose among what there is.
    let fitting = board.empty_points().filter(|&point| fits(point)).count();
    if fitting == 0 {
        return None;
    }
    let draw = (u64::from(rng.next_u32()) * fitting as u64) >> 32;
    board
        .empty_points()
        .filter(|&point| fits(point))
        .nth(draw as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playout_leaves_only_eyes_and_forbidden_points() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for side in [5, 9, 13] {
            let mut board = Board::new(Size::square(side).unwrap());
            let moves = play_out(&mut board, Color::Black, &mut rng);
            assert!(moves > board.size().area() / 2);
            for color in Color::BOTH {
                for point in board.empty_points() {
                    assert!(board.is_eye(color, point) || board.is_suicide(color, point));
                }
            }
            assert_eq!(board.played_out_lead(), board.area().black_lead());
        }
    }
}
