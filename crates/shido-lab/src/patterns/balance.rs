//! Balancing a playout model on positions of recorded games, with a network as teacher.
//!
//! Each position is judged once; half of them after a few moves that a playout would make,
//! because those are what playouts meet. [`shido_patterns::balance`] says how gammas
//! are moved. Positions of games that are held out only measure how far the playouts' ends
//! are from the teacher's. The model depends on games, settings and seed alone, never
//! on the number of threads.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Color, Position, Rules};
use shido_net::{
    Encoder, Engine, Forward, InputSettings, Inputs, Judge, Judgment, Model as Net, Outputs,
    Question,
};
use shido_patterns::balance::{Learner, Lesson, Pupil, Settings, Sums};
use shido_patterns::model::{Model, ModelError};
use shido_patterns::playout::Playout;
use shido_patterns::playout_set::{PlayoutFeatures, SurroundingsTable};
use shido_patterns::policy::Policy;
use shido_patterns::surroundings::Surroundings;
use thiserror::Error;

use super::games::PlayedGame;
use crate::in_parallel::in_parallel;

/// Positions that a network judges at once.
const BATCH: usize = 8;
/// The most moves a playout makes before a position is judged.
const STRAY: u64 = 4;
/// Part of a step's length that is gone at the end.
const COOLING: f64 = 0.9;
/// The komi that positions are judged with.
const KOMI: f32 = 7.5;

/// How to balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Balancing {
    /// How gammas are moved.
    pub learning: Settings,
    /// Positions to learn from.
    pub positions: usize,
    /// Positions of held-out games to measure on.
    pub held_out: usize,
    /// Steps.
    pub steps: usize,
    /// Positions that a step hears.
    pub batch: usize,
    /// Decides which positions are taken and what is drawn.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
}

impl Default for Balancing {
    fn default() -> Balancing {
        Balancing {
            learning: Settings::default(),
            positions: 60_000,
            held_out: 1000,
            steps: 240,
            batch: 400,
            seed: 1,
            threads: 1,
        }
    }
}

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Balanced {
    /// So many positions have been judged.
    Judged(usize),
    /// Mean squared error on the held-out positions, before and after learning.
    Measured(f64),
    /// Steps taken so far and the mean squared error in the last one.
    Stepped(usize, f64),
}

/// Why nothing was balanced.
#[derive(Debug, Error)]
pub enum BalanceError {
    /// There is too little.
    #[error("no position to learn from: {0} games, of which every tenth is held out")]
    NoPosition(usize),
    /// The model is for something else.
    #[error("only playout models can be balanced, and these features are `{0}`")]
    NotPlayout(String),
    /// The model is not usable.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Balances a playout model.
pub fn balance(
    model: &Model,
    games: &[PlayedGame],
    teacher: &Teacher,
    settings: &Balancing,
    on_progress: &(dyn Fn(Balanced) + Sync),
) -> Result<Model, BalanceError> {
    if model.features != "playout" {
        return Err(BalanceError::NotPlayout(model.features.clone()));
    }
    let policy = Policy::from_model(model)?;
    let orbits = model.tags.iter().map(|&it| Surroundings(it)).collect();
    let features = PlayoutFeatures::new(Arc::new(SurroundingsTable::new(orbits)));
    let choose = |held_out: bool, count: usize| {
        let games: Vec<&PlayedGame> = games.iter().filter(|it| it.held_out == held_out).collect();
        let seed = settings.seed ^ u64::from(held_out) << 63;
        choose(&games, count, seed, &policy)
    };
    let taught = teacher.lessons(
        &choose(false, settings.positions),
        settings.threads,
        &|done| on_progress(Balanced::Judged(done)),
    );
    if taught.is_empty() {
        return Err(BalanceError::NoPosition(games.len()));
    }
    let held = choose(true, settings.held_out);
    let held = teacher.lessons(&held, settings.threads, &|_| ());

    let class = Class {
        features: &features,
        settings,
        individuals: model.weights.len(),
    };
    let mut model = model.clone();
    let mut learner = Learner::new(class.individuals, settings.learning);
    let held: Vec<&Lesson> = held.iter().collect();
    if !held.is_empty() {
        on_progress(Balanced::Measured(
            class.hear(&held, &policy, 0).mean_error(),
        ));
    }
    for step in 0..settings.steps {
        let batch = (0..settings.batch).map(|i| (step * settings.batch + i) % taught.len());
        let lessons: Vec<&Lesson> = batch.map(|it| &taught[it]).collect();
        let policy = Policy::from_model(&model)?;
        let sums = class.hear(&lessons, &policy, 1 + step as u64);
        let done = step as f64 / settings.steps as f64;
        learner.step(&sums, 1.0 - COOLING * done, &mut model.weights);
        on_progress(Balanced::Stepped(step + 1, sums.mean_error()));
    }
    if !held.is_empty() {
        let policy = Policy::from_model(&model)?;
        on_progress(Balanced::Measured(
            class.hear(&held, &policy, 0).mean_error(),
        ));
    }
    Ok(model)
}

/// Pupils who share their lessons.
struct Class<'a> {
    features: &'a PlayoutFeatures,
    settings: &'a Balancing,
    individuals: usize,
}

