//! Every move of a finished game as one analyst sees it afterwards *(HI24, §5.1)*.
//!
//! A move's loss is what the lead fell by from before it to after it, by two
//! analyses of equal effort. Reviews are kept as `reviews/GAME.json` with the
//! analyst's settings and the game's moves, so each game is judged once, and
//! again only when either has changed.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use serde::{Deserialize, Serialize};
use shido_engine::{Analyst, Classic, Limits, StopFlag};
use shido_go::{Color, Move, Played, Position};

use crate::classic::{self, ClassicError};
use crate::ledger::{LedgerError, write_whole};
use crate::line::{End, GameLine, ReplayError};
use crate::schedule::derive;
use crate::spec::{ClassicSpec, PlayerSpec, Spec};
use crate::stats::MoveRecord;

/// A review could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The analyst.
    #[error("review.analyst: {0}")]
    Analyst(ClassicError),
    /// The game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The files.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// What an analyst said of one move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ReviewedMove {
    /// Who moved.
    pub color: Color,
    /// Whether the move was chosen by a player and not by the opening.
    pub chosen: bool,
    /// The points the mover was ahead by before the move.
    pub lead_before: f64,
    /// The points the mover was ahead by after it.
    pub lead_after: f64,
    /// The probability that the move model gave it.
    pub naturalness: f64,
    /// The greatest probability that the move model gave any move.
    pub best_naturalness: f64,
    /// The share of the search's visits that went to it.
    pub visit_share: f64,
}

/// The moves of one game, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The analyst's settings.
    pub analyst: serde_json::Value,
    /// The moves that were judged.
    pub moves: Vec<String>,
    /// What was said of each.
    pub judged: Vec<ReviewedMove>,
}

impl Review {
    /// Returns what the measures need to know of one color's chosen moves.
    pub fn records(&self, game: &GameLine, color: Color) -> Result<Vec<MoveRecord>, ReplayError> {
        let position = game.position()?;
        let point = |played: &Played| {
            let point = played.mv.point()?;
            Some((point.x() as u8, point.y() as u8))
        };
        let mut previous = None;
        let mut records = Vec::new();
        for (played, judged) in position.moves().iter().zip(&self.judged) {
            if judged.chosen && judged.color == color {
                records.push(MoveRecord {
                    point: point(played),
                    previous,
                    naturalness: judged.naturalness,
                    best_naturalness: judged.best_naturalness,
                    engine_probability: judged.visit_share,
                    loss: (judged.lead_before - judged.lead_after).max(0.0),
                });
            }
            previous = point(played);
        }
        Ok(records)
    }
}

/// Judges the games that have no review yet, on all cores, and returns all reviews.
///
/// Calls `done` after each game. A raised flag ends it with the reviews so far.
pub fn review(
    spec: &Spec,
    dir: &Path,
    games: &[GameLine],
    stop: &StopFlag,
    done: &(dyn Fn() + Sync),
) -> Result<BTreeMap<String, Review>, ReviewError> {
    let analyst = spec.review.as_ref().map(|name| &spec.players[name]);
    let Some(PlayerSpec::Classic(settings)) = analyst else {
        return Ok(BTreeMap::new());
    };
    let folder = dir.join("reviews");
    fs::create_dir_all(&folder).map_err(crate::ledger::io_error(&folder, "make the folder"))?;
    let waiting = Mutex::new(games.iter());
    let reviews = Mutex::new(BTreeMap::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let workers = (cores / settings.threads).clamp(1, games.len().max(1));
    thread::scope(|scope| {
        let work = || -> Result<(), ReviewError> {
            let mut judge = Judge::new(spec, settings, stop).map_err(ReviewError::Analyst)?;
            while !stop.is_raised() {
                let next = waiting.lock().expect("no worker panics").next();
                let Some(game) = next else { break };
                if let Some(review) = judge.cached_or_new(&folder, game)? {
                    let mut reviews = reviews.lock().expect("no worker panics");
                    reviews.insert(game.game.clone(), review);
                }
                done();
            }
            Ok(())
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .try_for_each(|handle| handle.join().expect("no worker panics"))
    })?;
    Ok(reviews.into_inner().expect("no worker panics"))
}

/// A worker's analyst.
struct Judge {
    analyst: Classic,
    settings: serde_json::Value,
    limits: Limits,
}

impl Judge {
    fn new(spec: &Spec, settings: &ClassicSpec, stop: &StopFlag) -> Result<Judge, ClassicError> {
        Ok(Judge {
            analyst: classic::build(spec, settings)?,
            settings: serde_json::to_value(settings).expect("settings have text keys"),
            limits: Limits {
                playouts: Some(settings.playouts),
                stop: stop.clone(),
                ..Limits::default()
            },
        })
    }

    /// Returns a game's review, if the flag was not raised meanwhile.
    fn cached_or_new(
        &mut self,
        folder: &Path,
        game: &GameLine,
    ) -> Result<Option<Review>, ReviewError> {
        let path: PathBuf = folder.join(format!("{}.json", game.game));
        let moves: Vec<String> = game.moves.iter().map(|it| it.mv.clone()).collect();
        let cached = fs::read(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Review>(&bytes).ok())
            .filter(|it| it.analyst == self.settings && it.moves == moves);
        if cached.is_some() {
            return Ok(cached);
        }
        let judged = self.judge(game)?;
        if self.limits.stop.is_raised() {
            return Ok(None);
        }
        let review = Review {
            analyst: self.settings.clone(),
            moves,
            judged,
        };
        let bytes = serde_json::to_vec(&review).expect("reviews have text keys");
        write_whole(&path, &bytes)?;
        Ok(Some(review))
    }

    fn judge(&mut self, game: &GameLine) -> Result<Vec<ReviewedMove>, ReviewError> {
        let end = game.position()?;
        let mut position = game.start_position()?;
        let mut judged = Vec::with_capacity(end.moves().len());
        let mut before = self.look(&position, game);
        for (i, played) in end.moves().iter().enumerate() {
            let policy = self.analyst.policy(&position);
            position
                .play_as(played.color, played.mv)
                .expect("it was played before");
            let after = self.look(&position, game);
            let index = match played.mv {
                Move::Play(point) => position.size().index_of(point),
                Move::Pass => position.size().area(),
            };
            judged.push(ReviewedMove {
                color: played.color,
                chosen: i >= game.opening && game.outcome.end != End::Failure,
                lead_before: f64::from(before.lead.as_seen_by(played.color).0),
                lead_after: f64::from(after.lead.as_seen_by(played.color).0),
                naturalness: f64::from(policy[index]),
                best_naturalness: policy.iter().copied().fold(0.0, f32::max).into(),
                visit_share: share(&before, played.mv),
            });
            before = after;
        }
        Ok(judged)
    }

    /// Analyzes a position the same way whatever was analyzed before.
    fn look(&mut self, position: &Position, game: &GameLine) -> shido_search::Analysis {
        self.analyst.forget();
        self.analyst.reseed(derive(
            game.seed,
            &format!("review {}", position.moves().len()),
        ));
        self.analyst.analyze(position, &self.limits)
    }
}

fn share(analysis: &shido_search::Analysis, mv: Move) -> f64 {
    let visits: u64 = analysis.candidates.iter().map(|it| it.visits).sum();
    let own = analysis.candidate(mv).map_or(0, |it| it.visits);
    own as f64 / visits.max(1) as f64
}
