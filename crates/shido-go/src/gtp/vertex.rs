//! Vertices: a column letter without I and a row number from the bottom, or `pass`.

use std::fmt;

use crate::{Move, Size};

/// The columns from the left; there is no I.
pub(crate) const COLUMNS: &[u8; Size::MAX] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The text is not a vertex of the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VertexError {
    /// Not a letter and a number, nor a pass.
    #[error("`{0}` is not a vertex: write a letter and a number such as D4, or pass")]
    Unreadable(String),
    /// A vertex, but outside this board.
    #[error("`{0}` is not on the {1} board")]
    OffBoard(String, Size),
}

/// Reads a vertex such as `Q16` or `q16`, or `pass`.
///
/// ```
/// use shido_go::{Move, Size, gtp};
///
/// let corner = Size::S19.point(0, 0).map(Move::Play).unwrap();
/// assert_eq!(gtp::parse_vertex("a19", Size::S19), Ok(corner));
/// assert_eq!(gtp::format_vertex(corner, Size::S19), "A19");
/// assert_eq!(gtp::parse_vertex("pass", Size::S19), Ok(Move::Pass));
/// ```
pub fn parse_vertex(text: &str, size: Size) -> Result<Move, VertexError> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    let unreadable = || VertexError::Unreadable(text.to_owned());
    let off_board = || VertexError::OffBoard(text.to_owned(), size);
    let letter = text.bytes().next().ok_or_else(unreadable)?;
    let digits = text.get(1..).ok_or_else(unreadable)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !letter.is_ascii_alphabetic() || !is_number {
        return Err(unreadable());
    }
    let letter = letter.to_ascii_uppercase();
    let x = COLUMNS
        .iter()
        .position(|&column| column == letter)
        .ok_or_else(unreadable)?;
    // A number too long for the machine is certainly too long for the board.
    let row: usize = digits.parse().map_err(|_| off_board())?;
    let y = size.height().checked_sub(row).ok_or_else(off_board)?;
    size.point(x, y).map(Move::Play).ok_or_else(off_board)
}

/// Writes a move as a vertex: `Q16` or `pass`.
pub fn format_vertex(mv: Move, size: Size) -> String {
    match mv {
        Move::Pass => "pass".to_owned(),
        Move::Play(point) => {
            let column = char::from(COLUMNS[point.x()]);
            format!("{column}{}", size.height() - point.y())
        }
    }
}

/// What `genmove` answers: a move or resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reply {
    /// A stone or a pass.
    Move(Move),
    /// The game is given up.
    Resign,
}

impl Reply {
    /// Reads a vertex, `pass` or `resign`.
    pub fn parse(text: &str, size: Size) -> Result<Reply, VertexError> {
        if text.trim().eq_ignore_ascii_case("resign") {
            Ok(Reply::Resign)
        } else {
            parse_vertex(text, size).map(Reply::Move)
        }
    }

    /// Returns the reply as text for a board of this size.
    pub fn display(self, size: Size) -> impl fmt::Display {
        match self {
            Reply::Move(mv) => format_vertex(mv, size),
            Reply::Resign => "resign".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_every_size_goes_round() {
        for (width, height) in [(2, 2), (9, 9), (19, 13), (25, 25)] {
            let size = Size::new(width, height).unwrap();
            for mv in size.points().map(Move::Play).chain([Move::Pass]) {
                let text = format_vertex(mv, size);
                assert_eq!(parse_vertex(&text, size), Ok(mv));
                assert_eq!(parse_vertex(&text.to_lowercase(), size), Ok(mv));
            }
        }
    }

    #[track_caller]
    fn check_error(text: &str, expect: &str) {
        let error = parse_vertex(text, Size::S9).unwrap_err();
        assert_eq!(error.to_string(), expect);
    }

    #[test]
    fn bad_vertices_are_named() {
        let hint = "is not a vertex: write a letter and a number such as D4, or pass";
        for text in [
            "", "I5", "5E", "E", "E-1", "E+5", "EE5", "é5", "resign", "Ä",
        ] {
            check_error(text, &format!("`{text}` {hint}"));
        }
        check_error("K1", "`K1` is not on the 9×9 board");
        check_error("A10", "`A10` is not on the 9×9 board");
        check_error("A0", "`A0` is not on the 9×9 board");
        let long = format!("A{}", "9".repeat(40));
        check_error(&long, &format!("`{long}` is not on the 9×9 board"));
    }

    #[test]
    fn replies_know_resignation() {
        let size = Size::S9;
        assert_eq!(Reply::parse("Resign", size), Ok(Reply::Resign));
        assert_eq!(Reply::parse("PASS", size), Ok(Reply::Move(Move::Pass)));
        assert_eq!(Reply::Resign.display(size).to_string(), "resign");
        let point = Reply::parse("E5", size).unwrap();
        assert_eq!(point.display(size).to_string(), "E5");
    }
}