impl Class<'_> {
    fn hear(&self, lessons: &[&Lesson], policy: &Policy, step: u64) -> Sums {
        let settings = self.settings;
        let parts = in_parallel(
            lessons,
            settings.threads,
            || Pupil::new(self.features.clone(), settings.learning),
            |pupil, i, lesson| {
                let mut sums = Sums::new(self.individuals);
                let seed = settings.seed ^ (step << 32 | i as u64);
                pupil.learn(lesson, policy, seed, &mut sums);
                sums
            },
        );
        let mut all = Sums::new(self.individuals);
        for part in &parts {
            all.add(part);
        }
        all
    }
}

/// Takes positions from games, as many from each as from the others, in no order.
fn choose(games: &[&PlayedGame], count: usize, seed: u64, policy: &Policy) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = |bound: usize| ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize;
    let mut chosen = Vec::with_capacity(count);
    if games.is_empty() {
        return chosen;
    }
    // A game may break off early, so more are asked than are wanted.
    for _ in 0..2 * count {
        if chosen.len() == count {
            break;
        }
        let game = games[below(games.len())];
        let moves = 1 + below(game.moves.len());
        let stray = (below(2) * (1 + below(STRAY as usize))) as u64;
        let seed = below(usize::MAX) as u64;
        if let Some(position) = reach(game, moves) {
            chosen.push(strayed(position, stray, seed, policy));
        }
    }
    chosen
}

/// Replays a game's first moves.
fn reach(game: &PlayedGame, moves: usize) -> Option<Position> {
    let first = game.moves.first()?.0;
    let mut position = Position::from_board(game.start(), first, Rules::default(), KOMI);
    for &(color, mv) in &game.moves[..moves] {
        if position.is_over() {
            return None;
        }
        position.play_as(color, mv).ok()?;
    }
    (!position.is_over()).then_some(position)
}

/// Goes on as a playout would.
fn strayed(mut position: Position, moves: u64, seed: u64, policy: &Policy) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..moves {
        let last = position.last_move().and_then(|it| it.mv.point());
        let mut playout = Playout::new(position.board(), position.to_move(), last, policy);
        let mv = playout.draw(policy, &mut rng);
        if mv.is_pass() || position.play(mv).is_err() {
            break;
        }
    }
    position
}

/// A network that says who will own what.
pub struct Teacher {
    engine: Engine,
    judge: Judge,
    inputs: InputSettings,
}

impl Teacher {
    /// Returns a teacher that asks a network without searching.
    pub fn new(net: &Net, engine: Engine) -> Teacher {
        Teacher {
            judge: Judge::new(net),
            inputs: InputSettings {
                pass_alive_under_suicide: net.prefers_pass_alive_under_suicide,
                ..InputSettings::default()
            },
            engine,
        }
    }

    /// Judges positions; `on_batch` hears how many are done.
    fn lessons(
        &self,
        positions: &[Position],
        threads: usize,
        on_batch: &(dyn Fn(usize) + Sync),
    ) -> Vec<Lesson> {
        let done = std::sync::atomic::AtomicUsize::new(0);
        let batches: Vec<&[Position]> = positions.chunks(BATCH).collect();
        let judged = in_parallel(
            &batches,
            threads,
            || (self.engine.forward(), Encoder::new()),
            |(forward, encoder), _, batch| {
                let lessons = self.judge(batch, forward.as_mut(), encoder);
                let before = done.fetch_add(batch.len(), std::sync::atomic::Ordering::Relaxed);
                on_batch(before + batch.len());
                lessons
            },
        );
        judged.into_iter().flatten().collect()
    }

    fn judge(
        &self,
        positions: &[Position],
        forward: &mut dyn Forward,
        encoder: &mut Encoder,
    ) -> Vec<Lesson> {
        let inputs: Vec<Inputs> = positions
            .iter()
            .map(|it| encoder.encode(it, &self.inputs))
            .collect();
        let mut outputs = vec![Outputs::default(); inputs.len()];
        forward.run(&inputs.iter().collect::<Vec<_>>(), &mut outputs);
        let mut judgment = Judgment::default();
        let lessons = positions.iter().zip(&outputs).map(|(position, outputs)| {
            // Only the owners are asked for.
            let legal = vec![true; position.size().area() + 1];
            let question = Question::new(&legal, position.rules());
            self.judge.judge_into(outputs, &question, &mut judgment);
            let sign = match position.to_move() {
                Color::Black => 1.0,
                Color::White => -1.0,
            };
            Lesson {
                board: position.board().clone(),
                mover: position.to_move(),
                last: position.last_move().and_then(|it| it.mv.point()),
                owners: judgment.ownership.iter().map(|it| sign * it).collect(),
            }
        });
        lessons.collect()
    }
}
