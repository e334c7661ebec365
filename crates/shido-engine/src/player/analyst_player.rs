//! An analyst of ours as a player: it searches, then decides.

use std::time::Instant;

use shido_go::gtp::Reply;
use shido_go::{Move, PointSet, Position};
use shido_search::Analysis;

use super::{Choice, MoveRecord, Player};
use crate::decide::{DecideSettings, Decision, Situation, decide, decide_end};
use crate::outside::EngineFailure;
use crate::settle::Settlement;
use crate::{Analyst, Limits};

/// The part of a search that goes to checking a pass, or to judging a finished game.
const SIDE_SEARCH: u64 = 4;

/// Searches and decides, remembering how hopeless it has been for each color.
pub struct Chooser {
    settings: DecideSettings,
    /// For each color, after how many moves of the game its latest decisions in a row were
    /// hopeless.
    hopeless: [Vec<usize>; 2],
}

/// What a [`Chooser`] did and the analysis it did it by.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// What is done.
    pub decision: Decision,
    /// The analysis of the position.
    pub analysis: Analysis,
}

impl Chooser {
    /// Returns a chooser for a new game.
    pub fn new(settings: DecideSettings) -> Chooser {
        Chooser {
            settings,
            hopeless: Default::default(),
        }
    }

    /// Forgets the game so far.
    pub fn reset(&mut self) {
        self.hopeless = Default::default();
    }

    /// Decides by an analysis of `position` that has been made already.
    ///
    /// The analyst is asked again, within a part of the limits, if a pass must be checked.
    pub fn choose(
        &mut self,
        analyst: &mut dyn Analyst,
        position: &Position,
        analysis: Analysis,
        limits: &Limits,
        cleanup: bool,
    ) -> Chosen {
        let after_pass = if cleanup {
            None
        } else {
            let wanted = self.settings.wants_pass_checked(position, &analysis);
            wanted.then(|| look_after_pass(analyst, position, limits))
        };
        let situation = self.situation(position, cleanup, after_pass.as_ref());
        let decision = decide(position, &analysis, situation, &self.settings);
        self.note(position, &analysis);
        Chosen { decision, analysis }
    }

    /// Decides by an analysis whether the player to move resigns or ends the game with a
    /// pass; `None` to play on.
    pub fn end(
        &mut self,
        analyst: &mut dyn Analyst,
        position: &Position,
        analysis: &Analysis,
        limits: &Limits,
    ) -> Option<Decision> {
        // A search that passes does not end the game here: another move may be played.
        let wanted = self.settings.may_be_over(position, analysis);
        // A search that ends a game may take as long as the one that asks for it.
        let look = || analyst.analyze(&after_pass_of(position), limits);
        let after_pass = wanted.then(look);
        let situation = self.situation(position, false, after_pass.as_ref());
        let decision = decide_end(position, analysis, situation, &self.settings);
        self.note(position, analysis);
        decision
    }

    /// Returns how it decides.
    pub fn settings(&self) -> &DecideSettings {
        &self.settings
    }

    fn situation<'a>(
        &self,
        position: &Position,
        cleanup: bool,
        after_pass: Option<&'a Analysis>,
    ) -> Situation<'a> {
        Situation {
            hopeless_before: self.hopeless_before(position).count(),
            cleanup,
            after_pass,
        }
    }

    /// Returns the hopeless moves of the player to move, in a row, before this one: what was
    /// asked here or further on was a hint, or has been taken back.
    fn hopeless_before(&self, position: &Position) -> impl Iterator<Item = usize> {
        let now = position.moves().len();
        let hopeless = self.hopeless[position.to_move().index()].iter().copied();
        hopeless.filter(move |&at| at < now)
    }

    /// Counts hopeless moves in a row.
    fn note(&mut self, position: &Position, analysis: &Analysis) {
        let mut hopeless = Vec::new();
        if self.settings.is_hopeless(position, analysis) {
            hopeless.extend(self.hopeless_before(position));
            hopeless.push(position.moves().len());
        }
        self.hopeless[position.to_move().index()] = hopeless;
    }
}

/// Analyzes the position after a pass.
fn look_after_pass(analyst: &mut dyn Analyst, position: &Position, limits: &Limits) -> Analysis {
    analyst.analyze(&after_pass_of(position), &part_of(limits))
}

fn after_pass_of(position: &Position) -> Position {
    let mut after = position.clone();
    // A pass is always legal.
    let _ = after.play(Move::Pass);
    after
}

/// Returns a part of the limits, for a question beside the main one.
pub(crate) fn part_of(limits: &Limits) -> Limits {
    Limits {
        playouts: limits.playouts.map(|it| (it / SIDE_SEARCH).max(1)),
        visits: limits.visits.map(|it| (it / SIDE_SEARCH).max(1)),
        time: limits.time.map(|it| it / SIDE_SEARCH as u32),
        stop: limits.stop.clone(),
        ..Limits::default()
    }
}

/// Plays what an analyst finds.
pub struct AnalystPlayer {
    analyst: Box<dyn Analyst>,
    limits: Limits,
    chooser: Chooser,
}

impl AnalystPlayer {
    /// Returns a player that spends `limits` on each move.
    pub fn new(analyst: Box<dyn Analyst>, limits: Limits, settings: DecideSettings) -> Self {
        AnalystPlayer {
            analyst,
            limits,
            chooser: Chooser::new(settings),
        }
    }

    /// Returns the dead stones by a fresh search.
    fn judge_dead(&mut self, position: &Position) -> PointSet {
        judge_dead(&mut *self.analyst, position, &part_of(&self.limits))
    }
}

/// Returns the dead stones by a search.
pub(super) fn judge_dead(
    analyst: &mut dyn Analyst,
    position: &Position,
    limits: &Limits,
) -> PointSet {
    let analysis = analyst.analyze(position, limits);
    Settlement::new(position.board(), &analysis.ownership).dead()
}

impl Player for AnalystPlayer {
    fn name(&self) -> &str {
        self.analyst.name()
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn new_game(&mut self, _: &Position, seed: u64) -> Result<(), EngineFailure> {
        self.analyst.forget();
        self.analyst.reseed(seed);
        self.chooser.reset();
        Ok(())
    }

    fn genmove(&mut self, position: &Position) -> Result<Choice, EngineFailure> {
        let begun = Instant::now();
        let analysis = self.analyst.analyze(position, &self.limits);
        let chosen =
            self.chooser
                .choose(&mut *self.analyst, position, analysis, &self.limits, false);
        Ok(Choice {
            reply: chosen.decision.reply,
            record: record(&chosen, begun),
        })
    }

    fn dead_stones(&mut self, position: &Position) -> Result<Option<PointSet>, EngineFailure> {
        Ok(Some(self.judge_dead(position)))
    }

    fn restart(&mut self) -> Result<(), EngineFailure> {
        self.analyst.forget();
        Ok(())
    }
}

fn record(chosen: &Chosen, begun: Instant) -> MoveRecord {
    let played = match chosen.decision.reply {
        Reply::Move(mv) => chosen.analysis.candidate(mv),
        Reply::Resign => chosen.analysis.best(),
    };
    MoveRecord {
        time: begun.elapsed(),
        playouts: Some(chosen.analysis.playouts),
        win_rate: played.map(|it| it.win_rate),
        lead: played.map(|it| it.lead),
        why: Some(chosen.decision.why.word()),
        partner: None,
    }
}
