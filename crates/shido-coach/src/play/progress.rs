//! How far a game has come.
//!
//! Rules that hold early or late in a game count its moves, not its stones: those of a
//! side that lost everything are gone. A board that was set up has no moves yet, and the
//! stones on it stand for them; those of a handicap do not.

use shido_go::{Color, Position, handicap};

/// Returns the moves of a game, or of one that would have led to its board.
///
/// ```
/// use shido_coach::play::moves_made;
/// use shido_go::{Move, Position, Rules, Size};
///
/// let mut position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
/// position.play(Move::Pass)?;
/// assert_eq!(moves_made(&position), 1.0);
/// # Ok::<(), shido_go::IllegalMove>(())
/// ```
pub fn moves_made(position: &Position) -> f32 {
    let board = position.board();
    let stones = board.size().area() - board.empty_count();
    // Where Black begins, its stones alone are no handicap: White has lost all of its own.
    let set_up = match position.first_to_move() {
        Color::White => handicap::given(position.start(), &[]),
        Color::Black => 0,
    };
    let given = position.handicap().max(set_up);
    position.moves().len().max(stones.saturating_sub(given)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Board, Move, Rules, Size};

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
        // The same stones with Black to move are what is left of a game.
        let alone = Position::from_board(board.clone(), Color::Black, Rules::JAPANESE, 0.5);
        assert_eq!(moves_made(&alone), 2.0);
        board.place(Color::White, point(4, 4));
        assert_eq!(moves_made(&start(&board)), 3.0);
    }
}
