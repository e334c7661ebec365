//! Numbers on a board: some channels for each point.

use shido_go::Size;

use crate::Inputs;

/// `[point][channel]`, the points row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) size: Size,
    pub(super) channels: usize,
    pub(super) values: Vec<f32>,
}

impl Field {
    pub(super) fn zeros(size: Size, channels: usize) -> Field {
        Field {
            size,
            channels,
            values: vec![0.0; size.area() * channels],
        }
    }

    pub(super) fn of_planes(inputs: &Inputs) -> Field {
        let mut field = Field::zeros(inputs.size, inputs.planes.len());
        for (channel, plane) in inputs.planes.iter().enumerate() {
            for point in plane.iter() {
                field.at_mut(point)[channel] = 1.0;
            }
        }
        field
    }

    pub(super) fn at(&self, point: usize) -> &[f32] {
        &self.values[point * self.channels..][..self.channels]
    }

    pub(super) fn at_mut(&mut self, point: usize) -> &mut [f32] {
        &mut self.values[point * self.channels..][..self.channels]
    }

    pub(super) fn points(&self) -> std::slice::ChunksExact<'_, f32> {
        self.values.chunks_exact(self.channels)
    }

    pub(super) fn points_mut(&mut self) -> std::slice::ChunksExactMut<'_, f32> {
        self.values.chunks_exact_mut(self.channels)
    }

    pub(super) fn channel(&self, channel: usize) -> impl Iterator<Item = f32> + '_ {
        self.points().map(move |point| point[channel])
    }

    pub(super) fn add_to_each_point(&mut self, bias: &[f32]) {
        for point in self.points_mut() {
            for (value, bias) in point.iter_mut().zip(bias) {
                *value += bias;
            }
        }
    }

    pub(super) fn add(&mut self, other: &Field) {
        for (value, other) in self.values.iter_mut().zip(&other.values) {
            *value += other;
        }
    }
}
