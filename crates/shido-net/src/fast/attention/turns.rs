//! Turns of queries and keys by their place on the board.
//!
//! A point turns each pair of channels by an angle that is a multiple of its column
//! plus a multiple of its row: two turns from small tables, whatever the size of the
//! board. A part of a row that does not turn by one of them is left as it is.

use crate::fast::buffer::Buffer;
use crate::fast::simd::{Simd, WIDEST};
use crate::{Attention, Rotation};

/// The longest side of a board.
const SIDE: usize = 19;

/// Cosines and sines for each column and row: how far each pair of channels turns.
pub(super) struct Turns {
    /// By column.
    x: Turn,
    /// By row.
    y: Turn,
}

/// `[part of the kv heads][line][channel]`
struct Turn {
    cosines: Buffer<f32>,
    /// Negative for the first channel of a pair.
    sines: Buffer<f32>,
    /// Whether any channel of each part turns at all.
    turns: Vec<bool>,
}

/// For each column or row the cosines, or the sines, of a part.
type Lines = [[f32; WIDEST]; SIDE];

/// How one part of a row turns, wherever its point is.
#[derive(Clone, Copy, Default)]
pub(super) struct PartTurn<'a> {
    /// Cosines and sines by column, if it turns by that.
    x: Option<(&'a Lines, &'a Lines)>,
    y: Option<(&'a Lines, &'a Lines)>,
}

impl Turns {
    /// Makes the tables of a layer whose heads are padded to so many channels.
    pub(super) fn new(rotation: &Rotation, layer: &Attention, padded: usize) -> Turns {
        let pairs = layer.query_width / 2;
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
        let table = |choose: &dyn Fn((f32, f32)) -> f32| {
            let mut turn = Turn {
                cosines: Buffer::new(SIDE * layer.kv_heads * padded),
                sines: Buffer::new(SIDE * layer.kv_heads * padded),
                turns: vec![false; layer.kv_heads * padded / WIDEST],
            };
            for line in 0..SIDE {
                for head in 0..layer.kv_heads {
                    for pair in 0..pairs {
                        let angle = line as f64 * f64::from(choose(frequency(head, pair)));
                        let (sine, cosine) = angle.sin_cos();
                        let channel = head * padded + 2 * pair;
                        let (part, at) = (channel / WIDEST, channel % WIDEST);
                        let at = (part * SIDE + line) * WIDEST + at;
                        turn.turns[part] |= angle != 0.0;
                        turn.cosines[at..at + 2].fill(cosine as f32);
                        turn.sines[at] = -sine as f32;
                        turn.sines[at + 1] = sine as f32;
                    }
                }
            }
            turn
        };
        Turns {
            x: table(&|(x, _)| x),
            y: table(&|(_, y)| y),
        }
    }

    /// Returns how a part of the key heads turns.
    pub(super) fn part(&self, part: usize) -> PartTurn<'_> {
        PartTurn {
            x: self.x.part(part),
            y: self.y.part(part),
        }
    }
}

impl Turn {
    fn part(&self, part: usize) -> Option<(&Lines, &Lines)> {
        fn lines(table: &[f32], part: usize) -> &Lines {
            &table.as_chunks().0.as_chunks().0[part]
        }
        self.turns[part].then(|| (lines(&self.cosines, part), lines(&self.sines, part)))
    }
}

impl PartTurn<'_> {
    /// Turns the vector at a place in the part of a point in this column and row.
    #[inline(always)]
    pub(super) fn turn<S: Simd>(
        &self,
        s: S,
        (x, y): (u8, u8),
        at: usize,
        from: &[f32; WIDEST],
    ) -> S::V {
        let mut v = s.load(&from[at..]);
        for (lines, line) in [(self.x, x), (self.y, y)] {
            if let Some((cosines, sines)) = lines {
                let line = usize::from(line);
                let sines = s.mul(s.swap_pairs(v), s.load(&sines[line][at..]));
                v = s.fma(v, s.load(&cosines[line][at..]), sines);
            }
        }
        v
    }
}
