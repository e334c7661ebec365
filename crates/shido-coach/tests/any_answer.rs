//! Whatever a partner is answered, it ends its turn with a legal move.
//!
//! Positions are random games; move models and analyses are random too, with zeros,
//! numbers that are none, moves that are illegal and moves that are missing.

use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_coach::play::{
    Ask, Choice, PartnerKind, PartnerPolicy, PartnerSettings, Policy, Step, View, Work, moves_made,
};
use shido_go::{Move, Position, Rules, Size};
use shido_search::{Analysis, Candidate, ForMover, Points, WinRate};

/// The most asks that any partner may need.
const ASKS: usize = 6;

/// How well an answer fits what was asked.
#[derive(Debug, Clone, Copy)]
enum Analyst {
    /// Knows everything.
    Whole,
    /// Knows one move.
    One,
    /// Knows the pass alone.
    Pass,
    /// Knows nothing.
    Silent,
    /// Answers some moves, with numbers that are none among them.
    Broken,
}

/// Plays random legal moves, and perhaps a pass after them.
fn random_game(size: Size, rules: Rules, moves: usize, seed: u64) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::new(size, rules, 6.5);
    for _ in 0..moves {
        let legal: Vec<Move> = position.legal_moves().collect();
        // Passes only when there is nothing else, so that boards fill up.
        let stones = (legal.len() - 1).max(1);
        let mv = legal[(rng.next_u64() % stones as u64) as usize];
        position.play(mv).expect("legal");
    }
    let passed = position.last_move().is_some_and(|it| it.mv.is_pass());
    if seed.is_multiple_of(5) && !passed {
        position.play(Move::Pass).expect("legal");
    }
    position
}

/// A random move model: some zeros, and now and then something odd.
fn random_model(size: Size, seed: u64, odd: bool) -> Vec<f32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut draw = |_| {
        let number = (rng.next_u64() % 1000) as f32 / 1000.0;
        match rng.next_u64() % 8 {
            0..=3 => 0.0,
            4 if odd => f32::NAN,
            5 if odd => -number,
            _ => number.powi(4),
        }
    };
    let model: Vec<f32> = (0..=size.area()).map(&mut draw).collect();
    let sum: f32 = model.iter().sum();
    if odd || sum == 0.0 {
        return model;
    }
    model.into_iter().map(|it| it / sum).collect()
}

/// Answers an ask with random numbers.
fn answer(position: &Position, ask: &Ask, analyst: Analyst, rng: &mut dyn RngCore) -> Analysis {
    let moves: Vec<Move> = match (&ask.work, analyst) {
        (_, Analyst::Silent) => Vec::new(),
        (_, Analyst::Pass) => vec![Move::Pass],
        (Work::Each(each), _) => each.iter().map(|it| it.0).collect(),
        // Illegal points too.
        (Work::Whole(_), Analyst::Broken) => position.size().points().map(Move::Play).collect(),
        (Work::Whole(_), _) => position.legal_moves().collect(),
    };
    let count = match analyst {
        Analyst::One => 1,
        _ => moves.len(),
    };
    let mut number = || (rng.next_u64() % 2001) as f32 / 1000.0 - 1.0;
    let candidates = moves.into_iter().take(count).map(|mv| {
        let wanted = ask.work.wanted(mv).max(1);
        let broken = matches!(analyst, Analyst::Broken) && number() > 0.5;
        let lead = if broken { f32::NAN } else { 30.0 * number() };
        Candidate {
            visits: if broken {
                0
            } else {
                wanted + (100.0 * number().abs()) as u64
            },
            win_rate: ForMover(WinRate(0.5 + 0.5 * number())),
            lead: ForMover(Points(lead)),
            ..Candidate::unknown(mv)
        }
    });
    let candidates = candidates.collect();
    let area = position.size().area();
    Analysis {
        candidates,
        ownership: (0..area).map(|_| number()).collect(),
        score_deviation: Points(20.0 * number().abs()),
        ..Analysis::unknown(position.to_move())
    }
}

