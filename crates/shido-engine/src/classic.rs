//! The classic analyst: UCT with RAVE over Bradley–Terry playouts, no network.
//!
//! Owns the clock for a search that reads none: a time limit raises a flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use shido_go::{Move, Position};
use shido_search::Analysis;
use shido_search::uct::{Knowledge, SettingsError, Uct, UctSettings};

use crate::{Analyst, Limits, SearchOptions};

/// How often the clock and the flag are looked at while a search runs.
const GLANCE: Duration = Duration::from_millis(5);

/// UCT, RAVE and Bradley–Terry playouts.
pub struct Classic {
    uct: Uct,
}

impl Classic {
    /// Returns an analyst, or what is wrong with the settings.
    pub fn new(settings: UctSettings, knowledge: Knowledge) -> Result<Classic, SettingsError> {
        Ok(Classic {
            uct: Uct::new(settings, knowledge)?,
        })
    }

    /// Returns the search, for its figures.
    pub fn search(&self) -> &Uct {
        &self.uct
    }

    /// Returns how many playouts to add to the tree as it stands.
    fn playouts(&self, limits: &Limits) -> Option<u64> {
        let reused = limits.visits.map_or(0, |_| self.uct.analysis().visits);
        limits.playouts_beyond(reused)
    }

    /// Runs the search beside a loop that keeps the time and reports.
    fn run_watched(
        &self,
        limits: &Limits,
        every: Option<Duration>,
        report: &mut dyn FnMut(&Analysis),
    ) {
        let started = Instant::now();
        let playouts = self.playouts(limits);
        let stop = AtomicBool::new(false);
        let main = std::thread::current();
        std::thread::scope(|scope| {
            let search = scope.spawn(|| {
                self.uct.run(playouts, &stop);
                main.unpark();
            });
            // The scope waits for the search, whatever becomes of this thread.
            let _end = RaiseOnDrop(&stop);
            // A report too far off to be told is never due.
            let mut next_report = every.and_then(|every| started.checked_add(every));
            while !search.is_finished() {
                std::thread::park_timeout(GLANCE);
                let late = limits.time.is_some_and(|time| started.elapsed() >= time);
                if late || limits.stop.is_raised() {
                    break;
                }
                if let (Some(at), Some(every)) = (next_report, every)
                    && Instant::now() >= at
                    && !search.is_finished()
                {
                    report(&self.uct.analysis());
                    next_report = Instant::now().checked_add(every);
                }
            }
        });
    }
}

/// Ends a search when the thread that watches it goes, even by a panic of a report.
struct RaiseOnDrop<'a>(&'a AtomicBool);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Analyst for Classic {
    fn name(&self) -> &'static str {
        "classic"
    }

    fn analyze(&mut self, position: &Position, limits: &Limits) -> Analysis {
        self.uct
            .set_root_steered(position, &limits.options.steering);
        if limits.time.is_none() {
            let playouts = self.playouts(limits);
            self.uct.run(playouts, limits.stop.as_atomic());
        } else {
            self.run_watched(limits, None, &mut |_| {});
        }
        self.uct.finish();
        self.uct.analysis()
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: Duration,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.uct
            .set_root_steered(position, &limits.options.steering);
        self.run_watched(limits, Some(every), report);
        self.uct.finish();
        self.uct.analysis()
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        let size = position.size();
        let mut policy = vec![0.0; size.area() + 1];
        for (mv, p) in self.uct.policy(position) {
            let index = match mv {
                Move::Play(point) => size.index_of(point),
                Move::Pass => size.area(),
            };
            policy[index] = p;
        }
        policy
    }

    /// The Bradley–Terry model tells points apart only.
    fn knows_passes(&self) -> bool {
        false
    }

    fn forget(&mut self) {
        self.uct.forget();
    }

    /// It can be steered, but weighs priors at the root alone; of the rest it follows
    /// nothing.
    fn check_options(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        let steered = options.steering.asked();
        let mut unfollowed = options.asked();
        unfollowed.retain(|it| !steered.contains(&it.as_str()));
        if options.steering.weights.is_some() {
            unfollowed.push("priorWeights below the root".to_owned());
        }
        Ok(unfollowed)
    }

    fn reseed(&mut self, seed: u64) {
        self.uct.reseed(seed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use shido_go::{Rules, Size};

    use super::*;

    fn classic() -> (Classic, Position) {
        let settings = UctSettings {
            threads: 1,
            memory: 1 << 20,
            ..UctSettings::default()
        };
        let classic = Classic::new(settings, Knowledge::shipped()).unwrap();
        let size = Size::square(5).unwrap();
        (classic, Position::new(size, Rules::CHINESE, 7.5))
    }

    #[test]
    fn a_report_that_panics_ends_the_search() {
        let (mut classic, position) = classic();
        let watched = catch_unwind(AssertUnwindSafe(|| {
            let limits = Limits::default();
            classic.watch(&position, &limits, GLANCE, &mut |_| panic!("told to break"))
        }));
        assert!(watched.is_err());
    }

    #[test]
    fn a_time_that_never_comes_is_no_limit() {
        let (mut classic, position) = classic();
        let limits = Limits {
            time: Some(Duration::MAX),
            ..Limits::playouts(20)
        };
        assert!(classic.analyze(&position, &limits).visits > 0);
        let never = Duration::MAX;
        let last = classic.watch(&position, &limits, never, &mut |_| panic!("not due"));
        assert!(last.visits > 0);
    }
}
