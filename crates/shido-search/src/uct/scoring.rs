//! What the end of a playout is worth under the rules of the game.
//!
//! A playout fills the board, so it is counted by area. Under territory rules a
//! stone played at home costs a point: the area is corrected by how many more
//! stones one side has put on the board, which equals territory and prisoners
//! exactly when both sides stop together. Within the playout itself the sides
//! fill their own land to the last eye, so there only the stones up to the first
//! pass count.

use shido_go::{Color, HandicapBonus, Position, Scoring};

/// Turns the area of a finished playout into a score for Black.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counter {
    /// Points White starts with: komi and the bonus for handicap stones.
    white_bonus: f32,
    /// Under territory rules: stones Black has put down more than White before the search.
    stones: Option<f32>,
}

impl Counter {
    /// Counts with so many points more for White than the komi.
    pub(super) fn new(position: &Position, komi_offset: f32) -> Counter {
        let rules = position.rules();
        let handicap = position.handicap() as f32;
        let bonus = match rules.handicap_bonus {
            HandicapBonus::Zero => 0.0,
            HandicapBonus::Stones => handicap,
            HandicapBonus::StonesLessOne => (handicap - 1.0).max(0.0),
        };
        Counter {
            white_bonus: position.komi() + komi_offset + bonus,
            stones: (rules.scoring == Scoring::Territory).then(|| stones_put_down(position)),
        }
    }

    /// Returns Black's score: `area` is Black's area less White's, `stones` the stones
    /// Black has put down more than White during the search.
    pub(super) fn score(&self, area: f32, stones: f32) -> f32 {
        let tax = self.stones.map_or(0.0, |before| before + stones);
        area - tax - self.white_bonus
    }
}

/// Returns how many more stones Black has put on the board than White, setup included,
/// less the prisoners the setup started with.
fn stones_put_down(position: &Position) -> f32 {
    let start = position.start();
    let side = |color: Color| match color {
        Color::Black => 1.0,
        Color::White => -1.0,
    };
    let setup: f32 = position
        .size()
        .points()
        .filter_map(|p| start.stone(p))
        .map(side)
        .sum();
    let played: f32 = position
        .moves()
        .iter()
        .filter(|it| !it.mv.is_pass())
        .map(|it| side(it.color))
        .sum();
    let taken = start.prisoners(Color::Black) as f32 - start.prisoners(Color::White) as f32;
    setup + played - taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Move, Rules, Size};

    fn position(rules: Rules, moves: &[Option<(usize, usize)>]) -> Position {
        let mut position = Position::new(Size::S9, rules, 6.5);
        for mv in moves {
            let mv = mv.map_or(Move::Pass, |(x, y)| {
                Move::Play(Size::S9.point(x, y).expect("on the board"))
            });
            position.play(mv).expect("legal");
        }
        position
    }

    #[test]
    fn area_ignores_who_moved_more() {
        let position = position(Rules::CHINESE, &[Some((4, 4)), None, Some((4, 5))]);
        assert_eq!(Counter::new(&position, 0.0).score(81.0, 0.0), 74.5);
    }

    #[test]
    fn territory_does_not_count_stones_put_down() {
        // Two black stones own the board: 79 points of territory, 81 of area.
        let position = position(Rules::JAPANESE, &[Some((4, 4)), None, Some((4, 5))]);
        assert_eq!(Counter::new(&position, 0.0).score(81.0, 0.0), 79.0 - 6.5);
    }
}
