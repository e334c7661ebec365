//! Every path against the reference pass: every kind of network, sizes, batches.

use std::sync::Arc;

use shido_go::Size;

use super::Engine;
use super::check::largest_error;
use super::choice::CpuPath;
use crate::{Forward, Inputs, Model, Outputs, Reference, tiny};

/// What the fp32 paths are held to on tiny networks.
const CLOSE: f32 = 2e-5;

/// Batches of boards, by width and height.
const BATCHES: [&[(usize, usize)]; 6] = [
    &[(19, 19)],
    &[(9, 9), (9, 9), (9, 9)],
    &[(13, 7); 5],
    &[(7, 7)],
    &[(19, 19), (5, 3), (9, 9), (2, 2), (13, 13)],
    &[(7, 7); 11],
];

fn check(path: CpuPath, name: &str, model: &Model, slack: f32) {
    let model = Arc::new(model.clone());
    let Some(engine) = Engine::pack(&model, path) else {
        println!("SKIPPED: this processor has no {path}");
        return;
    };
    let mut reference = Reference::new(Arc::clone(&model));
    // One pass for all batches: what an earlier one left must not matter.
    let mut pass = engine.forward();
    for (i, batch) in BATCHES.iter().enumerate() {
        let inputs: Vec<Inputs> = batch
            .iter()
            .enumerate()
            .map(|(j, &(width, height))| {
                let size = Size::new(width, height).unwrap();
                tiny::inputs(size, (i * 100 + j) as u64)
            })
            .collect();
        let inputs: Vec<&Inputs> = inputs.iter().collect();
        let mut expected = vec![Outputs::default(); inputs.len()];
        reference.run(&inputs, &mut expected);
        let mut found = vec![Outputs::default(); inputs.len()];
        pass.run(&inputs, &mut found);
        for (j, (expected, found)) in expected.iter().zip(&found).enumerate() {
            let (head, error) = largest_error(expected, found);
            assert!(
                error <= slack,
                "{path}, {name}, batch {i}, board {j}: {head} is off by {error}"
            );
        }
    }
}

/// bf16 keeps eight bits of each factor; a tiny network averages few errors away.
const COARSE: f32 = 3e-2;

fn check_zoo(path: CpuPath, slack: f32) {
    for (name, model) in tiny::zoo() {
        check(path, &name, &model, slack);
    }
}

#[test]
fn plain_agrees_with_the_reference() {
    check_zoo(CpuPath::Plain, CLOSE);
}

#[test]
fn avx2_agrees_with_the_reference() {
    check_zoo(CpuPath::Avx2, CLOSE);
}

#[test]
fn avx512_agrees_with_the_reference() {
    check_zoo(CpuPath::Avx512, CLOSE);
}

#[test]
fn neon_agrees_with_the_reference() {
    check_zoo(CpuPath::Neon, CLOSE);
}

#[test]
fn tiles_agree_with_the_reference_as_far_as_bf16_can() {
    check_zoo(CpuPath::EmulatedTiles, COARSE);
    check_zoo(CpuPath::Amx, COARSE);
}
