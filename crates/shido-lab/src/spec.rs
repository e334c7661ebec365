//! An experiment as a file: who plays whom, on what, how often, and what to report.
//!
//! A spec is TOML. Reading it is all or nothing: an unknown key, a missing one or
//! an impossible value is an error that names the file, the line and the key.
//! What is read here holds no defaults any more, so a ledger line that keeps a
//! player's settings keeps all of them.
//!
//! Nothing here plays or opens the files a spec names.

mod agreement;
mod check;
mod locate;
mod raw;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use shido_coach::Level;
use shido_coach::play::{PartnerKind, PartnerSettings, SettingsError};
use shido_go::{Rank, Rules, Size};

use locate::Keys;

/// A whole experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spec {
    /// What the experiment is called, in lower case letters, digits and dashes.
    pub name: String,
    /// One line for the head of the report.
    pub title: String,
    /// Every game's seed is derived from it.
    pub seed: u64,
    /// What is played.
    pub game: GameSpec,
    /// How games begin.
    pub opening: Opening,
    /// Who says how a game ended.
    pub referee: Referee,
    /// Who plays, by name.
    pub players: BTreeMap<String, PlayerSpec>,
    /// Who meets whom, and how often.
    pub pairings: Vec<Pairing>,
    /// What to do about engines that fail.
    pub failures: Failures,
    /// Who judges every move afterwards, if somebody does; the games do not depend on it.
    #[serde(skip)]
    pub review: Option<ReviewSpec>,
    /// What the report shows.
    #[serde(skip)]
    pub report: ReportSpec,
    /// The folder that relative paths in the spec start from.
    #[serde(skip)]
    pub base: PathBuf,
    /// What computes the networks of searches, if not this processor; not in the file.
    #[serde(skip)]
    pub evaluator: Option<EvaluatorSpec>,
}

/// A process that computes networks, such as one with a GPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvaluatorSpec {
    /// Its command line; a network's file is added.
    pub command: String,
    /// Positions a search asks for at once; `None` chooses by the size of the board.
    pub batch: Option<usize>,
}

impl EvaluatorSpec {
    /// Games at a time for each core: most of them wait for the process.
    pub(crate) const GAMES_A_CORE: usize = 8;
}

/// Board, rules and komi.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameSpec {
    /// The board's size.
    #[serde(serialize_with = "as_text")]
    pub board: Size,
    /// The rules.
    pub rules: RuleSet,
    /// What White gets for moving second.
    pub komi: f32,
    /// A game longer than this is scored as it stands.
    pub move_limit: usize,
}

/// The rule sets a spec can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleSet {
    /// Area scoring, simple ko.
    Chinese,
    /// Area scoring, positional superko, suicide.
    TrompTaylor,
    /// Territory scoring.
    Japanese,
}

impl RuleSet {
    /// Returns the rules in full.
    pub fn rules(self) -> Rules {
        match self {
            RuleSet::Chinese => Rules::CHINESE,
            RuleSet::TrompTaylor => Rules::TROMP_TAYLOR,
            RuleSet::Japanese => Rules::JAPANESE,
        }
    }

    /// Returns the rule set that a spec calls by this name.
    pub fn named(name: &str) -> Option<RuleSet> {
        [RuleSet::Chinese, RuleSet::TrompTaylor, RuleSet::Japanese]
            .into_iter()
            .find(|it| it.name() == name)
    }

    /// Returns the name a spec uses.
    pub fn name(self) -> &'static str {
        match self {
            RuleSet::Chinese => "chinese",
            RuleSet::TrompTaylor => "tromp-taylor",
            RuleSet::Japanese => "japanese",
        }
    }
}

/// How games begin.
///
/// Two games in a row of one pairing begin alike, with the colors changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Opening {
    /// From the empty board.
    None,
    /// After some moves drawn at random.
    Random {
        /// How many moves.
        moves: usize,
    },
    /// After the first moves of recorded games, one record after the other.
    Sgf {
        /// The records, relative to the spec.
        files: Vec<String>,
        /// How many moves of each; none for all.
        moves: Option<usize>,
    },
}

