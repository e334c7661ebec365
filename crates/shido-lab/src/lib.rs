//! Experiments and measurements.
//!
//! Start at [`spec`] for what an experiment is, [`schedule`], [`runner`] and
//! [`ledger`] for how it is played and kept, [`stats`] and [`report`] for what it
//! showed, [`mod@bench`] for the speeds that `shido bench` prints.

pub mod bench;
mod classic;
pub mod dataset;
mod in_parallel;
pub mod ledger;
pub mod line;
pub mod merge;
mod native;
pub mod net_evaluate;
mod opening;
mod partner;
pub mod partner_evaluate;
pub mod patterns;
mod play;
pub mod players;
pub mod provenance;
mod records;
mod referee;
pub mod report;
pub mod review;
pub mod runner;
pub mod schedule;
mod sgf_file;
pub mod spec;
pub mod stats;

pub use classic::ClassicError;
pub use native::{NativeError, open_evaluated};
pub use opening::OpeningError;
pub use partner::PartnerError;
pub use records::RecordError;
