//! A network as its file holds it: plain data, every weight in the file's order.
//!
//! Convolutions are stored `[y][x][in][out]`, matrices `[in][out]`. Nothing here
//! computes; the reference pass and the fast paths each prepare what they need.
//! [`Model::read`] takes a file apart and [`Model::to_bytes`] puts it together.

mod blocks;
mod error;
mod layers;
mod read;
mod tokens;
mod write;

pub use error::{ModelError, Problem};

/// The oldest version of the format that is read: the first with today's inputs.
pub const OLDEST: u32 = 8;
/// The newest version of the format that is read.
pub const NEWEST: u32 = 17;

/// A whole network.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The name its maker gave it.
    pub name: String,
    /// The format's version, 8 and up.
    pub version: u32,
    /// What turns the score outputs into points.
    pub multipliers: Multipliers,
    /// Whether pass-alive groups count under suicide rules as if there were none.
    pub prefers_pass_alive_under_suicide: bool,
    /// The blocks and what feeds them.
    pub trunk: Trunk,
    /// Where to play.
    pub policy: PolicyHead,
    /// Who wins, by how much, who owns what.
    pub value: ValueHead,
}

/// Factors on the outputs of the score head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multipliers {
    /// For the temporal-difference score.
    pub td_score: f32,
    /// For the mean score.
    pub score_mean: f32,
    /// For the score's deviation.
    pub score_deviation: f32,
    /// For the lead.
    pub lead: f32,
    /// For the variance time.
    pub variance_time: f32,
    /// For the short-term error of the value.
    pub short_term_value_error: f32,
    /// For the short-term error of the score.
    pub short_term_score_error: f32,
}

impl Default for Multipliers {
    /// What holds where a file names none (below version 13).
    fn default() -> Multipliers {
        Multipliers {
            td_score: 20.0,
            score_mean: 20.0,
            score_deviation: 20.0,
            lead: 20.0,
            variance_time: 40.0,
            short_term_value_error: 0.25,
            short_term_score_error: 30.0,
        }
    }
}

/// The body of the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Trunk {
    /// Its name.
    pub name: String,
    /// Channels of the residual stream.
    pub channels: usize,
    /// Inner channels of ordinary blocks, as the header says.
    pub mid_channels: usize,
    /// Inner channels of global-pooling blocks, as the header says.
    pub regular_channels: usize,
    /// Unused by any block; kept so that a file can be written back.
    pub dilated_channels: usize,
    /// Pooled channels of global-pooling blocks, as the header says.
    pub gpool_channels: usize,
    /// The convolution of the planes.
    pub initial_conv: Conv,
    /// The globals, added to every point.
    pub initial_matrix: Matrix,
    /// The player's description of human-imitation nets, added to every point.
    pub meta_encoder: Option<MetaEncoder>,
    /// The blocks in order.
    pub blocks: Vec<Block>,
    /// The norm after the last block.
    pub tip_norm: Norm,
    /// The activation after it.
    pub tip_activation: Activation,
}

/// Turns the description of a player (rank, time, source) into trunk channels.
#[derive(Debug, Clone, PartialEq)]
pub struct MetaEncoder {
    /// The version of the description, 1 so far.
    pub version: u32,
    /// Its name.
    pub name: String,
    /// 192 inputs to the first hidden layer.
    pub first: Matrix,
    /// Its bias.
    pub first_bias: Bias,
    /// Its activation.
    pub first_activation: Activation,
    /// To the second hidden layer.
    pub second: Matrix,
    /// Its bias.
    pub second_bias: Bias,
    /// Its activation.
    pub second_activation: Activation,
    /// To the trunk.
    pub third: Matrix,
}

/// One step of the residual stream.
// A network has a few dozen; their weights are elsewhere.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Two convolutions.
    Ordinary(Ordinary),
    /// Two convolutions with a pooled side channel.
    GlobalPooling(GlobalPooling),
    /// A narrower stack of blocks between two 1×1 convolutions.
    NestedBottleneck(NestedBottleneck),
    /// Every point looks at every other.
    Attention(Attention),
    /// A small network applied to each point.
    FeedForward(FeedForward),
}

