//! Ladders are not ignored (what SF21, §5.3.1 left open).
//!
//! Search misreads long ladders, and a partner that controls the position may leave
//! one on purpose; students notice both. When the opponent's latest move threatens
//! to catch three stones or more in a ladder, or runs out of one with as many, the
//! partner answers: it saves the stones, or keeps catching them. Stones that could
//! be caught before that move are not fought for, so dead stones stay dead.

use serde::{Deserialize, Serialize};
use shido_go::{Board, Color, Ladder, LadderReader, Move, Point, PointSet, Position, Size};

use super::error::{SettingsError, count_within, within};

/// The most moves read for one question here; a ladder across 19×19 needs about 100.
const READING: u32 = 3_000;

/// When a ladder must be answered.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LadderGuard {
    /// Whether ladders are looked at.
    pub enabled: bool,
    /// Stones from which a ladder counts.
    pub stones: u64,
    /// Points that the cheapest answer may lose on 19×19 before the ladder is left after
    /// all; on smaller boards fewer, by their sides.
    pub max_loss: f32,
}

impl Default for LadderGuard {
    fn default() -> LadderGuard {
        LadderGuard {
            enabled: true,
            stones: 3,
            max_loss: 20.0,
        }
    }
}

impl LadderGuard {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count_within("ladder.stones", self.stones, 1, 100)?;
        within("ladder.max-loss", self.max_loss, 0.0, 1000.0)
    }

    /// Returns whether an answer that loses so much is too dear.
    pub(super) fn is_dear(&self, loss: f32, size: Size) -> bool {
        let side = size.width().max(size.height());
        loss > self.max_loss * side as f32 / 19.0
    }

    /// Returns the ladder that the opponent's latest move asks to answer, if any.
    ///
    /// A save may lie far off, as a ladder breaker; `plausible` says which moves are
    /// tried beside those at hand, and is asked only if there is something to save.
    pub(super) fn threat(
        &self,
        position: &Position,
        plausible: &dyn Fn() -> Vec<Move>,
    ) -> Option<Threat> {
        let last = position.last_move()?;
        let color = position.to_move();
        let point = last.mv.point()?;
        if !self.enabled || last.color == color {
            return None;
        }
        let board = position.board();
        let mut before = board.clone();
        position.board_ago(1, &mut before);
        let threat = self
            .threatened(board, &before, color, plausible)
            .or_else(|| self.running(board, &before, point, color))?;
        (!threat.moves.is_empty()).then_some(threat)
    }

    /// Finds the largest own chain that has just become catchable and can be saved.
    fn threatened(
        &self,
        board: &Board,
        before: &Board,
        color: Color,
        plausible: &dyn Fn() -> Vec<Move>,
    ) -> Option<Threat> {
        let mut now = LadderReader::new(board).with_limit(READING);
        let mut then = LadderReader::new(before).with_limit(READING);
        let mut chains: Vec<_> = chains(board, color)
            .filter(|&head| board.chain_len(head) as u64 >= self.stones)
            .filter(|&head| is_in_danger(&mut now, head) && !is_in_danger(&mut then, head))
            .collect();
        chains.sort_by_key(|&head| (std::cmp::Reverse(board.chain_len(head)), head));
        if chains.is_empty() {
            return None;
        }
        let plausible = plausible().into_iter().filter_map(Move::point).collect();
        let threat = |stone| Threat::saving(board, stone, &plausible);
        chains
            .into_iter()
            .map(threat)
            .find(|it| !it.moves.is_empty())
    }

    /// Finds the opponent's chain that has just run out of atari and can still be caught.
    fn running(&self, board: &Board, before: &Board, at: Point, color: Color) -> Option<Threat> {
        board.stone(at)?;
        let was_in_atari = at.neighbors().iter().any(|&it| {
            before.stone(it) == Some(!color)
                && before.atari(it).is_some()
                && before.chain_len(it) as u64 + 1 >= self.stones
        });
        if !was_in_atari || (board.chain_len(at) as u64) < self.stones {
            return None;
        }
        let mut reader = LadderReader::new(board).with_limit(READING);
        match reader.read(at) {
            Ladder::Catchable(working) => Some(Threat {
                moves: working.iter().map(Move::Play).collect(),
            }),
            _ => None,
        }
    }
}

/// A ladder to answer, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Threat {
    /// The moves that answer it.
    pub(super) moves: Vec<Move>,
}

impl Threat {
    /// Returns whether a move answers it.
    pub(super) fn is_answered_by(&self, mv: Move) -> bool {
        self.moves.contains(&mv)
    }

    /// Collects the moves that save a chain, at hand or plausible.
    fn saving(board: &Board, stone: Point, plausible: &PointSet) -> Threat {
        let Some(color) = board.stone(stone) else {
            return Threat { moves: Vec::new() };
        };
        let mut tried = at_hand(board, stone, color);
        tried.extend_from(plausible);
        let mut reader = LadderReader::new(board).with_limit(READING);
        let mut after = board.clone();
        let mut saves = |point: Point| {
            after.copy_from(board);
            after.play(color, point);
            reader.load(&after);
            after.stone(stone) == Some(color)
                && after.atari(stone).is_none()
                && reader.attacks(stone).is_empty()
        };
        let moves = tried
            .iter()
            .filter(|&point| board.is_legal(color, point) && saves(point))
            .map(Move::Play)
            .collect();
        Threat { moves }
    }
}

