//! The candidates of a turn: what all answers so far say about each move.
//!
//! A row joins the search's numbers with the two move models. Only legal moves get
//! a row, and only numbers that are numbers: a policy can compute without fear.
//!
//! Here is also [`merged`], which joins two reports of the same move by visits, so
//! that a second round adds to the first (HI24, §4.1).

use shido_go::Move;
use shido_search::{Candidate, ForMover, Points, Utility, WinRate};

use super::step::View;

/// One candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Row {
    /// The move.
    pub(super) mv: Move,
    /// Simulations behind the numbers.
    pub(super) visits: u64,
    /// The mover's chance to win, as searched.
    pub(super) win_rate: f32,
    /// The mover's lead, as searched: with the komi offset of the ask.
    pub(super) lead: f32,
    /// How likely a human plays it (`p′`).
    pub(super) naturalness: f32,
}

impl Row {
    /// Returns a move that no search has looked at.
    pub(super) fn unsearched(view: &View<'_>, mv: Move) -> Row {
        Row {
            mv,
            visits: 0,
            win_rate: 0.0,
            lead: 0.0,
            naturalness: view.naturalness(mv),
        }
    }
}

/// Collects the searched legal moves, the analyst's order kept; a later answer with as
/// many visits or more replaces an earlier one.
pub(super) fn rows(view: &View<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for candidate in view.answers.iter().flat_map(|it| &it.candidates) {
        let Some(row) = row(view, candidate) else {
            continue;
        };
        match rows.iter_mut().find(|it| it.mv == row.mv) {
            Some(known) if known.visits <= row.visits => *known = row,
            Some(_) => {}
            None => rows.push(row),
        }
    }
    rows
}

/// Returns a row, if the move is legal, was searched and has numbers.
fn row(view: &View<'_>, candidate: &Candidate) -> Option<Row> {
    let (win_rate, lead) = (candidate.win_rate.0.0, candidate.lead.0.0);
    let known = candidate.visits > 0 && win_rate.is_finite() && lead.is_finite();
    let legal = view
        .position
        .is_legal(view.position.to_move(), candidate.mv);
    (known && legal).then(|| Row {
        mv: candidate.mv,
        visits: candidate.visits,
        win_rate,
        lead,
        naturalness: view.naturalness(candidate.mv),
    })
}

/// Returns the highest lead of some rows.
pub(super) fn best_lead<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<f32> {
    rows.into_iter().map(|it| it.lead).max_by(f32::total_cmp)
}

/// Returns the likeliest moves, the likeliest first; none that is impossible.
pub(super) fn top(moves: &[Move], count: usize, likely: impl Fn(Move) -> f32) -> Vec<Move> {
    let mut found: Vec<_> = moves.iter().map(|&mv| (mv, likely(mv))).collect();
    found.retain(|it| it.1 > 0.0);
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.truncate(count);
    found.into_iter().map(|it| it.0).collect()
}

/// Returns the row that a number is highest of, the first of equals.
pub(super) fn highest<T>(rows: &[T], number: impl Fn(&T) -> f32) -> Option<&T> {
    let mut best: Option<(&T, f32)> = None;
    for row in rows {
        let value = number(row);
        if !value.is_nan() && best.is_none_or(|(_, highest)| value > highest) {
            best = Some((row, value));
        }
    }
    best.map(|(row, _)| row)
}

/// Joins two reports of the same move over separate simulations, weighted by visits
/// (HI24, §4.1).
///
/// Bounds and the expected continuation are those of the report with more visits.
///
/// ```
/// use shido_coach::play::merged;
/// use shido_go::Move;
/// use shido_search::{Candidate, ForMover, WinRate};
///
/// let report = |wins: f32, visits| Candidate {
///     visits,
///     win_rate: ForMover(WinRate(wins / visits as f32)),
///     ..Candidate::unknown(Move::Pass)
/// };
/// let both = merged(&report(60.0, 125), &report(105.0, 250));
/// assert_eq!(both.visits, 375);
/// assert_eq!(both.win_rate.0.0, 165.0 / 375.0);
/// ```
pub fn merged(a: &Candidate, b: &Candidate) -> Candidate {
    let visits = a.visits + b.visits;
    let share = if visits == 0 {
        0.5
    } else {
        b.visits as f64 / visits as f64
    };
    let mean = |a: f32, b: f32| (f64::from(a) * (1.0 - share) + f64::from(b) * share) as f32;
    // The spread of a mixture: the mean square about the joint mean.
    let joint = mean(a.score_mean.0.0, b.score_mean.0.0);
    let square =
        |it: &Candidate| it.score_deviation.0.powi(2) + (it.score_mean.0.0 - joint).powi(2);
    let larger = if b.visits >= a.visits { b } else { a };
    Candidate {
        visits,
        win_rate: ForMover(WinRate(mean(a.win_rate.0.0, b.win_rate.0.0))),
        lead: ForMover(Points(mean(a.lead.0.0, b.lead.0.0))),
        score_mean: ForMover(Points(joint)),
        score_deviation: Points(mean(square(a), square(b)).sqrt()),
        utility: ForMover(Utility(mean(a.utility.0.0, b.utility.0.0))),
        weight: a.weight + b.weight,
        ..larger.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(win_rate: f32, visits: u64) -> Candidate {
        Candidate {
            visits,
            win_rate: ForMover(WinRate(win_rate)),
            ..Candidate::unknown(Move::Pass)
        }
    }

    /// The example of sequential halving with stockpile (HI24, §4.1, Fig. 6).
    #[test]
    fn win_rates_are_merged_by_visits() {
        let m1 = merged(&report(60.0 / 125.0, 125), &report(105.0 / 250.0, 250));
        let m4 = merged(&report(50.0 / 125.0, 125), &report(120.0 / 250.0, 250));
        assert!((m1.win_rate.0.0 - 165.0 / 375.0).abs() < 1e-6);
        assert!((m4.win_rate.0.0 - 170.0 / 375.0).abs() < 1e-6);
        assert_eq!(m1.visits, 375);
        assert!(m4.win_rate > m1.win_rate);
    }

    #[test]
    fn the_spread_of_two_reports_holds_their_distance() {
        let at = |mean: f32| Candidate {
            score_mean: ForMover(Points(mean)),
            score_deviation: Points(3.0),
            ..report(0.5, 10)
        };
        let both = merged(&at(-4.0), &at(4.0));
        assert_eq!(both.score_mean.0, Points(0.0));
        assert_eq!(both.score_deviation, Points(5.0));
        assert_eq!(merged(&report(0.2, 0), &report(0.4, 0)).visits, 0);
    }
}
