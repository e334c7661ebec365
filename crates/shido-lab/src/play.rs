//! One game from its opening to its ledger line.
//!
//! A [`Table`] belongs to one worker: it keeps the players it has built, so that
//! engines are used again from game to game, and starts those anew that failed.
//! The table owns the position; players are told it and cannot change it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use shido_engine::StopFlag;
use shido_engine::outside::EngineFailure;
use shido_engine::player::{MoveRecord, Player};
use shido_go::gtp::{Reply, format_vertex};
use shido_go::{Color, Move, Position, Score};

use crate::line::{
    End, GameLine, MoveLine, Opinions, Outcome, PartnerLine, SeatLine, Times, VoidLine,
};
use crate::native;
use crate::opening::Openings;
use crate::players::{self, PlayerError, failure_name, is_hopeless};
use crate::provenance::Provenance;
use crate::referee::Referee;
use crate::schedule::{Job, derive};
use crate::spec::Spec;

/// What all tables of a run share.
pub(crate) struct Setting<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) provenance: &'a Provenance,
    pub(crate) hashes: BTreeMap<String, BTreeMap<String, String>>,
    pub(crate) openings: Openings,
    pub(crate) stop: StopFlag,
}

/// How playing a game went.
pub(crate) enum Played {
    /// It is finished.
    Finished(Box<GameLine>),
    /// An engine failed.
    Failed(Box<Failed>),
    /// The run is being stopped.
    Stopped,
    /// A player can never play.
    Hopeless(PlayerError),
}

/// A game that an engine's failure ended.
pub(crate) struct Failed {
    /// What the ledger says of it.
    pub(crate) void: VoidLine,
    /// What it says if the game is not played again; none if nobody is to blame.
    pub(crate) forfeit: Option<GameLine>,
}

/// A worker's players and referee.
pub(crate) struct Table<'a> {
    setting: &'a Setting<'a>,
    players: BTreeMap<String, Box<dyn Player>>,
    referee: Referee,
}

/// A game under way.
struct Progress {
    position: Position,
    opening: usize,
    moves: Vec<MoveLine>,
    thought: [Duration; 2],
    begun: Instant,
}

/// Why a game stopped before its end.
enum Broken {
    Stopped,
    Failure(String, EngineFailure),
}