/// norm, activation, conv, norm, activation, conv; added to its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordinary {
    /// Its name.
    pub name: String,
    /// Before the first convolution.
    pub norm1: Norm,
    /// After that norm.
    pub activation1: Activation,
    /// The first convolution.
    pub conv1: Conv,
    /// Before the second convolution.
    pub norm2: Norm,
    /// After that norm.
    pub activation2: Activation,
    /// The second convolution.
    pub conv2: Conv,
}

/// An ordinary block whose middle gets a bias pooled from the whole board.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalPooling {
    /// Its name.
    pub name: String,
    /// Before the first convolutions.
    pub norm1: Norm,
    /// After that norm.
    pub activation1: Activation,
    /// The convolution that is not pooled.
    pub regular_conv: Conv,
    /// The convolution that is pooled.
    pub gpool_conv: Conv,
    /// Before pooling.
    pub gpool_norm: Norm,
    /// After that norm.
    pub gpool_activation: Activation,
    /// From the pooled values to a bias of the regular channels.
    pub gpool_to_bias: Matrix,
    /// Before the last convolution.
    pub norm2: Norm,
    /// After that norm.
    pub activation2: Activation,
    /// The last convolution.
    pub conv2: Conv,
}

/// 1×1 convolution down, inner blocks, 1×1 convolution up; added to its input.
#[derive(Debug, Clone, PartialEq)]
pub struct NestedBottleneck {
    /// Its name.
    pub name: String,
    /// Before the way down.
    pub pre_norm: Norm,
    /// After that norm.
    pub pre_activation: Activation,
    /// The way down.
    pub pre_conv: Conv,
    /// The inner blocks.
    pub blocks: Vec<Block>,
    /// Before the way up.
    pub post_norm: Norm,
    /// After that norm.
    pub post_activation: Activation,
    /// The way up.
    pub post_conv: Conv,
}

/// Softmax attention with rotary positions; added to its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    /// Its name.
    pub name: String,
    /// Query heads.
    pub heads: usize,
    /// Key and value heads; each serves `heads / kv_heads` query heads.
    pub kv_heads: usize,
    /// Width of a query and of a key.
    pub query_width: usize,
    /// Width of a value.
    pub value_width: usize,
    /// Before the projections.
    pub norm: PointNorm,
    /// To the queries.
    pub query: Matrix,
    /// To the keys.
    pub key: Matrix,
    /// To the values.
    pub value: Matrix,
    /// Back to the stream.
    pub output: Matrix,
    /// How queries and keys are turned by their place on the board.
    pub rotation: Option<Rotation>,
}

/// Rotary position encoding.
#[derive(Debug, Clone, PartialEq)]
pub enum Rotation {
    /// Half of the pairs turn with the row, half with the column, ever slower.
    Fixed {
        /// Its name.
        name: String,
        /// The base of the frequencies.
        theta: f32,
    },
    /// Each pair of each key head turns by `x·fx + y·fy`.
    Learned {
        /// Its name.
        name: String,
        /// Key heads.
        heads: usize,
        /// Pairs of a head.
        pairs: usize,
        /// `[head][pair][fx, fy]`.
        frequencies: Vec<f32>,
    },
}

/// `silu(x·linear1) ⊙ (x·gate)`, then `linear2`; added to its input.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedForward {
    /// Its name.
    pub name: String,
    /// Before the first layer.
    pub norm: PointNorm,
    /// To the hidden layer.
    pub linear1: Matrix,
    /// What multiplies the hidden layer, where there is a gate.
    pub gate: Option<Matrix>,
    /// Back to the stream.
    pub linear2: Matrix,
}

/// A convolution that keeps the size of the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Conv {
    /// Its name.
    pub name: String,
    /// Rows of the kernel, odd.
    pub height: usize,
    /// Columns of the kernel, odd.
    pub width: usize,
    /// Input channels.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// Points between two rows of the kernel.
    pub dilation_y: usize,
    /// Points between two columns of the kernel.
    pub dilation_x: usize,
    /// `[y][x][in][out]`.
    pub weights: Vec<f32>,
}

/// A linear map without bias.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Its name.
    pub name: String,
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// `[in][out]`.
    pub weights: Vec<f32>,
}

