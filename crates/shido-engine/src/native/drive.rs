//! Threads around one tree: gather, evaluate, apply.
//!
//! The tree is behind one lock; a walk takes microseconds against the hundreds of an
//! evaluation. The calling thread works too, and reports between two batches. A
//! thread that finds nothing to evaluate waits until another has applied something.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use shido_net::InputSettings;
use shido_search::Analysis;
use shido_search::puct::{EvalRequest, Puct};

use super::NativeSettings;
use super::evaluator::{Ask, Evaluator};
use super::players::Players;
use crate::StopFlag;

/// The longest wait for another thread before looking at the clock again.
const GLANCE: Duration = Duration::from_millis(5);

/// When a search ends, other than by its visits.
pub(super) struct End {
    pub(super) at: Option<Instant>,
    pub(super) stop: StopFlag,
}

impl End {
    fn has_come(&self) -> bool {
        self.stop.is_raised() || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

/// Who wants to know how the search goes, and how often.
pub(super) struct Watcher<'a> {
    pub(super) every: Duration,
    pub(super) report: &'a mut dyn FnMut(&Analysis),
}

impl Watcher<'_> {
    /// Returns the time of the next report; `None` for one too far off to be told.
    fn next(&self) -> Option<Instant> {
        Instant::now().checked_add(self.every)
    }
}

/// How positions are shown to the network.
pub(super) struct Terms {
    pub(super) settings: NativeSettings,
    pub(super) players: Players,
    /// Positions that a thread evaluates at once.
    pub(super) batch: usize,
}

/// What the threads share.
struct Shared<'a> {
    tree: Mutex<&'a mut Puct>,
    changed: Condvar,
    end: &'a End,
    terms: &'a Terms,
}

/// Searches until the tree has its visits, the end has come or the tree is full.
///
/// The root is always evaluated, unless the search was stopped before it began.
pub(super) fn drive(
    tree: &mut Puct,
    evaluators: &mut [Evaluator],
    terms: &Terms,
    end: &End,
    watcher: Option<Watcher<'_>>,
) {
    let shared = Shared {
        tree: Mutex::new(tree),
        changed: Condvar::new(),
        end,
        terms,
    };
    let (own, others) = evaluators
        .split_first_mut()
        .expect("there is at least one thread");
    std::thread::scope(|scope| {
        for evaluator in others {
            scope.spawn(|| shared.work(evaluator, None));
        }
        shared.work(own, watcher);
    });
}

impl<'a> Shared<'a> {
    fn lock(&self) -> MutexGuard<'_, &'a mut Puct> {
        self.tree.lock().expect("no thread panics with the tree")
    }

    fn work(&self, evaluator: &mut Evaluator, mut watcher: Option<Watcher<'_>>) {
        let mut done: Vec<EvalRequest> = Vec::new();
        let mut evaluations = Vec::new();
        let mut next_report = watcher.as_ref().and_then(Watcher::next);
        loop {
            let mut tree = self.lock();
            if !done.is_empty() {
                for (request, evaluation) in done.drain(..).zip(evaluations) {
                    tree.apply(request, evaluation);
                }
                self.changed.notify_all();
            }
            if let (Some(watcher), Some(due)) = (&mut watcher, next_report)
                && Instant::now() >= due
                && tree.visits() > 0
            {
                let analysis = tree.analysis();
                drop(tree);
                (watcher.report)(&analysis);
                next_report = watcher.next();
                tree = self.lock();
            }
            let Some(requests) = self.next_requests(tree, next_report) else {
                return;
            };
            let asks: Vec<Ask<'_>> = requests.iter().map(|it| self.ask(it)).collect();
            evaluations = evaluator.evaluate(&asks);
            done = requests;
        }
    }

    /// Returns what to evaluate next, nothing for now if a report is due, and `None` at the end.
    fn next_requests(
        &self,
        mut tree: MutexGuard<'_, &'a mut Puct>,
        due: Option<Instant>,
    ) -> Option<Vec<EvalRequest>> {
        loop {
            let begun = tree.visits() > 0 || self.end.stop.is_raised();
            if begun && self.end.has_come() || tree.is_finished() {
                self.changed.notify_all();
                return None;
            }
            let requests = tree.gather(self.terms.batch);
            if !requests.is_empty() {
                return Some(requests);
            }
            if due.is_some_and(|due| Instant::now() >= due) {
                return Some(requests);
            }
            if tree.in_flight() > 0 {
                let waited = self.changed.wait_timeout(tree, GLANCE);
                tree = waited.expect("no thread panics with the tree").0;
            }
        }
    }

    fn ask<'r>(&self, request: &'r EvalRequest) -> Ask<'r> {
        let symmetries = request.symmetries();
        let at_root = request.depth() == 0;
        let Terms {
            settings, players, ..
        } = self.terms;
        Ask {
            position: request.position(),
            symmetries: symmetries.fold(0, |bits, it| bits | 1 << it.bits()),
            inputs: InputSettings {
                conservative_pass: request.conservative_pass(),
                passing_hacks: settings.passing_hacks,
                max_history: request.history().unwrap_or(usize::MAX),
                playout_doubling_advantage: players.advantage(request.position().to_move()),
                ..InputSettings::default()
            },
            optimism: if at_root {
                settings.root_optimism
            } else {
                settings.optimism
            },
            profile: players.profile,
        }
    }
}
