//! From a policy's wish to a search, and from its report to the policy's answer.

use std::time::{Duration, Instant};

use shido_coach::play::{Ask, Work};
use shido_go::Position;
use shido_search::puct::Budget;
use shido_search::{Analysis, Steering, Weights};

use super::{Turn, Watcher, for_white, left};
use crate::{Analyst, Limits};

/// Part of the time left that a search of the whole position may take, of ten; what
/// follows is small.
const WHOLE_SHARE: u32 = 8;
/// The same for a round of candidates, which another round may follow.
const ROUND_SHARE: u32 = 5;
/// A time limit that is up still lets the root be looked at.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// Asks an analyst for one move.
pub(super) struct Asker<'a, 't> {
    pub(super) analyst: &'a mut dyn Analyst,
    pub(super) turn: Turn<'t>,
    begun: Instant,
    asked: bool,
    /// Playouts made so far.
    pub(super) playouts: u64,
    /// The latest analysis, scores by the true komi.
    pub(super) latest: Option<Analysis>,
    /// Whether it was a search like any other.
    pub(super) is_plain: bool,
}

impl<'a, 't> Asker<'a, 't> {
    pub(super) fn new(analyst: &'a mut dyn Analyst, turn: Turn<'t>) -> Asker<'a, 't> {
        Asker {
            analyst,
            turn,
            begun: Instant::now(),
            asked: false,
            playouts: 0,
            latest: None,
            is_plain: false,
        }
    }

    /// Searches as a policy wishes.
    pub(super) fn ask(&mut self, ask: &Ask) -> Analysis {
        let mover = self.turn.position.to_move();
        let steering = Steering {
            komi_offset: for_white(ask.komi_offset, mover),
            exploration: ask.exploration,
            wide_noise: ask.wide_noise,
            weights: ask.prior_weights.clone().map(Weights),
            budgets: budgets(&ask.work),
            // A move's numbers are its own, not those of searches before it.
            anew: !self.asked,
            exact: true,
        };
        self.asked = true;
        self.is_plain = steering.budgets.is_empty()
            && steering.komi_offset == 0.0
            && steering.exploration.is_none()
            && steering.wide_noise.is_none()
            && steering.weights.is_none();
        let (visits, share) = match ask.work {
            Work::Whole(simulations) => (simulations, WHOLE_SHARE),
            Work::Each(_) => (1, ROUND_SHARE),
        };
        let mut limits = self.plain_limits(visits);
        limits.time = limits.time.map(|it| it.saturating_mul(share) / 10);
        limits.options.steering = steering;
        let mut answer = self.search(&limits);
        self.latest = Some(answer.clone());
        if let Work::Each(each) = &ask.work {
            let asked = |mv| each.iter().any(|it| it.0 == mv);
            answer.candidates.retain(|it| asked(it.mv));
        }
        as_searched(&mut answer, ask.komi_offset, self.turn.position);
        answer
    }

    /// Searches the position plainly.
    pub(super) fn look(&mut self, visits: u64) -> Analysis {
        let mut limits = self.plain_limits(visits);
        limits.options.steering.anew = true;
        self.asked = true;
        self.is_plain = true;
        self.search(&limits)
    }

    /// Returns limits of so many visits within the time that is left.
    pub(super) fn plain_limits(&self, visits: u64) -> Limits {
        let time = left(self.turn.limits.time, self.begun);
        Limits {
            playouts: None,
            visits: Some(visits),
            time: time.map(|it| it.max(LEAST_TIME)),
            ..self.turn.limits.clone()
        }
    }

    fn search(&mut self, limits: &Limits) -> Analysis {
        let position = self.turn.position;
        let mut analysis = match &mut self.turn.watcher {
            Some(Watcher { every, report }) => {
                self.analyst.watch(position, limits, *every, *report)
            }
            None => self.analyst.analyze(position, limits),
        };
        self.playouts += analysis.playouts;
        analysis.candidates.retain(|it| self.turn.admits(it.mv));
        analysis
    }
}

fn budgets(work: &Work) -> Vec<Budget> {
    match work {
        Work::Whole(_) => Vec::new(),
        Work::Each(each) => {
            let budget = |&(mv, visits)| Budget { mv, visits };
            each.iter().map(budget).collect()
        }
    }
}

/// Reports leads as the search saw them, with what the player to move was given.
fn as_searched(analysis: &mut Analysis, given: f32, position: &Position) {
    if given == 0.0 {
        return;
    }
    for candidate in &mut analysis.candidates {
        candidate.lead.0.0 += given;
        candidate.score_mean.0.0 += given;
    }
    let black = -for_white(given, position.to_move());
    analysis.lead.0.0 += black;
    analysis.score_mean.0.0 += black;
}
