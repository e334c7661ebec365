//! Balancing a playout model on positions of recorded games, with a network as teacher.
//!
//! Each position is judged once; half of them after a few moves that a playout would make,
//! because those are what playouts meet. [`shido_patterns::balance`] says how gammas
//! are moved. Positions of games that are held out only measure how far the playouts' ends
//! are from the teacher's. The result never depends on the number of threads; it does on the
//! teacher's last bits, and so on how the network is computed.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_engine::native::LONGEST_SIDE;
use shido_go::{Color, Position, Rules, Size};
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
const STRAY: usize = 4;
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
pub enum BalanceProgress {
    /// So many positions have been judged.
    Judged(usize),
    /// The error on the held-out positions, before and after learning.
    Measured(HeldOut),
    /// Steps taken so far and the mean squared error in the last one.
    Stepped(usize, f64),
}

/// How far playouts' ends are from the teacher's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOut {
    /// Positions.
    pub positions: usize,
    /// Mean squared error of a point's owner.
    pub error: f64,
    /// Half of its 95 % interval, for positions that are independent.
    pub margin: f64,
}

/// Why nothing was balanced.
#[derive(Debug, Error)]
pub enum BalanceError {
    /// There is too little.
    #[error(
        "no position to learn from in {0} games: those held out, broken at the start or on \
         boards above {LONGEST_SIDE}×{LONGEST_SIDE} do not count"
    )]
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
    on_progress: &(dyn Fn(BalanceProgress) + Sync),
) -> Result<Model, BalanceError> {
    if model.features != "playout" {
        return Err(BalanceError::NotPlayout(model.features.clone()));
    }
    let policy = Policy::from_model(model)?;
    let orbits = model.tags.iter().map(|&it| Surroundings(it)).collect();
    let features = PlayoutFeatures::new(Arc::new(SurroundingsTable::new(orbits)));
    let choose = |held_out: bool, count: usize| {
        let games = games.iter().filter(|it| it.held_out == held_out);
        let games: Vec<&PlayedGame> = games.filter(|it| fits(it.size)).collect();
        choose(&games, count, settings.seed ^ u64::from(held_out) << 63)
    };
    let judge = |chosen: &[Chosen<'_>], on_batch: &(dyn Fn(usize) + Sync)| {
        teacher.lessons(chosen, &policy, settings.threads, on_batch)
    };
    let taught = judge(&choose(false, settings.positions), &|done| {
        on_progress(BalanceProgress::Judged(done));
    });
    if taught.is_empty() {
        return Err(BalanceError::NoPosition(games.len()));
    }
    let held = judge(&choose(true, settings.held_out), &|_| ());

    let class = Class {
        features: &features,
        settings,
        individuals: model.weights.len(),
    };
    let mut model = model.clone();
    let mut learner = Learner::new(class.individuals, settings.learning);
    let held: Vec<&Lesson> = held.iter().collect();
    on_progress(BalanceProgress::Measured(class.measure(&held, &policy)));
    for step in 0..settings.steps {
        let batch = (0..settings.batch).map(|i| (step * settings.batch + i) % taught.len());
        let lessons: Vec<&Lesson> = batch.map(|it| &taught[it]).collect();
        let policy = Policy::from_model(&model)?;
        let mut sums = Sums::new(class.individuals);
        for part in class.hear(&lessons, &policy, 1 + step as u64) {
            sums.add(&part);
        }
        let done = step as f64 / settings.steps as f64;
        learner.step(&sums, 1.0 - COOLING * done, &mut model.weights);
        on_progress(BalanceProgress::Stepped(step + 1, sums.mean_error()));
    }
    let policy = Policy::from_model(&model)?;
    on_progress(BalanceProgress::Measured(class.measure(&held, &policy)));
    Ok(model)
}

/// Returns whether a network can look at a board.
fn fits(size: Size) -> bool {
    size.width().max(size.height()) <= LONGEST_SIDE
}

