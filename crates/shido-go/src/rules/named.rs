//! The named rule sets.
//!
//! Each is the closest set of choices to a body's rules, not their letter; they
//! agree with what KataGo means by the same name.

use super::{HandicapBonus, Ko, Rules, RulesAndKomi, Scoring, Tax};

impl Rules {
    /// Logical rules with positional superko and area scoring.
    pub const TROMP_TAYLOR: Rules = Rules {
        ko: Ko::Positional,
        scoring: Scoring::Area,
        tax: Tax::None,
        suicide: true,
        button: false,
        handicap_bonus: HandicapBonus::Zero,
        friendly_pass: false,
    };
    /// Chinese rules as played over the board, with simple ko.
    pub const CHINESE: Rules = Rules {
        ko: Ko::Simple,
        suicide: false,
        handicap_bonus: HandicapBonus::Stones,
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
    /// Chinese rules as servers read them, with positional superko.
    pub const CHINESE_OGS: Rules = Rules {
        ko: Ko::Positional,
        ..Rules::CHINESE
    };
    /// Chinese rules on KGS.
    pub const CHINESE_KGS: Rules = Rules::CHINESE_OGS;
    /// Japanese rules: territory, seki eyes do not count.
    pub const JAPANESE: Rules = Rules {
        ko: Ko::Simple,
        scoring: Scoring::Territory,
        tax: Tax::Seki,
        suicide: false,
        ..Rules::TROMP_TAYLOR
    };
    /// Korean rules, which differ from the Japanese in wording only.
    pub const KOREAN: Rules = Rules::JAPANESE;
    /// Rules of the American Go Association.
    pub const AGA: Rules = Rules {
        ko: Ko::Situational,
        suicide: false,
        handicap_bonus: HandicapBonus::StonesLessOne,
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
    /// Rules of the British Go Association.
    pub const BGA: Rules = Rules::AGA;
    /// Rules of New Zealand.
    pub const NEW_ZEALAND: Rules = Rules {
        ko: Ko::Situational,
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
    /// The ancient way: only stones count, so every group pays for its two eyes.
    pub const STONE_SCORING: Rules = Rules {
        ko: Ko::Simple,
        tax: Tax::All,
        suicide: false,
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
    /// AGA rules with half a point for the first to pass.
    pub const AGA_BUTTON: Rules = Rules {
        button: true,
        ..Rules::AGA
    };
    /// Ing's rules, as near as these choices come.
    pub const ING: Rules = Rules {
        friendly_pass: true,
        ..Rules::TROMP_TAYLOR
    };
    /// Old Chinese territory rules: group tax on territory.
    pub const ANCIENT_TERRITORY: Rules = Rules {
        tax: Tax::All,
        ..Rules::JAPANESE
    };

    /// Every named set under its usual name; of equal sets the first name is the one printed.
    pub const NAMED: [(&'static str, Rules); 13] = [
        ("tromp-taylor", Rules::TROMP_TAYLOR),
        ("chinese", Rules::CHINESE),
        ("chinese-ogs", Rules::CHINESE_OGS),
        ("chinese-kgs", Rules::CHINESE_KGS),
        ("japanese", Rules::JAPANESE),
        ("korean", Rules::KOREAN),
        ("aga", Rules::AGA),
        ("bga", Rules::BGA),
        ("new-zealand", Rules::NEW_ZEALAND),
        ("stone-scoring", Rules::STONE_SCORING),
        ("aga-button", Rules::AGA_BUTTON),
        ("ing", Rules::ING),
        ("ancient-territory", Rules::ANCIENT_TERRITORY),
    ];

    /// Returns the set of this name; case, spaces, `-` and `_` do not matter.
    ///
    /// ```
    /// use shido_go::Rules;
    ///
    /// assert_eq!(Rules::named("Tromp Taylor"), Some(Rules::TROMP_TAYLOR));
    /// ```
    pub fn named(name: &str) -> Option<Rules> {
        let plain = plain(name);
        let usual = match plain.as_str() {
            "nz" => "newzealand",
            "goe" => "ing",
            "french" => "aga",
            "ancientarea" => "stonescoring",
            other => other,
        };
        Rules::NAMED
            .iter()
            .find(|(name, _)| self::plain(name) == usual)
            .map(|&(_, rules)| rules)
    }

    /// Returns the usual name of this set, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        Rules::NAMED
            .iter()
            .find(|(_, rules)| rules == self)
            .map(|&(name, _)| name)
    }

    /// Returns what SGF's `RU` means, where it says something we know.
    ///
    /// Takes the names of the standard, the named sets, KataGo's JSON and short form, and
    /// additions such as `Japanese rules` or `Chinese (area)`. A komi among the rules is
    /// the record's, which reads it by itself.
    pub fn from_sgf(text: &str) -> Option<Rules> {
        let text = text.trim();
        if let Ok(read) = text.parse::<RulesAndKomi>() {
            return Some(read.rules);
        }
        match plain(text).as_str() {
            "jp" | "japan" | "jpn" | "nihonkiin" | "日本" => return Some(Rules::JAPANESE),
            "cn" | "china" | "chn" | "中国" | "中國" => return Some(Rules::CHINESE),
            "kr" | "korea" | "kor" | "韩国" | "한국" => return Some(Rules::KOREAN),
            "usgo" => return Some(Rules::AGA),
            _ => {}
        }
        // Of several words the first that names a set decides.
        text.split(|c: char| !c.is_alphanumeric())
            .find_map(Rules::named)
    }

    /// Returns how SGF's `RU` writes this set: a name of the standard where there
    /// is one, else the name of the set, else the short form.
    pub fn sgf_name(&self) -> String {
        let standard = match self.name() {
            Some("japanese") => "Japanese",
            Some("aga") => "AGA",
            Some("new-zealand") => "NZ",
            Some("ing") => "GOE",
            Some("chinese") => "Chinese",
            Some(name) => name,
            None => return self.to_short(),
        };
        standard.to_owned()
    }
}

fn plain(name: &str) -> String {
    name.trim()
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_printed_back() {
        for (name, rules) in Rules::NAMED {
            assert_eq!(Rules::named(name), Some(rules));
            assert_eq!(Rules::named(&name.to_uppercase()), Some(rules));
            let printed = rules.name().unwrap();
            assert_eq!(Rules::named(printed), Some(rules));
            assert_eq!(Rules::from_sgf(&rules.sgf_name()), Some(rules));
        }
        assert_eq!(Rules::named("calvinball"), None);
        assert_eq!(Rules::named(""), None);
    }

    #[track_caller]
    fn check_sgf(text: &str, expect: Option<Rules>) {
        assert_eq!(Rules::from_sgf(text), expect, "{text}");
    }

    #[test]
    fn sgf_names_are_understood() {
        check_sgf("Japanese", Some(Rules::JAPANESE));
        check_sgf(" japanese rules ", Some(Rules::JAPANESE));
        check_sgf("NZ", Some(Rules::NEW_ZEALAND));
        check_sgf("GOE", Some(Rules::ING));
        check_sgf("New Zealand", Some(Rules::NEW_ZEALAND));
        check_sgf("Chinese, area", Some(Rules::CHINESE));
        check_sgf("cn", Some(Rules::CHINESE));
        check_sgf(
            "koPOSITIONALscoreAREAtaxNONEsui1",
            Some(Rules::TROMP_TAYLOR),
        );
        check_sgf("koSIMPLEscoreTERRITORYsui0komi6.5", Some(Rules::JAPANESE));
        check_sgf(r#"{"ko":"SIMPLE","komi":7.5}"#, {
            let ko = Ko::Simple;
            let rest = Rules::TROMP_TAYLOR;
            Some(Rules { ko, ..rest })
        });
        check_sgf("", None);
        check_sgf("house rules", None);
    }
}
