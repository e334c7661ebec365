//! Points that a sane player leaves empty.

use shido_go::{Board, Cell, Color, Point};

/// Returns whether an empty point is an eye of `color` by the usual cheap test:
/// only own stones and edges around it, and too few hostile diagonals to make it false.
pub(crate) fn is_own_eye(board: &Board, color: Color, point: Point) -> bool {
    let own = |neighbor: Point| match board.cell(neighbor) {
        Cell::Edge => true,
        cell => cell == Cell::from(color),
    };
    if !board.is_empty(point) || !point.neighbors().into_iter().all(own) {
        return false;
    }
    let diagonals = point.diagonals().map(|diagonal| board.cell(diagonal));
    let hostile = diagonals
        .iter()
        .filter(|&&cell| cell == Cell::from(!color))
        .count();
    let at_edge = diagonals.contains(&Cell::Edge);
    hostile + usize::from(at_edge) < 2
}

#[cfg(test)]
mod tests {
    use shido_go::{Size, gtp};

    use super::*;

    /// Checks A1 or E5 of a 9×9 board with these black and white stones.
    #[track_caller]
    fn check(at: &str, black: &str, white: &str, expect: bool) {
        let mut board = Board::new(Size::S9);
        let point = |text: &str| gtp::parse_vertex(text, Size::S9).unwrap().point().unwrap();
        for (color, stones) in [(Color::Black, black), (Color::White, white)] {
            for stone in stones.split_whitespace() {
                board.place(color, point(stone));
            }
        }
        assert_eq!(is_own_eye(&board, Color::Black, point(at)), expect);
    }

    #[test]
    fn eyes_are_told_from_false_eyes() {
        check("A1", "A2 B1", "", true);
        check("A1", "A2 B1", "B2", false);
        check("A1", "A2", "", false);
        check("E5", "E4 E6 D5 F5", "", true);
        check("E5", "E4 E6 D5 F5", "D4", true);
        check("E5", "E4 E6 D5 F5", "D4 F6", false);
        check("E5", "E4 E6 D5", "F5", false);
        check("E5", "E5 E4 E6 D5 F5", "", false);
    }
}
