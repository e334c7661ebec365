//! What stands before a product: a norm and an activation.
//!
//! Every norm is a scale and a bias for each channel; the root-mean-square norms
//! also divide by a number taken from the point, or from the whole board. Only the
//! last kind cannot be applied to a row as soon as the row is known.

use super::arithmetic::{Element, flush};
use super::batch::Batch;
use super::math::activate;
use super::simd::{Simd, WIDEST};
use crate::{Activation, Norm, PointNorm};

/// A piece of a row, known to be whole vectors.
type Part<T> = [T; WIDEST];

/// What the channels are divided by.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Divisor {
    /// One.
    Nothing,
    /// The root mean square of the point's channels.
    Point { epsilon: f32 },
    /// The root mean square of all channels of all points.
    Board { epsilon: f32 },
}

/// A norm and an activation, padded to whole vectors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prepare {
    divisor: Divisor,
    activation: Activation,
    scale: Vec<f32>,
    bias: Vec<f32>,
    /// Whether there is a scale, a bias or an activation at all.
    plain: bool,
    channels: usize,
    /// Whether rows are written in high and low elements.
    split: bool,
}

impl Prepare {
    /// Folds a norm of a residual or head layer; rows have a multiple of `padding` channels.
    pub(super) fn new(norm: &Norm, activation: Activation, padding: usize) -> Prepare {
        match norm {
            Norm::Batch(norm) => {
                let one = |values: &Option<Vec<f32>>, i: usize, none: f32| {
                    values.as_ref().map_or(none, |values| values[i])
                };
                let count = norm.mean.len();
                let scale: Vec<f32> = (0..count)
                    .map(|i| one(&norm.scale, i, 1.0) / (norm.variance[i] + norm.epsilon).sqrt())
                    .collect();
                let bias = (0..count)
                    .map(|i| one(&norm.bias, i, 0.0) - norm.mean[i] * scale[i])
                    .collect();
                Prepare::padded(Divisor::Nothing, activation, scale, bias, padding)
            }
            Norm::Rms(norm) => {
                let epsilon = norm.epsilon;
                let divisor = if norm.spatial {
                    Divisor::Board { epsilon }
                } else {
                    Divisor::Point { epsilon }
                };
                let (scale, bias) = (norm.gamma.clone(), norm.beta.clone());
                Prepare::padded(divisor, activation, scale, bias, padding)
            }
        }
    }

    /// Takes the norm of an attention or feed-forward layer, whose scale belongs to the
    /// weights that follow.
    pub(super) fn point(norm: &PointNorm, padding: usize) -> Prepare {
        let epsilon = norm.epsilon;
        let (ones, zeros) = (vec![1.0; norm.weight.len()], vec![0.0; norm.weight.len()]);
        let none = Activation::Identity;
        let divisor = Divisor::Point { epsilon };
        Prepare {
            plain: true,
            ..Prepare::padded(divisor, none, ones, zeros, padding)
        }
    }

    fn padded(
        divisor: Divisor,
        activation: Activation,
        mut scale: Vec<f32>,
        mut bias: Vec<f32>,
        padding: usize,
    ) -> Prepare {
        let channels = scale.len();
        for value in scale.iter_mut().chain(&mut bias) {
            *value = flush(*value);
        }
        scale.resize(channels.next_multiple_of(padding.max(WIDEST)), 0.0);
        bias.resize(scale.len(), 0.0);
        Prepare {
            divisor,
            activation,
            scale,
            bias,
            plain: false,
            channels,
            split: false,
        }
    }

    /// Makes it write rows in high and low elements, or not.
    pub(super) fn split(self, split: bool) -> Prepare {
        Prepare { split, ..self }
    }

    /// Returns the elements of a row that it writes.
    pub(super) fn stride(&self) -> usize {
        self.width() * if self.split { 2 } else { 1 }
    }

    /// Returns the channels of a row, padding included.
    pub(super) fn width(&self) -> usize {
        self.scale.len()
    }

    /// Returns whether all rows of a board must be known before any is prepared.
    pub(super) fn needs_board(&self) -> bool {
        matches!(self.divisor, Divisor::Board { .. })
    }

    /// Returns the scales and biases in parts.
    #[inline(always)]
    fn terms(&self) -> (&[Part<f32>], &[Part<f32>]) {
        let (scale, bias) = (self.scale.as_chunks().0, self.bias.as_chunks().0);
        (scale, &bias[..scale.len()])
    }

