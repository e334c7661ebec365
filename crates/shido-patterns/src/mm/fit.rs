//! The sweeps of minorization-maximization.
//!
//! Let `W` be how often an individual was in a winning team and `E` how often it
//! should have been under the present gammas. Both hold the prior: every
//! individual also won and lost `prior_wins` games against an opponent of gamma
//! one. A step multiplies each gamma of a group by `(W / E)^(1/k)`, where `k` is
//! the most members of the group that any team has. For `k = 1` this is Coulom's
//! batch update (ICGA Journal 30(4), 2007): `-ln S` lies above its tangent, and a
//! team's strength is linear in the group's gammas. For `k > 1` the product of
//! the `m <= k` ratios is bounded by the mean of their `k`-th powers and of
//! `k - m` ones, which separates the gammas again.
//!
//! Invariant: no step lowers the likelihood of competitions and prior together.

use thiserror::Error;

use super::competitions::Competitions;
use super::parallel::{chunks, cut, run};
use std::ops::Range;

/// Which individuals are levels of one feature: each group is a range of numbers.
///
/// Groups matter for speed alone. Best are groups of which a team has one member
/// at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    starts: Vec<u32>,
}

impl Groups {
    /// Makes groups that follow one another, of `sizes` individuals each.
    pub fn of_sizes(sizes: &[u32]) -> Self {
        let mut starts = vec![0];
        starts.extend(sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        }));
        Self { starts }
    }

    /// Returns how many individuals there are in all groups.
    pub fn individuals(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    fn ranges(&self) -> impl Iterator<Item = Range<u32>> {
        self.starts.windows(2).map(|it| it[0]..it[1])
    }
}

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Virtual wins, and as many losses, of every individual against gamma 1.
    pub prior_wins: f64,
    /// Most sweeps over all groups.
    pub max_sweeps: usize,
    /// Stops when a sweep raises the mean log-posterior by less than this.
    pub tolerance: f64,
    /// Threads to use; the result does not depend on it.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            prior_wins: 1.0,
            max_sweeps: 100,
            tolerance: 1e-6,
            threads: 1,
        }
    }
}

/// How well the gammas explain the competitions after so many sweeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// Sweeps done; 0 is the start, where all gammas are 1.
    pub index: usize,
    /// Mean logarithm of the winners' probabilities, by weight: (PD10, Eq. 3) on the data.
    pub mean_log_likelihood: f64,
    /// The same with the prior's games added to the sum: this never falls.
    pub mean_log_posterior: f64,
}

/// What a fit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The strength of each individual.
    pub gammas: Vec<f64>,
    /// The start and every sweep, in order.
    pub sweeps: Vec<Sweep>,
}

/// Why nothing was fitted.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FitError {
    /// There is nothing to learn from.
    #[error("there is no competition to fit")]
    Empty,
    /// A team has a member that no group holds.
    #[error("the groups hold {grouped} individuals, the teams {seen}")]
    Ungrouped {
        /// Individuals in the groups.
        grouped: usize,
        /// Individuals in the data.
        seen: usize,
    },
    /// The prior is negative or not a number.
    #[error("{0} virtual wins are impossible")]
    Prior(f64),
}

/// Finds the gammas; `on_sweep` hears of the start and of each sweep.
///
/// ```
/// use shido_patterns::mm::{CompetitionsBuilder, Groups, Settings, fit};
///
/// // Player 0 beats player 1 three times in four.
/// let mut builder = CompetitionsBuilder::new();
/// for winner in [0, 0, 0, 1] {
///     builder.begin();
///     builder.push(&[0]);
///     builder.push(&[1]);
///     builder.finish(winner)?;
/// }
/// let settings = Settings { prior_wins: 0.0, ..Settings::default() };
/// let found = fit(&builder.build(), &Groups::of_sizes(&[2]), &settings, |_| ())?;
/// assert!((found.gammas[0] / found.gammas[1] - 3.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(
    data: &Competitions,
    groups: &Groups,
    settings: &Settings,
    mut on_sweep: impl FnMut(Sweep),
) -> Result<Fit, FitError> {
    let (grouped, seen) = (groups.individuals(), data.individuals());
    if data.is_empty() {
        return Err(FitError::Empty);
    }
    if seen > grouped {
        return Err(FitError::Ungrouped { grouped, seen });
    }
    if !(settings.prior_wins >= 0.0 && settings.prior_wins.is_finite()) {
        return Err(FitError::Prior(settings.prior_wins));
    }
    let groups: Vec<Group> = groups
        .ranges()
        .filter_map(|it| Group::new(data, it))
        .collect();
    let mut state = State::new(data, grouped, settings);
    let mut sweeps = vec![state.report(0)];
    on_sweep(sweeps[0]);
    for index in 1..=settings.max_sweeps {
        for group in &groups {
            state.step(group);
        }
        let sweep = state.report(index);
        let gain = sweep.mean_log_posterior - sweeps[index - 1].mean_log_posterior;
        sweeps.push(sweep);
        on_sweep(sweep);
        if gain < settings.tolerance {
            break;
        }
    }
    Ok(Fit {
        gammas: state.gammas,
        sweeps,
    })
}

