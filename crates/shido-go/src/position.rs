//! A position: stones, whose turn, by which rules, and how it came about.
//!
//! `play` enforces the position's rules (ko and superko, suicide, the end by two
//! passes); `undo` takes the latest move back. The history is what superko,
//! network inputs and teaching need; the board alone is [`crate::Board`].

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

/// Stones, turn, rules and history.
#[derive(Clone)]
pub struct Position {
    board: Board,
    rules: Rules,
    komi: f32,
    to_move: Color,
    moves: Vec<Played>,
    /// Hash of the stones before each move of `moves`, with who was to move.
    seen: Vec<(u64, Color)>,
    /// Passes in a row at the end of `moves`.
    passes: u8,
    handicap: u8,
    start: Box<Board>,
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
            start: Box::new(board.clone()),
            board,
            rules,
            komi,
            to_move,
            moves: Vec::new(),
            seen: Vec::new(),
            passes: 0,
            handicap: 0,
            first: to_move,
        }
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
        self.seen.push((self.board.hash(), color));
        self.moves.push(Played { color, mv });
        self.put_on_board(Played { color, mv });
        self.to_move = !color;
        Ok(())
    }

    /// Takes the latest move back; returns it, or `None` at the start.
    ///
    /// Replays the game from its start: exact for every rule, and rare enough.
    pub fn undo(&mut self) -> Option<Played> {
        let last = self.moves.pop()?;
        self.seen.pop();
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
        self.seen
            .iter()
            .chain(std::iter::once(&now))
            .any(|&(hash, mover)| {
                hash == after && (self.rules.ko == Ko::Positional || mover == !color)
            })
    }
}
