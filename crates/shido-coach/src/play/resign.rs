//! When a partner resigns: rarely and late.
//!
//! A student wants to see the game they won; giving up early takes that away. So a
//! partner resigns only when it has long been hopeless, far behind, and the board is
//! well filled; not while it still wants to lose points with its moves, which a weak level
//! does when a strong one would have given up; and not after a pass of its own, which
//! asked for the count.

use serde::{Deserialize, Serialize};
use shido_go::{Color, Played, Position};
use shido_search::{ForMover, Points, WinRate};

use super::error::{SettingsError, count_within, within};
use super::progress::moves_made;

/// When to resign.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResignRule {
    /// Whether the partner resigns at all.
    pub enabled: bool,
    /// Chance to win below which a game is hopeless.
    pub win_rate_below: f32,
    /// Points behind from which it is.
    pub behind: f32,
    /// Own moves in a row that must be hopeless.
    pub in_a_row: u64,
    /// Moves, as a share of the board's points, before which nobody resigns.
    pub not_before: f32,
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule {
            enabled: true,
            win_rate_below: 0.02,
            behind: 25.0,
            in_a_row: 5,
            not_before: 0.6,
        }
    }
}

/// How a game looked to the partner at one of its moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// The chance to win with the best candidate.
    pub win_rate: ForMover<WinRate>,
    /// The lead with the best candidate, komi as it really is.
    pub lead: ForMover<Points>,
}

impl ResignRule {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("resign.win-rate-below", self.win_rate_below, 0.0, 1.0)?;
        within("resign.behind", self.behind, 0.0, 1000.0)?;
        count_within("resign.in-a-row", self.in_a_row, 1, 1000)?;
        within("resign.not-before", self.not_before, 0.0, 10.0)
    }

    /// Returns the rule for a partner that gives points away until it is so far behind
    /// ([`super::AdvantageControl::lead_range`]): who still gives does not give up.
    #[must_use]
    pub fn after_giving(self, lead_range: f32) -> ResignRule {
        ResignRule {
            behind: self.behind.max(lead_range),
            ..self
        }
    }

    /// Returns whether the partner gives up, its outlooks of this game being given,
    /// the latest last ([`super::WhyRecord::outlook`]).
    pub fn resigns(&self, position: &Position, outlooks: &[Outlook]) -> bool {
        let own = |it: &&Played| it.color == position.to_move();
        // White's passes before its first stone only let Black put the handicap down.
        let handicap = |it: &&Played| it.color == Color::White && it.mv.is_pass();
        let mut own = position.moves().iter().filter(own).skip_while(handicap);
        if own.any(|it| it.mv.is_pass()) {
            return false;
        }
        let late = moves_made(position) >= self.not_before * position.size().area() as f32;
        let count = self.in_a_row as usize;
        let latest = outlooks.len().checked_sub(count).map(|at| &outlooks[at..]);
        self.enabled && late && latest.is_some_and(|it| it.iter().all(|it| self.is_hopeless(*it)))
    }

    fn is_hopeless(&self, outlook: Outlook) -> bool {
        outlook.win_rate.0.0 < self.win_rate_below && outlook.lead.0.0 < -self.behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Move, Rules, Size};

    fn game(moves: usize) -> Position {
        let mut position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        for point in Size::S9.points().filter(|it| it.x() % 3 != 2).take(moves) {
            position.play(Move::Play(point)).unwrap();
        }
        position
    }

    fn outlook(win_rate: f32, lead: f32) -> Outlook {
        Outlook {
            win_rate: ForMover(WinRate(win_rate)),
            lead: ForMover(Points(lead)),
        }
    }

    #[test]
    fn only_a_long_hopeless_game_is_given_up_and_late() {
        let rule = ResignRule::default();
        let lost = vec![outlook(0.001, -40.0); 5];
        assert!(rule.resigns(&game(49), &lost));
        assert!(!rule.resigns(&game(48), &lost));
        assert!(!rule.resigns(&game(49), &lost[1..]));
        let mut passed = game(49);
        passed.play(Move::Pass).unwrap();
        assert!(rule.resigns(&passed, &lost));
        passed.play(Move::Pass).unwrap();
        assert!(!rule.resigns(&passed, &lost), "it asked for the count");
        let mut hope = lost.clone();
        hope[2] = outlook(0.001, -20.0);
        assert!(!rule.resigns(&game(49), &hope));
        hope[2] = outlook(0.05, -40.0);
        assert!(!rule.resigns(&game(49), &hope));
        let never = ResignRule {
            enabled: false,
            ..rule
        };
        assert!(!never.resigns(&game(49), &lost));
    }

    /// Clients send handicap stones as moves that White passes between.
    #[test]
    fn passes_between_handicap_stones_ask_for_no_count() {
        let lost = vec![outlook(0.001, -40.0); 5];
        let mut position = Position::new(Size::S9, Rules::JAPANESE, 0.5);
        let points = Size::S9.points().filter(|it| it.x() % 3 != 2);
        for (i, point) in points.take(49).enumerate() {
            position.play(Move::Play(point)).unwrap();
            if i < 3 {
                position.play(Move::Pass).unwrap();
            }
        }
        let rule = ResignRule::default();
        assert_eq!(position.to_move(), Color::Black);
        assert!(rule.resigns(&position, &lost));
        position.play(Move::Pass).unwrap();
        assert!(
            rule.resigns(&position, &lost),
            "Black's pass is not White's"
        );
        position.play(Move::Pass).unwrap();
        position.play(Move::Pass).unwrap();
        assert!(
            !rule.resigns(&position, &lost),
            "this one asks for the count"
        );
    }

    #[test]
    fn who_still_gives_points_away_does_not_give_up() {
        let outlooks = vec![outlook(0.001, -40.0); 5];
        let check = |lead_range, gives_up| {
            let rule = ResignRule::default().after_giving(lead_range);
            assert_eq!(rule.resigns(&game(49), &outlooks), gives_up, "{lead_range}");
        };
        check(25.0, true);
        check(39.0, true);
        check(81.0, false);
    }
}
