//! bf16 products on tiles of 16 rows by 32 inputs, as AMX computes them.
//!
//! A tile product adds, for 16 rows and 16 outputs, the products of 32 inputs in
//! pairs; sums are fp32. Matrices are packed tile by tile: for 16 outputs, all their
//! inputs, each tile as sixteen rows of sixteen pairs. A 3×3 convolution is nine
//! products on a padded board, the rows shifted by where each tap looks.
//!
//! [`TileUnit`] is what multiplies (`tile/task.rs`).

mod pack;
mod powers;
mod task;

use super::arithmetic::{Arithmetic, NearScratch, Packed, Precision, Rows, Source, ValuePart};
use super::batch::{Batch, Layout};
use super::buffer::Buffer;
use super::finish::{Finish, FinishPieces, Piece};
use super::simd::Simd;
use super::taps::Taps;
#[cfg(test)]
pub(super) use task::Emulated;
pub(super) use task::{COLUMNS, DEPTH, MOST_ROWS, SIDE, TILE, Task, TileUnit};

/// Tiles of a slice of a matrix for each tile of outputs: with both of [`COLUMNS`] 32 KiB.
const SLICE: usize = 16;

/// Tiles of outputs of a piece: two parts of a hidden layer and their gates, which are
/// written together.
const PIECE: usize = 4;

/// bf16 arithmetic: tiles for products, vectors for the rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles<U: TileUnit, S: Simd> {
    /// Multiplies.
    pub(super) unit: U,
    /// Does the rest.
    pub(super) simd: S,
}

/// A packed 3×3 convolution.
pub(super) struct NearTiles {
    /// For each tile of outputs: its taps, each with all inputs.
    data: Buffer<u16>,
    places: Vec<(isize, isize)>,
    inner: usize,
    outputs: usize,
}

impl<U: TileUnit, S: Simd> Arithmetic for Tiles<U, S> {
    type Simd = S;
    type Element = u16;
    type Near = NearTiles;

    const CHANNELS: usize = DEPTH;
    const ROWS: usize = SIDE;
    const NEAR: Layout = Layout::Padded;
    const SPLITS: bool = true;
    const SCORE: f32 = powers::STEPS;

    #[inline(always)]
    fn simd(self) -> S {
        self.simd
    }

    fn begin(self) {
        self.unit.begin();
    }

    fn end(self) {
        self.unit.end();
    }

    fn pack(
        self,
        source: Source<'_>,
        shape: (usize, usize),
        precision: Precision,
        into: &mut [u16],
    ) {
        pack::matrix(self.simd, &source, shape, precision, into);
    }

    fn pack_rows(self, rows: (&[u16], usize), count: usize, width: usize, into: &mut [u16]) {
        pack::rows(self.simd, rows, count, width, into);
    }

    #[inline(always)]
    fn put_values(self, values: ValuePart<'_>, (keys, _): (usize, usize), into: &mut [u16]) {
        pack::values(self.simd, values, keys, into);
    }

    fn powers(
        self,
        scores: &mut [f32],
        shape: (usize, usize),
        chances: &mut [u16],
        sums: &mut [f32],
    ) {
        powers::powers(self.simd, scores, shape, chances, sums);
    }

    fn product(self, rows: Rows<'_, u16>, matrix: Packed<'_, u16>, out: &mut [f32], add: bool) {
        let Rows {
            data: input,
            stride,
            count: rows,
        } = rows;
        let depth = matrix.inner / DEPTH;
        let size = depth * TILE;
        let parts = matrix.precision.parts::<Self>();
        // A slice of the matrix that stays in the nearest cache while the rows pass by.
        let slice = depth.div_ceil((depth * parts).div_ceil(SLICE));
        for column in (0..matrix.outputs / SIDE).step_by(COLUMNS) {
            for first in (0..depth).step_by(slice) {
                for row in (0..rows).step_by(2 * SIDE) {
                    let task = Task {
                        input: &input[row * stride..],
                        stride,
                        starts: &[first * DEPTH],
                        depth: slice.min(depth - first),
                        inner: matrix.inner,
                        matrix: &matrix.data[column * parts * size + first * TILE..],
                        size,
                        precision: matrix.precision,
                        rows: (rows - row).div_ceil(SIDE).min(2),
                        out_stride: matrix.outputs,
                        add: add || first > 0,
                    };
                    let out = &mut out[row * matrix.outputs + column * SIDE..];
                    self.unit.multiply(&task, out);
                }
            }
        }
    }

