//! A partner put together from its settings.

use rand_xoshiro::rand_core::RngCore;

use super::error::SettingsError;
use super::kind::PartnerKind;
use super::settings::PartnerSettings;
use super::step::{Policy, Step, View};
use super::{human, strong};

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
        match settings.kind {
            PartnerKind::Human => human::step(settings, view, rng),
            _ => strong::step(settings, view),
        }
    }
}
