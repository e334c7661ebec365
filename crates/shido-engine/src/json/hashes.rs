//! Names of positions for clients that keep results: `thisHash` and `symHash`.
//!
//! Equal stones, turn and simple ko ban give an equal `thisHash`; positions that
//! mirror each other share a `symHash`. They are this program's own values.

use shido_go::{Cell, Color, Point, Position, Size, Symmetry};

/// Returns `thisHash` and `symHash`.
pub(super) fn hashes(position: &Position) -> (String, String) {
    let all = Symmetry::of_size(position.size()).map(|symmetry| seen_by(symmetry, position));
    let this = seen_by(Symmetry::IDENTITY, position);
    let least = all.min().unwrap_or(this);
    (format!("{this:032X}"), format!("{least:032X}"))
}

fn seen_by(symmetry: Symmetry, position: &Position) -> u128 {
    let size = position.size();
    let mut lanes = Lanes::new(size);
    let turned = |point: Point| size_index(symmetry.point(point, size), symmetry.size(size));
    let mut cells = vec![0; size.area()];
    for point in size.points() {
        cells[turned(point)] = match position.board().cell(point) {
            Cell::Black => 1,
            Cell::White => 2,
            Cell::Empty | Cell::Edge => 0,
        };
    }
    for &cell in &cells {
        lanes.push(cell);
    }
    lanes.push(match position.to_move() {
        Color::Black => 1,
        Color::White => 2,
    });
    let ban = position.board().ko_ban();
    let ban = ban.filter(|&(color, _)| color == position.to_move());
    lanes.push(ban.map_or(0, |(_, point)| turned(point) as u64 + 1));
    lanes.value()
}

fn size_index(point: Point, size: Size) -> usize {
    size.index_of(point)
}

/// Two multiply-and-mix hashes with different constants.
struct Lanes([u64; 2]);

impl Lanes {
    const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];

    fn new(size: Size) -> Lanes {
        let mut lanes = Lanes([0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344]);
        lanes.push(size.width() as u64);
        lanes.push(size.height() as u64);
        lanes
    }

    fn push(&mut self, value: u64) {
        for (lane, factor) in self.0.iter_mut().zip(Lanes::FACTORS) {
            *lane = (*lane ^ value.wrapping_add(1)).wrapping_mul(factor);
            *lane ^= *lane >> 29;
        }
    }

    fn value(&self) -> u128 {
        u128::from(self.0[0]) << 64 | u128::from(self.0[1])
    }
}

#[cfg(test)]
mod tests {
    use shido_go::gtp::parse_vertex;
    use shido_go::{Rules, Size};

    use super::*;

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
        for mv in moves {
            position.play(parse_vertex(mv, Size::S9).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn mirrored_positions_share_the_one_and_not_the_other() {
        let (this, sym) = hashes(&after(&["C3", "G7"]));
        let (mirrored, same) = hashes(&after(&["C7", "G3"]));
        assert_ne!(this, mirrored);
        assert_eq!(sym, same);
        assert_eq!(this.len(), 32);
        let (other_turn, _) = hashes(&after(&["C3", "G7", "pass"]));
        assert_ne!(this, other_turn);
    }
}
