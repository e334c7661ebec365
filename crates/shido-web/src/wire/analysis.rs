//! What engines say, as the page shows it.

use serde::{Deserialize, Serialize};
use shido_go::Size;
use shido_search::{Analysis, Candidate};
use utoipa::ToSchema;

use super::Color;
use super::position::move_text;

/// Candidates that are sent; a page shows no more.
const MOST_CANDIDATES: usize = 20;
/// Moves of a line that are sent.
const LONGEST_LINE: usize = 15;

/// An engine's analysis of a position, so far.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AnalysisView {
    /// Whose turn it is.
    pub to_move: Color,
    /// Visits so far.
    pub visits: u64,
    /// Whether this is the last of it.
    pub done: bool,
    /// Black's chance to win.
    pub win_rate_black: f32,
    /// Points Black is ahead by, komi included.
    pub lead_black: f32,
    /// Row by row: 1 surely Black's, −1 surely White's.
    pub ownership: Vec<f32>,
    /// The best moves first.
    pub candidates: Vec<CandidateView>,
}

/// One move an engine looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CandidateView {
    /// A vertex or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// How often the search went there.
    pub visits: u64,
    /// The mover's chance to win after it.
    pub win_rate: f32,
    /// Points the mover is ahead by after it.
    pub lead: f32,
    /// How likely the move model found it beforehand.
    pub prior: f32,
    /// The expected continuation, this move first.
    pub line: Vec<String>,
}

/// How the game stands, by a short search.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Estimate {
    /// Black's chance to win.
    pub win_rate_black: f32,
    /// Points Black is ahead by, komi included.
    pub lead_black: f32,
    /// Row by row: 1 surely Black's, −1 surely White's.
    pub ownership: Vec<f32>,
}

/// One point of a game's lead graph.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GraphPoint {
    /// The node of the record.
    pub node: usize,
    /// Moves played up to it.
    pub number: usize,
    /// Black's chance to win.
    pub win_rate_black: f32,
    /// Points Black is ahead by.
    pub lead_black: f32,
    /// The best move found.
    pub best: Option<String>,
}

impl AnalysisView {
    /// Returns what the page shows of an analysis.
    pub fn new(analysis: &Analysis, size: Size, done: bool) -> AnalysisView {
        AnalysisView {
            to_move: analysis.to_move.into(),
            visits: analysis.visits,
            done,
            win_rate_black: rounded(analysis.win_rate.0.0, 1000.0),
            lead_black: rounded(analysis.lead.0.0, 10.0),
            ownership: ownership(analysis),
            candidates: candidates(analysis, size),
        }
    }
}

impl Estimate {
    /// Returns what the page shows of a short search.
    pub fn new(analysis: &Analysis) -> Estimate {
        Estimate {
            win_rate_black: rounded(analysis.win_rate.0.0, 1000.0),
            lead_black: rounded(analysis.lead.0.0, 10.0),
            ownership: ownership(analysis),
        }
    }
}

impl CandidateView {
    fn new(candidate: &Candidate, size: Size) -> CandidateView {
        let line = candidate.line.iter().take(LONGEST_LINE);
        CandidateView {
            mv: move_text(candidate.mv, size),
            visits: candidate.visits,
            win_rate: rounded(candidate.win_rate.0.0, 1000.0),
            lead: rounded(candidate.lead.0.0, 10.0),
            prior: rounded(candidate.prior, 1000.0),
            line: line.map(|&mv| move_text(mv, size)).collect(),
        }
    }
}

/// Returns the candidates worth showing.
pub(crate) fn candidates(analysis: &Analysis, size: Size) -> Vec<CandidateView> {
    let seen = analysis.candidates.iter().filter(|it| it.visits > 0);
    seen.take(MOST_CANDIDATES)
        .map(|it| CandidateView::new(it, size))
        .collect()
}

fn ownership(analysis: &Analysis) -> Vec<f32> {
    let points = analysis.ownership.iter();
    points.map(|&it| rounded(it, 100.0)).collect()
}

/// Rounds to a fraction; more digits than an engine knows would only be noise.
pub(crate) fn rounded(value: f32, parts: f32) -> f32 {
    let value = (value * parts).round() / parts;
    // JSON has no infinities, and −0 reads badly.
    if value.is_finite() { value + 0.0 } else { 0.0 }
}
