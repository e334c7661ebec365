//! A position: stones, whose turn, by which rules, and how it came about.
//!
//! `play` enforces the position's rules (ko and superko, suicide, the end by two
//! passes); `undo` takes the latest move back. The history is what superko,
//! network inputs and teaching need; the board alone is [`crate::Board`].

use std::sync::Arc;

use std::fmt;

use crate::point::GRID;
use crate::{Board, Cell, Color, IllegalPlay, Ko, Move, Point, Rules, Size};

/// One move of a position's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Who moved.
    pub color: Color,
    /// What was played.
    pub mv: Move,
}

/// The move cannot be played; holds it and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{color} cannot play there: {why}")]
pub struct IllegalMove {
    /// Who wanted to move.
    pub color: Color,
    /// What they wanted to play.
    pub mv: Move,
    /// What forbids it.
    pub why: IllegalPlay,
}

/// What is kept of the board before a move.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// Hash of the stones.
    hash: u64,
    /// Who moved then.
    mover: Color,
    ko: Option<Point>,
    /// Where the stones that the move took off begin in `taken`.
    taken: u32,
}

/// Stones, turn, rules and history.
#[derive(Clone)]
pub struct Position {
    board: Board,
    rules: Rules,
    komi: f32,
    to_move: Color,
    moves: Vec<Played>,
    /// What stood before each move of `moves`.
    before: Vec<Before>,
    /// The stones every move took off, one move after the other.
    taken: Vec<Point>,
    /// Passes in a row at the end of `moves`.
    passes: u8,
    handicap: u8,
    /// Shared by all positions of a game, so that a copy is cheap.
    start: Arc<Board>,
    first: Color,
}

impl Position {
    /// Returns the empty board with Black to move.
    pub fn new(size: Size, rules: Rules, komi: f32) -> Position {
        Position::from_board(Board::new(size), Color::Black, rules, komi)
    }

    /// Returns a position that starts from stones already on the board.
    pub fn from_board(board: Board, to_move: Color, rules: Rules, komi: f32) -> Position {
        Position {
            start: Arc::new(board.clone()),
            board,
            rules,
            komi,
            to_move,
            moves: Vec::new(),
            before: Vec::new(),
            taken: Vec::new(),
            passes: 0,
            handicap: 0,
            first: to_move,
        }
    }

    /// Makes this an equal of another position, reusing the memory it holds.
    ///
    /// A search sets out from its root thousands of times a second.
    pub fn copy_from(&mut self, other: &Position) {
        if self.size() == other.size() {
            self.board.copy_from(&other.board);
        } else {
            self.board = other.board.clone();
        }
        self.rules = other.rules;
        self.komi = other.komi;
        self.to_move = other.to_move;
        self.moves.clone_from(&other.moves);
        self.before.clone_from(&other.before);
        self.taken.clone_from(&other.taken);
        self.passes = other.passes;
        self.handicap = other.handicap;
        self.start = Arc::clone(&other.start);
        self.first = other.first;
    }

    /// Returns the stones.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the size of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules for the moves to come.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Returns the points White gets for moving second.
    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Changes the komi.
    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    /// Returns the number of handicap stones Black started with.
    pub fn handicap(&self) -> usize {
        usize::from(self.handicap)
    }

    /// Records the number of handicap stones among the starting stones.
    pub fn set_handicap(&mut self, stones: usize) {
        self.handicap = u8::try_from(stones).unwrap_or(u8::MAX);
    }

    /// Returns whose turn it is.
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Gives the turn to a color without a move, as a setup or GTP's `play` may need.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// Returns the moves played since the start.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Returns the latest move.
    pub fn last_move(&self) -> Option<Played> {
        self.moves.last().copied()
    }

    /// Returns the stones the position started from.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// Returns who was to move at the start.
    pub fn first_to_move(&self) -> Color {
        self.first
    }

    /// Returns the number of passes in a row just played.
    pub fn passes(&self) -> usize {
        usize::from(self.passes)
    }

