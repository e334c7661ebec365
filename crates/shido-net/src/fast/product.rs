//! Products over all rows of a batch: matrices, convolutions, feed-forward layers.
//!
//! Each is computed a few rows at a time and hands them to a [`Finish`], so that
//! what follows finds them in the nearest cache.

use super::arithmetic::{
    Arithmetic, Dense, Element, NearScratch, Packed, Precision, Rows, Weights,
};
use super::batch::{Batch, Layout};
use super::buffer::Buffer;
use super::finish::{Finish, FinishPieces, Piece};
use super::math::silu;
use super::simd::{Simd, WIDEST};
use super::taps::Taps;
use crate::{Conv, FeedForward};

/// Floats of a block of finished rows: half of a common first-level cache.
const BLOCK: usize = 6144;
/// Floats of such a block if the matrix is [`LARGE`].
const LARGE_BLOCK: usize = 16 * BLOCK;
/// Rows of a block on tiles. Their products are so fast that reading the matrix from the
/// second-level cache takes as long, so it is better read seldom.
const TILE_BLOCK: usize = 96;
/// Bytes of a matrix that leaves the second-level cache before the next block meets
/// it. Then it is better if the rows leave the first, and the matrix is read less often.
const LARGE: usize = 1 << 19;

/// Something that turns the rows of an input into other rows.
pub(super) trait Product<K: Arithmetic> {
    /// Computes all rows of a batch.
    fn run<F: Finish<K::Simd>>(
        &self,
        k: K,
        input: &[K::Element],
        batch: &Batch,
        tools: &mut Tools<K::Element>,
        finish: &mut F,
    );
}

/// Memory that products share.
#[derive(Default)]
pub(super) struct Tools<E: Element> {
    rows: Buffer<f32>,
    gathered: Buffer<E>,
    near: NearScratch,
}

/// Returns how many rows to finish at a time after a matrix.
fn block_rows<K: Arithmetic>(matrix: &Weights<K::Element>) -> usize {
    if K::ROWS > 1 {
        return TILE_BLOCK;
    }
    let block = if matrix.bytes() < LARGE {
        BLOCK
    } else {
        LARGE_BLOCK
    };
    let unit = K::Simd::ROWS;
    (block / (matrix.outputs * unit)).max(1) * unit
}

impl<E: Element> Weights<E> {
    /// Computes dense rows, handed over in pieces.
    pub(super) fn run_pieces<K: Arithmetic<Element = E>>(
        &self,
        k: K,
        input: &[E],
        rows: &[u32],
        tools: &mut Tools<E>,
        finish: &mut impl FinishPieces<K::Simd>,
    ) {
        for rows in rows.chunks(block_rows::<K>(self)) {
            let input = &input[rows[0] as usize * self.stride..];
            k.pieces(
                input,
                self.stride,
                rows,
                self.packed(),
                &mut tools.rows,
                finish,
            );
        }
    }
}

impl<K: Arithmetic> Product<K> for Weights<K::Element> {
    fn run<F: Finish<K::Simd>>(
        &self,
        k: K,
        input: &[K::Element],
        batch: &Batch,
        tools: &mut Tools<K::Element>,
        finish: &mut F,
    ) {
        for names in batch.dense.chunks(block_rows::<K>(self)) {
            let rows = Rows {
                data: &input[names[0] as usize * self.stride..],
                stride: self.stride,
                count: names.len(),
            };
            settle(k, rows, self.packed(), &mut tools.rows, names, finish);
        }
    }
}

/// Multiplies a few rows, of these names, and finishes them: on the stream itself if they
/// are to be added to it.
#[inline(always)]
fn settle<K: Arithmetic, F: Finish<K::Simd>>(
    k: K,
    rows: Rows<'_, K::Element>,
    matrix: Packed<'_, K::Element>,
    scratch: &mut Buffer<f32>,
    names: &[u32],
    finish: &mut F,
) {
    let s = k.simd();
    let width = matrix.outputs;
    if let Some(sums) = finish.sums(width) {
        k.product(rows, matrix, &mut sums[names[0] as usize * width..], true);
        s.run(
            #[inline(always)]
            || finish.added(s, names),
        );
    } else {
        let size = rows.count.next_multiple_of(K::ROWS) * width;
        scratch.ensure(size);
        let out = &mut scratch[..size];
        k.product(rows, matrix, out, false);
        s.run(
            #[inline(always)]
            || finish.rows(s, out, width, names),
        );
    }
}