/// Numbers added to a vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Bias {
    /// Its name.
    pub name: String,
    /// One for each output.
    pub weights: Vec<f32>,
}

/// What scales the stream before an activation.
#[derive(Debug, Clone, PartialEq)]
pub enum Norm {
    /// A fixed scale and bias for each channel.
    Batch(BatchNorm),
    /// Divides by the root mean square.
    Rms(RmsNorm),
}

/// Batch norm, its statistics fixed by training.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchNorm {
    /// Its name.
    pub name: String,
    /// Added to the variance.
    pub epsilon: f32,
    /// The mean of each channel.
    pub mean: Vec<f32>,
    /// The variance of each channel.
    pub variance: Vec<f32>,
    /// The scale, 1 if the file has none.
    pub scale: Option<Vec<f32>>,
    /// The bias, 0 if the file has none.
    pub bias: Option<Vec<f32>>,
}

/// Root-mean-square norm of the trunk.
#[derive(Debug, Clone, PartialEq)]
pub struct RmsNorm {
    /// Its name.
    pub name: String,
    /// Added to the mean square.
    pub epsilon: f32,
    /// One mean over all points and channels; else one for each point.
    pub spatial: bool,
    /// The group size the file names, always 0 so far.
    pub channel_group: usize,
    /// The scale of each channel.
    pub gamma: Vec<f32>,
    /// The bias of each channel.
    pub beta: Vec<f32>,
}

/// Root-mean-square norm of each point, before attention and feed-forward layers.
#[derive(Debug, Clone, PartialEq)]
pub struct PointNorm {
    /// Its name.
    pub name: String,
    /// Added to the mean square.
    pub epsilon: f32,
    /// The scale of each channel.
    pub weight: Vec<f32>,
}

/// What follows a norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// x
    Identity,
    /// max(x, 0)
    Relu,
    /// x · tanh(ln(1 + eˣ))
    Mish,
    /// x / (1 + e⁻ˣ)
    Silu,
}

/// Where to play.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyHead {
    /// Its name.
    pub name: String,
    /// The convolution of the points.
    pub p1_conv: Conv,
    /// The convolution that is pooled.
    pub g1_conv: Conv,
    /// Before pooling.
    pub g1_norm: Norm,
    /// After that norm.
    pub g1_activation: Activation,
    /// From the pooled values to a bias of the points.
    pub gpool_to_bias: Matrix,
    /// After the bias.
    pub p1_norm: Norm,
    /// After that norm.
    pub p1_activation: Activation,
    /// To the policies: one channel, or the plain and the optimistic one, or four.
    pub p2_conv: Conv,
    /// From the pooled values to the pass.
    pub pass: PassHead,
}

/// The pass's value from the pooled values.
#[derive(Debug, Clone, PartialEq)]
pub enum PassHead {
    /// One matrix (below version 15).
    Linear(Matrix),
    /// matrix, bias, activation, matrix (from version 15).
    Layered {
        /// To the hidden layer.
        first: Matrix,
        /// Its bias.
        bias: Bias,
        /// Its activation.
        activation: Activation,
        /// To the pass.
        second: Matrix,
    },
}

/// Who wins, by how much, who owns what.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueHead {
    /// Its name.
    pub name: String,
    /// The convolution of the points.
    pub v1_conv: Conv,
    /// After it.
    pub v1_norm: Norm,
    /// After that norm.
    pub v1_activation: Activation,
    /// From the pooled values to the hidden layer.
    pub v2: Matrix,
    /// Its bias.
    pub v2_bias: Bias,
    /// Its activation.
    pub v2_activation: Activation,
    /// To win, loss, no result.
    pub v3: Matrix,
    /// Its bias.
    pub v3_bias: Bias,
    /// To the scores.
    pub sv3: Matrix,
    /// Its bias.
    pub sv3_bias: Bias,
    /// From the points to their owner.
    pub ownership_conv: Conv,
}

impl Model {
    /// Returns the number of channels of the policy head's output.
    pub fn policy_channels(&self) -> usize {
        self.policy.p2_conv.outputs
    }
}
