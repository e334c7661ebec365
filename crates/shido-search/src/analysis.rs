//! What a search reports about a position, whichever engine made it.
//!
//! Coach, lab, GTP and the web page share these words. Nothing here searches.

use std::sync::Arc;

use shido_go::{Color, Move};

use crate::{Evaluation, ForBlack, ForMover, Points, Utility, WinRate};

/// A search's report on one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The player to move.
    pub to_move: Color,
    /// Visits of the root, those of a reused tree included.
    pub visits: u64,
    /// Playouts or evaluations that this search added.
    pub playouts: u64,
    /// What the visits count for; equal to them where the search does not weigh them.
    pub weight: f32,
    /// The chance that Black wins.
    pub win_rate: ForBlack<WinRate>,
    /// The points Black is ahead by, komi included.
    pub lead: ForBlack<Points>,
    /// The standard deviation of the final score.
    pub score_deviation: Points,
    /// The mean final score for Black as self-play would have it, komi included.
    pub score_mean: ForBlack<Points>,
    /// What the search maximizes, −1 to 1 or a little beyond.
    pub utility: ForBlack<Utility>,
    /// For each point, row by row from the top left: 1 Black's, −1 White's.
    pub ownership: Vec<f32>,
    /// How much the ownership of each point varied in the search, if it was kept.
    pub ownership_deviation: Option<Vec<f32>>,
    /// What the evaluator said of the position before any search, if there is one.
    pub raw: Option<Arc<Evaluation>>,
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
    /// The mean final score after it as self-play would have it, komi included.
    pub score_mean: ForMover<Points>,
    /// What the search maximizes, after the move.
    pub utility: ForMover<Utility>,
    /// A lower bound of that.
    pub utility_lower_bound: ForMover<Utility>,
    /// What the visits count for; equal to them where the search does not weigh them.
    pub weight: f32,
    /// What moves are ordered and drawn by: the weight less what the search would not give
    /// again, more for a good lower bound. `None` where the search orders otherwise.
    pub play_value: Option<f32>,
    /// The chance of a game without result after it, if the search knows.
    pub no_result: Option<f32>,
    /// The probability the move model gave it beforehand.
    pub prior: f32,
    /// The expected continuation, this move first.
    pub line: Vec<Move>,
    /// The visits of each move of `line`, if the search kept them.
    pub line_visits: Vec<u64>,
    /// The candidate that this one mirrors on a symmetric board, if any.
    pub mirrors: Option<Move>,
    /// Ownership after the move for Black, row by row, if the search keeps it per move.
    pub ownership: Option<Vec<f32>>,
    /// How much that varied, if it was kept.
    pub ownership_deviation: Option<Vec<f32>>,
}

impl Candidate {
    /// Returns a move nothing is known of.
    pub fn unknown(mv: Move) -> Candidate {
        Candidate {
            mv,
            visits: 0,
            win_rate: ForMover(WinRate(0.5)),
            lower_bound: ForMover(WinRate(0.0)),
            lead: ForMover(Points(0.0)),
            score_deviation: Points(0.0),
            score_mean: ForMover(Points(0.0)),
            utility: ForMover(Utility(0.0)),
            utility_lower_bound: ForMover(Utility(-1.0)),
            weight: 0.0,
            play_value: None,
            no_result: None,
            prior: 0.0,
            line: vec![mv],
            line_visits: Vec::new(),
            mirrors: None,
            ownership: None,
            ownership_deviation: None,
        }
    }
}

impl Analysis {
    /// Returns the report of a search that has seen nothing.
    pub fn unknown(to_move: Color) -> Analysis {
        Analysis {
            to_move,
            visits: 0,
            playouts: 0,
            weight: 0.0,
            win_rate: ForBlack(WinRate(0.5)),
            lead: ForBlack(Points(0.0)),
            score_deviation: Points(0.0),
            score_mean: ForBlack(Points(0.0)),
            utility: ForBlack(Utility(0.0)),
            ownership: Vec::new(),
            ownership_deviation: None,
            raw: None,
            candidates: Vec::new(),
        }
    }

    /// Returns the move to play, if any was looked at.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    /// Returns what is known about one move.
    pub fn candidate(&self, mv: Move) -> Option<&Candidate> {
        self.candidates.iter().find(|it| it.mv == mv)
    }
}
