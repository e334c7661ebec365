//! Handicap stones: the fixed places of GTP 2, and a free placement.
//!
//! Fixed placement is for 2 to 9 stones on boards of at least 7 lines, 4 on
//! boards with an even side or of 7 lines. Free placement may hold more stones;
//! ours continues the fixed pattern with evenly spread points, the way a Black
//! player of no taste would.

use crate::{Board, Color, Move, Played, Point, Size};

/// The board does not take that many handicap stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HandicapError {
    /// Outside what fixed placement allows here.
    #[error("{stones} fixed handicap stones are not possible on a {size} board: 2 to {most}")]
    Fixed {
        /// The stones asked for.
        stones: usize,
        /// The board.
        size: Size,
        /// The most it takes; under 2 where it takes none.
        most: usize,
    },
    /// Fewer than 2 or too many to leave room to play.
    #[error("{stones} handicap stones are not possible on a {size} board: 2 to {most}")]
    Free {
        /// The stones asked for.
        stones: usize,
        /// The board.
        size: Size,
        /// The most it takes.
        most: usize,
    },
}

/// Returns the most stones that fixed placement gives on a board; 0 if it gives none.
pub fn max_fixed(size: Size) -> usize {
    let (width, height) = (size.width(), size.height());
    let small = width.min(height);
    if small < 7 {
        0
    } else if small == 7 || width % 2 == 0 || height % 2 == 0 {
        4
    } else {
        9
    }
}

/// Returns the most stones that free placement gives on a board.
pub fn max_free(size: Size) -> usize {
    // GTP wants at least one empty point left; a game wants a little more.
    size.area() - 2
}

