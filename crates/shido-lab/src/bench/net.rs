//! Speed of networks: positions encoded and evaluated, on one and two threads.
//!
//! The positions are made here: each move is drawn by the chances the move model
//! gives it, so that boards look like games. Without a file the networks have
//! random weights in the shapes people use; speed does not depend on the weights.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Move, Position, Rules, Size};
use shido_net::shapes::Shape;
use shido_net::{Encoder, Engine, InputSettings, Inputs, Model, Outputs};
use shido_patterns::feature_set::Turn;
use shido_patterns::large::{LargeModel, PriorScratch};

use super::{Figure, Settings, Speed};

/// Positions of the measurement.
const POSITIONS: usize = 24;
/// Positions evaluated together, as a search hands them over.
const BATCH: usize = 4;
/// A piece of work lasts about so long.
const PIECE: Duration = Duration::from_millis(25);
const SEED: u64 = 0x5348_4944_4f4e_4554;

/// A network to measure.
#[derive(Debug, Clone)]
pub struct Net {
    /// What the table calls it.
    pub name: String,
    /// The network.
    pub model: Arc<Model>,
}

/// Measures evaluations per second, with the encoding of the position.
pub(super) fn run(settings: &Settings) -> Vec<Figure> {
    let mut nets = settings.nets.clone();
    if nets.is_empty() {
        nets = [Shape::B6C96, Shape::B7C96]
            .map(|shape| Net {
                name: shape.name().to_owned(),
                model: Arc::new(shape.build()),
            })
            .to_vec();
    }
    nets.iter()
        .flat_map(|net| measure_net(settings, net))
        .collect()
}

fn measure_net(settings: &Settings, net: &Net) -> Vec<Figure> {
    let Ok(engine) = Engine::new(Arc::clone(&net.model), settings.cpu) else {
        // The command line has refused a path the machine has not.
        return Vec::new();
    };
    [1, 2]
        .map(|threads| {
            let plural = if threads == 1 { "" } else { "s" };
            let name = format!("{}, {}, {threads} thread{plural}", net.name, engine.name());
            Figure::by_board(name, "evals/s", |side| {
                measure(settings, &engine, side, threads)
            })
        })
        .to_vec()
}

fn measure(settings: &Settings, engine: &Engine, side: usize, threads: usize) -> Option<Speed> {
    let positions = positions(Size::square(side).ok()?);
    let mut workers: Vec<Worker> = (0..threads)
        .map(|i| Worker::new(engine, &positions, i * POSITIONS / threads))
        .collect();
    let start = Instant::now();
    workers[0].evaluate(BATCH);
    workers[0].evaluate(BATCH);
    let one = start.elapsed() / 2;
    let batches = (PIECE.as_secs_f64() / one.as_secs_f64()).ceil().max(1.0) as usize;
    Some(Speed::measure(settings, || {
        std::thread::scope(|scope| {
            for worker in &mut workers {
                scope.spawn(move || {
                    for _ in 0..batches {
                        worker.evaluate(BATCH);
                    }
                });
            }
        });
        (threads * batches * BATCH) as f64
    }))
}

/// One thread's share of the work.
struct Worker<'a> {
    positions: &'a [Position],
    next: usize,
    encoder: Encoder,
    pass: Box<dyn shido_net::Forward>,
    outputs: Vec<Outputs>,
}

impl<'a> Worker<'a> {
    fn new(engine: &Engine, positions: &'a [Position], next: usize) -> Worker<'a> {
        Worker {
            positions,
            next,
            encoder: Encoder::new(),
            pass: engine.forward(),
            outputs: vec![Outputs::default(); BATCH],
        }
    }

    fn evaluate(&mut self, count: usize) {
        let settings = InputSettings::default();
        // What it kept of these very boards would make the encoding look free.
        self.encoder.forget();
        let inputs: Vec<Inputs> = (0..count)
            .map(|_| {
                self.next = (self.next + 1) % self.positions.len();
                self.encoder.encode(&self.positions[self.next], &settings)
            })
            .collect();
        let inputs: Vec<&Inputs> = inputs.iter().collect();
        self.pass.run(&inputs, &mut self.outputs[..count]);
    }
}

/// Makes positions from the opening to the late middle game.
fn positions(size: Size) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let model = LargeModel::embedded();
    let mut scratch = PriorScratch::new();
    let mut moves = Vec::new();
    let mut position = Position::new(size, Rules::CHINESE, 7.5);
    let between = (size.area() / 2 / POSITIONS).max(1);
    (0..POSITIONS)
        .map(|_| {
            for _ in 0..between {
                let turn = Turn::new(position.board(), position.to_move());
                model.priors(&mut scratch, &turn, &mut moves);
                let mut draw = (rng.next_u32() as f32 / u32::MAX as f32)
                    * moves.iter().map(|&(_, prior)| prior).sum::<f32>();
                let drawn = moves.iter().find(|&&(_, prior)| {
                    draw -= prior;
                    draw <= 0.0
                });
                let drawn = drawn.map_or(Move::Pass, |&(point, _)| Move::Play(point));
                if position.play(drawn).is_err() {
                    position.play(Move::Pass).expect("a pass is always allowed");
                }
            }
            position.clone()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use shido_net::CpuChoice;

    use super::super::BOARDS;
    use super::*;

    #[test]
    fn positions_fill_the_board_and_are_always_the_same() {
        for side in BOARDS {
            let size = Size::square(side).unwrap();
            let made = positions(size);
            assert_eq!(made.len(), POSITIONS);
            let last = made[POSITIONS - 1].board();
            assert!(size.area() - last.empty_count() > size.area() / 4);
            assert_eq!(
                last.to_string(),
                positions(size)[POSITIONS - 1].board().to_string()
            );
        }
    }

    #[test]
    fn a_tiny_network_has_a_speed_on_every_board() {
        let settings = Settings {
            windows: 1,
            window: Duration::from_millis(1),
            nets: vec![Net {
                name: "tiny".to_owned(),
                model: Arc::new(shido_net::tiny::Plan::new(8).build()),
            }],
            cpu: CpuChoice::Auto,
        };
        let figures = run(&settings);
        assert_eq!(figures.len(), 2);
        for figure in figures {
            let speeds = figure.speeds.map(|speed| speed.unwrap().median);
            assert!(speeds.iter().all(|&speed| speed > 0.0), "{speeds:?}");
        }
    }
}
