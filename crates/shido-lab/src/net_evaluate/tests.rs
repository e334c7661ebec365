//! Measuring with tiny networks and a made-up game.

use std::sync::Arc;

use shido_go::Rank;
use shido_net::CpuChoice;
use shido_net::tiny::Plan;

use super::ranks::{RankSettings, guess_ranks};
use super::*;
use crate::dataset::Source;

fn game(ranks: [Option<u8>; 2], result: Option<f32>) -> PackedGame {
    let letter = |i: usize| char::from(b'a' + i as u8);
    let points = (0..20).map(|i| format!("{}{}", letter(i * 4 % 9), letter(i * 7 / 16)));
    PackedGame {
        ranks,
        result,
        counted: result.is_some(),
        ..PackedGame::on_nine(points.collect::<String>() + "--")
    }
}

fn predictor(meta: bool) -> Predictor {
    let plan = Plan {
        meta,
        ..Plan::new(15)
    };
    Predictor::net(Arc::new(plan.build()), CpuChoice::Auto).expect("some path works")
}

fn settings(asked: Asked, positions: Option<usize>, threads: usize) -> Settings {
    Settings {
        asked,
        positions,
        threads,
    }
}

#[test]
fn positions_are_sorted_by_rank_and_phase_and_judged_for_the_mover() {
    let games = [game([Some(0), Some(38)], Some(5.0)), game([None; 2], None)];
    let predictor = predictor(false);
    let measure = |threads| {
        evaluate(
            &predictor,
            &games,
            &settings(Asked::Own, None, threads),
            &|| (),
        )
    };
    let found = measure(1);
    assert_eq!(found, measure(2), "threads change nothing");
    assert_eq!(found.games, 2);
    assert_eq!(found.all.moves, 40, "the pass is no stone");
    let moves = |name| {
        found
            .by_rank
            .iter()
            .find(|it| it.name == name)
            .unwrap()
            .moves
    };
    assert_eq!(
        (moves("30k–21k"), moves("9d"), moves("no rank")),
        (10, 10, 20)
    );
    let by_phase: Vec<_> = found.by_phase.iter().map(|it| it.moves).collect();
    assert_eq!(by_phase, [18, 22, 0]);
    assert!(found.all.log_evidence < 0.0 && found.all.top_1 <= found.all.top_5);
    let value = found.value.unwrap();
    assert_eq!((value.results, value.scores), (20, 20));
    assert_eq!(value.bins.iter().map(|it| it.positions).sum::<u64>(), 20);
    let won: f64 = value
        .bins
        .iter()
        .map(|it| it.won * it.positions as f64)
        .sum();
    assert!((won - 10.0).abs() < 1e-9, "Black won, and moved ten times");
}

#[test]
fn only_a_net_that_takes_ranks_heeds_them() {
    let games = [game([Some(3), Some(4)], Some(-1.5))];
    for meta in [false, true] {
        let predictor = predictor(meta);
        let at = |asked| evaluate(&predictor, &games, &settings(asked, None, 1), &|| ());
        let evidence = |asked| at(asked).all.log_evidence;
        let weak = evidence(Asked::As(Rank::Kyu(30)));
        let strong = evidence(Asked::As(Rank::Dan(9)));
        assert_eq!(weak != strong, meta);
        assert!(weak.is_finite());
    }
}

#[test]
fn each_band_has_its_own_share_of_positions() {
    let games: Vec<_> = (0..10).map(|_| game([Some(3), Some(35)], None)).collect();
    let found = evaluate(
        &predictor(false),
        &games,
        &settings(Asked::Own, Some(20), 2),
        &|| (),
    );
    for row in found.by_rank.iter().filter(|it| it.moves > 0) {
        assert!((10..=30).contains(&row.moves), "{row:?}");
    }
    assert_eq!(found.by_rank.iter().filter(|it| it.moves > 0).count(), 2);
}

#[test]
fn the_move_model_has_no_values() {
    let games = [game([None; 2], Some(1.0))];
    let predictor = Predictor::pattern().expect("it is part of the program");
    let found = evaluate(&predictor, &games, &settings(Asked::Own, None, 1), &|| ());
    assert_eq!((found.all.moves, found.value), (20, None));
    assert!(found.all.log_evidence.is_finite() && found.all.log_evidence < 0.0);
}

#[test]
fn ranks_are_guessed_for_players_who_have_one() {
    let games = [game([Some(12), None], None)];
    let settings = RankSettings {
        moves: Some(4),
        step: 19,
        threads: 1,
    };
    let found = guess_ranks(&predictor(true), &games, &settings, &|| ());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rank, found[0].moves), (12, 4));
    assert!((0.0..=38.0).contains(&found[0].guess));
    assert!(guess_ranks(&predictor(false), &games, &settings, &|| ()).is_empty());
}

#[test]
fn held_out_games_are_one_in_fifty() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let line = serde_json::to_string(&game([None; 2], None)).unwrap();
    std::fs::write(&file, format!("{line}\n")).unwrap();
    let read = |held_out| games::read(&[(Source::Other, file.clone())], held_out, 1, &|_, _| ());
    assert_eq!(read(false).unwrap().len(), 1);
    let is_held_out = game([None; 2], None).fingerprint().is_multiple_of(50);
    match read(true) {
        Ok(games) => assert!(is_held_out && games.len() == 1),
        Err(error) => assert!(!is_held_out && error.to_string().contains("none of 1 games")),
    }
    std::fs::write(&file, "").unwrap();
    let error = read(true).unwrap_err().to_string();
    assert!(error.contains("no game can be used"), "{error}");
}
