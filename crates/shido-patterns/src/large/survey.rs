//! What the large feature set reads from a board once per position.
//!
//! One pass over the empty points counts every chain's liberties; one pass over
//! the rows gives each point a *code*: empty, own or opposing stone with one, two
//! or more liberties, off board. Codes lie in a grid with a wide border, so that
//! the largest neighborhood can be read anywhere without a test.

use shido_go::{Board, Cell, Color, GRID, Point, STRIDE, Size};

use crate::feature_set::Turn;

/// Rows of border above and below; the stride leaves as many columns at the sides.
const BORDER: usize = 6;
/// Length of the grid of codes.
const PADDED: usize = GRID + 2 * BORDER * STRIDE;
/// Distance from a point's index to its place in the grid of codes.
pub(crate) const SHIFT: usize = BORDER * STRIDE;

/// What is on a point, with the liberties of its chain.
pub(crate) mod code {
    pub(crate) const EMPTY: u8 = 0;
    /// Own stones are 1 to 3 by liberties (1, 2, more).
    pub(crate) const OWN: u8 = 1;
    /// Opposing stones are 4 to 6 by liberties.
    pub(crate) const OTHER: u8 = 4;
    pub(crate) const EDGE: u8 = 7;
}

/// Facts about the chains of a position, from the mover's side.
#[derive(Clone)]
pub(crate) struct Survey {
    pub(crate) codes: [u8; PADDED],
    /// Liberties by chain head.
    liberties: [u16; GRID],
    /// Opposing chains in atari that touch an own chain in atari, by head: see `hunters`.
    hunter: [bool; GRID],
    /// Steps to the nearest own and opposing stone.
    near: [[u8; GRID]; 2],
    /// For counting without repetition.
    seen: [u32; GRID],
    tick: u32,
    size: Size,
    pub(crate) mover: Color,
    /// Part of the board that is filled, in sixteenths.
    pub(crate) filled: usize,
}

/// No stone is as far as this.
const FAR: u8 = 60;

impl Survey {
    /// Returns a survey of an empty board.
    pub(crate) fn new(size: Size) -> Survey {
        let mut survey = Survey {
            codes: [code::EDGE; PADDED],
            liberties: [0; GRID],
            hunter: [false; GRID],
            near: [[FAR; GRID]; 2],
            seen: [0; GRID],
            tick: 0,
            size,
            mover: Color::Black,
            filled: 0,
        };
        for point in size.points() {
            survey.codes[point.index() + SHIFT] = code::EMPTY;
        }
        survey
    }

    /// Reads a position.
    pub(crate) fn read(&mut self, turn: &Turn<'_>) {
        let board = turn.board;
        if board.size() != self.size {
            *self = Survey::new(board.size());
        }
        self.mover = turn.mover;
        let area = board.size().area();
        self.filled = (area - board.empty_count()) * 16 / area;
        self.count_liberties(board);
        let in_atari = self.encode(board);
        self.hunter = [false; GRID];
        if in_atari == [true; 2] {
            self.find_hunters(board);
        }
        self.measure(board);
    }

    fn count_liberties(&mut self, board: &Board) {
        self.liberties = [0; GRID];
        for point in board.empty_points() {
            let mut heads = [0; 4];
            for (i, neighbor) in point.neighbors().into_iter().enumerate() {
                if !matches!(board.cell(neighbor), Cell::Black | Cell::White) {
                    continue;
                }
                let head = board.head(neighbor).index();
                if heads[..i].contains(&head) {
                    continue;
                }
                heads[i] = head;
                self.liberties[head] += 1;
            }
        }
    }

