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

    /// Writes a vector of a row.
    #[inline(always)]
    fn put<S: Simd, E: Element>(&self, s: S, v: S::V, to: &mut [E]) {
        if self.split {
            E::store_split(s, v, to, self.width());
        } else {
            E::store(s, v, to);
        }
    }

    /// Returns the channels of a row, padding included.
    pub(super) fn width(&self) -> usize {
        self.scale.len()
    }

    /// Returns whether all rows of a board must be known before any is prepared.
    pub(super) fn needs_board(&self) -> bool {
        matches!(self.divisor, Divisor::Board { .. })
    }

    /// Prepares one row; not for norms over the board.
    #[inline(always)]
    pub(super) fn row<S: Simd, E: Element>(&self, s: S, row: &[f32], to: &mut [E]) {
        match self.divisor {
            Divisor::Point { epsilon } => {
                let mean = sum_of_squares(s, row) / self.channels as f32;
                self.divided(s, 1.0 / (mean + epsilon).sqrt(), row, to);
            }
            Divisor::Nothing | Divisor::Board { .. } => {
                let width = self.width();
                let (row, to) = (&row[..width], &mut to[..self.stride()]);
                let (scale, bias) = (&self.scale[..width], &self.bias[..width]);
                activate::<_, E>(
                    s,
                    self.activation,
                    width,
                    #[inline(always)]
                    |at| {
                        let x = s.load(&row[at..]);
                        s.fma(x, s.load(&scale[at..]), s.load(&bias[at..]))
                    },
                    #[inline(always)]
                    |at, v| self.put(s, v, &mut to[at..]),
                );
            }
        }
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
        let width = self.width();
        let (row, stream) = (&row[..width], &mut stream[..width]);
        if self.divisor != Divisor::Nothing {
            for at in (0..width).step_by(S::LANES) {
                let sum = s.add(s.load(&row[at..]), s.load(&stream[at..]));
                s.store(sum, &mut stream[at..]);
            }
            self.row(s, stream, to);
            return;
        }
        let to = &mut to[..self.stride()];
        let (scale, bias) = (&self.scale[..width], &self.bias[..width]);
        activate::<_, E>(
            s,
            self.activation,
            width,
            #[inline(always)]
            |at| {
                let sum = s.add(s.load(&row[at..]), s.load(&stream[at..]));
                s.store(sum, &mut stream[at..]);
                s.fma(sum, s.load(&scale[at..]), s.load(&bias[at..]))
            },
            #[inline(always)]
            |at, v| self.put(s, v, &mut to[at..]),
        );
    }

    /// Prepares one row whose inverse divisor is known.
    #[inline(always)]
    fn divided<S: Simd, E: Element>(&self, s: S, factor: f32, row: &[f32], to: &mut [E]) {
        let factor = s.splat(factor);
        let width = self.width();
        let (row, to) = (&row[..width], &mut to[..self.stride()]);
        let (scale, bias) = (&self.scale[..width], &self.bias[..width]);
        activate::<_, E>(
            s,
            self.activation,
            width,
            #[inline(always)]
            |at| {
                let x = s.mul(s.load(&row[at..]), factor);
                s.fma(x, s.load(&scale[at..]), s.load(&bias[at..]))
            },
            #[inline(always)]
            |at, v| self.put(s, v, &mut to[at..]),
        );
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

#[inline(always)]
fn sum_of_squares<S: Simd>(s: S, row: &[f32]) -> f32 {
    let mut sum = s.splat(0.0);
    for part in row.chunks_exact(S::LANES) {
        let x = s.load(part);
        sum = s.fma(x, x, sum);
    }
    s.sum(sum)
}
