//! What experiments are judged by: intervals, tests, ratings and the papers' measures.
//!
//! Every function is pure: records of numbers in, an [`Estimate`] out, with the
//! number of observations and a 95 % interval, never a bare number. What is
//! measured per move is resampled per game, because the moves of one game are
//! not independent. No engine, board or file is known here.
//!
//! Where to look: win rates in [`wilson`], anything averaged in [`bootstrap`],
//! early stopping in [`sprt`], strengths in [`ratings`], settings in [`logistic`]; (HI24, §5) in
//! [`naturalness`], [`quality`], [`mcc`] and [`closeness`]; (SF21, §6) in
//! [`center`]; (FT20, §6.1) in [`fmeasure`]; (PD10, §2.3) in
//! [`shido_patterns::mm::LogEvidence`].

pub mod bootstrap;
pub mod center;
pub mod closeness;
pub mod estimate;
pub mod fmeasure;
pub mod logistic;
pub mod mcc;
pub mod naturalness;
pub mod quality;
pub mod ratings;
pub mod record;
pub mod sprt;
pub mod wilson;

pub use estimate::Estimate;
pub use record::MoveRecord;
