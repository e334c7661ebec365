//! Writing a network in the format it is read from.
//!
//! What is written is read back the same. Activations have names in the format
//! that mean nothing; they all get the same one.

use std::fmt::{Display, Write as _};

use super::{Activation, Attention, Block, Conv, FeedForward, GlobalPooling, MetaEncoder, Model};
use super::{Bias, Matrix, NestedBottleneck, Norm, Ordinary, PassHead, PointNorm, PolicyHead};
use super::{Rotation, Trunk, ValueHead};
use crate::inputs::{GLOBALS, META_CHANNELS, PLANES};

impl Model {
    /// Writes the network with binary weights, not packed (a `.bin` file).
    ///
    /// Names must be single words, as they are in a network that was read.
    pub fn to_bytes(&self) -> Vec<u8> {
        Writer::new(Form::Binary, self.version).model(self).bytes
    }

    /// Writes the network with decimal weights, not packed (a `.txt` file).
    pub fn to_text(&self) -> String {
        let bytes = Writer::new(Form::Text, self.version).model(self).bytes;
        String::from_utf8(bytes).expect("only text was written")
    }

    /// Returns how many weights its file holds, the statistics of norms included.
    pub fn weight_count(&self) -> usize {
        Writer::new(Form::Count, self.version).model(self).weights
    }
}

/// How weights are written.
#[derive(Clone, Copy)]
enum Form {
    Binary,
    Text,
    /// Not at all, only counted.
    Count,
}

struct Writer {
    bytes: Vec<u8>,
    /// Weights so far.
    weights: usize,
    form: Form,
    version: u32,
}

impl Writer {
    fn new(form: Form, version: u32) -> Writer {
        Writer {
            bytes: Vec::new(),
            weights: 0,
            form,
            version,
        }
    }

    fn model(mut self, model: &Model) -> Writer {
        self.line(&model.name);
        self.line(model.version);
        self.line(PLANES);
        self.line(GLOBALS);
        if model.version >= 13 {
            let m = &model.multipliers;
            self.lines(&[m.td_score, m.score_mean, m.score_deviation, m.lead]);
            self.lines(&[
                m.variance_time,
                m.short_term_value_error,
                m.short_term_score_error,
            ]);
        }
        if model.version >= 15 {
            let meta = model.trunk.meta_encoder.as_ref();
            self.line(meta.map_or(0, |encoder| encoder.version));
            self.flag(model.prefers_pass_alive_under_suicide);
            self.lines(&[0; 6]);
        }
        self.trunk(&model.trunk);
        self.policy_head(&model.policy);
        self.value_head(&model.value);
        self
    }

    fn trunk(&mut self, trunk: &Trunk) {
        self.line(&trunk.name);
        self.lines(&[trunk.blocks.len(), trunk.channels, trunk.mid_channels]);
        self.lines(&[trunk.regular_channels, trunk.dilated_channels]);
        self.line(trunk.gpool_channels);
        if self.version >= 15 {
            self.flag(matches!(trunk.tip_norm, Norm::Rms(_)));
            self.lines(&[0; 5]);
        }
        self.conv(&trunk.initial_conv);
        self.matrix(&trunk.initial_matrix);
        if let Some(encoder) = &trunk.meta_encoder {
            self.meta_encoder(encoder);
        }
        self.blocks(&trunk.blocks);
        self.norm(&trunk.tip_norm);
        self.activation(trunk.tip_activation);
    }

