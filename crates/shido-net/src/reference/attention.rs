//! Softmax attention with rotary positions.
//!
//! Query head `h` looks through key and value head `h / (heads / kv_heads)`.

use shido_go::Size;

use super::field::Field;
use super::layers::{apply_to_points, point_norm};
use crate::model::{Attention, Rotation};

/// Returns what an attention block adds to the stream.
pub(super) fn attention(block: &Attention, stream: &Field) -> Field {
    let field = point_norm(stream, &block.norm);
    let mut queries = apply_to_points(&block.query, &field);
    let mut keys = apply_to_points(&block.key, &field);
    let values = apply_to_points(&block.value, &field);
    let sharing = block.heads / block.kv_heads;
    if let Some(rotation) = &block.rotation {
        rotate(&mut queries, block.query_width, sharing, rotation);
        rotate(&mut keys, block.query_width, 1, rotation);
    }
    let mut seen = Field::zeros(stream.size, block.heads * block.value_width);
    let mut weights = vec![0.0; stream.size.area()];
    for head in 0..block.heads {
        let keys = part(&keys, head / sharing, block.query_width);
        let values = part(&values, head / sharing, block.value_width);
        let queries = part(&queries, head, block.query_width);
        for (point, query) in queries.enumerate() {
            let scale = 1.0 / (block.query_width as f32).sqrt();
            for (weight, key) in weights.iter_mut().zip(keys.clone()) {
                *weight = dot(query, key) * scale;
            }
            softmax(&mut weights);
            let sums = &mut seen.at_mut(point)[head * block.value_width..][..block.value_width];
            for (weight, value) in weights.iter().zip(values.clone()) {
                for (sum, value) in sums.iter_mut().zip(value) {
                    *sum += weight * value;
                }
            }
        }
    }
    apply_to_points(&block.output, &seen)
}

/// Returns one head's part of each point.
fn part(field: &Field, head: usize, width: usize) -> impl Iterator<Item = &[f32]> + Clone {
    field
        .points()
        .map(move |point| &point[head * width..][..width])
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn softmax(values: &mut [f32]) {
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = (*value - highest).exp();
        sum += f64::from(*value);
    }
    for value in values {
        *value /= sum as f32;
    }
}

/// Turns the pairs of neighboring channels of each head by their place on the board.
///
/// `sharing` heads turn as one key head does.
fn rotate(field: &mut Field, width: usize, sharing: usize, rotation: &Rotation) {
    let size = field.size;
    for (point, values) in field.points_mut().enumerate() {
        for (head, values) in values.chunks_exact_mut(width).enumerate() {
            for (pair, values) in values.chunks_exact_mut(2).enumerate() {
                let angle = angle(rotation, head / sharing, pair, width / 2, size, point);
                let (sine, cosine) = angle.sin_cos();
                let (a, b) = (values[0], values[1]);
                values[0] = a * cosine - b * sine;
                values[1] = a * sine + b * cosine;
            }
        }
    }
}

fn angle(
    rotation: &Rotation,
    head: usize,
    pair: usize,
    pairs: usize,
    size: Size,
    point: usize,
) -> f32 {
    let (x, y) = (point % size.width(), point / size.width());
    match rotation {
        Rotation::Fixed { theta, .. } => {
            // The first half of the pairs turns with the row, the second with the column.
            let half = pairs / 2;
            let (line, step) = if pair < half {
                (y, pair)
            } else {
                (x, pair - half)
            };
            line as f32 / theta.powf((2 * step) as f32 / pairs as f32)
        }
        Rotation::Learned { frequencies, .. } => {
            let at = 2 * (head * pairs + pair);
            x as f32 * frequencies[at] + y as f32 * frequencies[at + 1]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turned queries and keys know only how far they are apart.
    #[test]
    fn a_rotation_tells_distances_only() {
        let size = Size::new(5, 4).expect("a small board");
        let fixed = Rotation::Fixed {
            name: "theta".to_owned(),
            theta: 100.0,
        };
        let learned = Rotation::Learned {
            name: "frequencies".to_owned(),
            heads: 1,
            pairs: 4,
            frequencies: vec![0.3, -0.2, 1.1, 0.0, 0.0, 0.7, -0.5, 0.4],
        };
        let vector = |seed: usize| (0..8).map(move |it| ((it * seed) as f32).sin());
        for rotation in [fixed, learned] {
            let turned = |seed| {
                let mut field = Field::zeros(size, 8);
                for point in field.points_mut() {
                    point
                        .iter_mut()
                        .zip(vector(seed))
                        .for_each(|(it, value)| *it = value);
                }
                rotate(&mut field, 8, 1, &rotation);
                field
            };
            let (queries, keys) = (turned(3), turned(5));
            let look = |from: [usize; 2], to: [usize; 2]| {
                let index = |[x, y]: [usize; 2]| y * size.width() + x;
                dot(queries.at(index(from)), keys.at(index(to)))
            };
            let same = look([0, 0], [2, 1]);
            assert!((look([2, 2], [4, 3]) - same).abs() < 1e-5);
            assert!((look([0, 0], [1, 2]) - same).abs() > 1e-3);
            assert!((look([2, 1], [0, 0]) - same).abs() > 1e-3);
            let plain = dot(queries.at(0), keys.at(0));
            assert!((look([3, 3], [3, 3]) - plain).abs() < 1e-5);
        }
    }

    #[test]
    fn weights_add_up_to_one() {
        let mut values = [1000.0, 1000.0, -1000.0];
        softmax(&mut values);
        assert_eq!(values, [0.5, 0.5, 0.0]);
    }
}
