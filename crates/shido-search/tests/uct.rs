//! The classic search as its users see it: it finds, repeats, keeps its limits and is sane.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shido_go::{Color, Diagram, Move, Position, Rules, Size};
use shido_patterns::policy::Policy;
use shido_search::puct::Budget;
use shido_search::uct::{Knowledge, SettingsError, Tuning, Uct, UctSettings};
use shido_search::{Analysis, Steering, Weights};

fn search(settings: UctSettings) -> Uct {
    Uct::new(settings, Knowledge::shipped()).expect("sane settings")
}

fn at(size: Size, x: usize, y: usize) -> Move {
    Move::Play(size.point(x, y).expect("on the board"))
}

/// Reads rows of `X`, `O` and `.` as a position.
fn position(rows: &[&str], to_move: Color, rules: Rules, komi: f32) -> Position {
    let board = Diagram::parse(&rows.join("\n")).expect("a board").board;
    Position::from_board(board, to_move, rules, komi)
}

fn run(uct: &mut Uct, position: &Position, playouts: u64) -> Analysis {
    uct.search(position, Some(playouts), &AtomicBool::new(false))
}

/// Four black and four white stones at the top left are in atari: whoever takes wins.
const RACE: [&str; 7] = [
    "XXXX.O.", "OOOO.O.", "XXXX.O.", "...X.OO", "...XO..", "...XOO.", "...XO..",
];

#[test]
fn finds_the_capture_that_decides_the_game() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let analysis = run(&mut search(UctSettings::default()), &position, 2000);
    let best = analysis.best().expect("there are moves");
    assert_eq!(best.mv, at(position.size(), 4, 1), "{best:?}");
    assert!(best.visits > 1000);
    assert!(best.win_rate.0.0 > 0.8);
    assert_eq!(best.line[0], best.mv);
}

#[test]
fn one_thread_and_a_seed_repeat_a_search() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let settings = UctSettings {
        seed: 42,
        ..UctSettings::default()
    };
    let first = run(&mut search(settings.clone()), &position, 500);
    let second = run(&mut search(settings.clone()), &position, 500);
    assert_eq!(first, second);
    let other = UctSettings {
        seed: 43,
        ..settings
    };
    assert_ne!(run(&mut search(other), &position, 500), first);
}

#[test]
fn the_numbers_of_an_analysis_agree_with_each_other() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let analysis = run(&mut search(UctSettings::default()), &position, 1000);
    assert_eq!(analysis.playouts, 1000);
    let visits: u64 = analysis.candidates.iter().map(|it| it.visits).sum();
    assert_eq!(visits, analysis.visits);
    assert_eq!(analysis.ownership.len(), 81);
    let owned: f32 = analysis.ownership.iter().sum();
    assert!(
        (owned - 7.0 - analysis.lead.0.0).abs() < 1.0,
        "{owned} against {:?}",
        analysis.lead
    );
    for pair in analysis.candidates.windows(2) {
        assert!(pair[0].visits >= pair[1].visits);
    }
}

#[test]
fn threads_share_the_work_exactly() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let settings = UctSettings {
        threads: 4,
        ..UctSettings::default()
    };
    let analysis = run(&mut search(settings), &position, 2000);
    assert_eq!(analysis.playouts, 2000);
    assert_eq!(analysis.visits, 2000);
}

#[test]
fn a_game_that_goes_on_keeps_its_tree() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut uct = search(UctSettings::default());
    let analysis = run(&mut uct, &position, 2000);
    let best = analysis.best().expect("there are moves").clone();
    let answer = best.line[1];
    position.play(best.mv).expect("legal");
    position.play(answer).expect("legal");
    uct.set_root(&position);
    let kept = uct.analysis();
    assert!(kept.visits > 20, "{} visits were kept", kept.visits);
    assert_eq!(kept.playouts, 0);
    // Another game starts from nothing.
    uct.set_root(&Position::new(Size::S9, Rules::CHINESE, 5.0));
    assert_eq!(uct.analysis().visits, 0);
}

