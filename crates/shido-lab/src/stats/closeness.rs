//! How close games are: shares of small territory differences (HI24, §5.5).

use super::estimate::Estimate;
use super::wilson::wilson;

/// The move after which a game is looked at in its middle (HI24, §5.5).
pub const MIDDLE_MOVE: usize = 100;
/// The greatest difference of a close game, in points (HI24, §5.5).
pub const CLOSE: f64 = 10.0;

/// The territory differences of one game, from either side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameScore {
    /// After the 100th move; none if the game was over.
    pub middle: Option<f64>,
    /// At the end.
    pub end: f64,
}

/// How close several games were: the columns of (HI24, Table 7). Higher is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closeness {
    /// Share of games within 10 points after the 100th move, of those that got there.
    pub middle: Estimate,
    /// Share of games within 10 points at the end.
    pub end: Estimate,
}

/// Measures games.
pub fn closeness(games: &[GameScore]) -> Closeness {
    Closeness {
        middle: share_close(games.iter().filter_map(|it| it.middle)),
        end: share_close(games.iter().map(|it| it.end)),
    }
}

fn share_close(differences: impl Iterator<Item = f64>) -> Estimate {
    let (mut close, mut n) = (0.0, 0);
    for difference in differences {
        n += 1;
        if difference.abs() <= CLOSE {
            close += 1.0;
        }
    }
    wilson(close, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_the_range_are_close() {
        let scores = [
            (Some(10.0), -10.0),
            (Some(-10.1), 0.5),
            (None, 30.0),
            (Some(2.0), 10.5),
        ];
        let games = scores.map(|(middle, end)| GameScore { middle, end });
        let found = closeness(&games);
        assert_eq!((found.middle.value, found.middle.n), (2.0 / 3.0, 3));
        assert_eq!((found.end.value, found.end.n), (0.5, 4));
    }

    #[test]
    fn an_interval_of_the_papers_table() {
        // (HI24, Table 7), P6: 56.6 ± 4.3 % of 500 games at the end.
        let game = |close| GameScore {
            middle: None,
            end: if close { 0.0 } else { 50.0 },
        };
        let games: Vec<_> = (0..500).map(|i| game(i < 283)).collect();
        let end = closeness(&games).end;
        assert_eq!(end.value, 0.566);
        assert!(((end.high - end.low) / 2.0 - 0.043).abs() < 0.0005);
    }
}
