//! The blocks of a network, packed for one arithmetic.
//!
//! Each block finds its prepared input in `front`, adds to the stream of its depth
//! and leaves the input of whatever comes next.

use super::arithmetic::{Arithmetic, Precision};
use super::attention::AttentionLayer;
use super::batch::Layout;
use super::linear::Linear;
use super::pool::add_bias;
use super::prepare::Prepare;
use super::product::{Convolution, FeedForwardProduct};
use super::work::{Into, Next, Work};
use crate::{Activation, Block, GlobalPooling, Norm};

/// Errors of weights are the same in every evaluation and do not average out; they
/// are worth a second product where that is cheap.
const WEIGHTS: Precision = Precision::Weights;
/// How exact the ways into and out of a bottleneck are: all that the blocks within know of
/// the stream comes through it, and one product would be four times the error of the rest.
const BOTTLENECK: Precision = Precision::Both;

/// How exact the products of attention and feed-forward layers are.
#[derive(Debug, Clone, Copy)]
struct Exactness {
    /// To queries, keys and values.
    project: Precision,
    /// To the hidden layer.
    hide: Precision,
}

impl Exactness {
    /// On the stream of the trunk. Scores stand in an exponent, so their errors are
    /// multiplied: one product less would triple the error of a whole network.
    const TRUNK: Exactness = Exactness {
        project: Precision::Both,
        hide: Precision::Weights,
    };
    /// Within a bottleneck, where it is worth less: b10c384h6nbttflrs is a seventh faster, and
    /// the mean error of its win rate grows from 0.0003 to 0.0006.
    const WITHIN_BOTTLENECK: Exactness = Exactness {
        project: Precision::Weights,
        hide: Precision::Single,
    };
}

/// A block and what stands before it.
pub(super) struct PackedBlock<K: Arithmetic> {
    prepare: Prepare,
    kind: Kind<K>,
}

enum Kind<K: Arithmetic> {
    Ordinary {
        first: Convolution<K>,
        middle: Prepare,
        second: Convolution<K>,
    },
    GlobalPooling(Box<Pooling<K>>),
    Nested {
        down: Convolution<K>,
        blocks: Vec<PackedBlock<K>>,
        after: Prepare,
        up: Convolution<K>,
    },
    Attention(AttentionLayer<K>),
    FeedForward(FeedForwardProduct<K::Element>),
}

struct Pooling<K: Arithmetic> {
    /// The regular convolution and the pooled one, beside each other.
    both: Convolution<K>,
    regular: usize,
    pooled: Prepare,
    channels: usize,
    bias: Linear,
    middle: Prepare,
    second: Convolution<K>,
}

impl<K: Arithmetic> PackedBlock<K> {
    /// Packs a block.
    fn new(k: K, block: &Block, exactness: Exactness) -> PackedBlock<K> {
        let prepare =
            |norm: &Norm, activation: Activation| Prepare::new(norm, activation, K::CHANNELS);
        match block {
            Block::Ordinary(block) => PackedBlock {
                prepare: prepare(&block.norm1, block.activation1),
                kind: Kind::Ordinary {
                    first: Convolution::new(k, &[&block.conv1], WEIGHTS),
                    middle: prepare(&block.norm2, block.activation2),
                    second: Convolution::new(k, &[&block.conv2], WEIGHTS),
                },
            },
            Block::GlobalPooling(block) => PackedBlock {
                prepare: prepare(&block.norm1, block.activation1),
                kind: Kind::GlobalPooling(Box::new(Pooling::new(k, block))),
            },
            Block::NestedBottleneck(block) => {
                let down = Convolution::new(k, &[&block.pre_conv], BOTTLENECK);
                let up = Convolution::new(k, &[&block.post_conv], BOTTLENECK);
                let before = prepare(&block.pre_norm, block.pre_activation);
                let after = prepare(&block.post_norm, block.post_activation);
                PackedBlock {
                    prepare: before.split(down.splits_input()),
                    kind: Kind::Nested {
                        after: after.split(up.splits_input()),
                        down,
                        blocks: pack_all(k, &block.blocks, Exactness::WITHIN_BOTTLENECK),
                        up,
                    },
                }
            }
            Block::Attention(block) => {
                let layer = AttentionLayer::new(k, block, exactness.project);
                let norm = Prepare::point(&block.norm, K::CHANNELS);
                PackedBlock {
                    prepare: norm.split(layer.splits_input()),
                    kind: Kind::Attention(layer),
                }
            }
            Block::FeedForward(block) => {
                let layer = FeedForwardProduct::new(k, block, exactness.hide);
                let norm = Prepare::point(&block.norm, K::CHANNELS);
                PackedBlock {
                    prepare: norm.split(layer.splits_input()),
                    kind: Kind::FeedForward(layer),
                }
            }
        }
    }

