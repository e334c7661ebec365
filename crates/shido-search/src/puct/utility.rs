//! From an evaluation to what the search maximizes, as KataGo has it.
//!
//! The result counts ±1. The score adds a bounded bonus: the mean of
//! `2/π · atan((score − center) / (scale · √area))` over the score's distribution,
//! taken as normal; once around zero with scale 2 (static), once around what is
//! expected at the root (dynamic). All numbers are Black's.

use std::f64::consts::{FRAC_2_PI, LN_2, PI};

use super::settings::{UncertaintySettings, UtilitySettings};
use crate::{Evaluation, Flip, ForMover, Points, WinRate};
use shido_go::Color;

/// Scale of the static part.
const STATIC_SCALE: f64 = 2.0;
/// Standard deviations on both sides that the mean is taken over.
const REACH: f64 = 5.0;

/// What an evaluation says, from Black's side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Values {
    /// The chance to win less the chance to lose.
    pub(super) win_loss: f64,
    pub(super) no_result: f64,
    pub(super) score_mean: f64,
    /// The mean of the squared score.
    pub(super) score_square: f64,
    pub(super) lead: f64,
}

impl Values {
    /// Turns an evaluation to Black's side.
    ///
    /// By a change of sign alone, so that a game with colors swapped is searched alike
    /// to the last bit.
    pub(super) fn of(evaluation: &Evaluation, to_move: Color) -> Values {
        let sign = match to_move {
            Color::Black => 1.0,
            Color::White => -1.0,
        };
        let ForMover(WinRate(win_rate)) = evaluation.win_rate;
        let ForMover(Points(score_mean)) = evaluation.score_mean;
        let ForMover(Points(lead)) = evaluation.lead;
        let deviation = f64::from(evaluation.score_deviation.0);
        let score_mean = sign * f64::from(score_mean);
        Values {
            win_loss: sign * (2.0 * f64::from(win_rate) - 1.0),
            no_result: f64::from(evaluation.no_result),
            score_mean,
            score_square: score_mean * score_mean + deviation * deviation,
            lead: sign * f64::from(lead),
        }
    }

    /// Returns the values of a game that ended with Black `lead` points ahead.
    pub(super) fn ended(lead: f32) -> Values {
        let score = f64::from(lead);
        Values {
            win_loss: if lead == 0.0 { 0.0 } else { score.signum() },
            no_result: 0.0,
            score_mean: score,
            score_square: score * score,
            lead: score,
        }
    }

    pub(super) fn score_deviation(&self) -> f64 {
        (self.score_square - self.score_mean * self.score_mean)
            .max(0.0)
            .sqrt()
    }
}

/// The utility of values at one root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    settings: UtilitySettings,
    root_area: f64,
    /// The score that the dynamic part is centered at.
    center: f64,
}

impl Scale {
    pub(super) fn new(settings: UtilitySettings, area: usize) -> Scale {
        Scale {
            settings,
            root_area: (area as f64).sqrt(),
            center: 0.0,
        }
    }

    /// Centers the dynamic part near the score expected at the root: a fifth of the
    /// way to zero, but not further than the part is wide.
    pub(super) fn expect(&mut self, score: f64) {
        let toward_zero = score * (1.0 - f64::from(self.settings.center_zero_weight));
        let most = self.root_area * f64::from(self.settings.center_scale);
        self.center = toward_zero.clamp(score - most, score + most);
    }

    /// Returns the largest utility there is.
    pub(super) fn radius(&self) -> f64 {
        let UtilitySettings {
            win_loss,
            static_score,
            dynamic_score,
            ..
        } = self.settings;
        f64::from(win_loss + static_score + dynamic_score)
    }

    /// Returns the result's share of the largest utility.
    pub(super) fn result_share(&self) -> f64 {
        f64::from(self.settings.win_loss) / self.radius().max(1e-20)
    }

