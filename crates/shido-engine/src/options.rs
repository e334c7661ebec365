//! What a caller may ask of one search beyond when it ends.
//!
//! The names are those of KataGo's analysis protocol, which asks for all of
//! them. An analyst follows what it can and names the rest
//! ([`crate::Analyst::check_options`]); nothing is ignored in silence.

use std::collections::BTreeMap;

use shido_go::{Color, Move};
use shido_search::Steering;

/// How to search; the default asks for nothing in particular.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a wish of its own that the protocol names"
)]
pub struct SearchOptions {
    /// Moves that a side may not try near the root.
    pub avoid: Vec<Avoid>,
    /// Power that flattens (above 1) or sharpens the policy at the root.
    pub root_policy_temperature: Option<f32>,
    /// The most that first-play urgency takes off an untried move at the root.
    pub root_fpu_reduction_max: Option<f32>,
    /// Moves of an expected continuation, its first included.
    pub line_length: Option<usize>,
    /// Whether the visits along each continuation are wanted.
    pub line_visits: bool,
    /// Whether the chance of a game without result is wanted for each candidate.
    pub no_result: bool,
    /// Whether ownership after each candidate is wanted.
    pub moves_ownership: bool,
    /// Whether the deviation of the root's ownership is wanted.
    pub ownership_deviation: bool,
    /// Whether the deviation of ownership after each candidate is wanted.
    pub moves_ownership_deviation: bool,
    /// The engine's own settings by KataGo's names, for this search alone.
    pub settings: BTreeMap<String, String>,
    /// What a partner asks for; no protocol has words for it.
    pub steering: Steering,
}

/// Moves that one side may not try before a depth of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Avoid {
    /// Who may not.
    pub color: Color,
    /// What they may not play.
    pub moves: Vec<Move>,
    /// Moves from the root at which they may again; 1 forbids them at the root alone.
    pub until_depth: u32,
}

impl SearchOptions {
    /// Returns whether a move of `color` is forbidden `depth` moves from the root.
    pub fn avoids(&self, color: Color, mv: Move, depth: u32) -> bool {
        self.avoid
            .iter()
            .any(|it| it.color == color && depth < it.until_depth && it.moves.contains(&mv))
    }

    /// Names everything that is asked for, a setting by its own name.
    pub fn asked(&self) -> Vec<String> {
        let fields = [
            (!self.avoid.is_empty(), "avoidMoves"),
            (
                self.root_policy_temperature.is_some(),
                "rootPolicyTemperature",
            ),
            (self.root_fpu_reduction_max.is_some(), "rootFpuReductionMax"),
            (self.line_length.is_some(), "analysisPVLen"),
            (self.line_visits, "includePVVisits"),
            (self.no_result, "includeNoResultValue"),
            (self.moves_ownership, "includeMovesOwnership"),
            (self.ownership_deviation, "includeOwnershipStdev"),
            (self.moves_ownership_deviation, "includeMovesOwnershipStdev"),
        ];
        let fields = fields.iter().filter(|(asked, _)| *asked);
        let names = fields.map(|&(_, name)| name.to_owned());
        let steering = self.steering.asked().into_iter().map(str::to_owned);
        names
            .chain(steering)
            .chain(self.settings.keys().cloned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_has_a_name() {
        assert_eq!(SearchOptions::default().asked(), Vec::<String>::new());
        let options = SearchOptions {
            moves_ownership: true,
            settings: BTreeMap::from([("wideRootNoise".to_owned(), "0.04".to_owned())]),
            ..SearchOptions::default()
        };
        assert_eq!(options.asked(), ["includeMovesOwnership", "wideRootNoise"]);
    }

    #[test]
    fn a_move_is_avoided_by_its_color_above_a_depth() {
        let options = SearchOptions {
            avoid: vec![Avoid {
                color: Color::White,
                moves: vec![Move::Pass],
                until_depth: 2,
            }],
            ..SearchOptions::default()
        };
        let avoids = |color, depth| options.avoids(color, Move::Pass, depth);
        assert!(avoids(Color::White, 0) && avoids(Color::White, 1));
        assert!(!avoids(Color::White, 2) && !avoids(Color::Black, 0));
    }
}
