//! Walking through recorded games, position by position.
//!
//! Only simple ko and suicide are checked; a game ends for us at its first move
//! that breaks them.

use shido_go::{Color, Move};
use shido_patterns::feature_set::Turn;

use super::games::PlayedGame;

/// What was played in a position.
pub struct Step<'a> {
    /// The position.
    pub turn: Turn<'a>,
    /// The move.
    pub played: Move,
    /// How many moves came before it.
    pub number: usize,
    /// Whether the move before it was a pass.
    pub after_pass: bool,
}

/// Shows every position of a game with the move played there.
pub fn walk(game: &PlayedGame, mut see: impl FnMut(&Step<'_>)) {
    let mut board = game.start();
    let mut last = [None; 2];
    let mut previous: Option<(Color, Move)> = None;
    for (number, &(color, mv)) in game.moves.iter().enumerate() {
        // Two moves in a row by one side: the other's last stone is none of its business.
        if previous.is_some_and(|(before, _)| before == color) {
            last = [None, last[0]];
            board.clear_ko();
        }
        if mv.point().is_some_and(|it| !board.is_legal(color, it)) {
            return;
        }
        see(&Step {
            turn: Turn {
                board: &board,
                mover: color,
                last,
            },
            played: mv,
            number,
            after_pass: previous.is_some_and(|(_, before)| before.is_pass()),
        });
        match mv {
            Move::Play(point) => board.play(color, point),
            Move::Pass => board.clear_ko(),
        }
        last = [mv.point(), last[0]];
        previous = Some((color, mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    #[test]
    fn a_game_ends_at_its_first_illegal_move() {
        let at = |x, y| Move::Play(Size::S9.point(x, y).unwrap());
        let game = PlayedGame {
            size: Size::S9,
            setup: Vec::new(),
            moves: vec![
                (Color::Black, at(4, 4)),
                (Color::White, Move::Pass),
                (Color::Black, at(2, 2)),
                (Color::White, at(4, 4)),
                (Color::Black, at(5, 5)),
            ],
            ranks: [None; 2],
            held_out: false,
        };
        let mut seen = Vec::new();
        walk(&game, |step| seen.push((step.turn.last, step.after_pass)));
        let first = at(4, 4).point();
        assert_eq!(
            seen,
            [
                ([None; 2], false),
                ([first, None], false),
                ([None, first], true)
            ]
        );
    }
}
