//! Ranks: 30k to 1k, 1d to 9d, 1p to 9p, as servers and people write them.
//!
//! Ranks of different servers are not comparable; this is only how they read.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A rank, weaker before stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rank {
    /// A learner's rank, 30 (weakest) to 1.
    Kyu(u8),
    /// An amateur master's rank, 1 to 9.
    Dan(u8),
    /// A professional's rank, 1 to 9.
    Pro(u8),
}

/// The text is not a rank.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rank: write 30k to 1k, 1d to 9d or 1p to 9p")]
pub struct ParseRankError(pub String);

impl Rank {
    /// Returns the distance from 1d in ranks: 0 for 1d, −1 for 1k; a professional is past 9d.
    pub fn steps_from_1d(self) -> i32 {
        match self {
            Rank::Kyu(kyu) => -i32::from(kyu),
            Rank::Dan(dan) => i32::from(dan) - 1,
            Rank::Pro(pro) => i32::from(pro) + 8,
        }
    }

    fn new(number: u8, unit: Unit) -> Option<Rank> {
        match unit {
            Unit::Kyu => (1..=30).contains(&number).then_some(Rank::Kyu(number)),
            Unit::Dan => (1..=9).contains(&number).then_some(Rank::Dan(number)),
            Unit::Pro => (1..=9).contains(&number).then_some(Rank::Pro(number)),
        }
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        self.steps_from_1d().cmp(&other.steps_from_1d())
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rank::Kyu(kyu) => write!(f, "{kyu}k"),
            Rank::Dan(dan) => write!(f, "{dan}d"),
            Rank::Pro(pro) => write!(f, "{pro}p"),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Unit {
    Kyu,
    Dan,
    Pro,
}

impl FromStr for Rank {
    type Err = ParseRankError;

    /// Reads `5k`, `5 kyu`, `3d?`, `2 dan`, `10k*`, `~20k`, `8k AGA`, `4p`, `4 dan pro`,
    /// `9段`, `P9段`, `初段`, `3级`, `3級`, `3급`, `3단`.
    fn from_str(text: &str) -> Result<Rank, ParseRankError> {
        parse(text).ok_or_else(|| ParseRankError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Rank> {
    let rest = text
        .trim()
        .trim_start_matches(['~', '≈', '[', '('])
        .trim_start();
    // Fox writes a professional's rank with a P before it.
    let (rest, before) = match rest.strip_prefix(['P', 'p']) {
        Some(rest) => (rest.trim_start(), true),
        None => (rest, false),
    };
    let (number, rest) = number(rest)?;
    let rest = rest.trim_start_matches([' ', '-']);
    let (unit, rest) = unit(rest)?;
    let after = matches!(unit, Unit::Dan) && rest.to_lowercase().contains("pro");
    Rank::new(number, if before || after { Unit::Pro } else { unit })
}

fn number(text: &str) -> Option<(u8, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return Some((text[..digits].parse().ok()?, &text[digits..]));
    }
    let first = text.chars().next()?;
    let number = match first {
        '初' => 1,
        _ => 1 + "一二三四五六七八九".chars().position(|c| c == first)? as u8,
    };
    Some((number, &text[first.len_utf8()..]))
}

fn unit(text: &str) -> Option<(Unit, &str)> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    match first {
        '级' | '級' | '급' => return Some((Unit::Kyu, after)),
        '段' | '단' => return Some((Unit::Dan, after)),
        _ => {}
    }
    let word = text.len()
        - text
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .len();
    let unit = match text[..word].to_ascii_lowercase().as_str() {
        "k" | "kyu" | "kyus" | "ky" | "gup" => Unit::Kyu,
        "d" | "dan" => Unit::Dan,
        "p" | "pro" | "dp" => Unit::Pro,
        _ => return None,
    };
    Some((unit, &text[word..]))
}

impl TryFrom<String> for Rank {
    type Error = ParseRankError;

    fn try_from(text: String) -> Result<Rank, ParseRankError> {
        text.parse()
    }
}

impl From<Rank> for String {
    fn from(rank: Rank) -> String {
        rank.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_write_them() {
        let cases = [
            ("5k", "5k"),
            ("5 kyu", "5k"),
            ("3d?", "3d"),
            ("2 dan", "2d"),
            ("10k*", "10k"),
            ("1D", "1d"),
            (" 5k*", "5k"),
            ("~20k", "20k"),
            ("8k AGA", "8k"),
            ("30kyu", "30k"),
            ("9p", "9p"),
            ("4 dan pro", "4p"),
            ("9段", "9d"),
            ("P7段", "7p"),
            ("初段", "1d"),
            ("18级", "18k"),
            ("3級", "3k"),
            ("7단", "7d"),
        ];
        for (text, rank) in cases {
            assert_eq!(
                text.parse::<Rank>().map(|r| r.to_string()).as_deref(),
                Ok(rank)
            );
        }
    }

    #[test]
    fn what_is_no_rank() {
        for text in [
            "", "?", "2552", "31k", "0k", "10d", "k", "5 stones", "P", "999999k",
        ] {
            assert!(text.parse::<Rank>().is_err(), "{text}");
        }
    }

    #[test]
    fn weaker_before_stronger() {
        let ranks = [
            Rank::Kyu(30),
            Rank::Kyu(1),
            Rank::Dan(1),
            Rank::Dan(9),
            Rank::Pro(1),
        ];
        assert!(ranks.is_sorted());
        assert_eq!(
            Rank::Dan(1).steps_from_1d() - Rank::Kyu(1).steps_from_1d(),
            1
        );
    }
}
