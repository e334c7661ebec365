//! A game with a partner as a state: who may do what, and what it leads to.
//!
//! Pure: no clock is read, nothing is stored, no engine is asked. [`crate::live`]
//! gives it time, a place on the disk and a partner. Moves are only ever added
//! to or taken from the end.

mod ending;
mod setup;
mod sgf;
mod view;

use std::time::Duration;

use shido_coach::play::WhyRecord;
use shido_engine::settle::Settlement;
use shido_go::gtp::{Reply, parse_vertex};
use shido_go::{Color, GameResult, Move, Point, PointSet, Position, Size, WinBy};
use shido_search::Analysis;

use crate::clock::Clocks;
use crate::error::ApiError;
use crate::id;
use crate::partners::{Thought, Turn};
use crate::store::{StoreError, StoredGame, StoredMove};
use crate::wire::{Phase, Reason, Why, candidates, move_text, rounded};

pub(crate) use setup::{rules, settings, sizes};
pub(crate) use view::Moment;

/// The most moves of a game; more is no game.
const MOST_MOVES: usize = 2000;

/// A game and its position, which follows from the moves.
#[derive(Debug, Clone)]
pub(crate) struct GameState {
    pub(crate) stored: StoredGame,
    /// On the heap: it is large, and futures hold games.
    position: Box<Position>,
}

impl GameState {
    /// Returns a game at its start.
    pub(crate) fn new(stored: StoredGame) -> Result<GameState, String> {
        let mut position = Box::new(setup::position(&stored.settings)?);
        for it in stored.moves.iter().filter(|it| it.mv != "resign") {
            let mv = read_move(&it.mv, position.size()).map_err(|_| format!("move {}", it.mv))?;
            let illegal = |error| format!("move {}: {error}", it.mv);
            position.play_as(it.color.into(), mv).map_err(illegal)?;
        }
        Ok(GameState { stored, position })
    }

