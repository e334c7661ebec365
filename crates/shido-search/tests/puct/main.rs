//! The neural search as its users see it, with scripted evaluators in place of networks.

mod endings;
mod evaluators;
mod limits;
mod requests;
mod wishes;

use shido_go::{Color, Move, Position, Rules, Size};
use shido_search::puct::{BiasSettings, PuctSettings};

use evaluators::{RACE, at, count_area, drive, position, puct, run};

#[test]
fn finds_the_capture_that_decides_the_game() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let analysis = run(&mut puct(PuctSettings::default()), &position, 800);
    let best = analysis.best().expect("there are moves");
    assert_eq!(best.mv, at(position.size(), 4, 1), "{best:?}");
    assert_eq!(best.line[0], best.mv);
    assert_eq!(best.line.len(), best.line_visits.len());
    assert_eq!(best.line_visits[0], best.visits);
    assert_eq!((analysis.visits, analysis.playouts), (800, 800));
    assert!(best.lower_bound.0 < best.win_rate.0);
    assert!(best.utility_lower_bound.0 < best.utility.0);
}

/// The same stones with colors swapped, the other player to move and no komi.
#[test]
fn both_colors_see_the_same_game() {
    let swapped: Vec<String> = RACE
        .iter()
        .map(|row| row.replace('X', "b").replace('O', "X").replace('b', "O"))
        .collect();
    let swapped: Vec<&str> = swapped.iter().map(String::as_str).collect();
    let black = position(&RACE, Color::Black, Rules::CHINESE, 0.0);
    let white = position(&swapped, Color::White, Rules::CHINESE, 0.0);
    let mut settings = PuctSettings::default();
    settings.weights.bias = Some(BiasSettings::default());
    let ours = run(&mut puct(settings.clone()), &black, 300);
    let theirs = run(&mut puct(settings), &white, 300);
    assert!((ours.win_rate.0.0 + theirs.win_rate.0.0 - 1.0).abs() < 1e-6);
    assert_eq!(ours.lead.0.0, -theirs.lead.0.0);
    assert_eq!(ours.utility.0.0, -theirs.utility.0.0);
    for (a, b) in ours.ownership.iter().zip(&theirs.ownership) {
        assert_eq!(*a, -b);
    }
    // Candidates are told from the mover's side, so they are the same.
    assert_eq!(ours.candidates.len(), theirs.candidates.len());
    for (a, b) in ours.candidates.iter().zip(&theirs.candidates) {
        assert_eq!((a.mv, a.visits, &a.line), (b.mv, b.visits, &b.line));
        assert!((a.win_rate.0.0 - b.win_rate.0.0).abs() < 1e-6);
        assert_eq!(a.lead, b.lead);
        assert_eq!(a.utility_lower_bound, b.utility_lower_bound);
    }
}

#[test]
fn whoever_is_ahead_is_said_to_be_from_every_side() {
    // Black owns all but the corner.
    let rows = ["..X..", ".XX..", "XX...", "....X", "...X."];
    for to_move in Color::BOTH {
        let position = position(&rows, to_move, Rules::CHINESE, 0.5);
        let analysis = run(&mut puct(PuctSettings::default()), &position, 60);
        assert!(analysis.win_rate.0.0 > 0.9 && analysis.lead.0.0 > 5.0);
        assert!(analysis.ownership.iter().sum::<f32>() > 5.0);
        let best = analysis.best().expect("there are moves");
        assert_eq!(best.win_rate.0.0 > 0.5, to_move == Color::Black);
        assert_eq!(best.lead.0.0 > 0.0, to_move == Color::Black);
        assert_eq!(best.utility.0.0 > 0.0, to_move == Color::Black);
    }
}

#[test]
fn equal_seeds_repeat_a_search_and_others_do_not() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let search = |seed| {
        let mut settings = PuctSettings::analysis();
        settings.seed = seed;
        settings.root.noise.enabled = true;
        settings.root.temperature.early = 1.5;
        run(&mut puct(settings), &position, 120)
    };
    assert_eq!(search(5), search(5));
    assert_ne!(search(5).candidates, search(6).candidates);
}

