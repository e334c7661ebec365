//! A partner's thoughts on one turn, from the candidates to the choice and its record.
//!
//! Policies fill in scores and reasons; this settles what is left to all of them:
//! which moves are sane, what to do when none is, and how the record is written.

use std::cmp::Ordering;

use rand_xoshiro::rand_core::RngCore;
use shido_go::Move;
use shido_go::gtp::format_vertex;
use shido_search::{ForMover, Points, WinRate};

use super::kind::PartnerKind;
use super::ladder::LadderGuard;
use super::random::draw;
use super::sanity::{GRAVE, Prices, Screen, gravity};
use super::settings::PartnerSettings;
use super::step::{Choice, Step, View};
use super::table::{Row, best_lead, highest};
use super::why::{ConsideredMove, Note, Rule, SetAside, WhyRecord};

/// The most candidates that a record holds.
const RECORDED: usize = 30;

/// A candidate with what the policy makes of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Considered {
    pub(super) row: Row,
    /// What it is worth to the policy; the highest is played.
    pub(super) score: f32,
    /// Why it is out, if it is.
    pub(super) set_aside: Option<SetAside>,
}

/// The state of one turn.
pub(super) struct Turn<'a> {
    view: &'a View<'a>,
    kind: PartnerKind,
    /// The candidates.
    pub(super) moves: Vec<Considered>,
    /// What else had a part.
    pub(super) notes: Vec<Note>,
    /// The points to give away, if the policy controls that.
    pub(super) target_loss: Option<f32>,
    /// The points the search gave the mover; taken off the recorded leads.
    komi_offset: f32,
    /// The lead that losses are counted from; by default the highest, that of a pass only
    /// where passing is an idea.
    pub(super) best: Option<f32>,
    screen: Screen<'a>,
}

