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
use super::product::{Convolution, Tools};
use super::simd::Simd;
use crate::{Attention, Matrix};

/// A score no key can be chosen by.
const NEVER: f32 = -1e30;
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
    values: Buffer<E>,
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
        let scale = K::SCORE * std::f32::consts::LOG2_E / (layer.query_width as f32).sqrt();
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
                let scores = &mut scratch.scores[..count * padded];
                let chances = &mut scratch.chances;
                softmax(k, scores, (area, padded), chances, &mut scratch.sums);
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
        k.pack_rows((keys, stride), area, self.key_elements(), to);
        let stride = self.kv_heads * self.value;
        let values = Source {
            data: &scratch.values[board.start * stride + head * self.value..],
            inner: area,
            outputs: self.value,
            inner_step: stride,
            output_step: 1,
        };
        let shape = (padded, self.value);
        k.pack_values(values, shape, &mut scratch.packed_values);
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

/// Turns rows of so many scores, padded, into chances, not yet divided by their sums.
fn softmax<K: Arithmetic>(
    k: K,
    scores: &mut [f32],
    (count, padded): (usize, usize),
    chances: &mut [K::Element],
    sums: &mut Vec<f32>,
) {
    for line in scores.chunks_exact_mut(padded) {
        line[count..].fill(NEVER);
    }
    sums.clear();
    k.powers(scores, padded, &mut chances[..scores.len()], sums);
    // Any number may be taken from the scores. Almost always none need be.
    for row in 0..sums.len() {
        if !SUMS.contains(&sums[row]) {
            let row_of = row * padded..(row + 1) * padded;
            let line = &mut scores[row_of.clone()];
            let highest = line.iter().copied().fold(NEVER, f32::max);
            for score in line.iter_mut() {
                *score -= highest;
            }
            k.powers(line, padded, &mut chances[row_of], sums);
            sums.swap_remove(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::float::Float;
    use crate::fast::simd::{Plain, WIDEST, from_half};
    use crate::fast::tile::{Emulated, Tiles};

    fn check<K: Arithmetic>(k: K, scores: &[f32], float: impl Fn(K::Element) -> f32, slack: f64) {
        // What a product leaves beyond the keys must not count.
        let padded = scores.len().next_multiple_of(K::CHANNELS);
        let mut lines = vec![1e3; 2 * padded];
        for line in lines.chunks_exact_mut(padded) {
            for (to, score) in line.iter_mut().zip(scores) {
                *to = score * K::SCORE;
            }
        }
        // A row that needs no more than one look beside one that may.
        lines[padded..][..scores.len()].fill(0.0);
        let mut chances = vec![K::Element::default(); 2 * padded];
        let mut sums = Vec::new();
        let shape = (scores.len(), padded);
        softmax(k, &mut lines, shape, &mut chances, &mut sums);
        assert_eq!(sums.len(), 2);
        assert!((sums[1] / scores.len() as f32 - 1.0).abs() < 1e-6);
        let highest = scores.iter().copied().fold(f32::MIN, f32::max);
        let exact = |score: f32| f64::from(score - highest).exp2();
        let whole: f64 = scores.iter().copied().map(exact).sum();
        // What each key's chance is worth to a value that only it has.
        for (key, &score) in scores.iter().enumerate() {
            let mut values = vec![K::Element::default(); scores.len() * 32];
            let mut one = [0.0; WIDEST];
            one[0] = 1.0;
            let s = k.simd();
            for at in (0..WIDEST).step_by(K::Simd::LANES) {
                K::Element::store(s, s.load(&one[at..]), &mut values[key * 32 + at..]);
            }
            let source = Source {
                data: &values,
                inner: scores.len(),
                outputs: 32,
                inner_step: 32,
                output_step: 1,
            };
            let mut packed = vec![K::Element::default(); padded * 32];
            k.pack_values(source, (padded, 32), &mut packed);
            // A column of the identity, wherever the arithmetic keeps it.
            let chance: f32 = chances[..padded]
                .iter()
                .enumerate()
                .map(|(place, &chance)| float(chance) * value_at::<K>(&packed, place, &float))
                .sum();
            let (found, expected) = (f64::from(chance / sums[0]), exact(score) / whole);
            assert!(
                (found - expected).abs() < slack * expected + 1e-19,
                "{score}: {found}"
            );
        }
        let total: f64 = chances[..padded]
            .iter()
            .map(|&it| f64::from(float(it)))
            .sum();
        assert!((total / f64::from(sums[0]) - 1.0).abs() < 1e-6);
    }

    /// Returns the first output of a packed matrix for an input.
    fn value_at<K: Arithmetic>(
        packed: &[K::Element],
        place: usize,
        float: &impl Fn(K::Element) -> f32,
    ) -> f32 {
        // Panels and tiles of 32 columns: a line of each pair of inputs, or of each input.
        let at = if K::ROWS == 1 {
            place * 2 * K::Simd::LANES
        } else {
            place / 2 * 32 + place % 2
        };
        float(packed[at])
    }

    #[test]
    fn chances_are_a_softmax_of_the_keys_alone() {
        let far: Vec<f32> = (0..37).map(|i| -(i as f32) * 31.0 - 400.0).collect();
        let near: Vec<f32> = (0..81).map(|i| (i as f32 * 0.7).sin()).collect();
        let high: Vec<f32> = (0..64).map(|i| 900.0 - i as f32).collect();
        for scores in [&far[..], &near, &high, &[5.0], &[-90.0; 16]] {
            check(Float(Plain::detect().unwrap()), scores, |it| it, 1e-6);
            let tiles = Tiles {
                unit: Emulated,
                simd: Plain::detect().unwrap(),
            };
            check(tiles, scores, from_half, 0.01);
            #[cfg(target_arch = "x86_64")]
            {
                use crate::fast::simd::{Avx2, Avx512};
                if let Some(simd) = Avx2::detect() {
                    check(Float(simd), scores, |it| it, 1e-6);
                }
                if let Some(simd) = Avx512::detect() {
                    check(Float(simd), scores, |it| it, 1e-6);
                }
            }
        }
    }
}
