//! Attention: every point looks at every other, through heads.
//!
//! One product makes queries, keys and values, which turn by the point's column and
//! row. Then, for each board and head and a few queries at a time: scores against all keys,
//! softmax, and the weighted sum of the values, all within the nearest cache.

mod project;
mod turns;

use self::project::Project;
use self::turns::{Turns, place};
use super::arithmetic::{Arithmetic, Dense, Element, Packed, Precision, Rows, Weights, flush};
use super::batch::{Batch, Board, SLACK};
use super::buffer::Buffer;
use super::product::{Convolution, Tools};
use super::simd::{Simd, WIDEST};
use crate::{Attention, Matrix};

/// Sums of chances in which nothing of weight was cut off: from 2⁻²⁰ to 2⁶⁰.
const SUMS: std::ops::Range<f32> = 9.536_743e-7..1.152_921_5e18;

/// How exact the way from what was seen, in one element, back to the stream is.
const SEEN: Precision = Precision::Weights;
/// How exact scores are: keys, which all queries meet, in two elements. Two for queries and
/// one for keys would spare half of the transposing, but the error of a query is much the
/// same for all keys, so that softmax forgets it, and that of a key is not.
const LOOK: Precision = Precision::Weights;

/// An attention layer.
pub(super) struct AttentionLayer<K: Arithmetic> {
    k: K,
    /// To queries, keys and values, beside each other.
    projection: Weights<K::Element>,
    /// Back to the stream.
    pub(super) output: Convolution<K>,
    turns: Option<Turns>,
    heads: usize,
    kv_heads: usize,
    /// Width of a query and a key, padded to whole blocks of pairs.
    query: usize,
    /// Width of a value, padded.
    value: usize,
}

/// Memory of attention layers.
#[derive(Default)]
pub(super) struct AttentionScratch<E: Element> {
    queries: Buffer<E>,
    keys: Buffer<E>,
    packed_keys: Buffer<E>,
    packed_values: Buffer<E>,
    scores: Buffer<f32>,
    chances: Buffer<E>,
    seen: Buffer<f32>,
    sums: Vec<f32>,
}