/// Returns the points that may save a chain for sure or by capturing: its liberties,
/// those next to them, and those of the chains around it that are short of liberties.
fn at_hand(board: &Board, stone: Point, color: Color) -> PointSet {
    let mut points = board.liberties(stone);
    for liberty in board.liberties(stone).iter() {
        let near = liberty.neighbors().into_iter();
        points.extend_from(&near.filter(|&it| board.is_empty(it)).collect());
    }
    for own in board.chain(stone) {
        for other in own.neighbors() {
            if board.stone(other) == Some(!color) && board.count_liberties(other, 3) < 3 {
                points.extend_from(&board.liberties(other));
            }
        }
    }
    points
}

/// Returns whether the opponent, to move, would catch a chain by a ladder, or could take
/// it at once although it can still get away.
fn is_in_danger(reader: &mut LadderReader, stone: Point) -> bool {
    if reader.board().atari(stone).is_some() {
        return !reader.is_caught(stone);
    }
    matches!(reader.read(stone), Ladder::Catchable(_))
}

/// Returns the chains of a color, one stone of each.
fn chains(board: &Board, color: Color) -> impl Iterator<Item = Point> + '_ {
    board
        .size()
        .points()
        .filter(move |&it| board.stone(it) == Some(color) && board.head(it) == it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Diagram, Rules, gtp};

    /// Plays a move for Black on a diagram and asks White what must be answered.
    #[track_caller]
    fn check(picture: &str, black: &str, expect: &[&str], not: &[&str]) {
        let board = Diagram::parse(picture).unwrap().board;
        let size = board.size();
        let mut position = Position::from_board(board, Color::Black, Rules::JAPANESE, 6.5);
        position
            .play(gtp::parse_vertex(black, size).unwrap())
            .unwrap();
        let all: Vec<Move> = position.legal_moves().collect();
        let threat = LadderGuard::default().threat(&position, &|| all.clone());
        let read = |vertex: &&str| gtp::parse_vertex(vertex, size).unwrap();
        if expect.is_empty() {
            assert_eq!(threat, None);
            return;
        }
        let threat = threat.expect("a ladder to answer");
        for vertex in expect {
            assert!(threat.is_answered_by(read(vertex)), "{vertex}");
        }
        for vertex in not {
            assert!(!threat.is_answered_by(read(vertex)), "{vertex}");
        }
    }

    /// Three white stones with three liberties: D5, E5 and F6.
    const THREE: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . X X X . . . .
        . X O O O . . . .
        . . X . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn what_an_answer_may_lose_goes_with_the_board() {
        let guard = LadderGuard::default();
        let dear = |loss, size| guard.is_dear(loss, size);
        assert!(dear(20.1, Size::S19) && !dear(19.9, Size::S19));
        assert!(dear(9.6, Size::S9) && !dear(9.4, Size::S9));
    }

    #[test]
    fn a_threatened_chain_must_be_saved() {
        // After D5 Black threatens a ladder to the lower right, which G4 would break.
        check(
            THREE,
            "D5",
            &["F6", "E5", "G4"],
            &["A1", "B2", "J9", "pass"],
        );
        // A move elsewhere threatens nothing.
        check(THREE, "A1", &[], &[]);
    }

    #[test]
    fn two_stones_are_no_matter() {
        let two = THREE.replace("X O O O .", "X X O O .");
        check(&two, "D5", &[], &[]);
    }

    #[test]
    fn an_old_ladder_is_not_fought_for() {
        let old = THREE.replace(". . X . . . . . .", ". . X X . . . . .");
        check(&old, "A1", &[], &[]);
    }

    #[test]
    fn a_big_chain_in_atari_is_saved_if_it_can_be() {
        // Black C6 takes the last liberty but one; C2 joins the stones at D2.
        check(
            ". . . . . . .
             . . . . . . .
             . X O X . . .
             . X O X . . .
             . X O X O . .
             . . . O . . .
             . . . . . . .",
            "C6",
            &["C2"],
            &["A1", "D6", "pass"],
        );
    }

    #[test]
    fn a_running_ladder_is_carried_on() {
        // Black runs with D4 from atari; White must give atari again at E4.
        check(
            ". . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . O O . . . . .
             . O X X O . . . .
             . . O . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
            "D4",
            &["D3"],
            &["A1", "pass"],
        );
    }

    #[test]
    fn a_pass_and_an_empty_board_threaten_nothing() {
        let mut position = Position::new(shido_go::Size::S9, Rules::JAPANESE, 6.5);
        assert_eq!(LadderGuard::default().threat(&position, &Vec::new), None);
        position.play(Move::Pass).unwrap();
        assert_eq!(LadderGuard::default().threat(&position, &Vec::new), None);
    }
}
