//! How a game ended: `B+3.5`, `W+R`, `Void`, as SGF and people write it.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Score};

/// The outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GameResult {
    /// One side won.
    Win {
        /// The winner.
        color: Color,
        /// By what.
        by: WinBy,
    },
    /// Nobody won.
    Draw,
    /// The game does not count.
    Void,
    /// The game is unfinished or its outcome not known.
    Unknown,
}

/// What a game was won by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WinBy {
    /// More points.
    Points(f32),
    /// The other's resignation.
    Resignation,
    /// The other's running out of time.
    Time,
    /// The other's breach of the rules.
    Forfeit,
    /// It is not said what.
    Unspecified,
}

/// The text is not the result of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a result: write B+3.5, W+R, B+T, W+F, 0, Void or ?")]
pub struct ParseResultError(pub String);

impl GameResult {
    /// Returns the winner.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Win { color, .. } => Some(color),
            GameResult::Draw | GameResult::Void | GameResult::Unknown => None,
        }
    }

    /// Returns the score, if the game was counted.
    pub fn score(self) -> Option<Score> {
        match self {
            GameResult::Win {
                color,
                by: WinBy::Points(points),
            } => Some(Score::ahead(color, points)),
            GameResult::Draw => Some(Score::EVEN),
            _ => None,
        }
    }
}

impl From<Score> for GameResult {
    fn from(score: Score) -> GameResult {
        score.leader().map_or(GameResult::Draw, |color| {
            let by = WinBy::Points(score.margin());
            GameResult::Win { color, by }
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Win { color, by } => write!(f, "{}+{by}", color.letter()),
            GameResult::Draw => f.write_str("0"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Unknown => f.write_str("?"),
        }
    }
}

impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WinBy::Points(points) => write!(f, "{points}"),
            WinBy::Resignation => f.write_str("R"),
            WinBy::Time => f.write_str("T"),
            WinBy::Forfeit => f.write_str("F"),
            WinBy::Unspecified => Ok(()),
        }
    }
}

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        let error = || ParseResultError(text.to_owned());
        let lower = text.trim().to_lowercase();
        let simple = match lower.as_str() {
            "0" | "draw" | "jigo" | "tie" => Some(GameResult::Draw),
            "void" => Some(GameResult::Void),
            "?" | "" | "unknown" => Some(GameResult::Unknown),
            _ => None,
        };
        if let Some(result) = simple {
            return Ok(result);
        }
        let (winner, by) = lower.split_once('+').ok_or_else(error)?;
        let color = winner.trim().parse().map_err(|_| error())?;
        let by = read_reason(by.trim()).ok_or_else(error)?;
        Ok(match by {
            WinBy::Points(0.0) => GameResult::Draw,
            by => GameResult::Win { color, by },
        })
    }
}

fn read_reason(text: &str) -> Option<WinBy> {
    match text {
        "" | "?" => return Some(WinBy::Unspecified),
        "r" | "res" | "resign" | "resignation" => return Some(WinBy::Resignation),
        "t" | "time" | "timeout" => return Some(WinBy::Time),
        "f" | "forfeit" => return Some(WinBy::Forfeit),
        _ => {}
    }
    let number = text.trim_end_matches(|c: char| c.is_alphabetic() || c == ' ');
    let points: f32 = number.replace(',', ".").parse().ok()?;
    (points.is_finite() && points >= 0.0).then_some(WinBy::Points(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, written: &str) {
        let result: GameResult = text.parse().unwrap();
        assert_eq!(result.to_string(), written);
        assert_eq!(written.parse(), Ok(result));
    }

    #[test]
    fn results_are_read_and_written() {
        check("B+3.5", "B+3.5");
        check("w+12", "W+12");
        check("Black+0,5 points", "B+0.5");
        check("W+R", "W+R");
        check("W+Resign", "W+R");
        check("B+Time", "B+T");
        check("B+F", "B+F");
        check("W+", "W+");
        check("Draw", "0");
        check("0", "0");
        check("B+0", "0");
        check("Void", "Void");
        check("?", "?");
        check("", "?");
    }

    #[test]
    fn nonsense_is_named() {
        for text in ["B", "+3", "Z+3", "B+-3", "B+x", "B+NaN", "B+inf", "B+3.5.5"] {
            let error = text.parse::<GameResult>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("`{text}` is not")));
        }
    }

    #[test]
    fn a_result_knows_its_winner_and_score() {
        let result: GameResult = "W+2.5".parse().unwrap();
        assert_eq!(result.winner(), Some(Color::White));
        assert_eq!(result.score(), Some(Score::for_black(-2.5)));
        assert_eq!(GameResult::from(Score::for_black(-2.5)), result);
        assert_eq!(GameResult::from(Score::EVEN), GameResult::Draw);
        let resigned: GameResult = "B+R".parse().unwrap();
        assert_eq!(resigned.score(), None);
    }
}
