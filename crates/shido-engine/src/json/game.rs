//! From a query's stones and moves to the positions it asks about.
//!
//! As KataGo does it: records are taken as they are, so a stone that retakes a ko
//! or kills itself is played rather than refused; a player who moves out of turn
//! starts a new history; several black moves at the start are a handicap.

use shido_go::{Board, Color, Move, Played, Position};

use super::fields::Complaint;
use super::query::Query;

impl Query {
    /// Returns the stones at the start, or the complaint about them.
    pub(super) fn starting_board(&self) -> Result<Board, Complaint> {
        let mut board = Board::new(self.size);
        for &(color, point) in &self.stones {
            board.lift(point);
            board.place(color, point);
        }
        match board.remove_dead() {
            0 => Ok(board),
            dead => Err(Complaint::about(
                "initialStones",
                format!("{dead} stones would stand without a liberty"),
            )),
        }
    }

    /// Returns who moves first.
    fn first_player(&self, board: &Board) -> Color {
        let by_stones = || match black_stones_alone(board) {
            0 | 1 => Color::Black,
            _ => Color::White,
        };
        let by_moves = || self.moves.first().map(|played| played.color);
        self.initial_player
            .or_else(by_moves)
            .unwrap_or_else(by_stones)
    }

    /// Returns the position after `turn` moves, or the complaint about one of them.
    pub fn position(&self, turn: usize) -> Result<Position, Complaint> {
        let board = self.starting_board()?;
        let first = self.first_player(&board);
        let mut position = Position::from_board(board, first, self.rules, self.komi);
        for (number, &played) in self.moves.iter().take(turn).enumerate() {
            if position.is_over() || played.color != position.to_move() {
                position = anew(&position, played.color);
            }
            if position.play_as(played.color, played.mv).is_err() {
                position = self.force(&position, played, number)?;
            }
        }
        let handicap = self.handicap(&position);
        if position.is_over() {
            position = anew(&position, position.to_move());
        }
        position.set_handicap(handicap);
        Ok(position)
    }

    /// Plays a move that the rules of ko or suicide forbid.
    fn force(
        &self,
        position: &Position,
        played: Played,
        number: usize,
    ) -> Result<Position, Complaint> {
        let illegal = || {
            let vertex = shido_go::gtp::format_vertex(played.mv, self.size);
            Complaint::about("moves", format!("Illegal move {number}: {vertex}"))
        };
        let Move::Play(point) = played.mv else {
            return Err(illegal());
        };
        let mut board = position.board().clone();
        board.clear_ko();
        let lone = !point
            .neighbors()
            .iter()
            .any(|&n| board.stone(n) == Some(played.color));
        let impossible = board.is_suicide(played.color, point) && lone;
        if !board.is_empty(point) || impossible {
            return Err(illegal());
        }
        board.play(played.color, point);
        Ok(Position::from_board(
            board,
            !played.color,
            self.rules,
            self.komi,
        ))
    }

    /// Returns the handicap stones of a game: Black's at the start, if White had none,
    /// and those Black then played before White's first.
    fn handicap(&self, position: &Position) -> usize {
        let before = match black_stones_alone(position.start()) {
            0 if has_white(position.start()) => return 0,
            stones => stones,
        };
        let played = if self.black_moves_are_handicap {
            black_moves_at_start(position.moves())
        } else {
            0
        };
        match before + played {
            1 => 0,
            stones => stones,
        }
    }
}

/// Returns the same stones as the start of a history.
fn anew(position: &Position, to_move: Color) -> Position {
    let mut board = position.board().clone();
    board.clear_ko();
    Position::from_board(board, to_move, *position.rules(), position.komi())
}

fn has_white(board: &Board) -> bool {
    let mut points = board.size().points();
    points.any(|point| board.stone(point) == Some(Color::White))
}

/// Returns how many stones Black has, or 0 if White has any.
fn black_stones_alone(board: &Board) -> usize {
    if has_white(board) {
        return 0;
    }
    let stones = board.size().points();
    stones.filter(|&it| board.stone(it).is_some()).count()
}

fn black_moves_at_start(moves: &[Played]) -> usize {
    let mut count = 0;
    for (i, played) in moves.iter().enumerate() {
        match (played.color, played.mv) {
            (Color::Black, Move::Play(_)) => count += 1,
            (Color::Black, Move::Pass) => {}
            (Color::White, mv) => {
                let next = moves.get(i + 1);
                if next.is_some_and(|next| next.color == Color::White) {
                    return 0;
                }
                if !mv.is_pass() {
                    break;
                }
            }
        }
    }
    count
}
