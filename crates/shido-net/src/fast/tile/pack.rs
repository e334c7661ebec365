//! Matrices packed tile by tile: for 16 outputs, all their inputs, high elements before
//! low ones, each tile as sixteen rows of sixteen pairs.
//!
//! The two inputs of a pair are sixteen apart, as rows of elements are written (see
//! [`Element`](crate::fast::arithmetic::Element)).

use super::powers::order;
use super::{DEPTH, SIDE, TILE};
use crate::fast::arithmetic::{Precision, Source, ValuePart};
use crate::fast::simd::{Simd, from_half, to_half};
use crate::fast::taps::Taps;

/// Packs a matrix of a padded shape, inputs and outputs.
pub(super) fn matrix<S: Simd>(
    s: S,
    source: &Source<'_>,
    (inner, outputs): (usize, usize),
    precision: Precision,
    into: &mut [u16],
) {
    let size = inner * SIDE;
    let parts = parts(precision);
    let columns = into[..inner * outputs * parts.len()].chunks_exact_mut(size * parts.len());
    for (column, to) in columns.enumerate() {
        let first = column * SIDE;
        for (&part, to) in parts.iter().zip(to.chunks_exact_mut(size)) {
            if source.output_step == 1 && first + SIDE <= source.outputs {
                s.run(
                    #[inline(always)]
                    || pack_straight(s, source, first, part, to),
                );
            } else {
                pack_column(source, first, part, to);
            }
        }
    }
}

/// Returns the inputs of a pair.
fn inputs(pair: usize) -> (usize, usize) {
    let first = pair / SIDE * DEPTH + pair % SIDE;
    (first, first + SIDE)
}

/// Packs the values of 32 keys in the order in which their chances come.
///
/// All 32 rows must be there; there may be fewer keys, as no other has a chance.
#[inline(always)]
pub(super) fn values<S: Simd>(s: S, values: ValuePart<'_>, keys: usize, into: &mut [u16]) {
    let tile = &mut into[values.column * keys + values.key * SIDE..][..TILE];
    let row = |key: usize| &values.raw[key * values.stride..][..SIDE];
    for (pair, to) in tile.chunks_exact_mut(2 * SIDE).enumerate() {
        // Its two places have keys beside each other.
        let key = order(2 * pair);
        let (even, odd) = (row(key), row(key + 1));
        for at in (0..SIDE).step_by(S::LANES) {
            s.store_half_pairs(s.load(&even[at..]), s.load(&odd[at..]), &mut to[2 * at..]);
        }
    }
}

/// Packs rows of `width` elements, high ones and then low ones if there are any, as the
/// columns of a matrix.
pub(super) fn rows<S: Simd>(
    s: S,
    (rows, stride): (&[u16], usize),
    count: usize,
    width: usize,
    into: &mut [u16],
) {
    let tiles = into.as_chunks_mut::<TILE>().0;
    let columns = tiles.chunks_exact_mut(width / DEPTH);
    let columns = columns.take(count.next_multiple_of(DEPTH) / SIDE);
    s.run(
        #[inline(always)]
        || {
            for (column, tiles) in columns.enumerate() {
                let rows = &rows[column * SIDE * stride..];
                for (depth, tile) in tiles.iter_mut().enumerate() {
                    s.transpose_pairs(&rows[depth * DEPTH..], stride, tile);
                }
            }
        },
    );
}