    /// Sets the codes; returns whether an own and whether an opposing chain is in atari.
    fn encode(&mut self, board: &Board) -> [bool; 2] {
        let mut in_atari = [false; 2];
        for point in self.size.points() {
            let code = match board.stone(point) {
                None => code::EMPTY,
                Some(color) => {
                    let base = if color == self.mover {
                        code::OWN
                    } else {
                        code::OTHER
                    };
                    let liberties = self.liberties[board.head(point).index()];
                    base + liberties.clamp(1, 3) as u8 - 1
                }
            };
            in_atari[0] |= code == code::OWN;
            in_atari[1] |= code == code::OTHER;
            self.codes[point.index() + SHIFT] = code;
        }
        in_atari
    }

    /// Marks opposing chains in atari whose capture frees an own chain in atari.
    fn find_hunters(&mut self, board: &Board) {
        for point in self.size.points() {
            if self.code(point) != code::OTHER {
                continue;
            }
            for neighbor in point.neighbors() {
                if self.code(neighbor) == code::OWN {
                    self.hunter[board.head(point).index()] = true;
                }
            }
        }
    }

    /// Measures the distance along lines to the nearest stone of each side, in two passes.
    fn measure(&mut self, board: &Board) {
        for (side, near) in self.near.iter_mut().enumerate() {
            let color = if side == 0 { self.mover } else { !self.mover };
            for point in self.size.points() {
                let i = point.index();
                near[i] = if board.stone(point) == Some(color) {
                    0
                } else {
                    near[i - 1].min(near[i - STRIDE]).saturating_add(1).min(FAR)
                };
            }
            for point in self.size.points().rev() {
                let i = point.index();
                near[i] = near[i].min(near[i + 1].min(near[i + STRIDE]).saturating_add(1));
            }
        }
    }

    /// Returns the code of a point.
    #[inline]
    pub(crate) fn code(&self, point: Point) -> u8 {
        self.codes[point.index() + SHIFT]
    }

    /// Returns the liberties of a chain by its head.
    #[inline]
    pub(crate) fn liberties(&self, head: Point) -> usize {
        usize::from(self.liberties[head.index()])
    }

    /// Returns whether taking the chain (by its head) frees an own chain in atari.
    #[inline]
    pub(crate) fn is_hunter(&self, head: Point) -> bool {
        self.hunter[head.index()]
    }

    /// Returns the steps to the nearest own and opposing stone.
    #[inline]
    pub(crate) fn near(&self, point: Point) -> [usize; 2] {
        [0, 1].map(|side| usize::from(self.near[side][point.index()]))
    }

    /// Counts the liberties an own stone on `point` would have, no further than `limit`.
    ///
    /// `own` are the heads of the own chains it joins, `taken` the heads of those it takes.
    pub(crate) fn liberties_after(
        &mut self,
        board: &Board,
        point: Point,
        (own, taken): (&[Point], &[Point]),
        limit: usize,
    ) -> usize {
        // A chain that has many keeps all but this point; taken stones only add.
        if own.iter().any(|&head| self.liberties(head) > limit) {
            return limit;
        }
        self.tick += 1;
        let tick = self.tick;
        self.seen[point.index()] = tick;
        let mut count = 0;
        let mut add = |seen: &mut [u32; GRID], at: Point| {
            if seen[at.index()] != tick {
                seen[at.index()] = tick;
                count += 1;
            }
            count >= limit
        };
        for neighbor in point.neighbors() {
            let open = match board.cell(neighbor) {
                Cell::Empty => true,
                Cell::Edge => false,
                Cell::Black | Cell::White => taken.contains(&board.head(neighbor)),
            };
            if open && add(&mut self.seen, neighbor) {
                return limit;
            }
        }
        for &head in own {
            for stone in board.chain(head) {
                for neighbor in stone.neighbors() {
                    let open = match board.cell(neighbor) {
                        Cell::Empty => true,
                        Cell::Edge => false,
                        Cell::Black | Cell::White => {
                            !taken.is_empty() && taken.contains(&board.head(neighbor))
                        }
                    };
                    if open && add(&mut self.seen, neighbor) {
                        return limit;
                    }
                }
            }
        }
        count
    }
}
