//! Networks in KataGo's file format: reading, inputs, forward pass.
//!
//! A [`Model`] is a file read; [`Inputs`] is a position as a network sees it; a
//! [`Forward`] turns inputs into [`Outputs`]. Nothing here searches, and nothing
//! here knows what a search wants.

mod fast;
mod forward;
mod inputs;
mod judgment;
mod meta;
mod model;
mod outputs;
mod reference;
pub mod shapes;
pub mod tiny;

pub use fast::{CpuChoice, CpuError, CpuPath, Engine};
pub use forward::Forward;
pub use inputs::{Encoder, GLOBALS, InputKey, InputSettings, Inputs, META_CHANNELS, PLANES, Plane};
pub use judgment::{Judge, Judgment, Question};
pub use meta::{Profile, ProfileError};
pub use model::{
    Activation, Attention, BatchNorm, Bias, Block, Conv, FeedForward, GlobalPooling, Matrix,
    MetaEncoder, Model, ModelError, Multipliers, NEWEST, NestedBottleneck, Norm, OLDEST, Ordinary,
    PassHead, PointNorm, PolicyHead, Problem, RmsNorm, Rotation, Trunk, ValueHead,
};
pub use outputs::Outputs;
pub use reference::Reference;
