//! Engines that are other programs, as child processes.

mod child;
mod gtp_process;
mod pipes;

pub(crate) use child::{Fault, Running};
pub use gtp_process::{EngineFailure, GtpProcess, ProcessSettings};
