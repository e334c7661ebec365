//! What waits and what runs: the highest priority first, then the earliest.
//!
//! Every position asked about gets exactly one last word, whether it was
//! searched, ended early or never begun.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::outbox::Outbox;
use super::query::Query;
use crate::StopFlag;

/// One position to be searched.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) query: Arc<Query>,
    pub(super) turn: usize,
    pub(super) stop: StopFlag,
    pub(super) client: u64,
    pub(super) outbox: Outbox,
}

/// Which jobs are meant.
pub(super) struct Which<'a> {
    pub(super) client: u64,
    pub(super) id: Option<&'a str>,
    pub(super) turns: Option<&'a [i64]>,
}

impl Which<'_> {
    fn means(&self, job: &Job) -> bool {
        let turn = job.turn as i64;
        self.client == job.client
            && self.id.is_none_or(|id| id == job.query.id)
            && self.turns.is_none_or(|turns| turns.contains(&turn))
    }
}

/// Higher priorities have lower ranks; the number breaks ties and names a job.
type Rank = (std::cmp::Reverse<i64>, u64);

#[derive(Default)]
struct State {
    waiting: BTreeMap<Rank, Job>,
    running: BTreeMap<u64, Job>,
    next: u64,
    closed: bool,
}

/// The jobs of all clients; clones share them.
#[derive(Clone, Default)]
pub(super) struct Queue {
    state: Arc<(Mutex<State>, Condvar)>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds jobs with their priorities, all or, beyond `limit`, none.
    pub(super) fn push(&self, jobs: Vec<(i64, Job)>, limit: usize) -> bool {
        let mut state = self.lock();
        if state.waiting.len() + jobs.len() > limit {
            return false;
        }
        for (priority, job) in jobs {
            let number = state.next;
            state.next += 1;
            let rank = (std::cmp::Reverse(priority), number);
            state.waiting.insert(rank, job);
        }
        self.state.1.notify_all();
        true
    }

    /// Waits for a job; `None` when there will be no more.
    pub(super) fn take(&self) -> Option<(u64, Job)> {
        let mut state = self.lock();
        loop {
            if let Some(((_, number), job)) = state.waiting.pop_first() {
                state.running.insert(number, job.clone());
                return Some((number, job));
            }
            if state.closed {
                return None;
            }
            let waited = self.state.1.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that a job has had its last word.
    pub(super) fn finish(&self, number: u64) {
        self.lock().running.remove(&number);
        self.state.1.notify_all();
    }

    /// Ends the jobs meant; returns those that had not begun.
    pub(super) fn end(&self, which: &Which<'_>) -> Vec<Job> {
        let mut state = self.lock();
        for job in state.running.values().filter(|job| which.means(job)) {
            job.stop.raise();
        }
        let meant = |job: &Job| which.means(job);
        let ranks: Vec<Rank> = state
            .waiting
            .iter()
            .filter(|(_, job)| meant(job))
            .map(|(rank, _)| *rank)
            .collect();
        let ended = ranks.iter().filter_map(|rank| state.waiting.remove(rank));
        let ended = ended.collect();
        self.state.1.notify_all();
        ended
    }

    /// Waits until a client has no job left.
    pub(super) fn wait_for(&self, client: u64) {
        let mut state = self.lock();
        loop {
            let waits = state.waiting.values().any(|job| job.client == client);
            if !waits && !state.running.values().any(|job| job.client == client) {
                return;
            }
            let waited = self.state.1.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets the workers go: no job waits any longer and none will come.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        for job in state.running.values() {
            job.stop.raise();
        }
        self.state.1.notify_all();
    }
}
