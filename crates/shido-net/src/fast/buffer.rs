//! Memory that starts on a cache line, so that no vector load straddles two.
//!
//! A buffer grows and never shrinks: after the first evaluation of a kind nothing
//! is allocated any more. New memory is zero.
#![allow(unsafe_code)] // Views the cache lines as numbers; see `Deref`.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Numbers for which every bit pattern is a value, zero bits among them.
pub(super) trait Bits: Copy + Send + Sync + 'static {}
impl Bits for f32 {}
impl Bits for u16 {}

/// A slice of numbers aligned to a cache line.
pub(super) struct Buffer<T: Bits> {
    lines: Vec<Line>,
    len: usize,
    holds: PhantomData<T>,
}

impl<T: Bits> Buffer<T> {
    /// Makes a buffer of zeros.
    pub(super) fn new(len: usize) -> Buffer<T> {
        let mut buffer = Buffer {
            lines: Vec::new(),
            len: 0,
            holds: PhantomData,
        };
        buffer.ensure(len);
        buffer
    }

    /// Makes it at least so long, with zeros where it is new.
    pub(super) fn ensure(&mut self, len: usize) {
        let lines = (len * size_of::<T>()).div_ceil(size_of::<Line>());
        if lines > self.lines.len() {
            self.lines.resize(lines, Line([0; 64]));
        }
        self.len = self.len.max(len);
    }
}

impl<T: Bits> Default for Buffer<T> {
    fn default() -> Buffer<T> {
        Buffer::new(0)
    }
}

impl<T: Bits> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines are initialized bytes, at least `len` numbers of them
        // (see `ensure`), aligned more strictly than any number; `Bits` takes all.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl<T: Bits> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the lines are borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_with_zeros_and_keeps_what_it_holds() {
        let mut buffer = Buffer::<u16>::new(3);
        buffer[2] = 7;
        buffer.ensure(100);
        assert_eq!((buffer.len(), buffer[2], buffer[99]), (100, 7, 0));
        buffer.ensure(5);
        assert_eq!(buffer.len(), 100);
        assert_eq!(buffer.as_ptr() as usize % 64, 0);
    }
}