    fn pieces<F: FinishPieces<S>>(
        self,
        input: &[u16],
        stride: usize,
        rows: &[u32],
        matrix: Packed<'_, u16>,
        scratch: &mut Buffer<f32>,
        finish: &mut F,
    ) {
        let s = self.simd;
        let depth = matrix.inner / DEPTH;
        let size = depth * TILE;
        let parts = matrix.precision.parts::<Self>();
        let columns = matrix.outputs / SIDE;
        scratch.ensure(2 * SIDE * PIECE * SIDE);
        // Columns outside: a few of the matrix stay in the nearest cache for all rows.
        for first in (0..columns).step_by(PIECE) {
            let wide = PIECE.min(columns - first);
            let width = wide * SIDE;
            for (block, rows) in rows.chunks(2 * SIDE).enumerate() {
                for column in (0..wide).step_by(COLUMNS) {
                    let task = Task {
                        input: &input[block * 2 * SIDE * stride..],
                        stride,
                        starts: &[0],
                        depth,
                        inner: matrix.inner,
                        matrix: &matrix.data[(first + column) * parts * size..],
                        size,
                        precision: matrix.precision,
                        rows: rows.len().div_ceil(SIDE),
                        out_stride: width,
                        add: false,
                    };
                    self.unit.multiply(&task, &mut scratch[column * SIDE..]);
                }
                let piece = Piece {
                    raw: scratch,
                    stride: width,
                    columns: first * SIDE..first * SIDE + width,
                    rows,
                };
                s.run(
                    #[inline(always)]
                    || finish.piece(s, &piece),
                );
            }
        }
    }

    fn pack_near(self, taps: Taps) -> NearTiles {
        let inner = taps.inputs.next_multiple_of(DEPTH);
        let outputs = taps.outputs.next_multiple_of(DEPTH);
        let mut data = Buffer::new(taps.taps.len() * inner * outputs);
        pack::taps(&taps, inner, &mut data);
        NearTiles {
            data,
            places: taps.taps.iter().map(|tap| (tap.dy, tap.dx)).collect(),
            inner,
            outputs,
        }
    }

    fn near_outputs(weights: &NearTiles) -> usize {
        weights.outputs
    }

