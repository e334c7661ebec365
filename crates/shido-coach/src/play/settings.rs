//! Everything that can be set on a partner, by name too.
//!
//! The defaults are the papers' constants. A setting is changed by its dotted name
//! (`human.exponent`) or by the paper's letter (`rho`); what is out of range is
//! refused with what is allowed, and then nothing is changed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shido_go::Rank;

use super::advantage::AdvantageControl;
use super::endgame::EndgameSettings;
use super::error::{SettingsError, count_within};
use super::gentle::GentleSettings;
use super::halving::HalvingSettings;
use super::handicap::HandicapEase;
use super::human::HumanSettings;
use super::kind::PartnerKind;
use super::ladder::LadderGuard;
use super::natural::NaturalSettings;
use super::opening::OpeningEase;
use super::resign::ResignRule;
use super::roles::RolesSettings;
use super::sanity::Sanity;
use super::softmax::SoftmaxSettings;

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
    /// The draw of `softmax`.
    pub softmax: SoftmaxSettings,
    /// What `roles`, `halving` and `natural` aim for.
    pub control: AdvantageControl,
    /// The search and score of `roles`.
    pub roles: RolesSettings,
    /// The rounds of `halving` and `natural`, and the score of `halving`.
    pub halving: HalvingSettings,
    /// The score of `natural`.
    pub natural: NaturalSettings,
    /// Position control of `gentle`, and the search of `naive`.
    pub gentle: GentleSettings,
    /// Position control of `gentle-a`.
    pub gentle_a: GentleSettings,
    /// Endgame control, if it shall take over.
    pub endgame: Option<EndgameSettings>,
    /// How control sets in.
    pub opening: OpeningEase,
    /// How White makes up for a handicap.
    pub handicap: HandicapEase,
    /// When to resign; followed by whoever drives the partner.
    pub resign: ResignRule,
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
            softmax: SoftmaxSettings::default(),
            control: AdvantageControl::default(),
            roles: RolesSettings::default(),
            halving: HalvingSettings::default(),
            natural: NaturalSettings::default(),
            gentle: GentleSettings::default(),
            gentle_a: GentleSettings::method_a(),
            endgame: None,
            opening: OpeningEase::default(),
            handicap: HandicapEase::default(),
            resign: ResignRule::default(),
            ladder: LadderGuard::default(),
            sanity: Sanity::default(),
        }
    }
}

/// The papers' letters and what they stand for, whichever the partner.
const LETTERS: &[(&str, &str)] = &[
    ("partner", "kind"),
    ("rho", "human.exponent"),
    ("z", "softmax.exponent"),
    ("beta", "control.even-loss"),
    ("epsilon", "control.floor"),
    ("tau", "natural.steepness"),
];

impl PartnerSettings {
    /// Returns a partner as the papers have it; its strength is that of 3k, where it
    /// can be set.
    pub fn new(kind: PartnerKind) -> PartnerSettings {
        let mut settings = PartnerSettings {
            kind,
            ..PartnerSettings::default()
        };
        settings.control.even_loss = even_loss_of(kind);
        settings
    }

    /// Returns when this partner resigns.
    pub fn resign_rule(&self) -> ResignRule {
        if self.kind.controls_advantage() {
            self.resign.after_giving(self.control.lead_range)
        } else {
            self.resign
        }
    }

    /// Says what cannot be played with.
    pub fn check(&self) -> Result<(), SettingsError> {
        count_within("simulations", self.simulations, 1, 10_000_000)?;
        self.human.check()?;
        self.softmax.check()?;
        self.control.check()?;
        self.roles.check()?;
        self.halving.check()?;
        self.natural.check()?;
        self.gentle.check()?;
        self.gentle_a.check()?;
        self.endgame.map_or(Ok(()), |it| it.check())?;
        self.opening.check()?;
        self.handicap.check()?;
        self.resign.check()?;
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
        if name == "endgame" {
            return Some(on_off(self.endgame.is_some()).to_owned());
        }
        // What is switched off has the values that it would be switched on with.
        let found = self.in_full().list().into_iter().find(|it| it.0 == name);
        found.map(|it| it.1)
    }

    fn in_full(&self) -> PartnerSettings {
        PartnerSettings {
            endgame: Some(self.endgame.unwrap_or_default()),
            ..self.clone()
        }
    }

