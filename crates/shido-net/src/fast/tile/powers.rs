//! Powers of two in integers of sixteen bits: what makes chances of scores.
//!
//! A bf16 is sign, eight bits of exponent, seven of fraction. So 128 · (x + 127), as an
//! integer, is nearly the pattern of 2ˣ: right at whole x, and between them too large by
//! what 1 + f exceeds 2ᶠ, which a table says. Scores come in [`STEPS`] of a power, so that
//! where sixteen bits end is where chances are cut off: at 2⁻⁶⁴ and 2⁶⁴. It takes less
//! than half as many instructions as powers in floats, and is as exact as bf16.
//!
//! Two vectors of scores become one of chances, whose quarters are theirs in turns. To put
//! them straight would cost more than to have the values in that order; see [`order`].
#![allow(unsafe_code)] // Vectors of integers are for these powers alone.

use super::DEPTH;
use crate::fast::simd::{Simd, WIDEST, from_half};

/// Steps of a power of two: 9 bits.
pub(super) const STEPS: f32 = 512.0;
/// Bits of a step that a chance cannot tell.
const FINER: u32 = 2;
/// What the table is above what it stands for, so that none of it is negative.
const ABOVE: i16 = 11;
/// The pattern of 1, less what the table adds.
const ONE: i16 = (127 << 7) - ABOVE;

/// How far 2ᶠ is below 1 + f, in steps, and half of what a chance can tell, so that what
/// follows rounds to the nearest; one for each eight steps.
const TABLE: [u8; 64] = table();

const fn table() -> [u8; 64] {
    let mut table = [0; 64];
    // 2 to the power of 3.5 steps, the middle of the first eight, and of eight steps.
    let (mut power, eight) = (1.004_749_554_350_707, 1.010_889_286_051_700_5);
    let mut i = 0;
    while i < 64 {
        let fraction = (8.0 * i as f64 + 3.5) / 512.0;
        let below = 512.0 * (1.0 + fraction - power);
        table[i] = (((ABOVE as f64) * 4.0 + 2.0 - below) + 0.5) as u8;
        power *= eight;
        i += 1;
    }
    table
}

/// Returns which key of each [`DEPTH`] has its chance at a place.
pub(super) const fn order(place: usize) -> usize {
    place / 8 * 4 + place % 4 + place % 8 / 4 * (DEPTH / 2)
}

/// Writes two to the power of each score, in rows of so many of which the first `count`
/// stand for something, and their sums. The others become zero.
pub(super) fn powers<S: Simd>(
    s: S,
    scores: &[f32],
    (count, width): (usize, usize),
    chances: &mut [u16],
    sums: &mut [f32],
) {
    assert!(width == count.next_multiple_of(DEPTH) && chances.len() == scores.len());
    assert!(scores.len() == sums.len() * width);
    #[cfg(target_arch = "x86_64")]
    if vectors::detected() {
        let lines = scores.chunks(4 * width).zip(chances.chunks_mut(4 * width));
        for ((scores, chances), sums) in lines.zip(sums.chunks_mut(4)) {
            let mut parts = [[0.0; WIDEST]; 4];
            // SAFETY: the processor has the instructions.
            unsafe { vectors::powers(scores, (count, width), chances, &mut parts) };
            s.run(
                #[inline(always)]
                || sums.copy_from_slice(&sums_of(s, &parts)[..sums.len()]),
            );
        }
        return;
    }
    plain(scores, (count, width), chances, sums);
}

/// Returns the sums of four rows of sixteen.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sums_of<S: Simd>(s: S, [a, b, c, d]: &[[f32; WIDEST]; 4]) -> [f32; 4] {
    let mut sums = [0.0; 4];
    for at in (0..WIDEST).step_by(S::LANES) {
        let [a, b, c, d] = [
            s.load(&a[at..]),
            s.load(&b[at..]),
            s.load(&c[at..]),
            s.load(&d[at..]),
        ];
        for (sum, more) in sums.iter_mut().zip(s.sums([a, b, c, d])) {
            *sum += more;
        }
    }
    sums
}

