//! Rule sets, named and built as KataGo names and builds them.
//!
//! A rule set is six independent choices; the named sets are points in that
//! space. Komi is not part of it: it belongs to a game ([`crate::Position`]).

/// Which repetitions are forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ko {
    /// A single stone may not be retaken at once.
    Simple,
    /// No earlier arrangement of stones may come back.
    Positional,
    /// No earlier arrangement with the same player to move may come back.
    Situational,
}

/// What counts at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
}

/// Which surrounded points do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tax {
    /// All count.
    None,
    /// Eyes of chains in seki do not.
    Seki,
    /// Neither do two points for each living group.
    All,
}

/// What White gets for Black's handicap stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandicapBonus {
    /// Nothing.
    Zero,
    /// One point a stone.
    Stones,
    /// One point a stone except the first.
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

impl Rules {
    /// Logical rules with positional superko and area scoring.
    pub const TROMP_TAYLOR: Rules = Rules {
        ko: Ko::Positional,
        scoring: Scoring::Area,
        tax: Tax::None,
        suicide: true,
        button: false,
        handicap_bonus: HandicapBonus::Zero,
        friendly_pass: false,
    };
    /// Chinese rules as played, with simple ko.
    pub const CHINESE: Rules = Rules {
        ko: Ko::Simple,
        suicide: false,
        handicap_bonus: HandicapBonus::Stones,
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
    /// Japanese (and Korean) rules: territory, seki eyes do not count.
    pub const JAPANESE: Rules = Rules {
        ko: Ko::Simple,
        scoring: Scoring::Territory,
        tax: Tax::Seki,
        suicide: false,
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::CHINESE
    }
}
