//! An analyst as a partner: it searches so long for a move, with a person's manners.
//!
//! Its strengths are amounts of thinking. No rank is claimed for them.

use std::time::{Duration, Instant};

use shido_engine::decide::{DecideSettings, Situation, Why, decide};
use shido_engine::{Analyst, Limits, StopFlag};
use shido_go::{Move, Position};
use shido_search::Analysis;

use super::{Partner, Thought, Turn};
use crate::wire::{PartnerOffer, Reason, StrengthOffer};

/// How often a partner's thinking is told of.
const REPORT_EVERY: Duration = Duration::from_millis(200);
/// The part of a search that goes to checking a pass.
const PASS_CHECK: u64 = 4;

/// A kind of partner that searches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// Its name in the API.
    pub(super) id: &'static str,
    /// What it is, in a few English words.
    pub(super) name: &'static str,
    /// The strengths, weakest first: a name, and playouts or evaluations for a move.
    pub(super) strengths: &'static [(&'static str, u64)],
    /// The strength that is taken if none is asked for; one of them.
    pub(super) usual: &'static str,
}

impl Kind {
    pub(super) fn offer(self) -> PartnerOffer {
        let strength = |&(id, playouts): &(&str, u64)| StrengthOffer {
            id: id.to_owned(),
            playouts,
            default: id == self.usual,
        };
        PartnerOffer {
            id: self.id.to_owned(),
            name: self.name.to_owned(),
            advanced: false,
            strengths: self.strengths.iter().map(strength).collect(),
            levels: Vec::new(),
            measured: Vec::new(),
            styles: Vec::new(),
        }
    }

    fn playouts(self, strength: Option<&str>) -> u64 {
        let of = |wanted| self.strengths.iter().find(|(id, _)| *id == wanted);
        // A game kept from a version with other strengths goes on at the usual one.
        let found = strength.and_then(of).or_else(|| of(self.usual));
        found.map_or(1, |&(_, playouts)| playouts)
    }
}

/// Plays what a search finds.
pub(super) struct SearchingPartner {
    pub(super) kind: Kind,
    pub(super) analyst: Box<dyn Analyst>,
}

impl Partner for SearchingPartner {
    fn plays(&self, partner: &str) -> bool {
        partner == self.kind.id
    }

    fn play(&mut self, turn: &Turn, stop: &StopFlag, report: &mut dyn FnMut(u64, f32)) -> Thought {
        let begun = Instant::now();
        let playouts = self.kind.playouts(turn.settings.strength.as_deref());
        let limits = Limits {
            playouts: Some(playouts),
            time: turn.time,
            stop: stop.clone(),
            ..Limits::default()
        };
        let position = &turn.position;
        let mut tell = |analysis: &Analysis| {
            let share = analysis.playouts as f32 / playouts as f32;
            report(analysis.visits, share.min(1.0));
        };
        let analysis = self
            .analyst
            .watch(position, &limits, REPORT_EVERY, &mut tell);
        let manners = DecideSettings::default();
        let after_pass = manners.wants_pass_checked(position, &analysis).then(|| {
            let mut after = Position::clone(position);
            after.play(Move::Pass).expect("a pass is always legal");
            let part = Limits {
                playouts: Some((playouts / PASS_CHECK).max(1)),
                time: turn.time.map(|it| it / PASS_CHECK as u32),
                ..limits.clone()
            };
            self.analyst.analyze(&after, &part)
        });
        let situation = Situation {
            hopeless_before: turn.hopeless_before,
            cleanup: false,
            after_pass: after_pass.as_ref(),
        };
        let decision = decide(position, &analysis, situation, &manners);
        Thought {
            reply: decision.reply,
            reason: decision.why.into(),
            hopeless: manners.is_hopeless(position, &analysis),
            engine: self.analyst.name().to_owned(),
            analysis,
            choice: None,
            time: begun.elapsed(),
        }
    }
}

impl From<Why> for Reason {
    fn from(why: Why) -> Reason {
        match why {
            Why::Search => Reason::Search,
            Why::OpponentPassed => Reason::OpponentPassed,
            Why::Settled => Reason::Settled,
            Why::NoMove => Reason::NoMove,
            Why::Cleanup => Reason::Cleanup,
            Why::Hopeless => Reason::Hopeless,
        }
    }
}
