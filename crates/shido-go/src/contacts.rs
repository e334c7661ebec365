//! Pseudo-liberties: what a chain touches, in one word.
//!
//! Each contact of a stone with an empty point counts once. Beside the count stand
//! the sum and the sum of squares of the points' indices: all contacts are with
//! one point exactly when `count · squares = sum²` (equality in Cauchy–Schwarz).

use std::fmt;

use crate::Point;

/// A multiset of points as count, sum of indices and sum of squared indices.
///
/// Enough to tell an empty set and a set of one distinct point. The three numbers
/// share one word, so that adding a point or a whole multiset is one addition:
/// squares in the low 32 bits, the sum in the next 20, the count above. A chain has
/// fewer than 900 contacts on the largest board, so none runs into the next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Contacts(u64);

impl Contacts {
    const SUM: u32 = 32;
    const COUNT: u32 = 52;

    /// Returns the word that stands for one contact with a point.
    #[inline]
    pub(crate) const fn one(point: Point) -> u64 {
        let i = point.index() as u64;
        (1 << Contacts::COUNT) + (i << Contacts::SUM) + i * i
    }

    /// Returns a multiset from the sum of what [`Contacts::one`] gives.
    #[inline]
    pub(crate) const fn from_sum(sum: u64) -> Contacts {
        Contacts(sum)
    }

    /// Adds one contact with a point.
    #[inline]
    pub fn add(&mut self, point: Point) {
        self.0 = self.0.wrapping_add(Contacts::one(point));
    }

    /// Takes one contact with a point away.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0 = self.0.wrapping_sub(Contacts::one(point));
    }

    /// Adds all contacts of another multiset.
    #[inline]
    pub fn merge(&mut self, other: Contacts) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Takes all contacts of another multiset away.
    #[inline]
    pub(crate) fn unmerge(&mut self, other: Contacts) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    /// Returns whether there is no contact.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of contacts; a point touched twice counts twice.
    #[inline]
    pub const fn count(self) -> usize {
        (self.0 >> Contacts::COUNT) as usize
    }

    const fn sum(self) -> u64 {
        self.0 >> Contacts::SUM & 0xf_ffff
    }

    const fn squares(self) -> u64 {
        self.0 & 0xffff_ffff
    }

    /// Returns whether all contacts are with one and the same point; false if there is none.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0 != 0 && self.count() as u64 * self.squares() == self.sum() * self.sum()
    }

    /// Returns the point if all contacts are with one and the same.
    #[inline]
    pub fn single(self) -> Option<Point> {
        // One point touches a chain at most four times; the division is by 1 to 4.
        self.is_single()
            .then(|| Point::from_index(self.sum() as usize / self.count()))
    }
}

impl fmt::Debug for Contacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contacts")
            .field("count", &self.count())
            .field("sum", &self.sum())
            .field("squares", &self.squares())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn one_point_is_told_from_several() {
        let points: Vec<_> = Size::square(Size::MAX).unwrap().points().collect();
        let mut contacts = Contacts::default();
        assert!(contacts.is_empty() && contacts.single().is_none());
        for &a in &points {
            for times in 1..=4 {
                contacts.add(a);
                assert_eq!(contacts.single(), Some(a));
                assert_eq!(contacts.count(), times);
            }
            for &b in &points {
                contacts.add(b);
                assert_eq!(contacts.is_single(), a == b);
                contacts.remove(b);
            }
            contacts = Contacts::default();
        }
    }

    #[test]
    fn the_numbers_of_the_longest_chain_fit() {
        let last = Size::square(Size::MAX).unwrap().points().last().unwrap();
        let mut contacts = Contacts::default();
        for _ in 0..900 {
            contacts.add(last);
        }
        assert_eq!(contacts.count(), 900);
        assert_eq!(contacts.single(), Some(last));
    }
}
