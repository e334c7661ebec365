//! Plays the games of a spec on all cores, and keeps each as it ends.
//!
//! Workers take jobs from the schedule and play whole games; this thread alone
//! writes. It takes all games that have ended since the last write, syncs them
//! together and only then counts them, so a slow disk delays no worker and a
//! killed run loses no counted game.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use shido_engine::StopFlag;

use crate::ledger::{Ledger, LedgerError};
use crate::line::{End, GameLine, Line, SeatLine, VoidLine};
use crate::opening::{OpeningError, Openings};
use crate::play::{Played, Setting, Table};
use crate::players::{self, PlayerError};
use crate::provenance::Provenance;
use crate::records::{self, RecordError};
use crate::schedule::{AfterVoid, Part, Schedule, Selection};
use crate::sgf_file;
use crate::spec::{EvaluatorSpec, PlayerSpec, Spec};

/// How to run.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// Games at a time; none for as many as there are cores to play them.
    pub jobs: Option<usize>,
    /// Which of the spec's games.
    pub games: Selection,
    /// No game begins later than this; those that have begun are played to the end, so that
    /// short games are not kept more often than long ones.
    pub begin_within: Option<Duration>,
    /// The program that plays.
    pub provenance: Provenance,
    /// Raised to end the run; games under way are dropped.
    pub stop: StopFlag,
}

/// What just happened, for whoever watches.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins: games done before, and all games.
    Begin {
        /// Finished in earlier runs.
        before: &'a [GameLine],
        /// All games of this part.
        total: usize,
    },
    /// A game is finished and kept.
    Game(&'a GameLine),
    /// A game was void.
    Void(&'a VoidLine, AfterVoid),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Games finished, those of earlier runs too.
    pub finished: usize,
    /// Games of this part in all.
    pub total: usize,
    /// Void games of this run.
    pub voids: usize,
    /// Whether failures ended it.
    pub halted: bool,
    /// Whether it was stopped from outside.
    pub stopped: bool,
}

/// A run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A recorded game.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of a player is not the one that earlier games were played with.
    #[error(
        "players.{player}: its {file} changed since earlier games of this folder; \
         use another folder, or bring the old file back"
    )]
    OtherFile {
        /// The player.
        player: String,
        /// The setting that names the file.
        file: String,
    },
}

/// Runs a spec until all games are done, the run is stopped, or failures halt it.
pub fn run(
    (spec, text): (&Spec, &str),
    dir: &Path,
    settings: &RunSettings,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, RunError> {
    let setting = Setting {
        spec,
        provenance: &settings.provenance,
        hashes: players::hashes(spec)?,
        openings: Openings::of(spec)?,
        stop: settings.stop.clone(),
    };
    let (ledger, before) = Ledger::open(dir, spec, text)?;
    let mut schedule = Schedule::new(spec, &settings.games);
    let before = recall(before, &mut schedule, &setting)?;
    let mut keeper = Keeper { ledger, watch };
    keeper.rewrite_sgfs(&before)?;
    (keeper.watch)(Event::Begin {
        before: &before,
        total: schedule.total(),
    });
    keeper.keep_records(&setting, settings.games.part, &before)?;
    let shared = Shared {
        schedule: Mutex::new(schedule),
        changed: Condvar::new(),
        stop: settings.stop.clone(),
        last_begin: (settings.begin_within).and_then(|it| Instant::now().checked_add(it)),
    };
    let jobs = settings.jobs.unwrap_or_else(|| default_jobs(spec)).max(1);
    let result = thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..jobs.min(shared.lock().total()) {
            let (sender, shared, setting) = (sender.clone(), &shared, &setting);
            scope.spawn(move || work(shared, setting, &sender));
        }
        drop(sender);
        let result = keeper.keep_all(&receiver, &shared);
        if result.is_err() {
            shared.abandon();
        }
        result
    });
    result?;
    let schedule = shared.lock();
    Ok(Summary {
        finished: schedule.finished(),
        total: schedule.total(),
        voids: schedule.voids(),
        halted: schedule.is_halted(),
        stopped: settings.stop.is_raised(),
    })
}

/// Marks what earlier runs did, and checks that they played with the same files.
fn recall(
    lines: Vec<Line>,
    schedule: &mut Schedule,
    setting: &Setting<'_>,
) -> Result<Vec<GameLine>, RunError> {
    let mut games = Vec::new();
    for line in lines {
        match line {
            Line::Void(void) => schedule.recall_void(&void.game),
            Line::Game(game) => {
                if game.outcome.end != End::Record {
                    for seat in [&game.black, &game.white] {
                        if let Some(now) = setting.hashes.get(&seat.name) {
                            check_hashes(seat, now)?;
                        }
                    }
                }
                schedule.done(&game.game);
                games.push(*game);
            }
        }
    }
    Ok(games)
}

/// Checks that a player's files are those of an earlier game.
fn check_hashes(seat: &SeatLine, now: &BTreeMap<String, String>) -> Result<(), RunError> {
    let changed = |(file, hash): &(&String, &String)| now.get(*file) != Some(*hash);
    match seat.hashes.iter().find(changed) {
        None => Ok(()),
        Some((file, _)) => Err(RunError::OtherFile {
            player: seat.name.clone(),
            file: file.clone(),
        }),
    }
}

