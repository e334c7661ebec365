//! Whom a human-imitation net is to imitate: profiles and the numbers they become.
//!
//! The names are KataGo's: `rank_5k` (players of today), `preaz_5k` (before AlphaZero's
//! openings), `rank_5k_3d` (Black's rank, White's rank), `proyear_1850` (professionals
//! of a year). KataGo's ranks go from 20k to 9d, years from 1800 to 2023. Ours go on to
//! 30k, and a rank may be `unknown`, as in `rank_5k_unknown`: nets of `train/` know both
//! (`train/shido_train/meta.py` fills the same numbers).
//!
//! | number | what |
//! |---|---|
//! | 0, 1 | the mover, the opponent is human |
//! | 2 to 5 | whether they have a rank, and whether it is known |
//! | 6 to 39, 40 to 73 | how far below the top they are, one number for each rank |
//! | 74 | whether the game is rated |
//! | 75 to 81 | the kind of clock |
//! | 82 to 85 | main time, period time, periods, moves of a period |
//! | 86 | the size of the board |
//! | 87 to 150 | the date, as turns of 32 wheels of 7 days and ever longer |
//! | 151 to 166 | where the game was played |
//! | 167 to 171, 172 to 176 | the ranks below 25k, which KataGo does not know |

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use shido_go::{Color, Rank, Size};

use crate::inputs::META_CHANNELS;

const OLDEST_YEAR: u16 = 1800;
/// From the year after this one, games of professionals come from another collection.
const LAST_HISTORIC_YEAR: u16 = 2020;
const NEWEST_YEAR: u16 = 2023;
const WEAKEST_KYU: u8 = 30;
const STRONGEST_DAN: u8 = 9;
/// What a name says for a rank that is not known.
const UNKNOWN: &str = "unknown";

const RANK_UNKNOWN: usize = 4;
const RANKS: usize = 6;
const RANK_LEN: usize = 34;
/// Where the steps go on that have no place among [`RANKS`].
const WEAKER: usize = 167;
const WEAKER_LEN: usize = 5;
const RATEDNESS: usize = 74;
const CLOCK_UNKNOWN: usize = 75;
const CLOCK_BYO_YOMI: usize = 79;
const TIMES: usize = 82;
const AREA: usize = 86;
const DATE: usize = 87;
const WHEELS: usize = 32;
const SOURCE: usize = 151;

/// Whom to imitate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Amateurs of the KGS server.
    Amateurs {
        /// Black's rank, 30k to 9d, if it is known.
        black: Option<Rank>,
        /// White's rank, 30k to 9d, if it is known.
        white: Option<Rank>,
        /// Whether they play as before AlphaZero.
        before_alphazero: bool,
    },
    /// Professionals of a year, 1800 to 2023.
    Professionals {
        /// The year.
        year: u16,
    },
}

/// A name that is no profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// It does not begin as any profile does.
    #[error(
        "unknown profile `{0}`: use rank_5k, preaz_5k, rank_5k_3d or proyear_1950, for example"
    )]
    Kind(String),
    /// The rank is none of those the nets know.
    #[error("profile `{profile}`: `{rank}` is not a rank from 30k to 9d, nor `unknown`")]
    Rank {
        /// The whole name.
        profile: String,
        /// The rank in it.
        rank: String,
    },
    /// The year is none of those the nets know.
    #[error("profile `{profile}`: `{year}` is not a year from 1800 to 2023")]
    Year {
        /// The whole name.
        profile: String,
        /// The year in it.
        year: String,
    },
}

impl FromStr for Profile {
    type Err = ProfileError;

