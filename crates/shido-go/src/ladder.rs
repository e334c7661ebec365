//! Ladders: can a chain be caught by atari after atari?
//!
//! The attacker plays liberties of the chain and must leave it in atari each
//! time; the defender extends or captures a chain in atari around it. The chain
//! is caught when it cannot reach two liberties, free when it has three on the
//! attacker's turn. Kos are given to the defender. The questions and conventions
//! are those of KataGo's ladder features.
//!
//! A [`LadderReader`] holds one board that it plays on and restores, so asking
//! about every chain of a position costs one copy. It cannot run away: a question
//! that is not settled within [`NODE_LIMIT`] moves is answered "not caught".

use crate::{Board, Cell, Color, Point};

/// The most moves played to answer one question, unless told otherwise.
pub const NODE_LIMIT: u32 = 30_000;

/// Reads ladders on a board of its own.
pub struct LadderReader {
    board: Board,
    /// Moves played for the question at hand.
    nodes: u32,
    limit: u32,
}

/// The first moves of working ladders against a chain with two liberties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkingMoves {
    moves: [Option<Point>; 2],
}

impl WorkingMoves {
    /// Returns whether no ladder works.
    pub fn is_empty(&self) -> bool {
        self.moves == [None; 2]
    }

    /// Returns the moves.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.moves.iter().flatten().copied()
    }
}

/// What a ladder says about a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ladder {
    /// No ladder catches it, or it has three liberties.
    Free,
    /// It is in atari and cannot get out.
    Caught,
    /// The opponent can catch it by one of these moves.
    Catchable(WorkingMoves),
}

impl LadderReader {
    /// Returns a reader for a board, which it copies.
    pub fn new(board: &Board) -> LadderReader {
        LadderReader {
            board: board.clone(),
            nodes: 0,
            limit: NODE_LIMIT,
        }
    }

    /// Returns the reader with another limit of moves for one question.
    pub fn with_limit(self, limit: u32) -> LadderReader {
        LadderReader { limit, ..self }
    }

    /// Turns to another board.
    pub fn load(&mut self, board: &Board) {
        if self.board.size() == board.size() {
            self.board.copy_from(board);
        } else {
            self.board = board.clone();
        }
    }

    /// Returns the board that questions are about.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Says what a ladder does to the chain of a stone.
    ///
    /// ```
    /// use shido_go::{Diagram, Ladder, LadderReader};
    ///
    /// let diagram = Diagram::parse("
    ///     . . . . .
    ///     . X . . .
    ///     X O X . .
    ///     . a . . .
    ///     . . . . .
    /// ").unwrap();
    /// let stone = diagram.board.size().point(1, 2).unwrap();
    /// let mut reader = LadderReader::new(&diagram.board);
    /// assert_eq!(reader.read(stone), Ladder::Free);
    /// ```
    pub fn read(&mut self, stone: Point) -> Ladder {
        match Liberties::of(&self.board, stone).count {
            1 if self.is_caught(stone) => Ladder::Caught,
            2 => match self.attacks(stone) {
                moves if moves.is_empty() => Ladder::Free,
                moves => Ladder::Catchable(moves),
            },
            _ => Ladder::Free,
        }
    }

    /// Returns whether a chain in atari is lost although its owner moves first.
    ///
    /// A chain with more liberties is not.
    pub fn is_caught(&mut self, stone: Point) -> bool {
        if self.board.stone(stone).is_none() || self.board.atari(stone).is_none() {
            return false;
        }
        self.nodes = 0;
        let ko = self.board.ko();
        self.board.clear_ko();
        let caught = !self.escapes(stone);
        self.board.set_ko(ko);
        caught
    }