/// Returns how many games fit on this machine at a time.
fn default_jobs(spec: &Spec) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = spec
        .players
        .values()
        .map(|player| match player {
            PlayerSpec::Classic(classic) => classic.threads,
            PlayerSpec::Native(native) => native.threads,
            PlayerSpec::Partner(partner) => partner.threads,
            _ => 1,
        })
        .max()
        .unwrap_or(1);
    if spec.evaluator.is_some() {
        return cores * EvaluatorSpec::GAMES_A_CORE;
    }
    (cores / threads).max(1)
}

/// What workers and the keeper share.
struct Shared {
    schedule: Mutex<Schedule>,
    changed: Condvar,
    stop: StopFlag,
    /// When games begin no more.
    last_begin: Option<Instant>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Schedule> {
        self.schedule
            .lock()
            .expect("nothing panics while it holds the schedule")
    }

    /// Waits for a job; none when there will be no more.
    fn next_job(&self) -> Option<crate::schedule::Job> {
        let mut schedule = self.lock();
        loop {
            if self.stop.is_raised() || schedule.is_halted() || self.time_is_up() {
                return None;
            }
            if let Some(job) = schedule.next_job() {
                return Some(job);
            }
            if schedule.is_idle() {
                return None;
            }
            schedule = self
                .changed
                .wait(schedule)
                .expect("nothing panics while it holds the schedule");
        }
    }

    fn time_is_up(&self) -> bool {
        self.last_begin.is_some_and(|last| Instant::now() > last)
    }

    /// Ends all workers because results can no longer be kept.
    fn abandon(&self) {
        self.stop.raise();
        let _schedule = self.lock();
        self.changed.notify_all();
    }
}

fn work(shared: &Shared, setting: &Setting<'_>, sender: &Sender<Played>) {
    let mut table = Table::new(setting);
    while let Some(job) = shared.next_job() {
        let played = table.play(&job);
        // The keeper only goes away when the run is being abandoned.
        if sender.send(played).is_err() {
            break;
        }
    }
    // Those who wait for a void game to come back must look again.
    let _schedule = shared.lock();
    shared.changed.notify_all();
}

/// Writes what workers have played.
struct Keeper<'w> {
    ledger: Ledger,
    watch: &'w mut dyn FnMut(Event<'_>),
}

impl Keeper<'_> {
    fn keep_all(&mut self, receiver: &Receiver<Played>, shared: &Shared) -> Result<(), RunError> {
        while let Ok(first) = receiver.recv() {
            let ended: Vec<Played> = std::iter::once(first).chain(receiver.try_iter()).collect();
            self.keep(ended, shared)?;
        }
        Ok(())
    }

    fn keep(&mut self, ended: Vec<Played>, shared: &Shared) -> Result<(), RunError> {
        let mut lines = Vec::new();
        let mut forfeits = Vec::new();
        for played in ended {
            match played {
                Played::Finished(game) => lines.push(Line::Game(game)),
                Played::Failed(failed) => {
                    lines.push(Line::Void(failed.void));
                    forfeits.extend(failed.forfeit);
                }
                Played::Stopped => {}
                Played::Hopeless(error) => {
                    self.append(&lines, shared, &mut forfeits)?;
                    return Err(error.into());
                }
            }
        }
        self.append(&lines, shared, &mut forfeits)
    }

    /// Keeps lines, counts them, and keeps the forfeits that follow from voids.
    fn append(
        &mut self,
        lines: &[Line],
        shared: &Shared,
        forfeits: &mut Vec<GameLine>,
    ) -> Result<(), RunError> {
        if lines.is_empty() {
            return Ok(());
        }
        self.ledger.append(lines)?;
        let mut lost = Vec::new();
        for line in lines {
            match line {
                Line::Game(game) => {
                    sgf_file::write(self.ledger.dir(), game)?;
                    shared.lock().done(&game.game);
                    (self.watch)(Event::Game(game));
                }
                Line::Void(void) => {
                    let mut after = shared.lock().void(&void.game);
                    let forfeit = forfeits.iter().position(|it| it.game == void.game);
                    match (after, forfeit) {
                        (AfterVoid::Forfeit, Some(at)) => {
                            lost.push(Line::Game(Box::new(forfeits.swap_remove(at))));
                        }
                        // Nobody to blame: the referee failed.
                        (AfterVoid::Forfeit, None) => {
                            shared.lock().halt();
                            after = AfterVoid::Halt;
                        }
                        _ => {}
                    }
                    (self.watch)(Event::Void(void, after));
                }
            }
        }
        shared.changed.notify_all();
        self.append(&lost, shared, &mut Vec::new())
    }

    /// Makes SGFs that a killed run did not get to.
    fn rewrite_sgfs(&mut self, games: &[GameLine]) -> Result<(), RunError> {
        for game in games {
            if !sgf_file::path(self.ledger.dir(), game).exists() {
                sgf_file::write(self.ledger.dir(), game)?;
            }
        }
        Ok(())
    }

    /// Puts recorded games into the ledger of the first part.
    fn keep_records(
        &mut self,
        setting: &Setting<'_>,
        part: Part,
        before: &[GameLine],
    ) -> Result<(), RunError> {
        if part.number != 1 {
            return Ok(());
        }
        for game in records::read(setting.spec, setting.provenance)? {
            if let Some(old) = before.iter().find(|it| it.game == game.game) {
                check_hashes(&old.black, &game.black.hashes)?;
            } else {
                self.ledger.append(&[Line::Game(Box::new(game.clone()))])?;
                sgf_file::write(self.ledger.dir(), &game)?;
                (self.watch)(Event::Game(&game));
            }
        }
        Ok(())
    }
}