impl<'a> Table<'a> {
    /// Returns a table without players yet.
    pub(crate) fn new(setting: &'a Setting<'a>) -> Table<'a> {
        Table {
            referee: Referee::new(setting.spec.referee.clone()),
            players: BTreeMap::new(),
            setting,
        }
    }

    /// Plays one game.
    pub(crate) fn play(&mut self, job: &Job) -> Played {
        for name in [&job.black, &job.white] {
            if !self.players.contains_key(name) {
                match players::build(self.setting.spec, name, &self.setting.stop) {
                    Ok(player) => self.players.insert(name.clone(), player),
                    Err(error) => return Played::Hopeless(error),
                };
            }
        }
        if let Err(failure) = self.referee.start()
            && is_hopeless(&failure)
        {
            return Played::Hopeless(PlayerError::Referee(failure));
        }
        let mut progress = self.begin(job);
        match self.play_out(job, &mut progress) {
            Ok(outcome) => Played::Finished(Box::new(self.game_line(job, &progress, outcome))),
            Err(Broken::Stopped) => Played::Stopped,
            Err(Broken::Failure(by, failure)) => self.fail(job, &progress, by, failure),
        }
    }

    fn begin(&self, job: &Job) -> Progress {
        let position = self.setting.openings.position(job.opening);
        let size = position.size();
        Progress {
            opening: position.moves().len(),
            moves: position
                .moves()
                .iter()
                .map(|played| MoveLine::bare(format_vertex(played.mv, size)))
                .collect(),
            position,
            thought: [Duration::ZERO; 2],
            begun: Instant::now(),
        }
    }

    fn play_out(&mut self, job: &Job, progress: &mut Progress) -> Result<Outcome, Broken> {
        for (name, color) in [(&job.black, "black"), (&job.white, "white")] {
            let seed = derive(job.seed, color);
            let player = self.players.get_mut(name).expect("built before");
            player
                .new_game(&progress.position, seed)
                .map_err(|failure| Broken::Failure(name.clone(), failure))?;
        }
        while !progress.position.is_over()
            && progress.moves.len() < self.setting.spec.game.move_limit
        {
            if self.setting.stop.is_raised() {
                return Err(Broken::Stopped);
            }
            if let Some(outcome) = self.take_turn(job, progress)? {
                return Ok(outcome);
            }
        }
        self.score(job, progress)
    }

    /// Lets the player to move move; returns how the game ended, if it did.
    fn take_turn(&mut self, job: &Job, progress: &mut Progress) -> Result<Option<Outcome>, Broken> {
        let color = progress.position.to_move();
        let name = seat(job, color);
        let player = self.players.get_mut(name).expect("built before");
        let choice = player
            .genmove(&progress.position)
            .map_err(|failure| Broken::Failure(name.to_owned(), failure))?;
        progress.thought[color.index()] += choice.record.time;
        // A search that was told to stop answers early; its move does not count.
        if self.setting.stop.is_raised() {
            return Err(Broken::Stopped);
        }
        let mv = match choice.reply {
            Reply::Resign => return Ok(Some(lost(color, End::Resignation, None))),
            Reply::Move(mv) => mv,
        };
        let size = progress.position.size();
        if let Err(illegal) = progress.position.play(mv) {
            let why = format!(
                "{name} played {} at move {}: {illegal}",
                format_vertex(mv, size),
                progress.moves.len() + 1
            );
            return Ok(Some(lost(color, End::IllegalMove, Some(why))));
        }
        progress
            .moves
            .push(move_line(mv, &choice.record, color, &progress.position));
        Ok(None)
    }

    fn score(&mut self, job: &Job, progress: &Progress) -> Result<Outcome, Broken> {
        let end = if progress.position.is_over() {
            End::Passes
        } else {
            End::MoveLimit
        };
        let opinions = [&job.black, &job.white].map(|name| self.opinion(name, progress));
        let outcome = self
            .referee
            .decide(&progress.position, end, opinions)
            .map_err(|failure| Broken::Failure("referee".to_owned(), failure))?;
        // A player that was told to stop meanwhile has counted in haste.
        if self.setting.stop.is_raised() {
            return Err(Broken::Stopped);
        }
        Ok(outcome)
    }

    /// Asks a player for the score; one that fails now has none, but the game stands.
    fn opinion(&mut self, name: &str, progress: &Progress) -> Option<Score> {
        if !progress.position.is_over() {
            return None;
        }
        let player = self.players.get_mut(name).expect("built before");
        let Ok(score) = player.final_score(&progress.position) else {
            // Whatever is wrong now, the next game begins with a new process.
            self.players.remove(name);
            return None;
        };
        score.map(|it| Score::for_black(it.0.0))
    }

    fn fail(
        &mut self,
        job: &Job,
        progress: &Progress,
        by: String,
        failure: EngineFailure,
    ) -> Played {
        if is_hopeless(&failure) {
            return Played::Hopeless(PlayerError::Engine {
                player: by,
                cause: failure,
            });
        }
        let why = failure.to_string();
        let color = Color::BOTH
            .into_iter()
            .find(|&color| seat(job, color) == by);
        let forfeit = color.map(|color| {
            let outcome = lost(color, End::Failure, Some(format!("{by}: {why}")));
            self.game_line(job, progress, outcome)
        });
        self.players.remove(&by);
        Played::Failed(Box::new(Failed {
            void: VoidLine {
                game: job.id.clone(),
                commit: self.setting.provenance.commit().to_owned(),
                seed: job.seed,
                failure: failure_name(&failure).to_owned(),
                by,
                why,
                moves: progress.moves.iter().map(|it| it.mv.clone()).collect(),
            },
            forfeit,
        }))
    }

    fn game_line(&self, job: &Job, progress: &Progress, outcome: Outcome) -> GameLine {
        let spec = self.setting.spec;
        let size = spec.game.board;
        GameLine {
            game: job.id.clone(),
            commit: self.setting.provenance.commit().to_owned(),
            seed: job.seed,
            black: self.seat_line(&job.black),
            white: self.seat_line(&job.white),
            board: format!("{}x{}", size.width(), size.height()),
            rules: spec.game.rules.name().to_owned(),
            komi: spec.game.komi,
            start: None,
            opening: progress.opening,
            voids: job.voids,
            outcome,
            moves: progress.moves.clone(),
            times: Times {
                total_s: seconds(progress.begun.elapsed()),
                black_s: seconds(progress.thought[0]),
                white_s: seconds(progress.thought[1]),
            },
        }
    }

    fn seat_line(&self, name: &str) -> SeatLine {
        let program = self.players.get(name).map(|player| {
            let text = format!("{} {}", player.name(), player.version());
            text.trim().to_owned()
        });
        let mut settings = serde_json::to_value(&self.setting.spec.players[name])
            .expect("settings have text keys and finite numbers");
        // What a partner's level means for its settings is known when it is built.
        let played = self.players.get(name).and_then(|it| it.settings());
        if let (Some(settings), Some(played)) = (settings.as_object_mut(), played) {
            settings.insert("played".to_owned(), played);
        }
        let evaluator = native::computed_by(self.setting.spec, &self.setting.spec.players[name]);
        if let (Some(settings), false) = (settings.as_object_mut(), evaluator.is_null()) {
            settings.insert("evaluator".to_owned(), evaluator);
        }
        SeatLine {
            name: name.to_owned(),
            program: program.unwrap_or_default(),
            settings,
            hashes: self.setting.hashes[name].clone(),
        }
    }
}

fn seat(job: &Job, color: Color) -> &str {
    match color {
        Color::Black => &job.black,
        Color::White => &job.white,
    }
}

fn lost(loser: Color, end: End, why: Option<String>) -> Outcome {
    Outcome {
        winner: Some(!loser),
        end,
        margin: None,
        why,
        opinions: Opinions::default(),
        disputed: false,
        dead: Vec::new(),
    }
}

fn move_line(mv: Move, record: &MoveRecord, mover: Color, position: &Position) -> MoveLine {
    MoveLine {
        mv: format_vertex(mv, position.size()),
        by: None,
        win_rate: record.win_rate.map(|it| it.for_black(mover).0.0),
        lead: record.lead.map(|it| it.for_black(mover).0.0),
        playouts: record.playouts,
        why: record.why.map(str::to_owned),
        partner: record.partner.as_deref().map(PartnerLine::from),
        ms: Some((record.time.as_secs_f64() * 1e5).round() / 100.0),
    }
}

/// Rounds to a tenth of a millisecond, for short lines.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e4).round() / 1e4
}