/// A convolution, by how far it looks.
pub(super) enum Convolution<K: Arithmetic> {
    /// At the point itself: a matrix.
    Point(Weights<K::Element>),
    /// One point in each direction.
    Near(K::Near),
    /// Further: its surroundings are gathered into one long row.
    Wide {
        /// Where it looks, rows and columns.
        places: Vec<(isize, isize)>,
        /// All taps below each other.
        weights: Weights<K::Element>,
        /// Channels of one input row.
        inner: usize,
    },
}

impl<K: Arithmetic> Convolution<K> {
    /// Merges and packs convolutions of one input; each one's outputs start at a
    /// multiple of the padding.
    ///
    /// Only a convolution at the point itself is more exact on demand.
    pub(super) fn new(k: K, convs: &[&Conv], precision: Precision) -> Convolution<K> {
        let taps = Taps::merge(convs, K::CHANNELS);
        match (taps.reach(), taps.taps.as_slice()) {
            (0, [tap]) => Convolution::Point(Weights::new(k, &tap.weights, precision)),
            (0 | 1, _) => Convolution::Near(k.pack_near(taps)),
            _ => Convolution::wide(k, &taps),
        }
    }

    /// Packs a convolution whose input rows are padded to a multiple of `padding`.
    pub(super) fn padded(k: K, conv: &Conv, padding: usize) -> Convolution<K> {
        let mut wider = conv.clone();
        wider.inputs = conv.inputs.next_multiple_of(padding);
        wider.weights = conv
            .weights
            .chunks_exact(conv.inputs * conv.outputs)
            .flat_map(|tap| {
                let missing = (wider.inputs - conv.inputs) * conv.outputs;
                tap.iter().copied().chain(std::iter::repeat_n(0.0, missing))
            })
            .collect();
        Convolution::new(k, &[&wider], Precision::Single)
    }

    fn wide(k: K, taps: &Taps) -> Convolution<K> {
        let inner = taps.inputs.next_multiple_of(K::CHANNELS);
        let mut dense = Dense::zeros(inner * taps.taps.len(), taps.outputs);
        for (i, tap) in taps.taps.iter().enumerate() {
            dense.place((i * inner, 0), &tap.weights.data, taps.outputs, 1.0);
        }
        Convolution::Wide {
            places: taps.taps.iter().map(|tap| (tap.dy, tap.dx)).collect(),
            weights: Weights::new(k, &dense, Precision::Single),
            inner,
        }
    }

    /// Returns the channels of the rows it makes.
    pub(super) fn outputs(&self) -> usize {
        match self {
            Convolution::Point(weights) | Convolution::Wide { weights, .. } => weights.outputs,
            Convolution::Near(weights) => K::near_outputs(weights),
        }
    }

    /// Returns whether its input is in high and low elements.
    pub(super) fn splits_input(&self) -> bool {
        matches!(self, Convolution::Point(weights) if weights.stride > weights.inner)
    }

    /// Returns how its input must lie.
    pub(super) fn layout(&self) -> Layout {
        match self {
            Convolution::Near(_) => K::NEAR,
            _ => Layout::Dense,
        }
    }
}

impl<K: Arithmetic> Product<K> for Convolution<K> {
    fn run<F: Finish<K::Simd>>(
        &self,
        k: K,
        input: &[K::Element],
        batch: &Batch,
        tools: &mut Tools<K::Element>,
        finish: &mut F,
    ) {
        match self {
            Convolution::Point(weights) => weights.run(k, input, batch, tools, finish),
            Convolution::Near(weights) => k.near(weights, input, batch, &mut tools.near, finish),
            Convolution::Wide {
                places,
                weights,
                inner,
            } => {
                let rows = batch.input_rows(Layout::Dense);
                let mut gathered = std::mem::take(&mut tools.gathered);
                gathered.ensure(rows * weights.inner);
                gather(input, *inner, batch, places, weights.inner, &mut gathered);
                weights.run(k, &gathered, batch, tools, finish);
                tools.gathered = gathered;
            }
        }
    }
}

/// Copies what each point sees into one row.
fn gather<E: Element>(
    input: &[E],
    inner: usize,
    batch: &Batch,
    places: &[(isize, isize)],
    wide: usize,
    to: &mut [E],
) {
    for board in &batch.boards {
        for row in board.rows() {
            let (x, y) = batch.places[row];
            let to = &mut to[row * wide..][..inner * places.len()];
            for (to, &(dy, dx)) in to.chunks_exact_mut(inner).zip(places) {
                let (x, y) = (isize::from(x) + dx, isize::from(y) + dy);
                let on_board = (0..board.width as isize).contains(&x)
                    && (0..board.height as isize).contains(&y);
                if on_board {
                    let from = board.start + y as usize * board.width + x as usize;
                    to.copy_from_slice(&input[from * inner..][..inner]);
                } else {
                    to.fill(E::default());
                }
            }
        }
    }
}

