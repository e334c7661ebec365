//! Means and maxima over a board, and the layers that add them back to its points.

use super::batch::Board;
use super::simd::Simd;

/// Sums and maxima of the channels of one board.
#[derive(Debug, Default)]
pub(super) struct Pool {
    sums: Vec<f32>,
    highest: Vec<f32>,
    /// What the last layer made of them.
    pub(super) pooled: Vec<f32>,
}

impl Pool {
    /// Pools to the mean, the mean scaled by the board, and the maximum.
    pub(super) fn for_policy<S: Simd>(
        &mut self,
        s: S,
        (points, width): (&[f32], usize),
        channels: usize,
        board: &Board,
    ) {
        self.sum(s, points, width, board);
        let side = (board.area() as f32).sqrt() - 14.0;
        let scales = [1.0, side * 0.1];
        self.scale_means(channels, board, &scales);
        self.pooled.extend_from_slice(&self.highest[..channels]);
    }

    /// Pools to the mean, and the mean scaled by the board in two ways.
    pub(super) fn for_value<S: Simd>(
        &mut self,
        s: S,
        (points, width): (&[f32], usize),
        channels: usize,
        board: &Board,
    ) {
        self.sum(s, points, width, board);
        let side = (board.area() as f32).sqrt() - 14.0;
        let scales = [1.0, side * 0.1, side * side * 0.01 - 0.1];
        self.scale_means(channels, board, &scales);
    }

    fn scale_means(&mut self, channels: usize, board: &Board, scales: &[f32]) {
        self.pooled.clear();
        for scale in scales {
            let factor = scale / board.area() as f32;
            let means = self.sums[..channels].iter().map(|sum| sum * factor);
            self.pooled.extend(means);
        }
    }

    fn sum<S: Simd>(&mut self, s: S, points: &[f32], width: usize, board: &Board) {
        self.sums.clear();
        self.sums.resize(width, 0.0);
        self.highest.clear();
        // KataGo's maximum starts here, because it masks with it.
        self.highest.resize(width, -1.0);
        let rows = board.rows();
        let points = &points[rows.start * width..rows.end * width];
        let (sums, highest) = (&mut self.sums[..], &mut self.highest[..]);
        s.run(
            #[inline(always)]
            || {
                // Down each column: sums and maxima stay in registers, two of each, so
                // that no step waits for the one before it.
                for at in (0..width).step_by(S::LANES) {
                    let mut sum = [s.splat(0.0); 2];
                    let mut most = [s.load(&highest[at..]); 2];
                    let pairs = points.chunks_exact(2 * width);
                    let last = pairs.remainder();
                    for pair in pairs {
                        let (even, odd) = (s.load(&pair[at..]), s.load(&pair[width + at..]));
                        sum = [s.add(sum[0], even), s.add(sum[1], odd)];
                        most = [s.max(most[0], even), s.max(most[1], odd)];
                    }
                    if !last.is_empty() {
                        let v = s.load(&last[at..]);
                        sum[0] = s.add(sum[0], v);
                        most[0] = s.max(most[0], v);
                    }
                    s.store(s.add(sum[0], sum[1]), &mut sums[at..]);
                    s.store(s.max(most[0], most[1]), &mut highest[at..]);
                }
            },
        );
    }
}

/// Adds a bias to the first columns of each row of a board.
pub(super) fn add_bias<S: Simd>(
    s: S,
    (points, stride): (&mut [f32], usize),
    board: &Board,
    bias: &[f32],
) {
    let rows = board.rows();
    s.run(
        #[inline(always)]
        || {
            for point in points[rows.start * stride..rows.end * stride].chunks_exact_mut(stride) {
                for at in (0..bias.len()).step_by(S::LANES) {
                    let v = s.add(s.load(&point[at..]), s.load(&bias[at..]));
                    s.store(v, &mut point[at..]);
                }
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fast::simd::Plain;

    #[test]
    fn pools_scale_with_the_board() {
        let s = Plain::detect().unwrap();
        let board = Board {
            width: 2,
            height: 2,
            start: 1,
            padded: 0,
        };
        let mut points = vec![100.0; 5 * 4];
        for (i, value) in points[4..].iter_mut().enumerate() {
            *value = i as f32;
        }
        let mut pool = Pool::default();
        pool.for_policy(s, (&points, 4), 2, &board);
        let expected = [6.0, 7.0, -7.2, -8.4, 12.0, 13.0];
        for (found, expected) in pool.pooled.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{found}");
        }
        pool.for_value(s, (&points, 4), 1, &board);
        assert!((pool.pooled[2] - 6.0 * (1.44 - 0.1)).abs() < 1e-5);
        add_bias(s, (&mut points, 4), &board, &[1.0, 0.0, 0.0, 2.0]);
        assert_eq!(points[4..8], [1.0, 1.0, 2.0, 5.0]);
        assert_eq!(points[0], 100.0);
    }
}
