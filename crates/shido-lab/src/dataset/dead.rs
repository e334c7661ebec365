//! Which stones were dead when a game was counted.
//!
//! Records do not say. Playouts from the last position guess it, and the guess is
//! believed only if the count then is the recorded result: a check that a wrong
//! guess seldom passes. In a game of our own the players' word stands in for the record.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_engine::settle::Settlement;
use shido_go::{Color, PointSet, Position, Score, Scoring};
use shido_patterns::playout::Playout;
use shido_patterns::policy::Policy;

/// Playouts from a last position.
const PLAYOUTS: usize = 48;
/// A count may miss the result by this: a neutral point, or a last pass, at area scoring.
const SLACK_AREA: f32 = 1.0;
/// Under territory scoring it must be exact.
const SLACK_TERRITORY: f32 = 0.0;
/// The share of the points about which a count and an ownership map may differ: those of a seki.
const DOUBTED: f32 = 0.05;

/// Returns the dead stones with which a position's count is the recorded one, if any are found.
pub fn find_dead(position: &Position, policy: &Policy, recorded: Score) -> Option<PointSet> {
    let slack = match position.rules().scoring {
        Scoring::Area => SLACK_AREA,
        Scoring::Territory => SLACK_TERRITORY,
    };
    let fits = |dead: &PointSet| {
        let counted = position.score(dead).lead(Color::Black);
        (counted - recorded.lead(Color::Black)).abs() <= slack
    };
    let ownership = ownership(position, policy);
    let dead = Settlement::new(position.board(), &ownership).dead();
    if fits(&dead) {
        return Some(dead);
    }
    let nothing = PointSet::default();
    fits(&nothing).then_some(nothing)
}

/// Returns the dead stones of a game that two passes have ended, if they are beyond doubt.
///
/// There are none where the rules leave them on the board. Elsewhere an ownership map of
/// the player's names them, playouts must come to the same count, and the count must give
/// the points to those whom the map gave them: else the passes came too early.
pub fn agree_on_dead(position: &Position, policy: &Policy, ownership: &[f32]) -> Option<PointSet> {
    if !position.rules().ends_by_agreement() {
        return Some(PointSet::default());
    }
    let named = Settlement::new(position.board(), ownership).dead();
    let owners = position.board().without(&named).owners(position.rules());
    let sure = position
        .size()
        .points()
        .zip(ownership)
        .filter(|it| it.1.abs() > 0.5);
    let doubted = sure.filter(|&(point, &black)| {
        let owner = if black > 0.0 {
            Color::Black
        } else {
            Color::White
        };
        owners.of(point) != Some(owner)
    });
    if doubted.count() as f32 > DOUBTED * position.size().area() as f32 {
        return None;
    }
    find_dead(position, policy, position.score(&named)).map(|_| named)
}

/// Returns how often Black, less how often White, owns each point after playouts.
fn ownership(position: &Position, policy: &Policy) -> Vec<f32> {
    let size = position.size();
    let mut sums = vec![0.0; size.area()];
    // Equal positions are judged equally, whoever asks.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(position.hash());
    let last = position.last_move().and_then(|it| it.mv.point());
    let starts = Color::BOTH.map(|color| Playout::new(position.board(), color, last, policy));
    let mut playout = starts[0].clone();
    let limit = 3 * size.area();
    for i in 0..PLAYOUTS {
        playout.copy_from(&starts[i % 2]);
        playout.run(policy, &mut rng, limit, |_, _| {});
        for (sum, point) in sums.iter_mut().zip(size.points()) {
            *sum += match playout.owner(point) {
                Some(Color::Black) => 1.0,
                Some(Color::White) => -1.0,
                None => 0.0,
            };
        }
    }
    for sum in &mut sums {
        *sum /= PLAYOUTS as f32;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Diagram, Rules};

    const END: &str = "
        . X O . . . . . .
        X X O . X . . . .
        . X O O O O O O O
        X X X X X X O . O
        . . . . . X O O .
        . . O . . X X O O
        . . . . . . X O .
        . . . . . . X O O
        . . . . . . X O .";

    #[test]
    fn dead_stones_are_believed_when_the_count_fits() {
        let diagram = Diagram::parse(END).unwrap();
        let position = Position::from_board(diagram.board, Color::Black, Rules::JAPANESE, 0.5);
        let policy = Policy::embedded();
        let size = position.size();
        let dead: PointSet = [(4, 1), (2, 5)]
            .into_iter()
            .filter_map(|(x, y)| size.point(x, y))
            .collect();
        let truth = position.score(&dead);
        assert_eq!(find_dead(&position, &policy, truth), Some(dead));
        let wrong = Score::ahead(Color::White, 40.5);
        assert_eq!(find_dead(&position, &policy, wrong), None);
    }

    #[test]
    fn playouts_must_agree_with_the_player_where_dead_stones_come_off() {
        let board = Diagram::parse(END).unwrap().board;
        let size = board.size();
        let policy = Policy::embedded();
        // Black has the left and the bottom; White's stone there and Black's above are dead.
        let bottom_left =
            |x: usize, y: usize| (x < 2 && y < 4) || (y > 2 && x < 6) || (x == 6 && y > 4);
        let owner = |right: bool| if right { 0.9 } else { -0.9 };
        let right: Vec<f32> = size
            .points()
            .map(|it| owner(bottom_left(it.x(), it.y())))
            .collect();
        let wrong: Vec<f32> = right.iter().map(|it| -it).collect();
        let judge = |rules: Rules, ownership: &[f32]| {
            let position = Position::from_board(board.clone(), Color::Black, rules, 0.5);
            agree_on_dead(&position, &policy, ownership).map(|it| it.len())
        };
        assert_eq!(judge(Rules::JAPANESE, &right), Some(2));
        assert_eq!(judge(Rules::JAPANESE, &wrong), None);
        assert_eq!(judge(Rules::TROMP_TAYLOR, &wrong), Some(0));

        // Nobody's count, but the map has an owner for it.
        let open = Position::new(size, Rules::JAPANESE, 0.5);
        assert_eq!(agree_on_dead(&open, &policy, &[0.6; 81]), None);
        assert_eq!(
            agree_on_dead(&open, &policy, &[0.1; 81]).map(|it| it.len()),
            Some(0)
        );
    }
}
