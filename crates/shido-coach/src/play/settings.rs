//! Everything that can be set on a partner, by name too.
//!
//! The defaults are the papers' constants. A setting is changed by its dotted name
//! (`human.exponent`) or by the paper's letter (`rho`); what is out of range is
//! refused with what is allowed, and then nothing is changed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shido_go::Rank;

use super::error::{SettingsError, count_within};
use super::human::HumanSettings;
use super::kind::PartnerKind;
use super::ladder::LadderGuard;
use super::sanity::Sanity;

/// How a partner plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PartnerSettings {
    /// How it chooses.
    pub kind: PartnerKind,
    /// The rank of the people whose moves count as natural.
    pub rank: Rank,
    /// Simulations for a move (`N_sim`).
    pub simulations: u64,
    /// The draw of `human`.
    pub human: HumanSettings,
    /// Which ladders are answered.
    pub ladder: LadderGuard,
    /// What is never played.
    pub sanity: Sanity,
}

impl Default for PartnerSettings {
    fn default() -> PartnerSettings {
        PartnerSettings {
            kind: PartnerKind::default(),
            rank: Rank::Kyu(3),
            simulations: 1000,
            human: HumanSettings::default(),
            ladder: LadderGuard::default(),
            sanity: Sanity::default(),
        }
    }
}

/// The papers' letters and what they stand for.
const LETTERS: &[(&str, &str)] = &[("rho", "human.exponent"), ("partner", "kind")];

impl PartnerSettings {
    /// Returns a partner as the papers have it.
    pub fn new(kind: PartnerKind) -> PartnerSettings {
        PartnerSettings {
            kind,
            ..PartnerSettings::default()
        }
    }

    /// Says what cannot be played with.
    pub fn check(&self) -> Result<(), SettingsError> {
        count_within("simulations", self.simulations, 1, 10_000_000)?;
        self.human.check()?;
        self.ladder.check()?;
        self.sanity.check()
    }

    /// Returns every setting's dotted name and its value, in order.
    pub fn list(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        collect("", &self.to_value(), &mut found);
        found
    }

    /// Returns the value of a setting by its dotted name or its letter.
    pub fn get(&self, name: &str) -> Option<String> {
        let name = self.full_name(name);
        let found = self.list().into_iter().find(|it| it.0 == name);
        found.map(|it| it.1)
    }

    /// Changes a setting by its dotted name or its letter, or says what is allowed.
    ///
    /// ```
    /// use shido_coach::play::{PartnerKind, PartnerSettings};
    ///
    /// let mut settings = PartnerSettings::new(PartnerKind::Human);
    /// settings.set("rho", "3")?;
    /// assert_eq!(settings.human.exponent, 3.0);
    /// assert!(settings.set("rho", "-1").is_err());
    /// # Ok::<(), shido_coach::play::SettingsError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingsError> {
        let path = self.full_name(name);
        let unknown = || SettingsError::UnknownSetting {
            name: name.to_owned(),
            known: self.names().join(", "),
        };
        if path == "kind" {
            self.kind = value.parse()?;
            return Ok(());
        }
        let mut all = self.to_value();
        let pointer = format!("/{}", path.replace('.', "/"));
        let place = all.pointer_mut(&pointer).ok_or_else(unknown)?;
        let unreadable = |why: String| SettingsError::Unreadable {
            name: name.to_owned(),
            value: value.to_owned(),
            why,
        };
        *place = match place {
            Value::String(_) => Value::String(value.trim().to_owned()),
            _ => serde_json::from_str(value.trim()).map_err(|_| {
                let wanted = if place.is_boolean() {
                    "write true or false"
                } else {
                    "write a number"
                };
                unreadable(wanted.to_owned())
            })?,
        };
        let changed: PartnerSettings =
            serde_json::from_value(all).map_err(|error| unreadable(error.to_string()))?;
        changed.check()?;
        *self = changed;
        Ok(())
    }

    /// Returns the names that [`PartnerSettings::set`] knows, the letters first.
    pub fn names(&self) -> Vec<String> {
        let letters = LETTERS.iter().map(|it| it.0.to_owned());
        letters
            .chain(self.list().into_iter().map(|it| it.0))
            .collect()
    }

    fn full_name(&self, name: &str) -> String {
        let name = name.trim().to_ascii_lowercase().replace('_', "-");
        let letter = LETTERS.iter().find(|it| it.0 == name);
        letter.map_or(name, |it| it.1.to_owned())
    }

    fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("settings are plain data")
    }
}

/// Collects the leaves of a tree of settings.
fn collect(prefix: &str, value: &Value, into: &mut Vec<(String, String)>) {
    let Value::Object(fields) = value else {
        let text = value.as_str().map_or(value.to_string(), str::to_owned);
        into.push((prefix.to_owned(), text));
        return;
    };
    for (name, value) in fields {
        let name = match prefix {
            "" => name.clone(),
            _ => format!("{prefix}.{name}"),
        };
        collect(&name, value, into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_can_be_read_and_set_by_name() {
        let mut settings = PartnerSettings::default();
        for (name, value) in settings.list() {
            assert_eq!(settings.get(&name), Some(value.clone()), "{name}");
            if value != "null" {
                settings.set(&name, &value).unwrap();
            }
        }
        assert_eq!(settings, PartnerSettings::default());
    }

    #[track_caller]
    fn check_refused(name: &str, value: &str, expect: &str) {
        let mut settings = PartnerSettings::default();
        let error = settings.set(name, value).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
        assert_eq!(settings, PartnerSettings::default());
    }

    #[test]
    fn bad_settings_are_refused_with_the_allowed_values() {
        check_refused("rho", "-1", "allowed is 0 to 100");
        check_refused("rho", "much", "write a number");
        check_refused("rank", "31k", "30k to 1k, 1d to 9d");
        check_refused("kind", "sensei", "choose strong, human");
        check_refused("partner", "sensei", "choose strong, human");
        check_refused("temperature", "1", "there is no setting `temperature`");
        check_refused("ladder.enabled", "7", "bool");
    }
}
