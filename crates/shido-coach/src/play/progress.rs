//! How far a game has come.
//!
//! Rules that hold early or late in a game count its moves. A board that was set up has
//! none yet, and the stones on it stand for them; those of a handicap do not.

use shido_go::{Position, handicap};

/// Returns the moves of a game, or of one that would have led to its board.
pub(super) fn moves_made(position: &Position) -> f32 {
    let board = position.board();
    let stones = board.size().area() - board.empty_count();
    let given = position
        .handicap()
        .max(handicap::given(position.start(), &[]));
    position.moves().len().max(stones.saturating_sub(given)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Board, Color, Move, Rules, Size};

    #[test]
    fn stones_that_were_set_up_count_as_moves() {
        let mut board = Board::new(Size::S9);
        let point = |x, y| Size::S9.point(x, y).unwrap();
        board.place(Color::Black, point(2, 2));
        board.place(Color::Black, point(6, 6));
        let start =
            |board: &Board| Position::from_board(board.clone(), Color::White, Rules::JAPANESE, 0.5);
        let mut handicap = start(&board);
        assert_eq!(moves_made(&handicap), 0.0);
        handicap.play(Move::Play(point(2, 6))).unwrap();
        assert_eq!(moves_made(&handicap), 1.0);
        handicap.play(Move::Pass).unwrap();
        assert_eq!(moves_made(&handicap), 2.0);
        board.place(Color::White, point(4, 4));
        assert_eq!(moves_made(&start(&board)), 3.0);
    }
}
