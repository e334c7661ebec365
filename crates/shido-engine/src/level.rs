//! The level a partner is told to play at: a rank, or whatever suits the student.
//!
//! What a level means for a partner's settings has been measured, or is provisional,
//! for a pair of networks ([`Calibration`]).

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use shido_coach::play::PartnerKind;
use shido_coach::{AutoLevel, AutoLevelRule, Calibrated, Calibration, Level, NetHashes};
use shido_go::{Rank, Size};

use crate::Analyst;
use crate::human::HumanSource;

/// The level until something is known of the student: 12k.
const FIRST: i32 = -12;
/// What stands for a network where the move model answers.
const PATTERNS: &str = "patterns";

/// What has been measured, read once.
static MEASURED: LazyLock<Calibration> = LazyLock::new(Calibration::embedded);

/// A level as users choose it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LevelChoice {
    /// A rank.
    Fixed(Level),
    /// What is believed of the student.
    Auto(AutoLevel),
}

/// The text is no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level: write 30k to 1k, 1d to 6d or auto")]
pub struct ParseLevelChoiceError(pub String);

impl LevelChoice {
    /// Returns a level that follows a student, of whom the rank may be known.
    pub fn auto(student: Option<Rank>) -> LevelChoice {
        let start = student.map_or(Level::from_steps(FIRST), Level::nearest);
        LevelChoice::Auto(AutoLevel::new(start, &AutoLevelRule::default()))
    }

    /// Returns the level to play at now.
    pub fn now(self) -> Level {
        match self {
            LevelChoice::Fixed(level) => level,
            LevelChoice::Auto(auto) => auto.level(),
        }
    }
}

impl FromStr for LevelChoice {
    type Err = ParseLevelChoiceError;

    fn from_str(text: &str) -> Result<LevelChoice, ParseLevelChoiceError> {
        if text.trim().eq_ignore_ascii_case("auto") {
            return Ok(LevelChoice::auto(None));
        }
        let level = text.parse().map(LevelChoice::Fixed);
        level.map_err(|_| ParseLevelChoiceError(text.to_owned()))
    }
}

impl fmt::Display for LevelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelChoice::Fixed(level) => level.fmt(f),
            LevelChoice::Auto(auto) => write!(f, "auto, now {}", auto.level()),
        }
    }
}

/// Returns the settings of a partner at a level, played with these networks.
pub fn settings(
    kind: PartnerKind,
    level: Level,
    size: Size,
    analyst: &dyn Analyst,
    human: &HumanSource,
) -> Calibrated {
    let engine = analyst.network().map(|it| it.hash.as_str());
    let people = human.network().map(|it| it.hash.as_str());
    let nets = NetHashes {
        engine: engine.unwrap_or_else(|| analyst.name()),
        human: people.unwrap_or(PATTERNS),
    };
    MEASURED.settings(nets, kind, size, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_others_refused_with_the_allowed() {
        let text = |it: &str| it.parse::<LevelChoice>().map(|it| it.to_string());
        assert_eq!(text("8k").unwrap(), "8k");
        assert_eq!(text("AUTO").unwrap(), "auto, now 12k");
        assert_eq!(
            LevelChoice::auto(Some(Rank::Dan(8))).now(),
            Level::STRONGEST
        );
        for bad in ["31k", "7d", "strong", ""] {
            let error = text(bad).unwrap_err().to_string();
            assert!(error.contains("30k to 1k, 1d to 6d or auto"), "{error}");
        }
    }
}
