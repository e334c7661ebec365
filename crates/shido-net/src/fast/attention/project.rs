//! The rows of the projection, sorted into queries, keys and values.
//!
//! Queries and keys turn by the column and row of their point on the way; values are packed
//! at once.

use super::AttentionLayer;
use super::turns::BlockTurn;
use crate::fast::arithmetic::{Arithmetic, Element, ValuePart};
use crate::fast::finish::{FinishPieces, Piece};
use crate::fast::simd::{Simd, WIDEST};

/// Channels of a block: sixteen pairs.
const BLOCK: usize = 2 * WIDEST;

/// Sorts the rows of the projection of one board into queries, keys and values.
pub(super) struct Project<'a, K: Arithmetic> {
    pub(super) layer: &'a AttentionLayer<K>,
    /// The first dense row of the board.
    pub(super) first: usize,
    /// The column and row of each point.
    pub(super) places: &'a [(u8, u8)],
    /// Keys of a head, padded.
    pub(super) padded: usize,
    pub(super) queries: &'a mut [K::Element],
    pub(super) keys: &'a mut [K::Element],
    pub(super) values: &'a mut [K::Element],
}

impl<K: Arithmetic> FinishPieces<K::Simd> for Project<'_, K> {
    #[inline(always)]
    fn piece(&mut self, s: K::Simd, piece: &Piece<'_>) {
        let layer = self.layer;
        let (queries, keys) = (layer.heads * layer.query, layer.kv_heads * layer.query);
        let sharing = layer.heads / layer.kv_heads;
        let first = piece.rows[0] as usize - self.first;
        let mut column = piece.columns.start;
        while column < piece.columns.end {
            let raw = &piece.raw[column - piece.columns.start..];
            let (head, block) = (column % queries / layer.query, column % layer.query / BLOCK);
            if column < queries {
                let turning = Turning {
                    turn: layer.turn(head / sharing, block),
                    places: &self.places[first..first + piece.rows.len()],
                    stride: queries,
                    low: None,
                };
                let to = &mut self.queries[first * queries + column..];
                turning.write(s, (raw, piece.stride), to);
            } else if column < queries + keys {
                let head = (column - queries) / layer.query;
                let turning = Turning {
                    turn: layer.turn(head, block),
                    places: &self.places[first..first + piece.rows.len()],
                    stride: layer.kv_heads * layer.key_elements(),
                    low: (layer.key_elements() > layer.query).then_some(layer.query),
                };
                let start = head * layer.key_elements() + block * BLOCK;
                let to = &mut self.keys[first * turning.stride + start..];
                turning.write(s, (raw, piece.stride), to);
            } else {
                let column = column - queries - keys;
                let (head, column) = (column / layer.value, column % layer.value);
                let size = self.padded * layer.value;
                let values = ValuePart {
                    raw,
                    stride: piece.stride,
                    key: first,
                    count: piece.rows.len(),
                    column,
                };
                let shape = (self.padded, layer.value);
                let to = &mut self.values[head * size..][..size];
                layer.k.put_values(values, shape, to);
            }
            column += if column < queries + keys {
                BLOCK
            } else {
                WIDEST
            };
        }
    }
}

/// Turns a block of the queries or keys of a head and writes it in elements.
struct Turning<'a> {
    turn: BlockTurn<'a>,
    /// The column and row of each point.
    places: &'a [(u8, u8)],
    /// From point to point.
    stride: usize,
    /// From the high elements to the low ones, if there are any.
    low: Option<usize>,
}

impl Turning<'_> {
    #[inline(always)]
    fn write<S: Simd, E: Element>(&self, s: S, (raw, from): (&[f32], usize), to: &mut [E]) {
        let lines = raw.chunks(from).zip(to.chunks_mut(self.stride));
        for (&place, (from, to)) in self.places.iter().zip(lines) {
            let (from, end) = (&from[..BLOCK], self.low.unwrap_or(0) + BLOCK);
            let to = &mut to[..end];
            for at in (0..WIDEST).step_by(S::LANES) {
                let pair = [s.load(&from[at..]), s.load(&from[WIDEST + at..])];
                let pair = self.turn.turn(s, place, at, pair);
                if let Some(low) = self.low {
                    let (high, low) = to.split_at_mut(low);
                    E::store_split(s, pair, at, high, low);
                } else {
                    E::store(s, pair, at, to);
                    if E::PARTS == 1 {
                        E::store(s, [pair[1]; 2], WIDEST + at, to);
                    }
                }
            }
        }
    }
}

impl<K: Arithmetic> AttentionLayer<K> {
    /// Returns how a block of a key head, and of the queries that look at it, turns.
    fn turn(&self, head: usize, block: usize) -> BlockTurn<'_> {
        let turns = self.turns.as_ref();
        turns.map_or_else(BlockTurn::default, |turns| turns.block(head, block))
    }
}
