//! The two measures of how good moves are (HI24, §5.3).

use super::bootstrap::Bootstrap;
use super::estimate::Estimate;
use super::record::{MoveRecord, shares};

/// Where bad begins; the paper's values are the default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// A move that loses more points is a blunder (15.0).
    pub big_loss: f64,
    /// A move less likely than this, to both human and engine, is unlikely (1 %).
    pub unlikely: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            big_loss: 15.0,
            unlikely: 0.01,
        }
    }
}

/// How good one player's moves were: the columns of (HI24, Table 5). Lower is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// Share of moves that lose more than 15 points.
    pub blunders: Estimate,
    /// Share of moves that get less than 1 % from both networks.
    pub unlikely: Estimate,
}

/// Measures the moves of one player in several games.
pub fn quality<G: AsRef<[MoveRecord]>>(
    games: &[G],
    thresholds: &Thresholds,
    bootstrap: &Bootstrap,
) -> Quality {
    let blunder = |it: &MoveRecord| it.loss > thresholds.big_loss;
    let unlikely =
        |it: &MoveRecord| it.naturalness.max(it.engine_probability) < thresholds.unlikely;
    Quality {
        blunders: bootstrap.mean(&shares(games, blunder)),
        unlikely: bootstrap.mean(&shares(games, unlikely)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::PLAIN;
    use super::*;

    #[test]
    fn moves_of_the_papers_figures() {
        // (HI24, Fig. 9a): 31.91 and 15.71 points lost with p' of 85.0 and 76.4 %.
        // (HI24, Fig. 5b): C5 loses 17.39 with 95.2 %, P6 3.58 with 0.007 %.
        let moves = [
            (31.91, 0.85),
            (15.71, 0.764),
            (17.39, 0.952),
            (3.58, 0.000_07),
            (15.0, 0.01),
        ];
        let record = |(loss, naturalness)| MoveRecord {
            loss,
            naturalness,
            engine_probability: 0.001,
            ..PLAIN
        };
        let games = [moves.map(record)];
        let found = quality(&games, &Thresholds::default(), &Bootstrap::default());
        assert_eq!((found.blunders.value, found.blunders.n), (0.6, 5));
        assert_eq!(found.unlikely.value, 0.2);
    }

    #[test]
    fn one_network_that_likes_a_move_is_enough() {
        let game = [MoveRecord {
            naturalness: 0.0,
            engine_probability: 0.3,
            ..PLAIN
        }];
        let found = quality(&[game], &Thresholds::default(), &Bootstrap::default());
        assert_eq!(found.unlikely.value, 0.0);
    }
}
