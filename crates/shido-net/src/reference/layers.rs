//! The layers: convolution, matrix, norms, activations, pools.

use super::field::Field;
use crate::model::{Activation, BatchNorm, Conv, Matrix, Norm, PointNorm, RmsNorm};

/// Convolves; what is off the board counts as zero.
pub(super) fn conv(input: &Field, conv: &Conv) -> Field {
    let (width, height) = (input.size.width(), input.size.height());
    let mut output = Field::zeros(input.size, conv.outputs);
    for point in 0..input.size.area() {
        let (x, y) = (point % width, point / width);
        let sums = output.at_mut(point);
        for ky in 0..conv.height {
            let Some(row) = shifted(y, ky, conv.height, conv.dilation_y, height) else {
                continue;
            };
            for kx in 0..conv.width {
                let Some(column) = shifted(x, kx, conv.width, conv.dilation_x, width) else {
                    continue;
                };
                let weights = (ky * conv.width + kx) * conv.inputs * conv.outputs;
                let from = input.at(row * width + column);
                multiply_add(sums, from, &conv.weights[weights..]);
            }
        }
    }
    output
}

/// Returns the line that an element of a kernel falls on, if it is on the board.
fn shifted(
    line: usize,
    element: usize,
    kernel: usize,
    dilation: usize,
    lines: usize,
) -> Option<usize> {
    let shifted = (line + element * dilation).checked_sub(kernel / 2 * dilation)?;
    (shifted < lines).then_some(shifted)
}

/// Applies a matrix to a vector.
pub(super) fn apply(matrix: &Matrix, inputs: &[f32]) -> Vec<f32> {
    let mut outputs = vec![0.0; matrix.outputs];
    multiply_add(&mut outputs, inputs, &matrix.weights);
    outputs
}

/// Applies a matrix to each point.
pub(super) fn apply_to_points(matrix: &Matrix, input: &Field) -> Field {
    let mut output = Field::zeros(input.size, matrix.outputs);
    for (sums, from) in output.points_mut().zip(input.points()) {
        multiply_add(sums, from, &matrix.weights);
    }
    output
}

/// Adds `inputs` · `weights` (`[in][out]`) to `sums`.
fn multiply_add(sums: &mut [f32], inputs: &[f32], weights: &[f32]) {
    for (&input, weights) in inputs.iter().zip(weights.chunks_exact(sums.len())) {
        // Planes and what a ReLU leaves are mostly zero.
        if input != 0.0 {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += input * weight;
            }
        }
    }
}

/// Applies a norm and the activation after it.
pub(super) fn norm(field: &mut Field, norm: &Norm, activation: Activation) {
    match norm {
        Norm::Batch(norm) => batch_norm(field, norm),
        Norm::Rms(norm) => rms_norm(field, norm),
    }
    activate(&mut field.values, activation);
}

fn batch_norm(field: &mut Field, norm: &BatchNorm) {
    for (channel, (&mean, &variance)) in norm.mean.iter().zip(&norm.variance).enumerate() {
        let scale = norm.scale.as_ref().map_or(1.0, |scale| scale[channel]);
        let bias = norm.bias.as_ref().map_or(0.0, |bias| bias[channel]);
        let scale = scale / (variance + norm.epsilon).sqrt();
        let bias = bias - scale * mean;
        for point in field.points_mut() {
            point[channel] = point[channel] * scale + bias;
        }
    }
}

fn rms_norm(field: &mut Field, norm: &RmsNorm) {
    let over_all = norm
        .spatial
        .then(|| inverse_rms(&field.values, norm.epsilon));
    for point in field.points_mut() {
        let factor = over_all.unwrap_or_else(|| inverse_rms(point, norm.epsilon));
        let scales = norm.gamma.iter().zip(&norm.beta);
        for (value, (gamma, beta)) in point.iter_mut().zip(scales) {
            *value = *value * factor * gamma + beta;
        }
    }
}

/// Returns each point divided by its root mean square and scaled.
pub(super) fn point_norm(field: &Field, norm: &PointNorm) -> Field {
    let mut output = field.clone();
    for point in output.points_mut() {
        let factor = inverse_rms(point, norm.epsilon);
        for (value, weight) in point.iter_mut().zip(&norm.weight) {
            *value = *value * factor * weight;
        }
    }
    output
}

fn inverse_rms(values: &[f32], epsilon: f32) -> f32 {
    let sum: f64 = values.iter().map(|&value| f64::from(value).powi(2)).sum();
    let mean = sum / values.len() as f64;
    (1.0 / (mean + f64::from(epsilon)).sqrt()) as f32
}

/// Applies an activation.
pub(super) fn activate(values: &mut [f32], activation: Activation) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => each(values, |x| x.max(0.0)),
        Activation::Mish => each(values, |x| x * softplus(x).tanh()),
        Activation::Silu => each(values, |x| x / (1.0 + (-x).exp())),
    }
}

