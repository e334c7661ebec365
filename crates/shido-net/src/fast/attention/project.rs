//! The rows of the projection, sorted into queries, keys and values.
//!
//! Queries and keys turn by the column and row of their point on the way.

use super::AttentionLayer;
use super::turns::PartTurn;
use crate::fast::arithmetic::{Arithmetic, Element};
use crate::fast::batch::Batch;
use crate::fast::finish::{FinishPieces, Piece};
use crate::fast::simd::{Simd, WIDEST};

/// Sorts the rows of the projection into queries, keys and values.
pub(super) struct Project<'a, K: Arithmetic> {
    pub(super) layer: &'a AttentionLayer<K>,
    pub(super) batch: &'a Batch,
    pub(super) queries: &'a mut [K::Element],
    pub(super) keys: &'a mut [K::Element],
    pub(super) values: &'a mut [K::Element],
}

impl<K: Arithmetic> FinishPieces<K::Simd> for Project<'_, K> {
    #[inline(always)]
    fn piece(&mut self, s: K::Simd, piece: &Piece<'_>) {
        let layer = self.layer;
        let query = layer.query / WIDEST;
        let (queries, keys) = (layer.heads * query, layer.kv_heads * query);
        let sharing = layer.heads / layer.kv_heads;
        let columns = piece.columns.start / WIDEST..piece.columns.end / WIDEST;
        for (i, part) in columns.enumerate() {
            let raw = piece.raw[i * WIDEST..].chunks(piece.stride);
            let raw = raw.filter_map(<[f32]>::first_chunk);
            let rows = piece.rows.iter().map(|&row| row as usize).zip(raw);
            if part < queries {
                let (head, part) = (part / query, part % query);
                let turning = Turning {
                    turn: layer.turn(head / sharing * query + part),
                    places: &self.batch.places,
                    stride: layer.heads * layer.query_elements(),
                    start: head * layer.query_elements() + part * WIDEST,
                    low: (layer.query_elements() > layer.query).then_some(layer.query),
                };
                turning.write(s, rows, self.queries);
            } else if part < queries + keys {
                let part = part - queries;
                let (head, place) = (part / query, part % query);
                let turning = Turning {
                    turn: layer.turn(part),
                    places: &self.batch.places,
                    stride: layer.kv_heads * layer.key_elements(),
                    start: head * layer.key_elements() + place * WIDEST,
                    low: (layer.key_elements() > layer.query).then_some(layer.query),
                };
                turning.write(s, rows, self.keys);
            } else {
                let to = self.values.as_chunks_mut::<WIDEST>().0;
                let values = layer.kv_heads * layer.value / WIDEST;
                for (row, from) in rows {
                    let to = &mut to[row * values + part - queries - keys];
                    for at in (0..WIDEST).step_by(K::Simd::LANES) {
                        K::Element::store(s, s.load(&from[at..]), &mut to[at..]);
                    }
                }
            }
        }
    }
}

/// Turns a part of the queries or keys of a head and writes it in elements.
struct Turning<'a> {
    turn: PartTurn<'a>,
    /// The column and row of each point.
    places: &'a [(u8, u8)],
    /// From point to point, and where in each the part begins.
    stride: usize,
    start: usize,
    /// From the high elements to the low ones, if there are any.
    low: Option<usize>,
}

impl Turning<'_> {
    #[inline(always)]
    fn write<'r, S: Simd, E: Element>(
        &self,
        s: S,
        rows: impl Iterator<Item = (usize, &'r [f32; WIDEST])>,
        to: &mut [E],
    ) {
        for (row, from) in rows {
            let place = self.places[row];
            let to = &mut to[row * self.stride + self.start..];
            for at in (0..WIDEST).step_by(S::LANES) {
                let v = self.turn.turn(s, place, at, from);
                if let Some(low) = self.low {
                    let (high, low) = to.split_at_mut(low);
                    E::store_split(s, v, &mut high[at..], &mut low[at..]);
                } else {
                    E::store(s, v, &mut to[at..]);
                }
            }
        }
    }
}

impl<K: Arithmetic> AttentionLayer<K> {
    /// Returns how a part of the key heads, and of the queries that look at them, turns.
    fn turn(&self, part: usize) -> PartTurn<'_> {
        let turns = self.turns.as_ref();
        turns.map_or_else(PartTurn::default, |turns| turns.part(part))
    }
}
