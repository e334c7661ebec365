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
    /// By column; `[column][kv head][channel]`.
    x: Turn,
    /// By row.
    y: Turn,
    /// Parts of a line of the tables.
    width: usize,
}

struct Turn {
    cosines: Buffer<f32>,
    /// Negative for the first channel of a pair.
    sines: Buffer<f32>,
    /// Whether any channel of each part of a line turns at all.
    turns: Vec<bool>,
}

/// The turns of one column or row.
pub(super) struct TurnLine<'a> {
    cosines: &'a [[f32; WIDEST]],
    sines: &'a [[f32; WIDEST]],
    turns: &'a [bool],
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
                    let at = (line * layer.kv_heads + head) * padded;
                    for pair in 0..pairs {
                        let angle = line as f64 * f64::from(choose(frequency(head, pair)));
                        let (sine, cosine) = angle.sin_cos();
                        let at = at + 2 * pair;
                        turn.turns[(head * padded + 2 * pair) / WIDEST] |= angle != 0.0;
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
            width: layer.kv_heads * padded / WIDEST,
        }
    }

    /// Returns the turns of a point, first by column, then by row.
    #[inline(always)]
    pub(super) fn lines(&self, (x, y): (u8, u8)) -> [TurnLine<'_>; 2] {
        [(&self.x, x), (&self.y, y)].map(|(turn, line)| turn.line(usize::from(line), self.width))
    }
}

impl Turn {
    #[inline(always)]
    fn line(&self, line: usize, width: usize) -> TurnLine<'_> {
        let line = line * width..(line + 1) * width;
        TurnLine {
            cosines: &self.cosines.as_chunks().0[line.clone()],
            sines: &self.sines.as_chunks().0[line],
            turns: &self.turns[..width],
        }
    }
}

impl TurnLine<'_> {
    /// Turns a vector that begins at a place in a part.
    #[inline(always)]
    fn turn<S: Simd>(&self, s: S, (part, at): (usize, usize), v: S::V) -> S::V {
        if !self.turns[part] {
            return v;
        }
        let sines = s.mul(s.swap_pairs(v), s.load(&self.sines[part][at..]));
        s.fma(v, s.load(&self.cosines[part][at..]), sines)
    }
}

/// Turns vectors of one point.
pub(super) struct Rotate<'a, S: Simd> {
    /// The vectors.
    pub(super) s: S,
    /// How far, if they turn.
    pub(super) lines: Option<[TurnLine<'a>; 2]>,
}

impl<S: Simd> Rotate<'_, S> {
    /// Turns the vector at a place in a part of the key heads.
    #[inline(always)]
    pub(super) fn part(&self, part: usize, at: usize, from: &[f32; WIDEST]) -> S::V {
        let v = self.s.load(&from[at..]);
        match &self.lines {
            Some([x, y]) => y.turn(self.s, (part, at), x.turn(self.s, (part, at), v)),
            None => v,
        }
    }
}
