//! Training and measuring together, on games whose moves follow a simple habit.

use std::sync::{Arc, Mutex};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Board, Color, Move, Point, Position, Rules, Size};

use shido_net::tiny::Plan;
use shido_net::{
    CpuChoice, Encoder, Engine, Forward, InputSettings, Judge, Model as Net, Outputs, Question,
    Reference,
};
use shido_patterns::balance::Settings;

use super::{
    BalanceProgress, Balancing, FeatureKind, PlayedGame, Teacher, Training, balance, evaluate,
    train,
};

/// Players who mostly play next to the last stone, and anywhere otherwise.
fn games(count: u64) -> Vec<PlayedGame> {
    (0..count)
        .map(|seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut board = Board::new(Size::S9);
            let mut moves: Vec<(Color, Move)> = Vec::new();
            let mut mover = Color::Black;
            for _ in 0..50 {
                let legal = board.empty_points().filter(|&it| board.is_legal(mover, it));
                let legal: Vec<Point> = legal.collect();
                let last = moves.last().and_then(|it| it.1.point());
                let near = |it: &&Point| last.is_some_and(|last| last.neighbors().contains(*it));
                let mut near: Vec<Point> = legal.iter().filter(near).copied().collect();
                if near.is_empty() || rng.next_u64() % 4 == 0 {
                    near = legal;
                }
                let point = near[rng.next_u64() as usize % near.len()];
                board.play(mover, point);
                moves.push((mover, Move::Play(point)));
                mover = !mover;
            }
            PlayedGame {
                size: Size::S9,
                setup: Vec::new(),
                moves,
                ranks: [None; 2],
                held_out: seed % 10 == 9,
            }
        })
        .collect()
}

fn training(features: FeatureKind, threads: usize) -> Training {
    Training {
        features,
        positions: 1500,
        skip: None,
        threshold: 20,
        seed: 3,
        threads,
    }
}

#[test]
fn every_kind_learns_the_habit_whatever_the_threads() {
    let games = games(60);
    let held: Vec<PlayedGame> = games.iter().filter(|it| it.held_out).cloned().collect();
    for kind in FeatureKind::ALL {
        let [one, three] = [1, 3].map(|threads| {
            let trained = train(&games, &training(kind, threads), &mut |_| ()).unwrap();
            assert_eq!(trained.games, 54, "{kind}");
            assert!((1300..=1500).contains(&trained.positions), "{kind}");
            trained.model
        });
        assert_eq!(one.to_bytes(), three.to_bytes(), "{kind}");
        let found = evaluate(&one, &held, (1, 2), || ()).unwrap();
        let gain = found.all.evidence.mean() - found.even.mean();
        assert!(gain > 1.0, "{kind}: {gain}");
    }
}

#[test]
fn skipping_thins_the_data_set_out() {
    let games = games(20);
    let settings = Training {
        skip: Some(9),
        positions: 500,
        ..training(FeatureKind::Pd10, 1)
    };
    let trained = train(&games, &settings, &mut |_| ()).unwrap();
    assert_eq!(trained.positions, 50);
}

#[test]
fn no_games_teach_nothing() {
    let error = train(&[], &training(FeatureKind::Pd10, 1), &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "no position to learn from in 0 games");
}

fn teacher() -> (Arc<Net>, Teacher) {
    let net = Arc::new(Plan::new(14).build());
    let engine = Engine::new(Arc::clone(&net), CpuChoice::Auto).unwrap();
    let teacher = Teacher::new(&net, engine);
    (net, teacher)
}

#[test]
fn a_teacher_says_what_is_blacks_whoever_is_to_move() {
    let (net, teacher) = teacher();
    let size = Size::new(9, 7).unwrap();
    let mut positions = vec![Position::new(size, Rules::default(), 7.5)];
    for (x, y) in [(1, 4), (6, 2), (7, 5)] {
        let mut next = positions[positions.len() - 1].clone();
        next.play(size.point(x, y).into()).unwrap();
        positions.push(next);
    }
    let mut forward = Reference::new(Arc::clone(&net));
    let lessons = teacher.judge(&positions, &mut forward, &mut Encoder::new());
    let settings = InputSettings::default();
    for (position, lesson) in positions.iter().zip(&lessons) {
        let inputs = Encoder::new().encode(position, &settings);
        let mut outputs = [Outputs::default()];
        forward.run(&[&inputs], &mut outputs);
        let legal = vec![true; size.area() + 1];
        let question = Question::new(&legal, position.rules());
        let owners = Judge::new(&net).judge(&outputs[0], &question).ownership;
        let sign = if position.to_move() == Color::Black {
            1.0
        } else {
            -1.0
        };
        assert!(owners.iter().any(|it| it.abs() > 1e-3));
        for (owner, said) in owners.iter().zip(&lesson.owners) {
            assert!((sign * owner - said).abs() < 1e-6);
        }
        assert_eq!(lesson.mover, position.to_move());
        assert_eq!(
            lesson.last,
            position.last_move().and_then(|it| it.mv.point())
        );
    }
}

#[test]
fn balancing_moves_gammas_whatever_the_threads() {
    let mut games = games(60);
    let fitted = train(&games, &training(FeatureKind::Playout, 2), &mut |_| ())
        .unwrap()
        .model;
    // No network looks at boards like this one; it is left out.
    let large = Size::new(21, 21).unwrap();
    let moves = large
        .points()
        .take(20)
        .map(|it| (Color::Black, Move::Play(it)));
    games.push(PlayedGame {
        size: large,
        moves: moves.collect(),
        ..games[0].clone()
    });
    let teacher = teacher().1;
    let settings = |threads| Balancing {
        learning: Settings {
            playouts: 4,
            ..Settings::default()
        },
        positions: 30,
        held_out: 10,
        steps: 3,
        batch: 20,
        seed: 7,
        threads,
    };
    let [one, three] = [1, 3].map(|threads| {
        let heard = Mutex::new(Vec::new());
        let model = balance(&fitted, &games, &teacher, &settings(threads), &|it| {
            heard.lock().unwrap().push(it);
        });
        (model.unwrap(), heard.into_inner().unwrap())
    });
    assert_eq!(one.0.to_bytes(), three.0.to_bytes());
    assert_eq!(one.0.tags, fitted.tags);
    assert_ne!(one.0.weights, fitted.weights);
    let measured =
        |it: &&BalanceProgress| matches!(it, BalanceProgress::Measured(it) if it.positions == 10);
    let stepped = |it: &&BalanceProgress| matches!(it, BalanceProgress::Stepped(..));
    assert_eq!(one.1.iter().filter(measured).count(), 2, "before and after");
    assert_eq!(one.1.iter().filter(stepped).count(), 3);

    let pd10 = train(&games, &training(FeatureKind::Pd10, 1), &mut |_| ()).unwrap();
    let refused = balance(&pd10.model, &games, &teacher, &settings(1), &|_| ()).unwrap_err();
    assert!(refused.to_string().contains("`pd10`"), "{refused}");
    let none = balance(&fitted, &[], &teacher, &settings(1), &|_| ()).unwrap_err();
    assert!(none.to_string().starts_with("no position"), "{none}");
}
