//! From a plan to a network.

use super::random::Random;
use super::{Part, Plan, Tip, Turn};
use crate::inputs::{GLOBALS, META_CHANNELS, PLANES};
use crate::model::{
    Attention, BatchNorm, Bias, Block, Conv, FeedForward, GlobalPooling, Matrix, MetaEncoder,
    Model, Multipliers, NestedBottleneck, Norm, Ordinary, PassHead, PointNorm, PolicyHead, RmsNorm,
    Rotation, Trunk, ValueHead,
};

pub(super) fn build(plan: &Plan) -> Model {
    let mut builder = Builder {
        plan,
        random: Random::new(plan.seed),
        named: 0,
    };
    let trunk = builder.trunk();
    let policy = builder.policy();
    let value = builder.value();
    Model {
        name: format!("tiny-v{}-c{}-s{}", plan.version, plan.channels, plan.seed),
        version: plan.version,
        multipliers: if plan.version >= 13 {
            Multipliers {
                short_term_score_error: 150.0,
                ..Multipliers::default()
            }
        } else {
            Multipliers::default()
        },
        prefers_pass_alive_under_suicide: plan.version >= 15 && plan.seed.is_multiple_of(2),
        trunk,
        policy,
        value,
    }
}

struct Builder<'a> {
    plan: &'a Plan,
    random: Random,
    /// Layers named so far.
    named: usize,
}

