//! Training a move model from recorded games.
//!
//! PD10's and the playouts' features are fitted by MM over all chosen positions
//! at once; the large set by stochastic gradient, position after position (see
//! [`shido_patterns::large::Trainer`]). Positions are chosen evenly from the games
//! that are not held out. The model depends on games, settings and seed alone,
//! never on the number of threads.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::Move;
use shido_patterns::feature_set::{FeatureSet, Teams};
use shido_patterns::large::{LargeFeatures, Nesting, Shapes, Trainer};
use shido_patterns::mm::{self, CompetitionsBuilder, FitError};
use shido_patterns::model::Model;
use shido_patterns::pd10::{self, Pd10Features, ShapeTable};
use shido_patterns::playout_set::{self, PlayoutFeatures, SurroundingsTable};
use thiserror::Error;

use super::games::PlayedGame;
use super::positions::{Step, walk};

/// Which features to train.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureKind {
    /// For the tree's priors and for prediction.
    Large,
    /// Those of (PD10, §2.1).
    Pd10,
    /// Those of the shipped playouts.
    Playout,
}

impl FeatureKind {
    /// All kinds.
    pub const ALL: [FeatureKind; 3] = [FeatureKind::Large, FeatureKind::Pd10, FeatureKind::Playout];

    /// Returns the name, as model files have it.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureKind::Large => "large",
            FeatureKind::Pd10 => "pd10",
            FeatureKind::Playout => "playout",
        }
    }

    /// Returns how often a shape must be seen, if nothing else is asked for.
    pub const fn threshold(self) -> u64 {
        match self {
            FeatureKind::Large => 15,
            FeatureKind::Pd10 => pd10::SHAPE_THRESHOLD,
            FeatureKind::Playout => playout_set::THRESHOLD,
        }
    }
}