    /// Prepares one row; not for norms over the board.
    #[inline(always)]
    pub(super) fn row<S: Simd, E: Element>(&self, s: S, row: &[f32], to: &mut [E]) {
        if let Divisor::Point { epsilon } = self.divisor {
            let mean = sum_of_squares(s, &row[..self.width()]) / self.channels as f32;
            self.divided(s, 1.0 / (mean + epsilon).sqrt(), row, to);
            return;
        }
        let (scale, bias) = self.terms();
        let row = &row.as_chunks().0[..scale.len()];
        self.write(
            s,
            #[inline(always)]
            |part: usize, at: usize| {
                let x = load(s, &row[part], at);
                s.fma(x, load(s, &scale[part], at), load(s, &bias[part], at))
            },
            to,
        );
    }

    /// Adds a row to the stream and prepares the sum, all at once if it can.
    #[inline(always)]
    pub(super) fn add_row<S: Simd, E: Element>(
        &self,
        s: S,
        row: &[f32],
        stream: &mut [f32],
        to: &mut [E],
    ) {
        let (scale, bias) = self.terms();
        let row: &[Part<f32>] = &row.as_chunks().0[..scale.len()];
        let kept: &mut [Part<f32>] = &mut stream.as_chunks_mut().0[..scale.len()];
        if self.divisor == Divisor::Nothing {
            self.write(
                s,
                #[inline(always)]
                |part: usize, at: usize| {
                    let (scale, bias) = (load(s, &scale[part], at), load(s, &bias[part], at));
                    s.fma(add(s, &row[part], &mut kept[part], at), scale, bias)
                },
                to,
            );
            return;
        }
        let mut squares = s.splat(0.0);
        for part in 0..scale.len() {
            for at in (0..WIDEST).step_by(S::LANES) {
                let sum = add(s, &row[part], &mut kept[part], at);
                squares = s.fma(sum, sum, squares);
            }
        }
        if let Divisor::Point { epsilon } = self.divisor {
            let mean = s.sum(squares) / self.channels as f32;
            self.divided(s, 1.0 / (mean + epsilon).sqrt(), stream, to);
        }
    }

    /// Prepares dense rows of a stream, `width` channels each; not for norms over the board.
    #[inline(always)]
    pub(super) fn dense<S: Simd, E: Element>(
        &self,
        s: S,
        (stream, width): (&[f32], usize),
        rows: &[u32],
        place: &[u32],
        to: &mut [E],
    ) {
        let stride = self.stride();
        let from = |row: u32| &stream[row as usize * width..][..self.width()];
        let start = |row: u32| place[row as usize] as usize * stride;
        let Divisor::Point { epsilon } = self.divisor else {
            for &row in rows {
                self.row(s, from(row), &mut to[start(row)..][..stride]);
            }
            return;
        };
        // Many together, since what is divided and rooted then is a whole vector.
        for rows in rows.chunks(WIDEST) {
            let mut factors = [0.0; WIDEST];
            for (rows, factors) in rows.chunks(4).zip(factors.as_chunks_mut().0) {
                let line = |i: usize| from(rows[i.min(rows.len() - 1)]);
                *factors = squares_of_four(s, [line(0), line(1), line(2), line(3)]);
            }
            for factor in &mut factors {
                *factor = 1.0 / (*factor / self.channels as f32 + epsilon).sqrt();
            }
            for (&row, factor) in rows.iter().zip(factors) {
                self.divided(s, factor, from(row), &mut to[start(row)..][..stride]);
            }
        }
    }

    /// Prepares one row whose inverse divisor is known.
    #[inline(always)]
    fn divided<S: Simd, E: Element>(&self, s: S, factor: f32, row: &[f32], to: &mut [E]) {
        if self.plain {
            self.multiplied(s, factor, row, to);
            return;
        }
        let factor = s.splat(factor);
        let (scale, bias) = self.terms();
        let row = &row.as_chunks().0[..scale.len()];
        self.write(
            s,
            #[inline(always)]
            |part: usize, at: usize| {
                let x = s.mul(load(s, &row[part], at), factor);
                s.fma(x, load(s, &scale[part], at), load(s, &bias[part], at))
            },
            to,
        );
    }

    /// Writes a row times a factor.
    #[inline(always)]
    fn multiplied<S: Simd, E: Element>(&self, s: S, factor: f32, row: &[f32], to: &mut [E]) {
        let size = E::PARTS * WIDEST;
        let from = row[..self.width()].chunks_exact(size);
        let (high, low) = to[..self.stride()].split_at_mut(self.width());
        let high = high.chunks_exact_mut(size);
        if self.split {
            let factor = s.splat(factor);
            for ((from, high), low) in from.zip(high).zip(low.chunks_exact_mut(size)) {
                for at in (0..WIDEST).step_by(S::LANES) {
                    E::store_split(s, product::<S, E>(s, from, at, factor), at, high, low);
                }
            }
        } else {
            let factor = s.splat(factor);
            for (from, to) in from.zip(high) {
                for at in (0..WIDEST).step_by(S::LANES) {
                    E::store(s, product::<S, E>(s, from, at, factor), at, to);
                }
            }
        }
    }

