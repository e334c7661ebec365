//! What a search reports about a position, whichever engine made it.
//!
//! Coach, lab, GTP and the web page share these words. Nothing here searches.

use shido_go::{Color, Move};

use crate::{ForBlack, ForMover, Points, WinRate};

/// A search's report on one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The player to move.
    pub to_move: Color,
    /// Visits of the root, those of a reused tree included.
    pub visits: u64,
    /// Playouts or evaluations that this search added.
    pub playouts: u64,
    /// The chance that Black wins.
    pub win_rate: ForBlack<WinRate>,
    /// The points Black is ahead by, komi included.
    pub lead: ForBlack<Points>,
    /// The standard deviation of the final score.
    pub score_deviation: Points,
    /// For each point, row by row from the top left: 1 Black's, −1 White's.
    pub ownership: Vec<f32>,
    /// The moves looked at, the one to play first.
    pub candidates: Vec<Candidate>,
}

/// What a search reports about one move.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// How often the search went there.
    pub visits: u64,
    /// The mover's chance to win after it.
    pub win_rate: ForMover<WinRate>,
    /// A lower bound of that chance, for choosing among well-searched moves.
    pub lower_bound: ForMover<WinRate>,
    /// The points the mover is ahead by after it, komi included.
    pub lead: ForMover<Points>,
    /// The standard deviation of the final score after it.
    pub score_deviation: Points,
    /// The probability the move model gave it beforehand.
    pub prior: f32,
    /// The expected continuation, this move first.
    pub line: Vec<Move>,
    /// Ownership after the move, row by row, if the search keeps it per move.
    pub ownership: Option<Vec<f32>>,
}

impl Analysis {
    /// Returns the move to play, if any was looked at.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    /// Returns what is known about one move.
    pub fn candidate(&self, mv: Move) -> Option<&Candidate> {
        self.candidates.iter().find(|it| it.mv == mv)
    }
}