/// [`powers`] without vectors.
fn plain(scores: &[f32], (count, width): (usize, usize), chances: &mut [u16], sums: &mut [f32]) {
    let lines = scores.chunks_exact(width);
    for ((scores, chances), sum) in lines.zip(chances.chunks_exact_mut(width)).zip(sums) {
        *sum = 0.0;
        for (place, chance) in chances.iter_mut().enumerate() {
            let key = place / DEPTH * DEPTH + order(place % DEPTH);
            *chance = if key < count { power(scores[key]) } else { 0 };
            *sum += from_half(*chance);
        }
    }
}

/// Returns two to the power of a score.
fn power(score: f32) -> u16 {
    // A conversion keeps to the range of its integers.
    let steps = score.round_ties_even() as i16;
    let below = TABLE[usize::from(steps as u16 >> 3 & 63)];
    ((steps.saturating_add(i16::from(below)) >> FINER) + ONE) as u16
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::asm;
    use std::arch::x86_64::{
        __m512bh, __m512i, _mm512_add_epi16, _mm512_add_ps, _mm512_adds_epi16, _mm512_cvtps_epi32,
        _mm512_dpbf16_ps, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_maskz_mov_epi16,
        _mm512_packs_epi32, _mm512_set1_epi16, _mm512_setzero_ps, _mm512_srai_epi16,
        _mm512_srli_epi16, _mm512_storeu_ps, _mm512_storeu_si512,
    };

    use super::{DEPTH, FINER, ONE, TABLE, WIDEST, order};

    /// The pattern of 1.
    const UNIT: i16 = 127 << 7;
    /// All places.
    const ALL: u32 = u32::MAX;
    /// The lower byte of each chance.
    const LOWER: u64 = 0x5555_5555_5555_5555;

    /// Returns whether the processor has what [`powers`] needs.
    pub(super) fn detected() -> bool {
        is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bf16")
    }

    /// [`super::powers`] of as many rows as there are sums, or less, each left in parts.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bf16")]
    pub(super) fn powers(
        scores: &[f32],
        (count, width): (usize, usize),
        chances: &mut [u16],
        sums: &mut [[f32; WIDEST]],
    ) {
        // SAFETY: a vector of bf16 is one of integers, and all bits are numbers.
        let ones = unsafe { std::mem::transmute::<__m512i, __m512bh>(_mm512_set1_epi16(UNIT)) };
        let last = last_places(count);
        let lines = scores.chunks_exact(width);
        for ((scores, chances), sum) in lines.zip(chances.chunks_exact_mut(width)).zip(sums) {
            let scores = scores.as_chunks::<DEPTH>().0;
            let chances = chances.as_chunks_mut::<DEPTH>().0;
            let (end, scores) = scores.split_last().expect("a row has at least one key");
            let (to_end, chances) = chances.split_last_mut().expect("as many as scores");
            // Two sums: the next need not wait for the last.
            let mut even = _mm512_setzero_ps();
            let mut odd = _mm512_dpbf16_ps(even, put(power(end), last, to_end), ones);
            let (pairs, single) = scores.as_chunks::<2>();
            let (to_pairs, to_single) = chances.as_chunks_mut::<2>();
            for (scores, to) in pairs.iter().zip(to_pairs) {
                even = _mm512_dpbf16_ps(even, put(power(&scores[0]), ALL, &mut to[0]), ones);
                odd = _mm512_dpbf16_ps(odd, put(power(&scores[1]), ALL, &mut to[1]), ones);
            }
            for (scores, to) in single.iter().zip(to_single) {
                even = _mm512_dpbf16_ps(even, put(power(scores), ALL, to), ones);
            }
            // SAFETY: a sum is a vector.
            unsafe { _mm512_storeu_ps(sum.as_mut_ptr(), _mm512_add_ps(even, odd)) };
        }
    }

    /// Returns which places of the last 32 keys of so many are taken.
    fn last_places(count: usize) -> u32 {
        let keys = (count - 1) % DEPTH + 1;
        let taken = (0..DEPTH).filter(|&place| order(place) < keys);
        taken.map(|place| 1 << place).sum()
    }

    /// Writes the chances at some of 32 places, zero at others, and returns them.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bf16")]
    #[inline]
    fn put(chances: __m512i, places: u32, to: &mut [u16; DEPTH]) -> __m512bh {
        let chances = if places == ALL {
            chances
        } else {
            _mm512_maskz_mov_epi16(places, chances)
        };
        // SAFETY: 32 chances are a vector, of integers or of bf16.
        unsafe {
            _mm512_storeu_si512(to.as_mut_ptr().cast(), chances);
            std::mem::transmute::<__m512i, __m512bh>(chances)
        }
    }

    /// [`super::power`] of 32 scores.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    #[inline]
    fn power(scores: &[f32; DEPTH]) -> __m512i {
        // SAFETY: 32 scores are two vectors, and the table is one.
        let (first, second, table) = unsafe {
            (
                _mm512_loadu_ps(scores.as_ptr()),
                _mm512_loadu_ps(scores[DEPTH / 2..].as_ptr()),
                _mm512_loadu_si512(TABLE.as_ptr().cast()),
            )
        };
        let steps = _mm512_packs_epi32(_mm512_cvtps_epi32(first), _mm512_cvtps_epi32(second));
        let below = look_up(table, _mm512_srli_epi16::<3>(steps));
        let right = _mm512_srai_epi16::<FINER>(_mm512_adds_epi16(steps, below));
        _mm512_add_epi16(right, _mm512_set1_epi16(ONE))
    }

    /// Returns the bytes at the six lowest bits of each number.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    #[inline]
    fn look_up(table: __m512i, place: __m512i) -> __m512i {
        let bytes;
        // SAFETY: the processor has the instruction. Of its intrinsic the compiler makes
        // two, of which the second clears the upper bytes.
        unsafe {
            asm!(
                "vpermb {bytes} {{{lower}}} {{z}}, {place}, {table}",
                bytes = lateout(zmm_reg) bytes,
                lower = in(kreg) LOWER,
                place = in(zmm_reg) place,
                table = in(zmm_reg) table,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::fast::simd::Plain;

    #[test]
    fn a_power_is_as_near_as_bf16_can_be() {
        let mut most = 0.0f64;
        let mut sum = 0.0;
        let steps = -32000..32700;
        for step in steps.clone() {
            let exact = (f64::from(step) / 512.0).exp2();
            let error = f64::from(from_half(power(step as f32))) / exact - 1.0;
            most = most.max(error.abs());
            sum += error;
        }
        // Half of a last place is 0.39 %, a step 0.14 %.
        assert!(most < 0.0068, "{most}");
        let mean = sum / steps.len() as f64;
        assert!(mean.abs() < 1e-3, "{mean}");
        for (score, chance) in [(0.0, 0x3f80), (512.0, 0x4000), (-1024.0, 0x3e80)] {
            assert_eq!(power(score), chance);
        }
    }

    #[test]
    fn powers_end_at_the_limits() {
        let (low, high) = (from_half(power(-1e30)), from_half(power(1e6)));
        assert_eq!(low, (-64.0f32).exp2());
        assert!((1.7e19..1.85e19).contains(&high), "{high}");
        assert_eq!(power(-32768.0), power(-40000.0));
        assert_eq!(power(32767.0), power(32800.0));
    }

    #[test]
    fn each_key_has_one_place() {
        let mut keys: Vec<usize> = (0..DEPTH).map(order).collect();
        keys.sort_unstable();
        assert_eq!(keys, (0..DEPTH).collect::<Vec<_>>());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn vectors_do_what_is_done_without() {
        if !vectors::detected() {
            let why = "SKIPPED: this processor has no AVX-512 VBMI or BF16";
            // The harness swallows what is printed otherwise.
            writeln!(std::io::stderr(), "{why}").expect("somebody reads messages");
            return;
        }
        let width = 96;
        let mut scores: Vec<f32> = (0..700 * width).map(|i| i as f32 - 33500.5).collect();
        scores.extend((0..width).map(|i| [-1e30, 1e5, 0.0, -1e5][i % 4]));
        for count in [width, 81, 65] {
            let lines = scores.len() / width;
            let (mut expected, mut found) = (vec![1; scores.len()], vec![2; scores.len()]);
            let (mut wanted, mut sums) = (vec![0.0; lines], vec![0.0; lines]);
            plain(&scores, (count, width), &mut expected, &mut wanted);
            let s = Plain::detect().expect("every processor has it");
            powers(s, &scores, (count, width), &mut found, &mut sums);
            assert_eq!(found, expected);
            for (found, wanted) in sums.iter().zip(wanted) {
                assert!((found / wanted - 1.0).abs() < 1e-5, "{found} {wanted}");
            }
            let none = found.iter().filter(|&&chance| chance == 0).count();
            assert_eq!(none, lines * (width - count));
        }
    }
}
