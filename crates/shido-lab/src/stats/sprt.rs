//! The sequential probability ratio test: stop a match as soon as it is decided.
//!
//! A. Wald, Annals of Mathematical Statistics 16 (1945). The hypotheses are
//! expected scores, given as Elo differences; how likely draws are is not one of
//! them, so each hypothesis gets the win, draw and loss probabilities that fit the
//! results best among those with its score (a generalized likelihood ratio).
//! Without draws this is Wald's test of a binomial share.

/// Counted for a result that has not occurred, so that it stays possible.
const UNSEEN: f64 = 1e-3;

/// What is tested and how sure the answer must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// Elo difference if the player is no better (H0).
    pub elo0: f64,
    /// Elo difference if it is better (H1); greater than `elo0`.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 is true.
    pub beta: f64,
}

impl Default for Sprt {
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
        }
    }
}

/// Results of one player's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Results {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// What the results so far say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The player is not better: H0 is accepted.
    AcceptH0,
    /// The player is better: H1 is accepted.
    AcceptH1,
}

/// Returns the expected score of a player `elo` above its opponent (PD10, §2.1).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

impl Sprt {
    /// Returns the log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Returns how much likelier the results are under H1 than under H0, as a logarithm.
    pub fn log_likelihood_ratio(&self, results: &Results) -> f64 {
        let Results {
            wins,
            draws,
            losses,
        } = *results;
        if wins + draws + losses == 0 {
            return 0.0;
        }
        let seen = |count: u64| (count as f64).max(UNSEEN);
        let outcomes = [(1.0, seen(wins)), (0.5, draws as f64), (0.0, seen(losses))];
        let log_likelihood = |elo| constrained_log_likelihood(&outcomes, expected_score(elo));
        log_likelihood(self.elo1) - log_likelihood(self.elo0)
    }

    /// Says whether the match may stop.
    pub fn decide(&self, results: &Results) -> Decision {
        let (lower, upper) = self.bounds();
        let ratio = self.log_likelihood_ratio(results);
        if ratio <= lower {
            Decision::AcceptH0
        } else if ratio >= upper {
            Decision::AcceptH1
        } else {
            Decision::Continue
        }
    }
}

/// Returns the greatest log-likelihood of `(score, count)` outcomes whose mean score is `mean`.
///
/// With Lagrange's multiplier `x` the probabilities are `share / (1 + x (score -
/// mean))`, where `x` makes the mean right; the shares' own part is left out, as
/// it cancels in a ratio.
fn constrained_log_likelihood(outcomes: &[(f64, f64); 3], mean: f64) -> f64 {
    let excess = |x: f64| -> f64 {
        let part =
            |&(score, count): &(f64, f64)| count * (score - mean) / (1.0 + x * (score - mean));
        outcomes.iter().map(part).sum()
    };
    // The sum falls from infinity to minus infinity between these poles.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    -outcomes
        .iter()
        .map(|(score, count)| count * (x * (score - mean)).ln_1p())
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(wins: u64, draws: u64, losses: u64) -> Results {
        Results {
            wins,
            draws,
            losses,
        }
    }

    #[test]
    fn without_draws_it_is_walds_binomial_test() {
        let test = Sprt {
            elo0: -10.0,
            elo1: 30.0,
            ..Sprt::default()
        };
        let (s0, s1) = (expected_score(-10.0), expected_score(30.0));
        let wald = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        assert!((test.log_likelihood_ratio(&results(60, 0, 40)) - wald).abs() < 1e-9);
    }

    #[test]
    fn walds_bounds() {
        // The logarithm of 19, the best known number of the trade.
        let (lower, upper) = Sprt::default().bounds();
        assert!((upper - 2.944).abs() < 0.001 && (lower + 2.944).abs() < 0.001);
    }

    #[test]
    fn it_agrees_with_the_normal_approximation_near_the_truth() {
        // LLR = (s1 - s0) (2 mean - s0 - s1) / (2 var / n) for small differences.
        let test = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            ..Sprt::default()
        };
        let (n, mean) = (10_000.0, (3100.0 + 0.5 * 4000.0) / 10_000.0);
        let variance = (3100.0 + 0.25 * 4000.0) / n - mean * mean;
        let (s0, s1) = (expected_score(0.0), expected_score(5.0));
        let normal = (s1 - s0) * (2.0 * mean - s0 - s1) * n / (2.0 * variance);
        let found = test.log_likelihood_ratio(&results(3100, 4000, 2900));
        assert!((found / normal - 1.0).abs() < 0.02, "{found} {normal}");
    }

    #[test]
    fn decisions() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 100.0,
            ..Sprt::default()
        };
        assert_eq!(test.decide(&results(0, 0, 0)), Decision::Continue);
        assert_eq!(test.decide(&results(6, 1, 5)), Decision::Continue);
        assert_eq!(test.decide(&results(20, 0, 0)), Decision::AcceptH1);
        assert_eq!(test.decide(&results(0, 0, 20)), Decision::AcceptH0);
        assert_eq!(test.decide(&results(100, 0, 100)), Decision::AcceptH0);
    }
}
