//! Playouts keep exact weights, draw by them, and come to an end.

use super::*;
use crate::feature_set::Turn;
use crate::playout_set::{self, AROUND, PlayoutFeatures, SELF_ATARI, SurroundingsTable};
use crate::policy::Factors;
use rand_xoshiro::rand_core::SeedableRng;
use shido_go::Diagram;

/// A policy in which every factor is at work.
fn lively() -> Policy {
    let factors = Factors {
        extension: 8.0,
        capture: [20.0, 5.0, 3.0],
        near: [9.0, 4.0, 0.5, 1.5],
        self_atari: [0.2, 0.1, 0.05],
        defense: 2.0,
        attack: 3.0,
    };
    let gamma = |around: Surroundings| {
        0.1 + f64::from(around.shape().0 % 97) / 20.0 + f64::from(around.atari()) * 0.7
    };
    Policy::new(gamma, factors)
}

#[test]
fn incremental_weights_equal_fresh_ones() {
    let policy = lively();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for (width, height) in [(5, 5), (9, 9), (13, 7), (19, 19)] {
        let size = Size::new(width, height).expect("a legal size");
        for _ in 0..20 {
            let mut playout = Playout::new(&Board::new(size), Color::Black, None, &policy);
            for _ in 0..3 * size.area() {
                if playout.is_over() {
                    break;
                }
                let mv = playout.draw(&policy, &mut rng);
                if let Move::Play(point) = mv {
                    assert!(playout.board.is_legal(playout.to_move, point));
                }
                playout.play(mv, &policy);
                let fresh = Playout::new(&playout.board, Color::Black, None, &policy);
                assert_eq!(playout.weights, fresh.weights);
                assert_eq!(playout.rows, fresh.rows);
                assert_eq!(playout.totals, fresh.totals);
            }
        }
    }
}

#[test]
fn draws_follow_the_distribution() {
    let policy = lively();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut playout = Playout::new(&Board::new(Size::S9), Color::Black, None, &policy);
    for _ in 0..60 {
        let mv = playout.draw(&policy, &mut rng);
        playout.play(mv, &policy);
    }
    let mut expected = Vec::new();
    playout.distribution(&policy, &mut expected);
    let n = 200_000;
    let mut counts = std::collections::HashMap::new();
    for _ in 0..n {
        *counts.entry(playout.draw(&policy, &mut rng)).or_insert(0) += 1;
    }
    for (point, p) in expected {
        let p = f64::from(p);
        let seen = f64::from(*counts.get(&Move::Play(point)).unwrap_or(&0)) / f64::from(n);
        let error = (p * (1.0 - p) / f64::from(n)).sqrt();
        assert!(
            (seen - p).abs() < 5.0 * error + 1e-4,
            "{point:?}: {seen} for {p}"
        );
    }
}

#[test]
fn playouts_draw_what_pd10_fitted() {
    // Every individual of PD10 with a gamma of its own, against the teams' products.
    let mut counts = std::collections::BTreeMap::new();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let even = Policy::even();
    let start = Playout::new(&Board::new(Size::S9), Color::Black, None, &even);
    let mut walk = start.clone();
    for _ in 0..40 {
        let mv = walk.draw(&even, &mut rng);
        walk.play(mv, &even);
        crate::pd10::count(walk.board(), walk.to_move(), &mut counts);
    }
    let shapes = crate::pd10::ShapeTable::frequent(&counts, 1);
    let gammas: Vec<f64> = (0..shapes.individuals())
        .map(|i| 0.3 + f64::from(i as u32 * 37 % 50) / 10.0)
        .collect();
    let policy = Policy::from_pd10(&shapes, &gammas);
    let mut playout = Playout::new(&Board::new(Size::S9), Color::Black, None, &policy);
    let (mut found, mut team) = (Vec::new(), Vec::new());
    for _ in 0..120 {
        playout.distribution(&policy, &mut found);
        let (board, mover, last) = (playout.board(), playout.to_move(), playout.last());
        let answers = Answers::to(board, mover, last);
        let mut strength = |point| {
            crate::pd10::team(board, mover, point, (last, &answers), (&shapes, &mut team));
            team.iter().map(|&it| gammas[it as usize]).product::<f64>()
        };
        let total: f64 = found.iter().map(|&(point, _)| strength(point)).sum();
        for &(point, p) in &found {
            let expected = strength(point) / total;
            assert!(
                (f64::from(p) - expected).abs() < 2e-3 * expected + 1e-6,
                "{point:?}"
            );
        }
        let mv = playout.draw(&policy, &mut rng);
        playout.play(mv, &policy);
        if playout.is_over() {
            break;
        }
    }
}

