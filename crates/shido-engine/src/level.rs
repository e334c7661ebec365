//! The level a partner is told to play at: a rank, or the student's own.

use std::fmt;
use std::str::FromStr;

use shido_coach::Level;

/// The level until something is known of the student.
const FIRST: i32 = -12;

/// A level as users choose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelChoice {
    /// A rank.
    Fixed(Level),
    /// Whatever suits the student; this at present.
    Auto(Level),
}

/// The text is no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level: write 30k to 1k, 1d to 6d or auto")]
pub struct ParseLevelChoiceError(pub String);

impl LevelChoice {
    /// Returns the level to play at now.
    pub fn now(self) -> Level {
        match self {
            LevelChoice::Fixed(level) | LevelChoice::Auto(level) => level,
        }
    }
}

impl FromStr for LevelChoice {
    type Err = ParseLevelChoiceError;

    fn from_str(text: &str) -> Result<LevelChoice, ParseLevelChoiceError> {
        if text.trim().eq_ignore_ascii_case("auto") {
            return Ok(LevelChoice::Auto(Level::from_steps(FIRST)));
        }
        let level = text.parse().map(LevelChoice::Fixed);
        level.map_err(|_| ParseLevelChoiceError(text.to_owned()))
    }
}

impl fmt::Display for LevelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelChoice::Fixed(level) => level.fmt(f),
            LevelChoice::Auto(level) => write!(f, "auto {level}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_others_refused_with_the_allowed() {
        assert_eq!("8k".parse::<LevelChoice>().unwrap().to_string(), "8k");
        assert_eq!(
            "AUTO".parse::<LevelChoice>().unwrap().to_string(),
            "auto 12k"
        );
        for bad in ["31k", "7d", "strong", ""] {
            let error = bad.parse::<LevelChoice>().unwrap_err().to_string();
            assert!(error.contains("30k to 1k, 1d to 6d or auto"), "{error}");
        }
    }
}
