//! A draw by visits: weaker or stronger by one exponent (HI24, §5.1, P3).
//!
//! A move is drawn with weight `n^z`, those with few visits left out. The exponent
//! may be negative: then the moves that were looked at less are preferred.

use rand_xoshiro::rand_core::RngCore;
use serde::{Deserialize, Serialize};

use super::error::{SettingsError, within};
use super::random::draw;
use super::search::{MOST_NOISE, whole_search};
use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::turn::Turn;
use super::why::{Rule, SetAside};

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SoftmaxSettings {
    /// Power on the visits (`z`); may be negative.
    pub exponent: f32,
    /// Share of the most visits below which a move is left out (`R_th`, 0.1).
    pub min_share: f32,
    /// Points that the search gives the partner (`k`, 4).
    pub optimistic_komi: f32,
    /// How much wider the root is looked at than the policy says (0.04, KataGo's own where it
    /// analyzes; the paper does not tell).
    pub wide_noise: f32,
}

impl Default for SoftmaxSettings {
    fn default() -> SoftmaxSettings {
        SoftmaxSettings {
            exponent: -0.5,
            min_share: 0.1,
            optimistic_komi: 4.0,
            wide_noise: 0.04,
        }
    }
}

impl SoftmaxSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("z (softmax.exponent)", self.exponent, -20.0, 20.0)?;
        within("softmax.min-share", self.min_share, 0.0, 1.0)?;
        within(
            "softmax.optimistic-komi",
            self.optimistic_komi,
            -100.0,
            100.0,
        )?;
        within("softmax.wide-noise", self.wide_noise, 0.0, MOST_NOISE)
    }
}

/// Searches once, then draws.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>, rng: &mut dyn RngCore) -> Step {
    let softmax = &settings.softmax;
    let allowance = settings.handicap.allowance(view.position);
    let ask = Ask {
        wide_noise: Some(softmax.wide_noise),
        ..Ask::plain(Work::Whole(settings.simulations))
            .with_komi_offset(softmax.optimistic_komi + allowance)
    };
    let rows = match whole_search(settings, view, ask) {
        Ok(rows) => rows,
        Err(ask) => return Step::Ask(ask),
    };
    let mut turn = Turn::new(view, settings, rows);
    let most = turn.most_visits() as f32;
    turn.given(softmax.optimistic_komi, allowance);
    turn.set_aside(SetAside::FewVisits, |row| {
        (row.visits as f32) < most * softmax.min_share
    });
    // Relative to the most visits: the same weights, and no overflow.
    let weight = |visits: u64| (visits as f64 / f64::from(most)).powf(softmax.exponent.into());
    turn.score(|row| weight(row.visits) as f32);
    let open: Vec<_> = turn.open().map(|it| it.row).collect();
    let weights: Vec<f64> = open.iter().map(|row| weight(row.visits)).collect();
    match draw(rng, &weights) {
        Some(at) => turn.play(open[at].mv, Rule::VisitsDraw),
        None => turn.play_last_resort(),
    }
}
