//! Near the opponent's latest move: factors on move probabilities by distance
//! (SF21, §4.2, method B).
//!
//! People answer where the opponent played; strong engines often do not. Inside the
//! search, at every position, a move's probability is multiplied by a weight that
//! falls with its distance from the latest move. If the player to move has no stone
//! near that move, it was no attack and nothing is changed.

use serde::{Deserialize, Serialize};
use shido_go::{Color, Move, Point, Position};
use shido_search::puct::PriorWeights;

use super::error::{SettingsError, within};

/// The distances up to which each weight but the last holds.
const UP_TO: [f64; 6] = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
/// How far a stone of the player to move may be from the latest move to be near it.
const NEAR: f64 = 3.0;
/// [`NEAR`] in whole lines.
const NEAR_LINES: usize = 3;

/// The weights of the seven segments of distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DistanceWeights {
    /// For distances up to 2, 3, 4, 5, 6 and 7, and beyond.
    pub weights: [f32; 7],
}

impl Default for DistanceWeights {
    fn default() -> DistanceWeights {
        DistanceWeights {
            weights: [1.5, 1.25, 1.0, 0.75, 0.5, 0.25, 0.1],
        }
    }
}

impl DistanceWeights {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        for weight in self.weights {
            within("gentle.distance-weights", weight, 0.0, 100.0)?;
        }
        Ok(())
    }

    /// Returns the weight of a distance in lines.
    pub fn of(&self, distance: f64) -> f32 {
        let segment = UP_TO.iter().position(|&most| distance <= most);
        self.weights[segment.unwrap_or(UP_TO.len())]
    }
}

impl PriorWeights for DistanceWeights {
    fn weight(&self, position: &Position, mv: Move) -> f32 {
        let mover = position.to_move();
        let last = position.last_move().filter(|last| last.color != mover);
        match (last.and_then(|last| last.mv.point()), mv.point()) {
            (Some(last), Some(point)) if has_stone_near(position, mover, last) => {
                self.of(last.distance(point))
            }
            _ => 1.0,
        }
    }
}

/// Returns whether a color has a stone near a point.
fn has_stone_near(position: &Position, color: Color, point: Point) -> bool {
    let board = position.board();
    let lines =
        |at: usize, size: usize| at.saturating_sub(NEAR_LINES)..=(at + NEAR_LINES).min(size - 1);
    let size = board.size();
    lines(point.y(), size.height()).any(|y| {
        lines(point.x(), size.width()).any(|x| {
            size.point(x, y).is_some_and(|near| {
                board.stone(near) == Some(color) && near.distance(point) <= NEAR
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Rules, Size, gtp};

    #[test]
    fn seven_segments() {
        let weights = DistanceWeights::default();
        let cases = [
            (1.0, 1.5),
            (2.0, 1.5),
            (2.3, 1.25),
            (3.0, 1.25),
            (4.0, 1.0),
            (5.0, 0.75),
            (6.0, 0.5),
            (7.0, 0.25),
            (7.1, 0.1),
            (20.0, 0.1),
        ];
        for (distance, weight) in cases {
            assert_eq!(weights.of(distance), weight, "{distance}");
        }
    }

    /// Plays moves on 13×13 and asks for weights.
    #[track_caller]
    fn check(moves: &[&str], cases: &[(&str, f32)]) {
        let read = |vertex: &str| gtp::parse_vertex(vertex, Size::S13).unwrap();
        let mut position = Position::new(Size::S13, Rules::JAPANESE, 6.5);
        for vertex in moves {
            position.play(read(vertex)).unwrap();
        }
        for &(vertex, weight) in cases {
            let found = DistanceWeights::default().weight(&position, read(vertex));
            assert_eq!(found, weight, "{vertex}");
        }
    }

    #[test]
    fn far_moves_are_less_likely_where_the_opponent_attacks() {
        // White at D4, Black comes to D6 (distance 2), White to move.
        check(
            &["K10", "D4", "D6"],
            &[("D5", 1.5), ("D10", 1.0), ("M4", 0.1), ("pass", 1.0)],
        );
    }

    #[test]
    fn nothing_is_changed_where_the_mover_has_no_stone() {
        check(&["K10", "D4", "K4"], &[("D5", 1.0), ("K3", 1.0)]);
        // A knight's move and more: distance √10 is not near.
        check(&["K10", "D4", "E7"], &[("K3", 1.0)]);
        check(&["K10", "D4", "G4"], &[("A13", 0.1)]);
        check(&[], &[("D4", 1.0)]);
        check(&["K10", "pass"], &[("D4", 1.0)]);
    }
}