/// A range of individuals and the most of them that one team has.
struct Group {
    range: Range<u32>,
    most: usize,
}

impl Group {
    /// Measures a group; none when no team has a member of it.
    fn new(data: &Competitions, range: Range<u32>) -> Option<Self> {
        let members = |team| {
            data.team(team)
                .iter()
                .filter(|it| range.contains(it))
                .count()
        };
        let most = (0..data.distinct_teams()).map(members).max()?;
        (most > 0).then_some(Self { range, most })
    }
}

/// The gammas and what follows from them; `refresh` keeps them in agreement.
struct State<'a> {
    data: &'a Competitions,
    settings: &'a Settings,
    team_chunks: Vec<Range<usize>>,
    competition_chunks: Vec<Range<usize>>,
    gammas: Vec<f64>,
    /// Weighted wins in the data.
    wins: Vec<f64>,
    /// Per team: the product of its gammas.
    strengths: Vec<f64>,
    /// Per competition: its weight over the sum of its teams' strengths.
    shares: Vec<f64>,
    /// Per chunk of competitions: its part of the log-likelihood.
    log_likelihoods: Vec<f64>,
    /// Per chunk of teams: expected wins of the group in hand.
    expected: Vec<Vec<f64>>,
}

impl<'a> State<'a> {
    fn new(data: &'a Competitions, individuals: usize, settings: &'a Settings) -> Self {
        let team_chunks = chunks(&data.by_team.starts);
        let competition_chunks = chunks(&data.by_competition.starts);
        let mut wins = vec![0.0; individuals];
        for (&winner, &weight) in data.winners.iter().zip(&data.weights) {
            for &member in data.team(winner as usize) {
                wins[member as usize] += f64::from(weight);
            }
        }
        let mut state = Self {
            data,
            settings,
            gammas: vec![1.0; individuals],
            wins,
            strengths: vec![1.0; data.distinct_teams()],
            shares: vec![0.0; data.len()],
            log_likelihoods: vec![0.0; competition_chunks.len()],
            expected: vec![Vec::new(); team_chunks.len()],
            team_chunks,
            competition_chunks,
        };
        state.refresh();
        state
    }

    /// Improves the gammas of one group.
    fn step(&mut self, group: &Group) {
        self.expect(group);
        let prior = self.settings.prior_wins;
        for (i, individual) in group.range.clone().enumerate() {
            let individual = individual as usize;
            let gamma = self.gammas[individual];
            let lost_or_won = 2.0 * prior * gamma / (1.0 + gamma);
            let expected = lost_or_won + self.expected.iter().map(|it| it[i]).sum::<f64>();
            if expected > 0.0 {
                let ratio = (self.wins[individual] + prior) / expected;
                self.gammas[individual] *= match group.most {
                    1 => ratio,
                    most => ratio.powf(1.0 / most as f64),
                };
            }
        }
        self.refresh();
    }