    fn from_str(name: &str) -> Result<Profile, ProfileError> {
        if let Some(year) = name.strip_prefix("proyear_") {
            return match year.parse() {
                Ok(year @ OLDEST_YEAR..=NEWEST_YEAR) => Ok(Profile::Professionals { year }),
                _ => Err(ProfileError::Year {
                    profile: name.to_owned(),
                    year: year.to_owned(),
                }),
            };
        }
        let (ranks, before_alphazero) = if let Some(ranks) = name.strip_prefix("rank_") {
            (ranks, false)
        } else if let Some(ranks) = name.strip_prefix("preaz_") {
            (ranks, true)
        } else {
            return Err(ProfileError::Kind(name.to_owned()));
        };
        let (black, white) = ranks.split_once('_').unwrap_or((ranks, ranks));
        let rank = |rank: &str| match parse_rank(rank) {
            None if rank != UNKNOWN => Err(ProfileError::Rank {
                profile: name.to_owned(),
                rank: rank.to_owned(),
            }),
            known => Ok(known),
        };
        Ok(Profile::Amateurs {
            black: rank(black)?,
            white: rank(white)?,
            before_alphazero,
        })
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Profile::Professionals { year } => write!(f, "proyear_{year}"),
            Profile::Amateurs {
                black,
                white,
                before_alphazero,
            } => {
                let kind = if before_alphazero { "preaz" } else { "rank" };
                let name = |it: Option<Rank>| it.map_or(UNKNOWN.to_owned(), |it| it.to_string());
                write!(f, "{kind}_{}", name(black))?;
                if white == black {
                    Ok(())
                } else {
                    write!(f, "_{}", name(white))
                }
            }
        }
    }
}

impl Profile {
    /// Describes amateurs of today by their ranks, Black's first, as far as they are known.
    pub fn of_ranks([black, white]: [Option<Rank>; 2]) -> Profile {
        Profile::Amateurs {
            black,
            white,
            before_alphazero: false,
        }
    }

    /// Returns amateurs of today who are as strong, for a network that knows ranks alone.
    #[must_use]
    pub fn by_rank_alone(self) -> Profile {
        match self {
            Profile::Amateurs { black, white, .. } => Profile::of_ranks([black, white]),
            Profile::Professionals { .. } => Profile::of_ranks([Some(Rank::Dan(STRONGEST_DAN)); 2]),
        }
    }

    /// Returns the numbers for a network when `to_move` is to move.
    pub fn channels(&self, to_move: Color, size: Size) -> Box<[f32; META_CHANNELS]> {
        let mut row = Box::new([0.0; META_CHANNELS]);
        row[..2].fill(1.0);
        row[AREA] = (0.5 * (size.area() as f64 / 361.0).ln()) as f32;
        match *self {
            Profile::Amateurs {
                black,
                white,
                before_alphazero,
            } => {
                let (own, other) = match to_move {
                    Color::Black => (black, white),
                    Color::White => (white, black),
                };
                fill_ranks(&mut row, [own, other].map(|it| it.map(steps_below_top)));
                row[RATEDNESS] = 0.5;
                row[CLOCK_BYO_YOMI] = 1.0;
                fill_times(&mut row, 1200.0, 30.0, 5.0);
                fill_date(
                    &mut row,
                    if before_alphazero {
                        days_since_1970(2016, 9)
                    } else {
                        days_since_1970(2020, 3)
                    },
                );
                row[SOURCE + Source::Kgs as usize] = 1.0;
            }
            Profile::Professionals { year } => {
                fill_ranks(&mut row, [Some(1); 2]);
                row[CLOCK_UNKNOWN] = 1.0;
                fill_times(&mut row, 0.0, 0.0, 0.0);
                fill_date(&mut row, days_since_1970(year.into(), 6));
                let source = if year <= LAST_HISTORIC_YEAR {
                    Source::Gogod
                } else {
                    Source::Go4go
                };
                row[SOURCE + source as usize] = 1.0;
            }
        }
        row
    }
}

/// Where games come from, by the numbers the nets were trained with.
#[derive(Clone, Copy)]
enum Source {
    Kgs = 2,
    Gogod = 5,
    Go4go = 6,
}

