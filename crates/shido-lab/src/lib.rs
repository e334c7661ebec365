//! Experiments and measurements.
//!
//! Start at [`spec`] for what an experiment is, [`bench`] for the speeds that
//! `shido bench` prints.

pub mod bench;
pub mod schedule;
pub mod spec;
pub mod stats;
