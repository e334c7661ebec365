//! A game with a partner: what is asked for, how it stands, what is done in it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Color, PositionView};

/// A game to begin. What is left out is as usual.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NewGame {
    /// Lines on each side; 9 unless given.
    pub size: Option<usize>,
    /// The rules by name; the first of those offered unless given.
    pub rules: Option<String>,
    /// White's compensation; the rules' usual one unless given.
    pub komi: Option<f32>,
    /// Black's handicap stones: 0, or 2 and more.
    pub handicap: usize,
    /// The student's color; Black unless given.
    pub your_color: Option<YourColor>,
    /// The partner; the first of those offered unless given.
    pub partner: Option<String>,
    /// How hard the partner thinks.
    pub strength: Option<String>,
    /// The rank the partner plays at, or `auto`.
    pub level: Option<String>,
    /// The partner's leaning.
    pub style: Option<String>,
    /// Whether the partner takes its time; natural unless given.
    pub pace: Option<Pace>,
    /// The clock; none unless given.
    pub clock: Option<ClockSettings>,
    /// The student's name, for the record.
    pub your_name: Option<String>,
}

/// The student's color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum YourColor {
    /// Black.
    Black,
    /// White.
    White,
    /// Drawn by lot.
    Random,
}

/// Whether the partner takes its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// A moment of thought, as a person would take.
    Natural,
    /// As soon as it knows.
    Quick,
}

/// A clock's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockSettings {
    /// One amount for the whole game.
    Absolute {
        /// Seconds.
        main_s: u32,
    },
    /// After the main time, periods that are lost only when used up by one move.
    ByoYomi {
        /// Seconds before overtime.
        main_s: u32,
        /// Seconds of a period.
        period_s: u32,
        /// The periods.
        periods: u32,
    },
    /// After the main time, so many stones in each period.
    Canadian {
        /// Seconds before overtime.
        main_s: u32,
        /// Seconds of a period.
        period_s: u32,
        /// The stones to be played in a period.
        stones: u32,
    },
}

/// What a game is played by, everything filled in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameSettings {
    /// Lines on each side.
    pub size: usize,
    /// The rules by name.
    pub rules: String,
    /// White's compensation.
    pub komi: f32,
    /// Black's handicap stones.
    pub handicap: usize,
    /// The student's color.
    pub your_color: Color,
    /// The partner.
    pub partner: String,
    /// How hard the partner thinks, if it has strengths.
    pub strength: Option<String>,
    /// The rank the partner plays at, if it has levels.
    pub level: Option<String>,
    /// Whether the rank was taken from the student's results.
    #[serde(default)]
    pub auto: bool,
    /// The partner's leaning, if it has one.
    pub style: Option<String>,
    /// Whether the partner takes its time.
    pub pace: Pace,
    /// The clock, if there is one.
    pub clock: Option<ClockSettings>,
    /// The student's name; may be empty.
    pub your_name: String,
}

/// How far a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Moves are played.
    Playing,
    /// Both passed; the dead stones are being agreed.
    Scoring,
    /// There is a result.
    Finished,
}

/// A game as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GameView {
    /// Its name in the API, which cannot be guessed.
    pub id: String,
    /// When it was begun, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it last changed.
    pub updated_ms: i64,
    /// How far it is.
    pub phase: Phase,
    /// What it is played by.
    pub settings: GameSettings,
    /// Black's name; empty for a student without one.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The board.
    pub position: PositionView,
    /// The moves played.
    pub moves: Vec<MoveView>,
    /// Whether the student may move now.
    pub your_turn: bool,
    /// Whether the partner is thinking or about to.
    pub thinking: bool,
    /// Whether there is something to take back.
    pub can_undo: bool,
    /// How often something was taken back.
    pub undos: u32,
    /// The clocks at the moment of sending, if there are any.
    pub clock: Option<ClockView>,
    /// The count, in the scoring phase and after it.
    pub scoring: Option<ScoringView>,
    /// How the game ended: `B+3.5`, `W+R`, `B+T`, `0`.
    pub result: Option<String>,
    /// Who won.
    pub winner: Option<Color>,
    /// Why the partner cannot go on, if something is wrong with it.
    pub failure: Option<String>,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveView {
    /// 1 for the first.
    pub number: usize,
    /// Who moved.
    pub color: Color,
    /// A vertex or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether the partner's record of it is kept.
    pub has_why: bool,
}

/// The clocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClockView {
    /// Whose clock runs; none while nobody watches the game.
    pub running: Option<Color>,
    /// Black's.
    pub black: SideClock,
    /// White's.
    pub white: SideClock,
}

/// One player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SideClock {
    /// Main time left; 0 in overtime.
    pub main_ms: u64,
    /// Left of this period, or a whole one before overtime; 0 if there is no overtime.
    pub period_ms: u64,
    /// Periods left (byo-yomi) or stones left in this period (Canadian).
    pub count: u32,
}

/// The count at the end of a game.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ScoringView {
    /// Whether the engine has proposed the dead stones yet.
    pub ready: bool,
    /// The stones taken as dead.
    pub dead: Vec<String>,
    /// Row by row: whose point it is, 1 Black, −1 White, 0 nobody's.
    pub territory: Vec<i8>,
    /// What counts: `area` or `territory`.
    pub counting: String,
    /// Black's.
    pub black: SideCount,
    /// White's, without compensation.
    pub white: SideCount,
    /// White's compensation: komi and the bonus for handicap stones.
    pub compensation: f32,
    /// `B+3.5`, `W+0.5` or `0`.
    pub score: String,
}

/// What one side has at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct SideCount {
    /// Living stones on the board.
    pub stones: usize,
    /// Empty points that count.
    pub territory: usize,
    /// Stones taken during the game and at its end.
    pub prisoners: usize,
    /// What these come to by the rules.
    pub points: usize,
}

/// A move to play.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayMove {
    /// A vertex, `pass` or `resign`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of moves the page had seen; another number is refused as stale.
    pub after: usize,
}

/// What the page had seen when it asked for a change that needs nothing else.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenMoves {
    /// The number of moves the page had seen; another number is refused as stale.
    pub after: usize,
}

/// A chain to take as dead or as alive.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeadStones {
    /// A stone of it.
    pub point: String,
    /// The number of moves the page had seen; another number is refused as stale.
    pub after: usize,
}

/// How the partner's thinking goes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Thinking {
    /// The moves played before this one.
    pub after: usize,
    /// Visits so far.
    pub visits: u64,
    /// The part of the thinking that is done, 0 to 1.
    pub share: f32,
}

/// Games kept, the latest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GameList {
    /// The games.
    pub games: Vec<GameSummary>,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GameSummary {
    /// Its name in the API.
    pub id: String,
    /// When it was begun, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it last changed.
    pub updated_ms: i64,
    /// How far it is.
    pub phase: Phase,
    /// What it is played by.
    pub settings: GameSettings,
    /// Moves played.
    pub moves: usize,
    /// How it ended.
    pub result: Option<String>,
}
