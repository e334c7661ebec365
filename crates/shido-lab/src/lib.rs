//! Experiments and measurements.
//!
//! Start at [`bench`] for the speeds that `shido bench` prints.

pub mod bench;
