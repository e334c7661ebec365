//! One position: the partner chooses, and one judge looks at its move and at the person's.
//!
//! A loss is the lead after the judge's own best move less the lead after the move, each by
//! a search of its own. The best is not the best of all three: a loss can be negative, so
//! that the judge's errors cancel in a mean and do not add up.

use std::sync::Arc;

use serde::Serialize;
use shido_coach::Level;
use shido_coach::play::{PartnerSettings, SettingsError};
use shido_engine::human::{HumanSource, Ranks};
use shido_engine::partner::Turn;
use shido_engine::{Analyst, Limits, Native, NativeSettings, Network, Partner, level};
use shido_go::gtp::{Reply, format_vertex};
use shido_go::{Move, Point, Position, Rank, Size};
use shido_search::Analysis;

use super::{Chosen, Nets, Settings};
use crate::dataset::PackedGame;
use crate::dataset::source::rank_of_code;
use crate::net_evaluate::{Step, steps};
use crate::review::chance_and_best;
use crate::schedule::derive;
use crate::stats::MoveRecord;

/// Bytes of evaluations that each of a thread's two searches keeps.
const CACHE: usize = 16 << 20;

/// What was said of one position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Which game.
    pub game: usize,
    /// The moves before it.
    pub ply: usize,
    /// The points the mover was ahead by.
    pub lead: f64,
    /// What the person played.
    pub played: String,
    /// What the partner would have played; none if it would have resigned.
    pub chosen: Option<String>,
    /// The person's move.
    pub person: MoveRecord,
    /// The partner's.
    pub partner: Option<MoveRecord>,
    /// The points the partner wanted to give away, if it controls that.
    pub target: Option<f32>,
    /// The points it thought it gave away.
    pub own_loss: Option<f32>,
}

/// A thread's partner and judge.
pub(super) struct Worker<'a> {
    settings: &'a Settings,
    level: Level,
    provenance: shido_coach::Provenance,
    analyst: Native,
    partner: Partner,
    judge: Native,
    human: HumanSource,
}

impl Worker<'_> {
    pub(super) fn new<'a>(
        nets: &Nets,
        level: Level,
        settings: &'a Settings,
    ) -> Result<Worker<'a>, SettingsError> {
        let analyst = search(&nets.engine);
        let human = source(nets.human.as_ref());
        let size = Size::square(settings.board).unwrap_or(Size::S19);
        let found = level::settings(settings.partner, level, size, &analyst, &human);
        let mut plays = found.settings;
        if let Some(simulations) = settings.simulations {
            simulate(&mut plays, simulations);
        }
        let changes = settings.set.iter();
        plays.set_all(changes.map(|it| (it.0.as_str(), it.1.as_str())))?;
        Ok(Worker {
            settings,
            level,
            provenance: found.provenance,
            analyst,
            partner: Partner::new(human, plays)?,
            judge: search(&nets.judge),
            human: source(nets.judge_human.as_ref()),
        })
    }

    /// Returns how the partner plays.
    pub(super) fn partner_settings(&self) -> &PartnerSettings {
        self.partner.settings()
    }

    /// Returns how sure it is that this is its level.
    pub(super) fn provenance(&self) -> shido_coach::Provenance {
        self.provenance
    }

    /// Judges one position; none if the record does not get there.
    pub(super) fn judge(&mut self, game: &PackedGame, at: Chosen) -> Option<Judged> {
        let Step {
            position, played, ..
        } = steps(game, |ply, _| ply == at.ply).pop()?;
        let label = format!("{} {} {}", self.level, game.fingerprint(), at.ply);
        let seed = derive(self.settings.seed, &label);
        let color = position.to_move();
        let opponent = game.ranks[(!color).index()].map(rank_of_code);
        let choice = self.choose(&position, opponent, seed);
        let mut view = View {
            judge: &mut self.judge,
            limits: limits(self.settings.judge_visits),
            position: &position,
            seed,
            known: Vec::new(),
        };
        let before = view.before();
        let best = before.best().map_or(Move::Pass, |it| it.mv);
        let best = view.lead_after(best);
        let policy = self.human.policy(
            &position,
            Ranks {
                mover: Some(self.level.rank()),
                opponent,
            },
        );
        let engine = before.raw.as_ref().map_or(&[][..], |it| &it.policy);
        let mut record = |mv: Move| {
            let (naturalness, best_naturalness) = chance_and_best(&policy, &position, mv);
            MoveRecord {
                point: mv.point().map(place),
                previous: position.last_move().and_then(|it| it.mv.point()).map(place),
                naturalness,
                best_naturalness,
                engine_probability: chance_and_best(engine, &position, mv).0,
                loss: best - view.lead_after(mv),
            }
        };
        let vertex = |mv: Move| format_vertex(mv, position.size());
        Some(Judged {
            game: at.game,
            ply: at.ply,
            lead: f64::from(before.lead.as_seen_by(color).0),
            played: vertex(Move::Play(played)),
            chosen: choice.mv.map(vertex),
            person: record(Move::Play(played)),
            partner: choice.mv.map(&mut record),
            target: choice.target,
            own_loss: choice.loss,
        })
    }

    /// Lets the partner choose as in play, against a student of the opponent's rank.
    fn choose(&mut self, position: &Position, student: Option<Rank>, seed: u64) -> Choice {
        self.analyst.forget();
        self.analyst.reseed(seed);
        self.partner.new_game(seed);
        self.partner.set_student(student);
        let limits = Limits::default();
        let turn = Turn::new(position, &limits);
        let chosen = self.partner.choose(&mut self.analyst, turn);
        let record = chosen.record.as_ref();
        Choice {
            mv: match chosen.reply {
                Reply::Move(mv) => Some(mv),
                Reply::Resign => None,
            },
            target: record.and_then(|it| it.target_loss),
            loss: record.and_then(|it| it.played_move()?.loss),
        }
    }
}

