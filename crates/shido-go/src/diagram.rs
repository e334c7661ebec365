//! Boards as ASCII diagrams, written and read.
//!
//! `X` is Black, `O` White, `.` empty, `+` an empty star point; the latest move
//! may stand in brackets. Written with coordinates:
//!
//! ```text
//!    A B C
//!  3 . . .  3
//!  2 .(X)O  2
//!  1 . . .  1
//!    A B C
//! ```
//!
//! The reader takes that, and bare rows of characters with or without spaces, so
//! that a position in a test is one picture. What else a diagram marks (letters
//! and digits on empty points) it returns beside the stones.
//!
//! Invariant: what is written is read back as the same stones and last move.

use std::fmt;

use crate::gtp::COLUMNS;
use crate::{Board, Color, Point, Size, SizeError, handicap};

/// The text is not a diagram of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// The rows make no board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A row is longer or shorter than the first.
    #[error("row {row} from the top has {found} points, the first has {expected}")]
    Ragged {
        /// The row, from 1.
        row: usize,
        /// Its points.
        found: usize,
        /// The points of the first row.
        expected: usize,
    },
    /// A chain stands without a liberty.
    #[error("the stone at column {x}, row {y} from the top left has no liberty")]
    NoLiberty {
        /// The column, from 1.
        x: usize,
        /// The row, from 1.
        y: usize,
    },
}

/// A board read from a diagram, with what was marked on it.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The stones.
    pub board: Board,
    /// The stone in brackets.
    pub last: Option<Point>,
    /// Empty points that bear a letter or digit, in reading order.
    pub marks: Vec<(char, Point)>,
}

impl Diagram {
    /// Reads a diagram.
    ///
    /// ```
    /// use shido_go::{Color, Diagram};
    ///
    /// let diagram = Diagram::parse("
    ///     . X .
    ///     . O a
    ///     . . .
    /// ").unwrap();
    /// let top = diagram.board.size().point(1, 0).unwrap();
    /// assert_eq!(diagram.board.stone(top), Some(Color::Black));
    /// assert_eq!(diagram.marks[0].0, 'a');
    /// ```
    pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
        let rows: Vec<Vec<Sign>> = text.lines().filter_map(read_row).collect();
        let width = rows.first().map_or(0, Vec::len);
        let size = Size::new(width, rows.len())?;
        let mut diagram = Diagram {
            board: Board::new(size),
            last: None,
            marks: Vec::new(),
        };
        for (y, row) in rows.iter().enumerate() {
            if row.len() != width {
                return Err(DiagramError::Ragged {
                    row: y + 1,
                    found: row.len(),
                    expected: width,
                });
            }
            for (x, sign) in row.iter().enumerate() {
                let point = Point::at(x, y);
                match sign.char {
                    'X' => diagram.board.place(Color::Black, point),
                    'O' => diagram.board.place(Color::White, point),
                    '.' | '+' | ',' => {}
                    mark => diagram.marks.push((mark, point)),
                }
                if sign.bracketed {
                    diagram.last = Some(point);
                }
            }
        }
        diagram.check_liberties()?;
        Ok(diagram)
    }

    /// Returns the point that bears a mark.
    pub fn mark(&self, mark: char) -> Option<Point> {
        self.marks
            .iter()
            .find(|&&(found, _)| found == mark)
            .map(|&(_, point)| point)
    }

    fn check_liberties(&self) -> Result<(), DiagramError> {
        let board = &self.board;
        match board
            .size()
            .points()
            .find(|&p| board.stone(p).is_some() && board.contacts(p).is_empty())
        {
            Some(stone) => Err(DiagramError::NoLiberty {
                x: stone.x() + 1,
                y: stone.y() + 1,
            }),
            None => Ok(()),
        }
    }
}

struct Sign {
    char: char,
    bracketed: bool,
}

