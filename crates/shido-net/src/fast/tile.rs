//! bf16 products on tiles of 16 rows by 32 inputs, as AMX computes them.
//!
//! A tile product adds, for 16 rows and 16 outputs, the products of 32 inputs in
//! pairs; sums are fp32. Matrices are packed tile by tile: for 16 outputs, all their
//! inputs, each tile as sixteen rows of sixteen pairs. A 3×3 convolution is nine
//! products on a padded board, the rows shifted by where each tap looks.
//!
//! [`TileUnit`] is what multiplies. [`Emulated`] does it in plain Rust, so that all
//! of this is tested on machines without AMX too.

use super::arithmetic::{Arithmetic, NearScratch, Packed, Precision, Source};
use super::batch::{Batch, Layout};
use super::buffer::Buffer;
use super::finish::Finish;
use super::simd::{Simd, from_half, to_half};
use super::taps::Taps;

/// Rows of a tile, and outputs.
pub(super) const SIDE: usize = 16;
/// Inputs of a tile.
pub(super) const DEPTH: usize = 32;
/// Elements of a tile of a matrix.
pub(super) const TILE: usize = SIDE * DEPTH;

/// What multiplies tiles.
pub(super) trait TileUnit: Copy + Send + Sync + 'static {
    /// Prepares this thread.
    fn begin(self) {}

    /// Ends what [`TileUnit::begin`] began.
    fn end(self) {}

    /// Multiplies up to two tiles of rows with up to two tiles of outputs.
    fn multiply(self, task: &Task<'_>, out: &mut [f32]);
}

/// One block of a product: `32 × 32` results at most.
///
/// `out[r][o] = Σ over starts t and inputs i: input[start t + r · stride + i] · matrix[t][i][o]`
pub(super) struct Task<'a> {
    /// Rows.
    pub(super) input: &'a [u16],
    /// From row to row.
    pub(super) stride: usize,
    /// Where each tap's rows start.
    pub(super) starts: &'a [usize],
    /// Tiles of inputs of each tap.
    pub(super) depth: usize,
    /// Packed tiles; those of an output tile lie together.
    pub(super) matrix: &'a [u16],
    /// One or two tiles of rows.
    pub(super) rows: usize,
    /// One or two tiles of outputs.
    pub(super) columns: usize,
    /// From row to row of the results.
    pub(super) out_stride: usize,
}

