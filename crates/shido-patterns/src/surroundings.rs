//! A 3×3 shape together with which of the four adjacent chains are in atari.
//!
//! Twenty bits: the shape's sixteen (see [`Shape`]) and, above them, one bit for
//! each orthogonal neighbor clockwise from the top. Like shapes, surroundings
//! stand for their orbit under the eight symmetries.

use shido_go::{Board, Color, Point};

use crate::shape::Shape;

/// Number of different codes.
pub const SURROUNDINGS: usize = 1 << 20;

/// A shape and its atari bits, seen from the mover's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Surroundings(pub u32);

impl Surroundings {
    /// Joins a shape and atari bits.
    #[inline]
    pub const fn new(shape: Shape, atari: u32) -> Surroundings {
        Surroundings(shape.0 as u32 | atari << 16)
    }

    /// Returns the surroundings of a point as `mover` sees them.
    pub fn around(board: &Board, point: Point, mover: Color) -> Surroundings {
        Surroundings::new(Shape::around(board, point, mover), atari_bits(board, point))
    }

    /// Returns the shape.
    pub const fn shape(self) -> Shape {
        Shape(self.0 as u16)
    }

    /// Returns the atari bits.
    pub const fn atari(self) -> u32 {
        self.0 >> 16
    }

    /// Returns whether a stone in atari is marked on every marked side, as on a board.
    pub fn is_possible(self) -> bool {
        (0..4).all(|i| self.atari() >> i & 1 == 0 || self.shape().at(2 * i) < 2)
    }

    /// Returns whether the mover's stone would have no liberty and take nothing: no
    /// neighbor is empty, every own chain has its last liberty here, and no opposing one.
    pub fn is_suicide(self) -> bool {
        (0..4).all(|i| {
            let in_atari = self.atari() >> i & 1 == 1;
            match self.shape().at(2 * i) {
                0 => in_atari,
                1 => !in_atari,
                2 => false,
                _ => true,
            }
        })
    }

    /// Returns whether the mover's stone would stand alone with a single liberty.
    pub fn is_lone_self_atari(self) -> bool {
        let mut liberties = 0;
        for i in 0..4 {
            let in_atari = self.atari() >> i & 1 == 1;
            match self.shape().at(2 * i) {
                0 => return false,
                1 => liberties += usize::from(in_atari),
                2 => liberties += 1,
                _ => {}
            }
        }
        liberties == 1
    }

    /// Returns the surroundings that stand for this one's orbit.
    pub fn orbit(self) -> Surroundings {
        self.images().min().expect("there are eight images")
    }

    /// Returns the eight images, some of which may be equal.
    pub fn images(self) -> impl Iterator<Item = Surroundings> {
        let mirrored = self.mirrored();
        (0..4).flat_map(move |quarter| [self.turned(quarter), mirrored.turned(quarter)])
    }

    fn turned(self, quarters: u32) -> Surroundings {
        let atari = self.atari() << quarters;
        let shape = Shape(self.shape().0.rotate_left(4 * quarters));
        Surroundings::new(shape, (atari | atari >> 4) & 15)
    }

    fn mirrored(self) -> Surroundings {
        let atari = self.atari();
        // The top and bottom stay, left and right change places.
        let swapped = atari & 0b0101 | (atari & 0b0010) << 2 | (atari & 0b1000) >> 2;
        Surroundings::new(self.shape().mirrored(), swapped)
    }
}

/// Returns which orthogonal neighbors are stones in atari, clockwise from the top.
#[inline]
pub fn atari_bits(board: &Board, point: Point) -> u32 {
    let [top, left, right, bottom] = point.neighbors();
    let mut bits = 0;
    for (i, neighbor) in [top, right, bottom, left].into_iter().enumerate() {
        bits |= u32::from(is_in_atari(board, neighbor)) << i;
    }
    bits
}

/// Returns whether there is a stone on a point, and its chain is in atari.
#[inline]
pub fn is_in_atari(board: &Board, point: Point) -> bool {
    // Both sides are cheap and neither is predictable: no branch.
    board.stone(point).is_some() & board.contacts(point).is_single()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    #[test]
    fn all_images_of_a_position_share_one_orbit() {
        // A stone in atari above the point and a safe one at its right, in all symmetries.
        let corner = Size::square(5).expect("a legal size");
        let image = |flip_x: bool, flip_y: bool, swap: bool| {
            let at = |x: usize, y: usize| {
                let (x, y) = if swap { (y, x) } else { (x, y) };
                let x = if flip_x { 4 - x } else { x };
                let y = if flip_y { 4 - y } else { y };
                corner.point(x, y).expect("on the board")
            };
            let mut board = Board::new(corner);
            for (x, y) in [(1, 1), (3, 1), (2, 0)] {
                board.place(Color::Black, at(x, y));
            }
            board.place(Color::White, at(2, 1));
            board.place(Color::White, at(3, 2));
            Surroundings::around(&board, at(2, 2), Color::Black)
        };
        let first = image(false, false, false);
        assert_eq!(first.atari(), 1, "only the stone above is in atari");
        for bits in 0..8 {
            let other = image(bits & 1 > 0, bits & 2 > 0, bits & 4 > 0);
            assert_eq!(other.orbit(), first.orbit());
            assert!(other.is_possible());
        }
    }

    #[test]
    fn the_bits_matter() {
        let shape = Shape(1);
        assert_ne!(
            Surroundings::new(shape, 1).orbit(),
            Surroundings::new(shape, 0).orbit()
        );
    }
}
