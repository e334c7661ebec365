//! What a partner asks of KataGo, in the words its protocol has.
//!
//! Another komi is a komi, in halves; the exploration coefficient is `cpuctExploration`. A
//! candidate with visits of its own is a query of its own (`allowMoves`), and KataGo
//! keeps nothing between two, so visits made for an earlier query are made again.
//! Factors on the policy reach only what is reported of the root: the search itself
//! has looked with KataGo's own policy.

use std::sync::Arc;

use shido_go::{Move, Position};
use shido_search::{Analysis, Candidate, ForBlack, ForMover, Points, Utility, WinRate};
use shido_search::{Steering, Weights};

use super::query::Komi;

/// Makes an analysis under another komi, or of a policy to be weighed, what was asked for.
pub(super) fn correct(analysis: &mut Analysis, position: &Position, steering: &Steering) {
    let offset = Komi::of(position, steering.komi_offset).offset;
    if offset != 0.0 {
        by_true_komi(analysis, offset);
    }
    if let Some(weights) = &steering.weights {
        weigh(analysis, position, weights);
    }
}

/// Takes back from every score what White was given beyond the komi.
fn by_true_komi(analysis: &mut Analysis, offset: f32) {
    let mover = analysis.to_move;
    let given = ForBlack(Points(offset)).as_seen_by(mover).0;
    let add = |it: &mut ForMover<Points>| it.0.0 += given;
    analysis.lead.0.0 += offset;
    analysis.score_mean.0.0 += offset;
    if let Some(raw) = analysis.raw.as_mut().map(Arc::make_mut) {
        add(&mut raw.lead);
        add(&mut raw.score_mean);
    }
    for candidate in &mut analysis.candidates {
        add(&mut candidate.lead);
        add(&mut candidate.score_mean);
    }
}

/// Multiplies the policy of the root; it sums to 1 again.
fn weigh(analysis: &mut Analysis, position: &Position, weights: &Weights) {
    let size = position.size();
    let Some(raw) = analysis.raw.as_mut().map(Arc::make_mut) else {
        for candidate in &mut analysis.candidates {
            candidate.prior *= weights.weight(position, candidate.mv).max(0.0);
        }
        return;
    };
    let moves = size.points().map(Move::Play).chain([Move::Pass]);
    for (p, mv) in raw.policy.iter_mut().zip(moves) {
        if *p > 0.0 {
            *p *= weights.weight(position, mv).max(0.0);
        }
    }
    let sum: f32 = raw.policy.iter().sum();
    if sum <= 0.0 {
        return;
    }
    for p in &mut raw.policy {
        *p /= sum;
    }
    for candidate in &mut analysis.candidates {
        let index = |point| size.index_of(point);
        let at = candidate.mv.point().map_or(size.area(), index);
        candidate.prior = raw.policy[at];
    }
}

/// Joins analyses of one candidate each, averages by visits.
pub(super) fn join(analyses: &[Analysis], position: &Position) -> Analysis {
    let mover = position.to_move();
    let mut joined = Analysis::unknown(mover);
    for analysis in analyses {
        joined.playouts += analysis.playouts;
        joined.candidates.extend(analysis.best().cloned());
        if joined.raw.is_none() {
            joined.raw.clone_from(&analysis.raw);
        }
    }
    let total: u64 = joined.candidates.iter().map(|it| it.visits).sum();
    joined.visits = total;
    if total == 0 {
        return joined;
    }
    let mean = |value: &dyn Fn(&Candidate) -> f32| {
        let weighted = |it: &Candidate| f64::from(value(it)) * it.visits as f64;
        (joined.candidates.iter().map(weighted).sum::<f64>() / total as f64) as f32
    };
    let (lead, score) = (mean(&|it| it.lead.0.0), mean(&|it| it.score_mean.0.0));
    let square = mean(&|it| it.score_deviation.0.powi(2) + it.score_mean.0.0.powi(2));
    let (rate, utility) = (mean(&|it| it.win_rate.0.0), mean(&|it| it.utility.0.0));
    joined.win_rate = ForMover(WinRate(rate)).for_black(mover);
    joined.lead = ForMover(Points(lead)).for_black(mover);
    joined.score_mean = ForMover(Points(score)).for_black(mover);
    joined.utility = ForMover(Utility(utility)).for_black(mover);
    joined.score_deviation = Points((square - score * score).max(0.0).sqrt());
    joined.ownership = mean_ownership(analyses, position.size().area());
    (joined.candidates).sort_by(|a, b| b.win_rate.0.0.total_cmp(&a.win_rate.0.0));
    joined
}

