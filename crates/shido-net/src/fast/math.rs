//! The functions of a network that are not sums and products, on whole vectors.
//!
//! `exp` is right to about 1e-7 of its value from −87 to 88 and stays at its end
//! values outside, so nothing here ever makes an infinity or a NaN.

use super::simd::Simd;
use crate::Activation;

/// Returns eˣ.
#[inline(always)]
pub(super) fn exp<S: Simd>(s: S, x: S::V) -> S::V {
    exp_within(s, s.min(s.max(x, s.splat(-87.0)), s.splat(88.0)))
}

/// Returns eˣ for x from −87 to 88.
#[inline(always)]
pub(super) fn exp_within<S: Simd>(s: S, x: S::V) -> S::V {
    let n = s.round(s.mul(x, s.splat(std::f32::consts::LOG2_E)));
    // x − n · ln 2, with ln 2 in two parts so that the product is exact.
    let r = s.fma(n, s.splat(-0.693_359_4), x);
    let r = s.fma(n, s.splat(2.121_944_4e-4), r);
    // The series of eʳ; |r| ≤ ln 2 / 2, so the next term is below 1e-8.
    let mut sum = s.splat(1.0 / 5040.0);
    for term in [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        sum = s.fma(sum, r, s.splat(term));
    }
    s.scale(sum, n)
}

/// Returns 2ˣ for x from −126 to 127.
#[inline(always)]
pub(super) fn exp2_within<S: Simd>(s: S, x: S::V) -> S::V {
    let n = s.round(x);
    let r = s.sub(x, n);
    // The series of eᵗ with t = r · ln 2; |r| ≤ ½, so the next term is about 1e-7.
    let mut sum = s.splat(1.540_353e-4);
    for term in [
        1.333_355_8e-3,
        9.618_129e-3,
        5.550_411e-2,
        2.402_265e-1,
        std::f32::consts::LN_2,
        1.0,
    ] {
        sum = s.fma(sum, r, s.splat(term));
    }
    s.scale(sum, n)
}

/// Returns x / (1 + e⁻ˣ).
#[inline(always)]
pub(super) fn silu<S: Simd>(s: S, x: S::V) -> S::V {
    let power = exp(s, s.sub(s.splat(0.0), x));
    s.mul(x, s.reciprocal(s.add(power, s.splat(1.0))))
}

/// Returns x · tanh(ln(1 + eˣ)).
#[inline(always)]
pub(super) fn mish<S: Simd>(s: S, x: S::V) -> S::V {
    // With e = eˣ the tanh is (e² + 2e) / (e² + 2e + 2); above 20 it is 1.
    let e = exp(s, s.min(x, s.splat(20.0)));
    let n = s.mul(e, s.add(e, s.splat(2.0)));
    s.mul(s.mul(n, s.reciprocal(s.add(n, s.splat(2.0)))), x)
}

/// Applies an activation to one vector.
#[inline(always)]
pub(super) fn activated<S: Simd>(s: S, activation: Activation, v: S::V) -> S::V {
    match activation {
        Activation::Identity => v,
        Activation::Relu => s.max(v, s.splat(0.0)),
        Activation::Mish => mish(s, v),
        Activation::Silu => silu(s, v),
    }
}

/// Applies `map` and the activation to each vector of a row of `len` floats.
///
/// `map` gets the index of the vector's first float; `put` takes the result.
#[inline(always)]
pub(super) fn activate<S: Simd>(
    s: S,
    activation: Activation,
    len: usize,
    mut map: impl FnMut(usize) -> S::V,
    mut put: impl FnMut(usize, S::V),
) {
    // The choice stands outside the loops: they are the hot part.
    match activation {
        Activation::Identity => {
            for at in (0..len).step_by(S::LANES) {
                put(at, map(at));
            }
        }
        Activation::Relu => {
            for at in (0..len).step_by(S::LANES) {
                put(at, s.max(map(at), s.splat(0.0)));
            }
        }
        Activation::Mish => {
            for at in (0..len).step_by(S::LANES) {
                put(at, mish(s, map(at)));
            }
        }
        Activation::Silu => {
            for at in (0..len).step_by(S::LANES) {
                put(at, silu(s, map(at)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::simd::{Plain, WIDEST};

    fn check<S: Simd>(found: impl Fn(S, S::V) -> S::V, expected: impl Fn(f64) -> f64, slack: f64) {
        let Some(s) = S::detect() else { return };
        for i in -8600..8600 {
            let x = i as f32 * 0.01;
            let mut out = [0.0; WIDEST];
            s.run(|| s.store(found(s, s.splat(x)), &mut out));
            let expected = expected(f64::from(x));
            let error = (f64::from(out[0]) - expected).abs();
            assert!(
                error <= slack * expected.abs() + 1e-37,
                "{x}: {} instead of {expected}",
                out[0]
            );
        }
    }

    fn check_all<S: Simd>() {
        check::<S>(exp, f64::exp, 2e-7);
        check::<S>(exp2_within, f64::exp2, 3e-7);
        check::<S>(silu, |x| x / (1.0 + (-x).exp()), 6e-7);
        check::<S>(mish, |x| x * x.exp().ln_1p().tanh(), 6e-7);
    }

    #[test]
    fn functions_are_right_to_the_last_digits() {
        check_all::<Plain>();
        #[cfg(target_arch = "x86_64")]
        {
            check_all::<crate::fast::simd::Avx2>();
            check_all::<crate::fast::simd::Avx512>();
        }
        #[cfg(target_arch = "aarch64")]
        check_all::<crate::fast::simd::Neon>();
    }

    #[test]
    fn nothing_far_out_is_infinite() {
        let s = Plain::detect().unwrap();
        for x in [-1e30, -200.0, 200.0, 1e30] {
            for y in [exp(s, s.splat(x)), silu(s, s.splat(x)), mish(s, s.splat(x))] {
                assert!(y[0].is_finite(), "{x}: {}", y[0]);
            }
        }
    }
}
