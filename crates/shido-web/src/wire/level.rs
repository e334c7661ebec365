//! The level that follows the student.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The automatic level and the games it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AutoLevelView {
    /// The level of the next game that is begun with `auto`.
    pub level: String,
    /// The games it follows, the latest first.
    pub games: Vec<LevelStep>,
}

/// A game that the automatic level followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LevelStep {
    /// The game's name in the API; it may be deleted by now.
    pub game: String,
    /// When it ended, in milliseconds since 1970.
    pub finished_ms: i64,
    /// The level it was played at.
    pub level: String,
    /// How it ended for the student.
    pub outcome: Outcome,
    /// The automatic level after it.
    pub after: String,
}

/// How a game ended for the student.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The student won.
    Won,
    /// The student lost.
    Lost,
    /// Nobody won.
    Drawn,
}