fn mean_ownership(analyses: &[Analysis], area: usize) -> Vec<f32> {
    let known = |it: &&Analysis| it.ownership.len() == area && it.best().is_some();
    let mut sum = vec![0.0; area];
    let mut total = 0.0;
    for analysis in analyses.iter().filter(known) {
        let visits = analysis.best().map_or(0.0, |it| it.visits as f32);
        total += visits;
        for (sum, owned) in sum.iter_mut().zip(&analysis.ownership) {
            *sum += owned * visits;
        }
    }
    if total == 0.0 {
        return Vec::new();
    }
    for it in &mut sum {
        *it /= total;
    }
    sum
}

#[cfg(test)]
mod tests {
    use shido_go::{Rules, Size};

    use super::*;

    fn position() -> Position {
        Position::new(Size::square(5).unwrap(), Rules::CHINESE, 0.5)
    }

    fn of(x: usize, visits: u64, rate: f32, lead: f32) -> Analysis {
        let position = position();
        let mv = Move::Play(position.size().point(x, 0).unwrap());
        Analysis {
            playouts: visits + 1,
            ownership: vec![rate; 25],
            candidates: vec![Candidate {
                visits,
                win_rate: ForMover(WinRate(rate)),
                lead: ForMover(Points(lead)),
                prior: 0.5,
                ..Candidate::unknown(mv)
            }],
            ..Analysis::unknown(position.to_move())
        }
    }

    #[test]
    fn candidates_are_joined_by_their_visits() {
        let joined = join(&[of(0, 30, 0.4, 2.0), of(1, 10, 0.8, 6.0)], &position());
        assert_eq!((joined.visits, joined.playouts), (40, 42));
        assert!((joined.win_rate.0.0 - 0.5).abs() < 1e-6);
        assert!((joined.lead.0.0 - 3.0).abs() < 1e-6);
        assert!((joined.ownership[7] - 0.5).abs() < 1e-6);
        assert_eq!(joined.best().unwrap().visits, 10, "the better one is first");
        assert_eq!(join(&[], &position()).visits, 0);
    }

    #[test]
    fn scores_are_told_by_the_true_komi_and_priors_weighed() {
        let position = position();
        let mut analysis = of(0, 30, 0.4, 2.0);
        let steering = Steering {
            komi_offset: 4.0,
            weights: Some(Weights(Arc::new(|_: &Position, _| 0.5))),
            ..Steering::default()
        };
        correct(&mut analysis, &position, &steering);
        let best = analysis.best().unwrap();
        assert_eq!((best.lead.0.0, best.prior), (6.0, 0.25));
        assert_eq!(analysis.lead.0.0, 4.0);
    }

    /// What is taken back is what KataGo was told, not what was wished.
    #[test]
    fn scores_are_told_by_the_true_komi_though_another_was_asked_for() {
        for (komi, wished, lead) in [(0.5, 3.25, 5.5), (3.75, 0.0, 2.25), (6.5, 0.0, 2.0)] {
            let position = Position::new(position().size(), Rules::CHINESE, komi);
            let mut analysis = of(0, 30, 0.4, 2.0);
            let steering = Steering {
                komi_offset: wished,
                ..Steering::default()
            };
            correct(&mut analysis, &position, &steering);
            assert_eq!(analysis.best().unwrap().lead.0.0, lead, "{komi} {wished}");
        }
    }
}