    /// Computes how often each member of the group should have won, chunk by chunk.
    fn expect(&mut self, group: &Group) {
        let Self {
            data,
            strengths,
            shares,
            ..
        } = self;
        let jobs = self.team_chunks.iter().zip(&mut self.expected);
        run(self.settings.threads, jobs, |(teams, expected)| {
            expected.clear();
            expected.resize(group.range.len(), 0.0);
            for team in teams.clone() {
                let members = data.team(team);
                // Members are sorted: the group's are next to one another.
                let from = members.iter().position(|&it| it >= group.range.start);
                let Some(from) = from.filter(|&it| members[it] < group.range.end) else {
                    continue;
                };
                let (competitions, counts) = data.by_team.list(team);
                let mut share = 0.0;
                for (&competition, &count) in competitions.iter().zip(counts) {
                    share += f64::from(count) * shares[competition as usize];
                }
                let wins = share * strengths[team];
                for &member in members[from..]
                    .iter()
                    .take_while(|&&it| it < group.range.end)
                {
                    expected[(member - group.range.start) as usize] += wins;
                }
            }
        });
    }

    /// Brings strengths, shares and log-likelihoods up to date with the gammas.
    fn refresh(&mut self) {
        let Self { data, gammas, .. } = self;
        let strengths = cut(&self.team_chunks, &mut self.strengths);
        let jobs = self.team_chunks.iter().zip(strengths);
        run(self.settings.threads, jobs, |(teams, strengths)| {
            for (team, strength) in teams.clone().zip(strengths) {
                *strength = data.strength(team, gammas);
            }
        });
        let strengths = &self.strengths;
        let shares = cut(&self.competition_chunks, &mut self.shares);
        let jobs = self
            .competition_chunks
            .iter()
            .zip(shares)
            .zip(&mut self.log_likelihoods);
        run(
            self.settings.threads,
            jobs,
            |((competitions, shares), log_likelihood)| {
                *log_likelihood = 0.0;
                for (competition, share) in competitions.clone().zip(shares) {
                    let (teams, counts) = data.by_competition.list(competition);
                    let mut sum = 0.0;
                    for (&team, &count) in teams.iter().zip(counts) {
                        sum += f64::from(count) * strengths[team as usize];
                    }
                    let weight = f64::from(data.weights[competition]);
                    *share = weight / sum;
                    let winner = strengths[data.winners[competition] as usize];
                    *log_likelihood += weight * (winner / sum).ln();
                }
            },
        );
    }