fn parse_rank(text: &str) -> Option<Rank> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    // Not `05k` or `+5k`: a profile has one name.
    if !number.starts_with(|digit: char| matches!(digit, '1'..='9')) {
        return None;
    }
    match (unit, number.parse().ok()?) {
        ("k", kyu @ 1..=WEAKEST_KYU) => Some(Rank::Kyu(kyu)),
        ("d", dan @ 1..=STRONGEST_DAN) => Some(Rank::Dan(dan)),
        _ => None,
    }
}

/// Returns 1 for 9d, 9 for 1d, 10 for 1k, 39 for 30k.
fn steps_below_top(rank: Rank) -> usize {
    match rank {
        Rank::Kyu(kyu) => usize::from(STRONGEST_DAN) + usize::from(kyu),
        Rank::Dan(dan) => usize::from((STRONGEST_DAN + 1).saturating_sub(dan)),
        Rank::Pro(_) => 1,
    }
}

/// Fills in how far below the top the mover and the opponent are, if it is known.
fn fill_ranks(row: &mut [f32; META_CHANNELS], players: [Option<usize>; 2]) {
    for (player, steps) in players.into_iter().enumerate() {
        let Some(steps) = steps else {
            row[RANK_UNKNOWN + player] = 1.0;
            continue;
        };
        row[RANKS + player * RANK_LEN..][..steps.min(RANK_LEN)].fill(1.0);
        let weaker = steps.saturating_sub(RANK_LEN).min(WEAKER_LEN);
        row[WEAKER + player * WEAKER_LEN..][..weaker].fill(1.0);
    }
}

/// Fills the clock: seconds of main time and of a period, and the periods.
fn fill_times(row: &mut [f32; META_CHANNELS], main: f64, period: f64, periods: f64) {
    row[TIMES] = (0.4 * ((main + 60.0).ln() - 6.5)) as f32;
    row[TIMES + 1] = (0.3 * ((period + 1.0).ln() - 3.0)) as f32;
    row[TIMES + 2] = (0.5 * ((periods + 2.0).ln() - 1.5)) as f32;
    // No profile has a Canadian clock.
    row[TIMES + 3] = (0.25 * (2.0_f64.ln() - 1.5)) as f32;
}

fn fill_date(row: &mut [f32; META_CHANNELS], days: f64) {
    let longer = 80_000.0_f64.powf(1.0 / (WHEELS - 1) as f64);
    let mut wheel = 7.0;
    for pair in row[DATE..][..2 * WHEELS].chunks_exact_mut(2) {
        let (sine, cosine) = (days / wheel * TAU).sin_cos();
        pair.copy_from_slice(&[cosine as f32, sine as f32]);
        wheel *= longer;
    }
}

