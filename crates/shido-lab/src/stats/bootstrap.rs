//! Percentile bootstrap intervals, resampled by game.
//!
//! B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), §13.3.
//! The units that are drawn again should be independent: games, not moves. Equal
//! data, settings and seed give equal intervals.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::estimate::Estimate;

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    /// How often the data are drawn again.
    pub resamples: usize,
    /// Where the drawing starts.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self {
            resamples: 2000,
            seed: 1,
        }
    }
}

/// What one game adds to a mean over moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Total {
    /// Sum of the values.
    pub sum: f64,
    /// How many values there are.
    pub count: u64,
}

impl FromIterator<f64> for Total {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut total = Self::default();
        for value in values {
            total.sum += value;
            total.count += 1;
        }
        total
    }
}

impl Bootstrap {
    /// Returns a statistic of `units` and its interval; `n` is the number of units.
    ///
    /// A resample on which the statistic is not a number is left out.
    pub fn estimate<T>(&self, units: &[T], statistic: impl Fn(&[&T]) -> f64) -> Estimate {
        if units.is_empty() {
            return Estimate::NONE;
        }
        let mut drawn: Vec<&T> = units.iter().collect();
        let value = statistic(&drawn);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut values = Vec::with_capacity(self.resamples);
        for _ in 0..self.resamples {
            for slot in &mut drawn {
                *slot = &units[below(&mut rng, units.len())];
            }
            let value = statistic(&drawn);
            if !value.is_nan() {
                values.push(value);
            }
        }
        values.sort_unstable_by(f64::total_cmp);
        Estimate {
            value,
            low: quantile(&values, 0.025),
            high: quantile(&values, 0.975),
            n: units.len() as u64,
        }
    }

    /// Returns the mean over all values of all games; `n` is the number of values.
    pub fn mean(&self, games: &[Total]) -> Estimate {
        let n = games.iter().map(|it| it.count).sum();
        if n == 0 {
            return Estimate::NONE;
        }
        let mean = |games: &[&Total]| {
            let sum: f64 = games.iter().map(|it| it.sum).sum();
            sum / games.iter().map(|it| it.count).sum::<u64>() as f64
        };
        Estimate {
            n,
            ..self.estimate(games, mean)
        }
    }
}

/// Draws a number below `bound`, without bias that a double could show.
pub(crate) fn below(rng: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}

/// Returns the `p`-quantile of sorted values, between neighbors in proportion.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = p * last as f64;
    let (below, share) = (place.floor() as usize, place.fract());
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    if a == b { a } else { a + share * (b - a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_eleven_numbers() {
        let sorted: Vec<f64> = (0..=10).map(f64::from).collect();
        assert_eq!(quantile(&sorted, 0.5), 5.0);
        assert_eq!(quantile(&sorted, 0.025), 0.25);
        assert_eq!(quantile(&sorted, 1.0), 10.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn the_mean_of_independent_values_has_the_normal_interval() {
        // 400 values of 0 and 1, half each: standard error 0.025.
        let games: Vec<Total> = (0..400)
            .map(|i| [f64::from(i % 2)].into_iter().collect())
            .collect();
        let found = Bootstrap::default().mean(&games);
        assert_eq!((found.value, found.n), (0.5, 400));
        assert!((found.high - 0.549).abs() < 0.005, "{found}");
        assert!((found.low - 0.451).abs() < 0.005, "{found}");
    }

    #[test]
    fn moves_of_one_game_do_not_count_as_many_games() {
        // Each game repeats one value ten times: the interval must not shrink.
        let once: Vec<Total> = (0..50)
            .map(|i| Total {
                sum: f64::from(i),
                count: 1,
            })
            .collect();
        let often: Vec<Total> = (0..50)
            .map(|i| Total {
                sum: f64::from(10 * i),
                count: 10,
            })
            .collect();
        let (once, often) = (
            Bootstrap::default().mean(&once),
            Bootstrap::default().mean(&often),
        );
        assert!((once.low - often.low).abs() < 1e-9 && (once.high - often.high).abs() < 1e-9);
        assert_eq!((once.n, often.n), (50, 500));
    }

    #[test]
    fn equal_seeds_give_equal_intervals() {
        let games: Vec<Total> = (0..9)
            .map(|i| Total {
                sum: f64::from(i * i),
                count: 2,
            })
            .collect();
        let with = |seed| {
            Bootstrap {
                seed,
                resamples: 100,
            }
            .mean(&games)
        };
        assert_eq!(with(3), with(3));
        assert_ne!(with(3), with(4));
        assert_eq!(Bootstrap::default().mean(&[]).n, 0);
    }
}
