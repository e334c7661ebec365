//! A dictionary from the tags of shapes to 32-bit values, by open addressing.
//!
//! Lookups dominate the model's time, so an entry is eight bytes and a miss
//! usually ends at the first slot. Different shapes with the same tag are one
//! shape to the model; among a few hundred thousand that befalls one lookup in
//! more than ten thousand and costs nothing noticeable.

/// Marks a free slot; as a float it would be no number.
const FREE: u32 = u32::MAX;

/// Values by tag.
#[derive(Debug, Clone)]
pub(crate) struct Book {
    slots: Vec<(u32, u32)>,
    len: usize,
}

impl Book {
    /// Returns a book with room for `len` shapes.
    fn with_capacity(len: usize) -> Book {
        Book {
            slots: vec![(0, FREE); (2 * len).next_power_of_two().max(16)],
            len: 0,
        }
    }

    /// Returns a book of tags and their values; of equal tags the first counts.
    pub(crate) fn of(tags: &[u32], values: impl Iterator<Item = u32>) -> Book {
        let mut book = Book::with_capacity(tags.len());
        for (&tag, value) in tags.iter().zip(values) {
            book.insert(tag, value);
        }
        book
    }

    /// Enters a tag, if it is not there yet.
    fn insert(&mut self, tag: u32, value: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = tag as usize & mask;
        while self.slots[slot].1 != FREE {
            if self.slots[slot].0 == tag {
                return;
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = (tag, value);
        self.len += 1;
        debug_assert!(self.len < self.slots.len());
    }

    /// Returns the value of a tag.
    #[inline]
    pub(crate) fn find(&self, tag: u32) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = tag as usize & mask;
        loop {
            let (known, value) = self.slots[slot];
            if value == FREE {
                return None;
            }
            if known == tag {
                return Some(value);
            }
            slot = (slot + 1) & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_share_a_slot_are_told_apart() {
        // All of these want the first slot of any table this small.
        let tags: Vec<u32> = (0..100).map(|it| it << 16).collect();
        let book = Book::of(&tags, 1000..);
        for (tag, value) in tags.iter().zip(1000..) {
            assert_eq!(book.find(*tag), Some(value));
        }
        assert_eq!(book.find(1), None);
        assert_eq!(book.find(100 << 16), None);
    }

    #[test]
    fn the_first_of_equal_tags_counts() {
        assert_eq!(Book::of(&[7, 7], 1..).find(7), Some(1));
        assert_eq!(Book::of(&[], 1..).find(0), None);
    }
}