    /// Returns the ataris that catch a chain with two liberties, its opponent moving first.
    pub fn attacks(&mut self, stone: Point) -> WorkingMoves {
        let mut working = WorkingMoves::default();
        let Some(color) = self.board.stone(stone) else {
            return working;
        };
        let liberties = Liberties::of(&self.board, stone);
        if liberties.count != 2 {
            return working;
        }
        let points = [liberties.points[0], liberties.points[1]];
        for (i, point) in points.into_iter().enumerate() {
            let way_out = points[1 - i];
            if self.is_wide(way_out) && !point.neighbors().contains(&way_out)
                || !self.board.is_legal(!color, point)
            {
                continue;
            }
            let undo = self.board.play_undoable(!color, point);
            if self.is_caught(stone) {
                working.moves[i] = Some(point);
            }
            self.board.undo(&undo);
        }
        working
    }

    /// Returns whether a chain in atari gets out, its owner to move.
    fn escapes(&mut self, stone: Point) -> bool {
        // A ladder that needs a ko is none; this also rules out endless play.
        if self.board.ko().is_some() || self.nodes >= self.limit {
            return true;
        }
        let Some(liberty) = self.board.atari(stone) else {
            return true;
        };
        if self.is_wide(liberty) {
            return true;
        }
        let color = self.color_of(stone);
        let captures = Captures::around(&self.board, stone);
        for point in captures.iter().chain([liberty]) {
            if !self.board.is_legal(color, point) {
                continue;
            }
            self.nodes += 1;
            let undo = self.board.play_undoable(color, point);
            let newest = self.newest_of(stone, point);
            let free = !self.falls(newest);
            self.board.undo(&undo);
            if free {
                return true;
            }
        }
        false
    }

    /// Returns whether a chain that extends to a point surely has three liberties.
    fn is_wide(&self, point: Point) -> bool {
        open_neighbors(&self.board, point) >= 3
    }

    /// Returns whether a chain is caught, the attacker to move.
    fn falls(&mut self, stone: Point) -> bool {
        let liberties = Liberties::of(&self.board, stone);
        if liberties.count != 2 {
            return liberties.count < 2;
        }
        if self.nodes >= self.limit {
            return false;
        }
        let color = self.color_of(stone);
        let [first, second] = [liberties.points[0], liberties.points[1]];
        if self.is_double_ko_death(stone, color, [first, second]) {
            return true;
        }
        for point in self.promising(color, [first, second]).into_iter().flatten() {
            if !self.board.is_legal(!color, point) {
                continue;
            }
            self.nodes += 1;
            let undo = self.board.play_undoable(!color, point);
            let caught = !self.escapes(stone);
            self.board.undo(&undo);
            if caught {
                return true;
            }
        }
        false
    }

    /// Leaves out ataris after which the defender surely has three liberties, and
    /// puts the point where the defender would gain most first.
    fn promising(&self, color: Color, points: [Point; 2]) -> [Option<Point>; 2] {
        let [first, second] = points;
        let room = points.map(|point| open_neighbors(&self.board, point));
        let mut tries = [Some(first), Some(second)];
        if !first.neighbors().contains(&second) {
            // The point not taken is the defender's next move.
            if room[1] >= 3 {
                tries[0] = None;
            }
            if room[0] >= 3 {
                tries[1] = None;
            }
        }
        if tries.contains(&None) {
            return tries;
        }
        let gain = |i: usize| 2 * room[i] + self.connection_gain(color, points[i]);
        if gain(1) > gain(0) {
            tries.swap(0, 1);
        }
        tries
    }

    /// Returns twice the liberties over 1.5 of each own chain that a point connects to.
    fn connection_gain(&self, color: Color, point: Point) -> usize {
        let own = point.neighbors();
        own.into_iter()
            .filter(|&n| self.board.stone(n) == Some(color))
            .map(|n| (2 * self.board.count_liberties(n, 8)).saturating_sub(3))
            .sum()
    }