#[test]
fn wide_noise_looks_at_more_moves() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let looked_at = |wide_noise| {
        let mut settings = PuctSettings::default();
        settings.root.wide_noise = wide_noise;
        let candidates = run(&mut puct(settings), &position, 300).candidates;
        candidates.iter().map(|it| it.visits).max()
    };
    assert!(looked_at(2.0) < looked_at(0.0));
}

/// What moves are drawn by is what they are ordered by, not the weight.
#[test]
fn play_values_fall_with_the_order_and_are_not_the_weights() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let mut settings = PuctSettings::default();
    settings.root.wide_noise = 0.5;
    let mut puct = puct(settings);
    let analysis = run(&mut puct, &position, 300);
    let searched: Vec<_> = (analysis.candidates.iter())
        .filter(|it| it.mirrors.is_none())
        .map(|it| (it.play_value.expect("the tree knows"), it.weight))
        .collect();
    assert!(searched.is_sorted_by(|a, b| a.0 >= b.0), "{searched:?}");
    let reduced = searched.iter().filter(|it| it.0 < it.1);
    assert!(reduced.count() > 0, "{searched:?}");
    let below: f32 = searched.iter().map(|it| it.1).sum();
    assert!(analysis.weight > below, "the root's own visit weighs too");
    let best = analysis.best().expect("there are moves").mv;
    assert_eq!(puct.draw(0.0, &mut seeded(1)), Some(best));
}

#[test]
fn one_visit_reports_the_policy() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let analysis = run(&mut puct(PuctSettings::default()), &position, 1);
    assert_eq!(analysis.visits, 1);
    let best = analysis.best().expect("moves by their prior");
    assert_eq!(best.visits, 0);
    assert!(best.prior > 0.0);
    assert_eq!(analysis.raw.as_deref(), Some(&count_area(&position)));
}

#[test]
fn a_search_without_visits_reports_nothing_known() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut puct = puct(PuctSettings::default());
    puct.set_root(&position);
    assert!(puct.analysis().candidates.is_empty());
    assert_eq!(puct.draw(0.0, &mut seeded(1)), None);
}

#[test]
fn a_drawn_move_is_the_best_when_cold_and_follows_the_seed_when_warm() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut puct = puct(PuctSettings::analysis());
    let analysis = run(&mut puct, &position, 200);
    let best = analysis.best().expect("there are moves").mv;
    assert_eq!(puct.draw(0.0, &mut seeded(3)), Some(best));
    let draws = |seed| -> Vec<Option<Move>> {
        let mut rng = seeded(seed);
        (0..20).map(|_| puct.draw(1.0, &mut rng)).collect()
    };
    assert_eq!(draws(1), draws(1));
    assert!(draws(1).iter().any(|&it| it != Some(best)));
}

#[test]
fn a_subtree_is_kept_when_the_game_goes_on() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    position.play(at(Size::S9, 2, 3)).expect("legal");
    let mut puct = puct(PuctSettings::default());
    let analysis = run(&mut puct, &position, 400);
    let best = analysis.best().expect("there are moves");
    position.play(best.line[0]).expect("legal");
    position.play(best.line[1]).expect("legal");
    puct.set_root(&position);
    assert_eq!(puct.visits(), best.line_visits[1]);
    assert_eq!(puct.playouts(), 0);
    puct.set_visit_limit(Some(500));
    drive(&mut puct, 1, |request| count_area(request.position()));
    let analysis = puct.analysis();
    assert_eq!(analysis.visits, 500);
    assert_eq!(analysis.playouts, 500 - best.line_visits[1]);
    assert!(analysis.raw.is_some(), "the root is evaluated anew");
    let below: u64 = analysis.candidates.iter().map(|it| it.visits).sum();
    assert_eq!(below, 499);
    puct.forget();
    puct.set_root(&position);
    assert_eq!(puct.visits(), 0);
}

#[test]
fn another_game_starts_a_new_tree() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut puct = puct(PuctSettings::default());
    run(&mut puct, &position, 50);
    let mut other = position.clone();
    other.set_komi(0.5);
    puct.set_root(&other);
    assert_eq!(puct.visits(), 0);
}

pub(crate) fn seeded(seed: u64) -> rand_xoshiro::Xoshiro256PlusPlus {
    use rand_xoshiro::rand_core::SeedableRng;
    rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed)
}
