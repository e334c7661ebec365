//! Engines that are other programs, as child processes.

mod gtp_process;
mod pipes;

pub use gtp_process::{EngineFailure, GtpProcess, ProcessSettings};
