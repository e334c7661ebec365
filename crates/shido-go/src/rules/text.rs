//! Rule sets as text: a name, KataGo's JSON object, or its short form.
//!
//! JSON as `kata-set-rules` takes and `kata-get-rules` gives it:
//! `{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL",…}`. The short form
//! runs the choices together: `koPOSITIONALscoreAREAtaxNONEsui1`. What is left
//! out is as in Tromp–Taylor, except the tax, which follows the scoring.
//!
//! KataGo writes the komi among the choices (`"komi":7.5`, `komi7.5`), and so do game
//! records by its users. [`RulesAndKomi`] takes it; [`Rules`] refuse it, as
//! `kata-set-rules` does, rather than lose it.
//!
//! Invariant: JSON and short form read back to the set they were written from.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{HandicapBonus, Ko, Rules, Scoring, Tax};

/// The text is not a rule set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RulesError {
    /// Neither a name nor one of the two forms.
    #[error(
        "`{0}` names no rules: write one of {names}, or KataGo's JSON or short form",
        names = names()
    )]
    Unknown(String),
    /// A JSON object that is not a rule set.
    #[error("the rules are not readable: {0}")]
    Json(String),
    /// No such choice.
    #[error(
        "there is no rule `{0}`: write one of ko, scoring, tax, suicide, hasButton, \
         whiteHandicapBonus, friendlyPassOk"
    )]
    UnknownKey(String),
    /// The choice exists, but not with this value.
    #[error("`{value}` is not a value of the rule {key}: write one of {allowed}")]
    BadValue {
        /// The choice.
        key: &'static str,
        /// The value given.
        value: String,
        /// The values there are.
        allowed: String,
    },
    /// A komi where only rules were asked for.
    #[error("the rules name a komi of {0}, which is set by itself")]
    Komi(f32),
}

fn names() -> String {
    let names: Vec<_> = Rules::NAMED.iter().map(|&(name, _)| name).collect();
    names.join(", ")
}

/// A choice whose values have names.
trait Choice: Copy + 'static {
    const ALL: &'static [(&'static str, Self)];

    fn word(self) -> &'static str
    where
        Self: PartialEq,
    {
        let found = Self::ALL.iter().find(|(_, value)| *value == self);
        found.expect("every value is listed").0
    }
}

impl Choice for Ko {
    const ALL: &'static [(&'static str, Ko)] = &[
        ("SIMPLE", Ko::Simple),
        ("POSITIONAL", Ko::Positional),
        ("SITUATIONAL", Ko::Situational),
    ];
}

impl Choice for Scoring {
    const ALL: &'static [(&'static str, Scoring)] =
        &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
}

impl Choice for Tax {
    const ALL: &'static [(&'static str, Tax)] =
        &[("NONE", Tax::None), ("SEKI", Tax::Seki), ("ALL", Tax::All)];
}

impl Choice for HandicapBonus {
    // `N-1` before `N`, so that a reader of prefixes takes the longer one.
    const ALL: &'static [(&'static str, HandicapBonus)] = &[
        ("0", HandicapBonus::Zero),
        ("N-1", HandicapBonus::StonesLessOne),
        ("N", HandicapBonus::Stones),
    ];
}

impl Choice for bool {
    const ALL: &'static [(&'static str, bool)] = &[
        ("TRUE", true),
        ("FALSE", false),
        ("1", true),
        ("0", false),
        ("YES", true),
        ("NO", false),
    ];
}

/// The JSON object, keys in the order KataGo prints them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    friendly_pass_ok: Option<bool>,
    has_button: Option<bool>,
    ko: Option<Ko>,
    #[serde(skip_serializing_if = "Option::is_none")]
    komi: Option<f32>,
    #[serde(alias = "score")]
    scoring: Option<Scoring>,
    suicide: Option<bool>,
    tax: Option<Tax>,
    white_handicap_bonus: Option<HandicapBonus>,
}

/// A rule set with the komi that its text may name.
///
/// ```
/// use shido_go::{Rules, RulesAndKomi};
///
/// let read: RulesAndKomi = "koPOSITIONALscoreAREAtaxNONEsui1komi7.5".parse().unwrap();
/// assert_eq!((read.rules, read.komi), (Rules::TROMP_TAYLOR, Some(7.5)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RulesAndKomi {
    /// The rules.
    pub rules: Rules,
    /// The komi, a finite number, if there is one.
    pub komi: Option<f32>,
}

