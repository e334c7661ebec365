//! A convolution as a list of taps: where it looks, and a matrix for each place.
//!
//! Convolutions that read the same rows are merged into one with more outputs, so
//! that their input is read (and transformed) once.

use super::arithmetic::Dense;
use crate::Conv;

/// One place a convolution looks at, relative to the point it computes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tap {
    /// Rows down.
    pub(super) dy: isize,
    /// Columns to the right.
    pub(super) dx: isize,
    /// `[in][out]`.
    pub(super) weights: Dense,
}

/// All taps of a convolution.
#[allow(clippy::struct_field_names)] // Taps are what it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Taps {
    /// Input channels.
    pub(super) inputs: usize,
    /// Output channels, padded where several convolutions were merged.
    pub(super) outputs: usize,
    /// In the order of rows, then columns.
    pub(super) taps: Vec<Tap>,
}

impl Taps {
    /// Merges convolutions of the same input; each one's outputs start at a
    /// multiple of `padding`.
    pub(super) fn merge(convs: &[&Conv], padding: usize) -> Taps {
        let inputs = convs[0].inputs;
        let outputs = convs
            .iter()
            .map(|conv| conv.outputs.next_multiple_of(padding))
            .sum();
        let mut taps: Vec<Tap> = Vec::new();
        let mut column = 0;
        for conv in convs {
            let size = conv.inputs * conv.outputs;
            for (at, weights) in conv.weights.chunks_exact(size).enumerate() {
                let offset = |at: usize, side: usize, dilation: usize| {
                    (at as isize - (side / 2) as isize) * dilation as isize
                };
                let dy = offset(at / conv.width, conv.height, conv.dilation_y);
                let dx = offset(at % conv.width, conv.width, conv.dilation_x);
                let found = taps.iter().position(|tap| (tap.dy, tap.dx) == (dy, dx));
                let index = found.unwrap_or_else(|| {
                    taps.push(Tap {
                        dy,
                        dx,
                        weights: Dense::zeros(inputs, outputs),
                    });
                    taps.len() - 1
                });
                taps[index]
                    .weights
                    .place((0, column), weights, conv.outputs, 1.0);
            }
            column += conv.outputs.next_multiple_of(padding);
        }
        taps.sort_by_key(|tap| (tap.dy, tap.dx));
        Taps {
            inputs,
            outputs,
            taps,
        }
    }

    /// Returns how far it looks in any direction.
    pub(super) fn reach(&self) -> usize {
        self.taps
            .iter()
            .map(|tap| tap.dy.unsigned_abs().max(tap.dx.unsigned_abs()))
            .max()
            .unwrap_or(0)
    }

    /// Returns the weight of an input for an output, at a place.
    #[cfg(test)]
    pub(super) fn weight(&self, place: (isize, isize), input: usize, output: usize) -> f32 {
        self.taps
            .iter()
            .find(|tap| (tap.dy, tap.dx) == place)
            .map_or(0.0, |tap| tap.weights.data[input * self.outputs + output])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conv(side: usize, outputs: usize, dilation: usize) -> Conv {
        Conv {
            name: String::new(),
            height: side,
            width: side,
            inputs: 2,
            outputs,
            dilation_y: dilation,
            dilation_x: dilation,
            weights: (0..side * side * 2 * outputs).map(|i| i as f32).collect(),
        }
    }

    #[test]
    fn merged_convolutions_keep_their_weights() {
        let (three, one) = (conv(3, 3, 1), conv(1, 1, 1));
        let taps = Taps::merge(&[&three, &one], 4);
        assert_eq!((taps.outputs, taps.taps.len(), taps.reach()), (8, 9, 1));
        // Row 2, column 0, input 1, output 2 of the first.
        assert_eq!(taps.weight((1, -1), 1, 2), ((6 * 2 + 1) * 3 + 2) as f32);
        assert_eq!(taps.weight((0, 0), 1, 4), 1.0);
        assert_eq!(taps.weight((0, 1), 1, 4), 0.0);
    }

    #[test]
    fn dilation_reaches_further() {
        let taps = Taps::merge(&[&conv(3, 1, 2)], 1);
        assert_eq!((taps.reach(), taps.taps.len()), (2, 9));
        assert_eq!(taps.weight((2, 2), 0, 0), 16.0);
    }
}
