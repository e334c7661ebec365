//! 3×3 convolution in fp32 by Winograd's minimal filtering: F(5×5, 3×3), F(4×4, 3×3)
//! and F(2×2, 3×3).
//!
//! The board is cut into tiles of 5×5 points (or 4×4, or 2×2). Each tile with its
//! border, 7×7 (6×6, 4×4), is transformed so that the convolution becomes one product for
//! each of the 49 (36, 16) places, over all tiles at once; 2.25 to 4.6 times fewer
//! multiplications than the plain sum. The transforms are exact in the reals; in
//! fp32 the larger ones cost two to three bits. Four tiles of 5×5 cover a side of 19 points,
//! three one of 13, two one of 9, with a point or two to spare.
//!
//! The sets of weights are made when a board first asks for them.
#![allow(unsafe_code)] // The transforms read and write through pointers; see there.
#![allow(clippy::needless_range_loop)] // The loops are over indices of matrices.

mod transform;

use std::sync::OnceLock;

use self::transform::{WEIGHTS_2, WEIGHTS_4, WEIGHTS_5, input_line, output_line};
use super::arithmetic::{Arithmetic, Dense, NearScratch, Packed, Precision, Rows};
use super::batch::{Batch, Board, NO_ROW};
use super::buffer::Buffer;
use super::finish::Finish;
use super::float::Float;
use super::simd::{Simd, WIDEST};
use super::taps::Taps;

/// Bytes of the tiles that are transformed and multiplied together. They may leave the
/// second-level cache, since they are read in order; worse is to read the weights often.
const CACHE: usize = 5 << 19;
/// Such tiles at most.
const CHUNK: usize = 128;

/// Tiles that could be multiplied while the weights of a product are read, on processors
/// with a slow last-level cache; on others fewer.
const READING: usize = 8;
/// Small boards come several at a time, together about as large as one of 19×19.
const TOGETHER: usize = 4;
const LARGEST: usize = 19 * 19;

/// A 3×3 convolution.
pub(super) struct Winograd {
    taps: Taps,
    inner: usize,
    outputs: usize,
    five: OnceLock<Buffer<f32>>,
    four: OnceLock<Buffer<f32>>,
    two: OnceLock<Buffer<f32>>,
}

/// A tile of a board.
#[derive(Clone, Copy)]
struct Tile {
    board: Board,
    y: usize,
    x: usize,
}

/// Returns the side of the tiles that a board is cut into.
fn side(board: &Board) -> usize {
    // Larger tiles do fewer products for a point, but may reach further over the edge.
    // Each product reads its own weights from far away, which takes as long as some tiles
    // more, once for all boards that a search hands over. How many there are this time
    // does not count, so that a position's result never depends on it.
    let boards = (LARGEST / board.area()).clamp(1, TOGETHER);
    let cost = |side: &usize| {
        let tiles = board.width.div_ceil(*side) * board.height.div_ceil(*side);
        (READING + boards * tiles) * (side + 2) * (side + 2)
    };
    let sides = [5, 4, 2].into_iter();
    sides.min_by_key(cost).expect("there are three")
}

impl Winograd {
    /// Keeps the taps; they are transformed when they are first needed.
    pub(super) fn new(taps: Taps) -> Winograd {
        Winograd {
            inner: taps.inputs.next_multiple_of(WIDEST),
            outputs: taps.outputs.next_multiple_of(WIDEST),
            taps,
            five: OnceLock::new(),
            four: OnceLock::new(),
            two: OnceLock::new(),
        }
    }

    /// Returns the channels of the rows it makes.
    pub(super) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Convolves dense rows.
    pub(super) fn run<S: Simd, F: Finish<S>>(
        &self,
        k: Float<S>,
        input: &[f32],
        batch: &Batch,
        scratch: &mut NearScratch,
        finish: &mut F,
    ) {
        let any = |it: usize| batch.boards.iter().any(|board| side(board) == it);
        if any(5) {
            let weights = self.five.get_or_init(|| self.transform(k, &WEIGHTS_5));
            self.tiles::<S, F, 5, 7>(k, weights, input, batch, scratch, finish);
        }
        if any(4) {
            let weights = self.four.get_or_init(|| self.transform(k, &WEIGHTS_4));
            self.tiles::<S, F, 4, 6>(k, weights, input, batch, scratch, finish);
        }
        if any(2) {
            let weights = self.two.get_or_init(|| self.transform(k, &WEIGHTS_2));
            self.tiles::<S, F, 2, 4>(k, weights, input, batch, scratch, finish);
        }
    }

