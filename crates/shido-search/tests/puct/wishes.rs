//! Restrictions, and hooks that change what the search likes.

use std::sync::Arc;

use shido_go::{Color, Move, Position, Rules, Size};
use shido_search::puct::{
    Hooks, Leaf, Objective, Ownership, Puct, PuctSettings, Restriction, Wish,
};
use shido_search::{Analysis, ForBlack, Utility};

use crate::evaluators::{RACE, at, count_area, drive, position, puct};

fn restricted(wish: Wish, moves: Vec<Move>) -> Analysis {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let mut puct = puct(PuctSettings::default());
    puct.set_root(&position);
    puct.restrict(vec![Restriction {
        color: Color::Black,
        moves,
        wish,
        until_depth: 1,
    }]);
    puct.set_visit_limit(Some(200));
    drive(&mut puct, 2, |request| count_area(request.position()));
    puct.analysis()
}

#[test]
fn avoided_moves_are_not_looked_at() {
    let capture = at(Size::new(7, 7).expect("a size"), 4, 1);
    let analysis = restricted(Wish::Avoid, vec![capture]);
    assert!(analysis.candidate(capture).is_none());
    assert_eq!(analysis.visits, 200);
}

#[test]
fn only_allowed_moves_are_looked_at() {
    let allowed = vec![at(Size::new(7, 7).expect("a size"), 0, 5), Move::Pass];
    let analysis = restricted(Wish::Allow, allowed.clone());
    assert_eq!(analysis.candidates.len(), 2);
    assert!(
        analysis
            .candidates
            .iter()
            .all(|it| allowed.contains(&it.mv))
    );
}

#[test]
fn nothing_allowed_is_still_a_search_that_ends() {
    let analysis = restricted(Wish::Allow, Vec::new());
    assert_eq!(analysis.visits, 200);
    assert!(analysis.candidates.is_empty());
}

fn hooked(hooks: Hooks, settings: PuctSettings, position: &Position) -> Analysis {
    let mut puct = Puct::new(settings, hooks).expect("sane settings");
    puct.set_root(position);
    puct.set_visit_limit(Some(150));
    drive(&mut puct, 1, |request| count_area(request.position()));
    puct.analysis()
}

#[test]
fn weights_on_the_prior_hold_at_every_position() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    position.play(at(Size::S9, 2, 3)).expect("legal");
    // Only moves within two lines of the last one.
    let near = |position: &Position, mv: Move| {
        let last = position.last_move().and_then(|it| it.mv.point());
        match (last, mv.point()) {
            (Some(last), Some(point)) if last.distance(point) <= 2.0 => 1.5,
            (None, _) => 1.0,
            _ => 0.0,
        }
    };
    let hooks = Hooks {
        prior: Some(Arc::new(near)),
        ..Hooks::default()
    };
    let analysis = hooked(hooks, PuctSettings::default(), &position);
    for candidate in &analysis.candidates {
        let mut last = at(Size::S9, 2, 3).point().expect("a stone");
        for mv in &candidate.line {
            let point = mv.point().expect("a stone");
            assert!(last.distance(point) <= 2.0);
            last = point;
        }
    }
    // Priors are multiplied, not made to sum to 1 again (SF21, §4.2).
    let legal = position.legal_moves().count() as f32;
    let prior = analysis.best().expect("moves").prior;
    assert!((prior - 1.5 / legal).abs() < 1e-6);
}

/// Wants the left edge, whatever else happens.
struct LeftEdge;

impl Objective for LeftEdge {
    fn utility(&self, leaf: &Leaf<'_>) -> ForBlack<Utility> {
        let ownership = leaf.ownership.expect("the evaluator gives it");
        let edge: f32 = ownership.iter().step_by(5).sum();
        ForBlack(Utility(edge / 5.0))
    }

    fn radius(&self) -> f32 {
        1.0
    }
}

#[test]
fn an_objective_decides_what_is_sought() {
    let rows = [".XO..", ".X...", ".....", ".O...", "OO..."];
    let position = position(&rows, Color::Black, Rules::CHINESE, 0.5);
    let hooks = Hooks {
        objective: Some(Arc::new(LeftEdge)),
        ..Hooks::default()
    };
    let analysis = hooked(hooks, PuctSettings::default(), &position);
    let left = |it: &Analysis| it.ownership.iter().step_by(5).sum::<f32>() / 5.0;
    assert!((analysis.utility.0.0 - left(&analysis)).abs() < 0.2);
    let best = analysis.best().expect("moves").mv.point().expect("a stone");
    assert!(best.x() <= 1, "{best:?}");
}

#[test]
fn ownership_is_kept_as_far_as_it_is_wanted() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    for wanted in [Ownership::None, Ownership::Root, Ownership::Candidates] {
        let mut settings = PuctSettings::default();
        settings.report.ownership = wanted;
        let analysis = hooked(Hooks::default(), settings, &position);
        assert_eq!(analysis.ownership.len(), 49);
        assert_eq!(
            analysis.ownership_deviation.is_some(),
            wanted >= Ownership::Root
        );
        let best = analysis.best().expect("moves");
        assert_eq!(best.ownership.is_some(), wanted == Ownership::Candidates);
        // Black takes four stones and the points they stood on, though White can
        // still come in.
        let capture = analysis.candidate(at(position.size(), 4, 1));
        if let Some(ownership) = &capture.expect("looked at").ownership {
            assert!(ownership[7] > -0.5 && ownership[0] > 0.9, "{ownership:?}");
        }
    }
}
