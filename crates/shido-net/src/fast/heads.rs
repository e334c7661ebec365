//! The policy and value heads.
//!
//! Their three convolutions of the trunk are one product; all that follows is
//! small and done in fp32 on every path.

use super::arithmetic::{Arithmetic, Precision};
use super::batch::{Board, Layout};
use super::buffer::Buffer;
use super::finish::Hold;
use super::float::Float;
use super::linear::Linear;
use super::pool::add_bias;
use super::prepare::Prepare;
use super::product::{Convolution, Product, Tools};
use super::work::Work;
use crate::{Activation, Model, Outputs, PassHead};

/// Both heads.
pub(super) struct Heads<K: Arithmetic> {
    /// Policy, pooled policy and value, beside each other.
    first: Convolution<K>,
    policy: Prepare,
    pooled: Prepare,
    pooled_channels: usize,
    value: Prepare,
    value_channels: usize,
    bias: Linear,
    pass: Vec<(Linear, Activation)>,
    passes: usize,
    /// To the policies, and to the owner: fp32.
    points: Convolution<Float<K::Simd>>,
    owner: Convolution<Float<K::Simd>>,
    hidden: (Linear, Activation),
    outcome: Linear,
    scores: Linear,
    score_count: usize,
}

/// Memory of the heads.
#[derive(Default)]
pub(super) struct HeadScratch {
    tools: Tools<f32>,
    rows: Buffer<f32>,
}

impl<K: Arithmetic> Heads<K> {
    /// Packs the heads of a model.
    pub(super) fn new(k: K, model: &Model) -> Heads<K> {
        let (policy, value) = (&model.policy, &model.value);
        let float = Float(k.simd());
        let none = Activation::Identity;
        let (pass, passes) = match &policy.pass {
            PassHead::Linear(matrix) => (vec![(Linear::new(matrix, None), none)], matrix.outputs),
            PassHead::Layered {
                first,
                bias,
                activation,
                second,
            } => {
                let first = Linear::new(first, Some(&bias.weights));
                let layers = vec![(first, *activation), (Linear::new(second, None), none)];
                (layers, second.outputs)
            }
        };
        let prepare = |norm, activation| Prepare::new(norm, activation, K::CHANNELS);
        Heads {
            first: Convolution::new(
                k,
                &[&policy.p1_conv, &policy.g1_conv, &value.v1_conv],
                Precision::Both,
            ),
            policy: prepare(&policy.p1_norm, policy.p1_activation),
            pooled: prepare(&policy.g1_norm, policy.g1_activation),
            pooled_channels: policy.g1_conv.outputs,
            value: prepare(&value.v1_norm, value.v1_activation),
            value_channels: value.v1_conv.outputs,
            bias: Linear::new(&policy.gpool_to_bias, None),
            pass,
            passes,
            points: Convolution::padded(float, &policy.p2_conv, K::CHANNELS),
            owner: Convolution::padded(float, &value.ownership_conv, K::CHANNELS),
            hidden: (
                Linear::new(&value.v2, Some(&value.v2_bias.weights)),
                value.v2_activation,
            ),
            outcome: Linear::new(&value.v3, Some(&value.v3_bias.weights)),
            scores: Linear::new(&value.sv3, Some(&value.sv3_bias.weights)),
            score_count: value.sv3.outputs,
        }
    }

    /// Returns whether the input of the heads is in high and low elements.
    pub(super) fn splits_input(&self) -> bool {
        self.first.splits_input()
    }

    /// Returns how the input of the heads must lie.
    pub(super) fn layout(&self) -> Layout {
        self.first.layout()
    }

