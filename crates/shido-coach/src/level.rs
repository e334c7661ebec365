//! Levels: the rank a partner plays at, 30k to 6d; ranks are KGS ranks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use shido_go::Rank;

/// A rank that a partner can play at, weaker before stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Level(Rank);

/// The text is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level: write 30k to 1k or 1d to 6d")]
pub struct ParseLevelError(pub String);

impl Level {
    /// The weakest level.
    pub const WEAKEST: Level = Level(Rank::Kyu(30));
    /// The strongest level.
    pub const STRONGEST: Level = Level(Rank::Dan(6));

    /// Returns the rank.
    pub fn rank(self) -> Rank {
        self.0
    }

    /// Returns the distance from 1d in ranks: 0 for 1d, −1 for 1k, −30 for 30k.
    pub fn steps(self) -> i32 {
        self.0.steps_from_1d()
    }

    /// Returns the level so many ranks above 1d, or the nearest there is.
    pub fn from_steps(steps: i32) -> Level {
        match steps {
            ..=-31 => Level::WEAKEST,
            -30..=-1 => Level(Rank::Kyu(steps.unsigned_abs() as u8)),
            0..=5 => Level(Rank::Dan(steps as u8 + 1)),
            _ => Level::STRONGEST,
        }
    }

    /// Returns the level nearest to a rank.
    pub fn nearest(rank: Rank) -> Level {
        Level::from_steps(rank.steps_from_1d())
    }

    /// Returns all levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> {
        (Level::WEAKEST.steps()..=Level::STRONGEST.steps()).map(Level::from_steps)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let rank: Option<Rank> = text.parse().ok();
        let level = rank
            .map(Level)
            .filter(|level| (Level::WEAKEST..=Level::STRONGEST).contains(level));
        level.ok_or_else(|| ParseLevelError(text.to_owned()))
    }
}

impl TryFrom<String> for Level {
    type Error = ParseLevelError;

    fn try_from(text: String) -> Result<Level, ParseLevelError> {
        text.parse()
    }
}

impl From<Level> for String {
    fn from(level: Level) -> String {
        level.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_written_alike() {
        assert_eq!(Level::all().count(), 36);
        assert!(Level::all().is_sorted());
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(Level::from_steps(level.steps()), level);
        }
        assert_eq!(Level::from_steps(-99), Level::WEAKEST);
        assert_eq!(Level::nearest(Rank::Pro(9)), Level::STRONGEST);
    }

    #[test]
    fn what_is_no_level_is_refused_with_the_levels() {
        for text in ["31k", "7d", "1p", "0k", "strong", ""] {
            let error = text.parse::<Level>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("`{text}` is not a level: write 30k to 1k or 1d to 6d")
            );
        }
    }
}
