//! What a fast path multiplies with: the one thing in which the paths differ.
//!
//! A network is products of rows (points × channels) with fixed matrices, and
//! work on single rows between them. The rows between products are always fp32;
//! an [`Arithmetic`] says in which [`Element`]s they enter a product, how matrices
//! are packed, and how a 3×3 convolution becomes products.

use super::batch::{Batch, Layout};
use super::buffer::{Bits, Buffer};
use super::finish::{Finish, FinishPieces, Piece};
use super::simd::Simd;
use super::taps::Taps;

/// A number as it enters a product.
///
/// Rows are written [`Element::PARTS`] parts of sixteen numbers at a time: a vector of the
/// first and one of the second, both from `at` on in their parts. Two parts lie in turns,
/// a₀ b₀ a₁ b₁ and so on, since so no number must go to another lane; matrices are packed in
/// that order.
pub(super) trait Element: Bits + Default {
    /// Whether it can tell apart what a float can.
    const FINE: bool;
    /// Parts of a row that are written together; of one, the second vector means nothing.
    const PARTS: usize;

    /// Writes to the parts at the front of a slice, rounded to the nearest.
    fn store<S: Simd>(s: S, v: [S::V; 2], at: usize, to: &mut [Self]);

    /// Writes high elements, and what they are short of to another slice.
    fn store_split<S: Simd>(s: S, v: [S::V; 2], at: usize, high: &mut [Self], low: &mut [Self]);
}

impl Element for f32 {
    const FINE: bool = true;
    const PARTS: usize = 1;

    #[inline(always)]
    fn store<S: Simd>(s: S, v: [S::V; 2], at: usize, to: &mut [f32]) {
        s.store(v[0], &mut to[at..]);
    }

    #[inline(always)]
    fn store_split<S: Simd>(s: S, v: [S::V; 2], at: usize, high: &mut [f32], low: &mut [f32]) {
        s.store(v[0], &mut high[at..]);
        s.store(s.splat(0.0), &mut low[at..]);
    }
}

/// bf16
impl Element for u16 {
    const FINE: bool = false;
    const PARTS: usize = 2;

    #[inline(always)]
    fn store<S: Simd>(s: S, v: [S::V; 2], at: usize, to: &mut [u16]) {
        s.store_half_pairs(v[0], v[1], &mut to[2 * at..]);
    }

    #[inline(always)]
    fn store_split<S: Simd>(s: S, v: [S::V; 2], at: usize, high: &mut [u16], low: &mut [u16]) {
        // High elements need no rounding where there are low ones, and what these lose by being
        // cut off is too little to matter.
        let [a, b] = v;
        let (rest_a, rest_b) = (s.sub(a, s.cut_half(a)), s.sub(b, s.cut_half(b)));
        s.cut_half_pairs(a, b, &mut high[2 * at..]);
        s.cut_half_pairs(rest_a, rest_b, &mut low[2 * at..]);
    }
}

/// How much of its factors a product keeps, where elements are shorter than floats.
///
/// A number is the sum of a high and a low element, twice as exact together; each
/// further product of such parts takes as long as the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// One element for each number.
    Single,
    /// Two for each weight.
    Weights,
    /// Two for each number.
    Both,
}

impl Precision {
    /// Returns how often the matrix is packed.
    pub(super) fn parts<K: Arithmetic>(self) -> usize {
        match self {
            _ if !K::SPLITS => 1,
            Precision::Single => 1,
            Precision::Weights | Precision::Both => 2,
        }
    }

    /// Returns how many elements a number of the input has.
    pub(super) fn input_parts<K: Arithmetic>(self) -> usize {
        if K::SPLITS && self == Precision::Both {
            2
        } else {
            1
        }
    }
}