/// What the partner chose and thought.
struct Choice {
    mv: Option<Move>,
    target: Option<f32>,
    loss: Option<f32>,
}

/// The judge at one position.
struct View<'a> {
    judge: &'a mut Native,
    limits: Limits,
    position: &'a Position,
    seed: u64,
    /// The leads after the moves that were looked at already.
    known: Vec<(Move, f64)>,
}

impl View<'_> {
    /// Looks at the position itself, first of all.
    fn before(&mut self) -> Analysis {
        self.judge.forget();
        self.judge.reseed(self.seed);
        self.judge.analyze(self.position, &self.limits)
    }

    /// Returns the points the mover is ahead by after a move.
    fn lead_after(&mut self, mv: Move) -> f64 {
        if let Some(known) = self.known.iter().find(|it| it.0 == mv) {
            return known.1;
        }
        let mut after = self.position.clone();
        after.play(mv).expect("the move is legal");
        self.judge.reseed(self.seed);
        let analysis = self.judge.analyze(&after, &self.limits);
        let lead = f64::from(analysis.lead.as_seen_by(self.position.to_move()).0);
        self.known.push((mv, lead));
        lead
    }
}

/// Sets the simulations of a move. With fewer than its own, halving's first round, which
/// would ask for more, is as much shorter.
fn simulate(plays: &mut PartnerSettings, simulations: u64) {
    let least = &mut plays.halving.min_first;
    let shorter = (*least * simulations).div_ceil(plays.simulations.max(1));
    *least = shorter.clamp(1, *least);
    plays.simulations = simulations;
}

/// Returns the limits of a search from an empty tree.
fn limits(visits: u64) -> Limits {
    let mut limits = Limits::visits(visits);
    limits.options.steering.anew = true;
    limits
}

fn search(network: &Arc<Network>) -> Native {
    let made = Native::new(Arc::clone(network), NativeSettings::default(), CACHE);
    made.expect("the usual settings work")
}

fn source(network: Option<&Arc<Network>>) -> HumanSource {
    match network {
        Some(network) => HumanSource::of_network(Arc::clone(network)),
        None => HumanSource::move_model(),
    }
}

fn place(point: Point) -> (u8, u8) {
    (point.x() as u8, point.y() as u8)
}
