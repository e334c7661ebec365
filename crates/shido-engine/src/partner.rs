//! A teaching partner at the board: drives a policy of the coach with an analyst.
//!
//! The policy asks for simulations and the analyst makes them, each move from an empty
//! tree, until the policy names a move. Whether the game is over is not the policy's
//! question: passing follows [`crate::decide`], by an analysis of the real komi, and
//! resigning the partner's own rule.
//!
//! Invariant: equal seeds, settings, positions and answers of the analyst give equal
//! moves; what is drawn depends on the seed and the position alone.

mod ask;

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_coach::play::{
    Choice, ConsideredMove, Outlook, PartnerPolicy, PartnerSettings, Policy, SettingsError, Step,
    View, WhyRecord,
};
use shido_go::gtp::Reply;
use shido_go::{Color, Move, Position, Rank};
use shido_search::Analysis;

use crate::decide::{DecideSettings, Decision, Why, may_pass};
use crate::human::{HumanSource, Ranks};
use crate::player::Chooser;
use crate::settle::open_share;
use crate::{Analyst, Limits};

use ask::Asker;

/// Questions that a policy may ask for one move; each is known to stop long before.
const MOST_ASKS: usize = 32;
/// Part of a move's simulations that goes to judging whether the game is over.
const ENDING: u64 = 8;
/// The least and the most of them.
const ENDING_RANGE: [u64; 2] = [32, 200];
/// Share of the board whose owner may be open when that is asked.
const OPEN: f32 = 0.1;

/// Probability of people from which a move is usual at the end of a game.
const USUAL_FROM: f32 = 0.2;
/// Points that it may lose: less than a stone in one's own territory.
const USUAL_LOSS: f32 = 0.5;

/// Plays at a student's level.
pub struct Partner {
    human: HumanSource,
    policy: PartnerPolicy,
    /// The student's rank, if it is known; else they are taken to be of the partner's.
    student: Option<Rank>,
    seed: u64,
    chooser: Chooser,
    /// How the game looked at each of its moves, by color, with the moves before it.
    past: [Vec<Past>; 2],
}

/// What is remembered of a move of this game.
struct Past {
    /// Moves of the game before it.
    after: usize,
    outlook: Option<Outlook>,
    /// The lead after the move; `None` if it was not the policy's.
    lead_after: Option<f32>,
    /// Whether endgame control chose it.
    is_endgame: bool,
}

impl Past {
    fn of(after: usize, record: Option<&WhyRecord>) -> Past {
        let played = record.and_then(WhyRecord::played_move);
        Past {
            after,
            outlook: record.and_then(WhyRecord::outlook),
            lead_after: played.and_then(|it| it.lead).map(|it| it.0.0),
            is_endgame: record.is_some_and(WhyRecord::is_endgame),
        }
    }
}

/// A partner's move.
#[derive(Debug, Clone)]
pub struct PartnerMove {
    /// A stone, a pass or resignation.
    pub reply: Reply,
    /// What decided at the level of manners; [`Why::Search`] for the policy's own move.
    pub why: Why,
    /// How the policy chose; `None` if it was not its choice that was played.
    pub record: Option<WhyRecord>,
    /// The latest analysis of the position, scores by the true komi.
    pub analysis: Analysis,
    /// Playouts or evaluations made for the move.
    pub playouts: u64,
}

/// Who wants to know how a move comes about.
pub struct Watcher<'a> {
    /// How often.
    pub every: Duration,
    /// What is told.
    pub report: &'a mut dyn FnMut(&Analysis),
}

/// One move to choose.
pub struct Turn<'a> {
    /// The position; the partner is the player to move.
    pub position: &'a Position,
    /// Simulations instead of the partner's own, if there are any, time and stop.
    pub limits: &'a Limits,
    /// Which moves may be chosen; all if `None`.
    pub admits: Option<&'a dyn Fn(Move) -> bool>,
    /// Who wants to know meanwhile.
    pub watcher: Option<Watcher<'a>>,
}

impl<'a> Turn<'a> {
    /// Returns a plain turn.
    pub fn new(position: &'a Position, limits: &'a Limits) -> Turn<'a> {
        Turn {
            position,
            limits,
            admits: None,
            watcher: None,
        }
    }

    fn admits(&self, mv: Move) -> bool {
        self.admits.is_none_or(|admits| admits(mv))
    }
}

