//! One searcher: takes a job, searches, reports, takes the next.
//!
//! Every search starts from nothing but the position, the options and the seed,
//! so that equal queries give equal answers; what was evaluated for one of them serves
//! all, which changes how fast an answer comes and not what it is.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use shido_go::Position;
use shido_search::{Analysis, Evaluation};

use super::fields::Complaint;
use super::query::During;
use super::queue::{Job, Queue};
use super::respond::{About, nothing};
use super::source::AnalystSource;
use crate::{Analyst, Limits};

pub(super) struct Worker {
    pub(super) queue: Queue,
    pub(super) source: Arc<dyn AnalystSource>,
    pub(super) analyst: Box<dyn Analyst>,
    pub(super) seed: u64,
}

impl Worker {
    /// Works until the queue is closed.
    pub(super) fn run(mut self) {
        while let Some((number, job)) = self.queue.take() {
            // A search that panics costs its own query, not the server.
            let done = catch_unwind(AssertUnwindSafe(|| self.answer(&job)));
            if let Err(panic) = done {
                self.recover(&job, panic.as_ref());
            }
            self.queue.finish(number);
        }
    }

    fn answer(&mut self, job: &Job) {
        let position = match job.query.position(job.turn) {
            Ok(position) => position,
            Err(complaint) => {
                job.outbox
                    .send(&complaint.to_json("error", Some(&job.query.id)));
                return;
            }
        };
        if job.stop.is_raised() || job.outbox.is_closed() {
            job.outbox.send(&nothing(&job.query.id, job.turn));
            return;
        }
        let human = match self.source.human(&position, &job.query.options) {
            Ok(human) => human,
            Err(why) => {
                let complaint = Complaint::about("overrideSettings", why);
                job.outbox
                    .send(&complaint.to_json("error", Some(&job.query.id)));
                return;
            }
        };
        self.analyst.forget_search();
        self.analyst.reseed(self.seed);
        let asked = Asked {
            job,
            position: &position,
            human: human.as_ref(),
        };
        let analysis = self.search(&asked);
        if let Some(failure) = self.analyst.failure() {
            let complaint = Complaint::general(failure);
            job.outbox
                .send(&complaint.to_json("error", Some(&job.query.id)));
        } else if analysis.visits == 0 && analysis.raw.is_none() {
            job.outbox.send(&nothing(&job.query.id, job.turn));
        } else {
            self.tell(&asked, &analysis);
        }
    }

    fn search(&mut self, asked: &Asked<'_>) -> Analysis {
        let (job, position) = (asked.job, asked.position);
        let query = &job.query;
        let limits = Limits {
            playouts: query.max_playouts,
            visits: query.max_visits,
            time: query.max_time,
            stop: job.stop.clone(),
            options: query.options.clone(),
        };
        let Some(during) = query.during else {
            return self.analyst.analyze(position, &limits);
        };
        let policy = query.wanted.policy.then(|| self.analyst.policy(position));
        let about = asked.about(policy.as_deref());
        let mut due = Due::new(during);
        let mut report = |analysis: &Analysis| {
            if job.outbox.is_closed() {
                job.stop.raise();
            } else if analysis.visits > 0 && due.is_now() && !job.outbox.is_crowded() {
                job.outbox.send(&about.response(analysis, true));
            }
        };
        let every = during.first.min(during.every);
        self.analyst.watch(position, &limits, every, &mut report)
    }

    fn tell(&mut self, asked: &Asked<'_>, analysis: &Analysis) {
        let wanted = &asked.job.query.wanted;
        let policy = wanted
            .needs_policy(analysis)
            .then(|| self.analyst.policy(asked.position));
        let about = asked.about(policy.as_deref());
        asked.job.outbox.send(&about.response(analysis, false));
    }

    /// Tells of a search that broke, and gets another analyst.
    fn recover(&mut self, job: &Job, panic: &(dyn Any + Send)) {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let message = format!("The search broke: {}", text.unwrap_or("no reason given"));
        tracing::error!("{message}");
        let complaint = Complaint::general(message);
        job.outbox
            .send(&complaint.to_json("error", Some(&job.query.id)));
        match self.source.make() {
            Ok(analyst) => self.analyst = analyst,
            Err(why) => tracing::error!("the broken analyst stays, no other can be made: {why}"),
        }
    }
}

/// A job, its position, and what the human network says of it.
struct Asked<'a> {
    job: &'a Job,
    position: &'a Position,
    human: Option<&'a Evaluation>,
}

impl<'a> Asked<'a> {
    fn about(&self, policy: Option<&'a [f32]>) -> About<'a> {
        About {
            query: &self.job.query,
            turn: self.job.turn,
            position: self.position,
            policy,
            human: self.human,
        }
    }
}

/// When the next report is due.
struct Due {
    next: Instant,
    every: Duration,
}

impl Due {
    fn new(during: During) -> Due {
        Due {
            next: Instant::now() + during.first,
            every: during.every,
        }
    }

    fn is_now(&mut self) -> bool {
        let now = Instant::now();
        // An analyst's own clock may be a little early.
        let soon = now + self.every.min(Duration::from_millis(20)) / 4;
        let due = soon >= self.next;
        if due {
            self.next = now + self.every;
        }
        due
    }
}