/// How products are computed.
pub(super) trait Arithmetic: Copy + Send + Sync + 'static {
    /// Works on the rows between products.
    type Simd: Simd;
    /// What products multiply.
    type Element: Element;
    /// The weights of a 3×3 convolution.
    type Near: Send + Sync;

    /// Channels are padded to a multiple of this.
    const CHANNELS: usize;
    /// A product reads and writes rows up to a multiple of this.
    const ROWS: usize;
    /// How the input of a 3×3 convolution lies.
    const NEAR: Layout;
    /// Whether elements are so short that [`Precision`] matters.
    const SPLITS: bool;
    /// What [`Arithmetic::powers`] takes for a whole power of two.
    const SCORE: f32;

    /// Returns the token of the vector instructions.
    fn simd(self) -> Self::Simd;

    /// Prepares this thread for products.
    fn begin(self) {}

    /// Ends what [`Arithmetic::begin`] began.
    fn end(self) {}

    /// Packs a matrix for [`Arithmetic::product`].
    ///
    /// The shape is inputs and outputs, padded. `into` holds as many elements for each of [`Precision::parts`]; both
    /// are multiples of [`Arithmetic::CHANNELS`], and what the source has less is zero.
    fn pack(
        self,
        source: Source<'_>,
        shape: (usize, usize),
        precision: Precision,
        into: &mut [Self::Element],
    );

    /// Packs rows as the columns of a matrix: each `width` elements, high ones and then as
    /// many low ones if it has them.
    ///
    /// Columns up to a multiple of [`Arithmetic::CHANNELS`] may hold anything; rows must
    /// be there for them.
    fn pack_rows(
        self,
        rows: (&[Self::Element], usize),
        count: usize,
        width: usize,
        into: &mut [Self::Element],
    );

    /// Packs one element for each value of some keys, for a product with what
    /// [`Arithmetic::powers`] makes of the scores of these keys. Called inside [`Simd::run`].
    ///
    /// `values` are those of the keys from `key` on as [`Arithmetic::pieces`] hands them
    /// over. `into` is a matrix of `shape`, all keys, padded, and some columns, of which
    /// these are sixteen.
    fn put_values(self, values: ValuePart<'_>, shape: (usize, usize), into: &mut [Self::Element]);

    /// Writes two to the power of each score, in rows of so many of which the first `count`
    /// stand for something, and the sum of each row. The others become zero.
    ///
    /// Scores beyond 64 powers, either way, count as 64. Rows are whole multiples of
    /// [`Arithmetic::CHANNELS`]; what is written of the scores beyond `count` is undefined.
    fn powers(
        self,
        scores: &mut [f32],
        shape: (usize, usize),
        chances: &mut [Self::Element],
        sums: &mut [f32],
    );

    /// Multiplies rows with a packed matrix: `out[r][o] = Σ rows[r][i] · matrix[i][o]`, and
    /// what was there before if it is to add.
    ///
    /// Rows of `out` are `matrix.outputs` apart, and there must be room for those of `rows`
    /// rounded up to [`Arithmetic::ROWS`].
    fn product(
        self,
        rows: Rows<'_, Self::Element>,
        matrix: Packed<'_, Self::Element>,
        out: &mut [f32],
        add: bool,
    );

    /// Multiplies the named rows, of which `input` starts with the first, and hands the
    /// results over in pieces.
    fn pieces<F: FinishPieces<Self::Simd>>(
        self,
        input: &[Self::Element],
        stride: usize,
        rows: &[u32],
        matrix: Packed<'_, Self::Element>,
        scratch: &mut Buffer<f32>,
        finish: &mut F,
    ) {
        scratch.ensure(rows.len().next_multiple_of(Self::ROWS) * matrix.outputs);
        let input = Rows {
            data: input,
            stride,
            count: rows.len(),
        };
        self.product(input, matrix, scratch, false);
        let piece = Piece {
            raw: scratch,
            stride: matrix.outputs,
            columns: 0..matrix.outputs,
            rows,
        };
        let s = self.simd();
        s.run(
            #[inline(always)]
            || finish.piece(s, &piece),
        );
    }

    /// Packs a convolution that reaches one point in each direction.
    fn pack_near(self, taps: Taps) -> Self::Near;

    /// Returns the outputs of such a convolution, padded.
    fn near_outputs(weights: &Self::Near) -> usize;

    /// Convolves; the input lies as [`Arithmetic::NEAR`] says.
    fn near<F: Finish<Self::Simd>>(
        self,
        weights: &Self::Near,
        input: &[Self::Element],
        batch: &Batch,
        scratch: &mut NearScratch,
        finish: &mut F,
    );
}

/// Memory for a 3×3 convolution.
#[derive(Default)]
pub(super) struct NearScratch {
    /// Transformed input.
    pub(super) input: Buffer<f32>,
    /// Products, not yet transformed back.
    pub(super) output: Buffer<f32>,
    /// Finished rows.
    pub(super) rows: Buffer<f32>,
    /// The channels of a point off the board.
    pub(super) zeros: Buffer<f32>,
}

/// Rows that enter a product.
///
/// A row is `inner` elements of the matrix, and as many low ones if that asks for them.
/// There must be as many as `count` rounded up to [`Arithmetic::ROWS`].
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, E> {
    /// The elements.
    pub(super) data: &'a [E],
    /// From row to row.
    pub(super) stride: usize,
    /// How many count.
    pub(super) count: usize,
}

