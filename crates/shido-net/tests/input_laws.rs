//! Laws of the inputs that hold for any game: turning the board turns the planes,
//! keys follow the inputs, and ko planes follow the rules.

use proptest::prelude::*;
use shido_go::{IllegalPlay, Move, Position, Rules, Size, Symmetry};
use shido_net::{Encoder, InputSettings, Outputs};

fn sizes() -> impl Strategy<Value = Size> {
    (2usize..=6, 2usize..=6).prop_map(|(width, height)| Size::new(width, height).unwrap())
}

/// A game of random moves, and the moves of the same game on the turned board.
fn games() -> impl Strategy<Value = (Position, Rules)> {
    let choices = prop::collection::vec(any::<u16>(), 0..70);
    let rules = prop::sample::select(Rules::NAMED.to_vec());
    (sizes(), choices, rules, -9i8..9).prop_map(|(size, choices, (_, rules), komi)| {
        let mut position = Position::new(size, rules, f32::from(komi) / 2.0);
        for choice in choices {
            let moves: Vec<Move> = position.legal_moves().collect();
            position
                .play(moves[usize::from(choice) % moves.len()])
                .unwrap();
        }
        (position, rules)
    })
}

fn settings() -> impl Strategy<Value = InputSettings> {
    (any::<bool>(), any::<bool>(), 0usize..7, any::<bool>()).prop_map(
        |(conservative_pass, passing_hacks, max_history, pass_alive_under_suicide)| InputSettings {
            conservative_pass,
            passing_hacks,
            max_history,
            pass_alive_under_suicide,
            ..InputSettings::default()
        },
    )
}

fn turned(position: &Position, symmetry: Symmetry) -> Position {
    let size = position.size();
    let rules = *position.rules();
    let mut there = Position::new(symmetry.size(size), rules, position.komi());
    for played in position.moves() {
        there.play(symmetry.apply(played.mv, size)).unwrap();
    }
    there
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn turning_commutes_with_encoding(
        (position, _) in games(),
        settings in settings(),
        bits in 0u8..8,
    ) {
        let symmetry = Symmetry::from_bits(bits).unwrap();
        let there = turned(&position, symmetry);
        let mut encoder = Encoder::new();
        let inputs = encoder.encode(&position, &settings);
        prop_assert_eq!(&inputs.turned(symmetry), &encoder.encode(&there, &settings));
        prop_assert_eq!(inputs.turned(symmetry).turned(symmetry.inverse()), inputs);
    }

    #[test]
    fn outputs_are_turned_back(size in sizes(), bits in 0u8..8, channels in 1usize..3) {
        let symmetry = Symmetry::from_bits(bits).unwrap();
        let area = size.area();
        // What a network would say that names each point of the board it sees.
        let there = symmetry.size(size);
        let name = |point| there.index_of(point) as f32;
        let points = |offset: f32| there.points().map(move |point| offset + name(point));
        let mut outputs = Outputs::default();
        for channel in 0..channels {
            outputs.policy.extend(points(1000.0 * channel as f32));
            outputs.policy.push(-1.0);
        }
        outputs.ownership = points(0.5).collect();
        outputs.turn_back(symmetry, size);
        for (i, point) in size.points().enumerate() {
            let image = name(symmetry.point(point, size));
            for channel in 0..channels {
                let found = outputs.policy[channel * (area + 1) + i];
                prop_assert_eq!(found, image + 1000.0 * channel as f32);
            }
            prop_assert_eq!(outputs.ownership[i], image + 0.5);
        }
        prop_assert_eq!(outputs.policy[area], -1.0);
    }

    #[test]
    fn ko_planes_say_what_the_rules_say((position, rules) in games()) {
        // Taking the button makes superko forget, which a position does not know.
        prop_assume!(!rules.button);
        let inputs = Encoder::new().encode(&position, &InputSettings::default());
        for (i, point) in position.size().points().enumerate() {
            let why = position.check(position.to_move(), Move::Play(point)).err().map(|e| e.why);
            let banned = matches!(why, Some(IllegalPlay::Ko | IllegalPlay::Superko));
            prop_assert_eq!(inputs.planes[6].get(i), banned, "{:?} on {:?}", point, position.board());
        }
    }

    #[test]
    fn equal_keys_mean_equal_inputs(
        (position, _) in games(),
        settings in settings(),
    ) {
        // A used encoder answers as a fresh one: what it keeps of ladders is exact.
        let mut encoder = Encoder::new();
        let mut back = position.clone();
        let mut met = Vec::new();
        for _ in 0..8 {
            let inputs = encoder.encode(&back, &settings);
            prop_assert_eq!(&inputs, &Encoder::new().encode(&back, &settings));
            met.push((Encoder::key(&back, &settings), inputs));
            if back.undo().is_none() {
                break;
            }
        }
        for (i, (key, inputs)) in met.iter().enumerate() {
            for (other, theirs) in &met[..i] {
                prop_assert!(key != other || inputs == theirs);
            }
        }
    }
}