/// Returns the handicap stones of a game: Black's at the start, if White had none there,
/// and those Black played before White's first. One stone is no handicap.
///
/// Black's stones in a row are known by White's passes or by the colors alone; two white
/// moves in a row before Black's next are something else.
///
/// ```
/// use shido_go::{Board, Color, Move, Played, Size, handicap};
///
/// let play = |color, x, y| {
///     let point = Size::S9.point(x, y).expect("on the board");
///     Played { color, mv: Move::Play(point) }
/// };
/// let empty = Board::new(Size::S9);
/// let moves = [
///     play(Color::Black, 2, 2),
///     play(Color::Black, 6, 6),
///     play(Color::White, 4, 4),
///     play(Color::Black, 6, 2),
/// ];
/// assert_eq!(handicap::given(&empty, &moves), 2);
/// assert_eq!(handicap::given(&empty, &moves[..1]), 0);
/// ```
pub fn given(start: &Board, moves: &[Played]) -> usize {
    let stones = |color| {
        let points = start.size().points();
        points.filter(|&it| start.stone(it) == Some(color)).count()
    };
    if stones(Color::White) > 0 {
        return 0;
    }
    match stones(Color::Black) + black_moves_at_start(moves) {
        1 => 0,
        stones => stones,
    }
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

/// Returns the points of `stones` fixed handicap stones, as GTP 2 orders them.
pub fn fixed(size: Size, stones: usize) -> Result<Vec<Point>, HandicapError> {
    let most = max_fixed(size);
    if !(2..=most).contains(&stones) {
        return Err(HandicapError::Fixed { stones, size, most });
    }
    let (left, right) = outer_lines(size.width());
    let (top, bottom) = outer_lines(size.height());
    let (middle, waist) = (size.width() / 2, size.height() / 2);
    let corners = [(left, bottom), (right, top), (left, top), (right, bottom)];
    let sides = [
        (left, waist),
        (right, waist),
        (middle, top),
        (middle, bottom),
    ];
    let mut places: Vec<_> = corners[..stones.min(4)].to_vec();
    // Pairs of sides come at 6 and 8 stones; the odd stone is in the middle.
    let pairs = (stones.max(4) - 4) / 2;
    places.extend(&sides[..2 * pairs]);
    if stones >= 5 && stones % 2 == 1 {
        places.push((middle, waist));
    }
    Ok(places.into_iter().map(|(x, y)| Point::at(x, y)).collect())
}

/// Returns places for `stones` handicap stones on any board.
///
/// The fixed places where there are such; beyond that each further stone goes
/// to the point farthest from the stones and reasonably far from the edge.
pub fn free(size: Size, stones: usize) -> Result<Vec<Point>, HandicapError> {
    let most = max_free(size);
    if !(2..=most).contains(&stones) {
        return Err(HandicapError::Free { stones, size, most });
    }
    let mut places = fixed(size, stones.min(max_fixed(size))).unwrap_or_default();
    while places.len() < stones {
        let room = |point: Point| {
            let nearest = places.iter().map(|&p| p.distance(point));
            let edge = 1.5 * size.line_of(point) as f64;
            nearest.fold(edge, f64::min)
        };
        let next = size
            .points()
            .filter(|point| !places.contains(point))
            .max_by(|&a, &b| room(a).total_cmp(&room(b)))
            .expect("fewer stones than points");
        places.push(next);
    }
    Ok(places)
}

/// Returns whether a point is a star point, where diagrams and boards have a dot.
pub fn is_star(size: Size, point: Point) -> bool {
    // Small boards have dots in the corners and the middle only.
    let dots = if size.width().min(size.height()) < 13 {
        5
    } else {
        9
    };
    fixed(size, max_fixed(size).min(dots)).is_ok_and(|stars| stars.contains(&point))
}

/// Returns the first and last coordinate that handicap stones stand on.
fn outer_lines(side: usize) -> (usize, usize) {
    let line = if side >= 13 { 3 } else { 2 };
    (line, side - 1 - line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use crate::gtp::format_vertex;

    #[track_caller]
    fn check(side: usize, stones: usize, expect: &str) {
        let size = Size::square(side).unwrap();
        let found: Vec<_> = fixed(size, stones)
            .unwrap()
            .into_iter()
            .map(|point| format_vertex(Move::Play(point), size))
            .collect();
        assert_eq!(found.join(" "), expect);
    }

    #[test]
    fn fixed_stones_stand_where_gtp_says() {
        check(19, 2, "D4 Q16");
        check(19, 3, "D4 Q16 D16");
        check(19, 4, "D4 Q16 D16 Q4");
        check(19, 5, "D4 Q16 D16 Q4 K10");
        check(19, 6, "D4 Q16 D16 Q4 D10 Q10");
        check(19, 7, "D4 Q16 D16 Q4 D10 Q10 K10");
        check(19, 8, "D4 Q16 D16 Q4 D10 Q10 K16 K4");
        check(19, 9, "D4 Q16 D16 Q4 D10 Q10 K16 K4 K10");
        check(13, 9, "D4 K10 D10 K4 D7 K7 G10 G4 G7");
        check(9, 5, "C3 G7 C7 G3 E5");
        check(8, 4, "C3 F6 C6 F3");
        check(7, 2, "C3 E5");
    }

    #[test]
    fn limits_are_those_of_gtp() {
        let most = |side| max_fixed(Size::square(side).unwrap());
        assert_eq!([6, 7, 8, 9, 14, 25].map(most), [0, 4, 4, 9, 4, 9]);
        let error = fixed(Size::S19, 10).unwrap_err().to_string();
        assert_eq!(
            error,
            "10 fixed handicap stones are not possible on a 19×19 board: 2 to 9"
        );
        assert!(fixed(Size::S19, 1).is_err());
        assert!(fixed(Size::square(5).unwrap(), 2).is_err());
    }

    #[test]
    fn free_stones_are_distinct_and_on_the_board() {
        for (side, stones) in [(2, 2), (5, 4), (9, 13), (19, 25), (8, 9), (3, 7)] {
            let size = Size::square(side).unwrap();
            let mut places = free(size, stones).unwrap();
            assert!(places.iter().all(|&point| size.contains(point)));
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), stones);
        }
        assert!(free(Size::S9, 80).is_err());
        assert!(free(Size::S9, 1).is_err());
    }
}
