//! The native analyst on a tiny network of random weights: it obeys its limits, can be
//! repeated and stopped, and follows what it is asked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shido_engine::native::EvaluationCache;
use shido_engine::{Analyst, Avoid, Limits, Native, NativeSettings, Network, SearchOptions};
use shido_go::gtp::parse_vertex;
use shido_go::{Color, Move, Position, Rules, Size, Symmetry};
use shido_net::{CpuChoice, CpuPath, tiny};
use shido_search::puct::{Budget, Hooks};
use shido_search::{Analysis, Steering, Weights};

fn network() -> Arc<Network> {
    let model = tiny::Plan::new(14).build();
    Arc::new(Network::new(model, CpuChoice::Only(CpuPath::Plain)).unwrap())
}

fn native(threads: usize, cache: usize) -> Native {
    let settings = NativeSettings {
        threads,
        ..NativeSettings::default()
    };
    Native::new(network(), settings, cache).unwrap()
}

fn position(moves: &str) -> Position {
    let size = Size::square(5).unwrap();
    let mut position = Position::new(size, Rules::CHINESE, 7.0);
    for vertex in moves.split_whitespace() {
        position.play(parse_vertex(vertex, size).unwrap()).unwrap();
    }
    position
}

#[test]
fn visits_and_playouts_are_obeyed_and_the_tree_is_kept() {
    for threads in [1, 3] {
        let mut native = native(threads, 1 << 20);
        let first = native.analyze(&position("C3"), &Limits::visits(60));
        assert_eq!((first.visits, first.playouts), (60, 60));
        let best = first.best().unwrap();
        assert!(best.visits > 1 && best.line.len() > 1);
        let mut next = position("C3");
        next.play(best.mv).unwrap();
        let second = native.analyze(&next, &Limits::visits(60));
        assert_eq!(second.visits, 60);
        assert_eq!(second.playouts, 60 - best.visits);
        let third = native.analyze(&next, &Limits::playouts(10));
        assert_eq!(third.visits, 70);
        let sum: f32 = third.raw.as_ref().unwrap().policy.iter().sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        native.forget();
        let again = native.analyze(&next, &Limits::visits(5));
        assert_eq!((again.visits, again.playouts), (5, 5));
    }
}

#[test]
fn one_thread_repeats_itself() {
    let report = || {
        let mut native = native(1, 1 << 20);
        native.analyze(&position("C3 B2"), &Limits::visits(80))
    };
    assert_eq!(report(), report());
}

#[test]
fn a_cache_changes_nothing_and_saves_evaluations() {
    let run = |bytes| {
        let mut native = native(1, bytes);
        native.analyze(&position("C3 B2"), &Limits::visits(60));
        // Another setting makes another tree of the same positions, in part.
        native.set_parameter("cpuctExploration", "1.2").unwrap();
        let analysis = native.analyze(&position("C3 B2"), &Limits::visits(60));
        (analysis, native.statistics())
    };
    let (plain, without) = run(0);
    let (cached, with) = run(8 << 20);
    assert_eq!(plain, cached);
    assert_eq!(without.known, 0);
    assert!(with.known > 20, "{with:?}");
    assert_eq!(without.evaluations, with.evaluations + with.known);
}

#[test]
fn analysts_can_share_a_cache() {
    let cache = Arc::new(EvaluationCache::new(8 << 20));
    let make = || {
        let settings = NativeSettings::default();
        Native::with(network(), settings, Arc::clone(&cache), Hooks::default()).unwrap()
    };
    let (mut one, mut two) = (make(), make());
    one.analyze(&position("C3"), &Limits::visits(30));
    two.analyze(&position("C3"), &Limits::visits(30));
    assert_eq!(two.statistics().evaluations, 0);
}

#[test]
fn time_and_the_flag_end_a_search() {
    let mut native = native(2, 1 << 20);
    let begun = Instant::now();
    let analysis = native.analyze(&position(""), &Limits::time(Duration::from_millis(100)));
    assert!(begun.elapsed() >= Duration::from_millis(100));
    assert!(analysis.visits > 0);
    let limits = Limits::default();
    limits.stop.raise();
    let analysis = native.analyze(&position("A1"), &limits);
    assert_eq!(analysis.visits, 0);
}

#[test]
fn a_time_that_never_comes_is_no_limit() {
    let mut native = native(2, 1 << 20);
    let limits = Limits {
        time: Some(Duration::MAX),
        ..Limits::visits(30)
    };
    assert_eq!(native.analyze(&position(""), &limits).visits, 30);
    let never = Duration::MAX;
    let last = native.watch(&position("C3"), &limits, never, &mut |_| panic!("not due"));
    assert_eq!(last.visits, 30);
}

