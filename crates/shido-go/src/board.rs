//! Stones on a board: chains, liberties and captures, kept incrementally.
//!
//! A chain is a circular list of its stones, named by one of them (its head).
//! Liberties are kept as [`Contacts`] of its stones with empty points, which tell
//! no liberty and exactly one (with its place) in constant time. Exact sets are
//! walked on demand ([`Board::liberties`]).
//!
//! The board knows simple ko and captures. It does not know whose turn it is,
//! superko or the score; see [`crate::Position`].
//!
//! Invariant: after any sequence of `play` and `place`, every incremental field
//! equals what [`Board::recomputed`] finds from the stones alone.

mod undo;

use crate::point::{GRID, STRIDE};
use crate::{Color, Contacts, Point, PointSet, Size, zobrist};

pub use undo::Undo;

/// What is on a grid point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Cell {
    /// A black stone.
    Black = 0,
    /// A white stone.
    White = 1,
    /// Nothing.
    Empty = 2,
    /// Off the board.
    Edge = 3,
}

impl Cell {
    /// Returns the color of the stone, if there is one.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Edge => None,
        }
    }
}

impl From<Color> for Cell {
    #[inline]
    fn from(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

/// Why a stone cannot be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPlay {
    /// The point is not on this board.
    #[error("the point is not on the board")]
    OffBoard,
    /// There is a stone already.
    #[error("the point is occupied")]
    Occupied,
    /// The stone would take back a ko at once.
    #[error("the ko may not be retaken at once")]
    Ko,
    /// The stone would have no liberty.
    #[error("the move is suicide")]
    Suicide,
    /// The move repeats an earlier position.
    #[error("the move repeats an earlier position (superko)")]
    Superko,
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

/// Stones on a board of some size.
#[derive(Clone)]
pub struct Board {
    cells: [Cell; GRID],
    /// Head of the chain a stone belongs to.
    head: [u16; GRID],
    /// Next stone of the same chain, circular.
    next: [u16; GRID],
    /// Pseudo-liberties by chain head.
    contacts: [Contacts; GRID],
    /// Number of stones by chain head.
    stones: [u16; GRID],
    /// The empty points in no particular order.
    empty: [u16; GRID],
    /// Where a point stands in `empty`.
    slot: [u16; GRID],
    empties: u16,
    ko: Option<Point>,
    hash: u64,
    size: Size,
    /// Prisoners taken by each color.
    prisoners: [u16; 2],
    /// Stones the latest `play` took off.
    captured: [u16; GRID],
    captures: u16,
}

impl Board {
    /// Returns an empty board.
    pub fn new(size: Size) -> Board {
        let mut board = Board {
            cells: [Cell::Edge; GRID],
            head: [0; GRID],
            next: [0; GRID],
            contacts: [Contacts::default(); GRID],
            stones: [0; GRID],
            empty: [0; GRID],
            slot: [0; GRID],
            empties: 0,
            ko: None,
            hash: 0,
            size,
            prisoners: [0; 2],
            captured: [0; GRID],
            captures: 0,
        };
        for point in size.points() {
            board.cells[point.index()] = Cell::Empty;
            board.push_empty(point);
        }
        board
    }

    /// Copies another board of the same size into this one, touching only the rows in use.
    ///
    /// Faster than `clone` on small boards; search copies a board for every playout.
    pub fn copy_from(&mut self, other: &Board) {
        debug_assert_eq!(self.size, other.size);
        let used = (other.size.height() + 2) * STRIDE;
        let area = other.size.area();
        self.cells[..used].copy_from_slice(&other.cells[..used]);
        self.head[..used].copy_from_slice(&other.head[..used]);
        self.next[..used].copy_from_slice(&other.next[..used]);
        self.contacts[..used].copy_from_slice(&other.contacts[..used]);
        self.stones[..used].copy_from_slice(&other.stones[..used]);
        self.slot[..used].copy_from_slice(&other.slot[..used]);
        self.empty[..area].copy_from_slice(&other.empty[..area]);
        let captures = usize::from(other.captures);
        self.captured[..captures].copy_from_slice(&other.captured[..captures]);
        self.captures = other.captures;
        self.empties = other.empties;
        self.ko = other.ko;
        self.hash = other.hash;
        self.prisoners = other.prisoners;
    }

    /// Returns the size.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns what is on a point; points outside are [`Cell::Edge`].
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// Returns the color of the stone on a point, if there is one.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    /// Returns whether the point is on the board and empty.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// Returns the point where simple ko forbids the next stone of the color that lost a stone.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Returns whom simple ko bans from where: the color that just lost a single stone.
    pub fn ko_ban(&self) -> Option<(Color, Point)> {
        let point = self.ko?;
        // The taker's stones are all around.
        let taker = point.neighbors().into_iter().find_map(|n| self.stone(n))?;
        Some((!taker, point))
    }

    /// Forgets the ko ban, as a pass or a move elsewhere by the other rules does.
    #[inline]
    pub fn clear_ko(&mut self) {
        self.ko = None;
    }

    /// Puts a ko ban (back) in force.
    #[inline]
    pub(crate) fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko;
    }

    /// Returns the hash of the stones alone.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns what [`Board::hash`] would be after a stone on an empty point.
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        let mut hash = self.hash ^ zobrist::STONE[color.index()][point.index()];
        let suicide = self.is_suicide(color, point);
        if suicide {
            hash = self.hash;
        }
        let around = point.neighbors();
        for (i, &neighbor) in around.iter().enumerate() {
            let Some(stone) = self.stone(neighbor) else {
                continue;
            };
            let goes = if stone == color {
                suicide
            } else {
                self.atari(neighbor).is_some()
            };
            let counted = around[..i]
                .iter()
                .any(|&n| self.stone(n) == Some(stone) && self.head(n) == self.head(neighbor));
            if goes && !counted {
                for taken in self.chain(neighbor) {
                    hash ^= zobrist::STONE[stone.index()][taken.index()];
                }
            }
        }
        hash
    }

