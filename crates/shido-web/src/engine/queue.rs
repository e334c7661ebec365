//! The fair queue: urgency first, then whoever has waited longest since last served.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use shido_engine::StopFlag;

use super::{Order, QueueFull};
use crate::partners::Engines;

/// The most jobs that wait.
const MOST_WAITING: usize = 64;

/// How urgent a job is, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A partner's move, or the dead stones at the end: somebody waits for it.
    Move,
    /// A position that somebody looks at.
    Question,
    /// One point of a game's graph.
    Graph,
}

/// Whether a job is through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Done,
    /// It was interrupted and wants to go on later.
    Unfinished,
}

type Work = Box<dyn FnMut(&mut Engines, &StopFlag) -> Progress + Send>;

pub(super) struct Job {
    pub(super) class: Class,
    /// Whose it is.
    pub(super) key: String,
    pub(super) order: Arc<Order>,
    pub(super) work: Work,
}

#[derive(Default)]
pub(super) struct Queue {
    /// In the order they came.
    waiting: Vec<Job>,
    running: Option<(Class, Arc<Order>)>,
    /// When each key was last served, by a count of jobs.
    served: HashMap<String, u64>,
    count: u64,
    closed: bool,
}

impl Queue {
    pub(super) fn push(&mut self, job: Job) -> Result<(), QueueFull> {
        if self.closed || self.waiting.len() >= MOST_WAITING {
            return Err(QueueFull);
        }
        self.waiting.push(job);
        Ok(())
    }

    /// Interrupts the running job if it is less urgent than `class`.
    pub(super) fn interrupt_for(&self, class: Class) {
        if let Some((running, order)) = &self.running
            && *running > class
        {
            order.stop.raise();
        }
    }

    /// Takes the next job out and notes that it runs.
    pub(super) fn pop(&mut self) -> Option<Job> {
        let at = self
            .waiting
            .iter()
            .enumerate()
            .min_by_key(|(i, job)| {
                let served = self.served.get(&job.key).copied().unwrap_or(0);
                (job.class, served, *i)
            })
            .map(|(i, _)| i)?;
        let job = self.waiting.remove(at);
        self.count += 1;
        // Who waits for nothing need not be remembered: it comes first again.
        self.served
            .retain(|key, _| self.waiting.iter().any(|it| it.key == *key));
        self.served.insert(job.key.clone(), self.count);
        self.running = Some((job.class, Arc::clone(&job.order)));
        job.order.stop.lower();
        // A cancellation sets its mark before it raises the flag, so that a flag
        // lowered here too late is raised again.
        if job.order.cancelled.load(Ordering::SeqCst) {
            job.order.stop.raise();
        }
        Some(job)
    }

    /// Notes that a job has stopped running; an interrupted one waits again, in front.
    pub(super) fn finished(&mut self, job: Job, progress: Progress) {
        self.running = None;
        let cancelled = job.order.cancelled.load(Ordering::SeqCst);
        if progress == Progress::Unfinished && !cancelled && !self.closed {
            self.served.remove(&job.key);
            self.waiting.insert(0, job);
        }
    }

    /// Takes a job out that nobody wants any more.
    pub(super) fn forget(&mut self, order: &Arc<Order>) {
        self.waiting.retain(|job| !Arc::ptr_eq(&job.order, order));
    }

    pub(super) fn close(&mut self) {
        self.closed = true;
        self.waiting.clear();
        if let Some((_, order)) = &self.running {
            order.cancelled.store(true, Ordering::SeqCst);
            order.stop.raise();
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(class: Class, key: &str) -> Job {
        Job {
            class,
            key: key.to_owned(),
            order: Arc::default(),
            work: Box::new(|_, _| Progress::Done),
        }
    }

    fn drain(queue: &mut Queue) -> Vec<String> {
        let mut keys = Vec::new();
        while let Some(job) = queue.pop() {
            keys.push(job.key.clone());
            queue.finished(job, Progress::Done);
        }
        keys
    }

    fn queue(jobs: &[(Class, &str)]) -> Queue {
        let mut queue = Queue::default();
        for &(class, key) in jobs {
            queue.push(job(class, key)).unwrap();
        }
        queue
    }

    #[test]
    fn the_urgent_come_first_and_equals_take_turns() {
        use Class::{Graph, Move, Question};
        let mut queue = queue(&[
            (Graph, "a"),
            (Graph, "a"),
            (Graph, "a"),
            (Graph, "b"),
            (Question, "c"),
            (Move, "d"),
        ]);
        assert_eq!(drain(&mut queue), ["d", "c", "a", "b", "a", "a"]);
    }

    #[test]
    fn a_move_interrupts_a_graph_which_goes_on_later() {
        let mut queue = queue(&[(Class::Graph, "a"), (Class::Graph, "b")]);
        let running = queue.pop().unwrap();
        queue.interrupt_for(Class::Graph);
        assert!(!running.order.stop.is_raised());
        queue.push(job(Class::Move, "m")).unwrap();
        queue.interrupt_for(Class::Move);
        assert!(running.order.stop.is_raised());
        queue.finished(running, Progress::Unfinished);
        assert_eq!(drain(&mut queue), ["m", "a", "b"]);
    }

    #[test]
    fn what_nobody_wants_is_forgotten_and_the_queue_has_an_end() {
        let mut queue = Queue::default();
        let first = job(Class::Move, "a");
        let order = Arc::clone(&first.order);
        queue.push(first).unwrap();
        queue.forget(&order);
        assert!(queue.pop().is_none());
        for _ in 0..MOST_WAITING {
            queue.push(job(Class::Graph, "a")).unwrap();
        }
        assert_eq!(queue.push(job(Class::Move, "a")), Err(QueueFull));
        queue.close();
        assert!(queue.pop().is_none());
        assert_eq!(queue.push(job(Class::Move, "a")), Err(QueueFull));
    }
}