/// Pupils who share their lessons.
struct Class<'a> {
    features: &'a PlayoutFeatures,
    settings: &'a Balancing,
    individuals: usize,
}

impl Class<'_> {
    /// Returns what each lesson says.
    fn hear(&self, lessons: &[&Lesson], policy: &Policy, step: u64) -> Vec<Sums> {
        let settings = self.settings;
        in_parallel(
            lessons,
            settings.threads,
            || Pupil::new(self.features.clone(), settings.learning),
            |pupil, i, lesson| {
                let mut sums = Sums::new(self.individuals);
                let seed = settings.seed ^ (step << 32 | i as u64);
                pupil.learn(lesson, policy, seed, &mut sums);
                sums
            },
        )
    }

    fn measure(&self, held: &[&Lesson], policy: &Policy) -> HeldOut {
        let parts = self.hear(held, policy, 0);
        let n = parts.len().max(1) as f64;
        let points: u64 = parts.iter().map(|it| it.points).sum();
        let error = parts.iter().map(|it| it.error).sum::<f64>() / points.max(1) as f64;
        // Of a ratio of sums: a larger board counts for more.
        let apart = |it: &Sums| it.error - error * it.points as f64;
        let spread = parts.iter().map(|it| apart(it).powi(2)).sum::<f64>().sqrt();
        let margin = 1.96 * spread / points.max(1) as f64 * (n / (n - 1.0).max(1.0)).sqrt();
        HeldOut {
            positions: parts.len(),
            error,
            margin,
        }
    }
}

/// A position of a game, and how many moves a playout goes on from there.
struct Chosen<'a> {
    game: &'a PlayedGame,
    moves: usize,
    stray: usize,
    seed: u64,
}

impl Chosen<'_> {
    fn position(&self, policy: &Policy) -> Position {
        let position = reach(self.game, self.moves).expect("it was reached before");
        strayed(position, self.stray, self.seed, policy)
    }
}

/// Chooses positions, each of a game that is drawn anew: any of its moves may be the last.
fn choose<'a>(games: &[&'a PlayedGame], count: usize, seed: u64) -> Vec<Chosen<'a>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = |bound: usize| ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize;
    let mut chosen = Vec::new();
    if games.is_empty() {
        return chosen;
    }
    // A game may break off early, so more are asked than are wanted.
    for _ in 0..count.saturating_mul(2) {
        if chosen.len() == count {
            break;
        }
        let game = games[below(games.len())];
        let moves = 1 + below(game.moves.len());
        let stray = below(2) * (1 + below(STRAY));
        let seed = below(usize::MAX) as u64;
        // Positions are large and quick to come back to, so only the way there is kept.
        if reach(game, moves).is_some() {
            chosen.push(Chosen {
                game,
                moves,
                stray,
                seed,
            });
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
fn strayed(mut position: Position, moves: usize, seed: u64, policy: &Policy) -> Position {
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

    /// Judges chosen positions; `on_batch` hears how many are done.
    fn lessons(
        &self,
        chosen: &[Chosen<'_>],
        policy: &Policy,
        threads: usize,
        on_batch: &(dyn Fn(usize) + Sync),
    ) -> Vec<Lesson> {
        let done = std::sync::atomic::AtomicUsize::new(0);
        let batches: Vec<&[Chosen<'_>]> = chosen.chunks(BATCH).collect();
        let judged = in_parallel(
            &batches,
            threads,
            || (self.engine.forward(), Encoder::new()),
            |(forward, encoder), _, batch| {
                let positions: Vec<Position> = batch.iter().map(|it| it.position(policy)).collect();
                let lessons = self.judge(&positions, forward.as_mut(), encoder);
                let before = done.fetch_add(batch.len(), std::sync::atomic::Ordering::Relaxed);
                on_batch(before + batch.len());
                lessons
            },
        );
        judged.into_iter().flatten().collect()
    }

    /// Says how positions should end.
    pub(super) fn judge(
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
