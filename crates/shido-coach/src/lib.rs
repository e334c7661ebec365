//! Teaching play: partners and their levels.
//!
//! Pure: no IO, clock, engine or network. A partner is a state machine that asks
//! for simulations and then plays ([`play::Policy`]); whoever has an engine drives
//! it. Equal answers and an equal seed give an equal move.
//!
//! Start with [`play::PartnerSettings`], then [`play::Policy`].

mod auto_level;
mod calibration;
mod level;
pub mod play;

pub use auto_level::{AutoLevel, AutoLevelRule, Outcome, StudentGame};
pub use calibration::{
    BOARDS, Calibrated, Calibration, CalibrationError, CalibrationRow, CalibrationTable, NetHashes,
    Provenance,
};
pub use level::{Level, ParseLevelError};