    /// Transforms and packs the weights: G · g · Gᵀ for each input and output.
    fn transform<S: Simd, const A: usize>(&self, k: Float<S>, by: &[[f64; 3]; A]) -> Buffer<f32> {
        let size = self.inner * self.outputs;
        let mut packed = Buffer::new(A * A * size);
        let mut sums = vec![0.0f64; self.taps.inputs * self.taps.outputs];
        let mut dense = Dense::zeros(self.taps.inputs, self.taps.outputs);
        for y in 0..A {
            for x in 0..A {
                // Inside `run`, because then the compiler can use the vectors.
                k.simd().run(
                    #[inline(always)]
                    || self.transform_place([by[y], by[x]], &mut sums, &mut dense.data),
                );
                let into = &mut packed[(y * A + x) * size..][..size];
                let shape = (self.inner, self.outputs);
                k.pack(dense.source(), shape, Precision::Single, into);
            }
        }
        packed
    }

    /// Transforms the weights of one of the places.
    #[inline(always)]
    fn transform_place(&self, [down, across]: [[f64; 3]; 2], sums: &mut [f64], to: &mut [f32]) {
        sums.fill(0.0);
        for tap in &self.taps.taps {
            let factor = down[(tap.dy + 1) as usize] * across[(tap.dx + 1) as usize];
            if factor != 0.0 {
                for (sum, &weight) in sums.iter_mut().zip(&tap.weights.data) {
                    *sum += factor * f64::from(weight);
                }
            }
        }
        for (to, &sum) in to.iter_mut().zip(&*sums) {
            *to = sum as f32;
        }
    }

    /// Convolves the boards that take tiles of `O`×`O`.
    fn tiles<S: Simd, F: Finish<S>, const O: usize, const A: usize>(
        &self,
        k: Float<S>,
        weights: &[f32],
        input: &[f32],
        batch: &Batch,
        scratch: &mut NearScratch,
        finish: &mut F,
    ) {
        let mut tiles = batch
            .boards
            .iter()
            .filter(|board| side(board) == O)
            .flat_map(|&board| {
                let (across, down) = (board.width.div_ceil(O), board.height.div_ceil(O));
                (0..across * down).map(move |i| Tile {
                    board,
                    y: i / across * O,
                    x: i % across * O,
                })
            });
        let none = Tile {
            board: batch.boards[0],
            y: 0,
            x: 0,
        };
        let bytes = A * A * (self.inner + self.outputs) * size_of::<f32>();
        let most = (CACHE / bytes).clamp(16, CHUNK);
        // As equal as can be, so that none is left with a few tiles.
        let total = tiles.clone().count();
        let size = total.div_ceil(total.div_ceil(most));
        let mut chunk = [none; CHUNK];
        loop {
            let mut count = 0;
            for (to, tile) in chunk[..size].iter_mut().zip(&mut tiles) {
                *to = tile;
                count += 1;
            }
            if count == 0 {
                return;
            }
            self.chunk::<S, F, O, A>(k, weights, input, &chunk[..count], scratch, finish);
        }
    }

