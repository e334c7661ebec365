//! The transforms of Winograd's minimal filtering, for one row or column.
//!
//! A tile is a polynomial that is known by its values at 0, 1, −1, 2, −2, ½ and at
//! infinity; the smaller tiles take the first points alone. The order of values is 0, 1,
//! −1, 2, −2, infinity, ½ throughout.
#![allow(clippy::needless_range_loop)] // The loops are over indices of columns.

use crate::fast::simd::Simd;

/// Weight transform of F(4×4).
pub(super) const WEIGHTS_4: [[f64; 3]; 6] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];
/// Weight transform of F(5×5).
pub(super) const WEIGHTS_5: [[f64; 3]; 7] = [
    [-1.0 / 2.0, 0.0, 0.0],
    [-1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0],
    [1.0 / 9.0, -1.0 / 9.0, 1.0 / 9.0],
    [1.0 / 36.0, 1.0 / 18.0, 1.0 / 9.0],
    [-1.0 / 60.0, 1.0 / 30.0, -1.0 / 15.0],
    [0.0, 0.0, 1.0],
    [32.0 / 45.0, 16.0 / 45.0, 8.0 / 45.0],
];
/// Weight transform of F(2×2).
pub(super) const WEIGHTS_2: [[f64; 3]; 4] = [
    [1.0, 0.0, 0.0],
    [0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [0.0, 0.0, 1.0],
];

/// Bᵀ times a column.
#[inline(always)]
pub(super) fn input_line<S: Simd, const A: usize>(s: S, d: [S::V; A]) -> [S::V; A] {
    let mut to = d;
    if A == 7 {
        // The point ½ is a factor of all rows but its own: with it taken out, the rest
        // are those of the smaller transform.
        let half = s.splat(-0.5);
        let mut e = [d[0]; 6];
        for i in 0..6 {
            e[i] = s.fma(half, d[i], d[i + 1]);
        }
        to[..6].copy_from_slice(&input_six(s, e));
        to[6] = s.fma(s.splat(4.0), d[1], s.fma(s.splat(-5.0), d[3], d[5]));
    } else if A == 6 {
        let six = [d[0], d[1], d[2], d[3], d[4], d[5]];
        to.copy_from_slice(&input_six(s, six));
    } else {
        to[0] = s.sub(d[0], d[2]);
        to[1] = s.add(d[1], d[2]);
        to[2] = s.sub(d[2], d[1]);
        to[3] = s.sub(d[1], d[3]);
    }
    to
}

/// The transform of F(4×4).
#[inline(always)]
fn input_six<S: Simd>(s: S, d: [S::V; 6]) -> [S::V; 6] {
    let (four, five) = (s.splat(4.0), s.splat(-5.0));
    let even = s.fma(s.splat(-4.0), d[2], d[4]);
    let odd = s.fma(s.splat(-4.0), d[1], d[3]);
    let even2 = s.sub(d[4], d[2]);
    let odd2 = s.sub(d[3], d[1]);
    [
        s.fma(four, d[0], s.fma(five, d[2], d[4])),
        s.add(even, odd),
        s.sub(even, odd),
        s.fma(s.splat(2.0), odd2, even2),
        s.fma(s.splat(-2.0), odd2, even2),
        s.fma(four, d[1], s.fma(five, d[3], d[5])),
    ]
}

/// Aᵀ times a column.
#[inline(always)]
pub(super) fn output_line<S: Simd, const O: usize, const A: usize>(
    s: S,
    m: [S::V; A],
) -> [S::V; O] {
    let mut to = [m[0]; O];
    let (sum, difference) = (s.add(m[1], m[2]), s.sub(m[1], m[2]));
    if A == 4 {
        to[0] = s.add(m[0], sum);
        to[1] = s.sub(difference, m[3]);
        return to;
    }
    let (sum2, difference2) = (s.add(m[3], m[4]), s.sub(m[3], m[4]));
    to[0] = s.add(s.add(m[0], sum), sum2);
    to[1] = s.fma(s.splat(2.0), difference2, difference);
    to[2] = s.fma(s.splat(4.0), sum2, sum);
    to[3] = s.fma(s.splat(8.0), difference2, difference);
    if A == 6 {
        to[3] = s.add(to[3], m[5]);
    } else {
        to[4] = s.fma(s.splat(16.0), sum2, s.add(sum, m[5]));
        to[0] = s.add(to[0], m[6]);
        for (i, power) in [0.5, 0.25, 0.125, 0.0625].into_iter().enumerate() {
            to[i + 1] = s.fma(s.splat(power), m[6], to[i + 1]);
        }
    }
    to
}
