//! fp32 products on vector registers, for every [`Simd`].
//!
//! A matrix is packed in panels of two vectors of outputs, so that the innermost
//! loop reads it in order. That loop keeps a block of results in registers: a few
//! rows by two vectors, each step one input of every row times one panel row.
#![allow(unsafe_code)] // The innermost loop reads through pointers; see `block`.
#![allow(clippy::needless_range_loop)] // The loops are over indices of matrices.

use super::arithmetic::{Arithmetic, NearScratch, Packed, Precision, Rows, Source, ValuePart};
use super::batch::{Batch, Layout};
use super::finish::Finish;
use super::math::exp2;
use super::simd::{Simd, WIDEST};
use super::taps::Taps;
use super::winograd::Winograd;

/// Vectors of a panel.
const PANEL: usize = 2;
/// Floats of a cache line.
const LINE: usize = 16;
/// Powers of two are cut off here: beyond what the sum of the others can tell, and within
/// what a product can hold.
const LIMIT: f32 = 64.0;
/// A score no key can be chosen by.
const NEVER: f32 = -1e30;

/// fp32 arithmetic on a processor's vectors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Float<S: Simd>(pub(super) S);

impl<S: Simd> Arithmetic for Float<S> {
    type Simd = S;
    type Element = f32;
    type Near = Winograd;

    const CHANNELS: usize = WIDEST;
    const ROWS: usize = 1;
    const NEAR: Layout = Layout::Dense;
    const SPLITS: bool = false;
    const SCORE: f32 = 1.0;

    #[inline(always)]
    fn simd(self) -> S {
        self.0
    }

    fn pack(
        self,
        source: Source<'_>,
        (inner, outputs): (usize, usize),
        _: Precision,
        into: &mut [f32],
    ) {
        let wide = PANEL * S::LANES;
        assert!(into.len() >= inner * outputs);
        for first in (0..outputs).step_by(wide) {
            let width = wide.min(outputs - first);
            let panel = &mut into[first * inner..][..inner * width];
            let filled = source.outputs.saturating_sub(first).min(width);
            for (i, line) in panel.chunks_exact_mut(width).enumerate() {
                if i >= source.inner || filled == 0 {
                    line.fill(0.0);
                    continue;
                }
                let from = &source.data[i * source.inner_step..];
                if source.output_step == 1 {
                    line[..filled].copy_from_slice(&from[first..first + filled]);
                } else {
                    for (o, to) in line[..filled].iter_mut().enumerate() {
                        *to = from[(first + o) * source.output_step];
                    }
                }
                line[filled..].fill(0.0);
            }
        }
    }

    fn pack_rows(
        self,
        (rows, stride): (&[f32], usize),
        count: usize,
        width: usize,
        into: &mut [f32],
    ) {
        let source = Source {
            data: rows,
            inner: width,
            outputs: count,
            inner_step: 1,
            output_step: stride,
        };
        let shape = (width, count.next_multiple_of(Self::CHANNELS));
        self.pack(source, shape, Precision::Weights, into);
    }

    #[inline(always)]
    fn put_values(self, values: ValuePart<'_>, (keys, width): (usize, usize), into: &mut [f32]) {
        let s = self.0;
        for at in (0..WIDEST).step_by(S::LANES) {
            let column = values.column + at;
            let first = column / (PANEL * S::LANES) * PANEL * S::LANES;
            let panel = &mut into[first * keys..];
            let wide = (width - first).min(PANEL * S::LANES);
            let lines = panel.chunks_exact_mut(wide).skip(values.key);
            for (from, to) in values
                .raw
                .chunks(values.stride)
                .zip(lines)
                .take(values.count)
            {
                s.store(s.load(&from[at..]), &mut to[column - first..]);
            }
        }
    }

    fn powers(
        self,
        scores: &mut [f32],
        (count, width): (usize, usize),
        chances: &mut [f32],
        sums: &mut [f32],
    ) {
        let s = self.0;
        s.run(
            #[inline(always)]
            || {
                let lines = scores.chunks_exact_mut(width);
                let lines = lines.zip(chances.chunks_exact_mut(width));
                for ((scores, chances), sum) in lines.zip(sums) {
                    scores[count..].fill(NEVER);
                    *sum = powers(s, scores, chances);
                    chances[count..].fill(0.0);
                }
            },
        );
    }

