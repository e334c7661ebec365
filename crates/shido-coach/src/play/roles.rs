//! Two roles over one search: a strong engine tells losses, people tell
//! naturalness (HI24, Alg. 1).

use serde::{Deserialize, Serialize};
use shido_search::{ForMover, Points};

use super::error::{SettingsError, within};
use super::search::{MOST_NOISE, floor_of, whole_search};
use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::table::Row;
use super::turn::Turn;
use super::why::{Rule, SetAside};

/// How the roles are joined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RolesSettings {
    /// Discount per point of error (`γ`, 0.4).
    pub discount: f32,
    /// Visits, of 1,000, below which a move's numbers are not trusted (10).
    pub min_visits: f32,
    /// Points that the search gives the partner (`k`, 4), so that a move which just
    /// loses is still looked at.
    pub optimistic_komi: f32,
    /// How much wider the root is looked at than the policy says (0.04, KataGo's own where it
    /// analyzes; the paper does not tell).
    pub wide_noise: f32,
}

/// The simulations that [`RolesSettings::min_visits`] are out of.
const OF_SIMULATIONS: f32 = 1000.0;

impl Default for RolesSettings {
    fn default() -> RolesSettings {
        RolesSettings {
            discount: 0.4,
            min_visits: 10.0,
            optimistic_komi: 4.0,
            wide_noise: 0.04,
        }
    }
}

impl RolesSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("gamma (roles.discount)", self.discount, 0.0, 1.0)?;
        within("roles.min-visits", self.min_visits, 0.0, OF_SIMULATIONS)?;
        within("roles.optimistic-komi", self.optimistic_komi, -100.0, 100.0)?;
        within("roles.wide-noise", self.wide_noise, 0.0, MOST_NOISE)
    }
}

/// Searches once and plays the highest score.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>) -> Step {
    let roles = &settings.roles;
    let allowance = settings.handicap.allowance(view.position);
    let ask = Ask {
        wide_noise: Some(roles.wide_noise),
        ..Ask::plain(Work::Whole(settings.simulations))
            .with_komi_offset(roles.optimistic_komi + allowance)
    };
    let rows = match whole_search(settings, view, ask) {
        Ok(rows) => rows,
        Err(ask) => return Step::Ask(ask),
    };
    let floor = floor_of(roles.min_visits, OF_SIMULATIONS, settings.simulations, view);
    let mut turn = Turn::new(view, settings, rows);
    turn.given(roles.optimistic_komi, allowance);
    let reliable = |it: &&Row| it.visits as f32 > floor;
    let Some(best) = turn.best_of(reliable).or(turn.best) else {
        return turn.play_last_resort();
    };
    turn.best = Some(best);
    // The lead is taken as the search saw it, the optimistic komi included.
    let target = turn.aim(settings, ForMover(Points(best)));
    let control = &settings.control;
    turn.set_aside(SetAside::FewVisits, |row| (row.visits as f32) < floor);
    turn.set_aside(SetAside::LosesTooMuch, |row| {
        best - row.lead > control.max_loss
    });
    turn.score(|row| control.sharp_score(row.naturalness, best - row.lead, target, roles.discount));
    turn.play_highest(Rule::RolesScore)
}
