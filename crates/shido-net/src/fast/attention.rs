//! Attention: every point looks at every other, through heads.
//!
//! One product makes queries, keys and values, which turn by the point's column and
//! row. Then, for each board and head and a few queries at a time: scores against all keys,
//! softmax, and the weighted sum of the values, all within the nearest cache.

mod project;
mod turns;

use self::project::Project;
use self::turns::Turns;
use super::arithmetic::{Arithmetic, Dense, Element, Packed, Precision, Source, Weights};
use super::batch::{Batch, Board, Layout};
use super::buffer::Buffer;
use super::math::exp2;
use super::product::{Convolution, Tools};
use super::simd::Simd;
use crate::{Attention, Matrix};

/// A score no key can be chosen by.
const NEVER: f32 = -1e30;
/// Chances are cut off at this power of two and its inverse: beyond what the sum of the
/// others can tell, and within what a product can hold.
const LIMIT: f32 = 64.0;
/// Sums of chances in which nothing of weight was cut off: from 2⁻²⁰ to 2⁶⁰.
const SUMS: std::ops::Range<f32> = 9.536_743e-7..1.152_921_5e18;

/// How exact the way from what was seen back to the stream is.
const SEEN: Precision = Precision::Weights;
/// How exact scores are: keys, which all queries meet, in two elements.
const LOOK: Precision = Precision::Weights;

/// An attention layer.
pub(super) struct AttentionLayer<K: Arithmetic> {
    /// To queries, keys and values, beside each other.
    projection: Weights<K::Element>,
    /// Back to the stream.
    pub(super) output: Convolution<K>,
    turns: Option<Turns>,
    heads: usize,
    kv_heads: usize,
    /// Width of a query and a key, padded.
    query: usize,
    /// Width of a value, padded.
    value: usize,
}

/// Memory of attention layers.
#[derive(Default)]
pub(super) struct AttentionScratch<E: Element> {
    queries: Buffer<E>,
    keys: Buffer<E>,
    values: Buffer<f32>,
    packed_keys: Buffer<E>,
    packed_values: Buffer<E>,
    scores: Buffer<f32>,
    chances: Buffer<E>,
    seen: Buffer<f32>,
    sums: Vec<f32>,
}

impl<K: Arithmetic> AttentionLayer<K> {
    /// Packs a layer. The scale of the scores goes into the queries' weights, and so
    /// does what makes them powers of two, which cost less than those of e. `project` is how
    /// exact queries, keys and values are.
    pub(super) fn new(k: K, layer: &Attention, project: Precision) -> AttentionLayer<K> {
        let query = layer.query_width.next_multiple_of(K::CHANNELS);
        let value = layer.value_width.next_multiple_of(K::CHANNELS);
        let (heads, kv_heads) = (layer.heads, layer.kv_heads);
        let outputs = (heads + kv_heads) * query + kv_heads * value;
        let mut dense = Dense::zeros(layer.query.inputs, outputs);
        let scale = std::f32::consts::LOG2_E / (layer.query_width as f32).sqrt();
        let columns = [
            (&layer.query, heads, query, scale),
            (&layer.key, kv_heads, query, 1.0),
            (&layer.value, kv_heads, value, 1.0),
        ];
        let mut start = 0;
        for (matrix, heads, padded, scale) in columns {
            spread(&mut dense, start, matrix, (heads, padded), scale);
            start += heads * padded;
        }
        AttentionLayer {
            projection: Weights::new(k, &dense, project),
            output: Convolution::Point(Weights::new(k, &output(layer, value), SEEN)),
            turns: layer
                .rotation
                .as_ref()
                .map(|rotation| Turns::new(rotation, layer, query)),
            heads,
            kv_heads,
            query,
            value,
        }
    }

    /// Returns whether its input is in high and low elements.
    pub(super) fn splits_input(&self) -> bool {
        self.projection.stride > self.projection.inner
    }

    /// Returns the elements of a query.
    fn query_elements(&self) -> usize {
        self.query * LOOK.input_parts::<K>()
    }

    /// Returns the elements of a key.
    fn key_elements(&self) -> usize {
        self.query * LOOK.parts::<K>()
    }

    /// Returns the elements of what it makes for [`AttentionLayer::output`].
    pub(super) fn width(&self) -> usize {
        self.heads * self.value * SEEN.input_parts::<K>()
    }