    /// Writes a row of activated numbers, in high and low elements if it should.
    #[inline(always)]
    fn write<S: Simd, E: Element>(
        &self,
        s: S,
        map: impl FnMut(usize, usize) -> S::V,
        to: &mut [E],
    ) {
        let size = E::PARTS * WIDEST;
        let len = (self.width() / size, E::PARTS);
        if self.split {
            let (high, low) = to.split_at_mut(self.width());
            activate::<S, f32>(
                s,
                self.activation,
                len,
                map,
                #[inline(always)]
                |unit, at, v| {
                    let unit = unit * size..(unit + 1) * size;
                    E::store_split(s, v, at, &mut high[unit.clone()], &mut low[unit]);
                },
            );
        } else {
            activate::<S, E>(
                s,
                self.activation,
                len,
                map,
                #[inline(always)]
                |unit, at, v| E::store(s, v, at, &mut to[unit * size..][..size]),
            );
        }
    }

    /// Prepares all rows of a batch from the dense rows of `from`, `stride` apart.
    pub(super) fn rows<S: Simd, E: Element>(
        &self,
        s: S,
        batch: &Batch,
        (from, stride): (&[f32], usize),
        place: &[u32],
        to: &mut [E],
    ) {
        let width = self.width();
        s.run(
            #[inline(always)]
            || {
                for board in &batch.boards {
                    let rows = board.rows();
                    let factor = match self.divisor {
                        Divisor::Board { epsilon } => {
                            let mut sum = 0.0;
                            for row in rows.clone() {
                                let row = &from[row * stride..][..width];
                                sum += f64::from(sum_of_squares(s, row));
                            }
                            let mean = sum / (rows.len() * self.channels) as f64;
                            Some(1.0 / (mean as f32 + epsilon).sqrt())
                        }
                        _ => None,
                    };
                    for row in rows {
                        let source = &from[row * stride..];
                        let to = &mut to[place[row] as usize * self.stride()..];
                        match factor {
                            Some(factor) => self.divided(s, factor, source, to),
                            None => self.row(s, source, to),
                        }
                    }
                }
            },
        );
    }
}

/// Reads a vector of a part.
#[inline(always)]
fn load<S: Simd>(s: S, part: &Part<f32>, at: usize) -> S::V {
    s.load(&part[at..])
}

/// Adds a vector of a part to another, and returns the sum.
#[inline(always)]
fn add<S: Simd>(s: S, part: &Part<f32>, to: &mut Part<f32>, at: usize) -> S::V {
    let sum = s.add(load(s, part, at), load(s, to, at));
    s.store(sum, &mut to[at..]);
    sum
}

/// Returns the vectors at a place in the parts of a unit of elements, times a factor.
#[inline(always)]
fn product<S: Simd, E: Element>(s: S, unit: &[f32], at: usize, factor: S::V) -> [S::V; 2] {
    let second = &unit[(E::PARTS - 1) * WIDEST..];
    [
        s.mul(s.load(&unit[at..]), factor),
        s.mul(s.load(&second[at..]), factor),
    ]
}

#[inline(always)]
fn sum_of_squares<S: Simd>(s: S, row: &[f32]) -> f32 {
    let mut sum = s.splat(0.0);
    for part in row.chunks_exact(S::LANES) {
        let x = s.load(part);
        sum = s.fma(x, x, sum);
    }
    s.sum(sum)
}

/// [`sum_of_squares`] of four rows, none of which waits for itself.
#[inline(always)]
fn squares_of_four<S: Simd>(s: S, rows: [&[f32]; 4]) -> [f32; 4] {
    // By name: an index would keep them in memory.
    let none = s.splat(0.0);
    let (mut a, mut b, mut c, mut d) = (none, none, none, none);
    let [first, second, third, fourth] = rows;
    let lines = first
        .chunks_exact(S::LANES)
        .zip(second.chunks_exact(S::LANES));
    let more = third
        .chunks_exact(S::LANES)
        .zip(fourth.chunks_exact(S::LANES));
    for ((first, second), (third, fourth)) in lines.zip(more) {
        let (x, y, z, w) = (s.load(first), s.load(second), s.load(third), s.load(fourth));
        (a, b) = (s.fma(x, x, a), s.fma(y, y, b));
        (c, d) = (s.fma(z, z, c), s.fma(w, w, d));
    }
    s.sums([a, b, c, d])
}
