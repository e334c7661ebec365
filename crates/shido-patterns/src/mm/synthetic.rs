//! Competitions made from known gammas, to test and to time the fit.
//!
//! They look like the moves of a game: 100 teams of 5 individuals, 2,000
//! individuals in 8 groups, few of which are seen often and many seldom.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::builder::CompetitionsBuilder;
use super::competitions::Competitions;
use super::fit::Groups;

/// Teams in a competition.
const TEAMS: usize = 100;
/// Sizes of the groups: shapes, then levels of smaller features.
const SIZES: [u32; 8] = [1900, 30, 30, 20, 8, 6, 4, 2];
/// Groups of which every team has a member.
const ALWAYS: usize = 3;

/// Competitions and the gammas that decided them.
#[derive(Debug, Clone)]
pub struct Synthetic {
    /// The competitions.
    pub data: Competitions,
    /// The groups of their individuals.
    pub groups: Groups,
    /// The gammas by which winners were drawn.
    pub gammas: Vec<f64>,
}

/// Draws `competitions` competitions; equal seeds give equal ones.
pub fn synthetic(competitions: usize, seed: u64) -> Synthetic {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let groups = Groups::of_sizes(&SIZES);
    let gammas: Vec<f64> = (0..groups.individuals())
        .map(|_| (4.0 * uniform(&mut rng) - 2.0).exp())
        .collect();
    let mut builder = CompetitionsBuilder::new();
    let mut sums = Vec::with_capacity(TEAMS);
    for _ in 0..competitions {
        builder.begin();
        sums.clear();
        let mut sum = 0.0;
        for _ in 0..TEAMS {
            let team = draw_team(&mut rng);
            builder.push(&team);
            sum += team.iter().map(|&it| gammas[it as usize]).product::<f64>();
            sums.push(sum);
        }
        let ball = uniform(&mut rng) * sum;
        let winner = sums.partition_point(|&it| it <= ball).min(TEAMS - 1);
        builder
            .finish(winner)
            .expect("the winner is one of the teams");
    }
    Synthetic {
        data: builder.build(),
        groups,
        gammas,
    }
}

/// Draws members of the first groups and of two of the others.
fn draw_team(rng: &mut Xoshiro256PlusPlus) -> [u32; ALWAYS + 2] {
    let others = SIZES.len() - ALWAYS;
    let first = ALWAYS + (uniform(rng) * others as f64) as usize;
    let step = 1 + (uniform(rng) * (others - 1) as f64) as usize;
    let second = ALWAYS + (first - ALWAYS + step) % others;
    [0, 1, 2, first, second].map(|group| {
        let start: u32 = SIZES[..group].iter().sum();
        // The cube makes low numbers common and high ones rare.
        start + (uniform(rng).powi(3) * f64::from(SIZES[group])) as u32
    })
}

/// Draws a number in 0..1.
fn uniform(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_size_it_promises() {
        let made = synthetic(50, 1);
        assert_eq!(made.data.len(), 50);
        assert_eq!(made.gammas.len(), 2000);
        assert!((0..made.data.distinct_teams()).all(|it| made.data.team(it).len() == 5));
        assert_eq!(made.data, synthetic(50, 1).data);
        assert_ne!(made.data, synthetic(50, 2).data);
    }
}