impl Partner {
    /// Returns a partner, or says which setting it cannot play with.
    pub fn new(human: HumanSource, settings: PartnerSettings) -> Result<Partner, SettingsError> {
        Ok(Partner {
            human,
            policy: PartnerPolicy::new(settings)?,
            student: None,
            seed: 0,
            chooser: Chooser::new(DecideSettings {
                pass_when_won: false,
                ..DecideSettings::never_resign()
            }),
            past: [Vec::new(), Vec::new()],
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &PartnerSettings {
        self.policy.settings()
    }

    /// Changes the settings, or says what is wrong with them.
    pub fn set_settings(&mut self, settings: PartnerSettings) -> Result<(), SettingsError> {
        self.policy = PartnerPolicy::new(settings)?;
        Ok(())
    }

    /// Tells the student's rank, which the human network may know to use.
    pub fn set_student(&mut self, rank: Option<Rank>) {
        self.student = rank;
    }

    /// Returns who says what people play.
    pub fn human(&self) -> &HumanSource {
        &self.human
    }

    /// Forgets the game before; `seed` decides all that is drawn in the next.
    pub fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.chooser.reset();
        self.past = [Vec::new(), Vec::new()];
    }

    /// Forgets its moves after so many of the game: they were taken back, or not played.
    pub fn take_back(&mut self, moves: usize) {
        for past in &mut self.past {
            past.retain(|it| it.after < moves);
        }
    }

    /// Goes on with a game of which only records are left: of each earlier move of
    /// `color`, the moves of the game before it and how it was chosen.
    pub fn resume<'r>(
        &mut self,
        seed: u64,
        color: Color,
        records: impl IntoIterator<Item = (usize, &'r WhyRecord)>,
    ) {
        self.new_game(seed);
        let past = |(after, record)| Past::of(after, Some(record));
        self.past[color.index()] = records.into_iter().map(past).collect();
    }

    /// Returns the points that each answer to a move of `color` has lost, as far as the
    /// partner's own analyses tell.
    pub fn losses_against(&self, color: Color) -> Vec<f32> {
        let loss = |pair: &[Past]| {
            let [before, after] = pair else { return None };
            let lead = after.outlook?.lead.0.0;
            (after.after == before.after + 2).then_some(lead - before.lead_after?)
        };
        self.past[color.index()]
            .windows(2)
            .filter_map(loss)
            .collect()
    }

    /// Returns how likely people of the partner's rank make each move.
    pub fn human_policy(&mut self, position: &Position) -> Vec<f32> {
        let rank = self.settings().rank;
        let ranks = Ranks {
            mover: Some(rank),
            opponent: Some(self.student.unwrap_or(rank)),
        };
        self.human.policy(position, ranks)
    }

    /// Chooses a move for the player to move.
    ///
    /// The analyst may fail ([`Analyst::failure`]); what is returned then is a guess.
    pub fn choose(&mut self, analyst: &mut dyn Analyst, turn: Turn<'_>) -> PartnerMove {
        let (position, limits) = (turn.position, turn.limits);
        let color = position.to_move();
        // Moves that were taken back are no part of this game.
        self.take_back(position.moves().len());
        let mut asker = Asker::new(analyst, turn);
        let choice = self.ask_policy(&mut asker);
        self.remember(position, choice.as_ref());
        let analysis = self.ending_analysis(&mut asker);
        let part = asker.plain_limits(self.ending_visits(limits));
        let (analyst, admits) = (asker.analyst, asker.turn.admits);
        let admits = |mv| admits.is_none_or(|admits| admits(mv));
        let end = self.chooser.end(analyst, position, &analysis, &part);
        let end = end.filter(|it| matches!(it.reply, Reply::Move(mv) if admits(mv)));
        let end = end.filter(|_| !self.people_play_on(position, choice.as_ref()));
        let chosen = choice.filter(|it| {
            let pass = it.mv.is_pass() && !may_pass(position, &analysis, self.chooser.settings());
            // With no other move, a pass it is.
            let forced = pass && analysis.candidates.iter().all(|it| it.mv.is_pass());
            admits(it.mv) && position.is_legal(color, it.mv) && (!pass || forced)
        });
        let (decision, record) = match (end, chosen) {
            // A game that is over is counted, however it stands.
            (Some(end), _) => (end, None),
            _ if self.resigns(position) => (Decision::RESIGN, None),
            (None, Some(choice)) => {
                let reply = Reply::Move(choice.mv);
                let why = Why::Search;
                (Decision { reply, why }, Some(choice.record))
            }
            (None, None) => (fallback(position, &analysis, &admits), None),
        };
        if record.is_none() {
            self.withdraw_choice(color);
        }
        PartnerMove {
            reply: decision.reply,
            why: decision.why,
            record,
            playouts: asker.playouts,
            analysis,
        }
    }

    /// Returns whether people of the rank would not pass first here, and have a move that
    /// costs next to nothing: to them the game is not over yet.
    fn people_play_on(&mut self, position: &Position, choice: Option<&Choice>) -> bool {
        let passed = position.last_move().is_some_and(|it| it.mv.is_pass());
        let has_move = choice.is_some_and(|it| it.record.candidates.iter().any(is_usual));
        let sanity = self.settings().sanity;
        let can_tell = sanity.enabled && self.human.knows_passes(position.size());
        can_tell && !passed && has_move && {
            let pass = self.human_policy(position).last().copied();
            pass.is_some_and(|it| it < sanity.pass_from)
        }
    }

    /// Remembers how the game looks at this move.
    fn remember(&mut self, position: &Position, choice: Option<&Choice>) {
        let record = choice.map(|it| &it.record);
        let past = Past::of(position.moves().len(), record);
        self.past[position.to_move().index()].push(past);
    }

    /// Forgets the latest choice, which was not played; how the game looked stays.
    fn withdraw_choice(&mut self, color: Color) {
        if let Some(past) = self.past[color.index()].last_mut() {
            past.lead_after = None;
            past.is_endgame = false;
        }
    }

    fn resigns(&self, position: &Position) -> bool {
        let past = &self.past[position.to_move().index()];
        let outlooks: Vec<Outlook> = past.iter().filter_map(|it| it.outlook).collect();
        self.settings().resign_rule().resigns(position, &outlooks)
    }

    /// Lets the policy ask until it has chosen; `None` if it never does.
    fn ask_policy(&mut self, asker: &mut Asker<'_, '_>) -> Option<Choice> {
        let position = asker.turn.position;
        let policy = self.policy_for(asker.turn.limits);
        let mut human = self.human_policy(position);
        let mut prior = asker.analyst.policy(position);
        if let Some(admits) = asker.turn.admits {
            keep(&mut human, position, admits);
            keep(&mut prior, position, admits);
        }
        let mut rng = self.rng(position);
        let past = &self.past[position.to_move().index()];
        let mut answers: Vec<Analysis> = Vec::new();
        for _ in 0..MOST_ASKS {
            let view = View {
                position,
                human: &human,
                prior: &prior,
                human_knows_passes: self.human.knows_passes(position.size()),
                prior_knows_passes: asker.analyst.knows_passes(),
                answers: &answers,
                in_endgame: past.iter().any(|it| it.is_endgame),
            };
            match policy.step(&view, &mut rng) {
                Step::Play(choice) => return Some(choice),
                Step::Ask(ask) => answers.push(asker.ask(&ask)),
            }
        }
        None
    }

    /// Returns the policy with the simulations that the limits name, if they do.
    fn policy_for(&self, limits: &Limits) -> PartnerPolicy {
        let mut settings = self.settings().clone();
        if let Some(simulations) = limits.visits.or(limits.playouts) {
            settings.simulations = simulations.max(1);
        }
        PartnerPolicy::new(settings).unwrap_or_else(|_| self.policy.clone())
    }

    /// Returns an analysis to judge by whether the game is over.
    ///
    /// A policy's searches look at moves that nobody would play, under a komi that is
    /// not the real one; near the end another one is made that does not.
    fn ending_analysis(&self, asker: &mut Asker<'_, '_>) -> Analysis {
        let position = asker.turn.position;
        let passed = position.last_move().is_some_and(|it| it.mv.is_pass());
        let known = asker.latest.take();
        let near = |it: &Analysis| open_share(&it.ownership, position.size().area()) < OPEN;
        let plain = asker.is_plain;
        match known {
            Some(analysis) if plain || !(passed || near(&analysis)) => analysis,
            _ => asker.look(self.ending_visits(asker.turn.limits)),
        }
    }

    fn ending_visits(&self, limits: &Limits) -> u64 {
        let own = self.settings().simulations;
        let simulations = limits.visits.or(limits.playouts).unwrap_or(own);
        let [least, most] = ENDING_RANGE;
        (simulations / ENDING).clamp(least, most)
    }

    fn rng(&self, position: &Position) -> Xoshiro256PlusPlus {
        let turn = position.moves().len() as u64;
        let stream = turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ position.hash();
        Xoshiro256PlusPlus::seed_from_u64(self.seed ^ stream)
    }
}

/// Returns whether people often play a stone that is sane and loses next to nothing.
fn is_usual(it: &ConsideredMove) -> bool {
    let cheap = it.loss.is_some_and(|it| it <= USUAL_LOSS);
    it.vertex != "pass" && it.set_aside.is_none() && cheap && it.naturalness >= USUAL_FROM
}

/// Returns what is left when the policy's choice cannot be played.
fn fallback(position: &Position, analysis: &Analysis, admits: &dyn Fn(Move) -> bool) -> Decision {
    let color = position.to_move();
    let sane = |mv: Move| {
        let eye = |point| position.board().is_eye(color, point);
        admits(mv) && position.is_legal(color, mv) && !mv.point().is_some_and(eye)
    };
    let searched = analysis.candidates.iter().map(|it| it.mv);
    let found = searched.into_iter().find(|&mv| sane(mv) && !mv.is_pass());
    let found = found.or_else(|| {
        position
            .legal_moves()
            .find(|&mv| admits(mv) && mv.is_pass())
    });
    let found = found.or_else(|| position.legal_moves().find(|&mv| admits(mv)));
    Decision {
        reply: Reply::Move(found.unwrap_or(Move::Pass)),
        why: Why::NoMove,
    }
}

/// Leaves out of a policy what may not be chosen; the rest sums to 1 again.
fn keep(policy: &mut [f32], position: &Position, admits: &dyn Fn(Move) -> bool) {
    let moves = position.size().points().map(Move::Play).chain([Move::Pass]);
    for (p, mv) in policy.iter_mut().zip(moves) {
        if !admits(mv) {
            *p = 0.0;
        }
    }
    let sum: f32 = policy.iter().sum();
    if sum > 0.0 {
        for p in policy {
            *p /= sum;
        }
    }
}

/// Returns the points that White has more in the search if the player to move is given some.
pub(crate) fn for_white(points: f32, mover: Color) -> f32 {
    match mover {
        Color::Black => 0.0 - points,
        Color::White => points,
    }
}

/// Returns the time since a moment, as part of a limit.
fn left(limit: Option<Duration>, since: Instant) -> Option<Duration> {
    limit.map(|limit| limit.saturating_sub(since.elapsed()))
}

#[cfg(test)]
mod tests {
    use shido_coach::play::SetAside;

    use super::*;

    #[test]
    fn a_usual_move_is_sane_natural_and_costs_less_than_a_point() {
        let usual = ConsideredMove {
            vertex: "D4".to_owned(),
            visits: 20,
            lead: None,
            loss: Some(0.2),
            win_rate: None,
            naturalness: 0.4,
            score: None,
            set_aside: None,
        };
        assert!(is_usual(&usual));
        let check = |change: fn(&mut ConsideredMove)| {
            let mut it = usual.clone();
            change(&mut it);
            assert!(!is_usual(&it), "{it:?}");
        };
        check(|it| it.vertex = "pass".to_owned());
        // A stone in one's own territory.
        check(|it| it.loss = Some(1.0));
        check(|it| it.loss = None);
        check(|it| it.naturalness = 0.1);
        check(|it| it.set_aside = Some(SetAside::Settled));
    }
}
