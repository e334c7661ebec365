//! The plainest position control: the win rate nearest to one half (SF21, §5.2).
//!
//! It chooses among method A's candidates and does not ask how natural a move is;
//! it is what the others are compared with.

use super::gentle::{GentleSettings, candidates};
use super::settings::PartnerSettings;
use super::step::{Step, View};
use super::turn::Turn;
use super::why::{Rule, SetAside};

/// Searches once and plays the evenest move.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>) -> Step {
    let method_a = GentleSettings {
        near: false,
        ..settings.gentle
    };
    let (rows, floor) = match candidates(settings, &method_a, view) {
        Ok(found) => found,
        Err(ask) => return Step::Ask(ask),
    };
    let mut turn = Turn::new(view, settings, rows);
    turn.given(0.0, settings.handicap.allowance(view.position));
    turn.set_aside(SetAside::FewVisits, |row| (row.visits as f32) < floor);
    turn.score(|row| -(row.win_rate - 0.5).abs());
    turn.play_highest(Rule::NearestEven)
}
