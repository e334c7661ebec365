//! A vector of floats, in the few operations a network needs.
//!
//! An implementation is a token: it can only be made by `detect`, on a processor
//! that has the instructions, and so its methods are safe to call. They are only
//! fast inside [`Simd::run`], where the compiler may use those instructions; all
//! code on the way there is `#[inline(always)]` for that reason.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::Neon;
pub(super) use plain::Plain;

/// The widest vector; rows of channels are padded to a multiple of it.
pub(super) const WIDEST: usize = 16;
/// Numbers of sixteen rows of sixteen pairs.
pub(super) const PAIRS: usize = 2 * WIDEST * WIDEST;

/// Vector instructions of a processor.
#[allow(unsafe_code)] // Two methods take pointers, for the innermost product.
pub(super) trait Simd: Copy + Send + Sync + 'static {
    /// A vector.
    type V: Copy;
    /// Floats in a vector; divides [`WIDEST`].
    const LANES: usize;
    /// Rows of the innermost product: as many as there are registers for.
    const ROWS: usize;
    /// Whether [`Simd::fraction`] is from the whole number below.
    const FLOORS: bool = false;

    /// Returns the token if this processor has the instructions.
    fn detect() -> Option<Self>;

    /// Runs code in which the compiler may use the instructions.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// Fills a vector with one number.
    fn splat(self, x: f32) -> Self::V;
    /// Reads the first numbers of a slice.
    fn load(self, from: &[f32]) -> Self::V;
    /// Writes to the front of a slice.
    fn store(self, v: Self::V, to: &mut [f32]);
    /// Writes to the front of a slice, rounded to the nearest bf16.
    fn store_half(self, v: Self::V, to: &mut [u16]);
    /// Rounds to the nearest bf16.
    #[inline(always)]
    fn half(self, v: Self::V) -> Self::V {
        let mut lanes = [0.0; WIDEST];
        self.store(v, &mut lanes);
        for lane in &mut lanes {
            *lane = from_half(to_half(*lane));
        }
        self.load(&lanes)
    }
    /// Writes a₀ b₀ a₁ b₁ and so on to the front of a slice, rounded to bf16.
    #[inline(always)]
    fn store_half_pairs(self, a: Self::V, b: Self::V, to: &mut [u16]) {
        let mut halves = [[0; WIDEST]; 2];
        self.store_half(a, &mut halves[0]);
        self.store_half(b, &mut halves[1]);
        for (i, to) in to[..2 * Self::LANES].chunks_exact_mut(2).enumerate() {
            to[0] = halves[0][i];
            to[1] = halves[1][i];
        }
    }
    /// Cuts off what a bf16 cannot hold.
    #[inline(always)]
    fn cut_half(self, v: Self::V) -> Self::V {
        let mut lanes = [0.0; WIDEST];
        self.store(v, &mut lanes);
        for lane in &mut lanes {
            *lane = f32::from_bits(lane.to_bits() & 0xffff_0000);
        }
        self.load(&lanes)
    }
    /// Writes a₀ b₀ a₁ b₁ and so on to the front of a slice, cut off to bf16.
    #[inline(always)]
    fn cut_half_pairs(self, a: Self::V, b: Self::V, to: &mut [u16]) {
        let mut lanes = [[0.0; WIDEST]; 2];
        self.store(a, &mut lanes[0]);
        self.store(b, &mut lanes[1]);
        for (i, to) in to[..2 * Self::LANES].chunks_exact_mut(2).enumerate() {
            to[0] = (lanes[0][i].to_bits() >> 16) as u16;
            to[1] = (lanes[1][i].to_bits() >> 16) as u16;
        }
    }
    /// Transposes sixteen rows of sixteen pairs, `stride` apart.
    #[inline(always)]
    fn transpose_pairs(self, from: &[u16], stride: usize, to: &mut [u16; PAIRS]) {
        for (row, line) in from.chunks(stride).take(WIDEST).enumerate() {
            for (column, pair) in line[..2 * WIDEST].chunks_exact(2).enumerate() {
                to[2 * (column * WIDEST + row)..][..2].copy_from_slice(pair);
            }
        }
    }

    /// a + b
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// a − b
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// a / b
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// 1 / v, right to a few units of the last place; v is at least 1.
    #[inline(always)]
    fn reciprocal(self, v: Self::V) -> Self::V {
        self.div(self.splat(1.0), v)
    }
    /// 1 / v, right to 14 bits at least; v is at least 1.
    #[inline(always)]
    fn near_reciprocal(self, v: Self::V) -> Self::V {
        self.reciprocal(v)
    }
    /// x / (1 + e⁻ˣ), if there is a faster way than by powers: right to 1e-4 for x within
    /// 8.5, and to 7e-4 beyond it.
    #[inline(always)]
    fn near_silu(self, _x: Self::V) -> Option<Self::V> {
        None
    }
    /// The lesser of each pair.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// The greater of each pair.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b + c
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// c − a · b
    #[inline(always)]
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.sub(c, self.mul(a, b))
    }
    /// v, or the limit with its sign if v is beyond it.
    #[inline(always)]
    fn within(self, v: Self::V, limit: f32) -> Self::V {
        self.min(self.max(v, self.splat(-limit)), self.splat(limit))
    }
    /// x less a whole number n, the one below x if [`Simd::FLOORS`], or the nearest.
    fn fraction(self, x: Self::V) -> Self::V;
    /// v · 2ⁿ with the n that [`Simd::fraction`] takes from x, from −125 to 126; v is
    /// between ½ and 2.
    fn scale(self, v: Self::V, x: Self::V) -> Self::V;
    /// The sum of the lanes.
    #[inline(always)]
    fn sum(self, v: Self::V) -> f32 {
        self.fold(v, |a, b| a + b)
    }

    /// The sums of the lanes of four vectors.
    #[inline(always)]
    fn sums(self, v: [Self::V; 4]) -> [f32; 4] {
        [
            self.sum(v[0]),
            self.sum(v[1]),
            self.sum(v[2]),
            self.sum(v[3]),
        ]
    }

    /// Folds the upper half of the lanes onto the lower until one is left.
    #[inline(always)]
    fn fold(self, v: Self::V, join: impl Fn(f32, f32) -> f32) -> f32 {
        let mut lanes = [0.0; WIDEST];
        self.store(v, &mut lanes);
        let mut half = Self::LANES / 2;
        while half > 0 {
            for i in 0..half {
                lanes[i] = join(lanes[i], lanes[i + half]);
            }
            half /= 2;
        }
        lanes[0]
    }

    /// Asks for a cache line to be brought near; any address will do.
    #[inline(always)]
    fn prefetch(self, _from: *const f32) {}

    /// Reads a vector.
    ///
    /// # Safety
    ///
    /// The whole vector must be readable.
    unsafe fn load_at(self, from: *const f32) -> Self::V;

    /// Writes a vector.
    ///
    /// # Safety
    ///
    /// The whole vector must be writable.
    unsafe fn store_at(self, v: Self::V, to: *mut f32);
}

