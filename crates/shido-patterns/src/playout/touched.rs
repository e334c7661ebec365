//! The few points whose weight depends on the last move, with their factors.
//!
//! Factors are integers in units of 1/[`FACTOR`]; a factor 0 forbids a point.

use shido_go::{GRID, Point};

use crate::policy::FACTOR;

/// Points the last move can touch: 20 near ones, extensions and captures.
pub(super) const TOUCHED: usize = 40;
/// [`FACTOR`] as a shift.
pub(super) const FACTOR_BITS: u32 = (FACTOR as u64).trailing_zeros();

/// The points on which the last move puts a factor, and their weights with it.
#[derive(Clone)]
pub(super) struct Touched {
    pub(super) points: [(u16, u64); TOUCHED],
    pub(super) count: usize,
    /// Where a point stands in `points`, plus one; 0 for most.
    pub(super) slot: [u8; GRID],
}

impl Touched {
    /// Returns the empty list.
    pub(super) fn new() -> Touched {
        Touched {
            points: [(0, 0); TOUCHED],
            count: 0,
            slot: [0; GRID],
        }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        for &(index, _) in &self.points[..self.count] {
            self.slot[usize::from(index)] = 0;
        }
        self.count = 0;
    }

    #[inline]
    pub(super) fn multiply(&mut self, point: Point, factor: u32) {
        let slot = usize::from(self.slot[point.index()]);
        if slot > 0 {
            let product = &mut self.points[slot - 1].1;
            *product = (*product * u64::from(factor)) >> FACTOR_BITS;
        } else {
            self.push(point, factor);
        }
    }

    /// Adds a point that is not there yet.
    #[inline]
    pub(super) fn push(&mut self, point: Point, factor: u32) {
        self.push_if(true, point, factor);
    }

    /// Adds a point that is not there yet if `wanted`, without a branch: which points
    /// around a move are empty cannot be predicted.
    #[inline]
    pub(super) fn push_if(&mut self, wanted: bool, point: Point, factor: u32) {
        let at = self.count;
        if at >= TOUCHED {
            return;
        }
        self.points[at] = (point.index() as u16, u64::from(factor));
        self.count += usize::from(wanted);
        let slot = &mut self.slot[point.index()];
        *slot = if wanted { at as u8 + 1 } else { *slot };
    }
}
