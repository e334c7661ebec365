//! Laws of the large model on positions of random games.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Board, Color, Point, Size, Symmetry};

use super::features::is_eye;
use super::survey::Survey;
use super::{LargeFeatures, LargeModel, Nesting, PriorScratch, Shapes, Trainer};
use crate::feature_set::{FeatureSet, Teams, Turn, legal_moves};
use crate::model::Model;

/// Plays random legal moves that fill no eyes; shows every `every`-th position.
fn random_game(size: Size, seed: u64, every: usize, mut see: impl FnMut(&Turn<'_>)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut board = Board::new(size);
    let mut last = [None; 2];
    let mut mover = Color::Black;
    for number in 0..size.area() {
        let turn = Turn {
            board: &board,
            mover,
            last,
        };
        if number % every == 0 {
            see(&turn);
        }
        let mut survey = Survey::new(size);
        survey.read(&turn);
        let moves = legal_moves(&turn).filter(|&it| !is_eye(&board, &survey, it));
        let moves: Vec<Point> = moves.collect();
        if moves.is_empty() {
            return;
        }
        let point = moves[rng.next_u64() as usize % moves.len()];
        board.play(mover, point);
        last = [Some(point), last[0]];
        mover = !mover;
    }
}

fn embedded_file() -> Model {
    Model::from_bytes(include_bytes!("../../models/large.gammas")).unwrap()
}

fn priors(turn: &Turn<'_>) -> Vec<(Point, f32)> {
    let mut out = Vec::new();
    LargeModel::embedded().priors(&mut PriorScratch::new(), turn, &mut out);
    out.sort_by_key(|it| it.0);
    out
}

#[test]
fn liberties_after_a_move_are_those_of_the_board_after_it() {
    for seed in 0..4 {
        random_game(Size::S9, seed, 3, |turn| {
            let mut survey = Survey::new(Size::S9);
            survey.read(turn);
            for point in legal_moves(turn) {
                let mut after = turn.board.clone();
                after.play(turn.mover, point);
                let heads = |color, atari: bool| {
                    let stones = point.neighbors().into_iter();
                    let stones = stones.filter(|&it| turn.board.stone(it) == Some(color));
                    let stones = stones.filter(|&it| !atari || turn.board.atari(it).is_some());
                    let mut heads: Vec<Point> = stones.map(|it| turn.board.head(it)).collect();
                    heads.sort();
                    heads.dedup();
                    heads
                };
                let (own, taken) = (heads(turn.mover, false), heads(!turn.mover, true));
                let found = survey.liberties_after(turn.board, point, (&own, &taken), 5);
                assert_eq!(found, after.count_liberties(point, 5), "{point:?}");
            }
        });
    }
}

#[test]
fn probabilities_add_up_on_every_size_and_fill_no_eye() {
    for side in [2, 5, 9, 13, 25] {
        let size = Size::new(side, side.max(4) - 1).unwrap();
        random_game(size, side as u64, 7, |turn| {
            let mut survey = Survey::new(size);
            survey.read(turn);
            let found = priors(turn);
            assert!(found.iter().all(|it| !is_eye(turn.board, &survey, it.0)));
            assert!(found.iter().all(|it| turn.board.is_legal(turn.mover, it.0)));
            let sum: f32 = found.iter().map(|it| it.1).sum();
            assert!(found.is_empty() || (sum - 1.0).abs() < 1e-4, "{sum}");
        });
    }
}

#[test]
fn symmetries_and_colors_do_not_matter() {
    let model = LargeModel::embedded();
    let mut scratch = PriorScratch::new();
    random_game(Size::S13, 5, 10, |turn| {
        let plain = priors(turn);
        for symmetry in Symmetry::all() {
            let image = |it: Point| symmetry.point(it, Size::S13);
            let mut board = symmetry.board(turn.board);
            if turn.board.ko().is_some() {
                // The image of a board keeps no ko ban.
                return;
            }
            board.clear_ko();
            let turned = Turn {
                board: &board,
                mover: turn.mover,
                last: turn.last.map(|it| it.map(image)),
            };
            let mut out = Vec::new();
            model.priors(&mut scratch, &turned, &mut out);
            assert_eq!(out.len(), plain.len());
            for &(point, p) in &plain {
                let (_, q) = out.iter().find(|it| it.0 == image(point)).unwrap();
                assert!((p - q).abs() <= 1e-5 * p.max(*q), "{point:?} {p} {q}");
            }
        }
    });
}

#[test]
fn the_model_in_use_agrees_with_the_teams_of_its_file() {
    let file = embedded_file();
    let mut features = LargeFeatures::new(&Shapes::of_model(&file));
    let mut teams = Teams::default();
    random_game(Size::S19, 8, 25, |turn| {
        features.teams(turn, &mut teams);
        let strength = |i: usize| -> f32 {
            let team = teams.team(i).iter();
            team.map(|&it| file.weights[it as usize]).sum::<f32>().exp()
        };
        let found = priors(turn);
        let places: Vec<usize> = found
            .iter()
            .map(|it| teams.position(it.0).unwrap())
            .collect();
        let sum: f32 = places.iter().map(|&it| strength(it)).sum();
        for (&(point, p), &place) in found.iter().zip(&places) {
            let q = strength(place) / sum;
            assert!((p - q).abs() <= 1e-3 * q, "{point:?} {p} {q}");
        }
    });
}

#[test]
fn a_team_has_one_individual_of_a_group_at_most() {
    let file = embedded_file();
    let mut features = LargeFeatures::new(&Shapes::of_model(&file));
    let ends: Vec<u32> = features
        .groups()
        .iter()
        .scan(0, |end, it| {
            *end += it.size;
            Some(*end)
        })
        .collect();
    let mut teams = Teams::default();
    random_game(Size::S19, 3, 20, |turn| {
        features.teams(turn, &mut teams);
        for team in teams.iter() {
            let groups = team
                .iter()
                .map(|&it| ends.partition_point(|&end| end <= it));
            let mut groups: Vec<usize> = groups.collect();
            let len = groups.len();
            groups.sort_unstable();
            groups.dedup();
            assert_eq!(groups.len(), len, "{team:?}");
        }
    });
}

#[test]
fn training_learns_and_folding_keeps_what_was_learned() {
    // The one to learn: always the likeliest by the embedded model.
    let mut shapes = Shapes::default();
    let mut harvester = LargeFeatures::new(&shapes);
    let best = |turn: &Turn<'_>| {
        let found = priors(turn).into_iter();
        found.max_by(|a, b| a.1.total_cmp(&b.1)).map(|it| it.0)
    };
    let games = |see: &mut dyn FnMut(&Turn<'_>, Point)| {
        for seed in 0..12 {
            random_game(Size::S9, seed, 2, |turn| {
                if let Some(point) = best(turn) {
                    see(turn, point);
                }
            });
        }
    };
    games(&mut |turn, point| harvester.harvest(turn, point, &mut shapes));
    shapes.keep_frequent(3);
    let mut features = LargeFeatures::new(&shapes);
    let mut trainer = Trainer::new(&shapes, 0.3);
    let mut teams = Teams::default();
    let mut rounds = Vec::new();
    for _ in 0..2 {
        let (mut sum, mut n) = (0.0, 0.0);
        games(&mut |turn, point| {
            features.list(turn, Nesting::All, &mut teams);
            let winner = teams.position(point).unwrap();
            sum += trainer.learn(&teams, winner).ln();
            n += 1.0;
        });
        rounds.push(sum / n);
    }
    assert!(rounds[1] > rounds[0] + 0.3, "{rounds:?}");
    let folded = LargeModel::new(&trainer.model(&shapes)).unwrap();
    let mut scratch = PriorScratch::new();
    let mut out = Vec::new();
    random_game(Size::S9, 1, 5, |turn| {
        folded.priors(&mut scratch, turn, &mut out);
        features.list(turn, Nesting::All, &mut teams);
        let nested = trainer.predict(&teams).to_vec();
        let kept: f32 = out
            .iter()
            .map(|it| nested[teams.position(it.0).unwrap()])
            .sum();
        for &(point, p) in &out {
            let q = nested[teams.position(point).unwrap()] / kept;
            assert!((p - q).abs() < 0.01 * q.max(0.01), "{point:?} {p} {q}");
        }
    });
}
