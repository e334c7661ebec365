//! The game of Go: rules, scoring, life, ladders, and the text formats SGF and GTP.
//!
//! No IO, clock, global or randomness: equal calls give equal answers.
//!
//! Start with [`Board`] (stones), then [`Position`] (whose turn, by which rules).

pub mod board;
mod color;
pub mod gtp;
mod point;
mod point_set;
mod position;
mod rules;
pub mod sgf;
mod size;
mod zobrist;

pub use board::{Board, Cell, Chain, Contacts, IllegalPlay};
pub use color::{Color, ParseColorError};
pub use point::{GRID, Move, Point, STRIDE};
pub use point_set::PointSet;
pub use position::{IllegalMove, Played, Position};
pub use rules::{HandicapBonus, Ko, Rules, RulesError, Scoring, Tax};
pub use size::{Size, SizeError};