    fn near<F: Finish<S>>(
        self,
        weights: &NearTiles,
        input: &[u16],
        batch: &Batch,
        scratch: &mut NearScratch,
        finish: &mut F,
    ) {
        let NearTiles { inner, outputs, .. } = *weights;
        let s = self.simd;
        let taps = weights.places.len();
        let size = taps * inner * SIDE;
        scratch.rows.ensure(MOST_ROWS * SIDE * outputs);
        let out = &mut scratch.rows[..MOST_ROWS * SIDE * outputs];
        let mut starts = [0; 9];
        for board in &batch.boards {
            let stride = board.padded_stride();
            // Rows of the margin before the board that the first tap may look at.
            let first = board.padded - stride - 1;
            for (start, &(dy, dx)) in starts.iter_mut().zip(&weights.places) {
                let rows = (dy + 1) * stride as isize + dx + 1;
                *start = rows as usize * inner;
            }
            for row in (0..board.height * stride).step_by(MOST_ROWS * SIDE) {
                let left = (board.height * stride - row).div_ceil(SIDE);
                let left = left.min(MOST_ROWS);
                for column in (0..outputs / SIDE).step_by(COLUMNS) {
                    let task = Task {
                        input: &input[(first + row) * inner..],
                        stride: inner,
                        starts: &starts[..taps],
                        depth: inner / DEPTH,
                        inner,
                        matrix: &weights.data[column * size..],
                        size,
                        precision: Precision::Single,
                        rows: left,
                        out_stride: outputs,
                        add: false,
                    };
                    self.unit.multiply(&task, &mut out[column * SIDE..]);
                }
                let names = &batch.unpadded[board.padded + row..][..left * SIDE];
                // The last tile may reach into the next board, whose rows are its own.
                let ours = (board.height * stride - row).min(left * SIDE);
                s.run(
                    #[inline(always)]
                    || finish.rows(s, out, outputs, &names[..ours]),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::arithmetic::{Dense, Weights};
    use crate::fast::simd::{Plain, from_half, to_half};

    /// Numbers of seven bits times a factor.
    fn numbers(len: usize, factor: f32) -> Vec<f32> {
        (0..len)
            .map(|i| (((i * 37 + 11) % 101) as f32 / 64.0 - 0.75) * factor)
            .collect()
    }

    /// Checks products of one precision, with factors of which it need not round any.
    fn check_precision<K: Arithmetic<Element = u16>>(
        k: K,
        (rows, inner, outputs): (usize, usize, usize),
        precision: Precision,
    ) {
        // 1 + 2⁻⁹ needs a second element.
        let fine = 1.0 + 1.0 / 512.0;
        let (inputs, weights) = match precision {
            Precision::Single => (1.0, 1.0),
            Precision::Weights => (1.0, fine),
            Precision::Both => (fine, fine),
        };
        let dense = Dense {
            inner,
            outputs,
            data: numbers(inner * outputs, weights),
        };
        let weights = Weights::new(k, &dense, precision);
        let stride = weights.stride + 32;
        let padded = rows.next_multiple_of(SIDE);
        let floats = numbers(padded * weights.inner, inputs);
        let mut input = vec![0; padded * stride];
        for (floats, to) in floats
            .chunks_exact(weights.inner)
            .zip(input.chunks_exact_mut(stride))
        {
            for (i, &x) in floats.iter().enumerate() {
                let place = i / DEPTH * DEPTH + i % SIDE * 2 + i % DEPTH / SIDE;
                to[place] = to_half(x);
                if weights.stride > weights.inner {
                    to[weights.inner + place] = to_half(x - from_half(to[place]));
                }
            }
        }
        let mut out = vec![0.0; padded * weights.outputs];
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
                let row = &floats[r * weights.inner..];
                let products = (0..inner).map(|i| row[i] * dense.source().get(i, o));
                let (found, expected) = (out[r * weights.outputs + o], products.sum::<f32>());
                let error = (found - expected).abs();
                // What the low elements of both have in common is left out.
                let slack = 1e-5 * inner as f32;
                assert!(
                    error < slack,
                    "{precision:?}, {rows} {inner} {outputs}: {error}"
                );
            }
        }
    }

    fn check<U: TileUnit, S: Simd>(unit: U, simd: S) {
        let k = Tiles { unit, simd };
        k.begin();
        let shapes = [
            (1usize, 3, 2),
            (16, 32, 32),
            (33, 70, 48),
            (50, 64, 90),
            (20, 700, 40),
        ];
        for shape in shapes {
            for precision in [Precision::Single, Precision::Weights, Precision::Both] {
                check_precision(k, shape, precision);
            }
        }
        k.end();
    }

    #[test]
    fn products_are_sums_of_products() {
        check(Emulated, Plain::detect().unwrap());
        #[cfg(target_arch = "x86_64")]
        {
            use crate::fast::simd::Avx512;
            if let Some(simd) = Avx512::detect() {
                check(Emulated, simd);
                if let Some(unit) = crate::fast::amx::Amx::detect() {
                    check(unit, simd);
                } else {
                    println!("SKIPPED: this machine has no AMX");
                }
            }
        }
    }
}
