//! What a partner asks of one search: another komi, wider looks, other priors, visits
//! of their own for some candidates.
//!
//! The play policies of (HI24) and (SF21) are made of such searches. The defaults ask
//! for nothing; [`crate::puct`] and [`crate::uct`] follow what they can.

use std::fmt;
use std::sync::Arc;

use shido_go::{Move, Position};

use crate::puct::{Budget, PriorWeights};

/// What is asked of one search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Steering {
    /// Points added to the komi while searching, as KataGo counts komi: a positive
    /// number lets the search believe that White stands better. Win rates are those of
    /// the searched komi; scores are reported by the true one.
    pub komi_offset: f32,
    /// The exploration coefficient of a search whose values are win rates, 0 to 1, instead
    /// of the search's own (SF21, §4.1).
    pub exploration: Option<f32>,
    /// How much wider the root is looked at than the policy says, instead of the search's
    /// own (KataGo's `wideRootNoise`).
    pub wide_noise: Option<f32>,
    /// Factors on the policy.
    pub weights: Option<Weights>,
    /// Candidates that alone are searched, each until it has its visits; any if empty.
    pub budgets: Vec<Budget>,
    /// Whether the search starts from an empty tree.
    pub anew: bool,
    /// Whether every simulation is made, though the best move may be certain before.
    pub exact: bool,
}

impl Steering {
    /// Names everything that is asked for.
    pub fn asked(&self) -> Vec<&'static str> {
        let fields = [
            (self.komi_offset != 0.0, "komiOffset"),
            (self.exploration.is_some(), "exploration"),
            (self.wide_noise.is_some(), "wideRootNoise"),
            (self.weights.is_some(), "priorWeights"),
            (!self.budgets.is_empty(), "budgets"),
            (self.anew, "anew"),
            (self.exact, "exact"),
        ];
        let asked = fields.into_iter().filter(|(asked, _)| *asked);
        asked.map(|(_, name)| name).collect()
    }

    /// Returns whether a tree grown under `other` may be used under these wishes.
    pub fn shares_trees_with(&self, other: &Steering) -> bool {
        self.komi_offset == other.komi_offset
            && self.exploration == other.exploration
            && self.wide_noise == other.wide_noise
            && self.weights == other.weights
    }
}

/// Factors on the policy; equal to itself and its clones alone.
#[derive(Clone)]
pub struct Weights(pub Arc<dyn PriorWeights>);

impl Weights {
    /// Returns the factor on a move of the player to move.
    pub fn weight(&self, position: &Position, mv: Move) -> f32 {
        self.0.weight(position, mv)
    }
}

impl PartialEq for Weights {
    fn eq(&self, other: &Weights) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_has_a_name() {
        assert!(Steering::default().asked().is_empty());
        let weights = Weights(Arc::new(|_: &Position, _| 1.0));
        let steering = Steering {
            komi_offset: -4.0,
            weights: Some(weights.clone()),
            anew: true,
            ..Steering::default()
        };
        assert_eq!(steering.asked(), ["komiOffset", "priorWeights", "anew"]);
        assert!(steering.shares_trees_with(&Steering {
            anew: false,
            ..steering.clone()
        }));
        assert!(!steering.shares_trees_with(&Steering {
            weights: Some(Weights(Arc::new(|_: &Position, _| 1.0))),
            ..steering.clone()
        }));
    }
}
