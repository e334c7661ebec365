//! A recorded game: layer 4 of SGF, the first that knows Go.
//!
//! [`Game::from_tree`] takes the main line of a game tree: size, rules, komi,
//! handicap, players, and every stone placed or played, each with the byte offset
//! it came from. [`Game::replay`] plays it through. What cannot be understood is
//! told in [`Game::warnings`]; only a game that is not Go, or whose board we
//! cannot play on, is an error. Variations and comments stay in the tree.

mod komi;
mod rank;
mod read;
mod replay;
mod write;

use serde::{Deserialize, Serialize};

pub use rank::{ParseRankError, Rank};
pub use replay::Replay;
pub use write::Recorder;

use crate::sgf::{GameTree, Node, NodeId, Warnings};
use crate::{Cell, Color, Move, Played, Point, Rules, Size, SizeError};

/// One game: where it started and what was played.
#[derive(Debug, Clone)]
pub struct Game {
    /// The board; 19×19 if the record does not say.
    pub size: Size,
    /// The rules, if `RU` names some we know.
    pub rules: Option<Rules>,
    /// What `KM` says, in points, or else what rules of KataGo's name in `RU`.
    pub komi: Option<f32>,
    /// The number of handicap stones that `HA` tells of, 0 in an even game.
    pub handicap: usize,
    /// Who, when, where, and how it ended.
    pub info: GameInfo,
    /// What was wrong with the record.
    pub warnings: Warnings,
    steps: Vec<Step>,
}

/// What a record says about a game besides the moves; empty where it says nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GameInfo {
    /// Black.
    pub black: Player,
    /// White.
    pub white: Player,
    /// The result as written (`RE`), such as `B+3.5` or `W+R`.
    pub result: String,
    /// The date as written (`DT`).
    pub date: String,
    /// The event (`EV`).
    pub event: String,
    /// The round (`RO`).
    pub round: String,
    /// The place (`PC`).
    pub place: String,
    /// The rules as written (`RU`).
    pub rules_text: String,
    /// Main time in seconds (`TM`).
    pub main_time: Option<f64>,
    /// Overtime as written (`OT`).
    pub overtime: String,
    /// The program that wrote the record (`AP`).
    pub application: String,
}

impl GameInfo {
    /// Returns who won, if the result says so.
    pub fn winner(&self) -> Option<Color> {
        let (color, _) = self.result.trim().split_once('+')?;
        color.trim().parse().ok()
    }
}

/// One of the players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name.
    pub name: String,
    /// The rank as written.
    pub rank_text: String,
    /// The rank, if it can be understood.
    pub rank: Option<Rank>,
}

/// One move of the main line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveRecord {
    /// Who moved.
    pub color: Color,
    /// What was played.
    pub mv: Move,
    /// The node of the tree, for comments and variations.
    pub node: NodeId,
    /// Offset in the file of the move's value.
    pub at: usize,
}

impl MoveRecord {
    /// Returns the move without where it came from.
    pub fn played(&self) -> Played {
        Played {
            color: self.color,
            mv: self.mv,
        }
    }
}

/// One thing that happens on the main line.
#[derive(Debug, Clone)]
enum Step {
    Setup(Setup),
    ToMove(Color),
    Move(MoveRecord),
}

/// Stones put on or taken off a rectangle of points.
#[derive(Debug, Clone)]
struct Setup {
    cell: Cell,
    corners: (Point, Point),
    node: NodeId,
    at: usize,
}

/// The tree holds no game that we can play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// `GM` is not 1.
    #[error("byte {at}: this is not Go but another game (GM[{game}])")]
    NotGo {
        /// Offset of the value.
        at: usize,
        /// What `GM` holds.
        game: String,
    },
    /// `SZ` is no board we can play on.
    #[error("byte {at}: {error}")]
    Size {
        /// Offset of the value.
        at: usize,
        /// What is wrong with it.
        error: SizeError,
    },
}

impl Game {
    /// The most moves and setup values taken from a record; the rest is told of in a warning.
    ///
    /// No real game comes near it; it bounds the work that a hostile file can ask for.
    pub const MAX_STEPS: usize = 10_000;

    /// Takes the main line of a game tree.
    ///
    /// ```
    /// let file = shido_go::sgf::read(b"(;SZ[9]KM[6.5]PB[Ann]BR[5k];B[ee];W[dd];B[])");
    /// let tree = file.collection.games().next().expect("one game");
    /// let game = shido_go::Game::from_tree(tree)?;
    /// assert_eq!(game.moves().count(), 3);
    /// let (position, warnings) = game.replay().finish();
    /// assert_eq!(position.moves().len(), 3);
    /// assert!(game.warnings.is_empty() && warnings.is_empty());
    /// # Ok::<(), shido_go::GameError>(())
    /// ```
    pub fn from_tree(tree: GameTree<'_>) -> Result<Game, GameError> {
        read::game(tree, tree.main_line())
    }

    /// Takes the line from the root of a game tree to one of its nodes, variations too.
    ///
    /// ```
    /// let file = shido_go::sgf::read(b"(;SZ[9];B[ee](;W[cc])(;W[gg];B[gc]))");
    /// let tree = file.collection.games().next().expect("one game");
    /// let second = tree.root().children().next().and_then(|it| it.children().nth(1));
    /// let game = shido_go::Game::from_line(tree, second.expect("a variation"))?;
    /// let last = game.moves().last().expect("two moves");
    /// assert_eq!(last.mv, shido_go::Size::S9.point(6, 6).into());
    /// # Ok::<(), shido_go::GameError>(())
    /// ```
    pub fn from_line(tree: GameTree<'_>, leaf: Node<'_>) -> Result<Game, GameError> {
        let mut line: Vec<_> = std::iter::successors(Some(leaf), |it| it.parent()).collect();
        line.reverse();
        read::game(tree, line.into_iter())
    }

    /// Returns the moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &MoveRecord> + Clone {
        self.steps.iter().filter_map(|step| match step {
            Step::Move(record) => Some(record),
            _ => None,
        })
    }

    /// Returns whether nothing happens on the main line: no move and no stone set up.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the komi, or what is usual if the record does not say: 0.5 with handicap, else 6.5.
    pub fn komi(&self) -> f32 {
        let usual = if self.handicap >= 2 { 0.5 } else { 6.5 };
        self.komi.unwrap_or(usual)
    }

    /// Starts playing the game through, with the setup before the first move done.
    pub fn replay(&self) -> Replay<'_> {
        Replay::new(self)
    }

    /// Returns one of the players.
    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.info.black,
            Color::White => &self.info.white,
        }
    }
}
