//! Whether a path computes what the reference pass does, and which one is fastest.
//!
//! Processors are not trusted to be what they say: some report instructions that
//! fail or crawl. So each path is tried on a small board before it is used.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shido_go::Size;

use super::choice::CpuPath;
use super::{CpuChoice, CpuError, Engine};
use crate::{Block, Conv, Forward, Inputs, Model, Outputs, Reference, tiny};

/// A network with more weights than this is tried on smaller boards.
const LARGE: usize = 4_000_000;
/// How long the timing of a path takes at least.
const TIMING: Duration = Duration::from_millis(12);
/// Evaluations that each path is timed by at least: on a busy machine some are interrupted.
const TURNS: u32 = 3;

/// Returns the engine of the choice.
pub(super) fn choose(model: &Arc<Model>, choice: CpuChoice) -> Result<Engine, CpuError> {
    let trial = Trial::new(model);
    match choice {
        CpuChoice::Only(path) => {
            let engine = Engine::pack(model, path).ok_or_else(|| CpuError::missing(path))?;
            trial.check(&engine)?;
            Ok(engine)
        }
        CpuChoice::Auto => fastest(model, &trial),
    }
}

fn fastest(model: &Model, trial: &Trial) -> Result<Engine, CpuError> {
    let mut warnings = Vec::new();
    let mut working: Vec<Engine> = Vec::new();
    let mut last = CpuError::missing(CpuPath::Plain);
    for path in CpuPath::ALL.into_iter().rev() {
        // The second fastest is a rival; slower ones are only for when both fail.
        if working.len() == 2 || (working.len() == 1 && path == CpuPath::Plain) {
            break;
        }
        let Some(engine) = Engine::pack(model, path) else {
            continue;
        };
        match trial.check(&engine) {
            Ok(()) => working.push(engine),
            Err(error) => {
                warnings.push(error.to_string());
                last = error;
            }
        }
    }
    if working.is_empty() {
        return Err(last);
    }
    let mut stopwatches: Vec<_> = working.iter().map(|it| trial.stopwatch(it)).collect();
    let best = match stopwatches.len() {
        1 => 0,
        rivals => race(rivals, |i| stopwatches[i]()),
    };
    drop(stopwatches);
    Ok(Engine {
        warnings: warnings.into(),
        ..working.swap_remove(best)
    })
}

/// Returns which rival has the shortest time of all it was given. They take turns, so that
/// what else the machine does meets each of them alike.
fn race(rivals: usize, mut time: impl FnMut(usize) -> Duration) -> usize {
    let mut best = vec![Duration::MAX; rivals];
    let mut taken = Duration::ZERO;
    let mut turns = 0;
    while turns < TURNS || taken < TIMING * rivals as u32 {
        for (i, best) in best.iter_mut().enumerate() {
            let one = time(i);
            *best = one.min(*best);
            // So that it ends by any clock.
            taken += one.max(Duration::from_micros(1));
        }
        turns += 1;
    }
    (0..rivals).min_by_key(|&i| best[i]).unwrap_or_default()
}

/// Inputs and what the reference pass says about them.
struct Trial {
    inputs: Inputs,
    expected: Outputs,
    timed: Inputs,
}

impl Trial {
    fn new(model: &Arc<Model>) -> Trial {
        let large = weights(&model.trunk.blocks) > LARGE;
        let (small, timed) = if large { (5, 9) } else { (7, 19) };
        let size = |side| Size::square(side).expect("a board can have these sides");
        let inputs = tiny::inputs(size(small), 7);
        let mut expected = [Outputs::default()];
        Reference::new(Arc::clone(model)).run(&[&inputs], &mut expected);
        let [expected] = expected;
        Trial {
            inputs,
            expected,
            timed: tiny::inputs(size(timed), 8),
        }
    }

    fn check(&self, engine: &Engine) -> Result<(), CpuError> {
        let mut found = [Outputs::default()];
        engine.forward().run(&[&self.inputs], &mut found);
        let (output, error) = largest_error(&self.expected, &found[0]);
        let allowed = engine.path.tolerance();
        if error <= allowed {
            return Ok(());
        }
        Err(CpuError::Wrong {
            path: engine.path,
            found: output,
            error,
            allowed,
        })
    }

    /// Returns what times one evaluation, warmed up.
    fn stopwatch(&self, engine: &Engine) -> impl FnMut() -> Duration {
        let mut pass = engine.forward();
        let mut outputs = [Outputs::default()];
        pass.run(&[&self.timed], &mut outputs);
        move || {
            let start = Instant::now();
            pass.run(&[&self.timed], &mut outputs);
            start.elapsed()
        }
    }
}