impl<K: Arithmetic> AttentionLayer<K> {
    /// Packs a layer. The scale of the scores goes into the queries' weights, and so
    /// does what makes them powers of two, which cost less than those of e; all have the scale
    /// of the norm before them. `project` is how exact queries, keys and values are.
    pub(super) fn new(k: K, layer: &Attention, project: Precision) -> AttentionLayer<K> {
        let query = layer.query_width.next_multiple_of(2 * WIDEST);
        let value = layer.value_width.next_multiple_of(K::CHANNELS);
        let (heads, kv_heads) = (layer.heads, layer.kv_heads);
        let outputs = (heads + kv_heads) * query + kv_heads * value;
        let mut dense = Dense::zeros(layer.query.inputs, outputs);
        let scale = K::SCORE * std::f32::consts::LOG2_E / (layer.query_width as f32).sqrt();
        let straight: fn(usize) -> usize = |channel| channel;
        let columns = [
            (
                &layer.query,
                (heads, query),
                scale,
                place as fn(usize) -> usize,
            ),
            (&layer.key, (kv_heads, query), 1.0, place),
            (&layer.value, (kv_heads, value), 1.0, straight),
        ];
        let mut start = 0;
        for (matrix, shape, scale, place) in columns {
            let scales = (layer.norm.weight.as_slice(), scale);
            spread((&mut dense, start), matrix, shape, scales, place);
            start += shape.0 * shape.1;
        }
        AttentionLayer {
            k,
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

    /// Returns the elements of a key.
    fn key_elements(&self) -> usize {
        self.query * LOOK.parts::<K>()
    }

    /// Returns the elements of what it makes for [`AttentionLayer::output`].
    pub(super) fn width(&self) -> usize {
        self.heads * self.value
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
        for board in &batch.boards {
            let padded = board.area().next_multiple_of(K::CHANNELS);
            let rows = board.area() + SLACK;
            scratch.queries.ensure(rows * self.heads * self.query);
            let keys = rows * self.kv_heads * self.key_elements();
            scratch.keys.ensure(keys);
            let values = padded * self.kv_heads * self.value;
            scratch.packed_values.ensure(values);
            let mut project = Project {
                layer: self,
                first: board.start,
                places: &batch.places[board.rows()],
                padded,
                queries: &mut scratch.queries,
                keys: &mut scratch.keys,
                values: &mut scratch.packed_values,
            };
            let rows = &batch.dense[board.rows()];
            self.projection
                .run_pieces(k, input, rows, tools, &mut project);
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
        scratch.scores.ensure(block * padded);
        scratch.chances.ensure(block * padded);
        scratch.seen.ensure(block * self.value);
        scratch.sums.resize(block, 0.0);
        let stride = self.kv_heads * self.key_elements();
        let from = (&scratch.keys[kv_head * self.key_elements()..], stride);
        k.pack_rows(from, area, self.key_elements(), &mut scratch.packed_keys);
        let keys = Packed {
            data: &scratch.packed_keys[..key_size],
            inner: self.query,
            outputs: padded,
            precision: LOOK,
        };
        let values = Packed {
            data: &scratch.packed_values[kv_head * padded * self.value..][..padded * self.value],
            inner: padded,
            outputs: self.value,
            precision: Precision::Single,
        };
        let stride = self.heads * self.query;
        let sharing = self.heads / self.kv_heads;
        for head in kv_head * sharing..(kv_head + 1) * sharing {
            for start in (0..area).step_by(block) {
                let count = block.min(area - start);
                let queries = Rows {
                    data: &scratch.queries[start * stride + head * self.query..],
                    stride,
                    count,
                };
                k.product(queries, keys, &mut scratch.scores, false);
                let scores = &mut scratch.scores[..count * padded];
                let (chances, sums) = (&mut scratch.chances, &mut scratch.sums[..count]);
                softmax(k, scores, (area, padded), chances, sums);
                let chances = Rows {
                    data: chances,
                    stride: padded,
                    count,
                };
                k.product(chances, values, &mut scratch.seen, false);
                let to = &mut to[(board.start + start) * self.width() + head * self.value..];
                self.write(k, &scratch.seen, sums, to);
            }
        }
    }

    /// Writes what a head sees, divided by the sums of its chances.
    fn write(&self, k: K, seen: &[f32], sums: &mut [f32], to: &mut [K::Element]) {
        let s = k.simd();
        let size = K::Element::PARTS * WIDEST;
        s.run(
            #[inline(always)]
            || {
                for sum in sums.iter_mut() {
                    *sum = 1.0 / *sum;
                }
                let lines = seen.chunks_exact(self.value);
                let lines = lines.zip(to.chunks_mut(self.width()));
                for ((from, to), factor) in lines.zip(&*sums) {
                    let factor = s.splat(*factor);
                    for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(size)) {
                        for at in (0..WIDEST).step_by(K::Simd::LANES) {
                            let first = s.mul(s.load(&from[at..]), factor);
                            let second = s.mul(s.load(&from[size - WIDEST + at..]), factor);
                            K::Element::store(s, [first, second], at, to);
                        }
                    }
                }
            },
        );
    }
}

/// Copies a projection, with the scale of each input and one of all, to its columns: each
/// head padded, and its channels where `place` says.
fn spread(
    (dense, start): (&mut Dense, usize),
    matrix: &Matrix,
    (heads, padded): (usize, usize),
    (norm, scale): (&[f32], f32),
    place: impl Fn(usize) -> usize,
) {
    let width = matrix.outputs / heads;
    let lines = matrix.weights.chunks_exact(matrix.outputs);
    for ((line, norm), to) in lines
        .zip(norm)
        .zip(dense.data.chunks_exact_mut(dense.outputs))
    {
        for (i, weight) in line.iter().enumerate() {
            let at = start + i / width * padded + place(i % width);
            to[at] = flush(weight * norm * scale);
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
    sums: &mut [f32],
) {
    let shape = (count, padded);
    k.powers(scores, shape, &mut chances[..scores.len()], sums);
    // Any number may be taken from the scores. Almost always none need be.
    for (row, sum) in sums.iter_mut().enumerate() {
        if !SUMS.contains(sum) {
            let row = row * padded..(row + 1) * padded;
            let line = &mut scores[row.clone()];
            let highest = line[..count].iter().copied().fold(f32::MIN, f32::max);
            for score in line.iter_mut() {
                *score -= highest;
            }
            k.powers(line, shape, &mut chances[row], std::slice::from_mut(sum));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::arithmetic::ValuePart;
    use crate::fast::float::Float;
    use crate::fast::simd::{Plain, from_half};
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
        let mut sums = [0.0; 2];
        let shape = (scores.len(), padded);
        softmax(k, &mut lines, shape, &mut chances, &mut sums);
        assert!((sums[1] / scores.len() as f32 - 1.0).abs() < 1e-6);
        let highest = scores.iter().copied().fold(f32::MIN, f32::max);
        let exact = |score: f32| f64::from(score - highest).exp2();
        let whole: f64 = scores.iter().copied().map(exact).sum();
        // What each key's chance is worth to a value that only it has.
        for (key, &score) in scores.iter().enumerate() {
            let mut raw = vec![0.0; padded.next_multiple_of(32) * WIDEST];
            raw[key * WIDEST] = 1.0;
            let mut packed = vec![K::Element::default(); padded * WIDEST];
            let keys = if K::ROWS == 1 { padded } else { 32 };
            for first in (0..padded).step_by(keys) {
                let values = ValuePart {
                    raw: &raw[first * WIDEST..],
                    stride: WIDEST,
                    key: first,
                    count: keys,
                    column: 0,
                };
                let s = k.simd();
                s.run(|| k.put_values(values, (padded, WIDEST), &mut packed));
            }
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
        // Panels and tiles of 16 columns: a line of each pair of inputs, or of each input.
        let at = if K::ROWS == 1 {
            place * WIDEST.min(2 * K::Simd::LANES)
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