#[test]
fn a_search_is_watched_until_it_is_stopped() {
    let mut native = native(2, 1 << 20);
    let limits = Limits::default();
    let stop = limits.stop.clone();
    let mut reports = 0;
    let mut report = |analysis: &shido_search::Analysis| {
        assert!(analysis.visits > 0);
        reports += 1;
        if reports == 3 {
            stop.raise();
        }
    };
    let every = Duration::from_millis(10);
    native.watch(&position(""), &limits, every, &mut report);
    assert_eq!(reports, 3);
}

#[test]
fn options_are_followed() {
    let mut native = native(1, 1 << 20);
    let corner = parse_vertex("A1", Size::square(5).unwrap()).unwrap();
    let mut limits = Limits::visits(100);
    limits.options.avoid = vec![Avoid {
        color: Color::Black,
        moves: Size::square(5)
            .unwrap()
            .points()
            .map(Move::Play)
            .filter(|&mv| mv != corner)
            .collect(),
        until_depth: 1,
    }];
    limits.options.moves_ownership = true;
    limits
        .options
        .settings
        .insert("rootSymmetryPruning".to_owned(), "false".to_owned());
    let analysis = native.analyze(&position(""), &limits);
    let mut moves: Vec<_> = analysis.candidates.iter().map(|it| it.mv).collect();
    moves.sort();
    assert_eq!(moves, [Move::Pass, corner]);
    assert!(analysis.candidates[0].ownership.is_some());
    let unknown = SearchOptions {
        settings: [("nonsense".to_owned(), "1".to_owned())].into(),
        ..SearchOptions::default()
    };
    assert_eq!(native.check_options(&unknown).unwrap(), ["nonsense"]);
    let wrong = SearchOptions {
        settings: [("wideRootNoise".to_owned(), "much".to_owned())].into(),
        ..SearchOptions::default()
    };
    assert!(native.check_options(&wrong).is_err());
}

#[test]
fn raw_values_under_a_symmetry_are_those_of_the_turned_position() {
    let mut native = native(1, 0);
    let here = position("A2 C4");
    let size = here.size();
    for symmetry in Symmetry::all() {
        let mut there = Position::new(size, *here.rules(), here.komi());
        for played in here.moves() {
            there.play(symmetry.apply(played.mv, size)).unwrap();
        }
        let turned = native.raw(&here, symmetry, 0.0).unwrap();
        let plain = native.raw(&there, Symmetry::IDENTITY, 0.0).unwrap();
        assert!((turned.win_rate.0.0 - plain.win_rate.0.0).abs() < 1e-5);
        for point in size.points() {
            let image = size.index_of(symmetry.point(point, size));
            let (a, b) = (turned.policy[size.index_of(point)], plain.policy[image]);
            assert!((a - b).abs() < 1e-5, "{symmetry:?} {point:?}: {a} {b}");
        }
    }
    let policy = native.policy(&here);
    assert_eq!(policy.len(), 26);
    assert_eq!(policy[size.index_of(size.point(0, 3).unwrap())], 0.0);
}

#[test]
fn several_symmetries_are_averaged_at_the_root() {
    let averaged = |symmetries: u8| {
        let mut settings = NativeSettings::default();
        settings.puct.root.symmetries = symmetries;
        let mut native = Native::new(network(), settings, 0).unwrap();
        let analysis = native.analyze(&position("A2 C4"), &Limits::visits(1));
        (analysis.raw.unwrap(), native)
    };
    let (all, mut native) = averaged(8);
    let mut sum = 0.0;
    for symmetry in Symmetry::all() {
        let optimism = native.settings().root_optimism;
        let raw = native.raw(&position("A2 C4"), symmetry, optimism).unwrap();
        sum += raw.win_rate.0.0 / 8.0;
    }
    assert!((all.win_rate.0.0 - sum).abs() < 1e-5);
    let total: f32 = all.policy.iter().sum();
    assert!((total - 1.0).abs() < 1e-4);
}

#[test]
fn parameters_are_told_and_changed() {
    let mut native = native(1, 0);
    assert!(native.parameters().contains(&"wideRootNoise"));
    assert_eq!(native.parameter("wideRootNoise").as_deref(), Some("0"));
    native.set_parameter("wideRootNoise", "0.25").unwrap();
    assert_eq!(native.parameter("wideRootNoise").as_deref(), Some("0.25"));
    assert!(native.set_parameter("wideRootNoise", "-1").is_err());
    assert!(native.set_parameter("nonsense", "1").is_err());
    assert_eq!(native.parameter("nonsense"), None);
}

