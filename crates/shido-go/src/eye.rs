//! One-point eyes, the points that a playout must not fill.

use crate::{Board, Cell, Color, Point};

impl Board {
    /// Returns whether an empty point is surrounded by stones of `color` and no
    /// more diagonals than an eye can bear are the opponent's: one, or none at
    /// the border.
    ///
    /// Whether the stones around are one chain, or alive, is not asked.
    #[inline]
    pub fn is_eye(&self, color: Color, point: Point) -> bool {
        let own = Cell::from(color);
        let mut edges = 0;
        let mut open = 0;
        for neighbor in point.neighbors() {
            let cell = self.cell(neighbor);
            edges |= u8::from(cell == Cell::Edge);
            open |= u8::from(cell != own) & u8::from(cell != Cell::Edge);
        }
        if open != 0 {
            return false;
        }
        let enemy = Cell::from(!color);
        let enemies: u8 = point
            .diagonals()
            .map(|diagonal| u8::from(self.cell(diagonal) == enemy))
            .iter()
            .sum();
        enemies + edges < 2
    }
}

#[cfg(test)]
mod tests {
    use crate::{Color, Diagram};

    /// Small letters mark eyes of White, digits points that are none.
    #[track_caller]
    fn check(picture: &str) {
        let diagram = Diagram::parse(picture).unwrap();
        for &(mark, point) in &diagram.marks {
            let eye = diagram.board.is_eye(Color::White, point);
            assert_eq!(eye, mark.is_alphabetic(), "{mark}");
            assert!(!diagram.board.is_eye(Color::Black, point), "{mark}");
        }
    }

    #[test]
    fn eyes_bear_one_bad_diagonal_but_none_at_the_border() {
        check(
            ". O a O X . . O .
             . O O O . . O 1 O
             . . . . . . X O X
             . . O X . . . . .
             . O b O . . . . .
             . . O O . . . . .
             . . . . X O X . .
             O O . . O 2 O . .
             c O . X . O . . .",
        );
        check(
            "O . . . .
             3 O . . .
             O X . . .",
        );
    }
}
