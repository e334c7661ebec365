//! Ratings of players from their games, by the MM that fits the move model.
//!
//! A player is a team of one (PD10, §2.1, Eq. 1), its Elo rating
//! `400 log10(gamma)`; a draw is half a win for either side. The anchor has a
//! rating by definition, the others' intervals are those of their differences
//! from it, from the observed information.

use shido_patterns::mm::{self, CompetitionsBuilder, Groups, InformationError, standard_errors};
use thiserror::Error;

use super::estimate::{Estimate, Z95};

/// Games of one pair of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// One player's number.
    pub player: usize,
    /// The other player's number.
    pub opponent: usize,
    /// Games that `player` won.
    pub wins: u64,
    /// Games that neither won.
    pub draws: u64,
    /// Games that `opponent` won.
    pub losses: u64,
}

/// How to rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The player whose rating is given.
    pub anchor: usize,
    /// The rating it is given.
    pub anchor_elo: f64,
    /// Virtual wins, and as many losses, against a player of gamma 1. They keep
    /// the rating of one who won all games finite, and draw all ratings together.
    pub prior_wins: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Self {
            anchor: 0,
            anchor_elo: 0.0,
            prior_wins: 1.0,
        }
    }
}

/// Why there are no ratings.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RatingError {
    /// A number names no player.
    #[error("player {player} is none of {players} players")]
    NoSuchPlayer {
        /// The number that was given.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A player met itself.
    #[error("player {0} plays against itself")]
    Itself(usize),
    /// Nothing can be fitted.
    #[error(transparent)]
    Fit(#[from] mm::FitError),
    /// The games do not tie all players together.
    #[error("ratings are not determined: {0}")]
    Undetermined(#[from] InformationError),
}

/// Returns the Elo rating of each player; `n` is the number of its games.
pub fn rate(
    players: usize,
    pairings: &[Pairing],
    settings: &Rating,
) -> Result<Vec<Estimate>, RatingError> {
    let data = competitions(players, pairings, settings.anchor)?;
    let mm_settings = mm::Settings {
        prior_wins: settings.prior_wins,
        max_sweeps: 100_000,
        tolerance: 1e-13,
        threads: 1,
    };
    let groups = Groups::of_sizes(&[players as u32]);
    let gammas = mm::fit(&data, &groups, &mm_settings, |_| ())?.gammas;
    let errors = standard_errors(&data, &gammas, settings.prior_wins, Some(settings.anchor))?;
    let mut games = vec![0; players];
    for it in pairings {
        let n = it.wins + it.draws + it.losses;
        games[it.player] += n;
        games[it.opponent] += n;
    }
    let elo = |log_gamma: f64| 400.0 * log_gamma / std::f64::consts::LN_10;
    let rated = gammas
        .iter()
        .zip(errors)
        .zip(games)
        .map(|((gamma, error), n)| {
            let value = settings.anchor_elo + elo((gamma / gammas[settings.anchor]).ln());
            let half = elo(Z95 * error);
            Estimate {
                value,
                low: value - half,
                high: value + half,
                n,
            }
        });
    Ok(rated.collect())
}

fn competitions(
    players: usize,
    pairings: &[Pairing],
    anchor: usize,
) -> Result<mm::Competitions, RatingError> {
    let known = |player| {
        let error = RatingError::NoSuchPlayer { player, players };
        (player < players).then_some(()).ok_or(error)
    };
    known(anchor)?;
    let mut builder = CompetitionsBuilder::new();
    for it in pairings {
        known(it.player)?;
        known(it.opponent)?;
        if it.player == it.opponent {
            return Err(RatingError::Itself(it.player));
        }
        let half_draws = 0.5 * it.draws as f32;
        let weights = [it.wins as f32 + half_draws, it.losses as f32 + half_draws];
        for (winner, weight) in weights.into_iter().enumerate().filter(|it| it.1 > 0.0) {
            builder.begin();
            builder.push(&[it.player as u32]);
            builder.push(&[it.opponent as u32]);
            builder
                .finish_weighted(winner, weight)
                .expect("one of two teams won, with a positive weight");
        }
    }
    Ok(builder.build())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(player: usize, opponent: usize, wins: u64, draws: u64, losses: u64) -> Pairing {
        Pairing {
            player,
            opponent,
            wins,
            draws,
            losses,
        }
    }

    const NO_PRIOR: Rating = Rating {
        anchor: 1,
        anchor_elo: 1000.0,
        prior_wins: 0.0,
    };

    #[test]
    fn three_wins_in_four_are_191_elo() {
        let rated = rate(2, &[pairing(0, 1, 75, 0, 25)], &NO_PRIOR).unwrap();
        let expected = 1000.0 + 400.0 * 3.0_f64.log10();
        assert!((rated[0].value - expected).abs() < 1e-3, "{}", rated[0]);
        // The logit's standard error is 1 / sqrt(100 * 0.75 * 0.25) = 0.2309.
        let half = Z95 * 0.230_94 * 400.0 / std::f64::consts::LN_10;
        assert!((rated[0].high - expected - half).abs() < 0.01);
        assert_eq!(
            (rated[1].value, rated[1].low, rated[1].n),
            (1000.0, 1000.0, 100)
        );
    }

    #[test]
    fn draws_are_half_wins_and_order_is_of_no_account() {
        let one = rate(2, &[pairing(0, 1, 60, 30, 10)], &NO_PRIOR).unwrap();
        let other = rate(2, &[pairing(1, 0, 25, 0, 75)], &NO_PRIOR).unwrap();
        assert!((one[0].value - other[0].value).abs() < 1e-6);
    }

    #[test]
    fn ratings_add_up_along_a_chain() {
        let games = [pairing(0, 1, 100, 0, 50), pairing(1, 2, 100, 0, 50)];
        let rated = rate(3, &games, &NO_PRIOR).unwrap();
        let step = 400.0 * 2.0_f64.log10();
        assert!((rated[0].value - 1000.0 - step).abs() < 0.01);
        assert!((rated[2].value - 1000.0 + step).abs() < 0.01);
        assert!(rated[0].n == 150 && rated[1].n == 300);
    }

    #[test]
    fn a_prior_keeps_a_clean_sheet_finite() {
        let rated = rate(
            2,
            &[pairing(0, 1, 10, 0, 0)],
            &Rating {
                anchor: 1,
                ..Rating::default()
            },
        );
        let rated = rated.unwrap();
        assert!(
            rated[0].value > 200.0 && rated[0].high < 2000.0,
            "{}",
            rated[0]
        );
    }

    #[test]
    fn impossible_inputs_are_refused() {
        let fails = |players, games: &[Pairing]| rate(players, games, &NO_PRIOR).unwrap_err();
        assert_eq!(
            fails(1, &[]),
            RatingError::NoSuchPlayer {
                player: 1,
                players: 1
            }
        );
        assert_eq!(fails(2, &[pairing(0, 0, 1, 0, 0)]), RatingError::Itself(0));
        assert_eq!(fails(2, &[]), RatingError::Fit(mm::FitError::Empty));
        assert!(matches!(
            fails(3, &[pairing(0, 1, 1, 0, 1)]),
            RatingError::Undetermined(_)
        ));
    }
}