    fn chunk<S: Simd, F: Finish<S>, const O: usize, const A: usize>(
        &self,
        k: Float<S>,
        weights: &[f32],
        input: &[f32],
        tiles: &[Tile],
        scratch: &mut NearScratch,
        finish: &mut F,
    ) {
        let s = k.simd();
        let (inner, outputs) = (self.inner, self.outputs);
        let (reads, writes) = (apart(tiles.len() * inner), apart(tiles.len() * outputs));
        scratch.input.ensure(A * A * reads);
        scratch.output.ensure(A * A * writes);
        scratch.rows.ensure(O * O * outputs);
        scratch.zeros.ensure(inner);
        s.run(
            #[inline(always)]
            || {
                for (i, tile) in tiles.iter().enumerate() {
                    let corners = corners::<A>(tile, input, inner, &scratch.zeros);
                    let to = &mut scratch.input[i * inner..];
                    assert!(to.len() >= (A * A - 1) * reads + inner);
                    // SAFETY: each corner is a row of `inner` floats, by `corners`; the
                    // last of the A·A rows written ends where the line above says.
                    unsafe { input_tile::<S, A>(s, &corners, inner, to.as_mut_ptr(), reads) };
                }
            },
        );
        for place in 0..A * A {
            let matrix = Packed {
                data: &weights[place * inner * outputs..][..inner * outputs],
                inner,
                outputs,
                precision: Precision::Single,
            };
            let out = &mut scratch.output[place * writes..][..tiles.len() * outputs];
            let input = &scratch.input[place * reads..][..tiles.len() * inner];
            let rows = Rows {
                data: input,
                stride: inner,
                count: tiles.len(),
            };
            k.product(rows, matrix, out, false);
        }
        s.run(
            #[inline(always)]
            || {
                for (i, tile) in tiles.iter().enumerate() {
                    let from = &scratch.output[i * outputs..];
                    assert!(from.len() >= (A * A - 1) * writes + outputs);
                    let rows = &mut scratch.rows[..O * O * outputs];
                    // SAFETY: the last of the A·A rows read ends where the line above
                    // says; `rows` holds O·O rows.
                    unsafe {
                        output_tile::<S, O, A>(
                            s,
                            from.as_ptr(),
                            writes,
                            outputs,
                            rows.as_mut_ptr(),
                        );
                    }
                    let names = names::<O>(tile);
                    finish.rows(s, rows, outputs, names.as_flattened());
                }
            },
        );
    }
}

/// Returns how far apart to place things of a length, so that a cache, which finds a
/// line by the last bits of its address, has room for the same line of all of them.
fn apart(len: usize) -> usize {
    (len.div_ceil(WIDEST) | 1) * WIDEST
}

/// Returns where the rows of a tile and its border start; `zeros` outside the board.
#[inline(always)]
fn corners<const A: usize>(
    tile: &Tile,
    input: &[f32],
    inner: usize,
    zeros: &[f32],
) -> [[*const f32; A]; A] {
    let board = &tile.board;
    assert!(input.len() >= board.rows().end * inner && zeros.len() >= inner);
    let mut corners = [[zeros.as_ptr(); A]; A];
    for (dy, line) in corners.iter_mut().enumerate() {
        for (dx, corner) in line.iter_mut().enumerate() {
            // The border begins one point before the tile; off the board wraps to a large number.
            let (y, x) = ((tile.y + dy).wrapping_sub(1), (tile.x + dx).wrapping_sub(1));
            if y < board.height && x < board.width {
                *corner = input[(board.start + y * board.width + x) * inner..].as_ptr();
            }
        }
    }
    corners
}

/// Returns the dense rows of a tile's points.
#[inline(always)]
fn names<const O: usize>(tile: &Tile) -> [[u32; O]; O] {
    let board = &tile.board;
    let mut names = [[NO_ROW; O]; O];
    for (dy, line) in names.iter_mut().enumerate() {
        for (dx, name) in line.iter_mut().enumerate() {
            let (y, x) = (tile.y + dy, tile.x + dx);
            if y < board.height && x < board.width {
                *name = (board.start + y * board.width + x) as u32;
            }
        }
    }
    names
}

/// Transforms one tile: Bᵀ · d · B for each channel.
///
/// # Safety
///
/// Each corner must start `inner` floats, a multiple of the vector; `to` must hold
/// A·A rows of `inner` floats, `step` apart.
#[inline(always)]
unsafe fn input_tile<S: Simd, const A: usize>(
    s: S,
    corners: &[[*const f32; A]; A],
    inner: usize,
    to: *mut f32,
    step: usize,
) {
    // Loops instead of `array::from_fn`: its closures are not always inlined.
    let zero = s.splat(0.0);
    for at in (0..inner).step_by(S::LANES) {
        let mut lines = [[zero; A]; A];
        for y in 0..A {
            let mut line = [zero; A];
            for x in 0..A {
                // SAFETY: `at` and the vector from it lie within a row.
                line[x] = unsafe { s.load_at(corners[y][x].add(at)) };
            }
            lines[y] = input_line(s, line);
        }
        for x in 0..A {
            let mut column = [zero; A];
            for y in 0..A {
                column[y] = lines[y][x];
            }
            let column = input_line(s, column);
            for y in 0..A {
                // SAFETY: row y · A + x is below A · A.
                unsafe { s.store_at(column[y], to.add((y * A + x) * step + at)) };
            }
        }
    }
}

