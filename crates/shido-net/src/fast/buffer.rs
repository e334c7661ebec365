//! Memory that starts on a cache line, so that no vector load straddles two.
//!
//! A buffer grows and never shrinks: after the first evaluation of a kind nothing
//! is allocated any more. New memory is zero. A large buffer starts on a large page,
//! if the system has them: the weights of a network are read once an evaluation, and
//! a processor remembers where too few small pages lie.
#![allow(unsafe_code)] // Allocates and views lines as numbers; see `grow` and `Deref`.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes of a large page.
const PAGE: usize = 1 << 21;
/// Bytes from which a buffer has large pages of its own.
const LARGE: usize = 1 << 18;

/// Numbers for which every bit pattern is a value, zero bits among them.
pub(super) trait Bits: Copy + Send + Sync + 'static {}
impl Bits for f32 {}
impl Bits for u16 {}

/// A slice of numbers aligned to a cache line.
pub(super) struct Buffer<T: Bits> {
    start: NonNull<u8>,
    /// Bytes at `start`, all initialized; none are allocated if it is zero.
    bytes: usize,
    len: usize,
    holds: PhantomData<T>,
}

// SAFETY: a buffer owns its memory as a vector does, and numbers may go anywhere.
unsafe impl<T: Bits> Send for Buffer<T> {}
// SAFETY: as above; a shared buffer can only be read.
unsafe impl<T: Bits> Sync for Buffer<T> {}

impl<T: Bits> Buffer<T> {
    /// Makes a buffer of zeros.
    pub(super) fn new(len: usize) -> Buffer<T> {
        let mut buffer = Buffer {
            // Aligned, as a slice must be even when it is empty.
            start: NonNull::<T>::dangling().cast(),
            bytes: 0,
            len: 0,
            holds: PhantomData,
        };
        buffer.ensure(len);
        buffer
    }

    /// Makes it at least so long, with zeros where it is new.
    pub(super) fn ensure(&mut self, len: usize) {
        if len * size_of::<T>() > self.bytes {
            self.grow((len * size_of::<T>()).next_multiple_of(LINE));
        }
        self.len = self.len.max(len);
    }

    /// Moves to `bytes` bytes, which are more than now.
    #[cold]
    fn grow(&mut self, bytes: usize) {
        let layout = layout(bytes);
        // SAFETY: the layout is not empty. The new memory is filled, first with what
        // the old holds, which is shorter and elsewhere, then with zeros.
        unsafe {
            let Some(start) = NonNull::new(alloc(layout)) else {
                handle_alloc_error(layout)
            };
            if layout.align() == PAGE {
                ask_for_large_pages(start, layout.size());
            }
            start.copy_from_nonoverlapping(self.start, self.bytes);
            start.add(self.bytes).write_bytes(0, bytes - self.bytes);
            self.free();
            self.start = start;
        }
        self.bytes = bytes;
    }

    /// # Safety
    ///
    /// Nothing may be read or written there afterwards.
    unsafe fn free(&mut self) {
        if self.bytes > 0 {
            // SAFETY: `grow` has allocated it so.
            unsafe { dealloc(self.start.as_ptr(), layout(self.bytes)) };
        }
    }
}

impl<T: Bits> Drop for Buffer<T> {
    fn drop(&mut self) {
        // SAFETY: this is the end of it.
        unsafe { self.free() };
    }
}

/// Returns how the memory of a buffer lies: whole lines, or whole large pages.
fn layout(bytes: usize) -> Layout {
    let unit = if bytes < LARGE { LINE } else { PAGE };
    Layout::from_size_align(bytes.next_multiple_of(unit), unit)
        .expect("no network has as many weights as there are addresses")
}

/// Asks Linux to use large pages for memory that nobody has touched yet.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn ask_for_large_pages(start: NonNull<u8>, bytes: usize) {
    const MADVISE: i64 = 28;
    const LARGE_PAGES: i64 = 14;
    // SAFETY: a system call that changes nothing we can see, whatever it answers; it
    // clobbers rcx and r11, as all do.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") MADVISE => _,
            in("rdi") start.as_ptr(),
            in("rsi") bytes,
            in("rdx") LARGE_PAGES,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn ask_for_large_pages(_: NonNull<u8>, _: usize) {}

impl<T: Bits> Default for Buffer<T> {
    fn default() -> Buffer<T> {
        Buffer::new(0)
    }
}

impl<T: Bits> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `len` numbers are within the initialized bytes (see `ensure`), which
        // are aligned more strictly than any number; `Bits` takes all.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), self.len) }
    }
}

impl<T: Bits> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`, and the buffer is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.len) }
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
        assert_eq!(buffer.as_ptr() as usize % LINE, 0);
    }

    #[test]
    fn a_large_one_starts_on_a_large_page() {
        let mut buffer = Buffer::<f32>::new(3);
        assert!(Buffer::<f32>::default().is_empty());
        buffer[2] = 7.0;
        for len in [LARGE / 4, 3 * PAGE / 4 + 1] {
            buffer.ensure(len);
            assert_eq!(buffer.as_ptr() as usize % PAGE, 0);
            assert_eq!((buffer[2], buffer[3..].iter().sum::<f32>()), (7.0, 0.0));
            assert_eq!(buffer.len(), len);
        }
    }
}