    /// Writes what each head sees to the dense rows of `to`.
    pub(super) fn run(
        &self,
        k: K,
        input: &[K::Element],
        batch: &Batch,
        tools: &mut Tools<K::Element>,
        scratch: &mut AttentionScratch<K::Element>,
        to: &mut [K::Element],
    ) {
        let rows = batch.input_rows(Layout::Dense);
        scratch
            .queries
            .ensure(rows * self.heads * self.query_elements());
        scratch
            .keys
            .ensure(rows * self.kv_heads * self.key_elements());
        scratch.values.ensure(rows * self.kv_heads * self.value);
        let mut project = Project {
            layer: self,
            batch,
            queries: &mut scratch.queries,
            keys: &mut scratch.keys,
            values: &mut scratch.values,
        };
        self.projection
            .run_pieces(k, input, batch, tools, &mut project);
        for board in &batch.boards {
            for head in 0..self.kv_heads {
                self.look(k, board, head, scratch, to);
            }
        }
    }

    /// Lets the query heads of one key head look at one board.
    fn look(
        &self,
        k: K,
        board: &Board,
        kv_head: usize,
        scratch: &mut AttentionScratch<K::Element>,
        to: &mut [K::Element],
    ) {
        let area = board.area();
        let padded = area.next_multiple_of(K::CHANNELS);
        let unit = if K::ROWS == 1 {
            K::Simd::ROWS
        } else {
            2 * K::ROWS
        };
        let block = unit * (20 / unit).max(1);
        let key_size = self.query * padded * LOOK.parts::<K>();
        scratch.packed_keys.ensure(key_size);
        scratch.packed_values.ensure(padded * self.value);
        scratch.scores.ensure(block * padded);
        scratch.chances.ensure(block * padded);
        scratch.seen.ensure(block * self.value);
        self.pack(k, board, kv_head, scratch);
        let keys = Packed {
            data: &scratch.packed_keys[..key_size],
            inner: self.query,
            outputs: padded,
            precision: LOOK,
        };
        let values = Packed {
            data: &scratch.packed_values[..padded * self.value],
            inner: padded,
            outputs: self.value,
            precision: Precision::Single,
        };
        let s = k.simd();
        let stride = self.heads * self.query_elements();
        let sharing = self.heads / self.kv_heads;
        for head in kv_head * sharing..(kv_head + 1) * sharing {
            for start in board.rows().step_by(block) {
                let count = block.min(board.rows().end - start);
                let queries = &scratch.queries[start * stride + head * self.query_elements()..];
                k.product(queries, stride, count, keys, &mut scratch.scores);
                let (scores, chances) = (&mut scratch.scores, &mut scratch.chances);
                let sums = &mut scratch.sums;
                sums.clear();
                s.run(
                    #[inline(always)]
                    || {
                        let lines = scores.chunks_exact_mut(padded);
                        let lines = lines.zip(chances.chunks_exact_mut(padded));
                        for (scores, chances) in lines.take(count) {
                            sums.push(softmax(s, scores, area, chances));
                        }
                    },
                );
                k.product(chances, padded, count, values, &mut scratch.seen);
                let to = &mut to[start * self.width() + head * self.value..];
                s.run(
                    #[inline(always)]
                    || {
                        let lines = scratch.seen.chunks_exact(self.value);
                        let lines = lines.zip(to.chunks_mut(self.width()));
                        for ((from, to), sum) in lines.zip(&scratch.sums) {
                            let factor = s.splat(1.0 / sum);
                            for at in (0..self.value).step_by(K::Simd::LANES) {
                                let v = s.mul(s.load(&from[at..]), factor);
                                if SEEN.input_parts::<K>() == 2 {
                                    let (high, low) = to.split_at_mut(self.heads * self.value);
                                    K::Element::store_split(s, v, &mut high[at..], &mut low[at..]);
                                } else {
                                    K::Element::store(s, v, &mut to[at..]);
                                }
                            }
                        }
                    },
                );
            }
        }
    }

    /// Packs the keys (turned) and values of one head of one board.
    fn pack(&self, k: K, board: &Board, head: usize, scratch: &mut AttentionScratch<K::Element>) {
        let area = board.area();
        let padded = area.next_multiple_of(K::CHANNELS);
        let stride = self.kv_heads * self.key_elements();
        let keys = &scratch.keys[board.start * stride + head * self.key_elements()..];
        let to = &mut scratch.packed_keys;
        k.pack_rows((keys, stride), area, self.query, to);
        let stride = self.kv_heads * self.value;
        let values = Source {
            data: &scratch.values[board.start * stride + head * self.value..],
            inner: area,
            outputs: self.value,
            inner_step: stride,
            output_step: 1,
        };
        let shape = (padded, self.value);
        k.pack(values, shape, Precision::Single, &mut scratch.packed_values);
    }
}

