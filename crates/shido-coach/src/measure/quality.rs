//! How good moves are (HI24, §5.3), and how bad a game was (HI24, §5.4).

use super::judged::{JudgedMove, UNLIKELY_BELOW};
use super::naturalness::arithmetic_mean;

/// Points from which a loss is big (HI24, §5.3).
pub const BIG_LOSS: f32 = 15.0;

/// How good some moves were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// The share of judged moves that lost more than 15 points.
    pub big_losses: Option<f64>,
    /// The share of moves that both models give less than 1 %, of those both know.
    pub unlikely: Option<f64>,
    /// The mean loss.
    pub mean_loss: Option<f64>,
}

impl Quality {
    /// Sums moves up.
    pub fn of(moves: &[JudgedMove]) -> Quality {
        let losses = || moves.iter().filter_map(|it| it.loss);
        let unlikely = moves.iter().filter_map(|it| {
            let prior = it.prior?;
            Some(prior < UNLIKELY_BELOW && it.naturalness < UNLIKELY_BELOW)
        });
        let as_number = |is: bool| f64::from(u8::from(is));
        Quality {
            big_losses: arithmetic_mean(losses().map(|it| as_number(it > BIG_LOSS))),
            unlikely: arithmetic_mean(unlikely.map(as_number)),
            mean_loss: badness(moves),
        }
    }
}

/// Returns the mean loss of a player's moves in a game (HI24, §5.4).
///
/// A judge may find a move better than its own; such a loss counts as none.
pub fn badness(moves: &[JudgedMove]) -> Option<f64> {
    let losses = moves.iter().filter_map(|it| it.loss);
    arithmetic_mean(losses.map(|it| f64::from(it.max(0.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(naturalness: f32, prior: Option<f32>, loss: Option<f32>) -> JudgedMove {
        JudgedMove {
            number: 1,
            distance: None,
            naturalness,
            most_natural: 0.5,
            prior,
            loss,
        }
    }

    #[test]
    fn big_losses_and_moves_nobody_plays_are_counted() {
        let moves = [
            judged(0.5, Some(0.5), Some(15.0)),
            judged(0.005, Some(0.5), Some(15.1)),
            judged(0.005, Some(0.005), Some(-0.5)),
            judged(0.5, Some(0.005), None),
            judged(0.001, None, Some(0.9)),
        ];
        let found = Quality::of(&moves);
        assert_eq!(found.big_losses, Some(0.25));
        assert_eq!(found.unlikely, Some(0.25));
        assert!((found.mean_loss.unwrap() - 7.75).abs() < 1e-6);
        assert_eq!(Quality::of(&[]).big_losses, None);
    }
}
