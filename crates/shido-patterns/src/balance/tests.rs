//! Playouts learn to end as they are told, and the sums are what they say.

use std::collections::BTreeMap;
use std::sync::Arc;

use shido_go::Size;

use super::*;
use crate::model::Model;
use crate::playout_set::{self, AROUND, CAPTURE, EXTENSION, NEAR_LAST, SurroundingsTable};

/// A model that knows everything seen in some playouts, all gammas equal.
fn model() -> (Model, PlayoutFeatures) {
    let even = Policy::even();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut counts = BTreeMap::new();
    let mut playout = Playout::new(&Board::new(Size::S9), Color::Black, None, &even);
    for _ in 0..80 {
        playout_set::count(playout.board(), playout.to_move(), &mut counts);
        let mv = playout.draw(&even, &mut rng);
        playout.play(mv, &even);
    }
    let table = SurroundingsTable::frequent(&counts, 5);
    let tags: Vec<u32> = table.orbits().iter().map(|it| it.0).collect();
    let features = PlayoutFeatures::new(Arc::new(table));
    let count = AROUND as usize + tags.len();
    (Model::new(&features, tags, vec![0.0; count]), features)
}

/// Positions after some moves, with the owners that a teacher's playouts end with.
fn lessons(teacher: &Policy) -> Vec<Lesson> {
    let even = Policy::even();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let lesson = |moves: usize, rng: &mut Xoshiro256PlusPlus| {
        let mut start = Playout::new(&Board::new(Size::S9), Color::Black, None, &even);
        for _ in 0..moves {
            let mv = start.draw(&even, rng);
            start.play(mv, &even);
        }
        let (board, mover, last) = (start.board().clone(), start.to_move(), start.last());
        let root = Playout::new(&board, mover, last, teacher);
        let mut owners = vec![0.0; Size::S9.area()];
        for _ in 0..200 {
            let mut playout = root.clone();
            playout.run(teacher, rng, 250, |_, _| ());
            for (sum, point) in owners.iter_mut().zip(Size::S9.points()) {
                *sum += owner(&playout, point) as f32 / 200.0;
            }
        }
        Lesson {
            board,
            mover,
            last,
            owners,
        }
    };
    (0..12).map(|i| lesson(20 + i, &mut rng)).collect()
}

#[test]
fn playouts_learn_to_end_as_a_teacher_says() {
    let (mut model, features) = model();
    // A teacher who saves and takes what is in atari and answers nearby.
    let mut taught = model.clone();
    for it in [EXTENSION, CAPTURE, CAPTURE + 1, CAPTURE + 2, NEAR_LAST] {
        taught.weights[it as usize] = 3.0;
    }
    let lessons = lessons(&Policy::from_model(&taught).unwrap());
    let settings = Settings {
        playouts: 32,
        damping: 50.0,
        ..Settings::default()
    };
    let mut pupil = Pupil::new(features, settings);
    let mut learner = Learner::new(model.weights.len(), settings);
    let mut errors = Vec::new();
    for step in 0..40 {
        let policy = Policy::from_model(&model).unwrap();
        let mut sums = Sums::new(model.weights.len());
        for (i, lesson) in lessons.iter().enumerate() {
            pupil.learn(lesson, &policy, 100 * step + i as u64, &mut sums);
        }
        errors.push(sums.mean_error());
        learner.step(&sums, 1.0, &mut model.weights);
    }
    let before = errors[0];
    let after = errors[36..].iter().sum::<f64>() / 4.0;
    assert!(after < 0.5 * before, "{before} before, {after} after");
}

#[test]
fn equal_seeds_repeat_a_lesson() {
    let (model, features) = model();
    let policy = Policy::from_model(&model).unwrap();
    let lesson = &lessons(&policy)[0];
    let [a, b, c] = [5, 5, 6].map(|seed| {
        let mut sums = Sums::new(model.weights.len());
        let mut pupil = Pupil::new(features.clone(), Settings::default());
        pupil.learn(lesson, &policy, seed, &mut sums);
        sums
    });
    assert_eq!(a, b);
    assert_ne!(a.gradient, c.gradient);
    assert!(a.gradient.iter().any(|it| *it != 0.0));
    assert_eq!(a.points, 81);
}

#[test]
fn credit_is_the_sum_over_either_neighborhood() {
    let size = Size::new(7, 5).unwrap();
    let number = |point: Point| (3 * point.x() + 10 * point.y()) as f32;
    let mut credit = Credit::default();
    credit.clear(7, 5);
    for point in size.points() {
        credit.push(number(point));
    }
    credit.finish();
    for a in size.points() {
        for b in size.points() {
            for reach in [0, 1, 3] {
                let far = |it: Point, from: Point| {
                    let (dx, dy) = (it.x().abs_diff(from.x()), it.y().abs_diff(from.y()));
                    dx.max(dy) > reach
                };
                let near = size.points().filter(|&it| !far(it, a) || !far(it, b));
                let expected: f32 = near.map(number).sum();
                assert!((credit.near(a, b, reach) - f64::from(expected)).abs() < 1e-9);
            }
        }
    }
}
