//! The `katago` analyst: a KataGo process over its JSON analysis protocol.
//!
//! For those with a graphics card. Any program that speaks the protocol will do,
//! `shido analyze` among them. It may be missing, old, crash, hang or speak
//! nonsense; a process that fails is started anew once for each question, and
//! when that fails too the analysis is empty and [`Analyst::failure`] says why.
//!
//! KataGo searches every question anew, so nothing is kept between two.

mod process;
mod query;
mod response;
mod steered;

use std::path::PathBuf;
use std::time::Duration;

use shido_go::Position;
use shido_search::Analysis;
use shido_search::puct::Budget;

use self::process::Process;
use self::query::Question;
use crate::outside::{EngineFailure, ProcessSettings};
use crate::{Analyst, Limits, SearchOptions};

/// Which KataGo to run, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KataGoSettings {
    /// The program, with arguments before `analysis` if it needs any.
    pub command: String,
    /// Its network (`-model`); `None` leaves the choice to the program.
    pub model: Option<PathBuf>,
    /// A network that imitates people (`-human-model`).
    pub human_model: Option<PathBuf>,
    /// Its configuration (`-config`); `None` writes a plain one.
    pub config: Option<PathBuf>,
    /// Settings over those of the configuration.
    pub overrides: Vec<(String, String)>,
    /// Threads to search with, in a configuration of ours.
    pub threads: usize,
    /// What the process is allowed.
    pub process: ProcessSettings,
}

impl KataGoSettings {
    /// Returns the usual settings for a program.
    pub fn new(command: impl Into<String>) -> KataGoSettings {
        KataGoSettings {
            command: command.into(),
            model: None,
            human_model: None,
            config: None,
            overrides: Vec::new(),
            threads: 8,
            process: ProcessSettings {
                // The first start of some builds tunes itself for minutes.
                start_timeout: Duration::from_mins(15),
                response_bytes: 16 << 20,
                ..ProcessSettings::default()
            },
        }
    }
}

/// Why there is no KataGo.
#[derive(Debug, thiserror::Error)]
pub enum KataGoError {
    /// A file that was named is not there.
    #[error("there is no {what} {}: name one that exists with {flag}", path.display())]
    MissingFile {
        /// What it should be.
        what: &'static str,
        /// Where it should be.
        path: PathBuf,
        /// The flag that names it.
        flag: &'static str,
    },
    /// The program could not be started.
    #[error("{source}; say where KataGo is with --katago")]
    NotStarted {
        /// What the operating system says.
        source: EngineFailure,
    },
    /// The configuration could not be written.
    #[error("cannot write a configuration for KataGo: {0}; name one with --katago-config")]
    Config(std::io::Error),
    /// The program is too old, or no KataGo.
    #[error("KataGo says its version is `{found}`; {least} or later is needed")]
    Version {
        /// What it said.
        found: String,
        /// The least that is needed.
        least: &'static str,
    },
    /// It failed while it was started.
    #[error(transparent)]
    Failed(#[from] EngineFailure),
}

/// A KataGo process that judges positions.
pub struct KataGo {
    process: Process,
    failure: Option<String>,
    questions: u64,
}

impl KataGo {
    /// Starts the process and waits until it is ready.
    pub fn start(settings: KataGoSettings) -> Result<KataGo, KataGoError> {
        Ok(KataGo {
            process: Process::start(settings)?,
            failure: None,
            questions: 0,
        })
    }

    /// Returns the version the program says it has.
    pub fn version(&self) -> &str {
        self.process.version()
    }

    /// Asks, starting the process anew if it is or gets lost, once.
    fn ask(
        &mut self,
        question: &Question<'_>,
        limits: &Limits,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.failure = None;
        for again in [false, true] {
            if !self.process.is_running()
                && let Err(error) = self.process.restart()
            {
                return self.fail(question, error.to_string());
            }
            match self.process.ask(question, limits, report) {
                Ok(analysis) => return analysis,
                Err(why) if again || self.process.is_running() => return self.fail(question, why),
                Err(why) => tracing::warn!("{why}; starting KataGo anew"),
            }
        }
        unreachable!("the second time is the last");
    }

    fn fail(&mut self, question: &Question<'_>, why: String) -> Analysis {
        tracing::error!("{why}");
        self.failure = Some(why);
        Analysis::unknown(question.position.to_move())
    }

    fn question<'a>(&mut self, position: &'a Position, limits: &'a Limits) -> Question<'a> {
        self.questions += 1;
        Question {
            id: format!("shido-{}", self.questions),
            position,
            limits,
            every: None,
            only: None,
        }
    }

    /// Asks about each candidate with visits of its own, until one fails.
    fn ask_each(&mut self, position: &Position, limits: &Limits) -> Analysis {
        let (mover, options) = (position.to_move(), &limits.options);
        let may = |it: &&Budget| {
            position.is_legal(mover, it.mv) && !options.avoids(mover, it.mv, 0) && it.visits > 0
        };
        let budgets: Vec<_> = options.steering.budgets.iter().filter(may).collect();
        let share = budgets.len().max(1) as u32;
        let part = Limits {
            time: limits.time.map(|it| it / share),
            ..limits.clone()
        };
        let mut analyses = Vec::new();
        for &budget in budgets {
            let mut question = self.question(position, &part);
            question.only = Some(budget);
            let analysis = self.ask(&question, &part, &mut |_| {});
            if self.failure.is_some() {
                return analysis;
            }
            analyses.push(analysis);
        }
        steered::join(&analyses, position)
    }
}

impl Analyst for KataGo {
    fn name(&self) -> &'static str {
        "katago"
    }

    fn analyze(&mut self, position: &Position, limits: &Limits) -> Analysis {
        let steering = &limits.options.steering;
        let mut analysis = if steering.budgets.is_empty() {
            let question = self.question(position, limits);
            self.ask(&question, limits, &mut |_| {})
        } else {
            self.ask_each(position, limits)
        };
        steered::correct(&mut analysis, position, steering);
        analysis
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: Duration,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let steering = &limits.options.steering;
        if !steering.budgets.is_empty() {
            return self.analyze(position, limits);
        }
        let mut question = self.question(position, limits);
        question.every = Some(every);
        let mut analysis = self.ask(&question, limits, &mut |it| {
            let mut it = it.clone();
            steered::correct(&mut it, position, steering);
            report(&it);
        });
        steered::correct(&mut analysis, position, steering);
        analysis
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        let limits = Limits::visits(1);
        let analysis = self.analyze(position, &limits);
        match analysis.raw {
            Some(raw) => raw.policy.to_vec(),
            None => even(position),
        }
    }

    fn forget(&mut self) {}

    /// KataGo is told everything and warns of what it does not know by itself; it has no
    /// words for factors on the policy, which change the report of the root alone.
    fn check_options(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        let weighs = options.steering.weights.is_some();
        let below = weighs.then(|| "priorWeights below the root".to_owned());
        Ok(below.into_iter().collect())
    }

    fn failure(&self) -> Option<String> {
        self.failure.clone()
    }
}

/// Returns the policy of one who knows nothing.
fn even(position: &Position) -> Vec<f32> {
    let size = position.size();
    let mut policy = vec![0.0; size.area() + 1];
    let moves: Vec<_> = position.legal_moves().collect();
    for mv in &moves {
        let index = mv.point().map_or(size.area(), |it| size.index_of(it));
        policy[index] = 1.0 / moves.len() as f32;
    }
    policy
}
