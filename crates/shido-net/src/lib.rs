//! Networks in KataGo's file format: reading, inputs, forward pass.
//!
//! A [`Model`] is a file read; [`Inputs`] is a position as a network sees it; a
//! [`Forward`] turns inputs into [`Outputs`]. Nothing here searches, and nothing
//! here knows what a search wants.

mod forward;
mod inputs;
mod model;
mod outputs;

pub use forward::Forward;
pub use inputs::{GLOBALS, Inputs, META_CHANNELS, PLANES, Plane};
pub use model::{
    Activation, Attention, BatchNorm, Bias, Block, Conv, FeedForward, GlobalPooling, Matrix,
    MetaEncoder, Model, Multipliers, NestedBottleneck, Norm, Ordinary, PassHead, PointNorm,
    PolicyHead, RmsNorm, Rotation, Trunk, ValueHead,
};
pub use outputs::Outputs;
