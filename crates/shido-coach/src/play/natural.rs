//! The default partner: halving with the smooth score (HI24, §4.2, P6).

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
}

impl Default for NaturalSettings {
    fn default() -> NaturalSettings {
        NaturalSettings { steepness: 2.0 }
    }
}

impl NaturalSettings {
    pub(super) fn check(self) -> Result<(), SettingsError> {
        within("tau (natural.steepness)", self.steepness, 0.0, 100.0)
    }
}

/// Takes the next step of halving with the smooth score.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>) -> Step {
    let control = &settings.control;
    let steepness = settings.natural.steepness;
    halving::step_by(
        settings,
        view,
        Rule::NaturalScore,
        &|natural, loss, target| control.smooth_score(natural, loss, target, steepness),
    )
}