fn each(values: &mut [f32], function: impl Fn(f32) -> f32) {
    for value in values {
        *value = function(*value);
    }
}

/// ln(1 + eˣ), without overflow.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Pools each channel to its mean, its mean scaled by the board, and its maximum.
pub(super) fn pool_for_policy(field: &Field) -> Vec<f32> {
    let (means, side) = means_and_side(field);
    let scaled = means.iter().map(|&mean| mean * side * 0.1);
    // No activation but the identity goes below −1, where KataGo stops looking.
    let highest = (0..field.channels).map(|channel| field.channel(channel).fold(-1.0, f32::max));
    means.iter().copied().chain(scaled).chain(highest).collect()
}

/// Pools each channel to its mean and its mean scaled by the board in two ways.
pub(super) fn pool_for_value(field: &Field) -> Vec<f32> {
    let (means, side) = means_and_side(field);
    let scaled = means.iter().map(|&mean| mean * side * 0.1);
    let squared = means.iter().map(|&mean| mean * (side * side * 0.01 - 0.1));
    means.iter().copied().chain(scaled).chain(squared).collect()
}

/// Returns the mean of each channel, and how far the board's side is from 14.
fn means_and_side(field: &Field) -> (Vec<f32>, f32) {
    let area = field.size.area() as f64;
    let sum = |channel| field.channel(channel).map(f64::from).sum::<f64>();
    let means = (0..field.channels).map(|channel| (sum(channel) / area) as f32);
    (means.collect(), (area.sqrt() - 14.0) as f32)
}

#[cfg(test)]
mod tests {
    use shido_go::Size;

    use super::*;

    /// A board whose points count 1, 2, 3 and so on.
    fn counting(width: usize, height: usize) -> Field {
        let size = Size::new(width, height).expect("a small board");
        Field {
            size,
            channels: 1,
            values: (1..=size.area()).map(|it| it as f32).collect(),
        }
    }

    fn kernel(dilation: usize, weights: [f32; 9]) -> Conv {
        Conv {
            name: "conv".to_owned(),
            height: 3,
            width: 3,
            inputs: 1,
            outputs: 1,
            dilation_y: dilation,
            dilation_x: dilation,
            weights: weights.to_vec(),
        }
    }

    #[test]
    fn a_kernel_looks_at_the_neighbors_that_exist() {
        let board = counting(3, 2);
        let all = conv(&board, &kernel(1, [1.0; 9]));
        assert_eq!(all.values, [12.0, 21.0, 16.0, 12.0, 21.0, 16.0]);
        // The first weight is for the neighbor above to the left.
        let mut weights = [0.0; 9];
        weights[0] = 1.0;
        let corner = conv(&board, &kernel(1, weights));
        assert_eq!(corner.values, [0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
        let (mut weights, board) = ([0.0; 9], counting(3, 3));
        weights[8] = 1.0;
        let far = conv(&board, &kernel(2, weights));
        assert_eq!(far.values, [9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn pools_know_the_size_of_the_board() {
        let board = counting(2, 2);
        let (mean, side) = (2.5, -12.0);
        let shared = [mean, mean * side * 0.1];
        let policy = pool_for_policy(&board);
        let value = pool_for_value(&board);
        assert_eq!(policy, [shared[0], shared[1], 4.0]);
        assert_eq!(value[..2], shared);
        assert!((value[2] - mean * (1.44 - 0.1)).abs() < 1e-6);
    }

    #[test]
    fn activations_hold_at_the_ends() {
        let check = |activation, expected: [f32; 4]| {
            let mut values = [-100.0, 0.0, 1.0, 100.0];
            activate(&mut values, activation);
            for (found, expected) in values.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{activation:?}: {found}");
            }
        };
        check(Activation::Identity, [-100.0, 0.0, 1.0, 100.0]);
        check(Activation::Relu, [0.0, 0.0, 1.0, 100.0]);
        check(Activation::Mish, [0.0, 0.0, 0.865_098_4, 100.0]);
        check(Activation::Silu, [0.0, 0.0, 0.731_058_6, 100.0]);
    }

    #[test]
    fn a_norm_over_the_board_is_one_number() {
        let norm = |spatial| RmsNorm {
            name: "norm".to_owned(),
            epsilon: 1e-9,
            spatial,
            channel_group: 0,
            gamma: vec![2.0],
            beta: vec![1.0],
        };
        let mut board = counting(2, 2);
        rms_norm(&mut board, &norm(false));
        assert_eq!(board.values, [3.0; 4]);
        let mut board = counting(2, 2);
        rms_norm(&mut board, &norm(true));
        let rms = 7.5_f32.sqrt();
        for (value, count) in board.values.iter().zip(1..) {
            assert!((value - (2.0 * count as f32 / rms + 1.0)).abs() < 1e-6);
        }
    }
}
