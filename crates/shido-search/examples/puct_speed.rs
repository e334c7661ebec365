//! Visits a second of the neural search's tree alone, with an evaluator that does nothing.

use std::time::Instant;

use shido_go::{Position, Rules, Size};
use shido_search::puct::{Hooks, Puct, PuctSettings};
use shido_search::{Evaluation, ForMover, Points, WinRate};

fn main() {
    let position = Position::new(Size::S19, Rules::TROMP_TAYLOR, 7.5);
    for (visits, batch) in [(800, 1), (800, 8), (10_000, 1), (10_000, 8)] {
        let mut best = f64::INFINITY;
        let mut memory = 0;
        for _ in 0..5 {
            let mut puct =
                Puct::new(PuctSettings::analysis(), Hooks::default()).expect("sane settings");
            puct.set_root(&position);
            puct.set_visit_limit(Some(visits));
            let mut spent = 0.0;
            while !puct.is_finished() {
                let started = Instant::now();
                let requests = puct.gather(batch);
                spent += started.elapsed().as_secs_f64();
                for request in requests {
                    let evaluation = evaluate(request.position());
                    let started = Instant::now();
                    puct.apply(request, evaluation);
                    spent += started.elapsed().as_secs_f64();
                }
            }
            best = best.min(spent);
            memory = puct.memory();
        }
        println!(
            "{visits} visits, {batch} at a time: {:.1} µs a visit, {:.0} visits/s, {} KiB",
            best / visits as f64 * 1e6,
            visits as f64 / best,
            memory >> 10
        );
    }
}

/// A policy that prefers some moves, and a value that follows the stones' hash.
fn evaluate(position: &Position) -> Evaluation {
    let size = position.size();
    let mut mix = position.hash() | 1;
    let mut next = || {
        mix = mix.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (mix >> 29);
        (mix >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut policy: Vec<f32> = size
        .points()
        .map(|it| {
            if position.board().is_empty(it) {
                next().powi(16)
            } else {
                0.0
            }
        })
        .chain([1e-4])
        .collect();
    let sum: f32 = policy.iter().sum();
    for it in &mut policy {
        *it /= sum;
    }
    Evaluation {
        policy: policy.into_boxed_slice(),
        win_rate: ForMover(WinRate(0.4 + 0.2 * next())),
        no_result: 0.0,
        score_mean: ForMover(Points(4.0 * next() - 2.0)),
        score_deviation: Points(15.0),
        lead: ForMover(Points(4.0 * next() - 2.0)),
        variance_time: None,
        short_term_win_loss_error: None,
        short_term_score_error: None,
        ownership: Some(vec![0.0; size.area()].into_boxed_slice()),
    }
}
