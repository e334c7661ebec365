//! The eight symmetries of a board.
//!
//! A symmetry is three bits, as in KataGo: 1 turns it upside down, 2 swaps left
//! and right, 4 swaps columns and rows after that. On a rectangle a symmetry
//! with the last bit gives a board with the sides swapped.

use crate::{Board, Move, Point, Size};

/// One of the eight symmetries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Leaves everything in its place.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// Returns all eight, the identity first.
    pub fn all() -> impl ExactSizeIterator<Item = Symmetry> + Clone {
        (0..8u8).map(Symmetry)
    }

    /// Returns the symmetries that map a board of this size onto itself.
    pub fn of_size(size: Size) -> impl ExactSizeIterator<Item = Symmetry> + Clone {
        let count = if size.is_square() { 8 } else { 4 };
        (0..count).map(Symmetry)
    }

    /// Returns the symmetry with these bits, if they are under 8.
    pub fn from_bits(bits: u8) -> Option<Symmetry> {
        (bits < 8).then_some(Symmetry(bits))
    }

    /// Returns the bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    const fn flips_rows(self) -> bool {
        self.0 & 1 != 0
    }

    const fn flips_columns(self) -> bool {
        self.0 & 2 != 0
    }

    const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// Returns the size of the board that a board of `size` becomes.
    pub fn size(self, size: Size) -> Size {
        if self.transposes() {
            size.transposed()
        } else {
            size
        }
    }

    /// Returns where a point of a board of `size` goes.
    #[inline]
    pub fn point(self, point: Point, size: Size) -> Point {
        let (mut x, mut y) = (point.x(), point.y());
        if self.flips_rows() {
            y = size.height() - 1 - y;
        }
        if self.flips_columns() {
            x = size.width() - 1 - x;
        }
        if self.transposes() {
            (x, y) = (y, x);
        }
        Point::at(x, y)
    }

    /// Returns what a move on a board of `size` becomes.
    pub fn apply(self, mv: Move, size: Size) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::Play(point) => Move::Play(self.point(point, size)),
        }
    }

    /// Returns the symmetry that takes everything back.
    pub fn inverse(self) -> Symmetry {
        // After a transposition the two flips change roles.
        if self.transposes() {
            Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        } else {
            self
        }
    }

    /// Returns the symmetry that does this one and then `next`.
    pub fn then(self, next: Symmetry) -> Symmetry {
        let flips = if self.transposes() {
            (next.0 & 1) << 1 | (next.0 & 2) >> 1
        } else {
            next.0 & 3
        };
        Symmetry((self.0 & 3) ^ flips | (self.0 & 4) ^ (next.0 & 4))
    }

    /// Returns the board turned by this symmetry, with its ko ban and prisoners.
    pub fn board(self, board: &Board) -> Board {
        let size = board.size();
        let mut turned = Board::new(self.size(size));
        for point in size.points() {
            if let Some(color) = board.stone(point) {
                turned.place(color, self.point(point, size));
            }
        }
        for color in crate::Color::BOTH {
            turned.add_prisoners(color, board.prisoners(color));
        }
        turned.set_ko(board.ko().map(|point| self.point(point, size)));
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_mean_what_katago_means() {
        let size = Size::new(5, 3).unwrap();
        let corner = |bits| {
            let point = Symmetry(bits).point(Point::at(1, 0), size);
            (point.x(), point.y())
        };
        assert_eq!(corner(1), (1, 2));
        assert_eq!(corner(2), (3, 0));
        assert_eq!(corner(4), (0, 1));
        assert_eq!(corner(7), (2, 3));
    }

    #[test]
    fn symmetries_form_a_group() {
        let size = Size::new(7, 4).unwrap();
        for a in Symmetry::all() {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            for b in Symmetry::all() {
                for point in size.points() {
                    let by_steps = b.point(a.point(point, size), a.size(size));
                    assert_eq!(a.then(b).point(point, size), by_steps);
                }
            }
        }
    }

    #[test]
    fn rectangles_have_four() {
        assert_eq!(Symmetry::of_size(Size::S9).count(), 8);
        assert_eq!(Symmetry::of_size(Size::new(9, 13).unwrap()).count(), 4);
    }
}