    /// Changes a setting by its dotted name or its letter, or says what is allowed.
    ///
    /// `endgame` takes `on` or `off`; naming one of its settings turns it on.
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
        self.set_all([(name, value)])
    }

    /// Changes several settings; what they allow of each other is checked when all are there.
    pub fn set_all<'a>(
        &mut self,
        changes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), SettingsError> {
        let mut changed = self.clone();
        for (name, value) in changes {
            changed.change(name, value.trim())?;
        }
        changed.check()?;
        *self = changed;
        Ok(())
    }

    /// Changes a setting and does not check it.
    fn change(&mut self, name: &str, value: &str) -> Result<(), SettingsError> {
        let path = self.full_name(name);
        match path.as_str() {
            "kind" => self.change_kind(value.parse()?),
            "endgame" => {
                let on = read_on_off(name, value)?;
                self.endgame = on.then(|| self.endgame.unwrap_or_default());
            }
            _ => {
                if path.starts_with("endgame.") {
                    self.endgame.get_or_insert_default();
                }
                *self = self.with_leaf(name, &path, value)?;
            }
        }
        Ok(())
    }

    /// Returns the names that [`PartnerSettings::set`] knows, the letters first.
    pub fn names(&self) -> Vec<String> {
        let letters = LETTERS.iter().map(|it| it.0).chain(["alpha", "gamma", "c"]);
        let names = self.in_full().list().into_iter().map(|it| it.0);
        letters
            .chain(["endgame"])
            .map(str::to_owned)
            .chain(names)
            .collect()
    }

    /// Changes the kind; a strength that was the old one's default becomes the new one's.
    fn change_kind(&mut self, kind: PartnerKind) {
        if self.control.even_loss == even_loss_of(self.kind) {
            self.control.even_loss = even_loss_of(kind);
        }
        self.kind = kind;
    }

    /// Returns the settings with one number, switch or word changed.
    fn with_leaf(
        &self,
        name: &str,
        path: &str,
        value: &str,
    ) -> Result<PartnerSettings, SettingsError> {
        let mut all = self.to_value();
        let pointer = format!("/{}", path.replace('.', "/"));
        let place = all.pointer_mut(&pointer).filter(|it| !it.is_object());
        let place = place.ok_or_else(|| SettingsError::UnknownSetting {
            name: name.to_owned(),
            known: self.names().join(", "),
        })?;
        let unreadable = |why: String| SettingsError::Unreadable {
            name: name.to_owned(),
            value: value.to_owned(),
            why,
        };
        *place = match place {
            Value::String(_) => Value::String(value.to_owned()),
            Value::Bool(_) => Value::Bool(read_on_off(name, value)?),
            _ => {
                let wanted = match place {
                    Value::Array(_) => "write a list like [1, 2.5]",
                    _ => "write a number",
                };
                let read: Value =
                    serde_json::from_str(value).map_err(|_| unreadable(wanted.to_owned()))?;
                if place.is_u64() && read.is_number() && !read.is_u64() {
                    return Err(unreadable("write a whole number, 0 or more".to_owned()));
                }
                read
            }
        };
        serde_json::from_value(all).map_err(|error| unreadable(error.to_string()))
    }

    /// Returns the dotted name that a letter stands for with this partner; any other name as it is.
    pub fn full_name(&self, name: &str) -> String {
        let name = name.trim().to_ascii_lowercase().replace('_', "-");
        let gentle = match self.kind {
            PartnerKind::GentleA => "gentle-a",
            _ => "gentle",
        };
        let is_gentle = matches!(self.kind, PartnerKind::Gentle | PartnerKind::GentleA);
        match name.as_str() {
            "c" => format!("{gentle}.gentleness"),
            "alpha" if is_gentle => format!("{gentle}.natural-worth"),
            "alpha" => "control.lead-range".to_owned(),
            "gamma" if self.kind == PartnerKind::Roles => "roles.discount".to_owned(),
            "gamma" if is_gentle => "endgame.discount".to_owned(),
            "gamma" => "halving.discount".to_owned(),
            _ => {
                let letter = LETTERS.iter().find(|it| it.0 == name);
                letter.map_or(name, |it| it.1.to_owned())
            }
        }
    }

    fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("settings are plain data")
    }
}

/// Returns the target loss for 3k (HI24, Table 2).
fn even_loss_of(kind: PartnerKind) -> f32 {
    match kind {
        PartnerKind::Roles => 3.0,
        PartnerKind::Halving => 2.95,
        _ => 3.2,
    }
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn read_on_off(name: &str, value: &str) -> Result<bool, SettingsError> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(SettingsError::Unreadable {
            name: name.to_owned(),
            value: value.to_owned(),
            why: "write on or off".to_owned(),
        }),
    }
}