    #[inline(never)] // One copy: it is long, and called once for many rows.
    fn product(self, rows: Rows<'_, f32>, matrix: Packed<'_, f32>, out: &mut [f32], add: bool) {
        if rows.count == 0 {
            return;
        }
        assert!(rows.data.len() >= (rows.count - 1) * rows.stride + matrix.inner);
        assert!(out.len() >= rows.count * matrix.outputs);
        assert!(matrix.data.len() >= matrix.inner * matrix.outputs);
        assert!(matrix.outputs.is_multiple_of(S::LANES));
        let s = self.0;
        s.run(
            #[inline(always)]
            || panels(s, rows, matrix, out, add),
        );
    }

    fn pack_near(self, taps: Taps) -> Winograd {
        Winograd::new(taps)
    }

    fn near_outputs(weights: &Winograd) -> usize {
        weights.outputs()
    }

    fn near<F: Finish<S>>(
        self,
        weights: &Winograd,
        input: &[f32],
        batch: &Batch,
        scratch: &mut NearScratch,
        finish: &mut F,
    ) {
        weights.run(self, input, batch, scratch, finish);
    }
}

/// Writes two to the power of each score; returns their sum.
#[inline(always)]
fn powers<S: Simd>(s: S, scores: &[f32], chances: &mut [f32]) -> f32 {
    // Two sums by name: an index would keep them in memory, and each step would wait for it.
    let (mut even, mut odd) = (s.splat(0.0), s.splat(0.0));
    let pairs = scores.chunks_exact(2 * S::LANES);
    let last = pairs.remainder();
    let mut chances = chances.chunks_exact_mut(2 * S::LANES);
    for (from, to) in pairs.zip(&mut chances) {
        even = s.add(even, power(s, from, to));
        odd = s.add(odd, power(s, &from[S::LANES..], &mut to[S::LANES..]));
    }
    if !last.is_empty() {
        even = s.add(even, power(s, last, chances.into_remainder()));
    }
    s.sum(s.add(even, odd))
}

/// Writes two to the power of a vector of scores, and returns it.
#[inline(always)]
fn power<S: Simd>(s: S, scores: &[f32], to: &mut [f32]) -> S::V {
    let chance = exp2::<S, f32>(s, s.within(s.load(scores), LIMIT));
    s.store(chance, to);
    chance
}

/// Cuts a product into blocks that fit the registers, of as equal heights as can be.
#[inline(always)]
fn panels<S: Simd>(
    s: S,
    Rows {
        data: input,
        stride,
        count: rows,
    }: Rows<'_, f32>,
    matrix: Packed<'_, f32>,
    out: &mut [f32],
    add: bool,
) {
    let wide = PANEL * S::LANES;
    let blocks = rows.div_ceil(S::ROWS);
    for first in (0..matrix.outputs).step_by(wide) {
        let panel = &matrix.data[first * matrix.inner..];
        let whole = matrix.outputs - first >= wide;
        for block in 0..blocks {
            let (start, end) = (block * rows / blocks, (block + 1) * rows / blocks);
            let shape = Shape {
                inner: matrix.inner,
                stride,
                out_stride: matrix.outputs,
                add,
            };
            let input = &input[start * stride..];
            let out = &mut out[start * matrix.outputs + first..];
            if whole {
                heights::<S, PANEL>(s, end - start, input, panel, out, shape);
            } else {
                heights::<S, 1>(s, end - start, input, panel, out, shape);
            }
        }
    }
}

/// The sizes of a block that are not known to the compiler.
#[derive(Clone, Copy)]
struct Shape {
    inner: usize,
    stride: usize,
    out_stride: usize,
    /// Whether results are added to what is there.
    add: bool,
}

/// Chooses the block of a height; `S::ROWS` is at most 14.
#[inline(always)]
fn heights<S: Simd, const COLUMNS: usize>(
    s: S,
    rows: usize,
    input: &[f32],
    panel: &[f32],
    out: &mut [f32],
    shape: Shape,
) {
    macro_rules! choose {
        ($($height:literal)*) => {
            match rows {
                // SAFETY: `product` has checked that the slices hold `rows` rows of
                // this shape and `inner` rows of the panel.
                $($height if const { $height <= S::ROWS } => unsafe {
                    block::<S, $height, COLUMNS>(
                        s, input.as_ptr(), panel.as_ptr(), out.as_mut_ptr(), shape,
                    );
                },)*
                _ => unreachable!("panels cuts no higher block"),
            }
        };
    }
    choose!(1 2 3 4 5 6 7 8 9 10 11 12 13 14);
}