/// Transforms the products of one tile back: Aᵀ · m · A for each channel.
///
/// # Safety
///
/// `from` must hold A·A rows of `outputs` floats, `step` apart; `to` O·O rows, dense.
#[inline(always)]
unsafe fn output_tile<S: Simd, const O: usize, const A: usize>(
    s: S,
    from: *const f32,
    step: usize,
    outputs: usize,
    to: *mut f32,
) {
    let zero = s.splat(0.0);
    for at in (0..outputs).step_by(S::LANES) {
        let mut lines = [[zero; O]; A];
        for y in 0..A {
            let mut line = [zero; A];
            for x in 0..A {
                // SAFETY: row y · A + x is below A · A, and the vector lies within it.
                line[x] = unsafe { s.load_at(from.add((y * A + x) * step + at)) };
            }
            lines[y] = output_line::<S, O, A>(s, line);
        }
        for x in 0..O {
            let mut column = [zero; A];
            for y in 0..A {
                column[y] = lines[y][x];
            }
            let column = output_line::<S, O, A>(s, column);
            for y in 0..O {
                // SAFETY: row y · O + x is below O · O.
                unsafe { s.store_at(column[y], to.add((y * O + x) * outputs + at)) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Conv;
    use crate::fast::finish::Hold;
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

    fn plain_sum(taps: &Taps, batch: &Batch, input: &[f32], row: usize, output: usize) -> f64 {
        let board = batch.boards.iter().find(|it| it.rows().contains(&row));
        let board = board.unwrap();
        let (x, y) = batch.places[row];
        let mut sum = 0.0;
        for tap in &taps.taps {
            let (x, y) = (isize::from(x) + tap.dx, isize::from(y) + tap.dy);
            if x < 0 || y < 0 || x >= board.width as isize || y >= board.height as isize {
                continue;
            }
            let from = board.start + y as usize * board.width + x as usize;
            for i in 0..taps.inputs {
                let weight = tap.weights.data[i * taps.outputs + output];
                sum += f64::from(input[from * 16 + i]) * f64::from(weight);
            }
        }
        sum
    }

    fn check<S: Simd>(width: usize, height: usize) {
        let Some(s) = S::detect() else { return };
        let conv = Conv {
            name: String::new(),
            height: 3,
            width: 3,
            inputs: 13,
            outputs: 21,
            dilation_y: 1,
            dilation_x: 1,
            weights: numbers(9 * 13 * 21, 1),
        };
        let taps = Taps::merge(&[&conv], 1);
        let mut batch = Batch::default();
        batch.arrange([(width, height), (19, 19), (width, height)].into_iter());
        let mut input = numbers(batch.rows() * 16, 2);
        for row in input.chunks_exact_mut(16) {
            row[13..].fill(0.0);
        }
        let mut found = vec![0.0; batch.rows() * 32];
        let mut hold = Hold {
            to: &mut found,
            width: 32,
        };
        let winograd = Winograd::new(taps.clone());
        let mut scratch = NearScratch::default();
        winograd.run(Float(s), &input, &batch, &mut scratch, &mut hold);
        for row in 0..batch.rows() {
            for output in 0..21 {
                let expected = plain_sum(&taps, &batch, &input, row, output);
                let error = (f64::from(found[row * 32 + output]) - expected).abs();
                assert!(error < 1e-4, "{width}×{height}, row {row}: off by {error}");
            }
        }
    }

    #[test]
    fn it_is_a_convolution_on_every_size() {
        for (width, height) in [(19, 19), (9, 9), (13, 7), (5, 5), (2, 3), (1, 1), (4, 8)] {
            check::<Plain>(width, height);
            #[cfg(target_arch = "x86_64")]
            {
                check::<crate::fast::simd::Avx2>(width, height);
                check::<crate::fast::simd::Avx512>(width, height);
            }
        }
    }
}
