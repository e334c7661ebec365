//! The game of Go: rules, scoring, life, ladders, and the text formats SGF and GTP.
//!
//! No IO, clock, global or randomness: equal calls give equal answers.
//!
//! Start with [`Board`] (stones), then [`Position`] (whose turn, by which rules),
//! then [`Game`] (a record).
//!
//! Play a few moves and look at them:
//!
//! ```
//! use shido_go::{Color, Position, Rules, Size, gtp};
//!
//! let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
//! for vertex in ["E5", "E6", "D6", "pass", "F6", "pass", "E7"] {
//!     position.play(gtp::parse_vertex(vertex, Size::S9)?)?;
//! }
//! // Black has taken the stone at E6.
//! assert_eq!(position.board().prisoners(Color::Black), 1);
//! assert_eq!(position.to_move(), Color::White);
//! println!("{}", position.board());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read a picture, and count it by two rule sets:
//!
//! ```
//! use shido_go::{Color, Diagram, PointSet, Position, Rules};
//!
//! let diagram = Diagram::parse("
//!     . X O . .
//!     X X O X .
//!     . X O O O
//!     X X X O .
//!     . . X O O
//! ")?;
//! let size = diagram.board.size();
//! let dead: PointSet = size.point(3, 1).into_iter().collect();
//! let score = |rules| {
//!     Position::from_board(diagram.board.clone(), Color::Black, rules, 0.5).score(&dead)
//! };
//! assert_eq!(score(Rules::CHINESE).to_string(), "W+1.5");
//! assert_eq!(score(Rules::JAPANESE).to_string(), "W+2.5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ask for unconditional life and for ladders:
//!
//! ```
//! use shido_go::{Color, Diagram, Ladder, LadderReader};
//!
//! let diagram = Diagram::parse("
//!     . X . X . . .
//!     X X X X . . .
//!     . . . . . . .
//!     . . . . X . .
//!     . . . X O . .
//!     . . . . . X .
//!     . . . . . . .
//! ")?;
//! let board = &diagram.board;
//! let corner = board.size().point(0, 0).expect("on the board");
//! assert_eq!(board.pass_alive(false).of(corner), Some(Color::Black));
//! let stone = board.size().point(4, 4).expect("on the board");
//! assert!(matches!(LadderReader::new(board).read(stone), Ladder::Catchable(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
mod color;
mod contacts;
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

pub use board::{Board, Cell, Chain, IllegalPlay, Undo};
pub use color::{Color, ParseColorError};
pub use contacts::Contacts;
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
pub use rules::{HandicapBonus, Ko, Rules, RulesAndKomi, RulesError, Scoring, Tax};
pub use score::{Count, Score};
pub use size::{Size, SizeError};
pub use symmetry::Symmetry;