impl Builder<'_> {
    fn trunk(&mut self) -> Trunk {
        let plan = self.plan;
        let channels = plan.channels;
        let (mid, regular, pooled) = (mid(channels), regular(channels), pooled(channels));
        Trunk {
            name: "trunk".to_owned(),
            channels,
            mid_channels: mid,
            regular_channels: regular,
            dilated_channels: pooled,
            gpool_channels: pooled,
            initial_conv: self.conv(plan.first_kernel, PLANES, channels),
            initial_matrix: self.matrix(GLOBALS, channels),
            meta_encoder: plan.meta.then(|| self.meta_encoder()),
            blocks: self.blocks(&plan.blocks, channels),
            tip_norm: match plan.tip {
                Tip::Batch => self.batch_norm(channels),
                tip => Norm::Rms(RmsNorm {
                    name: self.name("rms"),
                    epsilon: 1e-6,
                    spatial: tip == Tip::RmsOfBoard,
                    channel_group: 0,
                    gamma: self.around(1.0, 0.5, channels),
                    beta: self.around(0.0, 0.3, channels),
                }),
            },
            tip_activation: plan.activation,
        }
    }

    fn meta_encoder(&mut self) -> MetaEncoder {
        let (hidden, channels) = (10, self.plan.channels);
        MetaEncoder {
            version: 1,
            name: self.name("meta"),
            first: self.matrix(META_CHANNELS, hidden),
            first_bias: self.bias(hidden),
            first_activation: self.plan.activation,
            second: self.matrix(hidden, hidden + 1),
            second_bias: self.bias(hidden + 1),
            second_activation: self.plan.activation,
            third: self.matrix(hidden + 1, channels),
        }
    }

    fn blocks(&mut self, parts: &[Part], channels: usize) -> Vec<Block> {
        let block = |part| self.block(part, channels);
        parts.iter().map(block).collect()
    }

    fn block(&mut self, part: &Part, channels: usize) -> Block {
        match part {
            Part::Ordinary => Block::Ordinary(self.ordinary(channels)),
            Part::GlobalPooling => Block::GlobalPooling(self.global_pooling(channels)),
            Part::Nested(parts) => Block::NestedBottleneck(self.nested(parts, channels)),
            Part::Attention { .. } => Block::Attention(self.attention(part, channels)),
            &Part::FeedForward { gated } => Block::FeedForward(self.feed_forward(gated, channels)),
        }
    }

    fn ordinary(&mut self, channels: usize) -> Ordinary {
        let (activation, mid) = (self.plan.activation, mid(channels));
        Ordinary {
            name: self.name("ordinary"),
            norm1: self.batch_norm(channels),
            activation1: activation,
            conv1: self.conv(3, channels, mid),
            norm2: self.batch_norm(mid),
            activation2: activation,
            conv2: self.conv(3, mid, channels),
        }
    }

    fn global_pooling(&mut self, channels: usize) -> GlobalPooling {
        let activation = self.plan.activation;
        let (regular, pooled) = (regular(channels), pooled(channels));
        GlobalPooling {
            name: self.name("gpool"),
            norm1: self.batch_norm(channels),
            activation1: activation,
            regular_conv: self.conv(3, channels, regular),
            gpool_conv: self.conv(3, channels, pooled),
            gpool_norm: self.batch_norm(pooled),
            gpool_activation: activation,
            gpool_to_bias: self.matrix(3 * pooled, regular),
            norm2: self.batch_norm(regular),
            activation2: activation,
            conv2: self.conv(3, regular, channels),
        }
    }

    fn nested(&mut self, parts: &[Part], channels: usize) -> NestedBottleneck {
        let (activation, inner) = (self.plan.activation, channels / 2 + 1);
        NestedBottleneck {
            name: self.name("nested"),
            pre_norm: self.batch_norm(channels),
            pre_activation: activation,
            pre_conv: self.conv(1, channels, inner),
            blocks: self.blocks(parts, inner),
            post_norm: self.batch_norm(inner),
            post_activation: activation,
            post_conv: self.conv(1, inner, channels),
        }
    }

    /// `part` is attention.
    fn attention(&mut self, part: &Part, channels: usize) -> Attention {
        let &Part::Attention {
            heads,
            kv_heads,
            query_width,
            value_width,
            turn,
        } = part
        else {
            unreachable!("only called for attention")
        };
        Attention {
            name: self.name("attention"),
            heads,
            kv_heads,
            query_width,
            value_width,
            norm: self.point_norm(channels),
            query: self.matrix(channels, heads * query_width),
            key: self.matrix(channels, kv_heads * query_width),
            value: self.matrix(channels, kv_heads * value_width),
            output: self.matrix(heads * value_width, channels),
            rotation: self.rotation(turn, kv_heads, query_width / 2),
        }
    }

    fn rotation(&mut self, turn: Turn, heads: usize, pairs: usize) -> Option<Rotation> {
        match turn {
            Turn::None => None,
            Turn::Fixed => Some(Rotation::Fixed {
                name: self.name("theta"),
                theta: 100.0,
            }),
            Turn::Learned => Some(Rotation::Learned {
                name: self.name("frequencies"),
                heads,
                pairs,
                frequencies: self.around(0.0, 1.0, heads * pairs * 2),
            }),
        }
    }

    fn feed_forward(&mut self, gated: bool, channels: usize) -> FeedForward {
        let hidden = 2 * channels + 3;
        FeedForward {
            name: self.name("ffn"),
            norm: self.point_norm(channels),
            linear1: self.matrix(channels, hidden),
            gate: gated.then(|| self.matrix(channels, hidden)),
            linear2: self.matrix(hidden, channels),
        }
    }

    fn policy(&mut self) -> PolicyHead {
        let plan = self.plan;
        let (points, pooled) = (9, 7);
        PolicyHead {
            name: "policyhead".to_owned(),
            p1_conv: self.conv(1, plan.channels, points),
            g1_conv: self.conv(1, plan.channels, pooled),
            g1_norm: self.batch_norm(pooled),
            g1_activation: plan.activation,
            gpool_to_bias: self.matrix(3 * pooled, points),
            p1_norm: self.batch_norm(points),
            p1_activation: plan.activation,
            p2_conv: self.last_conv(points, plan.policies),
            pass: if plan.version < 15 {
                PassHead::Linear(self.last_matrix(3 * pooled, plan.policies))
            } else {
                // KataGo wants as many hidden numbers as the points have channels.
                PassHead::Layered {
                    first: self.matrix(3 * pooled, points),
                    bias: self.bias(points),
                    activation: plan.activation,
                    second: self.last_matrix(points, plan.policies),
                }
            },
        }
    }

    fn value(&mut self) -> ValueHead {
        let plan = self.plan;
        let (points, hidden) = (6, 11);
        let scores = if plan.version >= 9 { 6 } else { 4 };
        ValueHead {
            name: "valuehead".to_owned(),
            v1_conv: self.conv(1, plan.channels, points),
            v1_norm: self.batch_norm(points),
            v1_activation: plan.activation,
            v2: self.matrix(3 * points, hidden),
            v2_bias: self.bias(hidden),
            v2_activation: plan.activation,
            v3: self.last_matrix(hidden, 3),
            v3_bias: self.bias(3),
            sv3: self.last_matrix(hidden, scores),
            sv3_bias: self.bias(scores),
            ownership_conv: self.last_conv(points, 1),
        }
    }

    fn conv(&mut self, kernel: usize, inputs: usize, outputs: usize) -> Conv {
        let fan_in = kernel * kernel * inputs;
        Conv {
            name: self.name("conv"),
            height: kernel,
            width: kernel,
            inputs,
            outputs,
            dilation_y: 1,
            dilation_x: 1,
            weights: self.spread(fan_in, fan_in * outputs),
        }
    }

    fn matrix(&mut self, inputs: usize, outputs: usize) -> Matrix {
        Matrix {
            name: self.name("matrix"),
            inputs,
            outputs,
            weights: self.spread(inputs, inputs * outputs),
        }
    }

    fn last_conv(&mut self, inputs: usize, outputs: usize) -> Conv {
        let mut conv = self.conv(1, inputs, outputs);
        raise(&mut conv.weights);
        conv
    }

    fn last_matrix(&mut self, inputs: usize, outputs: usize) -> Matrix {
        let mut matrix = self.matrix(inputs, outputs);
        raise(&mut matrix.weights);
        matrix
    }

    fn bias(&mut self, channels: usize) -> Bias {
        Bias {
            name: self.name("bias"),
            weights: self.around(0.0, 0.3, channels),
        }
    }

    fn batch_norm(&mut self, channels: usize) -> Norm {
        Norm::Batch(BatchNorm {
            name: self.name("norm"),
            epsilon: 1e-3,
            mean: self.around(0.0, 0.2, channels),
            variance: self.around(1.0, 0.5, channels),
            scale: (self.plan.scale).then(|| self.around(1.0, 0.5, channels)),
            bias: (self.plan.bias).then(|| self.around(0.0, 0.3, channels)),
        })
    }

    fn point_norm(&mut self, channels: usize) -> PointNorm {
        PointNorm {
            name: self.name("norm"),
            epsilon: 1e-6,
            weight: self.around(1.0, 0.5, channels),
        }
    }

    /// Returns weights that keep the size of what they are applied to.
    fn spread(&mut self, fan_in: usize, count: usize) -> Vec<f32> {
        self.around(0.0, (3.0 / fan_in as f32).sqrt(), count)
    }

    fn around(&mut self, center: f32, reach: f32, count: usize) -> Vec<f32> {
        let weight = |_| center + reach * self.random.signed();
        (0..count).map(weight).collect()
    }

    fn name(&mut self, kind: &str) -> String {
        self.named += 1;
        format!("{kind}{}", self.named)
    }
}

/// Makes outputs differ: what the activations halve on the way is made up for.
fn raise(weights: &mut [f32]) {
    for weight in weights {
        *weight *= 3.0;
    }
}

fn mid(channels: usize) -> usize {
    channels + 2
}

fn regular(channels: usize) -> usize {
    channels - channels / 3
}

fn pooled(channels: usize) -> usize {
    channels / 3 + 1
}