impl RulesAndKomi {
    /// Returns the rules, unless a komi would be lost.
    fn rules_alone(self) -> Result<Rules, RulesError> {
        match self.komi {
            None => Ok(self.rules),
            Some(komi) => Err(RulesError::Komi(komi)),
        }
    }
}

impl From<Rules> for RulesAndKomi {
    fn from(rules: Rules) -> RulesAndKomi {
        RulesAndKomi { rules, komi: None }
    }
}

impl From<Fields> for RulesAndKomi {
    fn from(fields: Fields) -> RulesAndKomi {
        let rest = Rules::TROMP_TAYLOR;
        let scoring = fields.scoring.unwrap_or(rest.scoring);
        let rules = Rules {
            ko: fields.ko.unwrap_or(rest.ko),
            scoring,
            tax: fields.tax.unwrap_or(usual_tax(scoring)),
            suicide: fields.suicide.unwrap_or(rest.suicide),
            button: fields.has_button.unwrap_or(rest.button),
            handicap_bonus: fields.white_handicap_bonus.unwrap_or(rest.handicap_bonus),
            friendly_pass: fields.friendly_pass_ok.unwrap_or(rest.friendly_pass),
        };
        RulesAndKomi {
            rules,
            komi: fields.komi,
        }
    }
}

impl From<Rules> for Fields {
    fn from(rules: Rules) -> Fields {
        Fields {
            friendly_pass_ok: Some(rules.friendly_pass),
            has_button: Some(rules.button),
            ko: Some(rules.ko),
            komi: None,
            scoring: Some(rules.scoring),
            suicide: Some(rules.suicide),
            tax: Some(rules.tax),
            white_handicap_bonus: Some(rules.handicap_bonus),
        }
    }
}

fn usual_tax(scoring: Scoring) -> Tax {
    match scoring {
        Scoring::Area => Tax::None,
        Scoring::Territory => Tax::Seki,
    }
}

impl Rules {
    /// Writes the JSON object of `kata-get-rules`, with every choice in it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("seven plain values are always JSON")
    }

    /// Writes the short form; the rare choices only where they are made.
    pub fn to_short(&self) -> String {
        let mut text = format!(
            "ko{}score{}tax{}sui{}",
            self.ko.word(),
            self.scoring.word(),
            self.tax.word(),
            u8::from(self.suicide)
        );
        if self.button {
            text.push_str("button1");
        }
        if self.handicap_bonus != HandicapBonus::Zero {
            write!(text, "whb{}", self.handicap_bonus.word()).expect("a string takes all text");
        }
        if self.friendly_pass {
            text.push_str("fpok1");
        }
        text
    }

    /// Returns the same rules with one choice changed, as `kata-set-rule` does.
    pub fn with(self, key: &str, value: &str) -> Result<Rules, RulesError> {
        let mut rules = self;
        match key.trim() {
            "ko" => rules.ko = read("ko", value)?,
            "scoring" | "score" => rules.scoring = read("scoring", value)?,
            "tax" => rules.tax = read("tax", value)?,
            "suicide" => rules.suicide = read("suicide", value)?,
            "hasButton" => rules.button = read("hasButton", value)?,
            "whiteHandicapBonus" => rules.handicap_bonus = read("whiteHandicapBonus", value)?,
            "friendlyPassOk" => rules.friendly_pass = read("friendlyPassOk", value)?,
            other => return Err(RulesError::UnknownKey(other.to_owned())),
        }
        Ok(rules)
    }
}

