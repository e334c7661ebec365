//! Networks of the shapes people use, with weights that mean nothing.
//!
//! Speed depends on a network's shape alone, so it can be measured without a file.
//! Nothing here plays Go.

use crate::inputs::{GLOBALS, PLANES};
use crate::model::{
    Activation, Attention, BatchNorm, Bias, Block, Conv, FeedForward, GlobalPooling, Matrix, Model,
    Multipliers, NestedBottleneck, Norm, Ordinary, PassHead, PointNorm, PolicyHead, RmsNorm,
    Rotation, Trunk, ValueHead,
};

/// A shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Six residual blocks of 96 channels, two of them pooling, as g170-b6c96.
    B6C96,
    /// Seven pairs of attention and feed-forward blocks of 96 channels, as b7c96h3tfrs.
    B7C96,
    /// Ten nested bottlenecks of 384 channels around attention, as b10c384h6nbttflrs.
    B10C384,
}

impl Shape {
    /// All shapes, the fastest first.
    pub const ALL: [Shape; 3] = [Shape::B6C96, Shape::B7C96, Shape::B10C384];

    /// Returns the name of the shape.
    pub fn name(self) -> &'static str {
        match self {
            Shape::B6C96 => "b6c96",
            Shape::B7C96 => "b7c96h3tf",
            Shape::B10C384 => "b10c384h6nbttf",
        }
    }

    /// Makes a network of this shape.
    pub fn build(self) -> Model {
        let mut maker = Maker(1);
        match self {
            Shape::B6C96 => maker.residual(),
            Shape::B7C96 => maker.transformer(),
            Shape::B10C384 => maker.nested(),
        }
    }
}

/// The sizes in which the heads and the first layer differ.
struct Frame {
    version: u32,
    channels: usize,
    first_kernel: usize,
    activation: Activation,
    policy: usize,
    value: usize,
    hidden: usize,
}

/// Makes layers; holds the state of a linear congruential generator.
struct Maker(u64);

impl Maker {
    fn residual(&mut self) -> Model {
        let blocks = (0..6)
            .map(|i| {
                if i == 2 || i == 4 {
                    self.pooling_block()
                } else {
                    self.ordinary_block()
                }
            })
            .collect();
        let tip = self.batch_norm(96);
        self.model(
            &Frame {
                version: 8,
                channels: 96,
                first_kernel: 5,
                activation: Activation::Relu,
                policy: 32,
                value: 32,
                hidden: 64,
            },
            blocks,
            tip,
        )
    }

    fn transformer(&mut self) -> Model {
        let blocks = (0..7)
            .flat_map(|_| {
                let fixed = Rotation::Fixed {
                    name: String::new(),
                    theta: 100.0,
                };
                [self.attention(96, 3, fixed), self.feed_forward(96, 256)]
            })
            .collect();
        let tip = Norm::Rms(RmsNorm {
            name: String::new(),
            epsilon: 1e-6,
            spatial: true,
            channel_group: 0,
            gamma: vec![1.0; 96],
            beta: vec![0.0; 96],
        });
        self.model(
            &Frame {
                version: 17,
                channels: 96,
                first_kernel: 3,
                activation: Activation::Silu,
                policy: 32,
                value: 32,
                hidden: 64,
            },
            blocks,
            tip,
        )
    }

    fn nested(&mut self) -> Model {
        let blocks = (0..10)
            .map(|_| {
                Block::NestedBottleneck(NestedBottleneck {
                    name: String::new(),
                    pre_norm: self.batch_norm(384),
                    pre_activation: Activation::Silu,
                    pre_conv: self.conv(1, 384, 192),
                    blocks: (0..2)
                        .flat_map(|_| {
                            let learned = self.learned(6);
                            [self.attention(192, 6, learned), self.feed_forward(192, 512)]
                        })
                        .collect(),
                    post_norm: self.batch_norm(192),
                    post_activation: Activation::Silu,
                    post_conv: self.conv(1, 192, 384),
                })
            })
            .collect();
        let tip = self.batch_norm(384);
        self.model(
            &Frame {
                version: 15,
                channels: 384,
                first_kernel: 3,
                activation: Activation::Silu,
                policy: 48,
                value: 96,
                hidden: 96,
            },
            blocks,
            tip,
        )
    }

    fn model(&mut self, frame: &Frame, blocks: Vec<Block>, tip_norm: Norm) -> Model {
        let channels = frame.channels;
        Model {
            name: "random".to_owned(),
            version: frame.version,
            multipliers: Multipliers::default(),
            prefers_pass_alive_under_suicide: false,
            trunk: Trunk {
                name: String::new(),
                channels,
                mid_channels: channels,
                regular_channels: 64,
                dilated_channels: 32,
                gpool_channels: 32,
                initial_conv: self.conv(frame.first_kernel, PLANES, channels),
                initial_matrix: self.matrix(GLOBALS, channels),
                meta_encoder: None,
                blocks,
                tip_norm,
                tip_activation: frame.activation,
            },
            policy: self.policy(frame),
            value: self.value(frame),
        }
    }

    fn policy(&mut self, frame: &Frame) -> PolicyHead {
        let width = frame.policy;
        let policies = if frame.version < 12 { 1 } else { 2 };
        PolicyHead {
            name: String::new(),
            p1_conv: self.conv(1, frame.channels, width),
            g1_conv: self.conv(1, frame.channels, width),
            g1_norm: self.batch_norm(width),
            g1_activation: frame.activation,
            gpool_to_bias: self.matrix(3 * width, width),
            p1_norm: self.batch_norm(width),
            p1_activation: frame.activation,
            p2_conv: self.conv(1, width, policies),
            pass: if frame.version < 15 {
                PassHead::Linear(self.matrix(3 * width, policies))
            } else {
                PassHead::Layered {
                    first: self.matrix(3 * width, width),
                    bias: bias(width),
                    activation: frame.activation,
                    second: self.matrix(width, policies),
                }
            },
        }
    }

