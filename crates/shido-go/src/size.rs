//! Board sizes: 2×2 to 25×25, rectangles too.

use std::fmt;
use std::str::FromStr;

use crate::Point;

/// The width and height of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u8,
    height: u8,
}

/// The size is outside what the program plays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// A side is under 2 or over 25.
    #[error("a {0}×{1} board is not supported: each side must be 2 to 25")]
    OutOfRange(usize, usize),
    /// The text is not a size at all.
    #[error("`{0}` is not a board size: write 19 or 19x13")]
    Unreadable(String),
}

impl Size {
    /// The shortest side.
    pub const MIN: usize = 2;
    /// The longest side.
    pub const MAX: usize = 25;
    /// The full board.
    pub const S19: Size = Size {
        width: 19,
        height: 19,
    };
    /// The middle board.
    pub const S13: Size = Size {
        width: 13,
        height: 13,
    };
    /// The small board.
    pub const S9: Size = Size {
        width: 9,
        height: 9,
    };

    /// Returns a size, or an error that names the allowed range.
    pub fn new(width: usize, height: usize) -> Result<Size, SizeError> {
        let allowed = Size::MIN..=Size::MAX;
        if allowed.contains(&width) && allowed.contains(&height) {
            Ok(Size {
                width: width as u8,
                height: height as u8,
            })
        } else {
            Err(SizeError::OutOfRange(width, height))
        }
    }

    /// Returns a square size.
    pub fn square(side: usize) -> Result<Size, SizeError> {
        Size::new(side, side)
    }

    /// Returns the number of columns.
    #[inline]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Returns the number of points.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns whether width and height are equal.
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// Returns the size with width and height swapped.
    pub const fn transposed(self) -> Size {
        Size {
            width: self.height,
            height: self.width,
        }
    }

    /// Returns the point at column `x` from the left and row `y` from the top, if it is on the board.
    #[inline]
    pub fn point(self, x: usize, y: usize) -> Option<Point> {
        (x < self.width() && y < self.height()).then(|| Point::at(x, y))
    }

    /// Returns whether the point lies on a board of this size.
    #[inline]
    pub fn contains(self, point: Point) -> bool {
        point.x() < self.width() && point.y() < self.height()
    }

    /// Returns all points, row by row from the top left.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..self.height()).flat_map(move |y| (0..self.width()).map(move |x| Point::at(x, y)))
    }

    /// Returns the place of a point in row-by-row order, `0..area`.
    #[inline]
    pub fn index_of(self, point: Point) -> usize {
        point.y() * self.width() + point.x()
    }

    /// Returns the line a point is on, counted from the nearest edge: 1 on the border.
    #[inline]
    pub fn line_of(self, point: Point) -> usize {
        let (x, y) = (point.x(), point.y());
        1 + x
            .min(y)
            .min(self.width() - 1 - x)
            .min(self.height() - 1 - y)
    }
}

impl Default for Size {
    fn default() -> Size {
        Size::S19
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    /// Reads `19`, `19x13`, `19×13` or `19:13`.
    fn from_str(text: &str) -> Result<Size, SizeError> {
        let unreadable = || SizeError::Unreadable(text.to_owned());
        let number = |part: &str| part.trim().parse::<usize>().map_err(|_| unreadable());
        match text.split_once(['x', 'X', '×', ':']) {
            Some((width, height)) => Size::new(number(width)?, number(height)?),
            None => Size::square(number(text)?),
        }
    }
}