    /// Returns the hash of stones, ko ban and the color to move.
    #[inline]
    pub fn hash_with(&self, to_move: Color) -> u64 {
        let ko = self.ko.map_or(0, |point| zobrist::KO[0][point.index()]);
        let turn = if to_move == Color::White {
            zobrist::WHITE_TO_MOVE
        } else {
            0
        };
        self.hash ^ ko ^ turn
    }

    /// Returns how many stones `color` has captured.
    #[inline]
    pub fn prisoners(&self, color: Color) -> usize {
        usize::from(self.prisoners[color.index()])
    }

    /// Records stones captured elsewhere, as when dead stones are taken off.
    pub fn add_prisoners(&mut self, taker: Color, stones: usize) {
        self.count_prisoners(taker, stones as u16);
    }

    /// Returns the number of black stones less that of white stones.
    #[inline]
    pub fn stone_lead(&self) -> i32 {
        let used = &self.cells[..(self.size.height() + 2) * STRIDE];
        used.iter()
            .map(|&cell| i32::from(cell == Cell::Black) - i32::from(cell == Cell::White))
            .sum()
    }

    /// Returns the empty points in no particular (but repeatable) order.
    #[inline]
    pub fn empty_points(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.empty[..usize::from(self.empties)]
            .iter()
            .map(|&i| Point::from_index(usize::from(i)))
    }

    /// Returns the number of empty points.
    #[inline]
    pub fn empty_count(&self) -> usize {
        usize::from(self.empties)
    }

    /// Returns the `i`-th empty point in the order of [`Board::empty_points`].
    #[inline]
    pub fn nth_empty(&self, i: usize) -> Point {
        debug_assert!(i < self.empty_count());
        Point::from_index(masked(self.empty[i]))
    }

