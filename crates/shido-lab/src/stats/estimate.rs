//! A number with its 95 % interval and the observations it rests on.

use std::fmt;

use serde::Serialize;

/// The standard normal deviate of a two-sided 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A measured value; with no observation, value and interval are not numbers.
///
/// ```
/// use shido_lab::stats::Estimate;
///
/// let it = Estimate { value: 3.4264, low: 3.3, high: 3.55, n: 500 };
/// assert_eq!(it.to_string(), "3.43 [3.30, 3.55], n = 500");
/// assert_eq!(format!("{it:.1}"), "3.4 [3.3, 3.5], n = 500");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// What was measured.
    pub value: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// How many observations (games, moves) it comes from.
    pub n: u64,
}

impl Estimate {
    /// What is known from no observation.
    pub const NONE: Self = Self {
        value: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
        n: 0,
    };

    /// Applies a rising function to the value and to both ends.
    pub fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self {
            value: rising(self.value),
            low: rising(self.low),
            high: rising(self.high),
            n: self.n,
        }
    }

    /// Shows a share of 1 in percent.
    pub fn percent(self) -> Percent {
        Percent(self)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, f.precision().unwrap_or(2), "")
    }
}

/// An [`Estimate`] of a share, shown in percent.
///
/// ```
/// use shido_lab::stats::wilson::wilson;
///
/// let rate = wilson(52.0, 100).percent();
/// assert_eq!(rate.to_string(), "52.0 % [42.3, 61.5], n = 100");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percent(Estimate);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredfold = self.0.map(|it| 100.0 * it);
        write(f, &hundredfold, f.precision().unwrap_or(1), " %")
    }
}

fn write(f: &mut fmt::Formatter<'_>, it: &Estimate, digits: usize, unit: &str) -> fmt::Result {
    let Estimate {
        value,
        low,
        high,
        n,
    } = it;
    if *n == 0 {
        return f.write_str("none, n = 0");
    }
    write!(
        f,
        "{value:.digits$}{unit} [{low:.digits$}, {high:.digits$}], n = {n}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_observation_shows_no_number() {
        assert_eq!(Estimate::NONE.to_string(), "none, n = 0");
        assert_eq!(Estimate::NONE.percent().to_string(), "none, n = 0");
    }

    #[test]
    fn percent_keeps_the_digits_asked_for() {
        let share = Estimate {
            value: 0.00589,
            low: 0.0051,
            high: 0.0062,
            n: 3000,
        };
        assert_eq!(
            format!("{:.3}", share.percent()),
            "0.589 % [0.510, 0.620], n = 3000"
        );
    }
}
