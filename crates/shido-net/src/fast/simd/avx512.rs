//! AVX-512 Foundation, Byte and Word for halves, Doubleword and Quadword for powers:
//! sixteen floats.
#![allow(unsafe_code)] // Every block calls instructions the token vouches for.

use std::arch::x86_64::{
    __m512, __m512i, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEG_INF, _MM_HINT_T0, _mm_prefetch,
    _mm256_storeu_si256, _mm512_add_epi32, _mm512_add_ps, _mm512_and_si512, _mm512_castpd_ps,
    _mm512_castps_pd, _mm512_castps_si512, _mm512_castsi512_ps, _mm512_castsi512_si256,
    _mm512_div_ps, _mm512_fmadd_ps, _mm512_fnmadd_ps, _mm512_loadu_ps, _mm512_loadu_si512,
    _mm512_mask_blend_epi16, _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_permutex2var_ps,
    _mm512_permutexvar_epi16, _mm512_range_ps, _mm512_rcp14_ps, _mm512_reduce_add_ps,
    _mm512_reduce_ps, _mm512_scalef_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512,
    _mm512_shuffle_f32x4, _mm512_shuffle_i32x4, _mm512_srli_epi32, _mm512_storeu_ps,
    _mm512_storeu_si512, _mm512_sub_ps, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpackhi_pd, _mm512_unpackhi_ps, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
    _mm512_unpacklo_pd, _mm512_unpacklo_ps,
};

use super::{PAIRS, Simd, WIDEST};

/// The token of AVX-512F, BW and DQ.
#[derive(Debug, Clone, Copy)]
pub(in crate::fast) struct Avx512(());

/// The odd sixteenth parts of a vector: where the upper halves of its lanes are.
const UPPER: [u16; 32] = {
    let mut upper = [0; 32];
    let mut i = 0;
    while i < 16 {
        upper[i] = 2 * i as u16 + 1;
        i += 1;
    }
    upper
};

/// Pieces of [`SILU`] for one of its argument.
const PIECES: f32 = 1.6;
/// How far out the last of them is looked up.
const LAST: f32 = 15.4 / PIECES;
/// What leaves a number's nearest whole number in the lowest bits of their sum.
const WHOLE: f32 = 12_582_912.0;

/// x / (1 + e⁻ˣ) in 31 pieces from −15 to 15, each at its five lowest bits: what stands
/// before x³, x², x and 1. The last pieces are lines beside 0 and x.
const SILU: [[f32; 32]; 4] = silu();

const fn silu() -> [[f32; 32]; 4] {
    // e to the power of 0.625, the width of a piece, and of two distances from its middle
    // at which curve and function meet.
    const WIDTH: f64 = 1.868_245_957_432_222_4;
    const FAR: (f64, f64) = (0.288_72, 1.334_717_955_175_231_7);
    const NEAR: (f64, f64) = (0.119_59, 1.127_034_672_623_388_4);
    /// How far the lines are from 0 and x: half of what the function is where they begin.
    const BESIDE: f64 = 5e-4;
    let mut tables = [[0.0; 32]; 4];
    let mut middle = 1.0;
    let mut i = 0;
    while i < 16 {
        let x = i as f64 / PIECES as f64;
        let (far, far_mean) = around(x, middle, FAR);
        let (near, near_mean) = around(x, middle, NEAR);
        let apart = FAR.0 * FAR.0 - NEAR.0 * NEAR.0;
        let mut cube = (far - near) / apart;
        let mut square = (far_mean - near_mean) / apart;
        let mut slope = near - cube * NEAR.0 * NEAR.0;
        let mut here = near_mean - square * NEAR.0 * NEAR.0;
        if i == 15 {
            (cube, square, slope, here) = (0.0, 0.0, 1.0, x - BESIDE);
        }
        let terms = [
            cube,
            square - 3.0 * cube * x,
            slope - 2.0 * square * x + 3.0 * cube * x * x,
            here - slope * x + square * x * x - cube * x * x * x,
        ];
        // On the other side x is missing.
        let mirrored = [-terms[0], terms[1], 1.0 - terms[2], terms[3]];
        let mut term = 0;
        while term < 4 {
            tables[term][(32 - i) % 32] = mirrored[term] as f32;
            tables[term][i] = terms[term] as f32;
            term += 1;
        }
        middle *= WIDTH;
        i += 1;
    }
    tables
}

