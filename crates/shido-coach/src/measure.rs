//! The measures of a good teaching game (HI24, §5.2 to §5.5; SF21, §5.2 and §7.4).
//!
//! Pure functions over moves that were judged by networks and analyses; the lab
//! collects, averages and draws intervals. A [`JudgedMove`] is one move with what the
//! judges said; [`Naturalness`] and [`Quality`] sum moves up, [`Closeness`] games.
//! How well results reflect the student's moves is the lab's own statistic; a game's
//! part in it is its [`badness`].

mod closeness;
mod judged;
mod naturalness;
mod quality;

pub use closeness::{CLOSE, Closeness, MIDDLE_GAME};
pub use judged::{IGNORED_ABOVE, JudgedMove, UNLIKELY_BELOW};
pub use naturalness::{Naturalness, arithmetic_mean, geometric_mean};
pub use quality::{BIG_LOSS, Quality, badness};
