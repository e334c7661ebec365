//! Whether one position comes from another of the same game.

use shido_go::{Played, Position};

/// Returns the moves that lead from one position to another of the same game.
pub(crate) fn continuation(from: &Position, to: &Position) -> Option<Vec<Played>> {
    let same_game = from.start() == to.start()
        && from.rules() == to.rules()
        && from.komi() == to.komi()
        && from.handicap() == to.handicap()
        && to.moves().starts_with(from.moves());
    let more = to.moves().get(from.moves().len()..)?;
    let mut color = from.to_move();
    for played in more {
        if played.color != color {
            return None;
        }
        color = !color;
    }
    (same_game && color == to.to_move()).then(|| more.to_vec())
}
