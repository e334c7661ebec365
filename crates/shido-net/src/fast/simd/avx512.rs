//! AVX-512 Foundation: sixteen floats.
#![allow(unsafe_code)] // Every block calls instructions the token vouches for.

use std::arch::x86_64::{
    __m512, __m512i, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEAREST_INT, _MM_HINT_T0, _mm_prefetch,
    _mm256_storeu_si256, _mm512_add_epi32, _mm512_add_ps, _mm512_and_si512, _mm512_castps_si512,
    _mm512_castsi512_ps, _mm512_cvtepi32_epi16, _mm512_div_ps, _mm512_fmadd_ps, _mm512_fnmadd_ps,
    _mm512_loadu_ps, _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_or_si512,
    _mm512_permute_ps, _mm512_rcp14_ps, _mm512_reduce_add_ps, _mm512_reduce_max_ps,
    _mm512_roundscale_ps, _mm512_scalef_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_srli_epi32,
    _mm512_storeu_ps, _mm512_storeu_si512, _mm512_sub_ps,
};

use super::Simd;

/// The token of AVX-512F.
#[derive(Debug, Clone, Copy)]
pub(in crate::fast) struct Avx512(());

/// Returns the bits of floats whose upper halves are rounded to the nearest bf16.
///
/// # Safety
///
/// The processor must have AVX-512F.
#[inline(always)]
unsafe fn rounded(v: __m512) -> __m512i {
    // SAFETY: the caller vouches for it.
    unsafe {
        let bits = _mm512_castps_si512(v);
        let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
        _mm512_add_epi32(_mm512_add_epi32(bits, odd), _mm512_set1_epi32(0x7fff))
    }
}

impl Simd for Avx512 {
    type V = __m512;
    const LANES: usize = 16;
    const ROWS: usize = 14;

    fn detect() -> Option<Avx512> {
        is_x86_feature_detected!("avx512f").then_some(Avx512(()))
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx512f")]
        fn with_features<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the token exists, so the processor has it.
        unsafe { with_features(work) }
    }

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        // SAFETY: the token exists; so in all the blocks below.
        unsafe { _mm512_set1_ps(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> __m512 {
        let from = &from[..Self::LANES];
        // SAFETY: sixteen floats, by the line above.
        unsafe { _mm512_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: __m512, to: &mut [f32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: sixteen floats, by the line above.
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn store_half(self, v: __m512, to: &mut [u16]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: room for sixteen bf16, by the line above.
        unsafe {
            let high = _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(rounded(v)));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), high);
        }
    }

    #[inline(always)]
    fn half(self, v: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe {
            let high = _mm512_set1_epi32(0xffff_0000_u32 as i32);
            _mm512_castsi512_ps(_mm512_and_si512(rounded(v), high))
        }
    }

    #[inline(always)]
    fn store_half_pairs(self, a: __m512, b: __m512, to: &mut [u16]) {
        let to = &mut to[..2 * Self::LANES];
        // SAFETY: room for 32 bf16, by the line above.
        unsafe {
            let low = _mm512_srli_epi32::<16>(rounded(a));
            let high = _mm512_and_si512(rounded(b), _mm512_set1_epi32(0xffff_0000_u32 as i32));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), _mm512_or_si512(low, high));
        }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_div_ps(a, b) }
    }

    #[inline(always)]
    fn reciprocal(self, v: __m512) -> __m512 {
        // SAFETY: the token. A division takes ten times as long as this estimate of
        // 14 bits and a step of Newton's method.
        unsafe {
            let near = _mm512_rcp14_ps(v);
            let error = _mm512_fnmadd_ps(v, near, _mm512_set1_ps(1.0));
            _mm512_fmadd_ps(near, error, near)
        }
    }

    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_min_ps(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_max_ps(a, b) }
    }

    #[inline(always)]
    fn fma(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn round(self, v: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(v) }
    }

    #[inline(always)]
    fn scale(self, v: __m512, n: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_scalef_ps(v, n) }
    }

    #[inline(always)]
    fn swap_pairs(self, v: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_permute_ps::<0b10_11_00_01>(v) }
    }

    #[inline(always)]
    fn sum(self, v: __m512) -> f32 {
        // SAFETY: the token.
        unsafe { _mm512_reduce_add_ps(v) }
    }

    #[inline(always)]
    fn greatest(self, v: __m512) -> f32 {
        // SAFETY: the token.
        unsafe { _mm512_reduce_max_ps(v) }
    }

    #[inline(always)]
    fn prefetch(self, from: *const f32) {
        // SAFETY: a prefetch of an address that does not exist does nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) };
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> __m512 {
        // SAFETY: the token, and the caller vouches for sixteen floats.
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store_at(self, v: __m512, to: *mut f32) {
        // SAFETY: the token, and the caller vouches for sixteen floats.
        unsafe { _mm512_storeu_ps(to, v) }
    }
}