/// Repeats a piece of code for each row of a block.
///
/// A loop would leave it to the compiler to unroll it, and where it does not, the
/// sums are in memory instead of registers.
macro_rules! each_row {
    ($r:ident, $body:block) => {
        each_row!($r, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
    ($r:ident, $body:block, $($row:literal)*) => {
        $(if const { $row < ROWS } {
            const $r: usize = $row;
            $body
        })*
    };
}

/// Multiplies `ROWS` rows with a panel of `COLUMNS` vectors, all results in registers.
///
/// # Safety
///
/// `input` must hold `ROWS` rows of `inner` floats, `stride` apart; `panel` `inner`
/// rows of `COLUMNS` vectors; `out` room for `ROWS` rows of them, `out_stride` apart.
#[inline(always)]
unsafe fn block<S: Simd, const ROWS: usize, const COLUMNS: usize>(
    s: S,
    input: *const f32,
    panel: *const f32,
    out: *mut f32,
    shape: Shape,
) {
    // Three rows share a pointer: a processor adds none, one or two strides for free.
    let step = shape.stride;
    let thirds = [0, 3, 6, 9, 12].map(|row| input.wrapping_add(row * step));
    let mut sums = [[s.splat(0.0); COLUMNS]; ROWS];
    if shape.add {
        each_row!(R, {
            for c in 0..COLUMNS {
                // SAFETY: the caller vouches for what is there.
                sums[R][c] = unsafe { s.load_at(out.add(R * shape.out_stride + c * S::LANES)) };
            }
        });
    }
    for i in 0..shape.inner {
        // SAFETY: the caller vouches for `inner` rows of the panel and of each row.
        unsafe {
            let mut line = [s.splat(0.0); COLUMNS];
            for c in 0..COLUMNS {
                let at = panel.add((i * COLUMNS + c) * S::LANES);
                line[c] = s.load_at(at);
                // The next panel follows this one; the processor's own guess ends
                // at every page, which is every third of a panel.
                if (c * S::LANES).is_multiple_of(LINE) {
                    s.prefetch(at.wrapping_add(shape.inner * COLUMNS * S::LANES));
                }
            }
            each_row!(R, {
                let x = s.splat(*thirds[R / 3].add(R % 3 * step + i));
                for c in 0..COLUMNS {
                    sums[R][c] = s.fma(x, line[c], sums[R][c]);
                }
            });
        }
    }
    each_row!(R, {
        for c in 0..COLUMNS {
            // SAFETY: the caller vouches for the room.
            unsafe { s.store_at(sums[R][c], out.add(R * shape.out_stride + c * S::LANES)) };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::arithmetic::{Dense, Weights};
    use crate::fast::simd::Plain;

    fn numbers(len: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        (0..len)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 8_388_608.0 - 1.0
            })
            .collect()
    }

    fn check<S: Simd>() {
        let Some(s) = S::detect() else { return };
        let k = Float(s);
        for (rows, inner, outputs) in [(1, 1, 1), (5, 16, 16), (14, 30, 48), (37, 96, 80)] {
            let dense = Dense {
                inner,
                outputs,
                data: numbers(inner * outputs, 1),
            };
            let weights = Weights::new(k, &dense, Precision::Single);
            let stride = weights.inner + 3;
            let input = numbers(rows * stride, 2);
            let mut out = vec![0.0; rows * weights.outputs];
            let lines = Rows {
                data: &input,
                stride,
                count: rows,
            };
            k.product(lines, weights.packed(), &mut out, false);
            // Twice, half of it each time.
            k.product(lines, weights.packed(), &mut out, true);
            for sum in &mut out {
                *sum *= 0.5;
            }
            for r in 0..rows {
                for o in 0..weights.outputs {
                    let expected: f32 = (0..inner)
                        .map(|i| input[r * stride + i] * dense.source().get(i, o))
                        .sum();
                    let found = out[r * weights.outputs + o];
                    assert!((found - expected).abs() < 1e-4, "{rows} {inner} {outputs}");
                }
            }
        }
    }

    #[test]
    fn products_are_sums_of_products() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        {
            check::<crate::fast::simd::Avx2>();
            check::<crate::fast::simd::Avx512>();
        }
    }

    #[test]
    fn a_transposed_source_packs_like_its_matrix() {
        let k = Float(Plain::detect().unwrap());
        let dense = Dense {
            inner: 5,
            outputs: 19,
            data: numbers(95, 3),
        };
        let mut turned = vec![0.0; 95];
        for i in 0..5 {
            for o in 0..19 {
                turned[o * 5 + i] = dense.source().get(i, o);
            }
        }
        let source = Source {
            data: &turned,
            inner: 5,
            outputs: 19,
            inner_step: 1,
            output_step: 5,
        };
        let (mut straight, mut across) = (vec![1.0; 16 * 32], vec![2.0; 16 * 32]);
        k.pack(dense.source(), (16, 32), Precision::Single, &mut straight);
        k.pack(source, (16, 32), Precision::Both, &mut across);
        assert_eq!(straight, across);
    }
}
