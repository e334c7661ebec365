//! Analysts, outside engines and the GTP server.
//!
//! This crate joins the move model and the search into an [`Analyst`], owns the
//! clock, and speaks with the world over GTP.

mod analyst;
pub mod outside;

pub use analyst::{Analyst, Limits, StopFlag};
