//! An analyst that does not think: a test double whose every answer can be told beforehand.
//!
//! It wants to play the first points, in reading order, that are legal and no
//! eye. A lone stone that only the opponent touches is dead; everything else is
//! alive and owns what it surrounds. While the board is half empty nobody owns anything.
//! The game is even, but whoever has a stone on the last point is sure to win.

use std::thread;
use std::time::Duration;

use shido_engine::{Analyst, Limits};
use shido_go::{Board, Color, Move, PointSet, Position};
use shido_search::{Analysis, Candidate, ForMover, Points, Utility, WinRate};

/// Answers at once; [`Analyst::watch`] reports twice and then waits for the flag
/// unless there is another limit.
pub(crate) struct Scripted;

impl Scripted {
    fn look(position: &Position) -> Analysis {
        let (board, color) = (position.board(), position.to_move());
        let points = board.size().points();
        let moves: Vec<_> = points
            .filter(|&point| !board.is_eye(color, point))
            .map(Move::Play)
            .filter(|&mv| position.is_legal(color, mv))
            .take(3)
            .chain([Move::Pass])
            .collect();
        let last = board.size().points().last();
        let chance = match last.and_then(|it| board.stone(it)) {
            Some(winner) if winner == color => 0.95,
            Some(_) => 0.05,
            None => 0.5,
        };
        let chance = ForMover(WinRate(chance));
        let area = board.without(&dead(board)).area();
        let owner = |point| match area.of(point) {
            _ if 2 * board.empty_count() > board.size().area() => 0.0,
            Some(Color::Black) => 0.9,
            Some(Color::White) => -0.9,
            None => 0.0,
        };
        Analysis {
            to_move: color,
            visits: 160,
            playouts: 160,
            weight: 160.0,
            win_rate: chance.for_black(color),
            lead: ForMover(Points(0.0)).for_black(color),
            score_deviation: Points(10.0),
            ownership: board.size().points().map(owner).collect(),
            candidates: moves
                .iter()
                .zip([80, 40, 20, 10])
                .map(|(&mv, visits)| candidate(mv, visits, chance))
                .collect(),
            ..Analysis::unknown(color)
        }
    }
}

fn candidate(mv: Move, visits: u64, win_rate: ForMover<WinRate>) -> Candidate {
    Candidate {
        mv,
        visits,
        win_rate,
        lower_bound: ForMover(WinRate(0.25)),
        lead: ForMover(Points(1.5)),
        score_deviation: Points(10.0),
        score_mean: ForMover(Points(1.5)),
        utility_lower_bound: ForMover(Utility(-0.5)),
        prior: 0.125,
        weight: visits as f32,
        line: vec![mv, Move::Pass],
        ..Candidate::unknown(mv)
    }
}

fn dead(board: &Board) -> PointSet {
    let is_dead = |&stone: &shido_go::Point| {
        let Some(color) = board.stone(stone) else {
            return false;
        };
        let mut touching = stone.neighbors().into_iter();
        board.chain_len(stone) == 1 && touching.any(|it| board.stone(it) == Some(!color))
    };
    board.size().points().filter(is_dead).collect()
}

impl Analyst for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn analyze(&mut self, position: &Position, _: &Limits) -> Analysis {
        Scripted::look(position)
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: Duration,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let analysis = Scripted::look(position);
        report(&analysis);
        report(&analysis);
        let endless = limits.playouts_beyond(0).is_none() && limits.time.is_none();
        while endless && !limits.stop.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
        analysis
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        let legal: Vec<_> = position.legal_moves().collect();
        let share = 1.0 / legal.len() as f32;
        let points = position.size().points().map(Move::Play).chain([Move::Pass]);
        let prior = |mv| if legal.contains(&mv) { share } else { 0.0 };
        points.map(prior).collect()
    }

    fn forget(&mut self) {}
}
