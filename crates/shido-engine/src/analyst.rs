//! The one seam that coach, lab, GTP and web share: ask for an analysis.
//!
//! An analyst owns its engine (a tree and its threads, or a process). This crate
//! owns the clock: a [`Limits`] says how long, an analyst obeys it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shido_go::{Position, Symmetry};
use shido_search::{Analysis, Evaluation};

use crate::SearchOptions;
use crate::native::Network;

/// Raised by anyone to end a search early; clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Returns a flag that is not raised.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Asks the search to end.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the flag ready for another search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether the search should end.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag itself, for a search that reads no clock.
    pub fn as_atomic(&self) -> &AtomicBool {
        &self.0
    }
}

/// When a search ends: at whichever comes first.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Playouts or evaluations to add.
    pub playouts: Option<u64>,
    /// Visits of the root to reach, those of a reused tree included.
    pub visits: Option<u64>,
    /// Time to spend.
    pub time: Option<Duration>,
    /// Ends the search at once when raised.
    pub stop: StopFlag,
    /// How to search meanwhile.
    pub options: SearchOptions,
}

impl Limits {
    /// Returns limits of a number of playouts alone.
    pub fn playouts(playouts: u64) -> Limits {
        Limits {
            playouts: Some(playouts),
            ..Limits::default()
        }
    }

    /// Returns limits of a number of visits alone.
    pub fn visits(visits: u64) -> Limits {
        Limits {
            visits: Some(visits),
            ..Limits::default()
        }
    }

    /// Returns the playouts to add to a tree whose root has been visited so often.
    pub fn playouts_beyond(&self, reused: u64) -> Option<u64> {
        let missing = self.visits.map(|visits| visits.saturating_sub(reused));
        match (self.playouts, missing) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Returns limits of a time alone.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }
}

/// Judges positions.
pub trait Analyst: Send {
    /// Returns the kind of engine in a word or two, e.g. `classic`.
    fn name(&self) -> &str;

    /// Searches until a limit is reached.
    fn analyze(&mut self, position: &Position, limits: &Limits) -> Analysis;

    /// Searches like [`Analyst::analyze`] and reports about every `every` meanwhile.
    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: Duration,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis;

    /// Returns what the move model thinks of each point without a search, row by
    /// row from the top left, then the pass; sums to 1, illegal moves are 0.
    fn policy(&mut self, position: &Position) -> Vec<f32>;

    /// Returns whether [`Analyst::policy`] tells how likely a pass is, and does not give it
    /// a constant.
    fn knows_passes(&self) -> bool {
        true
    }

    /// Forgets everything kept from earlier searches.
    fn forget(&mut self);

    /// Forgets what a search grows from, and keeps what cannot change its answer, such as
    /// evaluations of single positions.
    fn forget_search(&mut self) {
        self.forget();
    }

    /// Names the options asked for that this analyst does not follow, or says what
    /// is wrong with one of them.
    fn check_options(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        Ok(options.asked())
    }

    /// Returns what the network says of a position turned by a symmetry, without a
    /// search, with so much of its optimistic policy; `None` without a network.
    fn raw(
        &mut self,
        position: &Position,
        symmetry: Symmetry,
        optimism: f32,
    ) -> Option<Evaluation> {
        let _ = (position, symmetry, optimism);
        None
    }

    /// Returns the network it thinks with, if any.
    fn network(&self) -> Option<&Network> {
        None
    }

    /// Names the settings that can be changed between searches, as KataGo does.
    fn parameters(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns the value of such a setting.
    fn parameter(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// Changes such a setting for later searches, or says why not.
    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        let _ = value;
        Err(format!("there is no parameter `{name}`"))
    }

    /// Says why the latest analysis is empty, if the engine failed.
    ///
    /// Engines in this program cannot fail; another program can.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Makes all that is random in later searches follow from `seed`.
    ///
    /// An analyst without randomness has nothing to do.
    fn reseed(&mut self, seed: u64) {
        let _ = seed;
    }
}
