//! How near a partner's levels are to people of their ranks.
//!
//! At positions of people's games in which a player of about a level's rank moved, the
//! partner of that level chooses too, as it would in play. One judge looks at both moves:
//! what they lose by a search of equal effort after each, and how likely people of the
//! rank make them by a human network.
//!
//! A partner gives away more the further it is ahead (HI24, Eq. 1) and people do not, so
//! positions are also told apart by the lead. It meets every position as if it began a game
//! there: it remembers nothing of earlier moves. Start at [`evaluate`].

mod choose;
mod judge;
mod report;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Serialize;
use shido_coach::Level;
use shido_coach::play::{PartnerKind, SettingsError};
use shido_engine::Network;
use shido_go::Size;

use crate::dataset::PackedGame;
use crate::in_parallel::in_parallel;
use crate::stats::closeness::CLOSE;
pub use choose::{Chosen, choose};
pub use judge::Judged;
use judge::Worker;
pub use report::{ByLead, LevelReport, Side};

/// The networks that play and that judge; for people's moves, none is the move model.
#[derive(Debug, Clone)]
pub struct Nets {
    /// The partner searches with it.
    pub engine: Arc<Network>,
    /// What people play, as the partner knows it.
    pub human: Option<Arc<Network>>,
    /// Losses are judged with it.
    pub judge: Arc<Network>,
    /// How likely moves are is judged with it.
    pub judge_human: Option<Arc<Network>>,
}

/// What to measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The partner.
    pub partner: PartnerKind,
    /// Simulations of a move instead of the partner's own number; with fewer, halving's
    /// first round is as much shorter.
    pub simulations: Option<u64>,
    /// Its settings other than its level's, by name.
    pub set: Vec<(String, String)>,
    /// Lines of the board.
    pub board: usize,
    /// How many ranks from the level a player may be.
    pub near: u8,
    /// At most so many positions of each level.
    pub positions: usize,
    /// Visits of each of the judge's searches.
    pub judge_visits: u64,
    /// The greatest lead of a close game, in points.
    pub close: f64,
    /// Decides which positions are taken and all that is drawn.
    pub seed: u64,
    /// Threads; they change no result.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            partner: PartnerKind::Natural,
            set: Vec::new(),
            simulations: None,
            board: Size::S19.width(),
            near: 1,
            positions: 60,
            judge_visits: 32,
            close: CLOSE,
            seed: 1,
            threads: 1,
        }
    }
}

/// Measures a level at chosen positions, or says which setting cannot be played with.
///
/// `on_position` hears of each position that is done, from any thread.
pub fn evaluate(
    nets: &Nets,
    games: &[PackedGame],
    (level, chosen): (Level, &[Chosen]),
    settings: &Settings,
    on_position: &(dyn Fn() + Sync),
) -> Result<LevelReport, SettingsError> {
    let sample = Worker::new(nets, level, settings)?;
    let (plays, provenance) = (sample.partner_settings().clone(), sample.provenance());
    drop(sample);
    let judged = in_parallel(
        chosen,
        settings.threads,
        || Worker::new(nets, level, settings).expect("it was made before"),
        |worker, _, chosen| {
            let judged = worker.judge(&games[chosen.game], *chosen);
            on_position();
            judged
        },
    );
    let judged = judged.into_iter().flatten().collect();
    Ok(LevelReport::of(
        level,
        (plays, provenance),
        judged,
        settings.close,
    ))
}
