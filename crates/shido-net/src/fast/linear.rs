//! Small matrices applied to single vectors, in fp32 on every path.

use super::arithmetic::flush;
use super::math::activated;
use super::simd::{Simd, WIDEST};
use crate::{Activation, Matrix};

/// A matrix with its outputs padded to whole vectors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Linear {
    inputs: usize,
    width: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// Takes a matrix and what is added after it.
    pub(super) fn new(matrix: &Matrix, bias: Option<&[f32]>) -> Linear {
        let width = matrix.outputs.next_multiple_of(WIDEST);
        let mut weights = vec![0.0; matrix.inputs * width];
        for (to, from) in weights
            .chunks_exact_mut(width)
            .zip(matrix.weights.chunks_exact(matrix.outputs))
        {
            for (to, &weight) in to.iter_mut().zip(from) {
                *to = flush(weight);
            }
        }
        let mut padded = vec![0.0; width];
        if let Some(bias) = bias {
            padded[..bias.len()].copy_from_slice(bias);
        }
        Linear {
            inputs: matrix.inputs,
            width,
            weights,
            bias: padded,
        }
    }

    /// Replaces `to` by the outputs for a vector, padded with zeros.
    pub(super) fn apply<S: Simd>(
        &self,
        s: S,
        from: &[f32],
        activation: Activation,
        to: &mut Vec<f32>,
    ) {
        to.clear();
        to.extend_from_slice(&self.bias);
        let to = to.as_mut_slice();
        s.run(
            #[inline(always)]
            || {
                let lines = self.weights.chunks_exact(self.width);
                for (&x, line) in from[..self.inputs].iter().zip(lines) {
                    // Globals are mostly zero.
                    if x == 0.0 {
                        continue;
                    }
                    let x = s.splat(x);
                    for at in (0..self.width).step_by(S::LANES) {
                        let sum = s.fma(x, s.load(&line[at..]), s.load(&to[at..]));
                        s.store(sum, &mut to[at..]);
                    }
                }
                for part in to.chunks_exact_mut(S::LANES) {
                    let v = activated::<_, f32>(s, activation, s.load(part));
                    s.store(v, part);
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::simd::Plain;

    #[test]
    fn outputs_are_biased_activated_and_padded() {
        let matrix = Matrix {
            name: String::new(),
            inputs: 2,
            outputs: 3,
            weights: vec![1.0, 2.0, 3.0, 4.0, 5.0, -6.0],
        };
        let linear = Linear::new(&matrix, Some(&[0.5, 0.0, 0.0]));
        let mut out = vec![9.0; 40];
        let s = Plain::detect().unwrap();
        linear.apply(s, &[2.0, 1.0], Activation::Relu, &mut out);
        assert_eq!(out[..4], [6.5, 9.0, 0.0, 0.0]);
        assert_eq!(out.len(), 16);
    }
}