    /// Returns whether two passes in a row have ended the game.
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Returns a hash of stones, ko ban and turn.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.board.hash_with(self.to_move)
    }

    /// Returns the hash of the stones (see [`Board::hash`]) before each move of
    /// [`Position::moves`], oldest first.
    pub fn hashes_before(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + '_ {
        self.before.iter().map(|before| before.hash)
    }

    /// Returns the point that simple ko banned before the move `turns` ago, the
    /// latest being 1; the present ban for 0.
    pub fn ko_ago(&self, turns: usize) -> Option<Point> {
        match self.before.len().checked_sub(turns) {
            Some(at) => self
                .before
                .get(at)
                .map_or(self.board.ko(), |before| before.ko),
            None => self.start.ko(),
        }
    }

    /// Puts into `into` the board as it stood before the latest `turns` moves, or at
    /// the start if there were fewer.
    ///
    /// Far cheaper than taking moves back: the stones are set up anew, once.
    pub fn board_ago(&self, turns: usize, into: &mut Board) {
        let turns = turns.min(self.moves.len());
        let first = self.moves.len() - turns;
        let mut stones = Stones::of(&self.board);
        for i in (first..self.moves.len()).rev() {
            let Played { color, mv } = self.moves[i];
            let begin = self.before[i].taken as usize;
            let end = self
                .before
                .get(i + 1)
                .map_or(self.taken.len(), |next| next.taken as usize);
            let Move::Play(point) = mv else { continue };
            let taken = &self.taken[begin..end];
            // A suicide took the played stone off, and its own color with it.
            let loser = if taken.contains(&point) {
                color
            } else {
                !color
            };
            for &stone in taken {
                stones.put(stone, Cell::from(loser));
            }
            let held = &mut stones.prisoners[(!loser).index()];
            *held = held.saturating_sub(taken.len());
            stones.put(point, Cell::Empty);
        }
        stones.set_up(into);
        into.set_ko(self.ko_ago(turns));
    }

    /// Says whether `color` may play `mv` by the rules, whoever's turn it is.
    pub fn check(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |why| IllegalMove { color, mv, why };
        let Move::Play(point) = mv else {
            return Ok(());
        };
        match self.board.cell(point) {
            Cell::Edge => return Err(illegal(IllegalPlay::OffBoard)),
            Cell::Black | Cell::White => return Err(illegal(IllegalPlay::Occupied)),
            Cell::Empty => {}
        }
        // Superko decides by whole positions; the simple ban is not its business.
        if self.rules.ko == Ko::Simple && self.board.ko_ban() == Some((color, point)) {
            return Err(illegal(IllegalPlay::Ko));
        }
        let allowed = self.rules.suicide && self.has_company(color, point);
        if self.board.is_suicide(color, point) && !allowed {
            return Err(illegal(IllegalPlay::Suicide));
        }
        if self.repeats(color, point) {
            return Err(illegal(IllegalPlay::Superko));
        }
        Ok(())
    }

    /// Returns whether `color` may play `mv` by the rules.
    pub fn is_legal(&self, color: Color, mv: Move) -> bool {
        self.check(color, mv).is_ok()
    }

    /// Returns every legal move of the player to move, the pass last.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.size()
            .points()
            .map(Move::Play)
            .filter(|&mv| self.is_legal(self.to_move, mv))
            .chain(std::iter::once(Move::Pass))
    }

    /// Plays for the player to move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.play_as(self.to_move, mv)
    }

    /// Plays for a color, in turn or not; then it is the other's turn.
    ///
    /// On an illegal move the position is unchanged.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.check(color, mv)?;
        self.before.push(Before {
            hash: self.board.hash(),
            mover: color,
            ko: self.board.ko(),
            taken: self.taken.len() as u32,
        });
        self.moves.push(Played { color, mv });
        self.put_on_board(Played { color, mv });
        if !mv.is_pass() {
            self.taken.extend(self.board.captured());
        }
        self.to_move = !color;
        Ok(())
    }

    /// Takes the latest move back; returns it, or `None` at the start.
    ///
    /// Replays the game from its start: exact for every rule, and rare enough.
    pub fn undo(&mut self) -> Option<Played> {
        let last = self.moves.pop()?;
        if let Some(before) = self.before.pop() {
            self.taken.truncate(before.taken as usize);
        }
        self.board = (*self.start).clone();
        self.passes = 0;
        for i in 0..self.moves.len() {
            self.put_on_board(self.moves[i]);
        }
        self.to_move = last.color;
        Some(last)
    }

    /// Carries out a move that has been checked, on the stones and the passes alone.
    fn put_on_board(&mut self, played: Played) {
        match played.mv {
            Move::Play(point) => {
                self.board.play(played.color, point);
                self.passes = 0;
            }
            Move::Pass => {
                self.board.clear_ko();
                self.passes = self.passes.saturating_add(1);
            }
        }
    }

    /// Returns whether a suicide at `point` would take more than the stone itself.
    fn has_company(&self, color: Color, point: Point) -> bool {
        point
            .neighbors()
            .iter()
            .any(|&n| self.board.stone(n) == Some(color))
    }

    /// Returns whether superko forbids a stone that is otherwise legal.
    fn repeats(&self, color: Color, point: Point) -> bool {
        if self.rules.ko == Ko::Simple {
            return false;
        }
        let after = self.board.hash_after(color, point);
        let now = (self.board.hash(), color);
        self.before
            .iter()
            .map(|before| (before.hash, before.mover))
            .chain(std::iter::once(now))
            .any(|(hash, mover)| {
                hash == after && (self.rules.ko == Ko::Positional || mover == !color)
            })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n{} to move", self.board, self.to_move)?;
        write!(f, ", {}, komi {}:", self.rules.to_short(), self.komi)?;
        for played in &self.moves {
            let vertex = crate::gtp::format_vertex(played.mv, self.size());
            write!(f, " {}{vertex}", played.color.letter())?;
        }
        Ok(())
    }
}

/// Bare stones and prisoners, to go back in time with.
struct Stones {
    size: Size,
    cells: [Cell; GRID],
    prisoners: [usize; 2],
}

impl Stones {
    fn of(board: &Board) -> Stones {
        let mut stones = Stones {
            size: board.size(),
            cells: [Cell::Empty; GRID],
            prisoners: Color::BOTH.map(|color| board.prisoners(color)),
        };
        for point in board.size().points() {
            stones.cells[point.index()] = board.cell(point);
        }
        stones
    }

    fn put(&mut self, point: Point, cell: Cell) {
        self.cells[point.index()] = cell;
    }

    fn set_up(&self, board: &mut Board) {
        *board = Board::new(self.size);
        for point in self.size.points() {
            if let Some(color) = self.cells[point.index()].color() {
                board.place(color, point);
            }
        }
        for color in Color::BOTH {
            board.add_prisoners(color, self.prisoners[color.index()]);
        }
    }
}
