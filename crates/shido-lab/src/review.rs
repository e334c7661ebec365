//! Every move of a finished game as one analyst sees it afterwards *(HI24, §5.1)*.
//!
//! A move's loss is the lead after the best move less the lead after the move itself, both by
//! the analysis before the move; a move that it hardly looked at is judged by the analysis
//! after it, of equal effort (HI24, §5.4). How natural it is, a human network says, and a second
//! one if there is one; without any, the analyst's move model. Reviews are kept as
//! `reviews/GAME.json` with the judges' settings and the game's moves, so each game
//! is judged once, and again only when either has changed. Another second human network
//! is asked alone. What computed the analyst's network is kept too but is no reason to judge
//! again: games judged on a machine with a GPU are reported on one without.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shido_engine::human::{HumanSource, Ranks};
use shido_engine::{Analyst, Limits, StopFlag, nets};
use shido_go::{Color, Move, Played, Position, Rank};
use shido_patterns::model::SHIPPED_LARGE;
use shido_search::uct::{Tuning, UctSettings};
use shido_search::{Analysis, Candidate};

use crate::classic::{self, ClassicError};
use crate::ledger::{LedgerError, write_whole};
use crate::line::{End, GameLine, ReplayError};
use crate::native::{self, NativeError};
use crate::partner;
use crate::players::{self, PlayerError, Unreadable};
use crate::provenance::hash_bytes;
use crate::schedule::derive;
use crate::spec::{EvaluatorSpec, PlayerSpec, ReviewSpec, Spec};
use crate::stats::MoveRecord;

