//! The game of Go: rules, scoring, life, ladders, and the text formats SGF and GTP.
//!
//! No IO, clock, global or randomness: equal calls give equal answers.
//!
//! Start with [`Board`] (stones), then [`Position`] (whose turn, by which rules).

pub mod board;
mod color;
mod diagram;
mod eye;
mod game;
pub mod gtp;
pub mod handicap;
mod ladder;
mod life;
mod owners;
mod point;
mod point_set;
mod position;
mod result;
mod rules;
pub mod score;
pub mod sgf;
mod size;
mod symmetry;
mod zobrist;

pub use board::{Board, Cell, Chain, Contacts, IllegalPlay, Undo};
pub use color::{Color, ParseColorError};
pub use diagram::{Diagram, DiagramError};
pub use game::{
    Game, GameError, GameInfo, MoveRecord, ParseRankError, Player, Rank, Recorder, Replay,
};
pub use ladder::{Ladder, LadderReader, NODE_LIMIT, WorkingMoves};
pub use life::AreaOptions;
pub use owners::Owners;
pub use point::{GRID, Move, Point, STRIDE};
pub use point_set::PointSet;
pub use position::{IllegalMove, Played, Position};
pub use result::{GameResult, ParseResultError, WinBy};
pub use rules::{HandicapBonus, Ko, Rules, RulesError, Scoring, Tax};
pub use score::{Count, Score};
pub use size::{Size, SizeError};
pub use symmetry::Symmetry;
