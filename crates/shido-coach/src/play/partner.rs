//! A partner put together from its settings.

use rand_xoshiro::rand_core::RngCore;

use super::endgame::Handover;
use super::error::SettingsError;
use super::kind::PartnerKind;
use super::settings::PartnerSettings;
use super::step::{Policy, Step, View};
use super::{endgame, gentle, halving, human, naive, natural, roles, softmax, strong};

/// The policy that settings describe.
#[derive(Debug, Clone, PartialEq)]
pub struct PartnerPolicy {
    settings: PartnerSettings,
}

impl PartnerPolicy {
    /// Returns the partner, or says which setting it cannot play with.
    pub fn new(settings: PartnerSettings) -> Result<PartnerPolicy, SettingsError> {
        settings.check()?;
        Ok(PartnerPolicy { settings })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &PartnerSettings {
        &self.settings
    }
}

impl Policy for PartnerPolicy {
    fn step(&self, view: &View<'_>, rng: &mut dyn RngCore) -> Step {
        let settings = &self.settings;
        let view = match endgame::step(settings, view) {
            Handover::Step(step) => return step,
            Handover::Back(answers) => &view.skip(answers),
        };
        match settings.kind {
            PartnerKind::Strong => strong::step(settings, view),
            PartnerKind::Human => human::step(settings, view, rng),
            PartnerKind::Softmax => softmax::step(settings, view, rng),
            PartnerKind::Roles => roles::step(settings, view),
            PartnerKind::Halving => halving::step(settings, view),
            PartnerKind::Natural => natural::step(settings, view, rng),
            PartnerKind::Naive => naive::step(settings, view),
            PartnerKind::Gentle => gentle::step(settings, &settings.gentle, view),
            PartnerKind::GentleA => gentle::step(settings, &settings.gentle_a, view),
        }
    }
}
