//! A position as the page draws it: everything a browser would need Go for is said here.

use serde::{Deserialize, Serialize};
use shido_go::gtp::format_vertex;
use shido_go::{Move, Position, handicap};
use utoipa::ToSchema;

/// The color of stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Black.
    Black,
    /// White.
    White,
}

impl From<shido_go::Color> for Color {
    fn from(color: shido_go::Color) -> Color {
        match color {
            shido_go::Color::Black => Color::Black,
            shido_go::Color::White => Color::White,
        }
    }
}

impl From<Color> for shido_go::Color {
    fn from(color: Color) -> shido_go::Color {
        match color {
            Color::Black => shido_go::Color::Black,
            Color::White => shido_go::Color::White,
        }
    }
}

/// A position.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PositionView {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row from the top left: 1 Black, −1 White, 0 empty.
    pub stones: Vec<i8>,
    /// Whose turn it is.
    pub to_move: Color,
    /// The stones each side has taken.
    pub captures: Captures,
    /// The point that simple ko bans.
    pub ko: Option<String>,
    /// Empty points that the player to move may not play at.
    pub forbidden: Vec<String>,
    /// The latest move.
    pub last_move: Option<LastMove>,
    /// Moves played so far.
    pub move_number: usize,
    /// White's compensation.
    pub komi: f32,
    /// The rules, by name.
    pub rules: String,
    /// Black's handicap stones.
    pub handicap: usize,
    /// Points that boards have a dot on.
    pub stars: Vec<String>,
}

/// Stones taken during the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Captures {
    /// By Black.
    pub black: usize,
    /// By White.
    pub white: usize,
}

/// The latest move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastMove {
    /// Who moved.
    pub color: Color,
    /// A vertex or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
}

impl PositionView {
    /// Returns what the page needs of a position.
    pub fn new(position: &Position) -> PositionView {
        let size = position.size();
        let board = position.board();
        let mover = position.to_move();
        let vertex = |point| format_vertex(Move::Play(point), size);
        let stone = |point| match board.stone(point) {
            Some(shido_go::Color::Black) => 1,
            Some(shido_go::Color::White) => -1,
            None => 0,
        };
        let forbidden = size
            .points()
            .filter(|&it| board.is_empty(it) && !position.is_legal(mover, Move::Play(it)));
        let stars = size.points().filter(|&it| handicap::is_star(size, it));
        PositionView {
            width: size.width(),
            height: size.height(),
            stones: size.points().map(stone).collect(),
            to_move: mover.into(),
            captures: Captures {
                black: board.prisoners(shido_go::Color::Black),
                white: board.prisoners(shido_go::Color::White),
            },
            ko: board.ko_ban().map(|(_, point)| vertex(point)),
            forbidden: forbidden.map(vertex).collect(),
            last_move: position.last_move().map(|last| LastMove {
                color: last.color.into(),
                mv: move_text(last.mv, size),
            }),
            move_number: position.moves().len(),
            komi: position.komi(),
            rules: position.rules().name().unwrap_or("other").to_owned(),
            handicap: position.handicap(),
            stars: stars.map(vertex).collect(),
        }
    }
}

/// Returns a move as the API writes it: a vertex or `pass`.
pub(crate) fn move_text(mv: Move, size: shido_go::Size) -> String {
    match mv {
        Move::Pass => "pass".to_owned(),
        Move::Play(_) => format_vertex(mv, size),
    }
}
