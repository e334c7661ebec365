//! Another program as a player, over GTP.
//!
//! The engine's own board is brought in line with the given position before each
//! question: moves it has not seen are sent, and anything else (another start, a
//! takeback, a new komi) sets the game up anew.

use std::time::{Duration, Instant};

use shido_go::gtp::{Command, Reply, format_vertex, parse_vertex};
use shido_go::{
    Board, Color, HandicapBonus, Move, Played, PointSet, Position, Rules, Scoring, Size,
};
use shido_search::{ForBlack, Points};

use super::{Choice, MoveRecord, Player};
use crate::outside::{EngineFailure, GtpProcess, ProcessSettings};

/// A GTP engine that plays.
pub struct GtpPlayer {
    process: GtpProcess,
    told: Option<Told>,
}

/// What the engine knows of the game.
struct Told {
    start: Board,
    rules: Rules,
    komi: f32,
    moves: Vec<Played>,
}

impl Told {
    fn new(position: &Position) -> Told {
        Told {
            start: position.start().clone(),
            rules: *position.rules(),
            komi: position.komi(),
            moves: Vec::new(),
        }
    }

    /// Returns whether the position only adds moves to what the engine knows.
    fn leads_to(&self, position: &Position) -> bool {
        self.start == *position.start()
            && self.rules == *position.rules()
            && self.komi == position.komi()
            && position.moves().starts_with(&self.moves)
    }
}

impl GtpPlayer {
    /// Starts the engine of a command line.
    pub fn start(line: &str, settings: ProcessSettings) -> Result<GtpPlayer, EngineFailure> {
        GtpProcess::start(line, settings).map(GtpPlayer::new)
    }

    /// Lets a running engine play.
    pub fn new(process: GtpProcess) -> GtpPlayer {
        GtpPlayer {
            process,
            told: None,
        }
    }

    /// Returns the process, for commands that are not part of playing.
    pub fn process(&mut self) -> &mut GtpProcess {
        // Its board may be changed behind our back, so begin anew next time.
        self.told = None;
        &mut self.process
    }

    fn tell(&mut self, name: &str, arguments: impl Into<String>) -> Result<String, EngineFailure> {
        self.process.ask(&Command::new(name, arguments))
    }

    /// Brings the engine's board in line with the position.
    fn follow(&mut self, position: &Position) -> Result<(), EngineFailure> {
        let told = match self.told.take() {
            Some(told) if told.leads_to(position) => told,
            _ => self.set_up(position)?,
        };
        let known = told.moves.len();
        let told = self.told.insert(told);
        let size = position.size();
        for &played in &position.moves()[known..] {
            let play = Command::new("play", play_arguments(played.color, played.mv, size));
            self.process.ask(&play)?;
            told.moves.push(played);
        }
        Ok(())
    }

    fn set_up(&mut self, position: &Position) -> Result<Told, EngineFailure> {
        let size = position.size();
        if size.is_square() {
            self.tell("boardsize", size.width().to_string())?;
        } else {
            let sides = format!("{} {}", size.width(), size.height());
            self.tell("rectangular_boardsize", sides)?;
        }
        self.tell("clear_board", "")?;
        self.tell("komi", position.komi().to_string())?;
        self.tell_rules(*position.rules())?;
        self.place_start(position)?;
        Ok(Told::new(position))
    }

    /// Tells the rules to an engine that can be told; others have them on their command line.
    fn tell_rules(&mut self, rules: Rules) -> Result<(), EngineFailure> {
        if self.process.knows("kata-set-rules") {
            self.tell("kata-set-rules", rules.to_json())?;
        } else if self.process.knows("kgs-rules") {
            self.tell("kgs-rules", nearest_kgs_name(rules))?;
        }
        Ok(())
    }

    /// Puts the starting stones down: as a handicap if they are one, else one by one.
    fn place_start(&mut self, position: &Position) -> Result<(), EngineFailure> {
        let (start, size) = (position.start(), position.size());
        let stones: Vec<_> = size
            .points()
            .filter_map(|point| start.stone(point).map(|color| (color, Move::Play(point))))
            .collect();
        let black_only = stones.iter().all(|&(color, _)| color == Color::Black);
        if stones.len() >= 2 && black_only && self.process.knows("set_free_handicap") {
            let vertices: Vec<_> = stones
                .iter()
                .map(|&(_, mv)| format_vertex(mv, size))
                .collect();
            self.tell("set_free_handicap", vertices.join(" "))?;
            return Ok(());
        }
        for (color, mv) in stones {
            self.tell("play", play_arguments(color, mv, size))?;
        }
        Ok(())
    }
}

