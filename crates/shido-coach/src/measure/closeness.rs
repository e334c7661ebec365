//! How close games are, in the middle and at the end (HI24, §5.5).

use super::naturalness::arithmetic_mean;

/// Points within which a game is close.
pub const CLOSE: f64 = 10.0;
/// The move at which the middle of a game is looked at.
pub const MIDDLE_GAME: usize = 100;

/// How many of some games were close.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closeness {
    /// The share at move 100, of the games that came so far.
    pub middle: Option<f64>,
    /// The share at the end.
    pub end: Option<f64>,
}

impl Closeness {
    /// Sums games up: the lead at move 100, if there was one, and at the end, of
    /// whichever side.
    pub fn of(games: &[(Option<f64>, f64)]) -> Closeness {
        let close = |lead: f64| f64::from(u8::from(lead.abs() <= CLOSE));
        Closeness {
            middle: arithmetic_mean(games.iter().filter_map(|it| it.0).map(close)),
            end: arithmetic_mean(games.iter().map(|it| close(it.1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_points_are_close_for_either_side() {
        let games = [
            (Some(10.0), 0.5),
            (Some(-10.5), -10.0),
            (None, 12.5),
            (Some(3.0), -30.0),
        ];
        let found = Closeness::of(&games);
        assert_eq!(found.middle, Some(2.0 / 3.0));
        assert_eq!(found.end, Some(0.5));
        assert_eq!(Closeness::of(&[]).end, None);
    }
}