#[test]
fn the_tree_stays_within_its_memory() {
    let position = Position::new(Size::S19, Rules::CHINESE, 7.5);
    let settings = UctSettings {
        memory: 1 << 20,
        expand_after: 1,
        ..UctSettings::default()
    };
    let mut uct = search(settings);
    run(&mut uct, &position, 3000);
    assert!(uct.nodes() * Uct::node_bytes() <= 1 << 20);
    assert!(
        uct.nodes() * Uct::node_bytes() > 1 << 19,
        "the test fills the tree"
    );
}

#[test]
fn a_raised_flag_ends_the_search() {
    let position = Position::new(Size::S19, Rules::CHINESE, 7.5);
    let mut uct = search(UctSettings::default());
    let analysis = uct.search(&position, None, &AtomicBool::new(true));
    assert_eq!(analysis.playouts, 0);
    assert_eq!(analysis.win_rate.0.0, 0.5);
}

#[test]
fn superko_is_obeyed_at_the_root() {
    // Black takes a ko and White may not retake at once.
    let rows = [".XO..", "X.XO.", ".XO..", ".....", "....."];
    let mut position = position(&rows, Color::White, Rules::TROMP_TAYLOR, 0.5);
    position
        .play(at(position.size(), 1, 1))
        .expect("White takes the ko");
    let back = at(position.size(), 2, 1);
    assert!(!position.is_legal(Color::Black, back));
    let analysis = run(&mut search(UctSettings::default()), &position, 300);
    assert!(analysis.candidate(back).is_none());
}

#[test]
fn win_rates_are_of_wins_whatever_the_score_counts() {
    let rows = [
        "..XO...", "..XO...", "..XO...", "..XO...", "..XO...", "..XO...", "..XO...",
    ];
    let position = position(&rows, Color::Black, Rules::CHINESE, 0.5);
    let settings = UctSettings {
        score_share: 1.0,
        ..UctSettings::default()
    };
    let analysis = run(&mut search(settings), &position, 1000);
    // Seven points behind for certain, which is not half of the margin that counts in full.
    assert!(analysis.win_rate.0.0 < 0.2, "{}", analysis.win_rate.0.0);
    let value = 0.5 + 0.5 * analysis.utility.0.0;
    assert!(value > 0.25, "{value}");
    for candidate in &analysis.candidates {
        let [rate, bound] = [candidate.win_rate, candidate.lower_bound].map(|it| it.0.0);
        assert!(bound < rate || rate == 0.0, "{bound} {rate}");
    }
}

#[test]
fn both_scorings_judge_a_plain_position_alike() {
    let rows = [
        "..XO...", "..XO...", "..XO...", "..XO...", "..XO...", "..XO...", "..XO...",
    ];
    let lead = |rules| {
        let position = position(&rows, Color::Black, rules, 0.5);
        run(&mut search(UctSettings::default()), &position, 8000)
            .lead
            .0
            .0
    };
    let (area, territory) = (lead(Rules::CHINESE), lead(Rules::JAPANESE));
    assert!(
        (area - territory).abs() < 1.5,
        "{area} by area, {territory} by territory"
    );
    // Stones that Black put down and lost nothing by are worth nothing as territory.
    let mut more = position(&rows, Color::Black, Rules::JAPANESE, 0.5);
    for mv in [
        at(more.size(), 0, 0),
        Move::Pass,
        at(more.size(), 0, 6),
        Move::Pass,
    ] {
        more.play(mv).expect("legal");
    }
    let after = run(&mut search(UctSettings::default()), &more, 8000)
        .lead
        .0
        .0;
    assert!(
        after < territory - 0.5,
        "{after} after two wasted moves, {territory} before"
    );
}

#[test]
fn light_playouts_work_too() {
    let position = position(&RACE, Color::Black, Rules::CHINESE, 3.5);
    let knowledge = Knowledge::of_policy(Policy::even());
    let mut uct = Uct::new(UctSettings::default(), knowledge).expect("sane settings");
    let analysis = run(&mut uct, &position, 3000);
    assert_eq!(
        analysis.best().expect("there are moves").mv,
        at(position.size(), 4, 1)
    );
}

#[test]
fn bad_settings_are_refused() {
    let check = |settings: UctSettings| settings.check().expect_err("must be refused");
    let none = UctSettings {
        threads: 0,
        ..UctSettings::default()
    };
    assert_eq!(check(none), SettingsError::NoThreads);
    let negative = UctSettings {
        tuning: Some(Tuning {
            rave_equivalence: -1.0,
            ..Tuning::LARGE
        }),
        ..UctSettings::default()
    };
    assert_eq!(
        check(negative).to_string(),
        "rave_equivalence must be a number that is not negative, is -1"
    );
    let small = UctSettings {
        memory: 10,
        ..UctSettings::default()
    };
    assert!(matches!(
        check(small),
        SettingsError::TooLittleMemory(10, _)
    ));
}

