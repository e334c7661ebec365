//! A game record with its variations, for looking at.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Color, PositionView};

/// Records kept, the latest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RecordList {
    /// The records.
    pub records: Vec<RecordSummary>,
}

/// A record in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RecordSummary {
    /// Its name in the API.
    pub id: String,
    /// When it came, in milliseconds since 1970.
    pub created_ms: i64,
    /// What its file was called.
    pub name: String,
}

/// One game of a record.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RecordView {
    /// Its name in the API.
    pub id: String,
    /// What its file was called.
    pub name: String,
    /// Which game of the file this is, from 0.
    pub game: usize,
    /// How many games the file holds.
    pub games: usize,
    /// Who, when, where.
    pub info: RecordInfo,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// What was wrong with the file, in English.
    pub warnings: Vec<String>,
    /// Every node; a node's place in the list is its id, a parent comes before its children.
    pub nodes: Vec<TreeNode>,
    /// The ids of the main line, the root first.
    pub main_line: Vec<usize>,
}

/// What a record says about a game besides the moves; empty where it says nothing.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RecordInfo {
    /// Black's name.
    pub black: String,
    /// Black's rank as written.
    pub black_rank: String,
    /// White's name.
    pub white: String,
    /// White's rank as written.
    pub white_rank: String,
    /// The result as written.
    pub result: String,
    /// The date as written.
    pub date: String,
    /// The event.
    pub event: String,
    /// The place.
    pub place: String,
    /// The rules as written.
    pub rules: String,
    /// White's compensation.
    pub komi: f32,
    /// Black's handicap stones.
    pub handicap: usize,
}

/// One node of a record's tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TreeNode {
    /// Its place in the list.
    pub id: usize,
    /// The node before it; none for the root.
    pub parent: Option<usize>,
    /// The nodes after it, the main line first.
    pub children: Vec<usize>,
    /// Who moves in it, if somebody does.
    pub color: Option<Color>,
    /// What is played, a vertex or `pass`, if something is.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Moves played up to and with it.
    pub number: usize,
    /// Whether it has a comment.
    pub has_comment: bool,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// A node with its position.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct NodeView {
    /// The node.
    pub id: usize,
    /// The position after it.
    pub position: PositionView,
    /// Its name; empty if it has none.
    pub name: String,
    /// Its comment; empty if it has none. Plain text.
    pub comment: String,
    /// Marks on points.
    pub marks: Vec<Mark>,
    /// Lines and arrows.
    pub lines: Vec<BoardLine>,
    /// What comes next, the main line first.
    pub next: Vec<NextMove>,
}

/// A mark on a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Mark {
    /// The point.
    pub point: String,
    /// What kind.
    pub kind: MarkKind,
    /// The text of a label; empty otherwise.
    pub text: String,
}

/// Kinds of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// `TR`.
    Triangle,
    /// `SQ`.
    Square,
    /// `CR`.
    Circle,
    /// `MA`.
    Cross,
    /// `SL`.
    Selected,
    /// `LB`.
    Label,
    /// `TB`.
    TerritoryBlack,
    /// `TW`.
    TerritoryWhite,
    /// `DD`.
    Dim,
}

/// A line or arrow from point to point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BoardLine {
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// What kind.
    pub kind: LineKind,
}

/// Kinds of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// `LN`.
    Line,
    /// `AR`.
    Arrow,
}

/// A node that may come next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NextMove {
    /// The node.
    pub node: usize,
    /// Who moves in it, if somebody does.
    pub color: Option<Color>,
    /// What is played, if something is.
    #[serde(rename = "move")]
    pub mv: Option<String>,
}