/// Rounds to the nearest bf16, ties away from zero: they are rare, and to do it
/// otherwise takes three operations more. NaN does not occur.
#[inline(always)]
pub(super) fn to_half(x: f32) -> u16 {
    ((x.to_bits() + 0x8000) >> 16) as u16
}

/// Returns the float a bf16 stands for.
#[inline(always)]
pub(super) fn from_half(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: Simd>() {
        let Some(s) = S::detect() else {
            println!(
                "SKIPPED: this processor has no {}",
                std::any::type_name::<S>()
            );
            return;
        };
        let a: [f32; WIDEST] = std::array::from_fn(|i| i as f32 * 0.75 - 5.0);
        let b: [f32; WIDEST] = std::array::from_fn(|i| 3.0 - i as f32 * 0.5);
        let lanes = S::LANES;
        let same = |v: S::V, expected: &dyn Fn(usize) -> f32| {
            let mut found = [0.0; WIDEST];
            s.store(v, &mut found);
            for (i, &found) in found[..lanes].iter().enumerate() {
                assert!((found - expected(i)).abs() < 1e-6, "lane {i}: {found}");
            }
        };
        s.run(|| {
            let (x, y) = (s.load(&a), s.load(&b));
            same(s.add(x, y), &|i| a[i] + b[i]);
            same(s.sub(x, y), &|i| a[i] - b[i]);
            same(s.mul(x, y), &|i| a[i] * b[i]);
            same(s.div(x, s.splat(4.0)), &|i| a[i] / 4.0);
            same(s.reciprocal(s.add(x, s.splat(7.0))), &|i| {
                1.0 / (a[i] + 7.0)
            });
            same(s.min(x, y), &|i| a[i].min(b[i]));
            same(s.max(x, y), &|i| a[i].max(b[i]));
            same(s.fma(x, y, s.splat(1.0)), &|i| a[i] * b[i] + 1.0);
            same(s.within(x, 2.0), &|i| a[i].clamp(-2.0, 2.0));
            let whole = |i: usize| {
                if S::FLOORS {
                    (a[i] + 0.1).floor()
                } else {
                    (a[i] + 0.1).round()
                }
            };
            let beside = s.add(x, s.splat(0.1));
            same(s.fraction(beside), &|i| a[i] + 0.1 - whole(i));
            same(s.scale(s.splat(1.5), beside), &|i| 1.5 * whole(i).exp2());
            let near = s.near_reciprocal(s.add(x, s.splat(7.0)));
            same(s.mul(near, s.splat(0.01)), &|i| 0.01 / (a[i] + 7.0));
            same(s.fnma(x, y, s.splat(1.0)), &|i| 1.0 - a[i] * b[i]);
            for i in -12000..12000 {
                let x = i as f32 * 0.001;
                if let Some(v) = s.near_silu(s.splat(x)) {
                    let expected = x / (1.0 + (-x).exp());
                    let found = s.sum(v) / lanes as f32;
                    let error = (found - expected).abs();
                    let allowed = if x.abs() < 8.5 { 1e-4 } else { 7e-4 };
                    assert!(error < allowed, "{x}: {found}");
                }
            }
            for x in [-1e30, 1e30] {
                if let Some(v) = s.near_silu(s.splat(x)) {
                    let found = s.sum(v) / lanes as f32;
                    assert!(
                        (found - x.max(0.0)).abs() <= 1e-3 + x.abs() * 1e-6,
                        "{found}"
                    );
                }
            }
            assert!((s.sum(x) - a[..lanes].iter().sum::<f32>()).abs() < 1e-5);
            let four = [x, y, s.splat(0.25), s.add(x, y)];
            for (found, v) in s.sums(four).into_iter().zip(four) {
                assert!((found - s.sum(v)).abs() < 1e-4);
            }
            let mut halves = [0; WIDEST];
            let third = s.div(x, s.splat(3.0));
            s.store_half(third, &mut halves);
            for i in 0..lanes {
                assert_eq!(halves[i], to_half(a[i] / 3.0));
            }
            same(s.half(third), &|i| from_half(to_half(a[i] / 3.0)));
            let mut pairs = [0; 2 * WIDEST];
            s.store_half_pairs(third, y, &mut pairs);
            for i in 0..lanes {
                let expected = [to_half(a[i] / 3.0), to_half(b[i])];
                assert_eq!(pairs[2 * i..2 * i + 2], expected);
            }
            let cut = |x: f32| (x.to_bits() >> 16) as u16;
            s.cut_half_pairs(third, y, &mut pairs);
            for i in 0..lanes {
                assert_eq!(pairs[2 * i..2 * i + 2], [cut(a[i] / 3.0), cut(b[i])]);
            }
            same(s.cut_half(third), &|i| from_half(cut(a[i] / 3.0)));
            let from: [u16; 48 * 16] = std::array::from_fn(|i| (i / 48 * 32 + i % 48) as u16);
            let mut to = [0; PAIRS];
            s.transpose_pairs(&from, 48, &mut to);
            for (i, &found) in to.iter().enumerate() {
                let (row, column) = (i / 32, i % 32 / 2);
                assert_eq!(usize::from(found), column * 32 + row * 2 + i % 2);
            }
        });
    }

    #[test]
    fn lanes_hold_what_they_should() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        {
            check::<Avx2>();
            check::<Avx512>();
        }
        #[cfg(target_arch = "aarch64")]
        check::<Neon>();
    }

    #[test]
    fn halves_round_to_the_nearest() {
        for (x, half) in [
            (1.0, 0x3f80),
            (1.0 + 0.9 / 256.0, 0x3f80),
            (1.0 + 1.0 / 256.0, 0x3f81),
            (1.0 + 3.0 / 256.0, 0x3f82),
            (1.0 + 1.1 / 256.0, 0x3f81),
            (-2.5, 0xc020),
            (0.0, 0),
        ] {
            assert_eq!(to_half(x), half, "{x}");
        }
        assert_eq!(from_half(0xc020), -2.5);
    }
}
