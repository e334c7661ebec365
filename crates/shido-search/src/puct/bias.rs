//! What the evaluator gets wrong about a local shape, learned during the search.
//!
//! Where a subtree shows that the evaluation of the position after a move was off,
//! it is likely off in the same way wherever the same move answers the same move in
//! the same surroundings. The mean error of all such positions so far corrects a
//! part of each one's own evaluation (KataGo's *subtree value bias*).

use std::collections::HashMap;

use shido_go::{Cell, Color, Move, Point, Position, STRIDE};

use super::settings::BiasSettings;

/// Errors of less weight than this say nothing.
const LEAST_WEIGHT: f64 = 0.001;

/// The shape a move was played in; 0 for none.
pub(super) type Shape = u64;

/// The errors seen in each shape.
#[derive(Debug, Default)]
pub(super) struct BiasTable {
    errors: HashMap<Shape, Errors>,
}

/// What one node, or all nodes of a shape, say about the error there.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Errors {
    /// Utility below the node less that of its own evaluation, by weight.
    delta: f64,
    weight: f64,
}

impl BiasTable {
    pub(super) fn clear(&mut self) {
        self.errors.clear();
    }

    /// Replaces what a node said about its shape, and returns the correction of its
    /// own evaluation.
    ///
    /// `below` is how much the node's children differ from its own evaluation, and
    /// what they weigh.
    pub(super) fn correct(
        &mut self,
        shape: Shape,
        said: &mut Errors,
        below: Option<(f64, f64)>,
        settings: BiasSettings,
    ) -> f64 {
        let all = self.errors.entry(shape).or_default();
        if let Some((difference, weight)) = below {
            let weight = weight.powf(f64::from(settings.weight_exponent));
            let new = Errors {
                delta: difference * weight,
                weight,
            };
            all.delta += new.delta - said.delta;
            all.weight += new.weight - said.weight;
            *said = new;
        }
        if all.weight > LEAST_WEIGHT {
            f64::from(settings.factor) * all.delta / all.weight
        } else {
            0.0
        }
    }
}

/// Returns what identifies a move of the player to move in its surroundings: the move
/// before it, the ko, and the stones around with those in atari told apart.
pub(super) fn shape(position: &Position, mv: Move) -> Shape {
    let board = position.board();
    let number = |mv: Option<Move>| mv.map_or(1, |it| it.point().map_or(2, Point::index)) as u64;
    let mut hash = mix(0, number(position.last_move().map(|it| it.mv)));
    hash = mix(hash, number(Some(mv)));
    hash = mix(hash, board.ko().map_or(0, Point::index) as u64);
    hash = mix(hash, position.to_move().index() as u64);
    if let Move::Play(point) = mv {
        let mut around = 0u64;
        let mut atari = 0u64;
        for dy in -2..=2isize {
            for dx in -2..=2isize {
                let neighbor = point.stepped(dy * STRIDE as isize + dx);
                let cell = match board.cell(neighbor) {
                    Cell::Empty => 0,
                    Cell::Black => 1,
                    Cell::White => 2,
                    Cell::Edge => 3,
                };
                let stone: Option<Color> = board.stone(neighbor);
                let in_atari = stone.is_some() && board.atari(neighbor).is_some();
                around = around << 2 | cell;
                atari = atari << 1 | u64::from(in_atari);
            }
        }
        hash = mix(mix(hash, around), atari);
    }
    hash | 1
}

fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Rules, Size};

    #[test]
    fn a_shape_is_the_same_elsewhere_in_the_game_and_not_among_other_stones() {
        let at = |x, y| Move::Play(Size::S9.point(x, y).expect("on the board"));
        let after = |moves: &[Move]| {
            let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
            for &mv in moves {
                position.play(mv).expect("legal");
            }
            position
        };
        let far = after(&[at(8, 8), at(8, 0), at(2, 2), at(2, 3)]);
        let near = after(&[at(3, 3), at(8, 0), at(2, 2), at(2, 3)]);
        let other = after(&[at(0, 8), at(8, 0), at(2, 2), at(2, 3)]);
        let shape = |position: &Position| shape(position, at(3, 2));
        assert_eq!(shape(&far), shape(&other));
        assert_ne!(shape(&far), shape(&near));
        assert_ne!(shape(&far), super::shape(&far, at(3, 4)));
    }

    #[test]
    fn the_mean_error_of_a_shape_corrects_all_of_it() {
        let settings = BiasSettings {
            factor: 0.5,
            weight_exponent: 1.0,
        };
        let mut table = BiasTable::default();
        let (mut first, mut second) = (Errors::default(), Errors::default());
        assert_eq!(table.correct(7, &mut first, None, settings), 0.0);
        let correction = table.correct(7, &mut first, Some((0.4, 3.0)), settings);
        assert!((correction - 0.2).abs() < 1e-12);
        // Means by weight: (0.4 · 3 − 0.4 · 1) / 4, halved.
        let correction = table.correct(7, &mut second, Some((-0.4, 1.0)), settings);
        assert!((correction - 0.1).abs() < 1e-12);
        // What a node said before is replaced, not added to.
        let correction = table.correct(7, &mut first, Some((0.2, 3.0)), settings);
        assert!((correction - 0.025).abs() < 1e-12);
        assert_eq!(
            table.correct(8, &mut Errors::default(), None, settings),
            0.0
        );
    }
}