    /// Returns the stones taken off by the latest [`Board::play`].
    #[inline]
    pub fn captured(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.captured[..usize::from(self.captures)]
            .iter()
            .map(|&i| Point::from_index(usize::from(i)))
    }

    /// Returns the name of the chain a stone belongs to: one stone of it, the same for all.
    #[inline]
    pub fn head(&self, stone: Point) -> Point {
        debug_assert!(self.stone(stone).is_some());
        Point::from_index(masked(self.head[stone.index()]))
    }

    /// Returns the pseudo-liberties of the chain a stone belongs to.
    #[inline]
    pub fn contacts(&self, stone: Point) -> Contacts {
        self.contacts[masked(self.head[stone.index()])]
    }

    /// Returns the only liberty of the chain a stone belongs to, if it is in atari.
    #[inline]
    pub fn atari(&self, stone: Point) -> Option<Point> {
        self.contacts(stone).single()
    }

    /// Returns the number of stones of the chain a stone belongs to.
    #[inline]
    pub fn chain_len(&self, stone: Point) -> usize {
        usize::from(self.stones[masked(self.head[stone.index()])])
    }

    /// Returns the stones of the chain a stone belongs to.
    #[inline]
    pub fn chain(&self, stone: Point) -> Chain<'_> {
        debug_assert!(self.stone(stone).is_some());
        Chain {
            board: self,
            at: stone.index(),
            left: self.chain_len(stone),
        }
    }

    /// Returns the set of liberties of the chain a stone belongs to.
    pub fn liberties(&self, stone: Point) -> PointSet {
        let mut set = PointSet::new();
        for stone in self.chain(stone) {
            for point in stone.neighbors() {
                if self.is_empty(point) {
                    set.insert(point);
                }
            }
        }
        set
    }

    /// Returns the number of liberties, counting no further than `limit`.
    pub fn count_liberties(&self, stone: Point, limit: usize) -> usize {
        let mut seen = PointSet::new();
        let mut count = 0;
        for stone in self.chain(stone) {
            for point in stone.neighbors() {
                if self.is_empty(point) && seen.insert(point) {
                    count += 1;
                    if count >= limit {
                        return count;
                    }
                }
            }
        }
        count
    }

    /// Returns whether a stone of `color` on an empty point would have no liberty
    /// and capture nothing.
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        if self.has_empty_neighbor(point) {
            return false;
        }
        for neighbor in point.neighbors() {
            if let Some(stone) = self.stone(neighbor) {
                // Every contact of this chain may be with `point` alone.
                if (stone == color) != self.contacts(neighbor).is_single() {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether a point has an empty neighbor.
    #[inline]
    pub fn has_empty_neighbor(&self, point: Point) -> bool {
        let around = point.neighbors();
        around
            .into_iter()
            .fold(false, |any, n| any | (self.cell(n) == Cell::Empty))
    }

    /// Says whether `color` may place a stone by simple ko, with suicide forbidden.
    #[inline]
    pub fn check(&self, color: Color, point: Point) -> Result<(), IllegalPlay> {
        match self.cell(point) {
            Cell::Edge => Err(IllegalPlay::OffBoard),
            Cell::Black | Cell::White => Err(IllegalPlay::Occupied),
            Cell::Empty if self.ko == Some(point) => Err(IllegalPlay::Ko),
            Cell::Empty if self.is_suicide(color, point) => Err(IllegalPlay::Suicide),
            Cell::Empty => Ok(()),
        }
    }

    /// Returns whether `color` may place a stone by simple ko, with suicide forbidden.
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.is_empty(point) && self.ko != Some(point) && !self.is_suicide(color, point)
    }

    /// Places a stone on an empty point, takes off what has no liberty (the
    /// opponent's stones first, then the own chain if that is suicide), and sets
    /// the ko ban. Legality by the rules is the caller's concern.
    pub fn play(&mut self, color: Color, point: Point) {
        debug_assert!(self.is_empty(point));
        self.captures = 0;
        let touched = self.put(color, point);
        let mut dead = touched.dead;
        while dead != 0 {
            let neighbor = point.neighbors()[dead.trailing_zeros() as usize % 4];
            // Two neighbors may be of one chain.
            if self.stone(neighbor).is_some() {
                self.take_off(neighbor);
            }
            dead &= dead - 1;
        }
        self.count_prisoners(color, self.captures);
        if self.contacts(point).is_empty() {
            let before = self.captures;
            self.take_off(point);
            self.count_prisoners(!color, self.captures - before);
            self.ko = None;
            return;
        }
        // A lone stone that took one stone in a fully enclosed place starts a ko.
        self.ko = (self.captures == 1 && touched.enclosed && touched.friends == 0)
            .then(|| Point::from_index(usize::from(self.captured[0])));
    }

    /// Puts a stone down as part of a setup: no capture, no ko.
    ///
    /// A chain left without liberties stays; [`Board::remove_dead`] clears such chains.
    pub fn place(&mut self, color: Color, point: Point) {
        debug_assert!(self.is_empty(point));
        self.captures = 0;
        self.put(color, point);
        self.ko = None;
    }

    /// Takes a single stone off as part of a setup.
    pub fn lift(&mut self, point: Point) {
        if self.stone(point).is_none() {
            return;
        }
        // A chain may fall apart: rebuild from the stones, which is simple and rare.
        let mut fresh = Board::new(self.size);
        for other in self.size.points() {
            if let (Some(color), true) = (self.stone(other), other != point) {
                fresh.put(color, other);
            }
        }
        fresh.prisoners = self.prisoners;
        *self = fresh;
    }

    /// Removes chains without liberties, as a faulty setup may hold; returns how many stones.
    pub fn remove_dead(&mut self) -> usize {
        let mut removed = 0;
        for point in self.size.points() {
            if self.stone(point).is_some() && self.contacts(point).is_empty() {
                self.captures = 0;
                self.take_off(point);
                removed += usize::from(self.captures);
            }
        }
        self.captures = 0;
        removed
    }

    /// Returns the same stones with every incremental field computed anew, for tests.
    pub fn recomputed(&self) -> Board {
        let mut fresh = Board::new(self.size);
        for point in self.size.points() {
            if let Some(color) = self.stone(point) {
                fresh.put(color, point);
            }
        }
        fresh.ko = self.ko;
        fresh.prisoners = self.prisoners;
        fresh
    }

    /// Puts a stone down and merges chains.
    ///
    /// What a neighbor is cannot be predicted, so the four are treated alike, without
    /// branches: points that bear no stone answer to the chain 0, which does not exist.
    #[inline]
    fn put(&mut self, color: Color, point: Point) -> Touched {
        let at = point.index();
        self.remove_empty(point);
        self.cells[at] = Cell::from(color);
        self.hash ^= zobrist::STONE[color.index()][at];
        self.head[at] = at as u16;
        self.next[at] = at as u16;
        self.stones[at] = 1;
        let around = point.neighbors();
        let heads = around.map(|neighbor| self.head_or_zero(neighbor));
        let mut own = 0;
        let mut friends = 0;
        for i in 0..4 {
            let cell = self.cell(around[i]);
            let empty = u64::from(cell == Cell::Empty);
            own += Contacts::one(around[i]) * empty;
            friends |= u8::from(cell == Cell::from(color)) << i;
            self.contacts[heads[i]].remove(point);
        }
        let mut dead = 0;
        for i in 0..4 {
            let enemy = self.cell(around[i]) == Cell::from(!color);
            dead |= u8::from(enemy & self.contacts[heads[i]].is_empty()) << i;
        }
        self.contacts[at] = Contacts::from_sum(own);
        let mut left = friends;
        while left != 0 {
            let i = left.trailing_zeros() as usize % 4;
            self.merge(at, around[i].index());
            left &= left - 1;
        }
        Touched {
            enclosed: own == 0,
            friends,
            dead,
        }
    }

    /// Returns the head of a stone's chain, or 0 where there is no stone.
    #[inline]
    fn head_or_zero(&self, point: Point) -> usize {
        let stone = u16::from((self.cell(point) as u8) < Cell::Empty as u8);
        masked(self.head[point.index()] * stone)
    }

    /// Joins the chains of two stones; the larger keeps its head.
    #[inline]
    fn merge(&mut self, a: usize, b: usize) {
        let (mut keep, mut give) = (masked(self.head[a]), masked(self.head[b]));
        if keep == give {
            return;
        }
        if self.stones[keep] < self.stones[give] {
            std::mem::swap(&mut keep, &mut give);
        }
        let contacts = self.contacts[give];
        self.contacts[keep].merge(contacts);
        self.stones[keep] += self.stones[give];
        let mut at = give;
        loop {
            self.head[at] = keep as u16;
            at = masked(self.next[at]);
            if at == give {
                break;
            }
        }
        self.next.swap(keep, give);
    }

    /// Removes the chain of a stone and records its stones as captured.
    #[inline]
    fn take_off(&mut self, stone: Point) {
        let first = stone.index();
        let color = self.cells[first].color().expect("there is a stone");
        let mut at = first;
        loop {
            let point = Point::from_index(at);
            self.cells[at] = Cell::Empty;
            self.hash ^= zobrist::STONE[color.index()][at];
            self.push_empty(point);
            self.captured[masked(self.captures)] = at as u16;
            self.captures += 1;
            // Contacts given to stones of this very chain are harmless: its head is gone.
            for neighbor in point.neighbors() {
                self.contacts[self.head_or_zero(neighbor)].add(point);
            }
            at = masked(self.next[at]);
            if at == first {
                break;
            }
        }
    }

    /// Counts prisoners; a record that holds more than 65,535 of them is not a game any more.
    #[inline]
    fn count_prisoners(&mut self, taker: Color, stones: u16) {
        let prisoners = &mut self.prisoners[taker.index()];
        *prisoners = prisoners.saturating_add(stones);
    }

    #[inline]
    fn push_empty(&mut self, point: Point) {
        self.empty[masked(self.empties)] = point.index() as u16;
        self.slot[point.index()] = self.empties;
        self.empties += 1;
    }

    #[inline]
    fn remove_empty(&mut self, point: Point) {
        self.empties -= 1;
        let last = self.empty[masked(self.empties)];
        let slot = self.slot[point.index()];
        self.empty[masked(slot)] = last;
        self.slot[masked(last)] = slot;
    }
}

/// What a stone just put down touches; sets of neighbors by their place in
/// [`Point::neighbors`].
struct Touched {
    /// No neighbor is empty.
    enclosed: bool,
    /// Neighbors of the same color.
    friends: u8,
    /// Opposing neighbors without a liberty left.
    dead: u8,
}

/// Returns an entry of the grid arrays as an index that needs no bounds check.
#[inline]
fn masked(entry: u16) -> usize {
    usize::from(entry) % GRID
}

/// The stones of one chain; see [`Board::chain`].
#[derive(Clone)]
pub struct Chain<'a> {
    board: &'a Board,
    at: usize,
    left: usize,
}

impl Iterator for Chain<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let point = Point::from_index(self.at);
        self.at = masked(self.board.next[self.at]);
        Some(point)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Chain<'_> {}

impl PartialEq for Board {
    /// Boards are equal when stones, ko ban and prisoners are.
    fn eq(&self, other: &Board) -> bool {
        self.size == other.size
            && self.hash == other.hash
            && self.ko == other.ko
            && self.prisoners == other.prisoners
            && self.cells == other.cells
    }
}

impl Eq for Board {}