/// Returns the slope between two points of the function, so far from one whose power of e
/// is known, and their mean.
const fn around(x: f64, power: f64, (aside, step): (f64, f64)) -> (f64, f64) {
    let below = (x - aside) / (1.0 + step / power);
    let above = (x + aside) / (1.0 + 1.0 / (power * step));
    ((above - below) / (2.0 * aside), below.midpoint(above))
}

/// Returns the bits of floats whose upper halves are rounded to the nearest bf16.
///
/// # Safety
///
/// The processor must have AVX-512F.
#[inline(always)]
unsafe fn rounded(v: __m512) -> __m512i {
    // SAFETY: the caller vouches for it.
    unsafe { _mm512_add_epi32(_mm512_castps_si512(v), _mm512_set1_epi32(0x8000)) }
}

/// Returns the upper halves of a₀, b₀, a₁, b₁ and so on.
///
/// # Safety
///
/// The processor must have AVX-512F and BW.
#[inline(always)]
unsafe fn upper_pairs(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller vouches for it.
    unsafe { _mm512_mask_blend_epi16(0xaaaa_aaaa, _mm512_srli_epi32::<16>(a), b) }
}

impl Simd for Avx512 {
    type V = __m512;
    const LANES: usize = 16;
    const ROWS: usize = 14;
    const FLOORS: bool = true;

