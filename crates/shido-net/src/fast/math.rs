//! The functions of a network that are not sums and products, on whole vectors.
//!
//! Powers are of two: 2ˣ is a polynomial of the fraction of x, times a power that is
//! only an exponent. How long the polynomial is depends on what the result is rounded
//! to: right to about 2e-7 of its value for fp32, to 1e-4 for bf16, which keeps eight
//! bits. Powers stay at their end values outside the range of floats, so nothing here
//! ever makes an infinity or a NaN.

use std::f32::consts::{LN_2, LOG2_E};

use super::arithmetic::Element;
use super::simd::{Simd, WIDEST};
use crate::Activation;

/// 2ˣ from −½ to ½ with the least relative error, the highest power first.
const AROUND_ZERO: [f32; 6] = [
    1.327_647_3e-3,
    9.675_541e-3,
    5.550_713e-2,
    2.402_212e-1,
    LN_2,
    1.0,
];
/// The same with fewer terms.
const AROUND_ZERO_SHORT: [f32; 4] = [5.517_167e-2, 2.426_111_3e-1, 6.932_61e-1, 9.999_280_6e-1];
/// 2ˣ from 0 to 1 with the least relative error, the highest power first.
const FROM_ZERO: [f32; 6] = [
    1.877_576_7e-3,
    8.989_34e-3,
    5.582_631_8e-2,
    2.401_536_1e-1,
    6.931_531e-1,
    9.999_999_4e-1,
];
/// The same with fewer terms.
const FROM_ZERO_SHORT: [f32; 4] = [7.802_452e-2, 2.260_671_6e-1, 6.958_335_6e-1, 9.999_252e-1];

/// Returns 2ˣ for x from −125 to 126, as exact as an element can tell.
#[inline(always)]
pub(super) fn exp2<S: Simd, E: Element>(s: S, x: S::V) -> S::V {
    let fraction = s.fraction(x);
    let power = match (E::FINE, S::FLOORS) {
        (true, true) => series(s, fraction, FROM_ZERO),
        (true, false) => series(s, fraction, AROUND_ZERO),
        (false, true) => series(s, fraction, FROM_ZERO_SHORT),
        (false, false) => series(s, fraction, AROUND_ZERO_SHORT),
    };
    s.scale(power, x)
}

#[inline(always)]
fn series<S: Simd, const N: usize>(s: S, x: S::V, terms: [f32; N]) -> S::V {
    let mut sum = s.splat(terms[0]);
    for term in &terms[1..] {
        sum = s.fma(sum, x, s.splat(*term));
    }
    sum
}

/// Returns 1 / v for v of at least 1, as exact as an element can tell.
#[inline(always)]
fn reciprocal<S: Simd, E: Element>(s: S, v: S::V) -> S::V {
    if E::FINE {
        s.reciprocal(v)
    } else {
        s.near_reciprocal(v)
    }
}

/// Returns x / (1 + e⁻ˣ).
#[inline(always)]
pub(super) fn silu<S: Simd, E: Element>(s: S, x: S::V) -> S::V {
    if !E::FINE
        && let Some(v) = s.near_silu(x)
    {
        return v;
    }
    let power = exp2::<S, E>(s, s.within(s.mul(x, s.splat(-LOG2_E)), 100.0));
    s.mul(x, reciprocal::<S, E>(s, s.add(power, s.splat(1.0))))
}

/// Returns x · tanh(ln(1 + eˣ)).
#[inline(always)]
pub(super) fn mish<S: Simd, E: Element>(s: S, x: S::V) -> S::V {
    // With e = eˣ the tanh is (e² + 2e) / (e² + 2e + 2); at the end values it is 1 or 0.
    let e = exp2::<S, E>(s, s.within(s.mul(x, s.splat(LOG2_E)), 60.0));
    let n = s.mul(e, s.add(e, s.splat(2.0)));
    let part = s.mul(n, reciprocal::<S, E>(s, s.add(n, s.splat(2.0))));
    s.mul(part, x)
}

/// Applies an activation to one vector.
#[inline(always)]
pub(super) fn activated<S: Simd, E: Element>(s: S, activation: Activation, v: S::V) -> S::V {
    match activation {
        Activation::Identity => v,
        Activation::Relu => s.max(v, s.splat(0.0)),
        Activation::Mish => mish::<S, E>(s, v),
        Activation::Silu => silu::<S, E>(s, v),
    }
}