    fn report(&self, index: usize) -> Sweep {
        let weight = self.data.total_weight();
        let likelihood: f64 = self.log_likelihoods.iter().sum();
        let prior = self.settings.prior_wins;
        // With no prior a gamma may be 0, and 0 times its logarithm is 0 here.
        let virtual_games: f64 = match prior {
            0.0 => 0.0,
            _ => self
                .gammas
                .iter()
                .map(|it| prior * (it.ln() - 2.0 * (1.0 + it).ln()))
                .sum(),
        };
        Sweep {
            index,
            mean_log_likelihood: likelihood / weight,
            mean_log_posterior: (likelihood + virtual_games) / weight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mm::{CompetitionsBuilder, synthetic};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn build(competitions: &[(Vec<Vec<u32>>, usize, f32)]) -> Competitions {
        let mut builder = CompetitionsBuilder::new();
        for (teams, winner, weight) in competitions {
            builder.begin();
            for team in teams {
                builder.push(team);
            }
            builder
                .finish_weighted(winner % teams.len(), *weight)
                .unwrap();
        }
        builder.build()
    }

    /// Any data: teams with several members of a group, one member twice, or none.
    fn any_data() -> impl Strategy<Value = Competitions> {
        let team = vec(0..12_u32, 0..5);
        let competition = (vec(team, 1..8), 0..8_usize, 0.25..3.0_f32);
        vec(competition, 1..20).prop_map(|it| build(&it))
    }

    proptest! {
        #[test]
        fn the_likelihood_never_falls(
            data in any_data(),
            cuts in prop_oneof![Just(vec![12]), Just(vec![3, 4, 5]), Just(vec![1; 12])],
            prior_wins in prop_oneof![Just(0.0), Just(1.0), 0.0..3.0],
        ) {
            let settings = Settings { prior_wins, max_sweeps: 30, tolerance: -1.0, threads: 1 };
            let found = fit(&data, &Groups::of_sizes(&cuts), &settings, |_| ()).unwrap();
            prop_assert_eq!(found.sweeps.len(), 31);
            for pair in found.sweeps.windows(2) {
                let (before, after) = (pair[0].mean_log_posterior, pair[1].mean_log_posterior);
                prop_assert!(after >= before - 1e-12 * before.abs().max(1.0), "{before} to {after}");
            }
        }

    }

    proptest! {
        // Threads take longer to start than these fits to run.
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn threads_change_no_bit(data in any_data(), threads in 2..7_usize) {
            let groups = Groups::of_sizes(&[5, 7]);
            let one = Settings { max_sweeps: 5, ..Settings::default() };
            let many = Settings { threads, ..one };
            let on_one = fit(&data, &groups, &one, |_| ()).unwrap();
            prop_assert_eq!(on_one, fit(&data, &groups, &many, |_| ()).unwrap());
        }
    }

    #[test]
    fn at_the_end_everyone_wins_as_often_as_expected() {
        for sizes in [vec![12], vec![4; 3], vec![1; 12]] {
            let teams = |i: u32| vec![vec![i % 12, i % 5], vec![i % 7, i % 3, i % 3], vec![11]];
            let data: Vec<_> = (0..60).map(|i| (teams(i), (i * i) as usize, 1.0)).collect();
            let data = build(&data);
            let settings = Settings {
                max_sweeps: 5000,
                tolerance: 1e-16,
                ..Settings::default()
            };
            let gammas = fit(&data, &Groups::of_sizes(&sizes), &settings, |_| ())
                .unwrap()
                .gammas;
            let mut state = State::new(&data, 12, &settings);
            state.gammas.copy_from_slice(&gammas);
            state.refresh();
            state.expect(&Group {
                range: 0..12,
                most: 3,
            });
            for i in 0..12 {
                let expected: f64 = state.expected.iter().map(|it| it[i]).sum();
                let prior = 2.0 * gammas[i] / (1.0 + gammas[i]);
                let error = state.wins[i] + 1.0 - expected - prior;
                assert!(
                    error.abs() < 1e-4,
                    "{sizes:?}: individual {i} off by {error}"
                );
            }
        }
    }

    #[test]
    fn it_finds_the_gammas_that_made_the_data() {
        let made = synthetic(1000, 7);
        let settings = Settings {
            threads: 2,
            max_sweeps: 12,
            ..Settings::default()
        };
        let mut heard = Vec::new();
        let found = fit(&made.data, &made.groups, &settings, |it| heard.push(it)).unwrap();
        assert_eq!(heard, found.sweeps);
        // Every team has one of the second group: these gammas are known up to a
        // factor, and the logarithm of one of `n` wins to about `1 / sqrt(n)`.
        let wins = State::new(&made.data, 2000, &settings).wins;
        let log = |gammas: &[f64], i: usize| (gammas[i] / gammas[1900]).ln();
        for i in 1901..1910 {
            let (truth, guess) = (log(&made.gammas, i), log(&found.gammas, i));
            let error = (1.0 / (1.0 + wins[i]) + 1.0 / wins[1900]).sqrt();
            assert!(
                (truth - guess).abs() < 3.0 * error,
                "{i}: {guess}, made with {truth}"
            );
        }
    }

    #[test]
    fn an_individual_that_never_played_stays_at_one() {
        let data = build(&[(vec![vec![0], vec![1]], 0, 1.0)]);
        let found = fit(&data, &Groups::of_sizes(&[3]), &Settings::default(), |_| ()).unwrap();
        assert_eq!(found.gammas[2], 1.0);
        assert!(found.gammas[0] > 1.0 && found.gammas[1] < 1.0);
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let data = build(&[(vec![vec![4], vec![1]], 0, 1.0)]);
        let settings = Settings::default();
        let fails = |data: &Competitions, size, settings: &Settings| {
            fit(data, &Groups::of_sizes(&[size]), settings, |_| ()).unwrap_err()
        };
        assert_eq!(fails(&build(&[]), 5, &settings), FitError::Empty);
        assert_eq!(
            fails(&data, 3, &settings),
            FitError::Ungrouped {
                grouped: 3,
                seen: 5
            }
        );
        let settings = Settings {
            prior_wins: -1.0,
            ..settings
        };
        assert_eq!(fails(&data, 5, &settings), FitError::Prior(-1.0));
    }
}