    /// Returns what values are worth.
    pub(super) fn utility(&self, values: &Values) -> f64 {
        let result = values.win_loss * f64::from(self.settings.win_loss)
            + values.no_result * f64::from(self.settings.no_result);
        result + self.score_utility(values.score_mean, values.score_deviation())
    }

    fn score_utility(&self, mean: f64, deviation: f64) -> f64 {
        self.parts()
            .iter()
            .filter(|part| part.factor != 0.0)
            .map(|part| {
                let width = part.width;
                part.factor * mean_atan((mean - part.center) / width, deviation / width)
            })
            .sum()
    }

    /// Returns what a few points more are worth.
    pub(super) fn worth(&self, values: &Values, points: f64) -> f64 {
        let deviation = values.score_deviation();
        let slope: f64 = self
            .parts()
            .iter()
            .map(|part| {
                let x = (values.score_mean - part.center) / part.width;
                part.factor * mean_slope(x, deviation / part.width) / part.width
            })
            .sum();
        slope * points
    }

    /// Returns what an evaluation counts that is off by so much.
    pub(super) fn weight(
        &self,
        settings: &UncertaintySettings,
        values: &Values,
        win_loss_error: f64,
        score_error: f64,
    ) -> f64 {
        let slope: f64 = self
            .parts()
            .iter()
            .map(|part| {
                let x = (values.score_mean - part.center) / part.width;
                part.factor * FRAC_2_PI / (1.0 + x * x) / part.width
            })
            .sum();
        let error = f64::from(self.settings.win_loss) * win_loss_error + slope * score_error;
        let coefficient = f64::from(settings.coefficient);
        let floor = coefficient / f64::from(settings.max_weight);
        coefficient / (error.max(0.0).powf(f64::from(settings.exponent)) + floor)
    }

    fn parts(&self) -> [Part; 2] {
        let UtilitySettings {
            static_score,
            dynamic_score,
            center_scale,
            ..
        } = self.settings;
        [
            Part {
                factor: f64::from(static_score),
                center: 0.0,
                width: STATIC_SCALE * self.root_area,
            },
            Part {
                factor: f64::from(dynamic_score),
                center: self.center,
                width: f64::from(center_scale) * self.root_area,
            },
        ]
    }
}

/// One of the two bonuses for the score.
struct Part {
    factor: f64,
    center: f64,
    width: f64,
}

/// Returns the mean of `2/π · atan(x + y·z)` over a standard normal `z`.
fn mean_atan(x: f64, y: f64) -> f64 {
    // Steps small beside the distribution and beside the bend of the function.
    let step = (0.5 / y).clamp(0.1, 0.5);
    let steps = (REACH / step).ceil() as i32;
    if y < 1e-6 {
        return x.atan() * FRAC_2_PI;
    }
    let (mut sum, mut total) = (0.0, 0.0);
    for i in -steps..=steps {
        let z = f64::from(i) * step;
        let density = (-0.5 * z * z).exp();
        sum += density * (x + y * z).atan();
        total += density;
    }
    sum / total * FRAC_2_PI
}

/// Returns about the slope of [`mean_atan`] in `x`, which is a Voigt profile; the
/// mixture of a Lorentz and a Gauss curve that is usual for it is within two percent.
fn mean_slope(x: f64, y: f64) -> f64 {
    let lorentz: f64 = 2.0;
    let gauss = 2.0 * y * (2.0 * LN_2).sqrt();
    let fwhm = (gauss.powi(5)
        + 2.69269 * gauss.powi(4) * lorentz
        + 2.42843 * gauss.powi(3) * lorentz.powi(2)
        + 4.47163 * gauss.powi(2) * lorentz.powi(3)
        + 0.07842 * gauss * lorentz.powi(4)
        + lorentz.powi(5))
    .powf(0.2);
    let ratio = lorentz / fwhm;
    let share = 1.36603 * ratio - 0.47719 * ratio * ratio + 0.11116 * ratio.powi(3);
    let half = 0.5 * fwhm;
    let as_lorentz = half / PI / (x * x + half * half);
    let sigma = fwhm / (2.0 * (2.0 * LN_2).sqrt());
    let as_gauss = (-0.5 * (x / sigma).powi(2)).exp() / (sigma * (2.0 * PI).sqrt());
    2.0 * (share * as_lorentz + (1.0 - share) * as_gauss)
}