fn steered(native: &mut Native, steering: &Steering, visits: u64) -> Analysis {
    let mut limits = Limits::visits(visits);
    limits.options.steering = steering.clone();
    native.analyze(&position("C3 B2"), &limits)
}

#[test]
fn candidates_get_visits_of_their_own() {
    for threads in [1, 3] {
        let mut native = native(threads, 1 << 20);
        let size = Size::square(5).unwrap();
        let budget = |vertex, visits| Budget {
            mv: parse_vertex(vertex, size).unwrap(),
            visits,
        };
        let mut steering = Steering {
            budgets: vec![budget("D4", 20), budget("A1", 12), budget("pass", 5)],
            anew: true,
            ..Steering::default()
        };
        let visits = |analysis: &Analysis, it: &Budget| {
            let candidate = analysis.candidate(it.mv);
            candidate.map_or(0, |it| it.visits)
        };
        let first = steered(&mut native, &steering, 1);
        for it in &steering.budgets {
            assert_eq!(visits(&first, it), it.visits);
        }
        assert_eq!(first.candidates.len(), 3);
        // Another round goes on with the same trees.
        steering.budgets = vec![budget("A1", 30)];
        steering.anew = false;
        let second = steered(&mut native, &steering, 1);
        assert_eq!(visits(&second, &budget("A1", 30)), 30);
        assert_eq!(visits(&second, &budget("D4", 20)), 20);
        assert_eq!(second.playouts, 18);
        // A stone is there already.
        steering.budgets = vec![budget("C3", 30)];
        steering.anew = true;
        assert_eq!(steered(&mut native, &steering, 1).visits, 1);
        assert_eq!(steered(&mut native, &Steering::default(), 40).visits, 40);
    }
}

#[test]
fn a_partner_may_change_komi_exploration_and_priors() {
    let mut native = native(1, 1 << 20);
    let plain = steered(&mut native, &Steering::default(), 60);
    let rich = Steering {
        komi_offset: -8.0,
        ..Steering::default()
    };
    let rich = steered(&mut native, &rich, 60);
    assert_eq!(rich.visits, 60, "another tree");
    assert_ne!(rich.win_rate, plain.win_rate);
    let wide = Steering {
        exploration: Some(20.0),
        ..Steering::default()
    };
    let wide = steered(&mut native, &wide, 60);
    assert!(wide.best().unwrap().visits < plain.best().unwrap().visits);
    let pass_only = |_: &Position, mv: Move| f32::from(u8::from(mv.is_pass()));
    let weighed = Steering {
        weights: Some(Weights(Arc::new(pass_only))),
        ..Steering::default()
    };
    let pass = steered(&mut native, &weighed, 60);
    assert!(pass.candidates.iter().all(|it| it.mv.is_pass()));
    let again = steered(&mut native, &weighed, 70);
    assert_eq!(again.playouts, 10, "the same factors keep the tree");
    let options = SearchOptions {
        steering: weighed,
        ..SearchOptions::default()
    };
    assert_eq!(native.check_options(&options), Ok(Vec::new()));
    assert_eq!(steered(&mut native, &Steering::default(), 60), plain);
}

/// A tree whose positions were shown with another advantage is of no use.
#[test]
fn an_advantage_for_whoever_begins_needs_a_tree_for_each_side() {
    for (player, reused) in [("BLACK", true), ("E", false)] {
        let mut native = native(1, 1 << 20);
        native
            .set_parameter("playoutDoublingAdvantage", "2")
            .unwrap();
        native
            .set_parameter("playoutDoublingAdvantagePla", player)
            .unwrap();
        let first = native.analyze(&position("C3"), &Limits::visits(40));
        let mut next = position("C3");
        next.play(first.best().unwrap().mv).unwrap();
        let second = native.analyze(&next, &Limits::visits(40));
        assert_eq!(second.playouts < second.visits, reused, "{player}");
        // Another advantage is another tree, whoever has it.
        native
            .set_parameter("playoutDoublingAdvantage", "1")
            .unwrap();
        let third = native.analyze(&next, &Limits::visits(40));
        assert_eq!(third.playouts, third.visits, "{player}");
        assert_ne!(third.win_rate, second.win_rate);
    }
}

#[test]
fn threads_can_be_changed_between_searches() {
    let mut native = native(1, 1 << 20);
    for (threads, told) in [("4", "4"), ("1", "1")] {
        native.set_parameter("numSearchThreads", threads).unwrap();
        assert_eq!(native.parameter("numSearchThreads").as_deref(), Some(told));
        native.forget();
        let analysis = native.analyze(&position("C3"), &Limits::visits(50));
        assert_eq!(analysis.visits, 50);
    }
}
