//! Which chains ladders catch, and by which moves, for whole boards.
//!
//! Of the three boards a network sees, two were seen before when their own turn
//! was evaluated, so the answers for the latest boards are kept.

use shido_go::{Board, Color, Ladder, LadderReader, Point, Position, Size};

use super::Plane;

/// The most moves read to answer one question: what the networks were trained with.
const NODE_LIMIT: u32 = 25_000;
/// Boards whose ladders are kept; a power of two.
const KEPT: usize = 4096;

/// What ladders do on one board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ladders {
    /// The stones that are caught, or can be.
    pub caught: Plane,
    /// For each color of chain with two liberties: the moves that catch one.
    pub attacks: [Plane; 2],
}

/// Which board answers are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Which {
    hash: u64,
    ko: Option<Point>,
    size: Size,
    /// Before which [`LadderBook::forget`] it was read.
    era: u32,
}

/// Reads the ladders of boards and remembers them.
pub(super) struct LadderBook {
    reader: LadderReader,
    ago: Board,
    kept: Box<[Option<(Which, Ladders)>]>,
    era: u32,
}

impl LadderBook {
    pub(super) fn new() -> LadderBook {
        let board = Board::new(Size::S19);
        LadderBook {
            reader: LadderReader::new(&board).with_limit(NODE_LIMIT),
            ago: board,
            kept: vec![None; KEPT].into(),
            era: 0,
        }
    }

    /// Forgets every board, at no cost: to clear the memory would take longer than to
    /// read a board's ladders.
    pub(super) fn forget(&mut self) {
        self.era = self.era.wrapping_add(1);
    }

    /// Returns the ladders of a position `turns` ago, whose stones have the given hash
    /// and whose simple ko bans the given point.
    pub(super) fn ladders(
        &mut self,
        position: &Position,
        turns: usize,
        (hash, ko): (u64, Option<Point>),
    ) -> &Ladders {
        let which = Which {
            hash,
            ko,
            size: position.size(),
            era: self.era,
        };
        let slot = hash as usize % KEPT;
        if self.kept[slot].is_none_or(|(known, _)| known != which) {
            let ladders = if turns == 0 {
                read_all(&mut self.reader, position.board())
            } else {
                position.board_ago(turns, &mut self.ago);
                read_all(&mut self.reader, &self.ago)
            };
            self.kept[slot] = Some((which, ladders));
        }
        let (_, ladders) = self.kept[slot].as_ref().expect("it was just put there");
        ladders
    }
}

/// Asks about every chain of a board.
fn read_all(reader: &mut LadderReader, board: &Board) -> Ladders {
    let mut found = Ladders::default();
    let size = board.size();
    reader.load(board);
    for (i, stone) in size.points().enumerate() {
        let Some(color) = board.stone(stone) else {
            continue;
        };
        if board.head(stone) != stone {
            continue;
        }
        match reader.read(stone) {
            Ladder::Free => continue,
            Ladder::Caught => {}
            Ladder::Catchable(moves) => {
                let attacks = &mut found.attacks[color_index(color)];
                moves.iter().for_each(|p| attacks.set(size.index_of(p)));
            }
        }
        found.caught.set(i);
        for stone in board.chain(stone) {
            found.caught.set(size.index_of(stone));
        }
    }
    found
}

/// Returns where a color stands in arrays of two.
pub(super) fn color_index(color: Color) -> usize {
    usize::from(color == Color::White)
}
