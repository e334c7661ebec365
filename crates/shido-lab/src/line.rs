//! What one line of the ledger says: a finished game, or a void one.
//!
//! Lines are JSON objects; the field `line` says which kind. Colors are `black`
//! and `white`, win rates and leads are Black's, vertices are GTP's. Only `times`
//! and the moves' `ms` depend on the machine's speed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shido_coach::play::WhyRecord;
use shido_go::gtp::parse_vertex;
use shido_go::{Board, Color, Move, Position, Rules, Size};

use crate::spec::RuleSet;

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum Line {
    /// A game that counts.
    Game(Box<GameLine>),
    /// A game that an engine's failure ended, and that is played again.
    Void(VoidLine),
}

impl Line {
    /// Returns the game's name.
    pub fn game(&self) -> &str {
        match self {
            Line::Game(it) => &it.game,
            Line::Void(it) => &it.game,
        }
    }

    /// Returns the game, if it counts and was played here.
    pub fn played(&self) -> Option<&GameLine> {
        match self {
            Line::Game(it) if it.outcome.end != End::Record => Some(it),
            _ => None,
        }
    }
}

/// A game that counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// The game's name, such as `even.gnugo.0007`.
    pub game: String,
    /// The commit of the program that ran it.
    pub commit: String,
    /// What all its randomness was derived from.
    pub seed: u64,
    /// Who played Black.
    pub black: SeatLine,
    /// Who played White.
    pub white: SeatLine,
    /// Width and height, such as `9x9`.
    pub board: String,
    /// The rules' name.
    pub rules: String,
    /// What White got for moving second.
    pub komi: f32,
    /// The stones it started from, unless from an empty board with Black to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<StartLine>,
    /// How many of the moves are the opening, which nobody chose.
    pub opening: usize,
    /// How often the game was void before.
    pub voids: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// The moves in order, by turns where they do not say otherwise.
    pub moves: Vec<MoveLine>,
    /// How long it took.
    pub times: Times,
}

/// One side of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatLine {
    /// The player's name in the spec.
    pub name: String,
    /// The program and its version.
    pub program: String,
    /// All settings, defaults too.
    pub settings: serde_json::Value,
    /// The hashes of the files it played with, by setting.
    pub hashes: BTreeMap<String, String>,
}

/// What a game started from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartLine {
    /// Black's stones.
    pub black: Vec<String>,
    /// White's stones.
    pub white: Vec<String>,
    /// Who moves first.
    pub to_move: Color,
    /// How many of Black's stones are a handicap.
    pub handicap: usize,
}

/// One move, and what the player that made it thought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoveLine {
    /// The vertex, or `pass`.
    pub mv: String,
    /// Who played it, where it was not that color's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Color>,
    /// Black's chance to win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win_rate: Option<f32>,
    /// The points Black is ahead by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<f32>,
    /// Playouts or evaluations made for this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// Why this move, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How a partner chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<PartnerLine>,
    /// Milliseconds the move took; none in the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// How a partner chose a move, in short; its numbers are the partner's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartnerLine {
    /// The rule that decided.
    pub rule: String,
    /// The points it wanted to give away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<f32>,
    /// The points it thought to give away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// How likely people play the move.
    pub natural: f32,
    /// What else had a part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl From<&WhyRecord> for PartnerLine {
    fn from(record: &WhyRecord) -> PartnerLine {
        let played = record.played_move();
        PartnerLine {
            rule: record.rule.id().to_owned(),
            target: record.target_loss,
            loss: played.and_then(|it| it.loss),
            natural: played.map_or(0.0, |it| it.naturalness),
            notes: record.notes.iter().map(|it| it.id().to_owned()).collect(),
        }
    }
}

impl MoveLine {
    /// Returns a move of which only the vertex is known.
    pub fn bare(mv: String) -> MoveLine {
        MoveLine {
            mv,
            by: None,
            win_rate: None,
            lead: None,
            playouts: None,
            why: None,
            partner: None,
            ms: None,
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who won; none if nobody.
    pub winner: Option<Color>,
    /// What ended it.
    pub end: End,
    /// The points Black won by, where the game was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f32>,
    /// What happened, where that needs words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What each player said the score was, if it said.
    #[serde(default, skip_serializing_if = "Opinions::is_empty")]
    pub opinions: Opinions,
    /// Whether an opinion differs from the score.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disputed: bool,
    /// The stones that the referee took off as dead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<String>,
}

/// What ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Both passed.
    Passes,
    /// The loser gave up.
    Resignation,
    /// It was scored as it stood after the most moves allowed.
    MoveLimit,
    /// The loser played a move that the rules forbid.
    IllegalMove,
    /// The loser's engine failed every time.
    Failure,
    /// A recorded game; it says itself who won.
    Record,
}

/// What the players say of the score, as GTP writes it: `B+3.5`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinions {
    /// What Black says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// What White says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
}