    /// Returns whether both liberties are mouths of kos that do not help the defender:
    /// whichever is connected, the other is taken.
    fn is_double_ko_death(&self, stone: Point, color: Color, points: [Point; 2]) -> bool {
        points.iter().all(|&p| is_ko_mouth(&self.board, !color, p))
            && Captures::around(&self.board, stone).is_empty()
            && points.iter().all(|&p| self.liberties_after(color, p) <= 2)
    }

    /// Returns the liberties, up to three, that a stone at a point would have with its friends.
    fn liberties_after(&self, color: Color, point: Point) -> usize {
        let mut board = self.board.clone();
        board.play(color, point);
        Liberties::of(&board, point).count
    }

    /// Returns the stone just played if it belongs to the chain, since its
    /// liberties are the likeliest to be new; else the stone itself.
    fn newest_of(&self, stone: Point, played: Point) -> Point {
        if self.board.head(played) == self.board.head(stone) {
            played
        } else {
            stone
        }
    }

    fn color_of(&self, stone: Point) -> Color {
        self.board.stone(stone).expect("the chain is on the board")
    }
}

/// Up to three liberties of a chain.
struct Liberties {
    points: [Point; 3],
    count: usize,
}

impl Liberties {
    #[inline]
    fn of(board: &Board, stone: Point) -> Liberties {
        let mut found = Liberties {
            points: [stone; 3],
            count: 0,
        };
        if board.stone(stone).is_none() {
            return found;
        }
        if let Some(only) = board.atari(stone) {
            return Liberties {
                points: [only; 3],
                count: 1,
            };
        }
        // Done when the liberties found account for every contact of the chain.
        let head = board.head(stone);
        let mut open = board.contacts(stone).count();
        for stone in board.chain(stone) {
            for point in stone.neighbors() {
                if !board.is_empty(point) || found.has(point) {
                    continue;
                }
                found.points[found.count] = point;
                found.count += 1;
                let around = point.neighbors();
                open -= around
                    .iter()
                    .filter(|&&n| board.stone(n).is_some() && board.head(n) == head)
                    .count();
                if found.count == 3 || open == 0 {
                    return found;
                }
            }
        }
        found
    }

    fn has(&self, point: Point) -> bool {
        self.points[..self.count].contains(&point)
    }
}

/// Points where the owner of a chain takes a neighboring chain in atari.
///
/// Sixteen are enough: a chain in atari with more such neighbors is no ladder.
struct Captures {
    points: [Option<Point>; 16],
    count: usize,
}

impl Captures {
    fn around(board: &Board, stone: Point) -> Captures {
        let mut found = Captures {
            points: [None; 16],
            count: 0,
        };
        let Some(color) = board.stone(stone) else {
            return found;
        };
        for stone in board.chain(stone) {
            for neighbor in stone.neighbors() {
                if board.cell(neighbor) != Cell::from(!color) {
                    continue;
                }
                let Some(point) = board.atari(neighbor) else {
                    continue;
                };
                let known = found.points[..found.count].contains(&Some(point));
                if !known && found.count < found.points.len() {
                    found.points[found.count] = Some(point);
                    found.count += 1;
                }
            }
        }
        found
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn iter(&self) -> impl Iterator<Item = Point> {
        self.points.into_iter().flatten()
    }
}

fn open_neighbors(board: &Board, point: Point) -> usize {
    let around = point.neighbors();
    around.into_iter().filter(|&n| board.is_empty(n)).count()
}

/// Returns whether `taker` would take exactly one stone at a point and stand alone there.
fn is_ko_mouth(board: &Board, taker: Color, point: Point) -> bool {
    let mut taken = 0;
    for neighbor in point.neighbors() {
        match board.cell(neighbor) {
            Cell::Edge => {}
            cell if cell == Cell::from(!taker) => {
                if board.atari(neighbor).is_some() {
                    taken += board.chain_len(neighbor);
                    if taken > 1 {
                        return false;
                    }
                }
            }
            _ => return false,
        }
    }
    taken == 1
}
