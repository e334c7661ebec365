//! A set of points as a bitmap over the padded grid: fixed size, no allocation.

use crate::Point;
use crate::point::GRID;

const WORDS: usize = GRID.div_ceil(64);

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// Returns the empty set.
    #[inline]
    pub const fn new() -> PointSet {
        PointSet([0; WORDS])
    }

    /// Adds a point; returns whether it was not there yet.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() / 64, 1u64 << (point.index() % 64));
        let fresh = self.0[word] & bit == 0;
        self.0[word] |= bit;
        fresh
    }

    /// Takes a point out; returns whether it was there.
    #[inline]
    pub fn remove(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() / 64, 1u64 << (point.index() % 64));
        let there = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        there
    }

    /// Returns whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] & (1u64 << (point.index() % 64)) != 0
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set has no point.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds every point of another set.
    pub fn extend_from(&mut self, other: &PointSet) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Returns the points, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| Point::from_index(i * 64 + w.trailing_zeros() as usize))
        })
    }
}

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet::new()
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::new();
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl std::fmt::Debug for PointSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