/// Plays one turn.
fn turn(settings: PartnerSettings, shown: &View<'_>, analyst: Analyst, seed: u64) -> Choice {
    let partner = PartnerPolicy::new(settings).expect("settings are in range");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut answers = Vec::new();
    for _ in 0..=ASKS {
        let view = View {
            answers: &answers,
            ..*shown
        };
        match partner.step(&view, &mut rng) {
            Step::Play(choice) => return choice,
            Step::Ask(ask) => answers.push(answer(shown.position, &ask, analyst, &mut rng)),
        }
    }
    panic!("asked more than {ASKS} times");
}

fn analysts() -> impl Strategy<Value = Analyst> {
    prop_oneof![
        3 => Just(Analyst::Whole),
        1 => Just(Analyst::One),
        1 => Just(Analyst::Pass),
        1 => Just(Analyst::Silent),
        2 => Just(Analyst::Broken),
    ]
}

fn rules() -> impl Strategy<Value = Rules> {
    prop_oneof![
        Just(Rules::JAPANESE),
        Just(Rules::CHINESE),
        Just(Rules::TROMP_TAYLOR)
    ]
}

fn kinds() -> impl Strategy<Value = PartnerKind> {
    (0..PartnerKind::ALL.len()).prop_map(|at| PartnerKind::ALL[at])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_turn_ends_with_a_legal_move(
        kind in kinds(),
        analyst in analysts(),
        rules in rules(),
        (width, height) in (2usize..=9, 2usize..=9),
        moves in 0usize..120,
        seed in any::<u64>(),
        (odd, endgame, screened, in_endgame) in any::<(bool, bool, bool, bool)>(),
        (human_knows_passes, prior_knows_passes) in any::<(bool, bool)>(),
        simulations in prop_oneof![Just(1u64), Just(100), Just(1000)],
    ) {
        let size = Size::new(width, height).expect("a board");
        let position = random_game(size, rules, moves, seed);
        let human = random_model(size, seed ^ 1, odd);
        let prior = random_model(size, seed ^ 2, odd);
        let mut settings = PartnerSettings::new(kind);
        settings.simulations = simulations;
        settings.sanity.enabled = screened;
        settings.ladder.enabled = screened;
        if endgame {
            settings.set("endgame", "on").expect("a switch");
        }
        let view = View {
            position: &position,
            human: if seed % 7 == 0 { &[] } else { &human },
            prior: if seed % 11 == 0 { &[] } else { &prior },
            human_knows_passes,
            prior_knows_passes,
            answers: &[],
            in_endgame,
        };
        let choice = turn(settings.clone(), &view, analyst, seed);
        prop_assert!(position.is_legal(position.to_move(), choice.mv));
        let record = &choice.record;
        prop_assert_eq!(record.partner, kind);
        let played = record.played_move().map(|it| it.vertex.clone());
        prop_assert!(played.is_none() || played.as_deref() == Some(record.played.as_str()));
        // A record can always be written, and read back as it was.
        let json = serde_json::to_string(record).expect("plain data");
        let again: shido_coach::play::WhyRecord = serde_json::from_str(&json).expect("its own");
        prop_assert_eq!(&again, record);
        // An own eye is never filled, unless there is nothing else on a young board.
        let late = moves_made(&position) >= 0.3 * size.area() as f32;
        if let (true, Some(point)) = (screened, choice.mv.point()) {
            let eye = position.board().is_eye(position.to_move(), point);
            prop_assert!(!(eye && late), "{}", record);
        }
        // Nor does anybody pass there, except one who shows what the analyst would do.
        if screened && !late && kind != PartnerKind::Strong && position.legal_moves().count() > 1 {
            prop_assert!(!choice.mv.is_pass(), "{}", record);
        }
        // Equal answers and an equal seed give an equal move.
        prop_assert_eq!(turn(settings, &view, analyst, seed), choice);
    }
}
