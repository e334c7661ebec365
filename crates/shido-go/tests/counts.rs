//! Numbers that a board with any fault would get wrong: how many positions are
//! legal, and how many games of some length there are.

use shido_go::{Board, Color, Ko, Point, Position, Rules, Size};

/// Counts the ways to color the points from the `i`-th on so that every chain has a
/// liberty. Points not yet colored are empty, so a chain without one is lost for good.
fn count_legal(board: &mut Board, points: &[Point]) -> u64 {
    let [point, rest @ ..] = points else {
        return 1;
    };
    let mut count = count_legal(board, rest);
    for color in Color::BOTH {
        let takes = point
            .neighbors()
            .iter()
            .any(|&n| board.stone(n) == Some(!color) && board.atari(n).is_some());
        if takes || board.is_suicide(color, *point) {
            continue;
        }
        let undo = board.play_undoable(color, *point);
        count += count_legal(board, rest);
        board.undo(&undo);
    }
    count
}

#[track_caller]
fn check_legal(width: usize, height: usize, expect: u64) {
    let size = Size::new(width, height).unwrap();
    let points: Vec<_> = size.points().collect();
    let mut board = Board::new(size);
    assert_eq!(count_legal(&mut board, &points), expect);
    assert_eq!(board, Board::new(size));
}

#[test]
fn legal_positions_are_as_many_as_known() {
    check_legal(2, 2, 57);
    check_legal(3, 3, 12675);
    check_legal(2, 3, 489);
    check_legal(3, 2, 489);
    check_legal(2, 4, 4125);
    check_legal(3, 4, 321_689);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimization")]
fn legal_positions_of_four_by_four() {
    check_legal(4, 4, 24_318_165);
}

/// Counts the sequences of exactly `depth` moves, passes among them, that the rules allow.
fn count_games(position: &Position, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_over() {
        return 0;
    }
    position
        .legal_moves()
        .map(|mv| {
            let mut next = position.clone();
            next.play(mv).expect("the move is legal");
            count_games(&next, depth - 1)
        })
        .sum()
}

fn clear(cells: &mut [Option<Color>], chain: &[usize]) {
    for &stone in chain {
        cells[stone] = None;
    }
}

/// The same rules once more, as slowly and plainly as they can be written.
#[derive(Clone)]
struct Naive {
    width: usize,
    height: usize,
    rules: Rules,
    cells: Vec<Option<Color>>,
    turn: Color,
    passes: usize,
    /// Stones and turn before each move.
    history: Vec<(Vec<Option<Color>>, Color)>,
}

impl Naive {
    fn neighbors(&self, at: usize) -> Vec<usize> {
        let (x, y) = (at % self.width, at / self.width);
        let mut found = Vec::new();
        if x > 0 {
            found.push(at - 1);
        }
        if x + 1 < self.width {
            found.push(at + 1);
        }
        if y > 0 {
            found.push(at - self.width);
        }
        if y + 1 < self.height {
            found.push(at + self.width);
        }
        found
    }

    /// Returns the chain at a place and whether it has a liberty.
    fn chain(&self, cells: &[Option<Color>], at: usize) -> (Vec<usize>, bool) {
        let mut chain = vec![at];
        let mut free = false;
        let mut i = 0;
        while i < chain.len() {
            for n in self.neighbors(chain[i]) {
                free |= cells[n].is_none();
                if cells[n] == cells[at] && !chain.contains(&n) {
                    chain.push(n);
                }
            }
            i += 1;
        }
        (chain, free)
    }

    fn after(&self, at: usize) -> Option<Vec<Option<Color>>> {
        let mut cells = self.cells.clone();
        if cells[at].is_some() {
            return None;
        }
        cells[at] = Some(self.turn);
        for n in self.neighbors(at) {
            if cells[n] == Some(!self.turn) {
                let (chain, free) = self.chain(&cells, n);
                if !free {
                    clear(&mut cells, &chain);
                }
            }
        }
        let (chain, free) = self.chain(&cells, at);
        if !free {
            if !self.rules.suicide || chain.len() == 1 {
                return None;
            }
            clear(&mut cells, &chain);
        }
        let mut earlier = self.history.clone();
        earlier.push((self.cells.clone(), self.turn));
        let repeats = match self.rules.ko {
            // The stones of one move ago, with no pass between.
            Ko::Simple => self.passes == 0 && self.history.last().is_some_and(|h| h.0 == cells),
            Ko::Positional => earlier.iter().any(|h| h.0 == cells),
            Ko::Situational => earlier.contains(&(cells.clone(), !self.turn)),
        };
        (!repeats).then_some(cells)
    }

    fn count(&self, depth: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.passes == 2 {
            return 0;
        }
        let mut next = self.clone();
        next.history.push((self.cells.clone(), self.turn));
        next.turn = !self.turn;
        next.passes += 1;
        let mut count = next.count(depth - 1);
        next.passes = 0;
        for at in 0..self.cells.len() {
            if let Some(cells) = self.after(at) {
                next.cells = cells;
                count += next.count(depth - 1);
            }
        }
        count
    }
}

#[track_caller]
fn check_games(size: (usize, usize), rules: Rules, depth: usize, expect: u64) {
    let (width, height) = size;
    let position = Position::new(Size::new(width, height).unwrap(), rules, 0.0);
    let naive = Naive {
        width,
        height,
        rules,
        cells: vec![None; width * height],
        turn: Color::Black,
        passes: 0,
        history: Vec::new(),
    };
    let found = count_games(&position, depth);
    assert_eq!(found, naive.count(depth), "the plain rules disagree");
    assert_eq!(found, expect);
}

#[test]
fn games_are_as_many_as_the_plain_rules_allow() {
    check_games((2, 2), Rules::TROMP_TAYLOR, 7, 1088);
    check_games((2, 2), Rules::TROMP_TAYLOR, 10, 8024);
    check_games((2, 2), Rules::AGA, 10, 8800);
    check_games((2, 2), Rules::JAPANESE, 7, 1168);
    check_games((3, 2), Rules::NEW_ZEALAND, 6, 9866);
    check_games((2, 3), Rules::CHINESE_OGS, 6, 8666);
    check_games((3, 3), Rules::CHINESE, 5, 33_384);
    check_games((3, 3), Rules::TROMP_TAYLOR, 6, 180_768);
}

#[test]
fn the_first_moves_of_a_larger_board() {
    // Nothing can be captured in two moves.
    let moves = |depth| {
        count_games(
            &Position::new(Size::new(9, 9).unwrap(), Rules::CHINESE, 0.0),
            depth,
        )
    };
    assert_eq!(moves(1), 82);
    assert_eq!(moves(2), 81 * 81 + 82);
}