impl<'a> Turn<'a> {
    /// Screens the candidates.
    pub(super) fn new(view: &'a View<'a>, settings: &PartnerSettings, rows: Vec<Row>) -> Turn<'a> {
        let known = |row: &Row| (row.visits > 0).then_some(row.lead);
        let screen = Screen::new(view, settings.sanity, settings.ladder);
        let best = best_lead(
            rows.iter()
                .filter(|it| it.visits > 0 && screen.counts(it.mv)),
        );
        let pass = rows.iter().find(|it| it.mv.is_pass()).and_then(known);
        // One that is no measure and yet said to be the best move is not believed.
        let pass = pass.filter(|&it| best.is_none_or(|best| it <= best));
        let mut screen = screen.with_prices(Prices { best, pass });
        let loss = |row: &Row| best.zip(known(row)).map(|(best, lead)| best - lead);
        let mut notes = Vec::new();
        let answers = screen.ladder_answers();
        if !answers.is_empty() {
            let mut answers = rows.iter().filter(|it| answers.contains(&it.mv));
            let size = view.position.size();
            let dear = |row: &Row| loss(row).is_some_and(|it| settings.ladder.is_dear(it, size));
            // What gains nothing answers nothing: the stones were in no danger. What is worse
            // than a pass saves nothing either: they are lost.
            let useless = |row: &Row| {
                screen.concern(row.mv, known(row)).is_some() || screen.is_worse_than_a_pass(row)
            };
            // Also where none of them is known.
            if answers.all(|row| dear(row) || useless(row)) {
                screen.drop_ladder();
            } else {
                notes.push(Note::LadderAnswered);
            }
        }
        let consider = |row: Row| Considered {
            row,
            score: 0.0,
            set_aside: screen.concern(row.mv, known(&row)),
        };
        let moves = rows.into_iter().map(consider).collect();
        Turn {
            view,
            kind: settings.kind,
            moves,
            notes,
            target_loss: None,
            komi_offset: 0.0,
            best,
            screen,
        }
    }

    /// Takes the candidates as they are, but for own eyes.
    pub(super) fn unscreened(
        view: &'a View<'a>,
        settings: &PartnerSettings,
        rows: Vec<Row>,
    ) -> Turn<'a> {
        let off = LadderGuard {
            enabled: false,
            ..settings.ladder
        };
        let screen = Screen::new(view, settings.sanity, off);
        let consider = |row: Row| Considered {
            row,
            score: 0.0,
            set_aside: (screen.concern(row.mv, None)).filter(|&why| why == SetAside::OwnEye),
        };
        Turn {
            view,
            kind: settings.kind,
            best: best_lead(rows.iter().filter(|it| it.visits > 0)),
            moves: rows.into_iter().map(consider).collect(),
            notes: Vec::new(),
            target_loss: None,
            komi_offset: 0.0,
            screen,
        }
    }

    /// Tells what the search gave the mover: optimistic komi, and an allowance for the
    /// handicap.
    pub(super) fn given(&mut self, optimistic: f32, allowance: f32) {
        self.komi_offset = optimistic + allowance;
        if allowance > 0.0 {
            self.notes.push(Note::HandicapEased);
        }
    }

    /// Returns the highest lead of some searched candidates that losses can be counted from.
    pub(super) fn best_of(&self, among: impl Fn(&&Row) -> bool) -> Option<f32> {
        let rows = self.moves.iter().map(|it| &it.row);
        best_lead(rows.filter(|it| self.screen.counts(it.mv) && among(it)))
    }

    /// Returns the most visits of any candidate that others are compared with.
    pub(super) fn most_visits(&self) -> u64 {
        let counted = (self.moves.iter()).filter(|it| self.screen.counts(it.row.mv));
        counted.map(|it| it.row.visits).max().unwrap_or(0)
    }

    /// Returns the candidates that are still in.
    pub(super) fn open(&self) -> impl Iterator<Item = &Considered> {
        self.moves.iter().filter(|it| it.set_aside.is_none())
    }

    /// Gives every candidate a score.
    pub(super) fn score(&mut self, score: impl Fn(&Row) -> f32) {
        for it in &mut self.moves {
            it.score = score(&it.row);
        }
    }

    /// Sets candidates aside that are still in.
    pub(super) fn set_aside(&mut self, why: SetAside, is_out: impl Fn(&Row) -> bool) {
        for it in &mut self.moves {
            if it.set_aside.is_none() && is_out(&it.row) {
                it.set_aside = Some(why);
            }
        }
    }

    /// Plays the open candidate with the highest score.
    pub(super) fn play_highest(self, rule: Rule) -> Step {
        let open: Vec<_> = self.open().copied().collect();
        match highest(&open, |it| it.score) {
            Some(it) => {
                let mv = it.row.mv;
                self.play(mv, rule)
            }
            None => self.play_last_resort(),
        }
    }

    /// Plays an open candidate drawn by a power of 1 / `variety` of its score; without variety
    /// the highest. One that is obvious by its naturalness is drawn as often as that says, or
    /// more.
    pub(super) fn play_drawn(
        mut self,
        rule: Rule,
        variety: f32,
        is_obvious: &dyn Fn(f32) -> bool,
        rng: &mut dyn RngCore,
    ) -> Step {
        let highest = self.open().map(|it| it.score).fold(0.0, f32::max);
        if variety <= 0.0 || highest <= 0.0 {
            return self.play_highest(rule);
        }
        let power = 1.0 / f64::from(variety);
        let weight = |it: &Considered| f64::from(it.score / highest).powf(power);
        let mut weights: Vec<f64> = self.open().map(weight).collect();
        let obvious = self.open().position(|it| is_obvious(it.row.naturalness));
        if let Some(at) = obvious {
            let chance = self.open().nth(at).map_or(0.0, |it| it.row.naturalness);
            let others = weights.iter().sum::<f64>() - weights[at];
            // A chance of 1 leaves the others none.
            let odds = f64::from(chance) / (1.0 - f64::from(chance)).max(1e-6);
            weights[at] = weights[at].max(odds * others);
        }
        let drawn = draw(rng, &weights).and_then(|at| self.open().nth(at));
        match drawn.map(|it| it.row.mv) {
            Some(mv) => {
                if weights.iter().filter(|&&it| it > 0.0).count() > 1 {
                    self.notes.push(Note::DrawnByScore);
                }
                self.play(mv, rule)
            }
            None => self.play_highest(rule),
        }
    }

    /// Sets the points to give away at a lead and notes what eased them.
    pub(super) fn aim(&mut self, settings: &PartnerSettings, lead: ForMover<Points>) -> Points {
        let ease = settings.opening.factor(self.view.position);
        let full = settings.control.target_loss(lead).0;
        if ease < 1.0 && full > 0.0 {
            self.notes.push(Note::OpeningEased);
        }
        self.target_loss = Some(full * ease);
        Points(full * ease)
    }

    /// Plays when every candidate is out: one that only the policy disliked, else a pass
    /// on a full board, else the move whose concern is mildest.
    ///
    /// That no stone was searched is no reason to pass: then the move models tell.
    pub(super) fn play_last_resort(mut self) -> Step {
        let stones = |it: &&Considered| !it.row.mv.is_pass();
        if self.moves.iter().find(stones).is_none() {
            if self.is_pass_expected() {
                return self.play(Move::Pass, Rule::NoMove);
            }
            self.consider_unsearched();
        }
        let concern = |it: &Considered| it.set_aside.map_or(0, gravity);
        let mildest = self.moves.iter().filter(stones).map(concern).min();
        let mildest = mildest.filter(|&it| it < GRAVE || !self.screen.may_pass());
        let choice = self
            .moves
            .iter()
            .filter(stones)
            .filter(|it| Some(concern(it)) == mildest)
            .max_by(|a, b| self.by_worth(a, b));
        let Some(choice) = choice else {
            return self.play(Move::Pass, Rule::NoMove);
        };
        let mv = choice.row.mv;
        if choice.set_aside.is_some() {
            self.notes.push(Note::ConcernOverlooked);
        }
        self.play(mv, Rule::OnlyMove)
    }

    /// Returns whether people would pass here and nothing speaks against it.
    fn is_pass_expected(&self) -> bool {
        let likely = self.view.naturalness(Move::Pass) > 0.5;
        self.moves.is_empty() && likely && self.screen.concern(Move::Pass, None).is_none()
    }

    /// Adds the stones that no search has looked at.
    fn consider_unsearched(&mut self) {
        let view = self.view;
        let stones = view.position.legal_moves().filter(|it| !it.is_pass());
        self.moves.extend(stones.map(|mv| Considered {
            row: Row::unsearched(view, mv),
            score: 0.0,
            set_aside: self.screen.concern(mv, None),
        }));
    }

    /// Compares moves when nothing better is known: searched ones by their leads, before
    /// others by how likely they are.
    fn by_worth(&self, a: &Considered, b: &Considered) -> Ordering {
        let prior = |it: &Considered| self.view.engine_prior(it.row.mv);
        let likely = |it: &Considered| match self.kind {
            PartnerKind::Strong => prior(it),
            _ => it.row.naturalness,
        };
        let searched = |it: &Considered| it.row.visits > 0;
        let lead = |it: &Considered| if searched(it) { it.row.lead } else { 0.0 };
        (searched(a).cmp(&searched(b)))
            .then(lead(a).total_cmp(&lead(b)))
            .then(likely(a).total_cmp(&likely(b)))
            .then(prior(a).total_cmp(&prior(b)))
    }

    /// Plays a move and writes the record.
    pub(super) fn play(mut self, mv: Move, rule: Rule) -> Step {
        let simulations = self.moves.iter().map(|it| it.row.visits).sum();
        let lead = self.best.map(|it| ForMover(Points(it - self.komi_offset)));
        if lead.is_some_and(|it| it.0.0 >= 0.0) {
            // The handicap has been made up for.
            self.notes.retain(|&it| it != Note::HandicapEased);
        }
        let counted = |it: &&Considered| it.row.visits > 0 && self.screen.counts(it.row.mv);
        let searched = self.moves.iter().filter(counted);
        let win_rates = searched.map(|it| it.row.win_rate);
        let win_rate = win_rates.max_by(f32::total_cmp);
        let mut order: Vec<&Considered> = self.moves.iter().collect();
        order.sort_by(|a, b| {
            let key = |it: &Considered| (it.row.mv != mv, it.set_aside.is_some());
            key(a).cmp(&key(b)).then(b.score.total_cmp(&a.score))
        });
        let candidates = order
            .into_iter()
            .take(RECORDED)
            .map(|it| self.recorded(it))
            .collect();
        let record = WhyRecord {
            partner: self.kind,
            played: self.vertex(mv),
            rule,
            target_loss: self.target_loss,
            lead,
            win_rate: win_rate.map(|it| ForMover(WinRate(it))),
            given: self.komi_offset,
            simulations,
            candidates,
            notes: self.notes,
        };
        Step::Play(Choice { mv, record })
    }

    fn recorded(&self, it: &Considered) -> ConsideredMove {
        let searched = it.row.visits > 0;
        let known = |value: f32| searched.then_some(value);
        ConsideredMove {
            vertex: self.vertex(it.row.mv),
            visits: it.row.visits,
            lead: known(it.row.lead - self.komi_offset).map(|it| ForMover(Points(it))),
            loss: self
                .best
                .filter(|_| searched)
                .map(|best| best - it.row.lead),
            win_rate: known(it.row.win_rate).map(|it| ForMover(WinRate(it))),
            naturalness: it.row.naturalness,
            score: (it.set_aside.is_none() && it.score.is_finite()).then_some(it.score),
            set_aside: it.set_aside,
        }
    }

    fn vertex(&self, mv: Move) -> String {
        format_vertex(mv, self.view.position.size())
    }
}
