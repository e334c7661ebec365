//! Whole turns of partners on scripted answers.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_go::gtp::{format_vertex, parse_vertex};
use shido_go::{Color, Move, Position, Rules, Size};
use shido_search::{Analysis, Candidate, ForMover, Points, WinRate};

use super::*;

/// A 9×9 game with a few stones, Black to move.
pub(super) fn opening() -> Position {
    let mut position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
    for vertex in ["E5", "C3", "G7", "C7"] {
        position
            .play(parse_vertex(vertex, Size::S9).unwrap())
            .unwrap();
    }
    position
}

/// A report of moves: vertex, visits, win rate, lead.
pub(super) fn report(size: Size, moves: &[(&str, u64, f32, f32)]) -> Analysis {
    let candidate = |&(vertex, visits, win_rate, lead): &(&str, u64, f32, f32)| {
        let mv = parse_vertex(vertex, size).unwrap();
        Candidate {
            visits,
            win_rate: ForMover(WinRate(win_rate)),
            lead: ForMover(Points(lead)),
            ..Candidate::unknown(mv)
        }
    };
    Analysis {
        candidates: moves.iter().map(candidate).collect(),
        ..Analysis::unknown(Color::Black)
    }
}

/// A move model from vertices and probabilities.
pub(super) fn model(size: Size, moves: &[(&str, f32)]) -> Vec<f32> {
    let mut model = vec![0.0; size.area() + 1];
    for &(vertex, probability) in moves {
        let mv = parse_vertex(vertex, size).unwrap();
        let at = mv.point().map_or(size.area(), |point| size.index_of(point));
        model[at] = probability;
    }
    model
}

pub(super) fn view<'a>(
    position: &'a Position,
    human: &'a [f32],
    answers: &'a [Analysis],
) -> View<'a> {
    View {
        position,
        human,
        prior: human,
        answers,
        in_endgame: false,
    }
}

pub(super) fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

#[track_caller]
pub(super) fn played(step: Step) -> Choice {
    match step {
        Step::Play(choice) => choice,
        Step::Ask(ask) => panic!("asked for {ask:?}"),
    }
}

#[track_caller]
pub(super) fn asked(step: Step) -> Ask {
    match step {
        Step::Ask(ask) => ask,
        Step::Play(choice) => panic!("played {}", choice.record),
    }
}

#[test]
fn strong_plays_the_first_move_of_one_search() {
    let position = opening();
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Strong)).unwrap();
    let ask = asked(partner.step(&view(&position, &[], &[]), &mut rng(1)));
    assert_eq!(ask.work, Work::Whole(1000));
    assert_eq!(ask.komi_offset, 0.0);
    let answer = report(Size::S9, &[("D4", 600, 0.6, 3.0), ("F3", 400, 0.62, 4.0)]);
    let choice = played(partner.step(&view(&position, &[], &[answer]), &mut rng(1)));
    assert_eq!(format_vertex(choice.mv, Size::S9), "D4");
    assert_eq!(choice.record.rule, Rule::BestMove);
    assert_eq!(choice.record.lead, Some(ForMover(Points(4.0))));
    assert_eq!(choice.record.played_move().unwrap().loss, Some(1.0));
}

#[test]
fn human_draws_by_a_power_of_naturalness() {
    let position = opening();
    let human = model(Size::S9, &[("D4", 0.6), ("F3", 0.3), ("E5", 0.1)]);
    let share = |exponent: f32| {
        let mut settings = PartnerSettings::new(PartnerKind::Human);
        settings.human = HumanSettings { exponent, look: 0 };
        let partner = PartnerPolicy::new(settings).unwrap();
        let mut rng = rng(3);
        let mut count = 0;
        for _ in 0..400 {
            let choice = played(partner.step(&view(&position, &human, &[]), &mut rng));
            // E5 is occupied.
            assert!(["D4", "F3"].contains(&choice.record.played.as_str()));
            count += usize::from(choice.record.played == "D4");
        }
        count as f32 / 400.0
    };
    // 2:1, and to the power of 3 it is 8:1.
    assert!((share(1.0) - 2.0 / 3.0).abs() < 0.07);
    assert!((share(3.0) - 8.0 / 9.0).abs() < 0.05);
    assert!((share(0.0) - 0.5).abs() < 0.07);
}

#[test]
fn human_looks_briefly_first() {
    let position = opening();
    let human = model(Size::S9, &[("D4", 1.0)]);
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Human)).unwrap();
    let ask = asked(partner.step(&view(&position, &human, &[]), &mut rng(1)));
    assert_eq!(ask.work, Work::Whole(32));
    let answer = report(Size::S9, &[("F3", 20, 0.6, 3.0), ("D4", 12, 0.5, 1.5)]);
    let choice = played(partner.step(&view(&position, &human, &[answer]), &mut rng(1)));
    assert_eq!(choice.record.rule, Rule::HumanDraw);
    assert_eq!(choice.record.played_move().unwrap().loss, Some(1.5));
}

#[test]
fn human_plays_on_where_the_model_knows_nothing() {
    let position = opening();
    let partner = PartnerPolicy::new(PartnerSettings::new(PartnerKind::Human)).unwrap();
    let answers = [Analysis::unknown(Color::Black)];
    let choice = played(partner.step(&view(&position, &[], &answers), &mut rng(1)));
    assert!(position.is_legal(Color::Black, choice.mv) && choice.mv != Move::Pass);
}
