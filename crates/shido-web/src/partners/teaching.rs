//! The coach's partners at the page's games: one driver and one analyst for all of them.
//!
//! A partner plays at a level. Between two turns it may have played in other games, so
//! each turn tells it what its own records of this game say.

use std::time::{Duration, Instant};

use shido_coach::play::{PartnerKind, PartnerSettings};
use shido_coach::{Calibration, Level, NetHashes, Provenance};
use shido_engine::decide::Why;
use shido_engine::human::HumanSource;
use shido_engine::level::settings;
use shido_engine::partner::{self, Watcher};
use shido_engine::{Analyst, Limits, StopFlag};
use shido_go::Size;
use shido_go::gtp::Reply;
use shido_search::Analysis;

use super::{Partner, Thought, Turn};
use crate::game::sizes;
use crate::levels;
use crate::wire::{Pace, PartnerOffer, Reason};

/// How often a partner's thinking is told of.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// The longest that a student waits for a move, however slow the machine; its
/// simulations are usually through long before.
const PATIENCE: Duration = Duration::from_secs(3);
/// The same for those who asked for answers at once.
const QUICK_PATIENCE: Duration = Duration::from_millis(900);

/// The partners offered, and whether they are for the curious. The first is the default.
const OFFERED: &[(PartnerKind, bool)] = &[
    (PartnerKind::Natural, false),
    (PartnerKind::Human, false),
    (PartnerKind::Gentle, false),
    (PartnerKind::Halving, true),
    (PartnerKind::Roles, true),
    (PartnerKind::Softmax, true),
    (PartnerKind::Naive, true),
    (PartnerKind::GentleA, true),
];

/// Returns the coach's partners as they are offered with these networks.
pub(super) fn offers(nets: &Nets) -> Vec<PartnerOffer> {
    let calibration = Calibration::embedded();
    let offer = |&(kind, advanced): &(PartnerKind, bool)| PartnerOffer {
        id: kind.name().to_owned(),
        name: format!("the {kind} partner"),
        advanced,
        strengths: Vec::new(),
        levels: if kind.has_levels() {
            levels::offers()
        } else {
            Vec::new()
        },
        measured: measured(&calibration, nets, kind),
        styles: Vec::new(),
    };
    OFFERED.iter().map(offer).collect()
}

/// Returns the boards on which a partner's levels were measured.
fn measured(calibration: &Calibration, nets: &Nets, kind: PartnerKind) -> Vec<usize> {
    let is_measured = |&side: &usize| {
        let size = Size::square(side).expect("the boards offered can be played on");
        let at = |level| calibration.settings(nets.hashes(), kind, size, level);
        Level::all().any(|level| at(level).provenance != Provenance::Provisional)
    };
    let sides = sizes().into_iter().map(|it| it.size);
    sides.filter(is_measured).collect()
}

/// Plays as any of the coach's partners.
pub(super) struct TeachingPartner {
    analyst: Box<dyn Analyst>,
    driver: partner::Partner,
}

impl TeachingPartner {
    /// Returns the coach's partners with an analyst and what people play.
    pub(super) fn new(analyst: Box<dyn Analyst>, human: HumanSource) -> TeachingPartner {
        let driver = partner::Partner::new(human, PartnerSettings::default());
        TeachingPartner {
            analyst,
            driver: driver.expect("the usual settings can be played with"),
        }
    }

    /// Gets ready for a turn: the settings of its level, and its records of the game.
    fn sit_down(&mut self, turn: &Turn) -> PartnerSettings {
        let kind = turn.settings.partner.parse().unwrap_or_default();
        let level = turn.settings.level.as_deref();
        // A game of a version without levels goes on as usual.
        let level = level.and_then(|it| it.parse().ok());
        let level: Level = level.unwrap_or_else(levels::first);
        let size = turn.position.size();
        let found = settings(kind, level, size, &*self.analyst, self.driver.human());
        let settings = found.settings;
        self.driver
            .set_settings(settings.clone())
            .expect("a calibration's settings are checked");
        self.driver.set_student(Some(level.rank()));
        let records = turn.records.iter().map(|(after, it)| (*after, it));
        let color = turn.position.to_move();
        self.driver.resume(turn.seed, color, records);
        settings
    }
}

impl Partner for TeachingPartner {
    fn plays(&self, partner: &str) -> bool {
        OFFERED.iter().any(|(kind, _)| kind.name() == partner)
    }

    fn play(&mut self, turn: &Turn, stop: &StopFlag, report: &mut dyn FnMut(u64, f32)) -> Thought {
        let begun = Instant::now();
        let settings = self.sit_down(turn);
        let patience = match turn.settings.pace {
            Pace::Natural => PATIENCE,
            Pace::Quick => QUICK_PATIENCE,
        };
        let limits = Limits {
            time: Some(turn.time.map_or(patience, |it| it.min(patience))),
            stop: stop.clone(),
            ..Limits::default()
        };
        // Each of its searches counts anew; what is told only ever grows.
        let (mut visits, mut share) = (0, 0.0f32);
        let mut tell = |analysis: &Analysis| {
            visits = analysis.visits.max(visits);
            share = share.max(visits as f32 / settings.simulations as f32);
            report(visits, share.min(1.0));
        };
        let watched = partner::Turn {
            watcher: Some(Watcher {
                every: REPORT_EVERY,
                report: &mut tell,
            }),
            ..partner::Turn::new(&turn.position, &limits)
        };
        let chosen = self.driver.choose(&mut *self.analyst, watched);
        Thought {
            reply: chosen.reply,
            reason: match (chosen.why, &chosen.record) {
                (Why::Search, Some(_)) => Reason::Partner,
                (why, _) => why.into(),
            },
            hopeless: chosen.reply == Reply::Resign,
            engine: self.analyst.name().to_owned(),
            analysis: chosen.analysis,
            choice: chosen.record,
            time: begun.elapsed(),
        }
    }
}

/// The networks that partners play with, by hash.
#[derive(Debug, Clone)]
pub(super) struct Nets {
    /// The analyst's, or `classic`.
    pub(super) engine: String,
    /// What people play.
    pub(super) human: String,
}

impl Nets {
    fn hashes(&self) -> NetHashes<'_> {
        NetHashes {
            engine: &self.engine,
            human: &self.human,
        }
    }
}
