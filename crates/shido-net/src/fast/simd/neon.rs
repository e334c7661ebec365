//! NEON: four floats, on every 64-bit ARM processor.
#![allow(unsafe_code)] // Every block calls instructions the architecture has.

use std::arch::aarch64::{
    float32x4_t, vaddq_f32, vaddq_s32, vcvtnq_s32_f32, vdivq_f32, vdupq_n_f32, vdupq_n_s32,
    vfmaq_f32, vld1q_f32, vmaxq_f32, vminq_f32, vmulq_f32, vreinterpretq_f32_s32, vrndnq_f32,
    vshlq_n_s32, vst1q_f32, vsubq_f32,
};

use super::{Simd, to_half};

/// The token of NEON.
#[derive(Debug, Clone, Copy)]
pub(in crate::fast) struct Neon(());

impl Simd for Neon {
    type V = float32x4_t;
    const LANES: usize = 4;
    const ROWS: usize = 12;

    fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        // NEON is part of the target's baseline.
        work()
    }

    #[inline(always)]
    fn splat(self, x: f32) -> float32x4_t {
        // SAFETY: the token exists; so in all the blocks below.
        unsafe { vdupq_n_f32(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> float32x4_t {
        let from = &from[..Self::LANES];
        // SAFETY: four floats, by the line above.
        unsafe { vld1q_f32(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: float32x4_t, to: &mut [f32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: four floats, by the line above.
        unsafe { vst1q_f32(to.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn store_half(self, v: float32x4_t, to: &mut [u16]) {
        let mut lanes = [0.0; 4];
        self.store(v, &mut lanes);
        to[..4].copy_from_slice(&lanes.map(to_half));
    }

    #[inline(always)]
    fn add(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vaddq_f32(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vsubq_f32(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vmulq_f32(a, b) }
    }

    #[inline(always)]
    fn div(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vdivq_f32(a, b) }
    }

    #[inline(always)]
    fn min(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vminq_f32(a, b) }
    }

    #[inline(always)]
    fn max(self, a: float32x4_t, b: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vmaxq_f32(a, b) }
    }

    #[inline(always)]
    fn fma(self, a: float32x4_t, b: float32x4_t, c: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vfmaq_f32(c, a, b) }
    }

    #[inline(always)]
    fn fraction(self, x: float32x4_t) -> float32x4_t {
        // SAFETY: the token.
        unsafe { vsubq_f32(x, vrndnq_f32(x)) }
    }

    #[inline(always)]
    fn scale(self, v: float32x4_t, x: float32x4_t) -> float32x4_t {
        // SAFETY: the token. The exponent of a float is its bits 23 to 30, plus 127.
        unsafe {
            let exponent = vaddq_s32(vcvtnq_s32_f32(x), vdupq_n_s32(127));
            vmulq_f32(v, vreinterpretq_f32_s32(vshlq_n_s32::<23>(exponent)))
        }
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> float32x4_t {
        // SAFETY: the token, and the caller vouches for four floats.
        unsafe { vld1q_f32(from) }
    }

    #[inline(always)]
    unsafe fn store_at(self, v: float32x4_t, to: *mut f32) {
        // SAFETY: the token, and the caller vouches for four floats.
        unsafe { vst1q_f32(to, v) }
    }
}
