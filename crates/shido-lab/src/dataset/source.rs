//! Where games come from, and what a rank there is worth on the one scale.
//!
//! Ranks are KGS's (DESIGN: "Ranks are KGS ranks"). Fox's 5k, 1d and 5d are KGS's
//! 8k, 3k and 2d (HI24, §5.1): three ranks less throughout, and Tygem is taken to be
//! like Fox. A server's highest rank has no upper end, so 9d stays 9d, and
//! professionals are counted there too. The Teaching Ladder's ranks are taken as
//! they are; they come from many servers.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use shido_go::{Player, Rank};

/// A collection of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Anything else.
    Other,
    /// The Online Go Server.
    Ogs,
    /// The KGS Go Server.
    Kgs,
    /// Fox.
    Fox,
    /// Tygem.
    Tygem,
    /// Games of professionals.
    Pro,
    /// The Go Teaching Ladder.
    Ladder,
    /// 9×9 games of strong players and programs.
    Small,
    /// Games the program played with itself.
    Selfplay,
}

/// The name is not a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a source of games: write other, ogs, kgs, fox, tygem, pro, ladder, small or selfplay"
)]
pub struct SourceError(String);

const NAMES: [(Source, &str, u8); 9] = [
    (Source::Other, "other", 0),
    (Source::Ogs, "ogs", 1),
    (Source::Kgs, "kgs", 2),
    (Source::Fox, "fox", 3),
    (Source::Tygem, "tygem", 4),
    (Source::Pro, "pro", 5),
    (Source::Ladder, "ladder", 8),
    (Source::Small, "small", 9),
    (Source::Selfplay, "selfplay", 10),
];

/// Ranks between Fox or Tygem and KGS (HI24, §5.1).
const SERVER_GAP: i32 = 3;
/// The rank given to players of the 9×9 collection with a rating over 2100.
const RATED: Rank = Rank::Dan(5);

impl Source {
    /// Returns the number of the source in a shard.
    pub fn code(self) -> u8 {
        self.row().2
    }

    fn row(self) -> (Source, &'static str, u8) {
        *NAMES
            .iter()
            .find(|it| it.0 == self)
            .expect("every source has a row")
    }

    /// Returns a player's place on the one scale, 30k = 0 to 9d = 38.
    pub fn rank_code(self, player: &Player) -> Option<u8> {
        let rank = match self {
            Source::Small => rated(&player.name).or(player.rank),
            Source::Tygem => player.rank.or(Some(Rank::Dan(9))),
            _ => player.rank,
        };
        rank.map(|rank| self.code_of(rank))
    }

    fn code_of(self, rank: Rank) -> u8 {
        let gap = match (self, rank) {
            (_, Rank::Pro(_)) | (Source::Fox | Source::Tygem, Rank::Dan(9)) => return TOP,
            (Source::Fox | Source::Tygem, _) => SERVER_GAP,
            _ => 0,
        };
        (30 + rank.steps_from_1d() - gap).clamp(0, i32::from(TOP)) as u8
    }
}

/// 9d.
pub const TOP: u8 = 38;

/// Returns the rank at a place on the one scale; what is past 9d is 9d.
pub fn rank_of_code(code: u8) -> Rank {
    match code {
        0..30 => Rank::Kyu(30 - code),
        _ => Rank::Dan(code.min(TOP) - 29),
    }
}

/// Returns the rank of a player whose name holds a rating, such as `name (2156)`.
fn rated(name: &str) -> Option<Rank> {
    let (_, rating) = name.trim().strip_suffix(')')?.rsplit_once('(')?;
    rating.trim().parse::<u32>().ok().map(|_| RATED)
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().1)
    }
}

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Source, SourceError> {
        let row = NAMES.iter().find(|it| it.1 == text);
        row.map(|it| it.0)
            .ok_or_else(|| SourceError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_put_on_one_scale() {
        let code = |source: Source, rank: &str| {
            let rank = rank.parse().ok();
            source.rank_code(&Player {
                rank,
                ..Player::default()
            })
        };
        // (HI24, §5.1): Fox 5k, 1d, 5d are KGS 8k, 3k, 2d.
        for (fox, kgs) in [("5k", "8k"), ("1d", "3k"), ("5d", "2d")] {
            assert_eq!(code(Source::Fox, fox), code(Source::Kgs, kgs));
        }
        assert_eq!(code(Source::Fox, "9d"), Some(38));
        assert_eq!(code(Source::Fox, "3p"), Some(38));
        assert_eq!(code(Source::Kgs, "30k"), Some(0));
        assert_eq!(code(Source::Kgs, "1k"), Some(29));
        assert_eq!(code(Source::Kgs, "1d"), Some(30));
        assert_eq!(code(Source::Fox, "30k"), Some(0));
        assert_eq!(code(Source::Kgs, ""), None);
        assert_eq!(code(Source::Tygem, ""), Some(38));
    }

    #[test]
    fn places_on_the_scale_are_ranks_of_kgs() {
        for (code, name) in [(0, "30k"), (29, "1k"), (30, "1d"), (38, "9d")] {
            let rank = rank_of_code(code);
            assert_eq!(rank.to_string(), name);
            assert_eq!(Source::Kgs.code_of(rank), code);
        }
    }

    #[test]
    fn names_come_back() {
        for (source, name, _) in NAMES {
            assert_eq!(name.parse(), Ok(source));
            assert_eq!(source.to_string(), name);
        }
        assert!("nngs".parse::<Source>().is_err());
    }
}