/// Reads the short form.
fn from_short(text: &str) -> Option<RulesAndKomi> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    let mut rules = Rules::TROMP_TAYLOR;
    let (mut tax, mut komi) = (None, None);
    while !rest.is_empty() {
        if let Some(value) = rest.strip_prefix("komi") {
            let (number, after) = take_number(value)?;
            (komi, rest) = (Some(number), after);
        } else if let Some(value) = rest.strip_prefix("ko") {
            (rules.ko, rest) = take(value)?;
        } else if let Some(value) = rest
            .strip_prefix("scoring")
            .or_else(|| rest.strip_prefix("score"))
        {
            (rules.scoring, rest) = take(value)?;
        } else if let Some(value) = rest.strip_prefix("tax") {
            let (value, after) = take(value)?;
            (tax, rest) = (Some(value), after);
        } else if let Some(value) = rest.strip_prefix("sui") {
            (rules.suicide, rest) = take(value)?;
        } else if let Some(value) = rest.strip_prefix("button") {
            (rules.button, rest) = take(value)?;
        } else if let Some(value) = rest.strip_prefix("whb") {
            (rules.handicap_bonus, rest) = take(value)?;
        } else {
            let value = rest.strip_prefix("fpok")?;
            (rules.friendly_pass, rest) = take(value)?;
        }
    }
    rules.tax = tax.unwrap_or(usual_tax(rules.scoring));
    Some(RulesAndKomi { rules, komi })
}

/// Reads a value in any case.
fn read<C: Choice>(key: &'static str, value: &str) -> Result<C, RulesError> {
    let upper = value.trim().to_ascii_uppercase();
    C::ALL
        .iter()
        .find(|(word, _)| *word == upper)
        .map(|&(_, choice)| choice)
        .ok_or_else(|| {
            let words: Vec<_> = C::ALL.iter().map(|&(word, _)| word).collect();
            RulesError::BadValue {
                key,
                value: value.to_owned(),
                allowed: words.join(", "),
            }
        })
}

/// Takes the value at the beginning of a text.
fn take<C: Choice>(text: &str) -> Option<(C, &str)> {
    let text = text.trim_start();
    C::ALL
        .iter()
        .find_map(|&(word, choice)| Some((choice, text.strip_prefix(word)?.trim_start())))
}

/// Takes the number at the beginning of a text.
fn take_number(text: &str) -> Option<(f32, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_alphabetic() || c.is_whitespace());
    let (number, rest) = text.split_at(end.unwrap_or(text.len()));
    let number: f32 = number.parse().ok()?;
    number.is_finite().then(|| (number, rest.trim_start()))
}

