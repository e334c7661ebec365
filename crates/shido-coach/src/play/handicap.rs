//! White in handicap games: patient, without desperate moves.
//!
//! Behind by the worth of the stones, a search sees a lost game and gambles, and
//! advantage control plays its very best. But a handicap is meant to be made up for
//! over the whole game. So White is given an allowance: the lead Black should have
//! by now if both play equally well for their ranks. It is the whole handicap at
//! the first move and shrinks evenly, by half points, to nothing at
//! [`HandicapEase::until`]. The search gives White the allowance as komi, and the lead that control sees
//! contains it: a White on schedule is treated as even.

use serde::{Deserialize, Serialize};
use shido_go::{Color, Position, handicap};

use super::error::{SettingsError, within};
use super::progress::moves_made;

/// How a handicap is made up for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HandicapEase {
    /// Whether White is given an allowance.
    pub enabled: bool,
    /// Points that a move is worth at the start: twice the fair komi.
    pub points_per_stone: f32,
    /// Moves, as a share of the board's points, after which nothing is left of it.
    pub until: f32,
    /// The most points given, as a share of the board's points.
    pub most: f32,
}

impl Default for HandicapEase {
    fn default() -> HandicapEase {
        HandicapEase {
            enabled: true,
            points_per_stone: 14.0,
            until: 0.6,
            most: 0.5,
        }
    }
}

impl HandicapEase {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within(
            "handicap.points-per-stone",
            self.points_per_stone,
            0.0,
            100.0,
        )?;
        within("handicap.until", self.until, 0.0, 2.0)?;
        within("handicap.most", self.most, 0.0, 1.0)
    }

    /// Returns the lead that Black's handicap is worth at the first move, komi
    /// and what the rules give White for the stones taken off; 0 without a handicap.
    ///
    /// With `n` stones down and White to move Black has `n − 1` moves more than
    /// in an even game, and the first move, which is worth half a move.
    pub fn expected_lead(&self, position: &Position) -> f32 {
        let stones = match position.handicap() {
            0 => handicap::given(position.start(), &[]),
            stones => stones,
        };
        if stones < 2 {
            return 0.0;
        }
        // As every count has it: stones that were only set up are none to the rules.
        let bonus = position.rules().handicap_bonus;
        let compensation = position.komi() + bonus.points(position.handicap()) as f32;
        let worth = self.points_per_stone * (stones as f32 - 0.5) - compensation;
        let most = self.most * position.size().area() as f32;
        worth.clamp(0.0, most)
    }

    /// Returns the points that the player to move is still given, in halves: engines
    /// take no other komi.
    pub(super) fn allowance(&self, position: &Position) -> f32 {
        if !self.enabled || position.to_move() == Color::Black {
            return 0.0;
        }
        let length = self.until * position.size().area() as f32;
        let played = moves_made(position);
        if played >= length {
            return 0.0;
        }
        let left = self.expected_lead(position) * (1.0 - played / length);
        (2.0 * left).round() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Board, Move, Rules, Size};

    fn game(size: Size, stones: usize, komi: f32) -> Position {
        let mut board = Board::new(size);
        for point in handicap::fixed(size, stones).unwrap() {
            board.place(Color::Black, point);
        }
        let mut position = Position::from_board(board, Color::White, Rules::JAPANESE, komi);
        position.set_handicap(stones);
        position
    }

    #[test]
    fn the_whole_handicap_at_the_start_and_nothing_late() {
        let ease = HandicapEase::default();
        let mut position = game(Size::S19, 4, 0.5);
        assert_eq!(ease.allowance(&position), 14.0 * 3.5 - 0.5);
        let mut last = f32::INFINITY;
        let empty: Vec<_> = position.board().empty_points().collect();
        for point in empty.into_iter().take(240) {
            if position.to_move() == Color::White {
                let now = ease.allowance(&position);
                // Two moves are worth 0.45 points.
                assert!(
                    now <= last && last - now <= 0.5 || last.is_infinite(),
                    "{now}"
                );
                assert_eq!((2.0 * now).fract(), 0.0, "no komi is {now}");
                last = now;
            } else {
                assert_eq!(ease.allowance(&position), 0.0);
            }
            if position.play(Move::Play(point)).is_err() {
                position.play(Move::Pass).unwrap();
            }
        }
        assert_eq!(last, 0.0);
    }

    #[test]
    fn stones_set_up_count_and_an_even_game_has_none() {
        let ease = HandicapEase::default();
        let mut set_up = game(Size::S9, 3, 0.5);
        set_up.set_handicap(0);
        assert_eq!(ease.expected_lead(&set_up), 34.5);
        // A position from the middle of some game is no handicap, whoever has more stones.
        let mut fight = set_up.start().clone();
        fight.place(Color::White, Size::S9.point(4, 4).unwrap());
        let fight = Position::from_board(fight, Color::White, Rules::JAPANESE, 6.5);
        assert_eq!(ease.expected_lead(&fight), 0.0);
        let even = Position::new(Size::S19, Rules::JAPANESE, 6.5);
        assert_eq!(ease.expected_lead(&even), 0.0);
        // Nine stones on a small board cannot be worth more than there is.
        assert_eq!(ease.expected_lead(&game(Size::S9, 5, 0.5)), 40.5);
    }

    /// Leads have what the rules give White for the stones: the allowance must not give it again.
    #[test]
    fn what_the_rules_give_white_is_taken_off() {
        let ease = HandicapEase::default();
        for (rules, bonus) in [
            (Rules::JAPANESE, 0.0),
            (Rules::CHINESE, 4.0),
            (Rules::AGA, 3.0),
        ] {
            let mut game = game(Size::S19, 4, 0.5);
            game.set_rules(rules);
            assert_eq!(ease.expected_lead(&game), 14.0 * 3.5 - 0.5 - bonus);
            // Stones that only lie there are none to the count either.
            game.set_handicap(0);
            assert_eq!(ease.expected_lead(&game), 14.0 * 3.5 - 0.5);
        }
    }
}
