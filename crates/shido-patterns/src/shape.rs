//! The 3×3 neighborhood of a point as 16 bits (PD10, §2.1.1).
//!
//! The eight neighbors are read clockwise from the top, two bits each, so that a
//! quarter turn is a rotation of the bits and a reflection reverses the ring.
//! A shape stands for its orbit: the smallest code among its eight images.
//! Codes are kept from the mover's side: own stones 0, the opponent's 1, empty 2,
//! off board 3.

use shido_go::{Board, Color, GRID, Point, STRIDE};

/// Number of different codes.
pub const CODES: usize = 1 << 16;

/// Offsets of the eight neighbors, clockwise from the top.
const RING: [isize; 8] = {
    let s = STRIDE as isize;
    [-s, 1 - s, 1, s + 1, s, s - 1, -1, -s - 1]
};

/// The neighborhood of a point, seen from the mover's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(pub u16);

impl Shape {
    /// Returns the shape around a point as `mover` sees it.
    pub fn around(board: &Board, point: Point, mover: Color) -> Shape {
        let mut code = 0;
        for (i, offset) in RING.iter().enumerate() {
            let neighbor = Point::from_index(point.index().wrapping_add_signed(*offset));
            code |= (board.cell(neighbor) as u16) << (2 * i);
        }
        Shape::from_black(code, mover)
    }

    /// Turns a code read with Black as 0 into the mover's view.
    #[inline]
    fn from_black(code: u16, mover: Color) -> Shape {
        match mover {
            Color::Black => Shape(code),
            Color::White => Shape(code ^ (!(code >> 1) & 0x5555)),
        }
    }

    /// Returns the shape that stands for this one's orbit (PD10, §2.1.1).
    pub fn orbit(self) -> Shape {
        self.images().min().expect("there are eight images")
    }

    /// Returns the eight images, some of which may be equal.
    pub fn images(self) -> impl Iterator<Item = Shape> {
        let mirrored = self.mirrored();
        (0..4).flat_map(move |quarter| {
            [self, mirrored].map(|image| Shape(image.0.rotate_left(4 * quarter)))
        })
    }

    /// Returns the mirror image: the ring read the other way around.
    pub(crate) fn mirrored(self) -> Shape {
        let mut code = 0;
        for i in 0..8 {
            code |= (self.0 >> (2 * i) & 3) << (2 * ((8 - i) % 8));
        }
        Shape(code)
    }

    /// Returns what is at place `i` of the ring: 0 own, 1 opponent, 2 empty, 3 off board.
    #[inline]
    pub fn at(self, i: usize) -> u16 {
        self.0 >> (2 * i) & 3
    }

    /// Returns whether the point is an eye of the mover's: own stones or the edge on
    /// all four sides, and too few opposing stones on the diagonals to make it false.
    pub fn is_own_eye(self) -> bool {
        let walled = (0..8).step_by(2).all(|i| matches!(self.at(i), 0 | 3));
        let diagonals = (1..8).step_by(2);
        let hostile = diagonals.clone().filter(|&i| self.at(i) == 1).count();
        let border = diagonals.clone().any(|i| self.at(i) == 3);
        walled && hostile + usize::from(border) < 2
    }
}

/// The codes of all points of a board, kept up to date stone by stone.
#[derive(Clone)]
pub struct Shapes {
    /// Codes with Black as 0, by point index.
    codes: [u16; GRID],
}

impl Shapes {
    /// Reads the shapes of a board.
    pub fn of(board: &Board) -> Shapes {
        let mut shapes = Shapes { codes: [0; GRID] };
        for point in board.size().points() {
            shapes.codes[point.index()] = Shape::around(board, point, Color::Black).0;
        }
        shapes
    }

    /// Copies the rows in use of another board's shapes.
    pub fn copy_from(&mut self, other: &Shapes, rows: usize) {
        let used = (rows + 2) * STRIDE;
        self.codes[..used].copy_from_slice(&other.codes[..used]);
    }

    /// Returns the shape around a point as `mover` sees it.
    #[inline]
    pub fn at(&self, point: Point, mover: Color) -> Shape {
        Shape::from_black(self.codes[point.index()], mover)
    }

    /// Records that a stone appeared on or vanished from a point.
    #[inline]
    pub fn toggle(&mut self, point: Point, stone: Color) {
        // Black 0, White 1, empty 2: the difference to empty is 2 or 3.
        let difference = 2 | stone as u16;
        for (i, offset) in RING.iter().enumerate() {
            // Seen from the neighbor at place i, this point is at the opposite place.
            let neighbor = point.index().wrapping_add_signed(*offset);
            self.codes[neighbor] ^= difference << (2 * ((i + 4) % 8));
        }
    }
}

/// Returns the eight points around a point, clockwise from the top; some may be off the board.
#[inline]
pub fn ring(point: Point) -> [Point; 8] {
    RING.map(|offset| Point::from_index(point.index().wrapping_add_signed(offset)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    #[test]
    fn all_images_share_one_orbit() {
        for code in (0..=u16::MAX).step_by(7) {
            let shape = Shape(code);
            let orbit = shape.orbit();
            assert_eq!(Shape(code.rotate_left(4)).orbit(), orbit);
            assert_eq!(shape.mirrored().orbit(), orbit);
            assert_eq!(shape.mirrored().mirrored(), shape);
            assert!(orbit <= shape);
        }
    }

    #[test]
    fn toggling_agrees_with_reading_the_board() {
        let mut board = Board::new(Size::new(5, 4).expect("a legal size"));
        let mut shapes = Shapes::of(&board);
        let mut color = Color::Black;
        for i in [0, 5, 1, 6, 7, 12, 3, 10, 2, 11, 15] {
            let point = board.size().point(i % 5, i / 5).expect("on the board");
            if !board.is_legal(color, point) {
                continue;
            }
            board.play(color, point);
            shapes.toggle(point, color);
            for taken in board.captured().collect::<Vec<_>>() {
                shapes.toggle(taken, !color);
            }
            color = !color;
            for point in board.size().points() {
                for mover in Color::BOTH {
                    assert_eq!(shapes.at(point, mover), Shape::around(&board, point, mover));
                }
            }
        }
    }

    #[test]
    fn the_two_views_swap_the_colors() {
        let mut board = Board::new(Size::S9);
        let at = |x, y| Size::S9.point(x, y).expect("on the board");
        board.play(Color::Black, at(4, 3));
        board.play(Color::White, at(5, 4));
        let black = Shape::around(&board, at(4, 4), Color::Black);
        let white = Shape::around(&board, at(4, 4), Color::White);
        assert_eq!((black.at(0), black.at(2)), (0, 1));
        assert_eq!((white.at(0), white.at(2)), (1, 0));
    }

    #[test]
    fn eyes_by_diagonals() {
        let all_own = Shape(0);
        assert!(all_own.is_own_eye());
        assert!(
            Shape(1 << 2).is_own_eye(),
            "one hostile diagonal in the middle is fine"
        );
        assert!(!Shape(1 << 2 | 1 << 6).is_own_eye(), "two are not");
        let top_border = Shape(3 | 3 << 2 | 3 << 14);
        assert!(top_border.is_own_eye());
        assert!(
            !Shape(top_border.0 | 1 << 6).is_own_eye(),
            "one at the border is too many"
        );
        assert!(!Shape(2).is_own_eye(), "an empty side");
    }
}
