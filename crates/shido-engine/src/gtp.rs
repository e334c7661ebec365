//! A GTP 2 engine on any analyst and any pair of streams.
//!
//! One command is one small function, listed in `table`; the functions are in
//! files by what they are about. [`GtpServer::run`] reads, looks the command up
//! and writes what it returns: nothing else reaches the output. Beside the
//! standard commands it speaks the extensions of Leela Zero, KataGo, KGS and
//! GoGui that programs around Go expect.

#![allow(
    clippy::unnecessary_wraps,
    reason = "the table wants all commands alike"
)]

mod administration;
mod analyze;
mod args;
mod gogui;
mod info_lines;
mod inputs;
mod moves;
mod network;
mod parameters;
mod partner;
mod records;
mod rules;
mod scoring;
mod server;
mod session;
mod setup;
mod stream;
mod table;
mod timing;

pub use server::GtpServer;
pub use session::GtpSettings;