/// Reads one line of a diagram; `None` if it is blank or bears the column letters.
fn read_row(line: &str) -> Option<Vec<Sign>> {
    let line = line.trim();
    let words = || line.split_ascii_whitespace();
    let is_letters = line.starts_with('A')
        && words()
            .zip(COLUMNS)
            .all(|(word, &column)| word.as_bytes() == [column])
        && words().count() > 1;
    if line.is_empty() || is_letters {
        return None;
    }
    let row = strip_numbers(line);
    let mut bracketed = false;
    let mut signs = Vec::new();
    for char in row.chars() {
        match char {
            '(' => bracketed = true,
            ')' | ' ' | '\t' => {}
            char => {
                let char = match char {
                    '#' | 'x' | '●' => 'X',
                    'o' | '○' => 'O',
                    other => other,
                };
                signs.push(Sign {
                    char,
                    bracketed: std::mem::take(&mut bracketed),
                });
            }
        }
    }
    Some(signs)
}

/// Takes the row's number off both ends, where both are there.
fn strip_numbers(line: &str) -> &str {
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &line[..line.len() - after.len()];
    match after.strip_suffix(number) {
        Some(row) if !number.is_empty() && row.starts_with([' ', '(']) => row,
        _ => line,
    }
}

impl Board {
    /// Returns the board as a diagram with coordinates; a point may be put in brackets.
    pub fn diagram(&self, last: Option<Point>) -> impl fmt::Display {
        Picture { board: self, last }
    }
}

struct Picture<'a> {
    board: &'a Board,
    last: Option<Point>,
}

impl Picture<'_> {
    fn write_letters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("  ")?;
        for &column in &COLUMNS[..self.board.size().width()] {
            write!(f, " {}", char::from(column))?;
        }
        Ok(())
    }

    fn sign(&self, point: Point) -> char {
        match self.board.stone(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None if handicap::is_star(self.board.size(), point) => '+',
            None => '.',
        }
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        self.write_letters(f)?;
        for y in 0..size.height() {
            let row = size.height() - y;
            write!(f, "\n{row:2}")?;
            let mut before = None;
            for x in 0..size.width() {
                let point = Point::at(x, y);
                let gap = match self.last {
                    Some(last) if last == point => '(',
                    Some(last) if before == Some(last) => ')',
                    _ => ' ',
                };
                write!(f, "{gap}{}", self.sign(point))?;
                before = Some(point);
            }
            let end = if before == self.last { ')' } else { ' ' };
            write!(f, "{end}{row:2}")?;
        }
        writeln!(f)?;
        self.write_letters(f)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagram(None).fmt(f)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}\nko {:?}, prisoners", self.ko())?;
        for color in Color::BOTH {
            write!(f, " {} {}", color.letter(), self.prisoners(color))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagram_has_coordinates_stars_and_the_last_move() {
        let mut board = Board::new(Size::square(7).unwrap());
        board.place(Color::Black, Point::at(6, 0));
        board.place(Color::White, Point::at(1, 1));
        let text = board.diagram(Some(Point::at(6, 0))).to_string();
        let expect = "  \u{20}A B C D E F G
 7 . . . . . .(X) 7
 6 . O . . . . .  6
 5 . . + . + . .  5
 4 . . . . . . .  4
 3 . . + . + . .  3
 2 . . . . . . .  2
 1 . . . . . . .  1
   A B C D E F G";
        assert_eq!(text, expect);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for side in [2, 3, 9, 11, 19, 25] {
            let size = Size::new(side, 13.min(side)).unwrap();
            let mut board = Board::new(size);
            for (i, point) in size.points().enumerate() {
                match i % 5 {
                    0 => board.place(Color::Black, point),
                    3 => board.place(Color::White, point),
                    _ => {}
                }
            }
            for last in [None, Some(Point::at(0, 0)), Some(Point::at(side - 1, 1))] {
                let read = Diagram::parse(&board.diagram(last).to_string()).unwrap();
                assert_eq!(read.board, board);
                assert_eq!(read.last, last);
            }
        }
    }

    #[track_caller]
    fn check_error(text: &str, expect: &str) {
        assert_eq!(Diagram::parse(text).unwrap_err().to_string(), expect);
    }

    #[test]
    fn bad_diagrams_are_named() {
        check_error(
            "",
            "a 0×0 board is not supported: each side must be 2 to 25",
        );
        check_error(
            "...\n..\n",
            "row 2 from the top has 2 points, the first has 3",
        );
        check_error(
            "XO\nO.\n",
            "the stone at column 1, row 1 from the top left has no liberty",
        );
    }
}
