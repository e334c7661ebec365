//! Passes and the end of a game.

use shido_go::{Color, Move, Position, Rules};
use shido_search::puct::{Puct, PuctSettings};

use crate::evaluators::{count_area, drive, position, puct};

/// Black's left, White's right: nothing is left to play.
const SETTLED: [&str; 5] = [".X.XO", "XXXXO", "X.XXO", "XXXOO", ".XXO."];

fn after_a_pass(rules: Rules, komi: f32) -> Position {
    let mut position = position(&SETTLED, Color::White, rules, komi);
    position.play(Move::Pass).expect("legal");
    position
}

fn search(puct: &mut Puct, position: &Position) {
    puct.set_root(position);
    puct.set_visit_limit(Some(200));
    // An evaluator that has no idea who wins.
    drive(puct, 1, |request| {
        let mut evaluation = count_area(request.position());
        evaluation.win_rate.0.0 = 0.5;
        evaluation.lead.0.0 = 0.0;
        evaluation.score_mean.0.0 = 0.0;
        evaluation
    });
}

fn settings(conservative_pass: bool) -> PuctSettings {
    let mut settings = PuctSettings::default();
    settings.root.rules.conservative_pass = conservative_pass;
    settings
}

#[test]
fn two_passes_are_counted_under_area_scoring() {
    // 18 stones and points of Black's against 7 of White's: 11 ahead.
    for (komi, wins) in [(10.5, true), (11.5, false)] {
        let position = after_a_pass(Rules::TROMP_TAYLOR, komi);
        let mut puct = puct(settings(false));
        search(&mut puct, &position);
        let analysis = puct.analysis();
        let pass = analysis.candidate(Move::Pass).expect("looked at");
        assert_eq!(pass.win_rate.0.0, if wins { 1.0 } else { 0.0 });
        assert_eq!(pass.lead.0.0, 11.0 - komi);
        assert_eq!(analysis.best().expect("moves").mv == Move::Pass, wins);
    }
}

#[test]
fn a_conservative_pass_at_the_root_ends_nothing() {
    let position = after_a_pass(Rules::TROMP_TAYLOR, 8.5);
    let mut puct = puct(settings(true));
    search(&mut puct, &position);
    let analysis = puct.analysis();
    let pass = analysis.candidate(Move::Pass).expect("looked at");
    assert!(pass.win_rate.0.0 < 1.0);
}

#[test]
fn friendly_rules_ask_the_evaluator_what_is_dead() {
    let position = after_a_pass(Rules::CHINESE, 8.5);
    let mut puct = puct(settings(false));
    let asked = std::cell::Cell::new(false);
    puct.set_root(&position);
    puct.set_visit_limit(Some(60));
    drive(&mut puct, 1, |request| {
        asked.set(asked.get() || request.position().passes() == 2);
        count_area(request.position())
    });
    assert!(asked.get());
}

#[test]
fn territory_scoring_takes_the_word_before_the_last_pass() {
    let position = after_a_pass(Rules::JAPANESE, 6.5);
    let mut puct = puct(settings(false));
    search(&mut puct, &position);
    let analysis = puct.analysis();
    let pass = analysis.candidate(Move::Pass).expect("looked at");
    assert_eq!((pass.win_rate.0.0, pass.lead.0.0), (0.5, 0.0));
}

#[test]
fn a_finished_game_can_still_be_analyzed() {
    for rules in [Rules::TROMP_TAYLOR, Rules::CHINESE, Rules::JAPANESE] {
        let mut position = after_a_pass(rules, 6.5);
        position.play(Move::Pass).expect("legal");
        assert!(position.is_over());
        let mut puct = puct(settings(true));
        search(&mut puct, &position);
        assert_eq!(puct.visits(), 200);
        assert!(puct.analysis().best().is_some());
    }
}
