//! Who owns which points: the common answer of scoring and of life.
//!
//! No point has two owners.

use crate::{Color, Point, PointSet};

/// The points each color owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Owners {
    sets: [PointSet; 2],
}

impl Owners {
    /// Returns a board that nobody owns a point of.
    pub const fn new() -> Owners {
        Owners {
            sets: [PointSet::new(); 2],
        }
    }

    /// Returns the owner of a point.
    #[inline]
    pub fn of(&self, point: Point) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|color| self.sets[color.index()].contains(point))
    }

    /// Returns the points of a color.
    #[inline]
    pub fn points(&self, color: Color) -> &PointSet {
        &self.sets[color.index()]
    }

    /// Returns the number of Black's points less that of White's.
    pub fn black_lead(&self) -> i32 {
        self.sets[0].len() as i32 - self.sets[1].len() as i32
    }

    /// Gives a point to a color if nobody has it yet.
    #[inline]
    pub fn claim(&mut self, color: Color, point: Point) {
        if !self.sets[(!color).index()].contains(point) {
            self.sets[color.index()].insert(point);
        }
    }
}
