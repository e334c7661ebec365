//! A point of the board, and a move: a point or a pass.
//!
//! A point is an index into a padded grid of fixed stride 32 whose border is
//! off-board, so that a neighbor is one addition away on every board size and
//! `Option<Point>` takes two bytes. Points are independent of the board's size;
//! only [`crate::Size`] knows which are on the board.

use std::fmt;
use std::num::NonZeroU16;

use crate::Size;

/// Distance between two rows of the padded grid. Columns start at 2, so that even
/// the diagonal neighbors of the corner have an index above 0.
pub const STRIDE: usize = 32;
/// Length of arrays indexed by [`Point::index`]: 25 rows, a border on both sides, and
/// rows that no point lies in, up to a power of two so that bounds checks vanish.
pub const GRID: usize = (STRIDE * (Size::MAX + 2)).next_power_of_two();

/// One intersection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(NonZeroU16);

impl Point {
    /// Returns the point at column `x` from the left and row `y` from the top, both from 0.
    #[inline]
    pub(crate) fn at(x: usize, y: usize) -> Point {
        debug_assert!(x < Size::MAX && y < Size::MAX);
        Point::from_index((y + 1) * STRIDE + x + 2)
    }

    /// Returns the point with this index into arrays of length [`GRID`].
    ///
    /// Index 0, a corner of the off-board border, is no point; it must not be asked for.
    #[inline]
    pub fn from_index(index: usize) -> Point {
        debug_assert!(0 < index && index < GRID);
        // Another border point instead of a branch to a panic in every inner loop.
        Point(NonZeroU16::new(index as u16).unwrap_or(NonZeroU16::MIN))
    }

    /// Returns the index into arrays of length [`GRID`].
    #[inline]
    pub const fn index(self) -> usize {
        // Always smaller; the mask says so to the compiler.
        self.0.get() as usize % GRID
    }

    /// Returns the column, from 0 at the left.
    #[inline]
    pub const fn x(self) -> usize {
        self.index() % STRIDE - 2
    }

    /// Returns the row, from 0 at the top.
    #[inline]
    pub const fn y(self) -> usize {
        self.index() / STRIDE - 1
    }

    /// Returns the point so many places on in the padded grid, [`STRIDE`] being a row down;
    /// a border point if that leaves the grid.
    #[inline]
    pub fn stepped(self, places: isize) -> Point {
        Point::from_index((self.index().wrapping_add_signed(places) % GRID).max(1))
    }

    /// Returns the four neighbors (up, left, right, down); some may be off the board.
    #[inline]
    pub fn neighbors(self) -> [Point; 4] {
        let i = self.index();
        [i - STRIDE, i - 1, i + 1, i + STRIDE].map(Point::from_index)
    }

    /// Returns the four diagonal neighbors; some may be off the board.
    #[inline]
    pub fn diagonals(self) -> [Point; 4] {
        let i = self.index();
        [
            i - STRIDE - 1,
            i - STRIDE + 1,
            i + STRIDE - 1,
            i + STRIDE + 1,
        ]
        .map(Point::from_index)
    }

    /// Returns the Euclidean distance to another point, in lines.
    pub fn distance(self, other: Point) -> f64 {
        let dx = self.x().abs_diff(other.x()) as f64;
        let dy = self.y().abs_diff(other.y()) as f64;
        dx.hypot(dy)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}

/// What a player does with a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// No stone.
    Pass,
    /// A stone on a point.
    Play(Point),
}

impl Move {
    /// Returns the point of a stone played, or `None` for a pass.
    #[inline]
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Pass => None,
            Move::Play(point) => Some(point),
        }
    }

    /// Returns whether the move is a pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        matches!(self, Move::Pass)
    }
}

impl From<Option<Point>> for Move {
    fn from(point: Option<Point>) -> Move {
        point.map_or(Move::Pass, Move::Play)
    }
}
