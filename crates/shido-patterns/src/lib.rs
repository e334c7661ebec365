//! placeholder

pub mod mm;
