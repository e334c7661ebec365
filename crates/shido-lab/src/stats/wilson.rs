//! Wilson's score interval of a share, such as a win rate.
//!
//! E. B. Wilson, Journal of the American Statistical Association 22 (1927). It
//! stays within 0 and 1 and holds its level for few games and lopsided results,
//! where the usual `p ± z sqrt(p (1 - p) / n)` of the papers does not.

use super::estimate::{Estimate, Z95};

/// Returns the share of `wins` in `n` games; a draw may count as half a win.
pub fn wilson(wins: f64, n: u64) -> Estimate {
    if n == 0 {
        return Estimate::NONE;
    }
    let games = n as f64;
    let value = wins / games;
    let spread = Z95 * Z95 / games;
    let center = (value + spread / 2.0) / (1.0 + spread);
    let half =
        Z95 * (value * (1.0 - value) / games + spread / (4.0 * games)).sqrt() / (1.0 + spread);
    Estimate {
        value,
        // Exact at the ends, where rounding would leave a crumb.
        low: if wins <= 0.0 { 0.0 } else { center - half },
        high: if value >= 1.0 { 1.0 } else { center + half },
        n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wins: f64, n: u64, low: f64, high: f64) {
        let found = wilson(wins, n);
        assert!((found.low - low).abs() < 5e-5, "{found:?}");
        assert!((found.high - high).abs() < 5e-5, "{found:?}");
    }

    #[test]
    fn published_intervals() {
        // R. G. Newcombe, Statistics in Medicine 17 (1998), Table I, method 3.
        check(81.0, 263, 0.2553, 0.3662);
        check(15.0, 148, 0.0624, 0.1605);
        check(0.0, 20, 0.0, 0.1611);
        check(1.0, 29, 0.0061, 0.1718);
    }

    #[test]
    fn a_win_rate_of_hi24() {
        // (HI24, Table 1): 52.0 ± 4.4 % of 500 games.
        let found = wilson(260.0, 500);
        assert!(((found.high - found.low) / 2.0 - 0.044).abs() < 0.0005);
    }

    #[test]
    fn all_and_nothing_stay_within_bounds() {
        assert_eq!(wilson(0.0, 3).low, 0.0);
        assert_eq!(wilson(3.0, 3).high, 1.0);
        assert_eq!(wilson(0.0, 0).n, 0);
    }
}
