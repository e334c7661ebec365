//! Playing a recorded game through, move by move.
//!
//! A record is obeyed even where it breaks the rules: an illegal stone is put on
//! the board all the same, as SGF asks, and a warning says so. After a forced
//! stone and after stones set up in mid-game the position's history starts anew,
//! because no sequence of legal moves leads there.

use super::{Game, MoveRecord, Setup, Step};
use crate::sgf::{Warnings, value};
use crate::{Board, Cell, IllegalPlay, Move, Played, Position};

/// A game being played through; see [`Game::replay`].
#[derive(Clone)]
pub struct Replay<'g> {
    steps: &'g [Step],
    position: Position,
    warnings: Warnings,
}

impl<'g> Replay<'g> {
    pub(super) fn new(game: &'g Game) -> Replay<'g> {
        let mut position = Position::new(game.size, game.rules.unwrap_or_default(), game.komi());
        position.set_handicap(game.handicap);
        if let Some(first) = game.moves().next() {
            position = restarted(&position, position.board().clone(), first.color);
        }
        let mut replay = Replay {
            steps: &game.steps,
            position,
            warnings: Warnings::default(),
        };
        replay.set_up();
        replay
    }

    /// Returns the position before the next move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the move that [`Replay::advance`] will play.
    pub fn next_move(&self) -> Option<&'g MoveRecord> {
        match self.steps.first() {
            Some(Step::Move(record)) => Some(record),
            _ => None,
        }
    }

    /// Plays the next move and the setup after it; returns the move, or `None` at the end.
    pub fn advance(&mut self) -> Option<&'g MoveRecord> {
        let record = self.next_move()?;
        self.steps = &self.steps[1..];
        self.play(record);
        self.set_up();
        Some(record)
    }

    /// Plays all moves that are left; returns the last position and all warnings.
    pub fn finish(mut self) -> (Position, Warnings) {
        while self.advance().is_some() {}
        (self.position, self.warnings)
    }

    /// Returns what had to be forced so far.
    pub fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    fn play(&mut self, record: &MoveRecord) {
        let Played { color, mv } = record.played();
        let Err(illegal) = self.position.play_as(color, mv) else {
            return;
        };
        let Move::Play(point) = mv else { return };
        let mut board = self.position.board().clone();
        let done = match illegal.why {
            IllegalPlay::OffBoard | IllegalPlay::GameOver => "the move was skipped",
            IllegalPlay::Occupied => {
                board.lift(point);
                board.play(color, point);
                "the stone there was replaced"
            }
            IllegalPlay::Ko | IllegalPlay::Superko => {
                board.play(color, point);
                "the stone was put on the board all the same"
            }
            IllegalPlay::Suicide => {
                board.play(color, point);
                "the stone was put on the board and what had no liberty taken off"
            }
        };
        let name = value::write_point(point);
        let what = format!("{color} {name} is illegal: {}", illegal.why);
        self.warnings.add(record.at, what, done);
        self.position = restarted(&self.position, board, !color);
    }

    /// Does everything up to the next move.
    fn set_up(&mut self) {
        loop {
            match self.steps.first() {
                Some(Step::Setup(first)) => {
                    let run = self.steps.iter().take_while(
                        |step| matches!(step, Step::Setup(next) if next.node == first.node),
                    );
                    let (stones, rest) = self.steps.split_at(run.count());
                    self.steps = rest;
                    self.place(stones, first.at);
                }
                Some(Step::ToMove(color)) => {
                    self.position.set_to_move(*color);
                    self.steps = &self.steps[1..];
                }
                Some(Step::Move(_)) | None => return,
            }
        }
    }

    fn place(&mut self, stones: &[Step], at: usize) {
        let size = self.position.size();
        let mut board = self.position.board().clone();
        // Only what differs in the end is touched: lifting a stone is slow.
        let mut wanted = vec![None; size.area()];
        for step in stones {
            let Step::Setup(Setup { cell, corners, .. }) = step else {
                continue;
            };
            for point in value::points_between(*corners, size) {
                wanted[size.index_of(point)] = Some(*cell);
            }
        }
        for (point, cell) in size.points().zip(wanted) {
            let Some(cell) = cell.filter(|&cell| cell != board.cell(point)) else {
                continue;
            };
            board.lift(point);
            if let Some(color) = Cell::color(cell) {
                board.place(color, point);
            }
        }
        let dead = board.remove_dead();
        if dead > 0 {
            let what = format!("the setup leaves {dead} stones without a liberty");
            self.warnings.add(at, what, "they were taken off");
        }
        let to_move = self.position.to_move();
        self.position = restarted(&self.position, board, to_move);
    }
}

/// Starts a new history from a board, with everything else as it was.
fn restarted(position: &Position, board: Board, to_move: crate::Color) -> Position {
    let mut fresh = Position::from_board(board, to_move, *position.rules(), position.komi());
    fresh.set_handicap(position.handicap());
    fresh
}