/// Collects the leaves of a tree of settings.
fn collect(prefix: &str, value: &Value, into: &mut Vec<(String, String)>) {
    let Value::Object(fields) = value else {
        into.push((prefix.to_owned(), leaf(value)));
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

/// Writes a value as a person would, and as it is read back.
fn leaf(value: &Value) -> String {
    match value {
        Value::Null => on_off(false).to_owned(),
        Value::Bool(on) => on_off(*on).to_owned(),
        Value::String(text) => text.clone(),
        // Settings are single precision; more digits would be noise.
        Value::Number(number) => match number.as_f64() {
            Some(it) if number.is_f64() => (it as f32).to_string(),
            _ => number.to_string(),
        },
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(leaf).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_controls_the_advantage_does_not_resign_within_its_range() {
        let behind = |kind| {
            let mut settings = PartnerSettings::new(kind);
            settings.control.lead_range = 80.0;
            settings.resign_rule().behind
        };
        assert_eq!(behind(PartnerKind::Natural), 80.0);
        assert_eq!(behind(PartnerKind::Roles), 80.0);
        assert_eq!(behind(PartnerKind::Human), ResignRule::default().behind);
        assert_eq!(behind(PartnerKind::Gentle), ResignRule::default().behind);
    }

    #[test]
    fn a_count_is_a_whole_number() {
        let mut settings = PartnerSettings::default();
        for value in ["-1", "1.5"] {
            let error = settings.set("simulations", value).unwrap_err().to_string();
            assert!(
                error.ends_with("write a whole number, 0 or more"),
                "{error}"
            );
        }
        settings.set("simulations", "60").unwrap();
        assert_eq!(settings.simulations, 60);
    }

    #[test]
    fn every_setting_can_be_read_and_set_by_name() {
        let full = PartnerSettings {
            endgame: Some(EndgameSettings::default()),
            ..PartnerSettings::default()
        };
        for start in [PartnerSettings::default(), full.clone()] {
            let mut settings = start.clone();
            assert!(settings.list().len() > 50);
            for (name, value) in settings.list() {
                assert_eq!(settings.get(&name), Some(value.clone()), "{name}");
                settings.set(&name, &value).unwrap();
            }
            assert_eq!(settings, start);
            for name in start.names() {
                assert!(full.get(&name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn letters_mean_what_the_partner_makes_of_them() {
        let mut settings = PartnerSettings::new(PartnerKind::GentleA);
        settings.set("alpha", "0.1").unwrap();
        settings.set("c", "3.5").unwrap();
        assert_eq!(settings.gentle_a.natural_worth, 0.1);
        assert_eq!(settings.gentle_a.gentleness, 3.5);
        settings.set("partner", "roles").unwrap();
        settings.set("alpha", "20").unwrap();
        settings.set("gamma", "0.5").unwrap();
        assert_eq!(settings.control.lead_range, 20.0);
        assert_eq!(settings.roles.discount, 0.5);
        assert_eq!(settings.get("beta").as_deref(), Some("3"));
        settings.set("beta", "6").unwrap();
        settings.set("partner", "natural").unwrap();
        assert_eq!(settings.control.even_loss, 6.0);
    }

    #[test]
    fn the_endgame_is_turned_on_and_off() {
        let mut settings = PartnerSettings::default();
        assert_eq!(settings.get("endgame").as_deref(), Some("off"));
        settings.set("endgame.discount", "3").unwrap();
        assert_eq!(settings.endgame.unwrap().discount, 3.0);
        assert_eq!(settings.get("endgame").as_deref(), Some("on"));
        settings.set("endgame", "On").unwrap();
        assert_eq!(settings.endgame.unwrap().discount, 3.0, "it was on");
        settings.set("endgame", "False").unwrap();
        assert_eq!(settings.endgame, None);
        assert_eq!(settings.get("endgame.discount").as_deref(), Some("5"));
        let mut gentle = PartnerSettings::new(PartnerKind::Gentle);
        gentle.set("gamma", "3").unwrap();
        assert_eq!(gentle.endgame.unwrap().discount, 3.0);
    }

    #[test]
    fn settings_that_need_each_other_are_set_together() {
        let mut settings = PartnerSettings::default();
        let range = [("endgame.range-low", "-2"), ("endgame.range-high", "4")];
        assert!(settings.set("endgame.range-low", "-2").is_err());
        settings.set_all(range).unwrap();
        assert_eq!(settings.endgame.unwrap().range_low, -2.0);
        let before = settings.clone();
        let wrong = [("beta", "4"), ("endgame.range-high", "-3")];
        assert!(settings.set_all(wrong).is_err());
        assert_eq!(settings, before);
    }

    #[test]
    fn settings_survive_toml_and_missing_ones_are_the_defaults() {
        let mut settings = PartnerSettings::new(PartnerKind::Roles);
        settings.set("endgame", "on").unwrap();
        let text = toml::to_string(&settings).unwrap();
        assert_eq!(toml::from_str::<PartnerSettings>(&text).unwrap(), settings);
        let short = "kind = \"gentle\"\n[gentle]\ngentleness = 3.5\n";
        let settings: PartnerSettings = toml::from_str(short).unwrap();
        assert_eq!(settings.gentle.gentleness, 3.5);
        assert_eq!(settings.gentle.natural_worth, 0.25);
        assert!(toml::from_str::<PartnerSettings>("strength = 3").is_err());
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
        check_refused("beta", "-0.1", "allowed is 0 to 100");
        check_refused("beta", "NaN", "write a number");
        check_refused("endgame", "late", "write on or off");
        check_refused("endgame.range-low", "0", "allowed is -1000 to -4");
        check_refused("gentle", "3", "there is no setting `gentle`");
        check_refused("rho", "much", "write a number");
        check_refused("rank", "31k", "30k to 1k, 1d to 9d");
        check_refused("kind", "sensei", "choose strong, human");
        check_refused("partner", "sensei", "choose strong, human");
        check_refused("temperature", "1", "there is no setting `temperature`");
        check_refused("ladder.enabled", "7", "write on or off");
    }
}
