//! A game as the page gets it.

use std::time::Duration;

use shido_go::score::Side;
use shido_go::{Color, GameResult, Move};

use super::GameState;
use super::setup::scoring_word;
use crate::wire::{GameView, MoveView, Phase, PositionView, ScoringView, SideCount, move_text};

/// What is known of a game besides its state: the moment it is looked at.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moment {
    /// How long the running turn has lasted.
    pub(crate) turn: Duration,
    /// Whether the clock runs.
    pub(crate) running: bool,
    /// Whether the partner is thinking.
    pub(crate) thinking: bool,
    /// Why the partner cannot go on.
    pub(crate) failure: Option<String>,
}

impl GameState {
    /// Returns the game as the page gets it.
    pub(crate) fn view(&self, moment: &Moment) -> GameView {
        let stored = &self.stored;
        let mover = self.position.to_move();
        let result = stored.result.clone();
        let winner = result
            .as_deref()
            .and_then(|it| it.parse::<GameResult>().ok())
            .and_then(GameResult::winner);
        let moves = stored.moves.iter().enumerate().map(|(i, it)| MoveView {
            number: i + 1,
            color: it.color,
            mv: it.mv.clone(),
            has_why: it.why.is_some(),
        });
        let playing = stored.phase == Phase::Playing;
        let clock = stored.settings.clock.zip(self.clocks());
        GameView {
            id: stored.id.clone(),
            created_ms: stored.created_ms,
            updated_ms: stored.updated_ms,
            phase: stored.phase,
            settings: stored.settings.clone(),
            black: self.player_name(Color::Black),
            white: self.player_name(Color::White),
            position: PositionView::new(&self.position),
            moves: moves.collect(),
            your_turn: playing && mover == self.student(),
            thinking: moment.thinking,
            can_undo: self.can_undo(),
            undos: stored.undos,
            clock: clock.map(|(settings, clocks)| {
                clocks.view(settings, mover, moment.turn, moment.running && playing)
            }),
            scoring: self.scoring(),
            result,
            winner: winner.map(Into::into),
            failure: moment.failure.clone(),
        }
    }

    /// Returns a player's name; empty for a student without one.
    pub(super) fn player_name(&self, color: Color) -> String {
        let settings = &self.stored.settings;
        if color == self.student() {
            return settings.your_name.clone();
        }
        self.partner_name([&settings.strength, &settings.level, &settings.style])
    }

    /// Returns the partner's name with what is told of how it plays.
    pub(super) fn partner_name<const N: usize>(&self, how: [&Option<String>; N]) -> String {
        let partner = &self.stored.settings.partner;
        let how: Vec<_> = how.into_iter().flatten().cloned().collect();
        if how.is_empty() {
            format!("shido {partner}")
        } else {
            format!("shido {partner} ({})", how.join(", "))
        }
    }

    fn scoring(&self) -> Option<ScoringView> {
        let counted = self.stored.phase == Phase::Finished && self.stored.dead.is_some();
        if self.stored.phase != Phase::Scoring && !counted {
            return None;
        }
        let dead = self.dead();
        let count = self.position.count(&dead);
        let owners = self.position.board().without(&dead);
        let owners = owners.owners(self.position.rules());
        let size = self.position.size();
        let owner = |point| match owners.of(point) {
            Some(Color::Black) => 1,
            Some(Color::White) => -1,
            None => 0,
        };
        let side = |side: Side, color| SideCount {
            stones: side.stones,
            territory: side.territory,
            prisoners: side.prisoners,
            points: count.points(color),
        };
        Some(ScoringView {
            ready: self.stored.dead.is_some(),
            dead: dead
                .iter()
                .map(|it| move_text(Move::Play(it), size))
                .collect(),
            territory: size.points().map(owner).collect(),
            counting: scoring_word(count.scoring).to_owned(),
            black: side(count.black, Color::Black),
            white: side(count.white, Color::White),
            compensation: count.compensation,
            score: count.score().to_string(),
        })
    }
}