impl fmt::Display for FeatureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no features.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` names no features: write large, pd10 or playout")]
pub struct UnknownFeatures(pub String);

impl FromStr for FeatureKind {
    type Err = UnknownFeatures;

    fn from_str(text: &str) -> Result<FeatureKind, UnknownFeatures> {
        let found = FeatureKind::ALL.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| UnknownFeatures(text.to_owned()))
    }
}

/// How to train.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Training {
    /// The features.
    pub features: FeatureKind,
    /// The most positions to learn from.
    pub positions: usize,
    /// Moves skipped between two positions (PD10, §3.1); none spreads them over all games.
    pub skip: Option<usize>,
    /// How often a shape must be seen to be an individual: among the legal moves of the
    /// chosen positions for `pd10` and `playout`, among the moves played for `large`.
    pub threshold: u64,
    /// Decides the order of the games for `large`.
    pub seed: u64,
    /// Threads to use.
    pub threads: usize,
}

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// Looked for shapes in so many games.
    Harvested(usize),
    /// Shapes that are frequent enough.
    Shapes(usize),
    /// Positions used so far and their mean log evidence before they were learned from.
    Learned(usize, f64),
    /// A sweep of MM is done.
    Swept(mm::Sweep),
}

/// Why nothing was trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// There is too little.
    #[error("no position to learn from in {0} games")]
    NoPosition(usize),
    /// The fit failed.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// Games that were not held out.
    pub games: usize,
    /// Positions learned from.
    pub positions: usize,
}

/// Trains a model on the games that are not held out.
pub fn train(
    games: &[PlayedGame],
    settings: &Training,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Trained, TrainError> {
    let games: Vec<&PlayedGame> = games.iter().filter(|it| !it.held_out).collect();
    let chosen = Chosen::new(games, settings);
    let (model, positions) = match settings.features {
        FeatureKind::Large => train_large(&chosen, settings, on_progress)?,
        FeatureKind::Pd10 => {
            // Frequent in the whole data set, however little of it is learned from (PD10, §2.1.1).
            let counts = count(&chosen.unskipped(), settings, pd10::count);
            let table = ShapeTable::frequent(&counts, settings.threshold);
            on_progress(Progress::Shapes(table.orbits().len()));
            let tags = table.orbits().iter().map(|it| u32::from(it.0)).collect();
            let features = Pd10Features::new(Arc::new(table));
            fit(&features, tags, &chosen, settings, on_progress)?
        }
        FeatureKind::Playout => {
            let counts = count(&chosen, settings, playout_set::count);
            let table = SurroundingsTable::frequent(&counts, settings.threshold);
            on_progress(Progress::Shapes(table.orbits().len()));
            let tags = table.orbits().iter().map(|it| it.0).collect();
            let features = PlayoutFeatures::new(Arc::new(table));
            fit(&features, tags, &chosen, settings, on_progress)?
        }
    };
    Ok(Trained {
        model,
        games: chosen.games.len(),
        positions,
    })
}

/// The positions to learn from: every `stride`-th of all games laid end to end.
struct Chosen<'a> {
    games: Vec<&'a PlayedGame>,
    /// Number of each game's first position.
    starts: Vec<usize>,
    stride: usize,
    /// Number of the first position that is not part of the data set any more.
    end: usize,
    /// How many positions there will be, passes and broken games apart.
    expected: usize,
}

impl<'a> Chosen<'a> {
    fn new(mut games: Vec<&'a PlayedGame>, settings: &Training) -> Chosen<'a> {
        if settings.features == FeatureKind::Large {
            shuffle(&mut games, settings.seed);
        }
        let mut starts = Vec::with_capacity(games.len());
        let mut all = 0;
        for game in &games {
            starts.push(all);
            all += game.moves.len();
        }
        let spread = (all / settings.positions.max(1)).max(1);
        let stride = settings.skip.map_or(spread, |it| it + 1);
        let end = match settings.skip {
            // Skipping thins the same data set out (PD10, §3.1).
            Some(_) => settings.positions,
            None => settings.positions.saturating_mul(spread),
        };
        Chosen {
            games,
            starts,
            stride,
            end,
            expected: (all.min(end) / stride).max(1),
        }
    }

    /// Returns the same data set with no position skipped.
    fn unskipped(&self) -> Chosen<'a> {
        Chosen {
            games: self.games.clone(),
            starts: self.starts.clone(),
            stride: 1,
            end: self.end,
            expected: self.end,
        }
    }

    /// Shows the chosen positions of game `i` in which a stone was played.
    fn walk(&self, i: usize, mut see: impl FnMut(&Step<'_>)) {
        if self.starts[i] >= self.end {
            return;
        }
        walk(self.games[i], |step| {
            let number = self.starts[i] + step.number;
            let chosen = number.is_multiple_of(self.stride) && number < self.end;
            if chosen && !step.played.is_pass() {
                see(step);
            }
        });
    }

    /// Does something with parts of the games on several threads, results in order.
    fn on_threads<T: Send>(
        &self,
        threads: usize,
        work: impl Fn(std::ops::Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let part = self.games.len().div_ceil(threads.max(1)).max(1);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.games.len())
                .step_by(part)
                .map(|start| {
                    let work = &work;
                    let end = (start + part).min(self.games.len());
                    scope.spawn(move || work(start..end))
                })
                .collect();
            let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .map(|it| it.expect("the work does not panic"))
                .collect()
        })
    }
}

/// Puts games in an order that the seed decides (Fisher and Yates).
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for i in (1..items.len()).rev() {
        let j = (u128::from(rng.next_u64()) * (i as u128 + 1)) >> 64;
        items.swap(i, j as usize);
    }
}

/// Counts shapes among the legal moves of the chosen positions.
fn count<K: Ord + Send>(
    chosen: &Chosen<'_>,
    settings: &Training,
    count: fn(&shido_go::Board, shido_go::Color, &mut BTreeMap<K, u64>),
) -> BTreeMap<K, u64> {
    let parts = chosen.on_threads(settings.threads, |games| {
        let mut counts = BTreeMap::new();
        for game in games {
            chosen.walk(game, |step| {
                count(step.turn.board, step.turn.mover, &mut counts);
            });
        }
        counts
    });
    let mut all = BTreeMap::new();
    for (shape, n) in parts.into_iter().flatten() {
        *all.entry(shape).or_default() += n;
    }
    all
}

/// Fits closed features by MM.
fn fit(
    features: &dyn FeatureSet,
    tags: Vec<u32>,
    chosen: &Chosen<'_>,
    settings: &Training,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<(Model, usize), TrainError> {
    let sets = std::sync::Mutex::new(features.another());
    let parts = chosen.on_threads(settings.threads, |games| {
        let mut features = sets
            .lock()
            .expect("nobody panics while copying features")
            .another();
        let mut builder = CompetitionsBuilder::new();
        let mut teams = Teams::default();
        for game in games {
            chosen.walk(game, |step| {
                add(&mut *features, step, &mut teams, &mut builder);
            });
        }
        builder
    });
    let mut all = CompetitionsBuilder::new();
    for part in &parts {
        all.append(part);
    }
    drop(parts);
    if all.is_empty() {
        return Err(TrainError::NoPosition(chosen.games.len()));
    }
    let positions = all.len();
    let mm_settings = mm::Settings {
        threads: settings.threads,
        ..mm::Settings::default()
    };
    let groups = features.fit_groups();
    let found = mm::fit(&all.build(), &groups, &mm_settings, |sweep| {
        on_progress(Progress::Swept(sweep));
    })?;
    let weights = found.gammas.iter().map(|it| it.ln() as f32).collect();
    Ok((Model::new(features, tags, weights), positions))
}

fn add(
    features: &mut dyn FeatureSet,
    step: &Step<'_>,
    teams: &mut Teams,
    builder: &mut CompetitionsBuilder,
) {
    features.teams(&step.turn, teams);
    let Some(winner) = step.played.point().and_then(|it| teams.position(it)) else {
        return;
    };
    builder.begin();
    for team in teams.iter() {
        builder.push(team);
    }
    builder
        .finish(winner)
        .expect("the winner is one of the teams that were pushed");
}

/// Games that a thread turns into teams at a time.
const BATCH: usize = 4;
/// Step size of the gradient at the start.
const RATE: f32 = 0.2;
/// Part of the step size that is gone at the end.
const COOLING: f32 = 0.85;

fn train_large(
    chosen: &Chosen<'_>,
    settings: &Training,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<(Model, usize), TrainError> {
    let shapes = harvest(chosen, settings, on_progress);
    on_progress(Progress::Shapes(shapes.len()));
    let mut trainer = Trainer::new(&shapes, RATE);
    let features = LargeFeatures::new(&shapes);
    let mut positions = 0;
    let mut evidence = 0.0;
    thread::scope(|scope| {
        let threads = settings.threads.max(1);
        // Batch i is made by thread i modulo threads, so taking turns keeps their order.
        let made: Vec<_> = (0..threads)
            .map(|first| {
                let (sender, receiver) = mpsc::sync_channel(2);
                let features = features.clone();
                scope.spawn(move || send_batches(chosen, features, (first, threads), &sender));
                receiver
            })
            .collect();
        let batches = chosen.games.len().div_ceil(BATCH);
        for receiver in (0..batches).map(|i| &made[i % threads]) {
            let batch = receiver.recv().expect("every batch is sent");
            let done = positions as f32 / chosen.expected as f32;
            trainer.set_rate(RATE * (1.0 - COOLING * done.min(1.0)));
            for (teams, winner) in &batch {
                evidence += f64::from(trainer.learn(teams, *winner)).ln();
                positions += 1;
            }
            if !batch.is_empty() {
                on_progress(Progress::Learned(positions, evidence / positions as f64));
            }
        }
    });
    if positions == 0 {
        return Err(TrainError::NoPosition(chosen.games.len()));
    }
    count_passes(chosen, &mut trainer);
    Ok((trainer.model(&shapes), positions))
}

type Batch = Vec<(Teams, usize)>;

fn send_batches(
    chosen: &Chosen<'_>,
    mut features: LargeFeatures,
    (first, threads): (usize, usize),
    sender: &mpsc::SyncSender<Batch>,
) {
    let games = chosen.games.len();
    for batch in (first..games.div_ceil(BATCH)).step_by(threads) {
        let mut made = Batch::new();
        for game in (batch * BATCH)..((batch + 1) * BATCH).min(games) {
            chosen.walk(game, |step| {
                let mut teams = Teams::default();
                features.list(&step.turn, Nesting::All, &mut teams);
                if let Some(winner) = step.played.point().and_then(|it| teams.position(it)) {
                    made.push((teams, winner));
                }
            });
        }
        if sender.send(made).is_err() {
            return;
        }
    }
}

/// Finds the shapes of the moves played that are frequent enough.
fn harvest(
    chosen: &Chosen<'_>,
    settings: &Training,
    on_progress: &mut dyn FnMut(Progress),
) -> Shapes {
    let mut all = Shapes::default();
    // A few parts, so that somebody hears how far it is.
    let parts = 20 * settings.threads.max(1);
    let mut done = 0;
    for part in chosen
        .games
        .chunks(chosen.games.len().div_ceil(parts).max(1))
    {
        let part = Chosen {
            games: part.to_vec(),
            starts: Vec::new(),
            stride: 1,
            end: 0,
            expected: 0,
        };
        for found in part.on_threads(settings.threads, |games| part.harvest(games)) {
            all.append(&found);
        }
        done += part.games.len();
        on_progress(Progress::Harvested(done));
    }
    all.keep_frequent(settings.threshold as usize);
    all
}

impl Chosen<'_> {
    fn harvest(&self, games: std::ops::Range<usize>) -> Shapes {
        let mut found = Shapes::default();
        let mut features = LargeFeatures::new(&found);
        for game in games {
            walk(self.games[game], |step| {
                if let Move::Play(point) = step.played {
                    features.harvest(&step.turn, point, &mut found);
                }
            });
        }
        found
    }
}

/// Learns from all positions how often players pass.
fn count_passes(chosen: &Chosen<'_>, trainer: &mut Trainer) {
    for game in &chosen.games {
        walk(game, |step| {
            let played = step.played.is_pass();
            trainer.count_pass(step.turn.board, step.after_pass, played);
        });
    }
}
