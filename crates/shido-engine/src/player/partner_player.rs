//! A teaching partner as a player: an analyst, a policy and people's moves.

use std::time::Instant;

use shido_go::gtp::Reply;
use shido_go::{PointSet, Position};

use super::analyst_player::judge_dead;
use super::{Choice, MoveRecord, Player};
use crate::outside::EngineFailure;
use crate::partner::{PartnerMove, Turn};
use crate::{Analyst, Limits, Partner};

/// Simulations for naming dead stones at the end.
const JUDGING: u64 = 200;

/// A partner with the analyst that it plays by.
pub struct PartnerPlayer {
    analyst: Box<dyn Analyst>,
    partner: Partner,
    limits: Limits,
    name: String,
}

impl PartnerPlayer {
    /// Returns a player; `limits` without visits leaves them to the partner's settings.
    pub fn new(analyst: Box<dyn Analyst>, partner: Partner, limits: Limits) -> PartnerPlayer {
        let name = format!("{} on {}", partner.settings().kind, analyst.name());
        PartnerPlayer {
            analyst,
            partner,
            limits,
            name,
        }
    }

    fn judge_dead(&mut self, position: &Position) -> PointSet {
        let limits = Limits {
            stop: self.limits.stop.clone(),
            ..Limits::visits(JUDGING)
        };
        judge_dead(&mut *self.analyst, position, &limits)
    }
}

impl Player for PartnerPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn new_game(&mut self, _: &Position, seed: u64) -> Result<(), EngineFailure> {
        self.analyst.forget();
        self.analyst.reseed(seed);
        self.partner.new_game(seed);
        Ok(())
    }

    fn genmove(&mut self, position: &Position) -> Result<Choice, EngineFailure> {
        let begun = Instant::now();
        let turn = Turn::new(position, &self.limits);
        let chosen = self.partner.choose(&mut *self.analyst, turn);
        Ok(Choice {
            reply: chosen.reply,
            record: record(chosen, begun),
        })
    }

    fn dead_stones(&mut self, position: &Position) -> Result<Option<PointSet>, EngineFailure> {
        Ok(Some(self.judge_dead(position)))
    }

    fn settings(&self) -> Option<serde_json::Value> {
        let settings = serde_json::to_value(self.partner.settings());
        Some(settings.expect("settings are plain data"))
    }

    fn restart(&mut self) -> Result<(), EngineFailure> {
        self.analyst.forget();
        Ok(())
    }
}

fn record(chosen: PartnerMove, begun: Instant) -> MoveRecord {
    let played = match chosen.reply {
        Reply::Move(mv) => chosen.analysis.candidate(mv),
        Reply::Resign => chosen.analysis.best(),
    };
    MoveRecord {
        time: begun.elapsed(),
        playouts: Some(chosen.playouts),
        win_rate: played.map(|it| it.win_rate),
        lead: played.map(|it| it.lead),
        why: Some(chosen.why.word()),
        partner: chosen.record.map(Box::new),
    }
}
