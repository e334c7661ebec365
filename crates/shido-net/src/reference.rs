//! The reference forward pass: every kind of block in plain loops.
//!
//! It is what the fast paths are checked against, so it is written to be read. It
//! computes at the board's own size: what is off the board does not exist, which is
//! what KataGo's masks come to. Weights and activations are `f32`, as there; sums
//! over the board and norms are taken in `f64`.

mod attention;
mod blocks;
mod field;
mod layers;

use std::sync::Arc;

use self::blocks::run_blocks;
use self::field::Field;
use self::layers::{activate, apply, conv, norm, pool_for_policy, pool_for_value};
use crate::inputs::META_CHANNELS;
use crate::model::{Bias, Matrix, MetaEncoder, Model, PassHead, PolicyHead, Trunk, ValueHead};
use crate::{Forward, Inputs, Outputs};

/// The reference pass of one network.
///
/// A net that wants a description of the player and gets none takes zeros for it.
#[derive(Debug, Clone)]
pub struct Reference {
    model: Arc<Model>,
}

impl Reference {
    /// Makes the pass of a network.
    pub fn new(model: Arc<Model>) -> Reference {
        Reference { model }
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut Outputs) {
        let trunk = run_trunk(&self.model.trunk, inputs);
        run_policy(&self.model.policy, &trunk, outputs);
        run_value(&self.model.value, &trunk, outputs);
    }
}

impl Forward for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn run(&mut self, inputs: &[&Inputs], outputs: &mut [Outputs]) {
        assert_eq!(inputs.len(), outputs.len(), "an output for each input");
        for (inputs, outputs) in inputs.iter().zip(outputs) {
            self.evaluate(inputs, outputs);
        }
    }
}

fn run_trunk(trunk: &Trunk, inputs: &Inputs) -> Field {
    let mut stream = conv(&Field::of_planes(inputs), &trunk.initial_conv);
    stream.add_to_each_point(&apply(&trunk.initial_matrix, &inputs.globals));
    if let Some(encoder) = &trunk.meta_encoder {
        let nobody = [0.0; META_CHANNELS];
        let meta = inputs.meta.as_deref().unwrap_or(&nobody);
        stream.add_to_each_point(&run_meta_encoder(encoder, meta));
    }
    run_blocks(&trunk.blocks, &mut stream);
    norm(&mut stream, &trunk.tip_norm, trunk.tip_activation);
    stream
}

fn run_meta_encoder(encoder: &MetaEncoder, meta: &[f32]) -> Vec<f32> {
    let mut hidden = linear(meta, &encoder.first, &encoder.first_bias);
    activate(&mut hidden, encoder.first_activation);
    let mut hidden = linear(&hidden, &encoder.second, &encoder.second_bias);
    activate(&mut hidden, encoder.second_activation);
    apply(&encoder.third, &hidden)
}

fn run_policy(head: &PolicyHead, trunk: &Field, outputs: &mut Outputs) {
    let mut pooled = conv(trunk, &head.g1_conv);
    norm(&mut pooled, &head.g1_norm, head.g1_activation);
    let pooled = pool_for_policy(&pooled);

    let mut points = conv(trunk, &head.p1_conv);
    points.add_to_each_point(&apply(&head.gpool_to_bias, &pooled));
    norm(&mut points, &head.p1_norm, head.p1_activation);
    let policies = conv(&points, &head.p2_conv);

    let passes = match &head.pass {
        PassHead::Linear(matrix) => apply(matrix, &pooled),
        PassHead::Layered {
            first,
            bias,
            activation,
            second,
        } => {
            let mut hidden = linear(&pooled, first, bias);
            activate(&mut hidden, *activation);
            apply(second, &hidden)
        }
    };
    outputs.policy.clear();
    for (channel, &pass) in passes.iter().enumerate() {
        outputs.policy.extend(policies.channel(channel));
        outputs.policy.push(pass);
    }
}

fn run_value(head: &ValueHead, trunk: &Field, outputs: &mut Outputs) {
    let mut points = conv(trunk, &head.v1_conv);
    norm(&mut points, &head.v1_norm, head.v1_activation);
    let mut hidden = linear(&pool_for_value(&points), &head.v2, &head.v2_bias);
    activate(&mut hidden, head.v2_activation);

    let value = linear(&hidden, &head.v3, &head.v3_bias);
    outputs.value.copy_from_slice(&value);
    let scores = linear(&hidden, &head.sv3, &head.sv3_bias);
    outputs.scores = [0.0; 6];
    outputs.scores[..scores.len()].copy_from_slice(&scores);
    outputs.ownership.clear();
    let ownership = conv(&points, &head.ownership_conv);
    outputs.ownership.extend(ownership.channel(0));
}

fn linear(inputs: &[f32], matrix: &Matrix, bias: &Bias) -> Vec<f32> {
    let mut outputs = apply(matrix, inputs);
    for (output, bias) in outputs.iter_mut().zip(&bias.weights) {
        *output += bias;
    }
    outputs
}