fn steered(uct: &mut Uct, position: &Position, steering: &Steering, playouts: u64) -> Analysis {
    uct.set_root_steered(position, steering);
    uct.run(Some(playouts), &AtomicBool::new(false));
    uct.finish();
    uct.analysis()
}

#[test]
fn candidates_get_their_visits_and_no_others_do() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let wish = |mv, visits| Budget { mv, visits };
    let edge = at(Size::S9, 0, 0);
    let mut steering = Steering {
        budgets: vec![
            wish(at(Size::S9, 4, 4), 60),
            wish(edge, 30),
            wish(Move::Pass, 7),
        ],
        ..Steering::default()
    };
    let mut uct = search(UctSettings {
        // The corner point is not among the likeliest moves.
        max_children: 10,
        stop_when_decided: true,
        ..UctSettings::default()
    });
    let visits = |analysis: &Analysis| -> Vec<(Move, u64)> {
        analysis
            .candidates
            .iter()
            .map(|it| (it.mv, it.visits))
            .collect()
    };
    let first = steered(&mut uct, &position, &steering, 1);
    let expected = [(at(Size::S9, 4, 4), 60), (edge, 30), (Move::Pass, 7)];
    assert_eq!((visits(&first), first.playouts), (expected.to_vec(), 97));
    // Visits already made count.
    steering.budgets = vec![wish(edge, 80)];
    let second = steered(&mut uct, &position, &steering, 1);
    assert_eq!(second.candidate(edge).expect("searched").visits, 80);
    assert_eq!((second.playouts, second.visits), (50, 147));
    // What is illegal is not searched, and nothing else is in its place.
    let mut after = position.clone();
    after.play(edge).expect("legal");
    let nothing = steered(&mut uct, &after, &steering, 1);
    assert_eq!(nothing.playouts, 0);
}

#[test]
fn another_komi_changes_win_rates_and_not_scores() {
    let rows = [
        "..XO...", "..XO...", "..XO...", "..XO...", "..XO...", "..XO...", "..XO...",
    ];
    let position = position(&rows, Color::Black, Rules::CHINESE, 0.5);
    let look = |komi_offset| {
        let steering = Steering {
            komi_offset,
            ..Steering::default()
        };
        let mut uct = search(UctSettings::default());
        steered(&mut uct, &position, &steering, 800)
    };
    let (plain, better) = (look(0.0), look(-12.0));
    assert!(
        (plain.lead.0.0 - better.lead.0.0).abs() < 2.5,
        "{plain:?} {better:?}"
    );
    assert!(better.win_rate.0.0 > plain.win_rate.0.0 + 0.1);
    let lead = |it: &Analysis| it.best().expect("there are moves").lead.0.0;
    assert!((lead(&plain) - lead(&better)).abs() < 3.0);
}

#[test]
fn weights_hold_at_the_root_and_a_tree_of_others_is_not_kept() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let center = at(Size::S9, 4, 4);
    let weights = move |_: &Position, mv: Move| if mv == center { 0.0 } else { 1.0 };
    let steering = Steering {
        weights: Some(Weights(Arc::new(weights))),
        exploration: Some(1.0),
        ..Steering::default()
    };
    let mut uct = search(UctSettings::default());
    let plain = run(&mut uct, &position, 300);
    assert!(plain.candidate(center).is_some_and(|it| it.prior > 0.0));
    let weighted = steered(&mut uct, &position, &steering, 300);
    assert_eq!(weighted.visits, 300, "nothing was kept");
    let prior = weighted.candidate(center).map_or(0.0, |it| it.prior);
    assert!(prior < 1e-6, "{prior}");
    // The same wishes keep the tree; anew, nothing.
    assert_eq!(steered(&mut uct, &position, &steering, 50).visits, 350);
    let anew = Steering {
        anew: true,
        ..steering
    };
    assert_eq!(steered(&mut uct, &position, &anew, 50).visits, 50);
}