    fn meta_encoder(&mut self, encoder: &MetaEncoder) {
        self.line(&encoder.name);
        self.line(META_CHANNELS);
        self.matrix(&encoder.first);
        self.bias(&encoder.first_bias);
        self.activation(encoder.first_activation);
        self.matrix(&encoder.second);
        self.bias(&encoder.second_bias);
        self.activation(encoder.second_activation);
        self.matrix(&encoder.third);
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Ordinary(it) => self.ordinary(it),
                Block::GlobalPooling(it) => self.global_pooling(it),
                Block::NestedBottleneck(it) => self.nested(it),
                Block::Attention(it) => self.attention(it),
                Block::FeedForward(it) => self.feed_forward(it),
            }
        }
    }

    fn ordinary(&mut self, block: &Ordinary) {
        self.line("ordinary_block");
        self.line(&block.name);
        self.norm(&block.norm1);
        self.activation(block.activation1);
        self.conv(&block.conv1);
        self.norm(&block.norm2);
        self.activation(block.activation2);
        self.conv(&block.conv2);
    }

    fn global_pooling(&mut self, block: &GlobalPooling) {
        self.line("gpool_block");
        self.line(&block.name);
        self.norm(&block.norm1);
        self.activation(block.activation1);
        self.conv(&block.regular_conv);
        self.conv(&block.gpool_conv);
        self.norm(&block.gpool_norm);
        self.activation(block.gpool_activation);
        self.matrix(&block.gpool_to_bias);
        self.norm(&block.norm2);
        self.activation(block.activation2);
        self.conv(&block.conv2);
    }

    fn nested(&mut self, block: &NestedBottleneck) {
        self.line("nested_bottleneck_block");
        self.line(&block.name);
        self.line(block.blocks.len());
        self.norm(&block.pre_norm);
        self.activation(block.pre_activation);
        self.conv(&block.pre_conv);
        self.blocks(&block.blocks);
        self.norm(&block.post_norm);
        self.activation(block.post_activation);
        self.conv(&block.post_conv);
    }

    fn attention(&mut self, block: &Attention) {
        self.line("transformer_attention_block");
        self.line(&block.name);
        self.lines(&[block.heads, block.kv_heads]);
        self.lines(&[block.query_width, block.value_width]);
        self.flag(block.rotation.is_some());
        self.flag(matches!(block.rotation, Some(Rotation::Learned { .. })));
        self.point_norm(&block.norm);
        self.matrix(&block.query);
        self.matrix(&block.key);
        self.matrix(&block.value);
        self.matrix(&block.output);
        match &block.rotation {
            None => {}
            Some(Rotation::Fixed { name, theta }) => {
                self.line(name);
                self.line(theta);
            }
            Some(Rotation::Learned {
                name,
                heads,
                pairs,
                frequencies,
            }) => {
                self.line(name);
                self.lines(&[*heads, *pairs, 2]);
                self.weights(frequencies);
            }
        }
    }

    fn feed_forward(&mut self, block: &FeedForward) {
        self.line("transformer_ffn_block");
        self.line(&block.name);
        self.lines(&[block.linear1.inputs, block.linear1.outputs]);
        self.flag(block.gate.is_some());
        self.point_norm(&block.norm);
        self.matrix(&block.linear1);
        if let Some(gate) = &block.gate {
            self.matrix(gate);
        }
        self.matrix(&block.linear2);
    }

    fn policy_head(&mut self, head: &PolicyHead) {
        self.line(&head.name);
        if self.version >= 17 {
            self.lines(&[head.p2_conv.outputs, 0, 0, 0]);
        }
        self.conv(&head.p1_conv);
        self.conv(&head.g1_conv);
        self.norm(&head.g1_norm);
        self.activation(head.g1_activation);
        self.matrix(&head.gpool_to_bias);
        self.norm(&head.p1_norm);
        self.activation(head.p1_activation);
        self.conv(&head.p2_conv);
        match &head.pass {
            PassHead::Linear(matrix) => self.matrix(matrix),
            PassHead::Layered {
                first,
                bias,
                activation,
                second,
            } => {
                self.matrix(first);
                self.bias(bias);
                self.activation(*activation);
                self.matrix(second);
            }
        }
    }

    fn value_head(&mut self, head: &ValueHead) {
        self.line(&head.name);
        if self.version >= 17 {
            self.lines(&[0; 3]);
        }
        self.conv(&head.v1_conv);
        self.norm(&head.v1_norm);
        self.activation(head.v1_activation);
        self.matrix(&head.v2);
        self.bias(&head.v2_bias);
        self.activation(head.v2_activation);
        self.matrix(&head.v3);
        self.bias(&head.v3_bias);
        self.matrix(&head.sv3);
        self.bias(&head.sv3_bias);
        self.conv(&head.ownership_conv);
    }

    fn conv(&mut self, conv: &Conv) {
        self.line(&conv.name);
        self.lines(&[conv.height, conv.width, conv.inputs, conv.outputs]);
        self.lines(&[conv.dilation_y, conv.dilation_x]);
        self.weights(&conv.weights);
    }

    fn matrix(&mut self, matrix: &Matrix) {
        self.line(&matrix.name);
        self.lines(&[matrix.inputs, matrix.outputs]);
        self.weights(&matrix.weights);
    }

    fn bias(&mut self, bias: &Bias) {
        self.line(&bias.name);
        self.line(bias.weights.len());
        self.weights(&bias.weights);
    }

    fn norm(&mut self, norm: &Norm) {
        match norm {
            Norm::Batch(norm) => {
                self.line(&norm.name);
                self.line(norm.mean.len());
                self.line(norm.epsilon);
                self.flag(norm.scale.is_some());
                self.flag(norm.bias.is_some());
                self.weights(&norm.mean);
                self.weights(&norm.variance);
                for weights in norm.scale.iter().chain(&norm.bias) {
                    self.weights(weights);
                }
            }
            Norm::Rms(norm) => {
                self.line(&norm.name);
                self.line(norm.gamma.len());
                self.line(norm.epsilon);
                self.flag(norm.spatial);
                self.line(norm.channel_group);
                self.weights(&norm.gamma);
                self.weights(&norm.beta);
            }
        }
    }

    fn point_norm(&mut self, norm: &PointNorm) {
        self.line(&norm.name);
        self.line(norm.weight.len());
        self.line(norm.epsilon);
        self.weights(&norm.weight);
    }

    fn activation(&mut self, activation: Activation) {
        self.line("activation");
        if self.version >= 11 {
            self.line(activation.word());
        }
    }

    fn flag(&mut self, value: bool) {
        self.line(u8::from(value));
    }

    fn lines(&mut self, values: &[impl Display]) {
        for value in values {
            self.line(value);
        }
    }

    fn line(&mut self, value: impl Display) {
        let mut text = String::new();
        writeln!(text, "{value}").expect("a string takes any text");
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn weights(&mut self, weights: &[f32]) {
        self.weights += weights.len();
        match self.form {
            Form::Binary => {
                self.bytes.extend_from_slice(b"@BIN@");
                for weight in weights {
                    self.bytes.extend_from_slice(&weight.to_le_bytes());
                }
                self.bytes.push(b'\n');
            }
            Form::Text => {
                for weight in weights {
                    // The shortest digits that read back as the same number.
                    self.line(format_args!("{weight:e}"));
                }
            }
            Form::Count => {}
        }
    }
}
