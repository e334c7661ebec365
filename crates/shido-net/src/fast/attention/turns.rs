//! Turns of queries and keys by their place on the board.
//!
//! A point turns each pair of channels by an angle that is a multiple of its column
//! plus a multiple of its row, which a table says for each point. The first channels of
//! sixteen pairs are one part of a row, the second ones the next, so that a turn needs no
//! number from another lane.

use crate::fast::buffer::Buffer;
use crate::fast::simd::{Simd, WIDEST};
use crate::{Attention, Rotation};

/// The longest side of a board.
const SIDE: usize = 19;

/// Returns where a channel of a head goes.
pub(super) fn place(channel: usize) -> usize {
    let pair = channel / 2;
    pair / WIDEST * 2 * WIDEST + channel % 2 * WIDEST + pair % WIDEST
}

/// Cosines and sines for each point: how far each pair of channels turns there.
pub(super) struct Turns {
    /// `[kv head][block][row][column][cosine or sine][pair]`, one head for all if they turn
    /// alike.
    lines: Buffer<f32>,
    heads: usize,
    /// Sixteen pairs each.
    blocks: usize,
}

/// Cosines and sines of sixteen pairs.
type Line = [[f32; WIDEST]; 2];

impl Turns {
    /// Makes the table of a layer whose heads are padded to so many channels.
    pub(super) fn new(rotation: &Rotation, layer: &Attention, padded: usize) -> Turns {
        let pairs = layer.query_width / 2;
        let heads = match rotation {
            Rotation::Fixed { .. } => 1,
            Rotation::Learned { .. } => layer.kv_heads,
        };
        // By column and by row.
        let frequency = |head: usize, pair: usize| match rotation {
            Rotation::Fixed { theta, .. } => {
                let half = pairs / 2;
                let slow = |step: usize| theta.powf(-((2 * step) as f32 / pairs as f32));
                if pair < half {
                    (0.0, slow(pair))
                } else {
                    (slow(pair - half), 0.0)
                }
            }
            Rotation::Learned { frequencies, .. } => {
                let at = 2 * (head * pairs + pair);
                (frequencies[at], frequencies[at + 1])
            }
        };
        let blocks = padded / (2 * WIDEST);
        let mut lines = Buffer::new(heads * blocks * SIDE * SIDE * 2 * WIDEST);
        let points = lines.chunks_exact_mut(2 * WIDEST).enumerate();
        for (i, line) in points {
            let (point, block) = (i % (SIDE * SIDE), i / (SIDE * SIDE));
            let (head, first) = (block / blocks, block % blocks * WIDEST);
            let (cosines, sines) = line.split_at_mut(WIDEST);
            for pair in first..pairs.min(first + WIDEST) {
                let (x, y) = frequency(head, pair);
                let (column, row) = ((point % SIDE) as f64, (point / SIDE) as f64);
                let angle = column * f64::from(x) + row * f64::from(y);
                cosines[pair - first] = angle.cos() as f32;
                sines[pair - first] = angle.sin() as f32;
            }
        }
        Turns {
            lines,
            heads,
            blocks,
        }
    }

    /// Returns how a block of sixteen pairs of a key head, and of the queries that look at
    /// it, turns.
    pub(super) fn block(&self, head: usize, block: usize) -> BlockTurn<'_> {
        let block = head % self.heads * self.blocks + block;
        let size = SIDE * SIDE;
        let lines = self.lines.as_chunks().0.as_chunks().0;
        BlockTurn(Some(&lines[block * size..][..size]))
    }
}

/// How one block of a head turns, wherever its point is; not at all if there is no table.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockTurn<'a>(Option<&'a [Line]>);

impl BlockTurn<'_> {
    /// Turns vectors of the first and the second channels, from `at` on in their parts, of a
    /// point in this column and row.
    #[inline(always)]
    pub(super) fn turn<S: Simd>(
        &self,
        s: S,
        (x, y): (u8, u8),
        at: usize,
        [a, b]: [S::V; 2],
    ) -> [S::V; 2] {
        let Some(lines) = self.0 else { return [a, b] };
        let [cosines, sines] = &lines[usize::from(y) * SIDE + usize::from(x)];
        let (cosines, sines) = (s.load(&cosines[at..]), s.load(&sines[at..]));
        [
            s.fnma(b, sines, s.mul(a, cosines)),
            s.fma(a, sines, s.mul(b, cosines)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_a_part_apart() {
        for (channel, expected) in [(0, 0), (1, 16), (2, 1), (31, 31), (32, 32), (33, 48)] {
            assert_eq!(place(channel), expected);
        }
    }
}
