//! From a query's stones and moves to the positions it asks about.
//!
//! As KataGo does it: records are taken as they are, so a stone that retakes a ko
//! or kills itself is played rather than refused; a player who moves out of turn
//! starts a new history; several black moves at the start are a handicap.

use shido_go::{Board, Color, Move, Played, Position, handicap};

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
        let by_stones = || match handicap::given(board, &[]) {
            0 => Color::Black,
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
        if position.is_over() {
            position = anew(&position, position.to_move());
        }
        position.set_handicap(self.handicap(turn)?);
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

    /// Returns the handicap stones of the game; histories that begin anew do not change it.
    fn handicap(&self, turn: usize) -> Result<usize, Complaint> {
        let moves = if self.black_moves_are_handicap {
            &self.moves[..turn.min(self.moves.len())]
        } else {
            &[]
        };
        Ok(handicap::given(&self.starting_board()?, moves))
    }
}

/// Returns the same stones as the start of a history.
fn anew(position: &Position, to_move: Color) -> Position {
    let mut board = position.board().clone();
    board.clear_ko();
    Position::from_board(board, to_move, *position.rules(), position.komi())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use shido_go::gtp::parse_vertex;

    use super::*;
    use crate::json::QuerySettings;

    fn query(rest: &Value) -> Query {
        let mut object = json!({"boardXSize": 5, "boardYSize": 5, "rules": "chinese", "moves": []});
        for (name, value) in rest.as_object().unwrap() {
            object[name] = value.clone();
        }
        let object = object.as_object().unwrap();
        let understood = Query::read("q", object, &QuerySettings::default(), 19);
        understood.unwrap().query
    }

    fn last(rest: &Value) -> Position {
        let query = query(rest);
        query.position(query.moves.len()).unwrap()
    }

    #[track_caller]
    fn check_handicap(rest: &Value, expect: usize, to_move: Color) {
        let position = last(rest);
        assert_eq!((position.handicap(), position.to_move()), (expect, to_move));
    }

    #[test]
    fn blacks_first_stones_are_a_handicap() {
        use Color::{Black, White};
        check_handicap(&json!({}), 0, Black);
        check_handicap(&json!({"moves": [["B", "C3"]]}), 0, White);
        check_handicap(&json!({"initialStones": [["B", "C3"]]}), 0, Black);
        let two = json!([["B", "B2"], ["B", "D4"]]);
        check_handicap(&json!({"initialStones": two}), 2, White);
        check_handicap(&json!({"moves": two}), 2, White);
        let after = json!([["B", "B2"], ["B", "D4"], ["W", "C3"], ["B", "C2"]]);
        check_handicap(&json!({"moves": after}), 2, White);
        let passed = json!([["B", "B2"], ["W", "pass"], ["B", "D4"], ["W", "C3"]]);
        check_handicap(&json!({"moves": passed}), 2, Black);
        let mixed = json!([["B", "B2"], ["W", "D4"]]);
        check_handicap(&json!({"initialStones": mixed}), 0, Black);
        // A dispute after two passes, and a turn that was left out.
        let mut resumed = after.as_array().unwrap().clone();
        resumed.extend([
            json!(["W", "pass"]),
            json!(["B", "pass"]),
            json!(["W", "A5"]),
        ]);
        check_handicap(&json!({"moves": resumed}), 2, Black);
        let mut skipped = after.as_array().unwrap().clone();
        skipped.push(json!(["B", "A5"]));
        check_handicap(&json!({"moves": skipped}), 2, White);
        let settings = json!({"assumeMultipleStartingBlackMovesAreHandicap": false});
        let rest = json!({"moves": passed, "overrideSettings": settings});
        check_handicap(&rest, 0, Black);
    }

    #[test]
    fn records_are_taken_as_they_are() {
        // White takes a ko and Black retakes it at once.
        let stones = json!([
            ["B", "B3"],
            ["B", "C2"],
            ["B", "B1"],
            ["B", "A2"],
            ["W", "C3"],
            ["W", "D2"],
            ["W", "C1"],
        ]);
        let rest = json!({
            "initialStones": stones,
            "moves": [["W", "B2"], ["B", "C2"], ["W", "B2"]],
        });
        let position = last(&rest);
        let stone = |text: &str| match parse_vertex(text, position.size()).unwrap() {
            Move::Play(point) => position.board().stone(point),
            Move::Pass => None,
        };
        assert_eq!(stone("B2"), Some(Color::White));
        assert_eq!(stone("C2"), None);
        assert_eq!(position.to_move(), Color::Black);
    }

    #[test]
    fn a_finished_game_goes_on_without_its_history() {
        let moves = json!([["B", "C3"], ["W", "pass"], ["B", "pass"]]);
        let position = last(&json!({"moves": moves}));
        assert!(!position.is_over() && position.moves().is_empty());
        assert_eq!(position.to_move(), Color::White);
    }
}
