//! What travels between the server and the page, as types; the API file is made of them.
//!
//! A point or move is a GTP vertex (`D4`, `pass`), a board is a flat list row by
//! row from the top left, a time is in milliseconds and says so in its name. A
//! win rate or lead says in its name or its type's text whose it is. Nothing here
//! decides anything.

mod about;
mod analysis;
mod game;
mod level;
mod position;
mod record;
mod why;

pub use about::{
    About, BoardSize, EngineOffer, LevelOffer, PartnerOffer, RulesOffer, StrengthOffer, StyleOffer,
};
pub use analysis::{AnalysisView, CandidateView, Estimate, GraphPoint};
pub(crate) use analysis::{candidates, rounded};
pub use game::{
    ClockSettings, ClockView, DeadStones, GameList, GameSettings, GameSummary, GameView, MoveView,
    NewGame, Pace, Phase, PlayMove, ScoringView, SeenMoves, SideClock, SideCount, Thinking,
    YourColor,
};
pub use level::{AutoLevelView, LevelStep, Outcome};
pub(crate) use position::move_text;
pub use position::{Captures, Color, LastMove, PositionView};
pub use record::{
    BoardLine, LineKind, Mark, MarkKind, NextMove, NodeView, RecordInfo, RecordList, RecordSummary,
    RecordView, TreeNode,
};
pub use why::{ChoiceView, ConsideredView, Reason, Why};
