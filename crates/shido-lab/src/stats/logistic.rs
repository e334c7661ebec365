//! Which value of a setting wins a share of the games: a logistic fit.
//!
//! The chance to win is taken as 1/(1 + e^−(a + b·x)), x being the setting. The fit is
//! by Newton's method with a weak prior on the slope, so that games that are all won or
//! all lost do not send it to infinity. The interval is a bootstrap over games.

use super::bootstrap::Bootstrap;
use super::estimate::Estimate;

/// One game at one value of the setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// The setting.
    pub x: f64,
    /// 1 won, 0 lost, ½ drawn.
    pub points: f64,
}

/// Steps of Newton's method; it has long settled by then.
const STEPS: usize = 50;
/// Games' worth of belief that the setting does not matter, per standard deviation.
const PRIOR: f64 = 0.1;

/// The curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// The odds' logarithm where the setting is 0.
    pub intercept: f64,
    /// What a unit of the setting adds to it.
    pub slope: f64,
}

impl Curve {
    /// Fits the curve; `None` if all games were at one value.
    pub fn fit(trials: &[Trial]) -> Option<Curve> {
        let n = trials.len() as f64;
        let mean = trials.iter().map(|it| it.x).sum::<f64>() / n;
        let square = |it: &Trial| (it.x - mean).powi(2);
        let deviation = (trials.iter().map(square).sum::<f64>() / n).sqrt();
        if deviation.is_nan() || deviation <= 0.0 {
            return None;
        }
        // Around the mean and in deviations, where both numbers are about 1.
        let (mut a, mut b) = (0.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            let (mut ga, mut gb) = (-PRIOR * a, -PRIOR * b);
            let (mut aa, mut ab, mut bb) = (PRIOR, 0.0, PRIOR);
            for it in trials {
                let x = (it.x - mean) / deviation;
                let p = 1.0 / (1.0 + (-(a + b * x)).exp());
                let weight = (p * (1.0 - p)).max(1e-9);
                ga += it.points - p;
                gb += (it.points - p) * x;
                aa += weight;
                ab += weight * x;
                bb += weight * x * x;
            }
            let determinant = aa * bb - ab * ab;
            // A long step is cut, so that it does not jump over the top.
            a += ((bb * ga - ab * gb) / determinant).clamp(-2.0, 2.0);
            b += ((aa * gb - ab * ga) / determinant).clamp(-2.0, 2.0);
        }
        let slope = b / deviation;
        Some(Curve {
            intercept: a - slope * mean,
            slope,
        })
    }

    /// Returns the setting at which a share of the games is won.
    pub fn at(&self, share: f64) -> f64 {
        let odds = (share / (1.0 - share)).ln();
        (odds - self.intercept) / self.slope
    }
}

/// Returns the setting at which a share of the games is won, and its interval.
pub fn setting_for(trials: &[Trial], share: f64, bootstrap: &Bootstrap) -> Estimate {
    bootstrap.estimate(trials, |drawn| {
        let drawn: Vec<Trial> = drawn.iter().map(|&&it| it).collect();
        let curve = Curve::fit(&drawn);
        curve.map_or(f64::NAN, |it| it.at(share))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games at 1 to 5 of which the share won is that of a curve through (3, ½).
    fn trials(slope: f64, games: usize) -> Vec<Trial> {
        let mut trials = Vec::new();
        for x in [1.0, 2.0, 3.0, 4.0, 5.0] {
            let share = 1.0 / (1.0 + (-slope * (x - 3.0)).exp());
            let won = (share * games as f64).round() as usize;
            trials.extend((0..games).map(|i| Trial {
                x,
                points: f64::from(u8::from(i < won)),
            }));
        }
        trials
    }

    #[test]
    fn the_curve_that_made_the_games_is_found() {
        let trials = trials(-0.8, 400);
        let curve = Curve::fit(&trials).unwrap();
        assert!((curve.slope + 0.8).abs() < 0.02, "{curve:?}");
        assert!((curve.at(0.5) - 3.0).abs() < 0.02, "{curve:?}");
        assert!(
            curve.at(0.6) < 3.0,
            "more is given away, fewer games are won"
        );
        let few = Bootstrap {
            resamples: 200,
            ..Bootstrap::default()
        };
        let found = setting_for(&trials, 0.5, &few);
        assert!(found.low < 3.0 && 3.0 < found.high && found.high - found.low < 0.4);
        assert_eq!(found.n, 2000);
    }

    #[test]
    fn games_that_tell_nothing_are_borne() {
        let won = |x| Trial { x, points: 1.0 };
        assert_eq!(Curve::fit(&[won(2.0), won(2.0)]), None);
        assert_eq!(Curve::fit(&[]), None);
        let curve = Curve::fit(&[won(1.0), won(2.0)]).unwrap();
        assert!(curve.intercept.is_finite() && curve.slope.is_finite());
    }
}