/// Who says how a game that was played to its end came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Referee {
    /// Every stone on the board lives; area is counted.
    TrompTaylor,
    /// The players, if they agree; else the area as it stands.
    Players,
    /// An engine names the dead stones; area is counted without them.
    Engine {
        /// The command line of a GTP engine.
        command: String,
        /// How long one answer may take.
        timeout_s: f64,
    },
}

/// One player and all its settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PlayerSpec {
    /// UCT with RAVE over Bradley–Terry playouts.
    Classic(ClassicSpec),
    /// The neural search on a network.
    Native(NativeSpec),
    /// A teaching partner.
    Partner(PartnerSpec),
    /// Any program that speaks GTP.
    Gtp(GtpSpec),
    /// A legal move at random, never filling an own eye.
    Random,
    /// No player: recorded games to be measured.
    Sgf {
        /// Files or folders, relative to the spec.
        files: Vec<String>,
        /// At most so many games.
        games: usize,
    },
}

/// The settings of a classic player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassicSpec {
    /// Playouts a move.
    pub playouts: u64,
    /// Threads of the search; only one gives the same game twice.
    pub threads: usize,
    /// The playouts' weights: `shipped`, `even`, or a file relative to the spec.
    pub gammas: String,
    /// The tree's priors: `shipped` or `none`.
    pub priors: String,
    /// What the tree may take.
    pub memory_mib: usize,
    /// Resigns when its chance to win is lower; 0 never resigns.
    pub resign_below: f64,
}

/// The settings of a native player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NativeSpec {
    /// The network: a file in KataGo's format, relative to the spec.
    pub net: String,
    /// Visits a move.
    pub visits: u64,
    /// Threads of the search; only one gives the same game twice.
    pub threads: usize,
    /// What the tree may take.
    pub memory_mib: usize,
    /// Resigns when its chance to win is lower; 0 never resigns.
    pub resign_below: f64,
}

/// The settings of a teaching partner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartnerSpec {
    /// How it chooses.
    pub partner: PartnerKind,
    /// Its level, which sets what `settings` does not.
    pub level: Option<Level>,
    /// The network it searches with: a file relative to the spec, or `embedded`; without
    /// one it searches as the classic engine does.
    pub net: Option<String>,
    /// The network that knows what people play: a file, `embedded`, or `none` for the
    /// move model.
    pub human_net: String,
    /// The student's rank, for the human network; the partner's own if it is missing.
    pub student: Option<Rank>,
    /// Settings by name, other than the papers' and the level's.
    pub settings: BTreeMap<String, String>,
    /// Threads of the search; only one gives the same game twice.
    pub threads: usize,
    /// What the tree may take.
    pub memory_mib: usize,
}

impl PartnerSpec {
    /// Changes settings as the spec says.
    pub fn apply(&self, settings: &mut PartnerSettings) -> Result<(), SettingsError> {
        let pairs = self.settings.iter();
        settings.set_all(pairs.map(|it| (it.0.as_str(), it.1.as_str())))
    }
}

/// Who judges moves afterwards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewSpec {
    /// A classic or native player of the spec.
    pub analyst: String,
    /// The network that says how natural a move is, as a partner names it; without one
    /// the analyst's own move model does.
    pub human_net: Option<String>,
    /// The rank of the people it is asked for.
    pub rank: Rank,
    /// A second one, which no partner should use.
    pub second_human_net: Option<String>,
    /// The rank of the people that one is asked for.
    pub second_rank: Rank,
}

/// The settings of a GTP player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GtpSpec {
    /// The command line; `{seed}` in it stands for the game's seed, and makes a
    /// process of its own for each game.
    pub command: String,
    /// GTP commands sent before each game; `{seed}` stands for the game's seed.
    pub before_game: Vec<String>,
    /// How long the engine may take to start.
    pub start_timeout_s: f64,
    /// How long one answer may take.
    pub move_timeout_s: f64,
}

/// Two players and their games; they change colors every game unless told not to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pairing {
    /// Plays Black in the first game.
    pub first: String,
    /// Plays White in the first game.
    pub second: String,
    /// How many games.
    pub games: usize,
    /// Whether the first plays Black in all of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_colors: bool,
}

