//! placeholder

pub mod feature_set;
pub mod large;
pub mod mm;
pub mod pd10;
pub mod shape;
pub mod tactics;
pub mod playout;
pub mod policy;
