//! How well a model predicts: probabilities of teams and the mean log evidence.
//!
//! A perfect predictor has mean log evidence 0; guessing evenly among `n` teams
//! has `-ln n` (PD10, §2.3, Eq. 3). The variance is that of the single
//! logarithms, the column beside it in (PD10, Fig. 1).

use super::competitions::Competitions;

/// Returns the probability that team `winner` wins against all of `teams` (PD10, Eq. 2).
///
/// ```
/// use shido_patterns::mm::probability;
///
/// let gammas = [2.0, 1.0];
/// assert_eq!(probability(&gammas, &[&[0], &[1]], 0), 2.0 / 3.0);
/// ```
pub fn probability(gammas: &[f64], teams: &[&[u32]], winner: usize) -> f64 {
    let strength = |team: &[u32]| team.iter().map(|&it| gammas[it as usize]).product::<f64>();
    strength(teams[winner]) / teams.iter().map(|it| strength(it)).sum::<f64>()
}

/// The mean of the log evidence of moves, kept as they come (PD10, Eq. 3).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LogEvidence {
    n: u64,
    mean: f64,
    squares: f64,
}

impl LogEvidence {
    /// Adds a move that the model gave `probability`.
    pub fn add(&mut self, probability: f64) {
        self.n += 1;
        let log = probability.ln();
        let from_old = log - self.mean;
        self.mean += from_old / self.n as f64;
        self.squares += from_old * (log - self.mean);
    }

    /// Adds all the moves that `other` has seen.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        let n = self.n + other.n;
        let between = other.mean - self.mean;
        let share = other.n as f64 / n as f64;
        self.mean += between * share;
        self.squares += other.squares + between * between * self.n as f64 * share;
        self.n = n;
    }

    /// Returns the number of moves.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns the mean log evidence, 0 when there is no move.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the mean squared deviation of the moves' log evidence.
    pub fn variance(&self) -> f64 {
        if self.n == 0 {
            0.0
        } else {
            self.squares / self.n as f64
        }
    }

    /// Returns the standard error of the mean, infinite below two moves.
    pub fn standard_error(&self) -> f64 {
        match self.n {
            0 | 1 => f64::INFINITY,
            n => (self.squares / (n - 1) as f64 / n as f64).sqrt(),
        }
    }
}

/// Measures gammas on competitions, such as those of held-out games; weights are of no account.
pub fn mean_log_evidence(data: &Competitions, gammas: &[f64]) -> LogEvidence {
    let strengths: Vec<f64> = (0..data.distinct_teams())
        .map(|it| data.strength(it, gammas))
        .collect();
    let mut evidence = LogEvidence::default();
    for (competition, &winner) in data.winners.iter().enumerate() {
        let (teams, counts) = data.by_competition.list(competition);
        let entries = teams.iter().zip(counts);
        let sum: f64 = entries
            .map(|(&team, &count)| f64::from(count) * strengths[team as usize])
            .sum();
        evidence.add(strengths[winner as usize] / sum);
    }
    evidence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mm::CompetitionsBuilder;

    #[test]
    fn two_individuals_as_in_pd10_eq_1() {
        assert_eq!(probability(&[3.0, 1.0], &[&[0], &[1]], 0), 0.75);
    }

    #[test]
    fn three_teams_as_in_pd10_eq_2() {
        // gamma_i = i; the paper counts individuals from 1.
        let gammas = [f64::NAN, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let teams: [&[u32]; 3] = [&[1, 2, 3], &[4, 5], &[1, 3, 4, 6]];
        assert_eq!(probability(&gammas, &teams, 0), 6.0 / (6.0 + 20.0 + 72.0));
    }

    #[test]
    fn two_moves_with_properties_as_in_pd10_section_2_1() {
        // Move 1 has properties 2 and 3, move 2 has 1 and 2: the common one cancels.
        let gammas = [f64::NAN, 2.0, 7.0, 6.0];
        assert_eq!(
            probability(&gammas, &[&[2, 3], &[1, 2]], 0),
            6.0 / (6.0 + 2.0)
        );
    }

    #[test]
    fn the_mean_is_that_of_the_logarithms() {
        let mut evidence = LogEvidence::default();
        assert_eq!((evidence.n(), evidence.variance()), (0, 0.0));
        for probability in [0.5, 0.25, 0.125] {
            evidence.add(probability);
        }
        let two = 2.0_f64.ln();
        assert!((evidence.mean() + 2.0 * two).abs() < 1e-15);
        assert!((evidence.variance() - two * two * 2.0 / 3.0).abs() < 1e-15);
        assert!((evidence.standard_error() - two / 3.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn merging_is_adding() {
        let logs = [0.9, 0.01, 0.3, 0.5, 0.2];
        let add = |from: &[f64]| {
            let mut evidence = LogEvidence::default();
            for &it in from {
                evidence.add(it);
            }
            evidence
        };
        let mut merged = add(&logs[..2]);
        merged.merge(&add(&logs[2..]));
        merged.merge(&LogEvidence::default());
        let all = add(&logs);
        assert_eq!(merged.n(), all.n());
        assert!((merged.mean() - all.mean()).abs() < 1e-14);
        assert!((merged.variance() - all.variance()).abs() < 1e-14);
    }

    #[test]
    fn even_gammas_guess_evenly() {
        let mut builder = CompetitionsBuilder::new();
        for teams in [4_u32, 9] {
            builder.begin();
            (0..teams).for_each(|it| builder.push(&[it % 3]));
            builder.finish(0).unwrap();
        }
        let evidence = mean_log_evidence(&builder.build(), &[1.0; 3]);
        assert_eq!(evidence.n(), 2);
        assert!((evidence.mean() + 36.0_f64.ln() / 2.0).abs() < 1e-15);
    }
}
