//! AVX2 with fused multiply-add: eight floats.
#![allow(unsafe_code)] // Every block calls instructions the token vouches for.

use std::arch::x86_64::{
    __m256, _MM_HINT_T0, _mm_packus_epi32, _mm_prefetch, _mm_storeu_si128, _mm256_add_epi32,
    _mm256_add_ps, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_div_ps,
    _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_fnmadd_ps, _mm256_loadu_ps, _mm256_max_ps,
    _mm256_min_ps, _mm256_mul_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_slli_epi32,
    _mm256_srli_epi32, _mm256_storeu_ps, _mm256_sub_ps,
};

use super::Simd;

/// The token of AVX2 and FMA.
#[derive(Debug, Clone, Copy)]
pub(in crate::fast) struct Avx2(());

/// 1.5 · 2²³: what is added to it has no room for a fraction.
const SHIFT: f32 = 12_582_912.0;

/// Returns [`SHIFT`] and x, rounded to a whole number.
///
/// # Safety
///
/// The processor must have AVX.
#[inline(always)]
unsafe fn shifted(x: __m256) -> __m256 {
    // SAFETY: the caller vouches for it.
    unsafe { _mm256_add_ps(x, _mm256_set1_ps(SHIFT)) }
}

impl Simd for Avx2 {
    type V = __m256;
    const LANES: usize = 8;
    const ROWS: usize = 6;

    fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,fma")]
        fn with_features<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the token exists, so the processor has both.
        unsafe { with_features(work) }
    }

    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        // SAFETY: the token exists; so in all the blocks below.
        unsafe { _mm256_set1_ps(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f32]) -> __m256 {
        let from = &from[..Self::LANES];
        // SAFETY: eight floats, by the line above.
        unsafe { _mm256_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: __m256, to: &mut [f32]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: eight floats, by the line above.
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), v) }
    }

    #[inline(always)]
    fn store_half(self, v: __m256, to: &mut [u16]) {
        let to = &mut to[..Self::LANES];
        // SAFETY: room for eight bf16, by the line above.
        unsafe {
            let rounded = _mm256_add_epi32(_mm256_castps_si256(v), _mm256_set1_epi32(0x8000));
            let high = _mm256_srli_epi32::<16>(rounded);
            let packed = _mm_packus_epi32(
                _mm256_castsi256_si128(high),
                _mm256_extracti128_si256::<1>(high),
            );
            _mm_storeu_si128(to.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    fn div(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_div_ps(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_min_ps(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    fn fma(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn fnma(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_fnmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn fraction(self, x: __m256) -> __m256 {
        // SAFETY: the token.
        unsafe { _mm256_sub_ps(x, _mm256_sub_ps(shifted(x), _mm256_set1_ps(SHIFT))) }
    }

    #[inline(always)]
    fn scale(self, v: __m256, x: __m256) -> __m256 {
        // SAFETY: the token. The exponent of a float begins at bit 23; the whole number
        // is in the last bits of the shifted x.
        unsafe {
            let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(shifted(x)));
            _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(v), exponent))
        }
    }

    #[inline(always)]
    fn prefetch(self, from: *const f32) {
        // SAFETY: a prefetch of an address that does not exist does nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) };
    }

    #[inline(always)]
    unsafe fn load_at(self, from: *const f32) -> __m256 {
        // SAFETY: the token, and the caller vouches for eight floats.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store_at(self, v: __m256, to: *mut f32) {
        // SAFETY: the token, and the caller vouches for eight floats.
        unsafe { _mm256_storeu_ps(to, v) }
    }
}