    /// Fills the outputs of a batch from the prepared trunk in `front`.
    pub(super) fn run(
        &self,
        k: K,
        work: &mut Work<K::Element>,
        scratch: &mut HeadScratch,
        outputs: &mut [Outputs],
    ) {
        let (policy, pooled) = (self.policy.width(), self.pooled.width());
        let stride = policy + pooled + self.value.width();
        work.hold(k, &self.first, stride);
        work.prepare_points(k, (policy, stride), &self.pooled);
        self.pool_policy(k, work, stride, outputs);
        work.prepare_points(k, (0, stride), &self.policy);
        let channels = self.passes;
        let stride_out = multiply(k, &self.points, work, scratch);
        for (board, outputs) in work.batch.boards.iter().zip(outputs.iter_mut()) {
            for channel in 0..channels {
                let logits = &mut outputs.policy[channel * (board.area() + 1)..][..board.area()];
                let rows = scratch.rows[board.start * stride_out..].chunks_exact(stride_out);
                for (logit, row) in logits.iter_mut().zip(rows) {
                    *logit = row[channel];
                }
            }
        }
        work.prepare_points(k, (policy + pooled, stride), &self.value);
        let stride_out = multiply(k, &self.owner, work, scratch);
        for (i, outputs) in outputs.iter_mut().enumerate() {
            let board = work.batch.boards[i];
            let rows = scratch.rows[board.start * stride_out..].chunks_exact(stride_out);
            outputs.ownership.clear();
            let owners = rows.take(board.area()).map(|row| row[0]);
            outputs.ownership.extend(owners);
            self.judge(k, work, &board, outputs);
        }
    }

    /// Fills the passes, and adds what was pooled to the policy's points.
    fn pool_policy(
        &self,
        k: K,
        work: &mut Work<K::Element>,
        stride: usize,
        outputs: &mut [Outputs],
    ) {
        let s = k.simd();
        let Work {
            batch,
            held,
            points,
            pool,
            vectors: [one, two],
            ..
        } = work;
        for (board, outputs) in batch.boards.iter().zip(outputs) {
            let points = (&**points, self.pooled.width());
            pool.for_policy(s, points, self.pooled_channels, board);
            self.bias.apply(s, &pool.pooled, Activation::Identity, one);
            add_bias(s, (held, stride), board, one);
            one.clear();
            one.extend_from_slice(&pool.pooled);
            for (layer, activation) in &self.pass {
                layer.apply(s, one, *activation, two);
                std::mem::swap(one, two);
            }
            let area = board.area();
            outputs.policy.resize(self.passes * (area + 1), 0.0);
            for (channel, &pass) in one[..self.passes].iter().enumerate() {
                outputs.policy[channel * (area + 1) + area] = pass;
            }
        }
    }

    /// Fills the value and the scores from the value head's points.
    fn judge(&self, k: K, work: &mut Work<K::Element>, board: &Board, outputs: &mut Outputs) {
        let s = k.simd();
        let [hidden, out] = &mut work.vectors;
        let points = (&*work.points, self.value.width());
        work.pool.for_value(s, points, self.value_channels, board);
        let (layer, activation) = &self.hidden;
        layer.apply(s, &work.pool.pooled, *activation, hidden);
        self.outcome.apply(s, hidden, Activation::Identity, out);
        outputs.value.copy_from_slice(&out[..3]);
        self.scores.apply(s, hidden, Activation::Identity, out);
        outputs.scores = [0.0; 6];
        outputs.scores[..self.score_count].copy_from_slice(&out[..self.score_count]);
    }
}

/// Multiplies `points`; returns how far apart the rows are.
fn multiply<K: Arithmetic>(
    k: K,
    product: &Convolution<Float<K::Simd>>,
    work: &mut Work<K::Element>,
    scratch: &mut HeadScratch,
) -> usize {
    let width = product.outputs();
    scratch.rows.ensure(work.batch.rows() * width);
    let mut hold = Hold {
        to: &mut scratch.rows,
        width,
    };
    let float = Float(k.simd());
    product.run(
        float,
        &work.points,
        &work.batch,
        &mut scratch.tools,
        &mut hold,
    );
    width
}
