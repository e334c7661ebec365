//! Which move model says how natural a move is.

use serde::{Deserialize, Serialize};
use shido_go::Move;

use super::step::View;

/// A source of move probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveModel {
    /// The analyst's own, as in SF21, which had no other.
    #[default]
    Engine,
    /// That of people of the partner's rank.
    Human,
}

impl MoveModel {
    /// Returns whether it tells how likely a pass is.
    pub(super) fn knows_passes(self, view: &View<'_>) -> bool {
        match self {
            MoveModel::Engine => view.prior_knows_passes,
            MoveModel::Human => view.human_knows_passes,
        }
    }

    /// Returns how likely a move is.
    pub(super) fn probability(self, view: &View<'_>, mv: Move) -> f32 {
        match self {
            MoveModel::Engine => view.engine_prior(mv),
            MoveModel::Human => view.naturalness(mv),
        }
    }
}