    /// Returns a game as the file holds it.
    pub(crate) fn from_store(stored: StoredGame) -> Result<GameState, ApiError> {
        let id = stored.id.clone();
        GameState::new(stored).map_err(|why| {
            let what = format!("game {id} cannot be replayed: {why}");
            ApiError::Store(StoreError::Unexpected("the database".into(), what))
        })
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn id(&self) -> &str {
        &self.stored.id
    }

    pub(crate) fn student(&self) -> Color {
        self.stored.settings.your_color.into()
    }

    /// Returns whether the partner is to move.
    pub(crate) fn is_partners_turn(&self) -> bool {
        self.stored.phase == Phase::Playing && self.position.to_move() != self.student()
    }

    /// Returns whether the engine still has to propose the dead stones.
    pub(crate) fn wants_dead_stones(&self) -> bool {
        self.stored.phase == Phase::Scoring && self.stored.dead.is_none()
    }

    /// Returns both clocks before the running turn, if there is a clock.
    pub(crate) fn clocks(&self) -> Option<Clocks> {
        let settings = self.stored.settings.clock?;
        let last = self.stored.moves.last().and_then(|it| it.clock);
        Some(last.unwrap_or_else(|| Clocks::new(settings)))
    }

    /// Returns how long the running turn may last, if there is a clock.
    pub(crate) fn until_flag(&self) -> Option<Duration> {
        let settings = self.stored.settings.clock?;
        let clocks = self.clocks()?;
        let running = self.stored.phase == Phase::Playing;
        running.then(|| clocks.until_flag(settings, self.position.to_move()))
    }

    /// Returns what the partner has to think about.
    pub(crate) fn turn(&self) -> Turn {
        let partner = self.position.to_move();
        let own = self.stored.moves.iter().rev();
        let own = own.filter(|it| Color::from(it.color) == partner);
        let hopeless = own.take_while(|it| it.why.as_ref().is_some_and(|why| why.hopeless));
        let settings = &self.stored.settings;
        let time = settings
            .clock
            .zip(self.clocks())
            .map(|(settings, clocks)| clocks.time_for_move(settings, &self.position));
        let moves = self.stored.moves.iter().enumerate();
        let records = moves.filter_map(|(i, it)| Some((i, it.record.clone()?)));
        Turn {
            settings: settings.clone(),
            position: self.position.clone(),
            hopeless_before: hopeless.count(),
            records: records.collect(),
            seed: id::seed(&self.stored.id),
            time,
        }
    }

    /// Plays for the student, whose turn has lasted so long.
    pub(crate) fn play_student(
        &mut self,
        text: &str,
        after: usize,
        turn: Duration,
    ) -> Result<(), ApiError> {
        self.expect_phase(Phase::Playing, "the game is not being played")?;
        if text.eq_ignore_ascii_case("resign") {
            let student = self.student();
            self.resign(student, None, None);
            return Ok(());
        }
        self.expect_seen(after)?;
        if self.is_partners_turn() {
            return Err(ApiError::NotYourTurn);
        }
        let mv = read_move(text, self.position.size())?;
        self.play(mv, None, None, turn)
    }

    /// Plays what the partner thought of.
    pub(crate) fn play_partner(
        &mut self,
        thought: &Thought,
        turn: Duration,
    ) -> Result<(), ApiError> {
        let color = self.position.to_move();
        let why = self.why(thought);
        match thought.reply {
            Reply::Resign => {
                self.resign(color, Some(why), thought.choice.clone());
                Ok(())
            }
            Reply::Move(mv) => self.play(mv, Some(why), thought.choice.clone(), turn),
        }
    }

    fn why(&self, thought: &Thought) -> Why {
        let size = self.position.size();
        let analysis = &thought.analysis;
        let played = match thought.reply {
            Reply::Move(mv) => analysis.candidate(mv),
            Reply::Resign => analysis.best(),
        };
        let color = self.position.to_move();
        let win_rate = analysis.win_rate.as_seen_by(color).0;
        let lead = analysis.lead.as_seen_by(color).0;
        Why {
            number: self.stored.moves.len() + 1,
            color: color.into(),
            mv: match thought.reply {
                Reply::Move(mv) => move_text(mv, size),
                Reply::Resign => "resign".to_owned(),
            },
            reason: thought.reason,
            engine: thought.engine.clone(),
            visits: analysis.visits,
            time_ms: thought.time.as_millis() as u64,
            win_rate: rounded(played.map_or(win_rate, |it| it.win_rate.0.0), 1000.0),
            lead: rounded(played.map_or(lead, |it| it.lead.0.0), 10.0),
            hopeless: thought.hopeless || thought.reason == Reason::Hopeless,
            candidates: match thought.choice {
                Some(_) => Vec::new(),
                None => candidates(analysis, size),
            },
            choice: None,
        }
    }

    /// Plays for whoever is to move; a fallen flag ends the game instead.
    fn play(
        &mut self,
        mv: Move,
        why: Option<Why>,
        record: Option<WhyRecord>,
        turn: Duration,
    ) -> Result<(), ApiError> {
        if self.stored.moves.len() >= MOST_MOVES {
            let what = format!("a game ends after {MOST_MOVES} moves; pass or resign");
            return Err(ApiError::IllegalMove(what));
        }
        let color = self.position.to_move();
        let mut clock = None;
        if let Some((settings, clocks)) = self.stored.settings.clock.zip(self.clocks()) {
            clock = clocks.after_move(settings, color, turn);
            if clock.is_none() {
                self.end(GameResult::Win {
                    color: !color,
                    by: WinBy::Time,
                });
                return Ok(());
            }
        }
        self.position
            .play(mv)
            .map_err(|error| ApiError::IllegalMove(error.to_string()))?;
        self.stored.moves.push(StoredMove {
            color: color.into(),
            mv: move_text(mv, self.position.size()),
            why,
            record,
            clock,
        });
        if self.position.is_over() {
            self.stored.phase = Phase::Scoring;
            self.stored.dead = None;
        }
        Ok(())
    }

    fn resign(&mut self, color: Color, why: Option<Why>, record: Option<WhyRecord>) {
        self.stored.moves.push(StoredMove {
            color: color.into(),
            mv: "resign".to_owned(),
            why,
            record,
            clock: self.clocks(),
        });
        self.end(GameResult::Win {
            color: !color,
            by: WinBy::Resignation,
        });
    }

    /// Ends the game if the turn of whoever is to move has lasted too long.
    pub(crate) fn fall_flag(&mut self, turn: Duration) -> bool {
        let late = self.until_flag().is_some_and(|until| turn >= until);
        if late {
            self.end(GameResult::Win {
                color: !self.position.to_move(),
                by: WinBy::Time,
            });
        }
        late
    }

    fn end(&mut self, result: GameResult) {
        self.stored.phase = Phase::Finished;
        self.stored.result = Some(result.to_string());
    }

    /// Returns whether the student has a move that can be taken back.
    pub(crate) fn can_undo(&self) -> bool {
        let student = self.stored.settings.your_color;
        self.stored.phase != Phase::Finished
            && self.stored.moves.iter().any(|it| it.color == student)
    }

    /// Takes back up to the student's latest turn, as seen after so many moves.
    pub(crate) fn undo(&mut self, after: usize) -> Result<(), ApiError> {
        if self.stored.phase == Phase::Finished {
            return Err(ApiError::WrongPhase("the game is over"));
        }
        self.expect_seen(after)?;
        if !self.can_undo() {
            return Err(ApiError::WrongPhase("there is nothing to take back"));
        }
        self.take_back();
        self.stored.undos += 1;
        Ok(())
    }

    /// Goes on playing instead of counting: the student's pass is taken back.
    pub(crate) fn resume(&mut self, after: usize) -> Result<(), ApiError> {
        self.expect_phase(Phase::Scoring, "the game is not being counted")?;
        self.expect_seen(after)?;
        self.take_back();
        Ok(())
    }

    fn take_back(&mut self) {
        let student = self.student();
        while let Some(last) = self.position.undo() {
            self.stored.moves.pop();
            if last.color == student {
                break;
            }
        }
        self.stored.phase = Phase::Playing;
        self.stored.dead = None;
    }

    /// Takes the engine's word on which stones are dead.
    pub(crate) fn propose_dead(&mut self, analysis: &Analysis) {
        let dead = Settlement::new(self.position.board(), &analysis.ownership).dead();
        self.set_dead(&dead);
    }

    /// Takes the chain at a vertex as dead if it was alive, as alive if it was dead.
    pub(crate) fn toggle_dead(&mut self, text: &str, after: usize) -> Result<(), ApiError> {
        self.expect_count(after)?;
        let size = self.position.size();
        let Move::Play(point) = read_move(text, size)? else {
            return Err(ApiError::BadRequest("a pass is not a stone".to_owned()));
        };
        let board = self.position.board();
        if board.stone(point).is_none() {
            let what = format!(
                "there is no stone at {}",
                move_text(Move::Play(point), size)
            );
            return Err(ApiError::BadRequest(what));
        }
        let chain: Vec<Point> = board.chain(point).collect();
        let mut dead = self.dead();
        let was_dead = dead.contains(point);
        for stone in chain {
            if was_dead {
                dead.remove(stone);
            } else {
                dead.insert(stone);
            }
        }
        self.set_dead(&dead);
        Ok(())
    }

    /// Agrees on the count; the game is over.
    pub(crate) fn agree(&mut self, after: usize) -> Result<(), ApiError> {
        self.expect_count(after)?;
        let score = self.position.score(&self.dead());
        self.end(score.into());
        Ok(())
    }

    /// Returns the stones taken as dead.
    pub(crate) fn dead(&self) -> PointSet {
        let size = self.position.size();
        let texts = self.stored.dead.iter().flatten();
        texts
            .filter_map(|it| read_move(it, size).ok().and_then(Move::point))
            .collect()
    }

    fn set_dead(&mut self, dead: &PointSet) {
        let size = self.position.size();
        let vertices = dead.iter().map(|it| move_text(Move::Play(it), size));
        self.stored.dead = Some(vertices.collect());
    }

    /// Expects the scoring phase with the dead stones proposed.
    fn expect_count(&self, after: usize) -> Result<(), ApiError> {
        self.expect_phase(Phase::Scoring, "the game is not being counted")?;
        self.expect_seen(after)?;
        if self.stored.dead.is_none() {
            return Err(ApiError::WrongPhase("the dead stones are not proposed yet"));
        }
        Ok(())
    }

    /// Expects that whoever asks has seen all moves, so that a second click or another
    /// window does nothing twice.
    fn expect_seen(&self, after: usize) -> Result<(), ApiError> {
        let now = self.stored.moves.len();
        if after == now {
            Ok(())
        } else {
            Err(ApiError::Stale { seen: after, now })
        }
    }

    fn expect_phase(&self, phase: Phase, otherwise: &'static str) -> Result<(), ApiError> {
        if self.stored.phase == phase {
            Ok(())
        } else {
            Err(ApiError::WrongPhase(otherwise))
        }
    }
}

/// Reads a vertex or `pass`.
fn read_move(text: &str, size: Size) -> Result<Move, ApiError> {
    parse_vertex(text, size).map_err(|error| ApiError::BadRequest(error.to_string()))
}

#[cfg(test)]
mod tests;