    fn layout(&self) -> Layout {
        match &self.kind {
            Kind::Ordinary { first, .. } => first.layout(),
            Kind::GlobalPooling(block) => block.both.layout(),
            Kind::Nested { down, .. } => down.layout(),
            Kind::Attention(_) | Kind::FeedForward(_) => Layout::Dense,
        }
    }

    fn run(&self, k: K, work: &mut Work<K::Element>, depth: usize, next: Next<'_>) {
        match &self.kind {
            Kind::Ordinary {
                first,
                middle,
                second,
            } => {
                let between = Next {
                    prepare: middle,
                    layout: second.layout(),
                };
                work.step(k, first, Into::Nothing, between);
                work.step(k, second, Into::Add(depth), next);
            }
            Kind::GlobalPooling(block) => {
                block.first(k, work);
                work.step(k, &block.second, Into::Add(depth), next);
            }
            Kind::Nested {
                down,
                blocks,
                after,
                up,
            } => {
                let end = Next {
                    prepare: after,
                    layout: up.layout(),
                };
                work.step(k, down, Into::Begin(depth + 1), entry(blocks, end));
                run_all(k, blocks, work, depth + 1, end);
                work.step(k, up, Into::Add(depth), next);
            }
            Kind::Attention(layer) => {
                look(k, layer, work);
                work.step(k, &layer.output, Into::Add(depth), next);
            }
            Kind::FeedForward(layer) => work.step(k, layer, Into::Add(depth), next),
        }
    }
}

impl<K: Arithmetic> Pooling<K> {
    fn new(k: K, block: &GlobalPooling) -> Pooling<K> {
        let prepare =
            |norm: &Norm, activation: Activation| Prepare::new(norm, activation, K::CHANNELS);
        Pooling {
            both: Convolution::new(k, &[&block.regular_conv, &block.gpool_conv], WEIGHTS),
            regular: block.regular_conv.outputs.next_multiple_of(K::CHANNELS),
            pooled: prepare(&block.gpool_norm, block.gpool_activation),
            channels: block.gpool_conv.outputs,
            bias: Linear::new(&block.gpool_to_bias, None),
            middle: prepare(&block.norm2, block.activation2),
            second: Convolution::new(k, &[&block.conv2], WEIGHTS),
        }
    }

    /// Goes from the block's input to that of its last convolution.
    fn first(&self, k: K, work: &mut Work<K::Element>) {
        let s = k.simd();
        let stride = self.regular + self.pooled.width();
        work.hold(k, &self.both, stride);
        work.prepare_points(k, (self.regular, stride), &self.pooled);
        let Work {
            batch,
            held,
            points,
            pool,
            vectors: [bias, _],
            ..
        } = work;
        for board in &batch.boards {
            let points = (&**points, self.pooled.width());
            pool.for_policy(s, points, self.channels, board);
            self.bias.apply(s, &pool.pooled, Activation::Identity, bias);
            add_bias(s, (held, stride), board, bias);
        }
        let next = Next {
            prepare: &self.middle,
            layout: self.second.layout(),
        };
        work.prepare_held(k, (0, stride), next);
    }
}

/// Lets the heads look, and leaves what they saw in `front`.
fn look<K: Arithmetic>(k: K, layer: &AttentionLayer<K>, work: &mut Work<K::Element>) {
    let Work {
        batch,
        front,
        back,
        tools,
        attention,
        ..
    } = work;
    back.ensure(batch.input_rows(Layout::Dense) * layer.width());
    layer.run(k, front, batch, tools, attention, back);
    std::mem::swap(front, back);
}

/// Packs the blocks of a trunk.
pub(super) fn pack_trunk<K: Arithmetic>(k: K, blocks: &[Block]) -> Vec<PackedBlock<K>> {
    pack_all(k, blocks, Exactness::TRUNK)
}

fn pack_all<K: Arithmetic>(k: K, blocks: &[Block], exactness: Exactness) -> Vec<PackedBlock<K>> {
    blocks
        .iter()
        .map(|block| PackedBlock::new(k, block, exactness))
        .collect()
}

/// Returns what the first of some blocks wants, or what comes after if there is none.
pub(super) fn entry<'a, K: Arithmetic>(blocks: &'a [PackedBlock<K>], end: Next<'a>) -> Next<'a> {
    blocks.first().map_or(end, |block| Next {
        prepare: &block.prepare,
        layout: block.layout(),
    })
}

/// Runs blocks one after another; `end` is what comes after the last.
pub(super) fn run_all<K: Arithmetic>(
    k: K,
    blocks: &[PackedBlock<K>],
    work: &mut Work<K::Element>,
    depth: usize,
    end: Next<'_>,
) {
    for (i, block) in blocks.iter().enumerate() {
        block.run(k, work, depth, entry(&blocks[i + 1..], end));
    }
}