/// Returns the days from 1 January 1970 to the first of a month.
fn days_since_1970(year: i32, month: i32) -> f64 {
    // Years that begin in March have their leap day last.
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = 365 * year + leap_days + (153 * month + 2) / 5;
    // What this gives for 1 January 1970.
    f64::from(days - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, to_move: Color) -> Box<[f32; META_CHANNELS]> {
        let profile: Profile = name.parse().expect("a profile");
        profile.channels(to_move, Size::S19)
    }

    #[test]
    fn names_are_read_and_written_back() {
        for name in [
            "rank_20k",
            "rank_9d",
            "preaz_1k",
            "preaz_1d_10k",
            "rank_3k_3d",
            "rank_30k",
            "rank_26k_unknown",
            "rank_unknown",
            "proyear_1800",
            "proyear_2023",
        ] {
            let profile: Profile = name.parse().expect("a profile");
            assert_eq!(profile.to_string(), name);
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        for (name, message) in [
            ("", "unknown profile ``"),
            ("5k", "unknown profile `5k`"),
            ("rank_", "`` is not a rank"),
            ("rank_31k", "`31k` is not a rank from 30k to 9d"),
            ("rank_0k", "`0k` is not a rank"),
            ("rank_05k", "`05k` is not a rank"),
            ("rank_10d", "`10d` is not a rank"),
            ("preaz_3k_é", "`é` is not a rank"),
            ("rank_3k_4k_5k", "`4k_5k` is not a rank"),
            ("proyear_1799", "`1799` is not a year from 1800 to 2023"),
            ("proyear_2024", "`2024` is not a year"),
            ("proyear_x", "`x` is not a year"),
        ] {
            let error = name.parse::<Profile>().expect_err(name).to_string();
            assert!(error.contains(message), "{name}: {error}");
        }
    }

    #[test]
    fn what_is_no_rank_can_be_left_out() {
        for (name, expect) in [
            ("rank_5k_3d", "rank_5k_3d"),
            ("preaz_5k_unknown", "rank_5k_unknown"),
            ("proyear_1914", "rank_9d"),
        ] {
            let profile: Profile = name.parse().expect("a profile");
            assert_eq!(profile.by_rank_alone().to_string(), expect);
        }
    }

    #[test]
    fn ranks_are_seen_from_the_mover() {
        let ranks = |row: &[f32]| {
            let sum = |at: usize| row[at..][..RANK_LEN].iter().sum::<f32>();
            [sum(RANKS), sum(RANKS + RANK_LEN)]
        };
        assert_eq!(ranks(&row("rank_9d", Color::Black)[..]), [1.0, 1.0]);
        assert_eq!(ranks(&row("rank_1d_1k", Color::Black)[..]), [9.0, 10.0]);
        assert_eq!(ranks(&row("rank_1d_1k", Color::White)[..]), [10.0, 9.0]);
        assert_eq!(ranks(&row("preaz_20k", Color::White)[..]), [29.0, 29.0]);
        assert_eq!(ranks(&row("proyear_1900", Color::White)[..]), [1.0, 1.0]);
    }

    #[test]
    fn the_other_numbers_say_what_kind_of_game_it_is() {
        let amateur = row("rank_5k", Color::Black);
        assert_eq!(amateur[..6], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(amateur[RATEDNESS], 0.5);
        assert_eq!(amateur[75..82], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        let times = [0.2555, 0.1302, 0.2230, -0.2017];
        for (found, expected) in amateur[TIMES..AREA].iter().zip(times) {
            assert!((found - expected).abs() < 1e-4, "{found}");
        }
        assert_eq!(amateur[AREA], 0.0);
        assert_eq!(amateur[153], 1.0);
        let modern = row("proyear_2021", Color::Black);
        assert_eq!(modern[RATEDNESS], 0.0);
        assert_eq!(modern[75..82], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(modern[157], 1.0);
        assert_eq!(row("proyear_2020", Color::Black)[156], 1.0);
        for row in [&amateur, &modern] {
            assert_eq!(row[SOURCE..].iter().sum::<f32>(), 1.0);
        }
    }

    #[test]
    fn dates_turn_the_wheels() {
        // Counted by hand from known leap years.
        assert_eq!(days_since_1970(1970, 1), 0.0);
        assert_eq!(days_since_1970(1970, 3), 59.0);
        assert_eq!(days_since_1970(1972, 3), 790.0);
        assert_eq!(days_since_1970(1969, 12), -31.0);
        assert_eq!(days_since_1970(2000, 1), 10_957.0);
        assert_eq!(days_since_1970(2020, 3), 18_322.0);
        let row = row("rank_5k", Color::Black);
        // 18,322 days are 2,617 weeks and 3 days.
        let turn = TAU * 3.0 / 7.0;
        assert!((f64::from(row[DATE]) - turn.cos()).abs() < 1e-6);
        assert!((f64::from(row[DATE + 1]) - turn.sin()).abs() < 1e-6);
        // The last wheel turns once in 560,000 days.
        let turn = TAU * 18_322.0 / 560_000.0;
        assert!((f64::from(row[SOURCE - 2]) - turn.cos()).abs() < 1e-6);
        assert!((f64::from(row[SOURCE - 1]) - turn.sin()).abs() < 1e-6);
    }
}