    fn detect() -> Option<Avx512> {
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        all.then_some(Avx512(()))
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq")]
        fn with_features<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the token exists, so the processor has all three.
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
            // The upper half of each lane, in one step.
            let upper = _mm512_loadu_si512(UPPER.as_ptr().cast());
            let high = _mm512_permutexvar_epi16(upper, rounded(v));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_castsi512_si256(high));
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
            let pairs = upper_pairs(rounded(a), rounded(b));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), pairs);
        }
    }

    #[inline(always)]
    fn cut_half(self, v: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe {
            let high = _mm512_set1_epi32(0xffff_0000_u32 as i32);
            _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(v), high))
        }
    }

    #[inline(always)]
    fn cut_half_pairs(self, a: __m512, b: __m512, to: &mut [u16]) {
        let to = &mut to[..2 * Self::LANES];
        // SAFETY: room for 32 bf16, by the line above.
        unsafe {
            let pairs = upper_pairs(_mm512_castps_si512(a), _mm512_castps_si512(b));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), pairs);
        }
    }

    #[inline(always)]
    fn transpose_pairs(self, from: &[u16], stride: usize, to: &mut [u16; PAIRS]) {
        let from = &from[..(WIDEST - 1) * stride + 2 * WIDEST];
        // SAFETY: sixteen vectors, the last of which ends where the line above says; room
        // for as many; and the token.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); WIDEST];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = _mm512_loadu_si512(from.as_ptr().add(stride * i).cast());
            }
            // Pairs of rows, then fours: each part of 128 bits holds one column of four rows.
            let mut twos = rows;
            for i in (0..WIDEST).step_by(2) {
                twos[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
                twos[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
            }
            let mut fours = twos;
            for i in (0..WIDEST).step_by(4) {
                fours[i] = _mm512_unpacklo_epi64(twos[i], twos[i + 2]);
                fours[i + 1] = _mm512_unpackhi_epi64(twos[i], twos[i + 2]);
                fours[i + 2] = _mm512_unpacklo_epi64(twos[i + 1], twos[i + 3]);
                fours[i + 3] = _mm512_unpackhi_epi64(twos[i + 1], twos[i + 3]);
            }
            for i in 0..4 {
                let even = _mm512_shuffle_i32x4::<0x88>(fours[i], fours[i + 4]);
                let odd = _mm512_shuffle_i32x4::<0xdd>(fours[i], fours[i + 4]);
                let even2 = _mm512_shuffle_i32x4::<0x88>(fours[i + 8], fours[i + 12]);
                let odd2 = _mm512_shuffle_i32x4::<0xdd>(fours[i + 8], fours[i + 12]);
                let columns = [
                    (i, _mm512_shuffle_i32x4::<0x88>(even, even2)),
                    (i + 4, _mm512_shuffle_i32x4::<0x88>(odd, odd2)),
                    (i + 8, _mm512_shuffle_i32x4::<0xdd>(even, even2)),
                    (i + 12, _mm512_shuffle_i32x4::<0xdd>(odd, odd2)),
                ];
                for (column, v) in columns {
                    _mm512_storeu_si512(to.as_mut_ptr().add(2 * WIDEST * column).cast(), v);
                }
            }
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
    fn near_reciprocal(self, v: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_rcp14_ps(v) }
    }

    #[inline(always)]
    fn near_silu(self, x: __m512) -> Option<__m512> {
        let inside = self.within(x, LAST);
        // SAFETY: the token, and each table is two vectors.
        unsafe {
            let place = _mm512_fmadd_ps(inside, _mm512_set1_ps(PIECES), _mm512_set1_ps(WHOLE));
            let place = _mm512_castps_si512(place);
            let [cube, square, slope, first] = SILU.each_ref().map(
                #[inline(always)]
                |table| {
                    let low = _mm512_loadu_ps(table.as_ptr());
                    let high = _mm512_loadu_ps(table[16..].as_ptr());
                    _mm512_permutex2var_ps(low, place, high)
                },
            );
            let v = _mm512_fmadd_ps(_mm512_fmadd_ps(cube, x, square), x, slope);
            Some(_mm512_fmadd_ps(v, x, first))
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
    fn fnma(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_fnmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn within(self, v: __m512, limit: f32) -> __m512 {
        // SAFETY: the token. The lesser absolute value, with the sign of the first.
        unsafe { _mm512_range_ps::<0b0010>(v, _mm512_set1_ps(limit)) }
    }

    #[inline(always)]
    fn fraction(self, x: __m512) -> __m512 {
        // SAFETY: the token.
        unsafe { _mm512_reduce_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x) }
    }

    #[inline(always)]
    fn scale(self, v: __m512, x: __m512) -> __m512 {
        // SAFETY: the token. The instruction rounds x down by itself.
        unsafe { _mm512_scalef_ps(v, x) }
    }

    #[inline(always)]
    fn sum(self, v: __m512) -> f32 {
        // SAFETY: the token.
        unsafe { _mm512_reduce_add_ps(v) }
    }

    #[inline(always)]
    fn sums(self, [a, b, c, d]: [__m512; 4]) -> [f32; 4] {
        // SAFETY: the token. Half as many steps as four sums: each joins two vectors.
        unsafe {
            let ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
            let cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
            let (ab, cd) = (_mm512_castps_pd(ab), _mm512_castps_pd(cd));
            let (low, high) = (_mm512_unpacklo_pd(ab, cd), _mm512_unpackhi_pd(ab, cd));
            let quarters = _mm512_add_ps(_mm512_castpd_ps(low), _mm512_castpd_ps(high));
            let upper = _mm512_shuffle_f32x4::<0b11_10>(quarters, quarters);
            let halves = _mm512_add_ps(quarters, upper);
            let upper = _mm512_shuffle_f32x4::<0b01>(halves, halves);
            let mut lanes = [0.0; WIDEST];
            self.store(_mm512_add_ps(halves, upper), &mut lanes);
            [lanes[0], lanes[1], lanes[2], lanes[3]]
        }
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