impl Opinions {
    /// Returns whether nobody said anything.
    pub fn is_empty(&self) -> bool {
        self.black.is_none() && self.white.is_none()
    }
}

/// How long a game took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Seconds from its start to its end.
    pub total_s: f64,
    /// Seconds Black thought.
    pub black_s: f64,
    /// Seconds White thought.
    pub white_s: f64,
}

/// A game that an engine's failure ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VoidLine {
    /// The game's name.
    pub game: String,
    /// The commit of the program that ran it.
    pub commit: String,
    /// What all its randomness was derived from.
    pub seed: u64,
    /// The player whose engine failed; `referee` may stand here too.
    pub by: String,
    /// The kind of failure, such as `timed-out`.
    pub failure: String,
    /// What happened.
    pub why: String,
    /// The moves until then.
    pub moves: Vec<String>,
}

/// The moves of a ledger line cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game} of the ledger cannot be played through: {why}")]
pub struct ReplayError {
    /// The game.
    pub game: String,
    /// What is wrong.
    pub why: String,
}

impl GameLine {
    /// Returns the result as SGF writes it: `B+3.5`, `W+R`, `B+F`, `0`, `Void`.
    pub fn result(&self) -> String {
        let Some(winner) = self.outcome.winner else {
            return match self.outcome.margin {
                Some(_) => "0".to_owned(),
                None => "Void".to_owned(),
            };
        };
        let how = match (self.outcome.end, self.outcome.margin) {
            (_, Some(margin)) => margin.abs().to_string(),
            (End::IllegalMove | End::Failure, None) => "F".to_owned(),
            (_, None) => "R".to_owned(),
        };
        format!("{}+{how}", winner.letter())
    }

    /// Returns the points a player of the spec got: 1, 0 or ½; none if it sat out.
    pub fn points_of(&self, player: &str) -> Option<f64> {
        let color = if self.black.name == player {
            Color::Black
        } else if self.white.name == player {
            Color::White
        } else {
            return None;
        };
        Some(match self.outcome.winner {
            Some(winner) => f64::from(u8::from(winner == color)),
            None => 0.5,
        })
    }

    /// Returns the position before the first move, opening moves included among them.
    pub fn start_position(&self) -> Result<Position, ReplayError> {
        let size: Size = self
            .board
            .parse()
            .map_err(|error: shido_go::SizeError| self.fault(error.to_string()))?;
        let rules = RuleSet::named(&self.rules).map_or_else(Rules::default, RuleSet::rules);
        let Some(start) = &self.start else {
            return Ok(Position::new(size, rules, self.komi));
        };
        let mut board = Board::new(size);
        for (color, vertices) in [(Color::Black, &start.black), (Color::White, &start.white)] {
            for vertex in vertices {
                let point = self
                    .vertex(vertex, size)?
                    .point()
                    .filter(|&point| board.is_empty(point))
                    .ok_or_else(|| self.fault(format!("`{vertex}` cannot be a starting stone")))?;
                board.place(color, point);
            }
        }
        let mut position = Position::from_board(board, start.to_move, rules, self.komi);
        position.set_handicap(start.handicap);
        Ok(position)
    }

    /// Returns the position after all moves, which knows the moves.
    pub fn position(&self) -> Result<Position, ReplayError> {
        let mut position = self.start_position()?;
        for it in &self.moves {
            let mv = self.vertex(&it.mv, position.size())?;
            let color = it.by.unwrap_or(position.to_move());
            position
                .play_as(color, mv)
                .map_err(|illegal| self.fault(format!("{}: {illegal}", it.mv)))?;
        }
        Ok(position)
    }

    fn vertex(&self, text: &str, size: Size) -> Result<Move, ReplayError> {
        parse_vertex(text, size).map_err(|error| self.fault(error.to_string()))
    }

    fn fault(&self, why: String) -> ReplayError {
        ReplayError {
            game: self.game.clone(),
            why,
        }
    }

    /// Returns the same game without what depends on the machine's speed.
    pub fn without_times(&self) -> GameLine {
        let mut game = self.clone();
        game.times = Times::default();
        for mv in &mut game.moves {
            mv.ms = None;
        }
        game
    }

    /// Returns the same game without what depends on the machine: its speed, and the kind of
    /// processor that computed networks.
    pub fn without_machine(&self) -> GameLine {
        let mut game = self.without_times();
        for seat in [&mut game.black, &mut game.white] {
            if let Some(settings) = seat.settings.as_object_mut() {
                settings.remove("evaluator");
            }
        }
        game
    }
}