/// A review could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The analyst.
    #[error("review.analyst: {0}")]
    Analyst(#[from] ClassicError),
    /// A network.
    #[error("review: {0}")]
    Network(#[from] NativeError),
    /// The game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The files.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The analyst's files.
    #[error("review.analyst: {0}")]
    Player(#[from] PlayerError),
    /// A human network's file.
    #[error("review: {0}")]
    Human(#[from] Unreadable),
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
    /// The points the mover would have been ahead by after the best move (`a_max`).
    pub best_lead: f64,
    /// The points the analysis before the move gave the move itself (`a_i`), if it looked there
    /// often enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_lead: Option<f64>,
    /// The probability that the move model gave it.
    pub naturalness: f64,
    /// The greatest probability that the move model gave any move.
    pub best_naturalness: f64,
    /// The probability that the analyst's network gave it, or without one the share of
    /// the search's visits that went to it.
    pub visit_share: f64,
    /// The probability that the second human network gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_naturalness: Option<f64>,
    /// The greatest probability that it gave any move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_best: Option<f64>,
}

/// The moves of one game, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The analyst and the first human network: settings and hashes.
    pub analyst: Value,
    /// What computed the analyst's network: a command, or a kind of processor.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub evaluator: Value,
    /// The second human network, its rank and hash.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub second: Value,
    /// The moves that were judged.
    pub moves: Vec<String>,
    /// What was said of each.
    pub judged: Vec<ReviewedMove>,
}

/// The least probability that a move is taken to have: networks round to nothing.
pub(crate) const LEAST: f64 = 1e-7;

/// Visits from which what an analysis says of a move is reliable (HI24, Alg. 1, line 5).
const RELIABLE: u64 = 10;

/// Whose word on naturalness is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Witness {
    /// The human network of the review, or the analyst's move model.
    First,
    /// The second human network.
    Second,
}

impl ReviewedMove {
    /// Returns the points the move gave away, `a_max - a_i`. Where two analyses are compared it
    /// may be negative, so that their errors cancel in a mean and do not add up.
    pub fn loss(&self) -> f64 {
        self.best_lead - self.own_lead.unwrap_or(self.lead_after)
    }

    /// Returns how natural the move was and how natural a move could be.
    fn naturalness(&self, witness: Witness) -> Option<(f64, f64)> {
        match witness {
            Witness::First => Some((self.naturalness, self.best_naturalness)),
            Witness::Second => Some((self.second_naturalness?, self.second_best?)),
        }
    }
}

impl Review {
    /// Returns what the measures need to know of one color's chosen moves.
    pub fn records(&self, game: &GameLine, color: Color) -> Result<Vec<MoveRecord>, ReplayError> {
        self.records_by(game, color, Witness::First)
    }

    /// Returns the same by another's word on naturalness; empty if nobody was asked.
    pub fn records_by(
        &self,
        game: &GameLine,
        color: Color,
        witness: Witness,
    ) -> Result<Vec<MoveRecord>, ReplayError> {
        let position = game.position()?;
        let point = |played: &Played| {
            let point = played.mv.point()?;
            Some((point.x() as u8, point.y() as u8))
        };
        let mut previous = None;
        let mut records = Vec::new();
        for (played, judged) in position.moves().iter().zip(&self.judged) {
            if judged.chosen
                && judged.color == color
                && let Some((naturalness, best_naturalness)) = judged.naturalness(witness)
            {
                records.push(MoveRecord {
                    point: point(played),
                    previous,
                    naturalness: naturalness.max(LEAST),
                    best_naturalness,
                    engine_probability: judged.visit_share.max(LEAST),
                    loss: judged.loss(),
                });
            }
            previous = point(played);
        }
        Ok(records)
    }

    /// Returns the points Black was ahead by after so many moves, if the game got there.
    pub fn lead_after(&self, moves: usize) -> Option<f64> {
        let judged = self.judged.get(moves.checked_sub(1)?)?;
        Some(match judged.color {
            Color::Black => judged.lead_after,
            Color::White => -judged.lead_after,
        })
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
    let Some(wanted) = &spec.review else {
        return Ok(BTreeMap::new());
    };
    let threads = match &spec.players[&wanted.analyst] {
        PlayerSpec::Classic(classic) => classic.threads,
        PlayerSpec::Native(native) => native.threads,
        _ => 1,
    };
    let settings = JudgeSettings::of(spec, wanted)?;
    let folder = dir.join("reviews");
    fs::create_dir_all(&folder).map_err(crate::ledger::io_error(&folder, "make the folder"))?;
    let waiting = Mutex::new(games.iter());
    let reviews = Mutex::new(BTreeMap::new());
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let workers = match spec.evaluator {
        Some(_) => cores * EvaluatorSpec::GAMES_A_CORE,
        None => cores / threads,
    };
    let workers = workers.clamp(1, games.len().max(1));
    thread::scope(|scope| {
        let work = || -> Result<(), ReviewError> {
            let mut judge = Judge::new(spec, wanted, settings.clone(), stop)?;
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

/// Checks that the judges of a spec can be had, so that a missing file is known before the
/// games and not after them.
pub fn check(spec: &Spec) -> Result<(), ReviewError> {
    if let Some(wanted) = &spec.review {
        Judge::new(
            spec,
            wanted,
            JudgeSettings::of(spec, wanted)?,
            &StopFlag::new(),
        )?;
    }
    Ok(())
}

/// A worker's judges.
struct Judge {
    analyst: Box<dyn Analyst>,
    human: Option<(HumanSource, Rank)>,
    second: Option<(HumanSource, Rank)>,
    settings: JudgeSettings,
    evaluator: Value,
    limits: Limits,
}

/// What a review says of its judges.
#[derive(Debug, Clone)]
struct JudgeSettings {
    analyst: Value,
    second: Value,
}

impl JudgeSettings {
    fn of(spec: &Spec, wanted: &ReviewSpec) -> Result<JudgeSettings, ReviewError> {
        let human = |net: &Option<String>, rank: Rank| -> Result<Value, Unreadable> {
            let Some(net) = net else {
                return Ok(Value::Null);
            };
            let hash = match net.as_str() {
                partner::MOVE_MODEL => hash_bytes(SHIPPED_LARGE),
                net => players::net_hash(spec, net, &nets::HUMAN)?,
            };
            Ok(json!({"net": net, "rank": rank.to_string(), "hash": hash}))
        };
        let mut analyst = json!({
            "player": spec.players[&wanted.analyst],
            "hashes": players::hashes_of(spec, &wanted.analyst)?,
            "human": human(&wanted.human_net, wanted.rank)?,
        });
        if let PlayerSpec::Classic(_) = &spec.players[&wanted.analyst] {
            // How it searches is part of the program, and another one judges otherwise.
            let tuning = Tuning::of(spec.game.board);
            analyst["search"] = json!(format!("{:?}, {tuning:?}", UctSettings::default()));
        }
        Ok(JudgeSettings {
            analyst,
            second: human(&wanted.second_human_net, wanted.second_rank)?,
        })
    }
}

impl Judge {
    fn new(
        spec: &Spec,
        wanted: &ReviewSpec,
        settings: JudgeSettings,
        stop: &StopFlag,
    ) -> Result<Judge, ReviewError> {
        let player = &spec.players[&wanted.analyst];
        let (analyst, limits): (Box<dyn Analyst>, Limits) = match player {
            PlayerSpec::Native(native) => {
                let analyst = native::build(spec, native)?;
                (Box::new(analyst), Limits::visits(native.visits))
            }
            PlayerSpec::Classic(classic) => {
                let analyst = classic::build(spec, classic)?;
                (Box::new(analyst), Limits::playouts(classic.playouts))
            }
            // Refused when the spec is read.
            _ => unreachable!("a review has a classic or native analyst"),
        };
        let mut limits = Limits {
            stop: stop.clone(),
            ..limits
        };
        limits.options.steering.anew = true;
        let human = |net: &Option<String>, rank: Rank| -> Result<_, NativeError> {
            let source = net.as_ref().map(|net| partner::human(spec, net));
            Ok(source.transpose()?.map(|source| (source, rank)))
        };
        Ok(Judge {
            analyst,
            human: human(&wanted.human_net, wanted.rank)?,
            second: human(&wanted.second_human_net, wanted.second_rank)?,
            settings,
            evaluator: native::computed_by(spec, player),
            limits,
        })
    }

    /// Returns how natural a move is and how natural a move can be there.
    fn naturalness(
        judge: &mut Option<(HumanSource, Rank)>,
        position: &Position,
        mv: Move,
    ) -> Option<(f64, f64)> {
        let (source, rank) = judge.as_mut()?;
        let policy = source.policy(position, Ranks::both(*rank));
        Some(chance_and_best(&policy, position, mv))
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
            .filter(|it| it.analyst == self.settings.analyst && it.moves == moves);
        let mut review = match cached {
            Some(review) if review.second == self.settings.second => return Ok(Some(review)),
            Some(review) => review,
            None => Review {
                analyst: self.settings.analyst.clone(),
                evaluator: self.evaluator.clone(),
                second: Value::Null,
                moves,
                judged: self.judge(game)?,
            },
        };
        self.second_opinion(&mut review, game)?;
        if self.limits.stop.is_raised() {
            return Ok(None);
        }
        let bytes = serde_json::to_vec(&review).expect("reviews have text keys");
        write_whole(&path, &bytes)?;
        Ok(Some(review))
    }

    /// Asks the second human network, if there is one, of every move.
    fn second_opinion(&mut self, review: &mut Review, game: &GameLine) -> Result<(), ReplayError> {
        let end = game.position()?;
        let mut position = game.start_position()?;
        for (played, judged) in end.moves().iter().zip(&mut review.judged) {
            if self.limits.stop.is_raised() {
                return Ok(());
            }
            let said = Judge::naturalness(&mut self.second, &position, played.mv);
            judged.second_naturalness = said.map(|it| it.0);
            judged.second_best = said.map(|it| it.1);
            position
                .play_as(played.color, played.mv)
                .expect("it was played before");
        }
        review.second = self.settings.second.clone();
        Ok(())
    }

    fn judge(&mut self, game: &GameLine) -> Result<Vec<ReviewedMove>, ReviewError> {
        let end = game.position()?;
        let mut position = game.start_position()?;
        let mut judged = Vec::with_capacity(end.moves().len());
        let mut before = self.look(&position, game);
        for (i, played) in end.moves().iter().enumerate() {
            let natural = Judge::naturalness(&mut self.human, &position, played.mv);
            let natural = natural.unwrap_or_else(|| {
                chance_and_best(&self.analyst.policy(&position), &position, played.mv)
            });
            let in_turn = position.to_move() == played.color;
            position
                .play_as(played.color, played.mv)
                .expect("it was played before");
            let after = self.look(&position, game);
            let lead_before = f64::from(before.lead.as_seen_by(played.color).0);
            // What was looked at before a move out of turn are the other's moves.
            let (best, own) = if in_turn {
                best_and_own(&before, played.mv)
            } else {
                (None, None)
            };
            judged.push(ReviewedMove {
                color: played.color,
                chosen: i >= game.opening && game.outcome.end != End::Failure,
                lead_before,
                lead_after: f64::from(after.lead.as_seen_by(played.color).0),
                best_lead: best.unwrap_or(lead_before),
                own_lead: own,
                naturalness: natural.0,
                best_naturalness: natural.1,
                visit_share: share(&before, &position, played.mv),
                second_naturalness: None,
                second_best: None,
            });
            before = after;
        }
        Ok(judged)
    }

    /// Analyzes a position the same way whatever was analyzed before.
    fn look(&mut self, position: &Position, game: &GameLine) -> Analysis {
        self.analyst.reseed(derive(
            game.seed,
            &format!("review {}", position.moves().len()),
        ));
        self.analyst.analyze(position, &self.limits)
    }
}

/// Returns the leads of the best move and of the move itself, of those that were looked at often
/// enough (HI24, Alg. 1, lines 5 and 6).
fn best_and_own(analysis: &Analysis, mv: Move) -> (Option<f64>, Option<f64>) {
    let reliable = |it: &&Candidate| it.visits >= RELIABLE;
    let lead = |it: &Candidate| f64::from(it.lead.0.0);
    let looked_at = analysis.candidates.iter().filter(reliable);
    (
        looked_at.map(lead).reduce(f64::max),
        analysis.candidate(mv).filter(reliable).map(lead),
    )
}

/// Returns the probability of a move, and the greatest of any.
pub(crate) fn chance_and_best(policy: &[f32], position: &Position, mv: Move) -> (f64, f64) {
    let size = position.size();
    let index = mv.point().map_or(size.area(), |point| size.index_of(point));
    let own = policy.get(index).copied().unwrap_or(0.0);
    let best = policy.iter().copied().fold(0.0, f32::max);
    (own.into(), best.into())
}

/// Returns what the analyst's network gave a move, or the share of visits it got.
fn share(analysis: &Analysis, position: &Position, mv: Move) -> f64 {
    if let Some(raw) = &analysis.raw {
        return chance_and_best(&raw.policy, position, mv).0;
    }
    let visits: u64 = analysis.candidates.iter().map(|it| it.visits).sum();
    let own = analysis.candidate(mv).map_or(0, |it| it.visits);
    own as f64 / visits.max(1) as f64
}

#[cfg(test)]
mod tests {
    use shido_go::Point;
    use shido_search::{ForMover, Points};

    use super::*;

    /// Checks what a move loses, by what was looked at before it: visits and leads of points in a row.
    #[track_caller]
    fn check(looked_at: &[(u64, f32)], played: usize, lead_after: f64, loss: f64) {
        let mv = |at: usize| Move::Play(Point::from_index(100 + at));
        let mut analysis = Analysis::unknown(Color::White);
        for (at, &(visits, lead)) in looked_at.iter().enumerate() {
            analysis.candidates.push(Candidate {
                visits,
                lead: ForMover(Points(lead)),
                ..Candidate::unknown(mv(at))
            });
        }
        let (best, own) = best_and_own(&analysis, mv(played));
        let judged = ReviewedMove {
            color: Color::White,
            chosen: true,
            lead_before: 1.0,
            lead_after,
            best_lead: best.unwrap_or(1.0),
            own_lead: own,
            naturalness: 0.5,
            best_naturalness: 0.5,
            visit_share: 0.5,
            second_naturalness: None,
            second_best: None,
        };
        assert!((judged.loss() - loss).abs() < 1e-6, "{}", judged.loss());
    }

    #[test]
    fn a_move_loses_what_the_best_is_better_by() {
        let looked_at = [(60, 3.0), (30, 3.5), (10, 1.5), (9, 8.0)];
        // The lead afterwards is another search's, and noise where this one knows the move.
        check(&looked_at, 1, 0.0, 0.0);
        check(&looked_at, 0, 9.0, 0.5);
        check(&looked_at, 2, 0.0, 2.0);
        // Hardly or not looked at: the search after it says what it is worth.
        check(&looked_at, 3, 2.0, 1.5);
        check(&looked_at, 5, -12.0, 15.5);
        check(&looked_at, 5, 4.0, -0.5);
        check(&[(4, 7.0)], 0, 0.5, 0.5);
    }
}
