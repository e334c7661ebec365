//! Engines that are other programs, as child processes.

mod child;
mod gtp_process;
mod pipes;

pub(crate) use child::{Fault, Running, end_with_group};
pub use gtp_process::{EngineFailure, GtpProcess, ProcessSettings};
