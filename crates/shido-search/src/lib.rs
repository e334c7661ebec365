//! Tree search over abstract evaluations, and the vocabulary of analysis.
//!
//! Search reads no clock and does no IO: it runs until a number of playouts is
//! reached or a flag is raised. Start with [`Analysis`], what a search reports.

mod analysis;
mod continuation;
mod evaluation;
mod perspective;
pub mod puct;
mod steering;
pub mod uct;

pub use analysis::{Analysis, Candidate};
pub use evaluation::Evaluation;
pub use perspective::{Flip, ForBlack, ForMover, Points, Utility, WinRate};
pub use steering::{Steering, Weights};
