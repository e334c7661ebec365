//! MM: the strengths of individuals from the competitions of their teams.
//!
//! A competition is won by one of several teams; a team is as strong as the
//! product of its members' gammas and wins in proportion to its strength
//! (PD10, §2.1, Eq. 2), (FT20, App. B). For moves, a team is the features of
//! one legal move; for ratings, a team is one player. The gammas are found by
//! minorization-maximization (Coulom, ICGA Journal 30(4), 2007).
//!
//! Nothing here knows Go. Start reading at [`fit`]; [`Competitions`] is what
//! it reads and [`LogEvidence`] says how good its answer is.

mod builder;
mod competitions;
mod evidence;
mod fit;
mod information;
mod parallel;
mod synthetic;

pub use builder::{CompetitionsBuilder, FinishError};
pub use competitions::Competitions;
pub use evidence::{LogEvidence, mean_log_evidence, probability};
pub use fit::{Fit, FitError, Groups, Settings, Sweep, fit};
pub use information::{InformationError, standard_errors};
pub use synthetic::{Synthetic, synthetic};
