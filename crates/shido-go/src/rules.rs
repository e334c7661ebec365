//! Rule sets, named and built as KataGo names and builds them.
//!
//! A rule set is seven independent choices; the named sets are points in that
//! space. Komi is not part of it: it belongs to a game ([`crate::Position`]); texts that
//! name both are read as [`RulesAndKomi`].
//! Their texts (names, JSON, short form, SGF's names) are in the files below.

mod named;
mod text;

use serde::{Deserialize, Serialize};

pub use text::{RulesAndKomi, RulesError};

/// Which repetitions are forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Ko {
    /// A single stone may not be retaken at once.
    Simple,
    /// No earlier arrangement of stones may come back.
    Positional,
    /// No earlier arrangement with the same player to move may come back.
    Situational,
}

/// What counts at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// Which surrounded points do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Tax {
    /// All count.
    None,
    /// Eyes of chains in seki do not.
    Seki,
    /// Nor do those, nor two points of each living group.
    All,
}

/// What White gets for Black's handicap stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HandicapBonus {
    /// Nothing.
    #[serde(rename = "0")]
    Zero,
    /// One point a stone.
    #[serde(rename = "N")]
    Stones,
    /// One point a stone except the first.
    #[serde(rename = "N-1")]
    StonesLessOne,
}

/// A complete rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Which repetitions are forbidden.
    pub ko: Ko,
    /// What counts at the end.
    pub scoring: Scoring,
    /// Which surrounded points do not count.
    pub tax: Tax,
    /// Whether a move may kill the mover's own stones (never a single one).
    pub suicide: bool,
    /// Whether the first to pass gets half a point.
    pub button: bool,
    /// What White gets for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Whether players are expected to pass without clearing dead stones.
    pub friendly_pass: bool,
}

impl HandicapBonus {
    /// Returns White's points for this many handicap stones.
    pub const fn points(self, stones: usize) -> usize {
        match self {
            HandicapBonus::Zero => 0,
            HandicapBonus::Stones => stones,
            HandicapBonus::StonesLessOne => stones.saturating_sub(1),
        }
    }
}

impl Rules {
    /// Returns whether players agree on the end of a game: dead stones are taken off as
    /// they are, and neutral points may stay open.
    pub fn ends_by_agreement(&self) -> bool {
        self.scoring == Scoring::Territory || self.friendly_pass
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CHINESE
    }
}