impl FromStr for RulesAndKomi {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<RulesAndKomi, RulesError> {
        if text.trim_start().starts_with('{') {
            let fields: Fields =
                serde_json::from_str(text).map_err(|error| RulesError::Json(error.to_string()))?;
            if fields.komi.is_some_and(|komi| !komi.is_finite()) {
                return Err(RulesError::Json("the komi is too large".to_owned()));
            }
            return Ok(fields.into());
        }
        Rules::named(text)
            .map(RulesAndKomi::from)
            .or_else(|| from_short(text))
            .ok_or_else(|| RulesError::Unknown(text.to_owned()))
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Rules, RulesError> {
        text.parse::<RulesAndKomi>()?.rules_alone()
    }
}

impl fmt::Display for Rules {
    /// Writes the name of the set, or the short form where it has none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => f.write_str(&self.to_short()),
        }
    }
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields::from(*self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rules {
    /// Takes the object, or any text that [`Rules::from_str`] takes.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Rules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a rule set or an object of rules")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Rules, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rules, A::Error> {
                let fields = Fields::deserialize(MapAccessDeserializer::new(map))?;
                RulesAndKomi::from(fields)
                    .rules_alone()
                    .map_err(de::Error::custom)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_set() -> impl Iterator<Item = Rules> {
        (0..3 * 2 * 3 * 3 * 8).map(|i| Rules {
            ko: Ko::ALL[i % 3].1,
            scoring: Scoring::ALL[i / 3 % 2].1,
            tax: Tax::ALL[i / 6 % 3].1,
            handicap_bonus: HandicapBonus::ALL[i / 18 % 3].1,
            suicide: i / 54 % 2 == 1,
            button: i / 108 % 2 == 1,
            friendly_pass: i / 216 == 1,
        })
    }

    #[test]
    fn every_set_goes_round_in_every_form() {
        for rules in every_set() {
            assert_eq!(rules.to_json().parse(), Ok(rules));
            assert_eq!(rules.to_short().parse(), Ok(rules));
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
    }

    #[test]
    fn the_forms_are_katagos() {
        assert_eq!(
            Rules::AGA.to_json(),
            r#"{"friendlyPassOk":true,"hasButton":false,"ko":"SITUATIONAL","scoring":"AREA","suicide":false,"tax":"NONE","whiteHandicapBonus":"N-1"}"#
        );
        assert_eq!(
            Rules::AGA_BUTTON.to_short(),
            "koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1"
        );
        assert_eq!(
            Rules::TROMP_TAYLOR.to_short(),
            "koPOSITIONALscoreAREAtaxNONEsui1"
        );
    }

    #[track_caller]
    fn check(text: &str, expect: Rules) {
        assert_eq!(text.parse(), Ok(expect), "{text}");
    }

    #[test]
    fn what_is_left_out_is_tromp_taylor() {
        check("{}", Rules::TROMP_TAYLOR);
        check(
            "koPOSITIONALscoreAREAtaxNONEsui1button0whb0fpok0",
            Rules::TROMP_TAYLOR,
        );
        check(
            r#"{"score":"TERRITORY","ko":"SIMPLE","suicide":false}"#,
            Rules::JAPANESE,
        );
        check("koSIMPLE scoringTERRITORY sui0", Rules::JAPANESE);
        check(
            r#"{"suicide":false,"ko":"SIMPLE","whiteHandicapBonus":"N","friendlyPassOk":true}"#,
            Rules::CHINESE,
        );
    }

    #[track_caller]
    fn check_error(text: &str, part: &str) {
        let error = text.parse::<Rules>().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }

    #[test]
    fn bad_rules_are_named() {
        check_error("", "`` names no rules: write one of tromp-taylor, chinese");
        check_error("koSPIGHT", "`koSPIGHT` names no rules");
        check_error(r#"{"ko":"SPIGHT"}"#, "unknown variant `SPIGHT`");
        check_error(r#"{"komi":7}"#, "a komi of 7, which is set by itself");
        check_error("koSIMPLEkomi6.5", "a komi of 6.5, which is set by itself");
        check_error(r#"{"ko":"SIMPLE""#, "not readable");
    }

    #[test]
    fn a_komi_is_read_beside_the_rules() {
        #[track_caller]
        fn check(text: &str, rules: Rules, komi: Option<f32>) {
            assert_eq!(text.parse(), Ok(RulesAndKomi { rules, komi }), "{text}");
        }
        let object = r#"{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","komi":7.5,"scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"0"}"#;
        check(object, Rules::TROMP_TAYLOR, Some(7.5));
        check(r#"{"komi":-6}"#, Rules::TROMP_TAYLOR, Some(-6.0));
        let short = "koPOSITIONALscoreAREAtaxNONEsui1komi7.5";
        check(short, Rules::TROMP_TAYLOR, Some(7.5));
        let middle = "komi -0.5 koSIMPLEscoreTERRITORYkomi6sui0";
        check(middle, Rules::JAPANESE, Some(6.0));
        check("japanese", Rules::JAPANESE, None);
        for bad in [
            "komi",
            "koSIMPLEkomi",
            "komiNaN",
            "komi6.5.5",
            "komi1e9",
            r#"{"komi":1e99}"#,
            r#"{"komi":"7.5"}"#,
        ] {
            assert!(bad.parse::<RulesAndKomi>().is_err(), "{bad}");
        }
    }

    #[test]
    fn one_rule_can_be_changed() {
        let rules = Rules::TROMP_TAYLOR;
        assert_eq!(rules.with("ko", "simple").unwrap().ko, Ko::Simple);
        assert!(!rules.with("suicide", "false").unwrap().suicide);
        let error = rules.with("tax", "LOTS").unwrap_err().to_string();
        assert_eq!(
            error,
            "`LOTS` is not a value of the rule tax: write one of NONE, SEKI, ALL"
        );
        assert!(rules.with("komi", "6.5").is_err());
    }

    #[test]
    fn a_name_deserializes_as_well_as_an_object() {
        assert_eq!(
            serde_json::from_str::<Rules>(r#""japanese""#).unwrap(),
            Rules::JAPANESE
        );
        assert!(serde_json::from_str::<Rules>(r#"{"komi":7.5}"#).is_err());
        let object = serde_json::to_string(&Rules::BGA).unwrap();
        assert_eq!(serde_json::from_str::<Rules>(&object).unwrap(), Rules::BGA);
    }
}
