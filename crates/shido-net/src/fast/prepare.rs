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

    /// Takes the norm of an attention or feed-forward layer.
    pub(super) fn point(norm: &PointNorm, padding: usize) -> Prepare {
        let epsilon = norm.epsilon;
        let bias = vec![0.0; norm.weight.len()];
        Prepare::padded(
            Divisor::Point { epsilon },
            Activation::Identity,
            norm.weight.clone(),
            bias,
            padding,
        )
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

    /// Prepares one row whose inverse divisor is known.
    #[inline(always)]
    fn divided<S: Simd, E: Element>(&self, s: S, factor: f32, row: &[f32], to: &mut [E]) {
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

    /// Writes a row of activated numbers, in high and low elements if it should.
    #[inline(always)]
    fn write<S: Simd, E: Element>(
        &self,
        s: S,
        map: impl FnMut(usize, usize) -> S::V,
        to: &mut [E],
    ) {
        let len = self.scale.len() / WIDEST;
        let to = to.as_chunks_mut::<WIDEST>().0;
        if self.split {
            let (high, low) = to[..2 * len].split_at_mut(len);
            activate::<S, f32>(
                s,
                self.activation,
                len,
                map,
                #[inline(always)]
                |part, at, v| E::store_split(s, v, &mut high[part][at..], &mut low[part][at..]),
            );
        } else {
            let to = &mut to[..len];
            activate::<S, E>(
                s,
                self.activation,
                len,
                map,
                #[inline(always)]
                |part, at, v| E::store(s, v, &mut to[part][at..]),
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

#[inline(always)]
fn sum_of_squares<S: Simd>(s: S, row: &[f32]) -> f32 {
    let mut sum = s.splat(0.0);
    for part in row.chunks_exact(S::LANES) {
        let x = s.load(part);
        sum = s.fma(x, x, sum);
    }
    s.sum(sum)
}
