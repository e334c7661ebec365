//! How central an opening is: moves on the fourth line or further in (SF21, §6.3.2).

use super::bootstrap::{Bootstrap, Total};
use super::estimate::Estimate;
use super::record::Point;

/// The outermost line of the center area (SF21, §6.3.2).
pub const CENTER_LINE: u8 = 4;

/// Returns how many moves the paper calls the opening; it says so for two sizes only.
pub fn opening_length(size: u8) -> Option<usize> {
    match size {
        13 => Some(40),
        19 => Some(60),
        _ => None,
    }
}

/// Returns the line of a point, 1 at the border (SF21, §4.4.1).
pub fn line(point: Point, size: u8) -> u8 {
    let from_border = |it: u8| it.min(size - 1 - it);
    1 + from_border(point.0).min(from_border(point.1))
}

/// One move of either player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningMove {
    /// Whether the player that is measured made it.
    pub measured: bool,
    /// Where; none for a pass.
    pub point: Option<Point>,
}

/// Counts the measured player's moves in the center among the first `opening` of the game.
pub fn center_moves(game: &[OpeningMove], size: u8, opening: usize) -> u64 {
    let central = |it: &&OpeningMove| {
        it.measured
            && it
                .point
                .is_some_and(|point| line(point, size) >= CENTER_LINE)
    };
    game.iter().take(opening).filter(central).count() as u64
}

/// Returns the mean count per game: a cell of (SF21, Table 4).
pub fn mean_center_moves<G: AsRef<[OpeningMove]>>(
    games: &[G],
    size: u8,
    opening: usize,
    bootstrap: &Bootstrap,
) -> Estimate {
    let total = |game: &G| Total {
        sum: center_moves(game.as_ref(), size, opening) as f64,
        count: 1,
    };
    bootstrap.mean(&games.iter().map(total).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(points: &[Point]) -> Vec<OpeningMove> {
        let mine = points.iter().map(|&point| OpeningMove {
            measured: true,
            point: Some(point),
        });
        let other = OpeningMove {
            measured: false,
            point: Some((6, 6)),
        };
        mine.flat_map(|it| [it, other]).collect()
    }

    #[test]
    fn lines_are_counted_from_the_nearest_border() {
        let cases = [
            ((0, 9), 1),
            ((18, 18), 1),
            ((3, 3), 4),
            ((15, 4), 4),
            ((2, 9), 3),
            ((9, 9), 10),
        ];
        for (point, expected) in cases {
            assert_eq!(line(point, 19), expected, "{point:?}");
        }
    }

    #[test]
    fn only_own_central_opening_moves_count() {
        // On 13×13: (3, 3) is on the fourth line, (2, 6) on the third.
        let game = game(&[(3, 3), (2, 6), (6, 6), (9, 9)]);
        assert_eq!(center_moves(&game, 13, 40), 3);
        assert_eq!(center_moves(&game, 13, 6), 2);
        let pass = OpeningMove {
            measured: true,
            point: None,
        };
        assert_eq!(center_moves(&[pass], 13, 40), 0);
    }

    #[test]
    fn the_mean_is_over_games() {
        let games = [game(&[(3, 3), (6, 6)]), game(&[(0, 0), (6, 6)])];
        let found = mean_center_moves(
            &games,
            13,
            opening_length(13).unwrap(),
            &Bootstrap::default(),
        );
        assert_eq!(
            (found.value, found.low, found.high, found.n),
            (1.5, 1.0, 2.0, 2)
        );
    }
}