/// Packs a convolution: for each tile of outputs its taps, each with all inputs, padded.
pub(super) fn taps(taps: &Taps, inner: usize, into: &mut [u16]) {
    let columns = into.chunks_exact_mut(taps.taps.len() * inner * SIDE);
    for (column, to) in columns.enumerate() {
        for input in 0..taps.inputs {
            for output in 0..SIDE {
                pack_taps(taps, (input, column * SIDE + output), to);
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
    let pair = input / DEPTH * SIDE + input % SIDE;
    let at = pair * 2 * SIDE + output % SIDE * 2 + input % DEPTH / SIDE;
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

/// Returns the parts a matrix is packed in, in order.
fn parts(precision: Precision) -> &'static [Part] {
    match precision {
        Precision::Single => &[Part::High],
        Precision::Weights | Precision::Both => &[Part::High, Part::Low],
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
        let (a, b) = inputs(pair);
        for (o, to) in line.chunks_exact_mut(2).enumerate() {
            to[0] = part.of(source.get(a, first + o));
            to[1] = part.of(source.get(b, first + o));
        }
    }
}

/// [`pack_column`] for a matrix whose outputs lie together, sixteen of which there are.
#[inline(always)]
fn pack_straight<S: Simd>(s: S, source: &Source<'_>, first: usize, part: Part, to: &mut [u16]) {
    let row = |i: usize| {
        let row = (i < source.inner).then(|| &source.data[i * source.inner_step + first..]);
        row.unwrap_or(&[0.0; SIDE])
    };
    for (pair, line) in to.as_chunks_mut::<{ 2 * SIDE }>().0.iter_mut().enumerate() {
        let (a, b) = inputs(pair);
        let (a, b) = (row(a), row(b));
        for at in (0..SIDE).step_by(S::LANES) {
            let a = part.of_vector(s, s.load(&a[at..]));
            let b = part.of_vector(s, s.load(&b[at..]));
            s.store_half_pairs(a, b, &mut line[2 * at..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::arithmetic::Dense;
    use crate::fast::simd::Plain;

    fn numbers(len: usize) -> Vec<f32> {
        (0..len)
            .map(|i| ((i * 37 + 11) % 101) as f32 / 48.0 - 0.75)
            .collect()
    }

    fn check_values<S: Simd>() {
        let Some(s) = S::detect() else { return };
        let (keys, columns, stride) = (64, 32, 77);
        let raw = numbers(keys * stride);
        let mut packed = vec![2; keys * columns];
        for (key, column) in [(0, 0), (0, 16), (32, 0), (32, 16)] {
            // Columns begin amid others.
            let part = ValuePart {
                raw: &raw[key * stride + 5 + column..],
                stride,
                key,
                count: 32,
                column,
            };
            s.run(|| values(s, part, keys, &mut packed));
        }
        for (i, &found) in packed.iter().enumerate() {
            let (column, i) = (i / (keys * SIDE), i % (keys * SIDE));
            let place = i / (2 * SIDE) * 2 + i % 2;
            let key = place / DEPTH * DEPTH + order(place % DEPTH);
            let output = column * SIDE + i % (2 * SIDE) / 2;
            let expected = to_half(raw[key * stride + 5 + output]);
            assert_eq!(found, expected, "{key} {output}");
        }
    }

    #[test]
    fn values_come_in_the_order_of_chances() {
        check_values::<Plain>();
        #[cfg(target_arch = "x86_64")]
        check_values::<crate::fast::simd::Avx512>();
    }

    #[test]
    fn all_ways_of_packing_agree() {
        let s = Plain::detect().unwrap();
        let (inner, outputs) = (64, 45);
        let dense = Dense {
            inner,
            outputs,
            data: numbers(inner * outputs),
        };
        let mut slow = vec![1; 64 * 64 * 2];
        for (column, to) in slow.chunks_exact_mut(2 * 64 * SIDE).enumerate() {
            let (high, low) = to.split_at_mut(64 * SIDE);
            pack_column(&dense.source(), column * SIDE, Part::High, high);
            pack_column(&dense.source(), column * SIDE, Part::Low, low);
        }
        let mut packed = vec![2; 64 * 64 * 2];
        matrix(
            s,
            &dense.source(),
            (64, 64),
            Precision::Weights,
            &mut packed,
        );
        assert_eq!(packed, slow);
        // The same matrix as rows of high and low elements, and what must be there for all
        // of the last columns.
        let stride = 2 * inner + 7;
        let mut lines = vec![0; 64 * stride];
        for o in 0..outputs {
            for place in 0..inner {
                let (a, b) = inputs(place / 2);
                let weight = dense.source().get([a, b][place % 2], o);
                lines[o * stride + place] = Part::High.of(weight);
                lines[o * stride + inner + place] = Part::Low.of(weight);
            }
        }
        let mut packed = vec![2; 64 * 64 * 2];
        rows(s, (&lines, stride), outputs, 2 * inner, &mut packed);
        let whole = outputs.next_multiple_of(DEPTH) * 2 * 64;
        assert_eq!(packed[..whole], slow[..whole]);
    }
}
