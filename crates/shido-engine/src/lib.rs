//! Analysts, outside engines and the GTP server.
//!
//! This crate joins the move model and the search into an [`Analyst`], owns the
//! clock, and speaks with the world over GTP. Start with [`Analyst`], then
//! [`player`], then [`outside`].

mod analyst;
mod classic;
pub mod decide;
pub mod gtp;
pub mod human;
pub mod json;
pub mod katago;
pub mod level;
pub mod native;
pub mod nets;
mod options;
pub mod outside;
pub mod parameters;
pub mod partner;
pub mod player;
pub mod settle;
pub mod time;

pub use analyst::{Analyst, Limits, StopFlag};
pub use classic::Classic;
pub use native::{Native, NativeSettings, Network};
pub use options::{Avoid, SearchOptions};
pub use partner::{Partner, PartnerMove};
