//! Experiments and measurements.
//!
//! Start at [`spec`] for what an experiment is, [`schedule`] and [`ledger`] for how
//! it is played and kept, [`stats`] for how it is measured, [`bench`] for the
//! speeds that `shido bench` prints.

pub mod bench;
pub mod ledger;
pub mod line;
pub mod provenance;
pub mod schedule;
pub mod spec;
pub mod stats;