/// Copies a projection to its columns, each head padded.
fn spread(
    dense: &mut Dense,
    start: usize,
    matrix: &Matrix,
    (heads, padded): (usize, usize),
    scale: f32,
) {
    let width = matrix.outputs / heads;
    for (i, line) in matrix.weights.chunks_exact(matrix.outputs).enumerate() {
        for (head, part) in line.chunks_exact(width).enumerate() {
            dense.place((i, start + head * padded), part, width, scale);
        }
    }
}

/// Returns the output matrix with the rows of each head padded.
fn output(layer: &Attention, padded: usize) -> Dense {
    let matrix = &layer.output;
    let mut dense = Dense::zeros(layer.heads * padded, matrix.outputs);
    let size = layer.value_width * matrix.outputs;
    for (head, part) in matrix.weights.chunks_exact(size).enumerate() {
        dense.place((head * padded, 0), part, matrix.outputs, 1.0);
    }
    dense
}

/// Turns scores, as powers of two, into chances, not yet divided by their sum, which
/// it returns.
#[inline(always)]
fn softmax<S: Simd, E: Element>(s: S, scores: &mut [f32], count: usize, chances: &mut [E]) -> f32 {
    let filled = count.next_multiple_of(S::LANES);
    scores[count..filled].fill(NEVER);
    chances[filled..].fill(E::default());
    let (scores, chances) = (&scores[..filled], &mut chances[..filled]);
    // Any number may be taken from the scores. Almost always none need be.
    let sum = powers(s, scores, 0.0, chances);
    if SUMS.contains(&sum) {
        return sum;
    }
    let mut highest = s.splat(NEVER);
    for part in scores.chunks_exact(S::LANES) {
        highest = s.max(highest, s.load(part));
    }
    powers(s, scores, s.greatest(highest), chances)
}

/// Writes two to the power of each score less a number; returns their sum.
#[inline(always)]
fn powers<S: Simd, E: Element>(s: S, scores: &[f32], less: f32, chances: &mut [E]) -> f32 {
    let less = s.splat(less);
    // Two sums by name: an index would keep them in memory, and each step would wait for it.
    let (mut even, mut odd) = (s.splat(0.0), s.splat(0.0));
    let pairs = scores.chunks_exact(2 * S::LANES);
    let last = pairs.remainder();
    let mut chances = chances.chunks_exact_mut(2 * S::LANES);
    for (from, to) in pairs.zip(&mut chances) {
        even = s.add(even, power(s, from, less, to));
        odd = s.add(odd, power(s, &from[S::LANES..], less, &mut to[S::LANES..]));
    }
    if !last.is_empty() {
        even = s.add(even, power(s, last, less, chances.into_remainder()));
    }
    s.sum(s.add(even, odd))
}

/// Writes two to the power of a vector of scores less a number, and returns it.
#[inline(always)]
fn power<S: Simd, E: Element>(s: S, scores: &[f32], less: S::V, to: &mut [E]) -> S::V {
    let score = s.within(s.sub(s.load(scores), less), LIMIT);
    let chance = exp2::<S, E>(s, score);
    E::store(s, chance, to);
    chance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::simd::Plain;

    fn check<S: Simd>(scores: &[f32]) {
        let Some(s) = S::detect() else { return };
        let mut padded = scores.to_vec();
        // What a product leaves beyond the keys must not count.
        padded.resize(scores.len().next_multiple_of(16), 1e3);
        let mut chances = vec![0.0f32; padded.len()];
        let sum = s.run(|| softmax(s, &mut padded, scores.len(), &mut chances));
        let highest = scores.iter().copied().fold(f32::MIN, f32::max);
        let whole: f64 = scores
            .iter()
            .map(|&score| f64::from(score - highest).exp2())
            .sum();
        for (&score, &chance) in scores.iter().zip(&chances) {
            let expected = f64::from(score - highest).exp2() / whole;
            let found = f64::from(chance) / f64::from(sum);
            assert!((found - expected).abs() < 1e-6, "{score}: {found}");
        }
        assert!(chances[scores.len()..].iter().all(|&it| it < 1e-19));
    }

    #[test]
    fn chances_are_a_softmax_of_the_keys_alone() {
        let far: Vec<f32> = (0..37).map(|i| -(i as f32) * 31.0 - 400.0).collect();
        let near: Vec<f32> = (0..81).map(|i| (i as f32 * 0.7).sin()).collect();
        for scores in [&far[..], &near, &[5.0], &[-90.0; 16]] {
            check::<Plain>(scores);
            #[cfg(target_arch = "x86_64")]
            {
                check::<crate::fast::simd::Avx2>(scores);
                check::<crate::fast::simd::Avx512>(scores);
            }
        }
    }
}