/// Returns the output that is furthest off, and by how much of its head's largest.
pub(super) fn largest_error(expected: &Outputs, found: &Outputs) -> (&'static str, f32) {
    let heads: [(&str, &[f32], &[f32]); 4] = [
        ("policy", &expected.policy, &found.policy),
        ("value", &expected.value, &found.value),
        ("scores", &expected.scores, &found.scores),
        ("ownership", &expected.ownership, &found.ownership),
    ];
    heads
        .into_iter()
        .map(|(head, expected, found)| {
            if expected.len() != found.len() {
                return (head, f32::INFINITY);
            }
            let largest = expected.iter().fold(1.0, |most: f32, x| most.max(x.abs()));
            let error = expected
                .iter()
                .zip(found)
                .map(|(expected, found)| (expected - found).abs() / largest)
                // A NaN is as wrong as can be; `f32::max` would pass over it.
                .map(|error| if error.is_nan() { f32::INFINITY } else { error })
                .fold(0.0, f32::max);
            (head, error)
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .expect("there are four heads")
}

/// Counts the weights of blocks.
fn weights(blocks: &[Block]) -> usize {
    let convs = |convs: &[&Conv]| convs.iter().map(|conv| conv.weights.len()).sum();
    blocks
        .iter()
        .map(|block| match block {
            Block::Ordinary(it) => convs(&[&it.conv1, &it.conv2]),
            Block::GlobalPooling(it) => convs(&[&it.regular_conv, &it.gpool_conv, &it.conv2]),
            Block::NestedBottleneck(it) => {
                weights(&it.blocks) + convs(&[&it.pre_conv, &it.post_conv])
            }
            Block::Attention(it) => [&it.query, &it.key, &it.value, &it.output]
                .iter()
                .map(|matrix| matrix.weights.len())
                .sum(),
            Block::FeedForward(it) => {
                let gate = it.gate.as_ref().map_or(0, |gate| gate.weights.len());
                gate + it.linear1.weights.len() + it.linear2.weights.len()
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_this_machine_is_accepted_and_others_are_refused() {
        let model = Arc::new(tiny::Plan::new(8).build());
        for path in CpuPath::ALL {
            match Engine::new(Arc::clone(&model), CpuChoice::Only(path)) {
                Ok(engine) => assert_eq!(engine.name(), path.name()),
                Err(CpuError::Missing { path: refused, .. }) => assert_eq!(refused, path),
                Err(wrong) => panic!("{wrong}"),
            }
        }
        let engine = Engine::new(model, CpuChoice::Auto).unwrap();
        assert!(engine.warnings().is_empty(), "{:?}", engine.warnings());
    }

    #[test]
    fn a_path_that_disagrees_is_refused() {
        let model = Arc::new(tiny::Plan::new(8).build());
        let mut trial = Trial::new(&model);
        trial.expected.value[1] += 1.0;
        let engine = Engine::pack(&model, CpuPath::Plain).unwrap();
        let error = trial.check(&engine).unwrap_err();
        assert!(matches!(error, CpuError::Wrong { found: "value", .. }));
        assert!(fastest(&model, &trial).is_err());
    }

    #[test]
    fn an_interruption_does_not_decide_which_path_is_fastest() {
        let check = |interrupted: &[usize], expect: usize| {
            let mut turns = [0; 2];
            let fastest = race(2, |rival| {
                let turn = turns[rival];
                turns[rival] += 1;
                let time = Duration::from_millis([1, 2][rival]);
                if rival == 0 && interrupted.contains(&turn) {
                    time + Duration::from_millis(30)
                } else {
                    time
                }
            });
            assert_eq!(fastest, expect, "{interrupted:?}");
            assert!(turns[0] >= TURNS as usize && turns[0] == turns[1]);
        };
        check(&[], 0);
        check(&[0, 1], 0);
        check(&(0..100).collect::<Vec<_>>(), 1);
    }

    #[test]
    fn a_nan_is_an_error() {
        let expected = Outputs {
            ownership: vec![0.0, 1.0],
            ..Outputs::default()
        };
        let mut found = expected.clone();
        found.ownership[0] = f32::NAN;
        assert_eq!(
            largest_error(&expected, &found),
            ("ownership", f32::INFINITY)
        );
    }
}
