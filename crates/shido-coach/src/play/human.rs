//! A draw from the human move model: play as people of a rank do (HI24, §5.1, P2).
//!
//! A move is drawn with weight `p′^ρ`. The paper's player does not search at all;
//! ours looks briefly, so that it neither plays inside settled territory nor passes
//! early, and so that its record can tell what the move costs.

use rand_xoshiro::rand_core::RngCore;
use serde::{Deserialize, Serialize};
use shido_go::Move;

use super::error::{SettingsError, count_within, within};
use super::random::draw;
use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::table::{Row, rows};
use super::turn::Turn;
use super::why::Rule;

/// How to imitate people.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HumanSettings {
    /// Power on the probability (`ρ`): above 1 the usual moves, below 1 more variety.
    pub exponent: f32,
    /// Simulations of the brief look; 0 for none, as in the paper.
    pub look: u64,
}

impl Default for HumanSettings {
    fn default() -> HumanSettings {
        HumanSettings {
            exponent: 1.0,
            look: 32,
        }
    }
}

impl HumanSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("rho (human.exponent)", self.exponent, 0.0, 100.0)?;
        count_within("human.look", self.look, 0, 1_000_000)
    }
}

/// Looks, then draws.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>, rng: &mut dyn RngCore) -> Step {
    let look = settings.human.look;
    if look > 0 && view.answers.is_empty() {
        return Step::Ask(Ask::plain(Work::Whole(look)));
    }
    let exponent = f64::from(settings.human.exponent);
    let mut turn = Turn::new(view, settings, all_rows(view));
    turn.score(|row| f64::from(row.naturalness).powf(exponent) as f32);
    let open: Vec<_> = turn.open().map(|it| it.row).collect();
    let weight = |row: &Row| match row.naturalness {
        0.0 => 0.0,
        it => f64::from(it).powf(exponent),
    };
    let weights: Vec<f64> = open.iter().map(weight).collect();
    match draw(rng, &weights) {
        Some(at) => turn.play(open[at].mv, Rule::HumanDraw),
        // Nothing that people play is left: the analyst's moves, then any sane one.
        None => turn.play_highest(Rule::OnlyMove),
    }
}

/// Returns every legal move, those searched with their numbers.
fn all_rows(view: &View<'_>) -> Vec<Row> {
    let searched = rows(view);
    let row = |mv: Move| {
        let known = searched.iter().find(|it| it.mv == mv).copied();
        known.unwrap_or_else(|| Row::unsearched(view, mv))
    };
    let searched_order = searched.iter().map(|it| it.mv);
    let others = view
        .position
        .legal_moves()
        .filter(|mv| !searched.iter().any(|it| it.mv == *mv));
    searched_order.chain(others).map(row).collect()
}
