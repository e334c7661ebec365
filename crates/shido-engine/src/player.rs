//! Whoever takes part in a game: our engines, other programs, a random mover.
//!
//! A player is told the whole position at each turn and keeps no game of its own
//! that could disagree with it; the caller owns the game, checks that moves are
//! legal and plays them. Only outside engines can fail.

mod analyst_player;
mod gtp_player;
mod partner_player;
mod random_player;

use std::time::Duration;

use shido_coach::play::WhyRecord;
use shido_go::gtp::Reply;
use shido_go::{Color, PointSet, Position};
use shido_search::{ForBlack, ForMover, Points, WinRate};

use crate::outside::EngineFailure;

pub use analyst_player::{AnalystPlayer, Chooser, Chosen};
pub use gtp_player::GtpPlayer;
pub use partner_player::PartnerPlayer;
pub use random_player::RandomPlayer;

/// What a player does at its turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// A stone, a pass or resignation.
    pub reply: Reply,
    /// How it came about.
    pub record: MoveRecord,
}

/// How a move came about; what a player does not know is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MoveRecord {
    /// Time the player took.
    pub time: Duration,
    /// Playouts or evaluations made for this move.
    pub playouts: Option<u64>,
    /// The player's own chance to win, as it believes.
    pub win_rate: Option<ForMover<WinRate>>,
    /// The points the player believes to be ahead by, komi included.
    pub lead: Option<ForMover<Points>>,
    /// Why this move, in a word, e.g. `search` or `settled`.
    pub why: Option<&'static str>,
    /// How a partner's policy chose it.
    pub partner: Option<Box<WhyRecord>>,
}

/// Takes part in games, one at a time.
pub trait Player: Send {
    /// Returns what the player is called, e.g. `GNU Go`.
    fn name(&self) -> &str;

    /// Returns the version, as exactly as it is known.
    fn version(&self) -> &str;

    /// Forgets earlier games. `seed` decides all that is random in the next.
    fn new_game(&mut self, position: &Position, seed: u64) -> Result<(), EngineFailure>;

    /// Chooses for the player to move in `position`, whose rules it may still break.
    fn genmove(&mut self, position: &Position) -> Result<Choice, EngineFailure>;

    /// Returns the stones the player believes to be dead at the end, if it has an opinion.
    fn dead_stones(&mut self, position: &Position) -> Result<Option<PointSet>, EngineFailure>;

    /// Returns the final score as the player counts it, if it counts: by the stones it
    /// believes to be dead, unless it has a count of its own.
    fn final_score(
        &mut self,
        position: &Position,
    ) -> Result<Option<ForBlack<Points>>, EngineFailure> {
        let dead = self.dead_stones(position)?;
        let lead = dead.map(|it| position.score(&it).lead(Color::Black));
        Ok(lead.map(|it| ForBlack(Points(it))))
    }

    /// Returns all its settings as JSON, if they are more than its maker was told.
    fn settings(&self) -> Option<serde_json::Value> {
        None
    }

    /// Makes the player fit to play again after a failure.
    fn restart(&mut self) -> Result<(), EngineFailure>;
}
