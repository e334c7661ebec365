//! Visits, budgets and memory are kept to the letter.

use rand_xoshiro::rand_core::RngCore;
use shido_go::{Color, Move, Position, Rules, Size};
use shido_search::puct::{BiasSettings, Budget, Puct, PuctSettings};

use crate::evaluators::{at, count_area, drive, position, puct, run};
use crate::seeded;

#[test]
fn budgets_are_kept_exactly() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let mut puct = puct(PuctSettings::default());
    puct.set_root(&position);
    let budgets = [(2, 2, 40), (4, 4, 17), (0, 8, 1)].map(|(x, y, visits)| Budget {
        mv: at(Size::S9, x, y),
        visits,
    });
    puct.set_budgets(&budgets);
    drive(&mut puct, 4, |request| count_area(request.position()));
    let analysis = puct.analysis();
    assert_eq!(analysis.visits, 1 + 40 + 17 + 1);
    for budget in budgets {
        let candidate = analysis.candidate(budget.mv).expect("searched");
        assert_eq!(candidate.visits, budget.visits);
    }
    // The root is the mean by visits of its own evaluation and the candidates.
    let sum: f32 = (analysis.candidates.iter())
        .filter(|it| it.mirrors.is_none())
        .map(|it| it.lead.0.0 * it.visits as f32)
        .sum();
    let raw = analysis.raw.as_ref().expect("evaluated").lead.0.0;
    assert!((analysis.lead.0.0 - (sum + raw) / 59.0).abs() < 1e-4);

    // A second round gives more to some.
    puct.set_budgets(&[Budget {
        visits: 60,
        ..budgets[1]
    }]);
    drive(&mut puct, 4, |request| count_area(request.position()));
    let analysis = puct.analysis();
    assert_eq!(analysis.visits, 1 + 40 + 60 + 1);
    assert_eq!(
        analysis.candidate(budgets[0].mv).map(|it| it.visits),
        Some(40)
    );
}

#[test]
fn a_budget_needs_a_legal_move_but_no_prior() {
    let position = position(&["XX.", "X.X", ".X."], Color::White, Rules::CHINESE, 0.0);
    let (suicide, free) = (at(position.size(), 1, 1), at(position.size(), 2, 0));
    assert!(!position.is_legal(Color::White, suicide));
    let mut puct = puct(PuctSettings::default());
    puct.set_root(&position);
    puct.set_budgets(&[suicide, Move::Pass].map(|mv| Budget { mv, visits: 5 }));
    drive(&mut puct, 1, |request| {
        let mut evaluation = count_area(request.position());
        // The evaluator knows of no pass.
        if request.depth() == 0 {
            *evaluation.policy.last_mut().expect("the pass") = 0.0;
        }
        evaluation
    });
    let analysis = puct.analysis();
    assert_eq!(analysis.candidates.len(), 1);
    assert_eq!(analysis.candidates[0].mv, Move::Pass);
    assert_eq!(analysis.candidates[0].visits, 5);
    assert!(position.is_legal(Color::White, Move::Pass) && analysis.candidate(free).is_none());
}

#[test]
fn memory_ends_a_search_and_is_not_exceeded() {
    let position = Position::new(Size::S19, Rules::CHINESE, 7.0);
    let mut settings = PuctSettings::default();
    settings.report.memory = 4 << 20;
    let mut puct = puct(settings);
    puct.set_root(&position);
    drive(&mut puct, 8, |request| count_area(request.position()));
    assert!(puct.is_full() && puct.is_finished());
    assert!(puct.memory() <= 4 << 20, "{} bytes", puct.memory());
    assert!(puct.memory() > 3 << 20, "{} bytes", puct.memory());
    assert!(puct.visits() > 500);
    assert!(puct.gather(1).is_empty());
    assert!(puct.analysis().best().is_some());
}

/// Applies out of order, cancels some, and checks the books all the while.
#[test]
fn visits_add_up_whatever_order_evaluations_come_in() {
    for seed in 0..20 {
        let mut rng = seeded(seed);
        let mut position = Position::new(Size::S9, Rules::TROMP_TAYLOR, 7.0);
        position.play(at(Size::S9, 2, 3)).expect("legal");
        let mut settings = PuctSettings::analysis();
        settings.seed = seed;
        settings.weights.bias = (seed % 2 == 1).then(BiasSettings::default);
        let mut puct = puct(settings);
        puct.set_root(&position);
        puct.set_visit_limit(Some(150));
        let mut out = Vec::new();
        while !puct.is_finished() {
            out.extend(puct.gather((rng.next_u64() % 6) as usize));
            assert_eq!(puct.in_flight(), out.len());
            for _ in 0..rng.next_u64() % 6 {
                if out.is_empty() {
                    break;
                }
                let request = out.swap_remove((rng.next_u64() as usize) % out.len());
                if rng.next_u64().is_multiple_of(8) {
                    puct.cancel(request);
                } else {
                    let evaluation = count_area(request.position());
                    puct.apply(request, evaluation);
                }
                check_books(&puct);
            }
        }
        assert_eq!(puct.visits(), 150);
        assert_eq!(puct.in_flight(), 0);
    }
}

fn check_books(puct: &Puct) {
    let analysis = puct.analysis();
    if analysis.visits > 1 {
        let below: u64 = analysis.candidates.iter().map(|it| it.visits).sum();
        assert_eq!(analysis.visits, 1 + below);
    }
    assert!(puct.visits() as usize + puct.in_flight() <= 150);
}

#[test]
fn a_full_tree_keeps_room_when_the_game_goes_on() {
    let mut position = Position::new(Size::S19, Rules::CHINESE, 7.0);
    position.play(at(Size::S19, 3, 5)).expect("legal");
    let mut settings = PuctSettings::default();
    settings.report.memory = 4 << 20;
    settings.root.wide_noise = 4.0;
    let mut puct = puct(settings);
    puct.set_root(&position);
    drive(&mut puct, 1, |request| count_area(request.position()));
    let candidates = puct.analysis().candidates;
    let last = candidates.last().expect("there are moves");
    assert!(last.visits < 100);
    position.play(last.mv).expect("legal");
    let analysis = run(&mut puct, &position, 600);
    assert_eq!(analysis.visits, 600);
    assert_eq!(analysis.playouts, 600 - last.visits);
    assert!(puct.memory() <= 4 << 20);
}