/// How exact the way back from a hidden layer is.
const SHOW: Precision = Precision::Weights;

/// Two matrices with a gated hidden layer between them.
pub(super) struct FeedForwardProduct<E: Element> {
    first: Weights<E>,
    gated: bool,
    second: Weights<E>,
}

impl<E: Element> FeedForwardProduct<E> {
    /// Packs the layer and the scale of the norm before it; each part of the hidden layer has
    /// its gate's after it. `hide` is how
    /// exact the way to the hidden layer is.
    pub(super) fn new<K>(k: K, layer: &FeedForward, hide: Precision) -> Self
    where
        K: Arithmetic<Element = E>,
    {
        let (linear, norm) = (&layer.linear1, &layer.norm.weight);
        let hidden = linear.outputs.next_multiple_of(K::CHANNELS);
        let columns = if layer.gate.is_some() { 2 } else { 1 };
        let mut first = Dense::zeros(linear.inputs, columns * hidden);
        for (side, matrix) in [Some(linear), layer.gate.as_ref()].into_iter().enumerate() {
            let lines = matrix.map(|it| it.weights.chunks_exact(it.outputs));
            for (i, line) in lines.into_iter().flatten().enumerate() {
                for (part, weights) in line.chunks(WIDEST).enumerate() {
                    let column = (columns * part + side) * WIDEST;
                    first.place((i, column), weights, weights.len(), norm[i]);
                }
            }
        }
        let mut second = Dense::zeros(layer.linear2.inputs, layer.linear2.outputs);
        second.place((0, 0), &layer.linear2.weights, layer.linear2.outputs, 1.0);
        FeedForwardProduct {
            first: Weights::new(k, &first, hide),
            gated: layer.gate.is_some(),
            second: Weights::new(k, &second, SHOW),
        }
    }

    /// Returns whether its input is in high and low elements.
    pub(super) fn splits_input(&self) -> bool {
        self.first.stride > self.first.inner
    }
}

impl<K: Arithmetic> Product<K> for FeedForwardProduct<K::Element> {
    fn run<F: Finish<K::Simd>>(
        &self,
        k: K,
        input: &[K::Element],
        batch: &Batch,
        tools: &mut Tools<K::Element>,
        finish: &mut F,
    ) {
        let (stride, hidden) = (self.first.stride, self.second.stride);
        let size = block_rows::<K>(&self.first);
        let Tools {
            rows: raw,
            gathered,
            ..
        } = tools;
        gathered.ensure(size * hidden);
        for rows in batch.dense.chunks(size) {
            let input = &input[rows[0] as usize * stride..];
            let mut gate = Gate {
                gated: self.gated,
                to: gathered,
                stride: hidden,
                first: rows[0],
            };
            k.pieces(input, stride, rows, self.first.packed(), raw, &mut gate);
            let seen = Rows {
                data: gathered,
                stride: hidden,
                count: rows.len(),
            };
            settle(k, seen, self.second.packed(), raw, rows, finish);
        }
    }
}

/// Activates a hidden layer, and multiplies it with its gate if there is one.
struct Gate<'a, E> {
    gated: bool,
    to: &'a mut [E],
    /// From row to row.
    stride: usize,
    /// The dense row that the first row of `to` is.
    first: u32,
}

impl<S: Simd, E: Element> FinishPieces<S> for Gate<'_, E> {
    #[inline(always)]
    fn piece(&mut self, s: S, piece: &Piece<'_>) {
        // From each part of the hidden layer to the next.
        let step = if self.gated { 2 * WIDEST } else { WIDEST };
        let size = E::PARTS * WIDEST;
        let (start, width) = (piece.columns.start, piece.columns.len());
        for (from, &row) in piece.raw.chunks_exact(piece.stride).zip(piece.rows) {
            let to = (row - self.first) as usize * self.stride + start / step * WIDEST;
            let to = self.to[to..].chunks_exact_mut(size);
            for (from, to) in from[..width].chunks_exact(E::PARTS * step).zip(to) {
                let second = &from[(E::PARTS - 1) * step..];
                for at in (0..WIDEST).step_by(S::LANES) {
                    let mut a = silu::<S, E>(s, s.load(&from[at..]));
                    let mut b = silu::<S, E>(s, s.load(&second[at..]));
                    if self.gated {
                        let gate = WIDEST + at;
                        a = s.mul(a, s.load(&from[gate..]));
                        b = s.mul(b, s.load(&second[gate..]));
                    }
                    E::store(s, [a, b], at, to);
                }
            }
        }
    }
}