#[test]
fn playouts_draw_what_their_own_set_fitted() {
    let even = Policy::even();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut counts = std::collections::BTreeMap::new();
    let mut walk = Playout::new(&Board::new(Size::S9), Color::Black, None, &even);
    for _ in 0..60 {
        playout_set::count(walk.board(), walk.to_move(), &mut counts);
        let mv = walk.draw(&even, &mut rng);
        walk.play(mv, &even);
    }
    let table = SurroundingsTable::frequent(&counts, 10);
    assert!(table.orbits().len() > 20);
    let count = AROUND as usize + table.orbits().len();
    let mut gammas: Vec<f64> = (0..count)
        .map(|i| 0.3 + (i * 37 % 50) as f64 / 10.0)
        .collect();
    // The heaviest class of self-atari is never drawn, whatever was fitted.
    gammas[SELF_ATARI as usize + 2] = 0.0;
    let policy = Policy::from_playout(&table, &gammas);
    let mut features = PlayoutFeatures::new(std::sync::Arc::new(table));
    let mut playout = Playout::new(&Board::new(Size::S9), Color::Black, None, &policy);
    let mut found = Vec::new();
    for _ in 0..120 {
        playout.distribution(&policy, &mut found);
        let turn = Turn {
            board: playout.board(),
            mover: playout.to_move(),
            last: [playout.last(), None],
        };
        let answers = Answers::to(turn.board, turn.mover, turn.last[0]);
        let pressure = Pressure::of(turn.board, turn.mover, turn.last[0]);
        let mut strength = |point| {
            let team = features.team(&turn, point, &answers, &pressure);
            team.iter().map(|&it| gammas[it as usize]).product::<f64>()
        };
        let total: f64 = found.iter().map(|&(point, _)| strength(point)).sum();
        for &(point, p) in &found {
            let expected = strength(point) / total;
            let error = (f64::from(p) - expected).abs();
            assert!(error < 3e-3 * expected + 1e-6, "{point:?}");
        }
        let mv = playout.draw(&policy, &mut rng);
        playout.play(mv, &policy);
        if playout.is_over() {
            break;
        }
    }
}

#[test]
fn a_playout_ends_with_every_point_decided() {
    let policy = Policy::even();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let start = Playout::new(&Board::new(Size::S9), Color::Black, None, &policy);
    let mut playout = start.clone();
    for _ in 0..100 {
        playout.copy_from(&start);
        playout.run(&policy, &mut rng, 400, |_, _| {});
        assert!(playout.is_over());
        let neutral = Size::S9
            .points()
            .filter(|&p| playout.owner(p).is_none())
            .count();
        assert!(neutral <= 4, "{neutral} neutral points");
    }
}

#[test]
fn seki_is_left_alone() {
    // Both chains have the same two liberties: whoever plays one is taken.
    let board = Diagram::parse("X . O\nX X O\nX . O")
        .expect("a board")
        .board;
    let policy = lively();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    for color in Color::BOTH {
        let mut playout = Playout::new(&board, color, None, &policy);
        for _ in 0..1000 {
            assert_eq!(playout.draw(&policy, &mut rng), Move::Pass);
        }
    }
    // A policy that does not mind self-atari breaks it.
    let even = Policy::even();
    let mut playout = Playout::new(&board, Color::Black, None, &even);
    assert_ne!(playout.draw(&even, &mut rng), Move::Pass);
}
