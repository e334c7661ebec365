//! Plain arrays: what every processor can do.
//!
//! The compiler turns four floats into the vectors of the build's target (SSE2 on
//! x86-64). Multiply and add round twice, so that no call into a math library is made.
#![allow(unsafe_code)] // Reads and writes through the pointers the trait gives it.

use super::{Simd, to_half};

/// The token of plain arrays.
#[derive(Debug, Clone, Copy)]
pub(in crate::fast) struct Plain(());

type V = [f32; 4];

#[inline(always)]
fn zip(a: V, b: V, join: impl Fn(f32, f32) -> f32) -> V {
    [
        join(a[0], b[0]),
        join(a[1], b[1]),
        join(a[2], b[2]),
        join(a[3], b[3]),
    ]
}

/// Returns the nearest whole number.
#[inline(always)]
fn whole(x: f32) -> f32 {
    // Adding and taking away 1.5 · 2²³ leaves no room for a fraction.
    (x + 12_582_912.0) - 12_582_912.0
}

impl Simd for Plain {
    type V = V;
    const LANES: usize = 4;
    const ROWS: usize = 4;

    fn detect() -> Option<Plain> {
        Some(Plain(()))
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn splat(self, x: f32) -> V {
        [x; 4]
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> V {
        [from[0], from[1], from[2], from[3]]
    }

    #[inline(always)]
    fn store(self, v: V, to: &mut [f32]) {
        to[..4].copy_from_slice(&v);
    }

    #[inline(always)]
    fn store_half(self, v: V, to: &mut [u16]) {
        to[..4].copy_from_slice(&v.map(to_half));
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn min(self, a: V, b: V) -> V {
        zip(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        zip(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn fma(self, a: V, b: V, c: V) -> V {
        zip(zip(a, b, |a, b| a * b), c, |product, c| product + c)
    }

    #[inline(always)]
    fn fraction(self, x: V) -> V {
        x.map(|x| x - whole(x))
    }

    #[inline(always)]
    fn scale(self, v: V, x: V) -> V {
        zip(v, x, |v, x| {
            v * f32::from_bits(((whole(x) as i32 + 127) as u32) << 23)
        })
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> V {
        // SAFETY: the caller vouches for four floats.
        unsafe { from.cast::<V>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_at(self, v: V, to: *mut f32) {
        // SAFETY: the caller vouches for four floats.
        unsafe { to.cast::<V>().write_unaligned(v) }
    }
}