/// Applies `map` and the activation to each vector of a row of `units`, each of `parts` (one
/// or two) parts of [`WIDEST`] floats.
///
/// `map` gets a part and where in it the vector begins; `put` takes the results for a unit.
#[inline(always)]
pub(super) fn activate<S: Simd, E: Element>(
    s: S,
    activation: Activation,
    (units, parts): (usize, usize),
    map: impl FnMut(usize, usize) -> S::V,
    put: impl FnMut(usize, usize, [S::V; 2]),
) {
    let len = (units, parts);
    // The choice stands outside the loops: they are the hot part.
    match activation {
        Activation::Identity => each::<S>(
            len,
            map,
            put,
            #[inline(always)]
            |v| v,
        ),
        Activation::Relu => each::<S>(
            len,
            map,
            put,
            #[inline(always)]
            |v| s.max(v, s.splat(0.0)),
        ),
        Activation::Mish => each::<S>(
            len,
            map,
            put,
            #[inline(always)]
            |v| mish::<S, E>(s, v),
        ),
        Activation::Silu => each::<S>(
            len,
            map,
            put,
            #[inline(always)]
            |v| silu::<S, E>(s, v),
        ),
    }
}

#[inline(always)]
fn each<S: Simd>(
    (units, parts): (usize, usize),
    mut map: impl FnMut(usize, usize) -> S::V,
    mut put: impl FnMut(usize, usize, [S::V; 2]),
    function: impl Fn(S::V) -> S::V,
) {
    for unit in 0..units {
        for at in (0..WIDEST).step_by(S::LANES) {
            let first = function(map(unit * parts, at));
            let second = if parts == 2 {
                function(map(unit * parts + 1, at))
            } else {
                first
            };
            put(unit, at, [first, second]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::simd::Plain;

    fn check<S: Simd>(
        found: impl Fn(S, S::V) -> S::V,
        expected: impl Fn(f64) -> f64,
        slack: (f64, f64),
    ) {
        check_up_to::<S>(86.0, found, expected, slack);
    }

    fn check_up_to<S: Simd>(
        end: f32,
        found: impl Fn(S, S::V) -> S::V,
        expected: impl Fn(f64) -> f64,
        slack: (f64, f64),
    ) {
        let Some(s) = S::detect() else { return };
        let end = (end * 100.0) as i32;
        for i in -end..end {
            let x = i as f32 * 0.01;
            let mut out = [0.0; WIDEST];
            s.run(|| s.store(found(s, s.splat(x)), &mut out));
            let expected = expected(f64::from(x));
            let error = (f64::from(out[0]) - expected).abs();
            assert!(
                error <= slack.0 * expected.abs() + slack.1,
                "{x}: {} instead of {expected}",
                out[0]
            );
        }
    }

    fn check_all<S: Simd>() {
        check::<S>(exp2::<S, f32>, f64::exp2, (4e-7, 0.0));
        check::<S>(exp2::<S, u16>, f64::exp2, (1e-4, 0.0));
        let (silu64, mish64) = (
            |x: f64| x / (1.0 + (-x).exp()),
            |x: f64| x * x.exp().ln_1p().tanh(),
        );
        check::<S>(silu::<S, f32>, silu64, (5e-7, 1e-7));
        // A table of the function ends further out.
        let by_table = S::detect().is_some_and(|s| s.near_silu(s.splat(0.0)).is_some());
        let beyond = if by_table { 7e-4 } else { 1e-4 };
        check::<S>(silu::<S, u16>, silu64, (3e-4, beyond));
        check_up_to::<S>(8.5, silu::<S, u16>, silu64, (3e-4, 1e-4));
        check::<S>(mish::<S, f32>, mish64, (5e-7, 1e-7));
        check::<S>(mish::<S, u16>, mish64, (3e-4, 1e-4));
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
            let x = s.splat(x);
            for y in [silu::<_, f32>(s, x), mish::<_, f32>(s, x)] {
                assert!(y[0].is_finite(), "{}: {}", x[0], y[0]);
            }
        }
    }
}