/// Sixteen columns of the values of some keys.
#[derive(Clone, Copy)]
pub(super) struct ValuePart<'a> {
    /// The columns of each key, `stride` apart.
    pub(super) raw: &'a [f32],
    /// From key to key.
    pub(super) stride: usize,
    /// The first key.
    pub(super) key: usize,
    /// How many there are.
    pub(super) count: usize,
    /// The first column.
    pub(super) column: usize,
}

/// A matrix to be packed: element (i, o) is at `i · inner_step + o · output_step`.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The elements.
    pub(super) data: &'a [f32],
    /// Inputs.
    pub(super) inner: usize,
    /// Outputs.
    pub(super) outputs: usize,
    /// From one input to the next.
    pub(super) inner_step: usize,
    /// From one output to the next.
    pub(super) output_step: usize,
}

impl Source<'_> {
    /// Returns an element, zero outside.
    #[inline(always)]
    pub(super) fn get(&self, inner: usize, output: usize) -> f32 {
        if inner < self.inner && output < self.outputs {
            self.data[inner * self.inner_step + output * self.output_step]
        } else {
            0.0
        }
    }
}

/// A packed matrix.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a, E> {
    /// In the arithmetic's order.
    pub(super) data: &'a [E],
    /// Inputs, padded.
    pub(super) inner: usize,
    /// Outputs, padded.
    pub(super) outputs: usize,
    /// How exact it is.
    pub(super) precision: Precision,
}

/// A packed matrix that owns its elements.
pub(super) struct Weights<E: Element> {
    data: Buffer<E>,
    /// Inputs, padded.
    pub(super) inner: usize,
    /// Elements of an input row.
    pub(super) stride: usize,
    /// Outputs, padded.
    pub(super) outputs: usize,
    precision: Precision,
}

impl<E: Element> Weights<E> {
    /// Packs a dense `[inner][outputs]` matrix.
    pub(super) fn new<K: Arithmetic<Element = E>>(
        k: K,
        dense: &Dense,
        precision: Precision,
    ) -> Weights<E> {
        let inner = dense.inner.next_multiple_of(K::CHANNELS);
        let outputs = dense.outputs.next_multiple_of(K::CHANNELS);
        let mut data = Buffer::new(inner * outputs * precision.parts::<K>());
        k.pack(dense.source(), (inner, outputs), precision, &mut data);
        Weights {
            data,
            inner,
            stride: inner * precision.input_parts::<K>(),
            outputs,
            precision,
        }
    }

    /// Returns its size in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val::<[E]>(&self.data)
    }

    /// Borrows it for a product.
    #[inline]
    pub(super) fn packed(&self) -> Packed<'_, E> {
        Packed {
            data: &self.data,
            inner: self.inner,
            outputs: self.outputs,
            precision: self.precision,
        }
    }
}

/// Replaces a weight that cannot matter by zero.
///
/// Training leaves many weights below what a float can hold in full, and some
/// processors take a hundred times as long to multiply by one of those.
pub(super) fn flush(weight: f32) -> f32 {
    if weight.abs() < 1e-30 { 0.0 } else { weight }
}

/// A matrix `[inner][outputs]` put together at the start.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dense {
    /// Inputs.
    pub(super) inner: usize,
    /// Outputs.
    pub(super) outputs: usize,
    /// The elements.
    pub(super) data: Vec<f32>,
}

impl Dense {
    /// Makes a matrix of zeros.
    pub(super) fn zeros(inner: usize, outputs: usize) -> Dense {
        Dense {
            inner,
            outputs,
            data: vec![0.0; inner * outputs],
        }
    }

    /// Copies `[inner][outputs]` weights to a place in this matrix, times a factor.
    pub(super) fn place(
        &mut self,
        (row, column): (usize, usize),
        weights: &[f32],
        outputs: usize,
        factor: f32,
    ) {
        for (i, line) in weights.chunks_exact(outputs).enumerate() {
            let at = (row + i) * self.outputs + column;
            for (to, weight) in self.data[at..at + outputs].iter_mut().zip(line) {
                *to = flush(weight * factor);
            }
        }
    }

    /// Borrows it for packing.
    pub(super) fn source(&self) -> Source<'_> {
        Source {
            data: &self.data,
            inner: self.inner,
            outputs: self.outputs,
            inner_step: self.outputs,
            output_step: 1,
        }
    }
}
