//! Reading the blocks of a trunk. Every kind is taken at any version.

use super::error::Problem;
use super::tokens::{Result, Tokens};
use super::{Attention, Block, FeedForward, GlobalPooling, NestedBottleneck, Ordinary, Rotation};

/// The most blocks of a trunk or of a nested block.
pub(super) const MAX_BLOCKS: u64 = 1024;
/// How deep blocks may nest; real networks have one level.
const MAX_DEPTH: usize = 4;

/// Where a stack of blocks stands.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) version: u32,
    /// Channels of the stream the blocks add to.
    pub(super) channels: usize,
    pub(super) depth: usize,
}

impl Tokens<'_> {
    /// Reads this many blocks.
    pub(super) fn blocks(&mut self, count: usize, level: Level) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        for index in 1..=count {
            let inner = if level.depth > 0 { "inner " } else { "" };
            let place = format!("{inner}block {index}");
            let (kind, name) = self.within(&place, |t| {
                Ok((t.word("a kind of block")?, t.word("a block's name")?))
            })?;
            let block = self.within(&format!("{place} ({name})"), |t| {
                t.block(&kind, name, level)
            })?;
            blocks.push(block);
        }
        Ok(blocks)
    }

    fn block(&mut self, kind: &str, name: String, level: Level) -> Result<Block> {
        Ok(match kind {
            "ordinary_block" => Block::Ordinary(self.ordinary(name, level)?),
            "gpool_block" => Block::GlobalPooling(self.global_pooling(name, level)?),
            "nested_bottleneck_block" => Block::NestedBottleneck(self.nested(name, level)?),
            "transformer_attention_block" => Block::Attention(self.attention(name, level)?),
            "transformer_ffn_block" => Block::FeedForward(self.feed_forward(name, level)?),
            _ => {
                return Err(self.error(Problem::Unknown {
                    what: "kind of block",
                    found: kind.to_owned(),
                }));
            }
        })
    }

    fn ordinary(&mut self, name: String, level: Level) -> Result<Ordinary> {
        let (version, channels) = (level.version, level.channels);
        let norm1 = self.batch_norm("norm1", channels)?;
        let activation1 = self.activation("activation1", version)?;
        let conv1 = self.conv("conv1", channels, None)?;
        let norm2 = self.batch_norm("norm2", conv1.outputs)?;
        let activation2 = self.activation("activation2", version)?;
        let conv2 = self.conv("conv2", conv1.outputs, Some(channels))?;
        Ok(Ordinary {
            name,
            norm1,
            activation1,
            conv1,
            norm2,
            activation2,
            conv2,
        })
    }

    fn global_pooling(&mut self, name: String, level: Level) -> Result<GlobalPooling> {
        let (version, channels) = (level.version, level.channels);
        let norm1 = self.batch_norm("norm1", channels)?;
        let activation1 = self.activation("activation1", version)?;
        let regular_conv = self.conv("regular conv", channels, None)?;
        let gpool_conv = self.conv("gpool conv", channels, None)?;
        let (regular, pooled) = (regular_conv.outputs, gpool_conv.outputs);
        Ok(GlobalPooling {
            name,
            norm1,
            activation1,
            regular_conv,
            gpool_conv,
            gpool_norm: self.batch_norm("gpool norm", pooled)?,
            gpool_activation: self.activation("gpool activation", version)?,
            gpool_to_bias: self.matrix("gpool to bias", 3 * pooled, Some(regular))?,
            norm2: self.batch_norm("norm2", regular)?,
            activation2: self.activation("activation2", version)?,
            conv2: self.conv("conv2", regular, Some(channels))?,
        })
    }

    fn nested(&mut self, name: String, level: Level) -> Result<NestedBottleneck> {
        let (version, channels) = (level.version, level.channels);
        let count = self.number("the number of inner blocks", 1, MAX_BLOCKS)? as usize;
        if level.depth == MAX_DEPTH {
            return Err(self.error(Problem::Range {
                what: "the depth of nested blocks",
                found: level.depth as u64 + 1,
                least: 0,
                most: MAX_DEPTH as u64,
            }));
        }
        let pre_norm = self.batch_norm("norm before", channels)?;
        let pre_activation = self.activation("activation before", version)?;
        let pre_conv = self.conv("conv down", channels, None)?;
        let mid = pre_conv.outputs;
        let inner = Level {
            version,
            channels: mid,
            depth: level.depth + 1,
        };
        Ok(NestedBottleneck {
            name,
            pre_norm,
            pre_activation,
            pre_conv,
            blocks: self.blocks(count, inner)?,
            post_norm: self.batch_norm("norm after", mid)?,
            post_activation: self.activation("activation after", version)?,
            post_conv: self.conv("conv up", mid, Some(channels))?,
        })
    }

    fn attention(&mut self, name: String, level: Level) -> Result<Attention> {
        let channels = level.channels;
        let heads = self.channels("heads")?;
        let kv_heads = self.channels("key and value heads")?;
        if !heads.is_multiple_of(kv_heads) {
            return Err(self.error(Problem::Rule {
                what: "the number of key and value heads",
                found: kv_heads.to_string(),
                rule: "a divisor of the number of heads",
            }));
        }
        let query_width = self.channels("the width of a query")?;
        let value_width = self.channels("the width of a value")?;
        let rotates = self.flag("whether there is a rotation")?;
        let learned = self.flag("whether the rotation is learned")?;
        Ok(Attention {
            name,
            heads,
            kv_heads,
            query_width,
            value_width,
            norm: self.point_norm("norm", channels)?,
            query: self.matrix("query", channels, Some(heads * query_width))?,
            key: self.matrix("key", channels, Some(kv_heads * query_width))?,
            value: self.matrix("value", channels, Some(kv_heads * value_width))?,
            output: self.matrix("output", heads * value_width, Some(channels))?,
            rotation: rotates
                .then(|| self.within("rotation", |t| t.rotation(learned, kv_heads, query_width)))
                .transpose()?,
        })
    }

    fn rotation(&mut self, learned: bool, heads: usize, width: usize) -> Result<Rotation> {
        // A learned rotation turns pairs; a fixed one, pairs by row and pairs by column.
        let (pairs, divisor) = (width / 2, if learned { 2 } else { 4 });
        if !width.is_multiple_of(divisor) {
            return Err(self.error(Problem::Rule {
                what: "the width of a query",
                found: width.to_string(),
                rule: if learned { "even" } else { "a multiple of 4" },
            }));
        }
        let name = self.word("a rotation's name")?;
        if learned {
            self.same_channels("heads", heads)?;
            self.same_channels("pairs", pairs)?;
            self.same_channels("frequencies of a pair", 2)?;
            let frequencies = self.weights(heads * pairs * 2)?;
            return Ok(Rotation::Learned {
                name,
                heads,
                pairs,
                frequencies,
            });
        }
        let theta = self.float("the rotation's base")?;
        if theta <= 0.0 {
            return Err(self.error(Problem::Rule {
                what: "the rotation's base",
                found: theta.to_string(),
                rule: "positive",
            }));
        }
        Ok(Rotation::Fixed { name, theta })
    }

    fn feed_forward(&mut self, name: String, level: Level) -> Result<FeedForward> {
        let channels = level.channels;
        self.same_channels("channels", channels)?;
        let hidden = self.channels("hidden channels")?;
        let gated = self.flag("whether there is a gate")?;
        Ok(FeedForward {
            name,
            norm: self.point_norm("norm", channels)?,
            linear1: self.matrix("linear1", channels, Some(hidden))?,
            gate: gated
                .then(|| self.matrix("gate", channels, Some(hidden)))
                .transpose()?,
            linear2: self.matrix("linear2", hidden, Some(channels))?,
        })
    }
}
