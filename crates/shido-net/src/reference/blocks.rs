//! The blocks: each adds something to the stream.

use super::attention::attention;
use super::field::Field;
use super::layers::{activate, apply, apply_to_points, conv, norm, point_norm, pool_for_policy};
use crate::model::{Activation, Block, FeedForward, GlobalPooling, NestedBottleneck, Ordinary};

/// Runs blocks one after another.
pub(super) fn run_blocks(blocks: &[Block], stream: &mut Field) {
    for block in blocks {
        let change = match block {
            Block::Ordinary(block) => ordinary(block, stream),
            Block::GlobalPooling(block) => global_pooling(block, stream),
            Block::NestedBottleneck(block) => nested_bottleneck(block, stream),
            Block::Attention(block) => attention(block, stream),
            Block::FeedForward(block) => feed_forward(block, stream),
        };
        stream.add(&change);
    }
}

fn ordinary(block: &Ordinary, stream: &Field) -> Field {
    let mut field = stream.clone();
    norm(&mut field, &block.norm1, block.activation1);
    let mut field = conv(&field, &block.conv1);
    norm(&mut field, &block.norm2, block.activation2);
    conv(&field, &block.conv2)
}

fn global_pooling(block: &GlobalPooling, stream: &Field) -> Field {
    let mut field = stream.clone();
    norm(&mut field, &block.norm1, block.activation1);
    let mut regular = conv(&field, &block.regular_conv);
    let mut pooled = conv(&field, &block.gpool_conv);
    norm(&mut pooled, &block.gpool_norm, block.gpool_activation);
    regular.add_to_each_point(&apply(&block.gpool_to_bias, &pool_for_policy(&pooled)));
    norm(&mut regular, &block.norm2, block.activation2);
    conv(&regular, &block.conv2)
}

fn nested_bottleneck(block: &NestedBottleneck, stream: &Field) -> Field {
    let mut field = stream.clone();
    norm(&mut field, &block.pre_norm, block.pre_activation);
    let mut inner = conv(&field, &block.pre_conv);
    run_blocks(&block.blocks, &mut inner);
    norm(&mut inner, &block.post_norm, block.post_activation);
    conv(&inner, &block.post_conv)
}

fn feed_forward(block: &FeedForward, stream: &Field) -> Field {
    let field = point_norm(stream, &block.norm);
    let mut hidden = apply_to_points(&block.linear1, &field);
    activate(&mut hidden.values, Activation::Silu);
    if let Some(gate) = &block.gate {
        let gate = apply_to_points(gate, &field);
        for (value, gate) in hidden.values.iter_mut().zip(&gate.values) {
            *value *= gate;
        }
    }
    apply_to_points(&block.linear2, &hidden)
}
