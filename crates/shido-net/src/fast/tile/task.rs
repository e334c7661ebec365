//! One block of a product on tiles, and what multiplies it.
//!
//! [`TileUnit`] is the processor's unit, or `Emulated`, which does the same in plain Rust,
//! so that everything on tiles is tested on machines without AMX too.

use crate::fast::arithmetic::Precision;
#[cfg(test)]
use crate::fast::simd::from_half;

/// Rows of a tile, and outputs.
pub(in crate::fast) const SIDE: usize = 16;
/// Inputs of a tile.
pub(in crate::fast) const DEPTH: usize = 32;
/// Elements of a tile of a matrix.
pub(in crate::fast) const TILE: usize = SIDE * DEPTH;

/// What multiplies tiles.
pub(in crate::fast) trait TileUnit: Copy + Send + Sync + 'static {
    /// Prepares this thread.
    fn begin(self) {}

    /// Ends what [`TileUnit::begin`] began.
    fn end(self) {}

    /// Multiplies up to [`MOST_ROWS`] tiles of rows with [`COLUMNS`] tiles of outputs.
    fn multiply(self, task: &Task<'_>, out: &mut [f32]);
}

/// Tiles of rows of a task at most; one less if there are low elements, or sums to add to.
pub(in crate::fast) const MOST_ROWS: usize = 3;
/// Tiles of outputs of a task.
pub(in crate::fast) const COLUMNS: usize = 2;

/// One block of a product: `48 × 32` results at most.
///
/// `out[r][o] = Σ over starts t and inputs i: input[start t + r · stride + i] · matrix[t][i][o]`
pub(in crate::fast) struct Task<'a> {
    /// Rows.
    pub(in crate::fast) input: &'a [u16],
    /// From row to row.
    pub(in crate::fast) stride: usize,
    /// Where each tap's rows start.
    pub(in crate::fast) starts: &'a [usize],
    /// Tiles of inputs of each tap.
    pub(in crate::fast) depth: usize,
    /// From the high elements of a row to its low ones, if there are any.
    pub(in crate::fast) inner: usize,
    /// Packed tiles.
    pub(in crate::fast) matrix: &'a [u16],
    /// From an output tile's tiles to its low ones, or to the next output tile's.
    pub(in crate::fast) size: usize,
    /// Which low elements there are.
    pub(in crate::fast) precision: Precision,
    /// Tiles of rows.
    pub(in crate::fast) rows: usize,
    /// From row to row of the results.
    pub(in crate::fast) out_stride: usize,
    /// Whether the results are added to what is there.
    pub(in crate::fast) add: bool,
}

impl Task<'_> {
    /// Returns the tiles of all inputs of all taps.
    pub(in crate::fast) fn steps(&self) -> usize {
        self.starts.len() * self.depth
    }

    /// Panics unless everything a unit reads and writes is there.
    #[inline]
    pub(in crate::fast) fn assert_room(&self, out: &[f32]) {
        let (most, low, parts) = match self.precision {
            Precision::Single if !self.add => (MOST_ROWS, 0, 1),
            Precision::Single => (MOST_ROWS - 1, 0, 1),
            Precision::Weights => (MOST_ROWS - 1, 0, 2),
            Precision::Both => (MOST_ROWS - 1, self.inner, 2),
        };
        assert!((1..=most).contains(&self.rows));
        let last = (self.rows * SIDE - 1) * self.stride + low + self.depth * DEPTH;
        for &start in self.starts {
            assert!(start + last <= self.input.len());
        }
        let last = (COLUMNS * parts - 1) * self.size + self.steps() * TILE;
        assert!(last <= self.matrix.len());
        let last = (self.rows * SIDE - 1) * self.out_stride + COLUMNS * SIDE;
        assert!(last <= out.len());
    }
}

/// Tile products without tiles.
#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub(in crate::fast) struct Emulated;

#[cfg(test)]
impl TileUnit for Emulated {
    fn multiply(self, task: &Task<'_>, out: &mut [f32]) {
        task.assert_room(out);
        // What of a row meets which part of the matrix: (high + low input) · (high + low
        // weight), less the product of the low ones.
        let Task { inner, size, .. } = *task;
        let (meetings, parts): (&[(usize, usize)], _) = match task.precision {
            Precision::Single => (&[(0, 0)], 1),
            Precision::Weights => (&[(0, 0), (0, 1)], 2),
            Precision::Both => (&[(0, 0), (0, 1), (inner, 0)], 2),
        };
        for r in 0..task.rows * SIDE {
            for column in 0..COLUMNS {
                let mut sums = [0.0; SIDE];
                let out = &mut out[r * task.out_stride + column * SIDE..][..SIDE];
                if task.add {
                    sums.copy_from_slice(out);
                }
                for &(low, part) in meetings {
                    let matrix = &task.matrix[(column * parts + part) * size..];
                    let taps = matrix.chunks_exact(task.depth * TILE);
                    for (start, tap) in task.starts.iter().zip(taps) {
                        let row = &task.input[start + r * task.stride + low..];
                        let row = &row[..task.depth * DEPTH];
                        add_products(row, tap, &mut sums);
                    }
                }
                out.copy_from_slice(&sums);
            }
        }
    }
}

/// Adds the products of a row with the tiles of a tap.
#[cfg(test)]
fn add_products(row: &[u16], tap: &[u16], sums: &mut [f32; SIDE]) {
    for (pair, line) in row.chunks_exact(2).zip(tap.chunks_exact(2 * SIDE)) {
        let (a, b) = (from_half(pair[0]), from_half(pair[1]));
        for (sum, weights) in sums.iter_mut().zip(line.chunks_exact(2)) {
            *sum += a * from_half(weights[0]) + b * from_half(weights[1]);
        }
    }
}
