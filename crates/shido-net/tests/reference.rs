//! The reference pass on tiny networks: its outputs as they were when they agreed
//! with another implementation, kept in `data/tiny.txt`.
//!
//! `UPDATE_TINY=1 cargo test -p shido-net --test reference` writes the file anew.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use shido_go::Size;
use shido_net::tiny::{inputs, zoo};
use shido_net::{Forward, Inputs, Model, Outputs, Reference};

/// What the numbers of another machine may differ by.
const TOLERANCE: f32 = 2e-5;

fn boards() -> [Inputs; 2] {
    [(13, 7), (9, 9)].map(|(width, height)| {
        let size = Size::new(width, height).expect("small boards");
        inputs(size, (width + height) as u64)
    })
}

fn run(model: &Arc<Model>, inputs: &[&Inputs]) -> Vec<Outputs> {
    let mut outputs = vec![Outputs::default(); inputs.len()];
    Reference::new(Arc::clone(model)).run(inputs, &mut outputs);
    outputs
}

/// Returns some numbers of everything a network says: each policy's corner, third
/// point and pass, the value, the scores and the owners of two points.
fn sample(outputs: &Outputs) -> Vec<f32> {
    let area = outputs.ownership.len();
    let mut sample = Vec::new();
    for policy in outputs.policy.chunks_exact(area + 1) {
        sample.extend([policy[0], policy[2], policy[area]]);
    }
    sample.extend(outputs.value);
    sample.extend(outputs.scores);
    sample.extend([outputs.ownership[1], outputs.ownership[area - 1]]);
    sample
}

#[test]
fn outputs_are_as_they_were() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiny.txt");
    let mut found = String::new();
    for (what, model) in zoo() {
        let model = Arc::new(model);
        let [first, second] = boards();
        for outputs in run(&model, &[&first, &second]) {
            write!(found, "{what}:").expect("a string takes any text");
            for number in sample(&outputs) {
                write!(found, " {number:.5}").expect("a string takes any text");
            }
            found.push('\n');
        }
    }
    if std::env::var_os("UPDATE_TINY").is_some() {
        std::fs::write(&path, &found).expect("the folder is writable");
    }
    let expected = std::fs::read_to_string(&path).expect("the file is beside this one");
    assert_eq!(found.lines().count(), expected.lines().count());
    for (found, expected) in found.lines().zip(expected.lines()) {
        let numbers = |line: &str| {
            let (what, numbers) = line.split_once(": ").expect("a name and numbers");
            let numbers = numbers.split(' ').map(|it| it.parse().expect("a number"));
            (what.to_owned(), numbers.collect::<Vec<f32>>())
        };
        let (found, expected) = (numbers(found), numbers(expected));
        assert_eq!(found.0, expected.0);
        assert_eq!(found.1.len(), expected.1.len(), "{}", found.0);
        for (a, b) in found.1.iter().zip(&expected.1) {
            let error = (a - b).abs();
            assert!(
                error <= TOLERANCE * b.abs().max(1.0),
                "{}: {a}, {b}",
                found.0
            );
        }
    }
}

#[test]
fn tiny_networks_say_something_and_not_too_much() {
    for (what, model) in zoo() {
        let model = Arc::new(model);
        let [first, second] = boards();
        let [a, b] = &run(&model, &[&first, &second])[..] else {
            panic!("two outputs for two inputs");
        };
        let spread = |numbers: &[f32]| {
            let of = |pick: fn(f32, f32) -> f32, from| numbers.iter().copied().fold(from, pick);
            of(f32::max, f32::MIN) - of(f32::min, f32::MAX)
        };
        assert_eq!(a.policy.len(), model.policy_channels() * (91 + 1), "{what}");
        assert_eq!(a.ownership.len(), 91, "{what}");
        for numbers in [
            &a.policy[..],
            &a.ownership,
            &b.policy,
            &b.ownership,
            &a.value,
        ] {
            assert!(
                (0.1..20.0).contains(&spread(numbers)),
                "{what}: {numbers:?}"
            );
        }
        assert_ne!(a.value, b.value, "{what}");
        assert_eq!(a.scores[4] != 0.0, model.version >= 9, "{what}");
    }
}

#[test]
fn the_description_of_the_player_matters_to_nets_that_take_one() {
    for (what, model) in zoo() {
        let takes_meta = model.trunk.meta_encoder.is_some();
        let model = Arc::new(model);
        let [board, _] = boards();
        let nobody = Inputs {
            meta: None,
            ..board.clone()
        };
        let outputs = run(&model, &[&board, &nobody]);
        assert_eq!(outputs[0] != outputs[1], takes_meta, "{what}");
    }
}

#[test]
fn old_contents_of_the_outputs_do_not_matter() {
    let (_, model) = zoo().swap_remove(0);
    let mut pass = Reference::new(Arc::new(model));
    let [large, small] = boards();
    let mut fresh = [Outputs::default()];
    pass.run(&[&small], &mut fresh);
    let mut used = [Outputs::default()];
    pass.run(&[&large], &mut used);
    pass.run(&[&small], &mut used);
    assert_eq!(fresh, used);
    assert_eq!(pass.name(), "reference");
}