    fn value(&mut self, frame: &Frame) -> ValueHead {
        let scores = if frame.version < 9 { 4 } else { 6 };
        ValueHead {
            name: String::new(),
            v1_conv: self.conv(1, frame.channels, frame.value),
            v1_norm: self.batch_norm(frame.value),
            v1_activation: frame.activation,
            v2: self.matrix(3 * frame.value, frame.hidden),
            v2_bias: bias(frame.hidden),
            v2_activation: frame.activation,
            v3: self.matrix(frame.hidden, 3),
            v3_bias: bias(3),
            sv3: self.matrix(frame.hidden, scores),
            sv3_bias: bias(scores),
            ownership_conv: self.conv(1, frame.value, 1),
        }
    }

    fn ordinary_block(&mut self) -> Block {
        Block::Ordinary(Ordinary {
            name: String::new(),
            norm1: self.batch_norm(96),
            activation1: Activation::Relu,
            conv1: self.conv(3, 96, 96),
            norm2: self.batch_norm(96),
            activation2: Activation::Relu,
            conv2: self.conv(3, 96, 96),
        })
    }

    fn pooling_block(&mut self) -> Block {
        Block::GlobalPooling(GlobalPooling {
            name: String::new(),
            norm1: self.batch_norm(96),
            activation1: Activation::Relu,
            regular_conv: self.conv(3, 96, 64),
            gpool_conv: self.conv(3, 96, 32),
            gpool_norm: self.batch_norm(32),
            gpool_activation: Activation::Relu,
            gpool_to_bias: self.matrix(96, 64),
            norm2: self.batch_norm(64),
            activation2: Activation::Relu,
            conv2: self.conv(3, 64, 96),
        })
    }

    fn attention(&mut self, channels: usize, heads: usize, rotation: Rotation) -> Block {
        Block::Attention(Attention {
            name: String::new(),
            heads,
            kv_heads: heads,
            query_width: 32,
            value_width: 32,
            norm: point_norm(channels),
            query: self.matrix(channels, heads * 32),
            key: self.matrix(channels, heads * 32),
            value: self.matrix(channels, heads * 32),
            output: self.matrix(heads * 32, channels),
            rotation: Some(rotation),
        })
    }

    fn learned(&mut self, heads: usize) -> Rotation {
        Rotation::Learned {
            name: String::new(),
            heads,
            pairs: 16,
            frequencies: self.numbers(heads * 16 * 2, 1.0),
        }
    }

    fn feed_forward(&mut self, channels: usize, hidden: usize) -> Block {
        Block::FeedForward(FeedForward {
            name: String::new(),
            norm: point_norm(channels),
            linear1: self.matrix(channels, hidden),
            gate: Some(self.matrix(channels, hidden)),
            linear2: self.matrix(hidden, channels),
        })
    }

    fn conv(&mut self, kernel: usize, inputs: usize, outputs: usize) -> Conv {
        let fan_in = kernel * kernel * inputs;
        Conv {
            name: String::new(),
            height: kernel,
            width: kernel,
            inputs,
            outputs,
            dilation_y: 1,
            dilation_x: 1,
            weights: self.numbers(fan_in * outputs, (fan_in as f32).powf(-0.5)),
        }
    }

    fn matrix(&mut self, inputs: usize, outputs: usize) -> Matrix {
        Matrix {
            name: String::new(),
            inputs,
            outputs,
            weights: self.numbers(inputs * outputs, (inputs as f32).powf(-0.5)),
        }
    }

    fn batch_norm(&mut self, channels: usize) -> Norm {
        Norm::Batch(BatchNorm {
            name: String::new(),
            epsilon: 1e-3,
            mean: self.numbers(channels, 0.2),
            variance: vec![1.0; channels],
            scale: Some(vec![1.0; channels]),
            bias: Some(vec![0.0; channels]),
        })
    }

    /// Returns numbers from −`most` to `most`.
    fn numbers(&mut self, count: usize, most: f32) -> Vec<f32> {
        (0..count)
            .map(|_| {
                self.0 = self
                    .0
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                ((self.0 >> 40) as f32 / 8_388_608.0 - 1.0) * most
            })
            .collect()
    }
}

fn bias(channels: usize) -> Bias {
    Bias {
        name: String::new(),
        weights: vec![0.0; channels],
    }
}

fn point_norm(channels: usize) -> PointNorm {
    PointNorm {
        name: String::new(),
        epsilon: 1e-6,
        weight: vec![1.0; channels],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shido_go::Size;

    use super::*;
    use crate::{Forward, Outputs, Reference, tiny};

    #[test]
    fn the_small_shapes_make_finite_outputs() {
        for shape in [Shape::B6C96, Shape::B7C96] {
            let mut outputs = [Outputs::default()];
            let mut pass = Reference::new(Arc::new(shape.build()));
            pass.run(&[&tiny::inputs(Size::square(3).unwrap(), 1)], &mut outputs);
            let [outputs] = outputs;
            let all = outputs.policy.iter().chain(&outputs.value);
            assert!(all.chain(&outputs.ownership).all(|x| x.is_finite()));
        }
    }
}
