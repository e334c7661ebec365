//! Move models from game records: reading games, training, measuring.
//!
//! [`games`] reads records, [`positions`] walks through them, [`mod@train`] makes a
//! [`shido_patterns::model::Model`], [`mod@evaluate`] says how well one predicts and
//! [`mod@balance`] moves one until playouts end as a network says.
//! Every tenth game is held out of training and kept for measuring (PD10, §3.1).

pub mod balance;
pub mod evaluate;
pub mod games;
pub mod positions;
#[cfg(test)]
mod tests;
pub mod train;

pub use balance::{BalanceError, BalanceProgress, Balancing, HeldOut, Teacher, balance};
pub use evaluate::{Evaluation, Measure, evaluate};
pub use games::{GamesError, HOLD_OUT, PlayedGame, read_games};
pub use train::{FeatureKind, Progress, TrainError, Training, train};
