//! What a search said of a position of a packed game: training's best targets.
//!
//! Small in JSON: moves as letters, visits as numbers, judgments rounded to what a
//! search can tell. Everything is Black's, as a packed game's result is.

use serde::{Deserialize, Serialize};
use shido_go::{Move, Size};
use shido_search::Analysis;

use super::packed::{read_moves, write_move};

/// The visits of a search's moves, and its judgment of the position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedSearch {
    /// The moves it visited, the most visited first.
    pub moves: String,
    /// How often each.
    pub visits: Vec<u32>,
    /// Black's chance to win.
    pub win: f32,
    /// Black's lead in points, komi counted.
    pub lead: f32,
}

impl PackedSearch {
    /// Keeps what training needs of an analysis; none if it visited no move.
    ///
    /// Of mirrored moves only the one that was searched is kept: copies of its visits
    /// would count the same visits again, and training turns boards anyway.
    pub fn of(analysis: &Analysis) -> Option<PackedSearch> {
        let candidates = analysis.candidates.iter();
        let mut visited: Vec<_> = candidates
            .filter(|it| it.visits > 0 && it.mirrors.is_none())
            .map(|it| (it.mv, u32::try_from(it.visits).unwrap_or(u32::MAX)))
            .collect();
        if visited.is_empty() {
            return None;
        }
        visited.sort_by_key(|it| std::cmp::Reverse(it.1));
        Some(PackedSearch {
            moves: visited.iter().map(|it| write_move(it.0)).collect(),
            visits: visited.iter().map(|it| it.1).collect(),
            win: rounded(analysis.win_rate.0.0, 1e4),
            lead: rounded(analysis.lead.0.0, 1e2),
        })
    }

    /// Returns the moves with their shares of the visits, or what is wrong with them.
    pub fn shares(&self, size: Size) -> Result<Vec<(Move, f32)>, String> {
        let moves = read_moves(&self.moves, size)?;
        if moves.len() != self.visits.len() {
            let counts = (moves.len(), self.visits.len());
            return Err(format!(
                "a search of {} moves with {} visits",
                counts.0, counts.1
            ));
        }
        let total: f64 = self.visits.iter().map(|&it| f64::from(it)).sum();
        if total == 0.0 {
            return Err("a search without visits".to_owned());
        }
        let share = |visits: u32| (f64::from(visits) / total) as f32;
        let visits = self.visits.iter().map(|&it| share(it));
        Ok(moves.into_iter().zip(visits).collect())
    }

    /// Says what is wrong with it on a board of this size, if anything is.
    pub(super) fn check(&self, size: Size) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.win) {
            return Err(format!("a search with a win rate of {}", self.win));
        }
        self.shares(size).map(drop)
    }
}

fn rounded(number: f32, parts: f32) -> f32 {
    (number * parts).round() / parts
}

#[cfg(test)]
mod tests {
    use shido_go::Color;
    use shido_search::{Candidate, ForBlack, Points, WinRate};

    use super::*;

    fn candidate(mv: Move, visits: u64, mirrors: Option<Move>) -> Candidate {
        Candidate {
            visits,
            mirrors,
            ..Candidate::unknown(mv)
        }
    }

    #[test]
    fn visits_are_kept_in_order_and_counted_once() {
        let size = Size::S9;
        let play = |x, y| Move::Play(size.point(x, y).unwrap());
        let analysis = Analysis {
            win_rate: ForBlack(WinRate(0.123_456)),
            lead: ForBlack(Points(-3.456)),
            candidates: vec![
                candidate(play(2, 2), 3, None),
                candidate(play(6, 6), 3, Some(play(2, 2))),
                candidate(play(4, 3), 5, None),
                candidate(Move::Pass, 2, None),
                candidate(play(0, 0), 0, None),
            ],
            ..Analysis::unknown(Color::White)
        };
        let found = PackedSearch::of(&analysis).unwrap();
        let text = serde_json::to_string(&found).unwrap();
        assert_eq!(
            text,
            r#"{"moves":"edcc--","visits":[5,3,2],"win":0.1235,"lead":-3.46}"#
        );
        assert_eq!(
            found.shares(size).unwrap(),
            [(play(4, 3), 0.5), (play(2, 2), 0.3), (Move::Pass, 0.2)]
        );
        assert_eq!(PackedSearch::of(&Analysis::unknown(Color::Black)), None);
    }
}