impl Pairing {
    /// Returns both players' names.
    pub fn names(&self) -> [&str; 2] {
        [&self.first, &self.second]
    }
}

/// What happens after an engine's failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// How often one game is played again.
    pub replays: usize,
    /// What happens when it still fails.
    pub then: Then,
    /// The run ends after so many void games in all.
    pub halt_after: usize,
}

/// What happens to a game that failed every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The player that failed loses it.
    Forfeit,
    /// The run ends.
    Halt,
}

/// What the report shows beside the results.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReportSpec {
    /// More than win rates.
    pub measures: Vec<Measure>,
    /// Tables with a paper's figures beside ours.
    pub tables: Vec<TableSpec>,
    /// Settings to be found for a share of wins.
    pub fits: Vec<FitSpec>,
}

/// A partner's setting to be found, from games at several values of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FitSpec {
    /// The table's caption.
    pub title: String,
    /// The setting, as `settings` of the players names it.
    pub setting: String,
    /// Partners that differ in it.
    pub players: Vec<String>,
    /// Whom they play.
    pub opponent: String,
    /// The share of wins wanted.
    pub target: f64,
    /// The level that what is found is for; the report then writes it as a calibration.
    pub level: Option<Level>,
}

/// What a report can measure beside win rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Bradley–Terry ratings of all players.
    Ratings,
    /// Moves a game.
    Length,
    /// How close games are, by their final scores.
    Margin,
    /// Moves near the center *(SF21)*.
    CenterMoves,
    /// Losses of the moves played, as the reviewing player sees them *(HI24, §5)*.
    Quality,
}

impl Measure {
    /// Every measure with the name a spec uses.
    pub const NAMES: [(&'static str, Measure); 5] = [
        ("ratings", Measure::Ratings),
        ("length", Measure::Length),
        ("margin", Measure::Margin),
        ("center-moves", Measure::CenterMoves),
        ("quality", Measure::Quality),
    ];
}

/// One table with a paper's figures beside ours.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSpec {
    /// The table's caption.
    pub title: String,
    /// Where the paper's figures stand, such as `PD10, Figure 1`.
    pub source: String,
    /// Win rates are those against this player.
    pub opponent: String,
    /// The players that are the rows.
    pub rows: Vec<String>,
    /// The columns: measures by name, or what `figures` has.
    pub columns: Vec<String>,
    /// The paper's figures by row and column.
    pub paper: BTreeMap<String, BTreeMap<String, f64>>,
    /// A JSON file of figures that no game shows, relative to the spec.
    pub figures: Option<String>,
}

/// What is wrong with a spec, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SpecError {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 when the file could not be read at all.
    pub line: usize,
    /// The key, as a path such as `players.even.playouts`; may be empty.
    pub key: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Spec {
    /// Reads a spec file and returns it with its text.
    pub fn read(path: &Path) -> Result<(Spec, String), SpecError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| SpecError {
            file: file.clone(),
            line: 0,
            key: String::new(),
            message: format!("cannot read it: {error}"),
        })?;
        let mut spec = Spec::parse(&text, &file)?;
        path.parent()
            .unwrap_or(Path::new(""))
            .clone_into(&mut spec.base);
        Ok((spec, text))
    }

    /// Reads a spec from text; `file` is what errors call it.
    pub fn parse(text: &str, file: &str) -> Result<Spec, SpecError> {
        let keys = Keys::of(text);
        let raw: raw::RawSpec = toml::from_str(text).map_err(|error| {
            let byte = error.span().map_or(0, |span| span.start);
            SpecError {
                file: file.to_owned(),
                line: keys.line_of(byte),
                key: keys.key_at(byte).to_owned(),
                message: error.message().to_owned(),
            }
        })?;
        check::check(raw).map_err(|fault| SpecError {
            file: file.to_owned(),
            line: keys.line_of_key(&fault.key),
            key: fault.key,
            message: fault.message,
        })
    }

    /// Returns a path of the spec, which is relative to the spec's folder.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.base.join(relative)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn as_text<S: serde::Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{}x{}", size.width(), size.height()))
}

#[cfg(test)]
mod tests;
