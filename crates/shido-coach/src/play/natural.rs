//! The default partner: halving with the smooth score (HI24, §4.2, P6).
//!
//! The paper plays the highest score. People do not play alike twice: with some
//! [`NaturalSettings::variety`] the move is drawn by its score from those that reached the
//! last round, so that a game is not the same again and bad moves come as they do to
//! people, at times.

use rand_xoshiro::rand_core::RngCore;
use serde::{Deserialize, Serialize};

use super::error::{SettingsError, within};
use super::halving;
use super::settings::PartnerSettings;
use super::step::{Step, View};
use super::why::Rule;

/// What the smooth score adds to the settings of halving.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NaturalSettings {
    /// How steeply the score falls with the error (`τ`, 2).
    pub steepness: f32,
    /// How freely a move is drawn: a score counts as its power of 1 / `variety`. With 0, the
    /// paper's way, the highest score is played.
    pub variety: f32,
}

impl Default for NaturalSettings {
    fn default() -> NaturalSettings {
        NaturalSettings {
            steepness: 2.0,
            variety: 0.0,
        }
    }
}

impl NaturalSettings {
    pub(super) fn check(self) -> Result<(), SettingsError> {
        within("tau (natural.steepness)", self.steepness, 0.0, 100.0)?;
        within("natural.variety", self.variety, 0.0, 10.0)
    }
}

/// Takes the next step of halving with the smooth score.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>, rng: &mut dyn RngCore) -> Step {
    let control = &settings.control;
    let NaturalSettings { steepness, variety } = settings.natural;
    halving::step_by(
        settings,
        view,
        &|natural, loss, target| control.smooth_score(natural, loss, target, steepness),
        &mut |turn| turn.play_drawn(Rule::NaturalScore, variety, rng),
    )
}
