//! Teaching play: partners, their levels, and the measures of a good game.
//!
//! Pure: no IO, clock, engine or network. A partner is a state machine that asks
//! for simulations and then plays ([`play::Policy`]); whoever has an engine drives
//! it. Equal answers and an equal seed give an equal move.
//!
//! Start with [`play::PartnerSettings`], then [`play::Policy`].

mod level;
pub mod play;

pub use level::{Level, ParseLevelError};