/// Turns a value of the player to move to Black's side, and back.
pub(super) fn side<T: Flip>(value: T, to_move: Color) -> T {
    match to_move {
        Color::Black => value,
        Color::White => value.flip(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(expected: f64) -> Scale {
        let mut scale = Scale::new(UtilitySettings::default(), 361);
        scale.expect(expected);
        scale
    }

    #[track_caller]
    fn check(found: f64, expected: f64, within: f64) {
        assert!(
            (found - expected).abs() < within,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn the_center_is_drawn_toward_zero_but_not_far() {
        check(scale(10.0).center, 8.0, 1e-6);
        check(scale(-10.0).center, -8.0, 1e-6);
        // A fifth of 100 is 20, more than 0.75 · 19 = 14.25.
        check(scale(100.0).center, 85.75, 1e-6);
    }

    #[test]
    fn a_sure_score_is_worth_its_arc_tangent() {
        // 0.1 · 2/π · atan(19/38) + 0.3 · 2/π · atan((19 − 8)/14.25)
        let expected = 0.1 * FRAC_2_PI * 0.5f64.atan() + 0.3 * FRAC_2_PI * (11.0f64 / 14.25).atan();
        let values = Values {
            win_loss: 1.0,
            ..Values::ended(19.0)
        };
        check(scale(10.0).utility(&values), 1.0 + expected, 1e-6);
    }

    #[test]
    fn an_unsure_score_is_worth_the_mean() {
        // By a thousand equal slices of the normal distribution.
        let slices = 4000;
        let mean: f64 = (0..slices)
            .map(|i| {
                let z = -6.0 + 12.0 * (f64::from(i) + 0.5) / f64::from(slices);
                let density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
                density * (1.5 + 3.0 * z).atan() * FRAC_2_PI * 12.0 / f64::from(slices)
            })
            .sum();
        check(mean_atan(1.5, 3.0), mean, 1e-4);
        check(mean_atan(0.0, 3.0), 0.0, 1e-6);
        check(mean_atan(-1.5, 3.0), -mean, 1e-4);
    }

    #[test]
    fn a_point_more_is_worth_about_the_slope() {
        for (x, y) in [(0.0, 0.5), (0.7, 1.0), (-2.0, 3.0), (3.0, 0.2)] {
            let slope = (mean_atan(x + 0.01, y) - mean_atan(x - 0.01, y)) / 0.02;
            check(mean_slope(x, y), slope, 0.03 * slope);
        }
    }

    #[test]
    fn a_surer_evaluation_counts_more() {
        let settings = UncertaintySettings::default();
        let weight = |error| scale(0.0).weight(&settings, &Values::default(), error, 0.0);
        check(weight(0.0), 8.0, 1e-9);
        // 0.25 / (0.25 + 0.25/8)
        check(weight(0.25), 0.25 / 0.28125, 1e-6);
        assert!(weight(0.5) < weight(0.25));
    }

    #[test]
    fn values_are_blacks() {
        let evaluation = Evaluation {
            policy: Box::new([]),
            win_rate: ForMover(WinRate(0.8)),
            no_result: 0.0,
            score_mean: ForMover(Points(5.0)),
            score_deviation: Points(2.0),
            lead: ForMover(Points(4.0)),
            variance_time: None,
            short_term_win_loss_error: None,
            short_term_score_error: None,
            ownership: None,
        };
        let black = Values::of(&evaluation, Color::Black);
        let white = Values::of(&evaluation, Color::White);
        check(black.win_loss, 0.6, 1e-6);
        check(white.win_loss, -0.6, 1e-6);
        assert_eq!((black.lead, white.lead), (4.0, -4.0));
        check(white.score_deviation(), 2.0, 1e-6);
    }
}