fn play_arguments(color: Color, mv: Move, size: Size) -> String {
    format!("{} {}", color.letter(), format_vertex(mv, size))
}

impl Player for GtpPlayer {
    fn name(&self) -> &str {
        self.process.name()
    }

    fn version(&self) -> &str {
        self.process.version()
    }

    /// Outside engines have seeds of their own, given on their command lines.
    fn new_game(&mut self, position: &Position, _seed: u64) -> Result<(), EngineFailure> {
        self.told = None;
        self.follow(position)
    }

    fn genmove(&mut self, position: &Position) -> Result<Choice, EngineFailure> {
        self.follow(position)?;
        let color = position.to_move();
        let command = Command::new("genmove", color.letter().to_string());
        let begun = Instant::now();
        let text = self.process.ask(&command)?;
        let record = MoveRecord {
            time: begun.elapsed(),
            ..MoveRecord::default()
        };
        let reply = Reply::parse(&text, position.size())
            .map_err(|error| EngineFailure::bad_response(&command, error.to_string()))?;
        match (reply, &mut self.told) {
            (Reply::Move(mv), Some(told)) => told.moves.push(Played { color, mv }),
            // After a resignation engines differ on what their board holds.
            _ => self.told = None,
        }
        Ok(Choice { reply, record })
    }

    fn dead_stones(&mut self, position: &Position) -> Result<Option<PointSet>, EngineFailure> {
        if !self.process.knows("final_status_list") {
            return Ok(None);
        }
        self.follow(position)?;
        let command = Command::new("final_status_list", "dead");
        let text = self.process.ask(&command)?;
        let mut dead = PointSet::new();
        for word in text.split_ascii_whitespace() {
            let mv = parse_vertex(word, position.size())
                .map_err(|error| EngineFailure::bad_response(&command, error.to_string()))?;
            if let Some(point) = mv.point() {
                dead.insert(point);
            }
        }
        Ok(Some(dead))
    }

    fn final_score(
        &mut self,
        position: &Position,
    ) -> Result<Option<ForBlack<Points>>, EngineFailure> {
        if !self.process.knows("final_score") {
            return Ok(None);
        }
        self.follow(position)?;
        let command = Command::new("final_score", "");
        let text = match self.process.ask(&command) {
            Ok(text) => text,
            // The protocol lets an engine say that it cannot count this position.
            Err(EngineFailure::Refused { .. }) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let score = parse_score(&text);
        let bad = || EngineFailure::bad_response(&command, format!("`{text}` is no score"));
        score.map(Some).ok_or_else(bad)
    }

    fn restart(&mut self) -> Result<(), EngineFailure> {
        self.told = None;
        self.process.restart()
    }
}

impl GtpPlayer {
    /// Tells the engine how long it may think, by GTP's `time_settings`.
    pub fn set_time(
        &mut self,
        main: Duration,
        period: Duration,
        stones: u32,
    ) -> Result<(), EngineFailure> {
        let arguments = format!("{} {} {stones}", main.as_secs(), period.as_secs());
        self.tell("time_settings", arguments).map(drop)
    }
}

/// Returns which of the four rule sets of KGS comes nearest.
fn nearest_kgs_name(rules: Rules) -> &'static str {
    match rules {
        it if it.scoring == Scoring::Territory => "japanese",
        it if it.suicide => "new_zealand",
        it if it.handicap_bonus == HandicapBonus::StonesLessOne => "aga",
        _ => "chinese",
    }
}

/// Reads `B+3.5`, `W+R` without points is no score, `0` is a draw.
fn parse_score(text: &str) -> Option<ForBlack<Points>> {
    let text = text.split_ascii_whitespace().next()?;
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Some(ForBlack(Points(0.0)));
    }
    let (winner, margin) = text.split_once('+')?;
    let margin: f32 = margin.parse().ok().filter(|it: &f32| it.is_finite())?;
    match winner.parse().ok()? {
        Color::Black => Some(ForBlack(Points(margin))),
        Color::White => Some(ForBlack(Points(-margin))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read() {
        let black = |points| Some(ForBlack(Points(points)));
        assert_eq!(parse_score("B+3.5"), black(3.5));
        assert_eq!(parse_score("W+12"), black(-12.0));
        assert_eq!(parse_score("0"), black(0.0));
        assert_eq!(parse_score("W+4.0 (upper bound)"), black(-4.0));
        for text in ["", "B+R", "3.5", "X+1", "B+inf"] {
            assert_eq!(parse_score(text), None, "{text}");
        }
    }
}