impl Task<'_> {
    /// Returns the tiles of all inputs of all taps.
    pub(super) fn steps(&self) -> usize {
        self.starts.len() * self.depth
    }

    /// Panics unless everything a unit reads and writes is there.
    #[inline]
    pub(super) fn assert_room(&self, out: &[f32]) {
        assert!((1..=2).contains(&self.rows) && (1..=2).contains(&self.columns));
        let last = (self.rows * SIDE - 1) * self.stride + self.depth * DEPTH;
        for &start in self.starts {
            assert!(start + last <= self.input.len());
        }
        assert!(self.columns * self.steps() * TILE <= self.matrix.len());
        let last = (self.rows * SIDE - 1) * self.out_stride + self.columns * SIDE;
        assert!(last <= out.len());
    }
}

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
        (inner, outputs): (usize, usize),
        precision: Precision,
        into: &mut [u16],
    ) {
        let size = inner * SIDE;
        let parts = parts(precision);
        let s = self.simd;
        let columns = into[..inner * outputs * parts.len()].chunks_exact_mut(size * parts.len());
        for (column, to) in columns.enumerate() {
            let first = column * SIDE;
            for (&part, to) in parts.iter().zip(to.chunks_exact_mut(size)) {
                // Attention packs keys and values anew each time, whole columns mostly.
                if source.output_step == 1 && first + SIDE <= source.outputs {
                    s.run(
                        #[inline(always)]
                        || pack_straight(s, &source, first, part, to),
                    );
                } else if source.inner_step == 1 {
                    s.run(
                        #[inline(always)]
                        || pack_across(s, &source, first, part, to),
                    );
                } else {
                    pack_column(&source, first, part, to);
                }
            }
        }
    }

    fn product(
        self,
        input: &[u16],
        stride: usize,
        rows: usize,
        matrix: Packed<'_, u16>,
        out: &mut [f32],
    ) {
        // (high + low input) · (high + low weight), less the product of the low ones.
        let starts = [0, matrix.inner, 0];
        let starts = match matrix.precision {
            Precision::Single => &starts[..1],
            Precision::Weights => &[0, 0],
            Precision::Both => &starts[..],
        };
        let depth = matrix.inner / DEPTH;
        let size = starts.len() * depth * TILE;
        for column in (0..matrix.outputs / SIDE).step_by(2) {
            for row in (0..rows).step_by(2 * SIDE) {
                let task = Task {
                    input: &input[row * stride..],
                    stride,
                    starts,
                    depth,
                    matrix: &matrix.data[column * size..],
                    rows: (rows - row).div_ceil(SIDE).min(2),
                    columns: (matrix.outputs / SIDE - column).min(2),
                    out_stride: matrix.outputs,
                };
                let out = &mut out[row * matrix.outputs + column * SIDE..];
                self.unit.multiply(&task, out);
            }
        }
    }

    fn pack_near(self, taps: Taps) -> NearTiles {
        let inner = taps.inputs.next_multiple_of(DEPTH);
        let outputs = taps.outputs.next_multiple_of(DEPTH);
        let size = inner * SIDE;
        let mut data = Buffer::new(taps.taps.len() * inner * outputs);
        let columns = data.chunks_exact_mut(taps.taps.len() * size);
        for (column, to) in columns.enumerate() {
            for input in 0..taps.inputs {
                for output in 0..SIDE {
                    pack_taps(&taps, (input, column * SIDE + output), to);
                }
            }
        }
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
        scratch.rows.ensure(2 * SIDE * outputs);
        let out = &mut scratch.rows[..2 * SIDE * outputs];
        let mut starts = [0; 9];
        for board in &batch.boards {
            let stride = board.padded_stride();
            // Rows of the margin before the board that the first tap may look at.
            let first = board.padded - stride - 1;
            for (start, &(dy, dx)) in starts.iter_mut().zip(&weights.places) {
                let rows = (dy + 1) * stride as isize + dx + 1;
                *start = rows as usize * inner;
            }
            for row in (0..board.height * stride).step_by(2 * SIDE) {
                let left = (board.height * stride - row).div_ceil(SIDE).min(2);
                for column in (0..outputs / SIDE).step_by(2) {
                    let task = Task {
                        input: &input[(first + row) * inner..],
                        stride: inner,
                        starts: &starts[..taps],
                        depth: inner / DEPTH,
                        matrix: &weights.data[column * size..],
                        rows: left,
                        columns: (outputs / SIDE - column).min(2),
                        out_stride: outputs,
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

/// Packs the weights of all taps for one input and output into their column.
///
/// What rounding takes from one tap goes to the next. An input is much the same at the
/// points around, so the errors nearly cancel: by themselves they would not, since they
/// are the same in every evaluation.
fn pack_taps(taps: &Taps, (input, output): (usize, usize), column: &mut [u16]) {
    let size = column.len() / taps.taps.len();
    let at = input / 2 * 2 * SIDE + output % SIDE * 2 + input % 2;
    let mut rest = 0.0;
    for (tap, to) in taps.taps.iter().zip(column.chunks_exact_mut(size)) {
        let weight = tap.weights.source().get(input, output);
        // A weight of zero may stand for none at all.
        if weight != 0.0 {
            to[at] = to_half(weight + rest);
            rest += weight - from_half(to[at]);
        }
    }
}

/// Which element of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    High,
    Low,
}

/// Returns the parts of the matrix that meet the parts of the input, in order.
fn parts(precision: Precision) -> &'static [Part] {
    match precision {
        Precision::Single => &[Part::High],
        Precision::Weights => &[Part::High, Part::Low],
        Precision::Both => &[Part::High, Part::High, Part::Low],
    }
}

impl Part {
    fn of(self, x: f32) -> u16 {
        let high = to_half(x);
        match self {
            Part::High => high,
            Part::Low => to_half(x - from_half(high)),
        }
    }

    #[inline(always)]
    fn of_vector<S: Simd>(self, s: S, v: S::V) -> S::V {
        match self {
            Part::High => v,
            Part::Low => s.sub(v, s.half(v)),
        }
    }
}

/// Packs sixteen outputs of a matrix, tile below tile; `to` holds the padded inputs.
fn pack_column(source: &Source<'_>, first: usize, part: Part, to: &mut [u16]) {
    for (pair, line) in to.chunks_exact_mut(2 * SIDE).enumerate() {
        for (o, to) in line.chunks_exact_mut(2).enumerate() {
            to[0] = part.of(source.get(2 * pair, first + o));
            to[1] = part.of(source.get(2 * pair + 1, first + o));
        }
    }
}

/// [`pack_column`] for a matrix whose outputs lie together, sixteen of which there are.
#[inline(always)]
fn pack_straight<S: Simd>(s: S, source: &Source<'_>, first: usize, part: Part, to: &mut [u16]) {
    for (pair, line) in to.chunks_exact_mut(2 * SIDE).enumerate() {
        let row = |i: usize| {
            let row = (i < source.inner).then(|| &source.data[i * source.inner_step + first..]);
            row.unwrap_or(&[0.0; SIDE])
        };
        let (even, odd) = (row(2 * pair), row(2 * pair + 1));
        for at in (0..SIDE).step_by(S::LANES) {
            let a = part.of_vector(s, s.load(&even[at..]));
            let b = part.of_vector(s, s.load(&odd[at..]));
            s.store_half_pairs(a, b, &mut line[2 * at..]);
        }
    }
}

/// [`pack_column`] for a matrix whose inputs lie together.
#[inline(always)]
fn pack_across<S: Simd>(s: S, source: &Source<'_>, first: usize, part: Part, to: &mut [u16]) {
    let count = SIDE.min(source.outputs.saturating_sub(first));
    for (depth, to) in to.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let at = depth * DEPTH;
        let width = DEPTH.min(source.inner.saturating_sub(at));
        let whole = width / S::LANES * S::LANES;
        let mut rows = [0; TILE];
        for (o, row) in rows.chunks_exact_mut(DEPTH).take(count).enumerate() {
            let inputs = &source.data[(first + o) * source.output_step + at..][..width];
            for i in (0..whole).step_by(S::LANES) {
                let v = part.of_vector(s, s.load(&inputs[i..]));
                s.store_half(v, &mut row[i..]);
            }
            for i in whole..width {
                row[i] = part.of(inputs[i]);
            }
        }
        s.transpose_pairs(&rows, to);
    }
}

/// Tile products without tiles.
#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Emulated;

#[cfg(test)]
impl TileUnit for Emulated {
    fn multiply(self, task: &Task<'_>, out: &mut [f32]) {
        task.assert_room(out);
        let size = task.steps() * TILE;
        for r in 0..task.rows * SIDE {
            for column in 0..task.columns {
                let matrix = task.matrix[column * size..].chunks_exact(task.depth * TILE);
                let mut sums = [0.0; SIDE];
                for (start, tap) in task.starts.iter().zip(matrix) {
                    let row = &task.input[start + r * task.stride..][..task.depth * DEPTH];
                    for (pair, line) in row.chunks_exact(2).zip(tap.chunks_exact(2 * SIDE)) {
                        let (a, b) = (from_half(pair[0]), from_half(pair[1]));
                        for (sum, weights) in sums.iter_mut().zip(line.chunks_exact(2)) {
                            *sum += a * from_half(weights[0]) + b * from_half(weights[1]);
                        }
                    }
                }
                out[r * task.out_stride + column * SIDE..][..SIDE].copy_from_slice(&sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::arithmetic::{Dense, Weights};
    use crate::fast::simd::Plain;

    fn numbers(len: usize) -> Vec<f32> {
        (0..len)
            .map(|i| ((i * 37 + 11) % 101) as f32 / 64.0 - 0.75)
            .collect()
    }

    /// The numbers above have seven bits, so nothing is rounded.
    fn check<U: TileUnit, S: Simd>(unit: U, simd: S) {
        let k = Tiles { unit, simd };
        k.begin();
        for (rows, inner, outputs) in [(1usize, 3, 2), (16, 32, 32), (33, 70, 48), (50, 64, 90)] {
            let dense = Dense {
                inner,
                outputs,
                data: numbers(inner * outputs),
            };
            let weights = Weights::new(k, &dense, Precision::Single);
            let stride = weights.inner + 32;
            let floats = numbers(rows.next_multiple_of(SIDE) * stride);
            let input: Vec<u16> = floats.iter().map(|&x| to_half(x)).collect();
            let mut out = vec![0.0; rows.next_multiple_of(SIDE) * weights.outputs];
            k.product(&input, stride, rows, weights.packed(), &mut out);
            for r in 0..rows {
                for o in 0..weights.outputs {
                    let expected: f32 = (0..inner)
                        .map(|i| floats[r * stride + i] * dense.source().get(i, o))
                        .sum();
                    let found = out[r * weights.outputs + o];
                    assert!((found - expected).abs() < 1e-4, "{rows} {inner} {outputs}");
                }
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

    #[test]
    fn all_ways_of_packing_agree() {
        let k = Tiles {
            unit: Emulated,
            simd: Plain::detect().unwrap(),
        };
        let (inner, outputs) = (37, 45);
        let dense = Dense {
            inner,
            outputs,
            data: numbers(inner * outputs),
        };
        let mut turned = vec![0.0; inner * outputs];
        for i in 0..inner {
            for o in 0..outputs {
                turned[o * inner + i] = dense.source().get(i, o);
            }
        }
        let across = Source {
            data: &turned,
            inner_step: 1,
            output_step: inner,
            ..dense.source()
        };
        let mut slow = vec![1; 64 * 64];
        for (column, to) in slow.chunks_exact_mut(64 * SIDE).enumerate() {
            pack_column(&dense.source(), column * SIDE, Part::High, to);
        }
        for source in [dense.source(), across] {
            let mut packed = vec![2; 64 * 64];
            k.pack(source, (64, 64), Precision::Single, &mut packed);
            assert_eq!(packed, slow);
        }
    }
}
