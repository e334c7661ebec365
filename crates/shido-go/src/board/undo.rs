//! Taking a move back exactly, without a copy of the board.
//!
//! Reading (ladders above all) plays and unplays thousands of moves on one board.
//! Everything `play` changes can be derived backwards: merged chains come apart
//! because swapping the same two links of their lists once more separates them,
//! and captured chains still hold their links. Only what `put` overwrites at the
//! point itself has to be remembered.
//!
//! Invariant: `play_undoable` then `undo` leaves every field as it was, except
//! that [`Board::captured`] is empty. Moves are taken back in reverse order.

use super::{Board, Cell};
use crate::{Color, Contacts, Point};

/// What is needed to take one move back; see [`Board::play_undoable`].
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    point: Point,
    color: Color,
    ko: Option<Point>,
    hash: u64,
    prisoners: [u16; 2],
    slot: u16,
    /// What the point's entries held before they named the new stone.
    head: u16,
    next: u16,
    stones: u16,
    contacts: Contacts,
    /// Heads of chains joined, in order: who kept its name and who gave it up.
    merges: [(u16, u16); 4],
    merged: u8,
    /// One stone of each captured chain.
    taken: [Option<Point>; 4],
    suicide: bool,
}

impl Undo {
    /// Returns the point that was played.
    pub fn point(&self) -> Point {
        self.point
    }
}

impl Board {
    /// Plays like [`Board::play`] and returns how to take the move back.
    pub fn play_undoable(&mut self, color: Color, point: Point) -> Undo {
        let at = point.index();
        let mut undo = Undo {
            point,
            color,
            ko: self.ko,
            hash: self.hash,
            prisoners: self.prisoners,
            slot: self.slot[at],
            head: self.head[at],
            next: self.next[at],
            stones: self.stones[at],
            contacts: self.contacts[at],
            merges: [(0, 0); 4],
            merged: 0,
            taken: [None; 4],
            suicide: false,
        };
        self.foresee(&mut undo);
        self.play(color, point);
        undo.suicide = self.is_empty(point);
        undo
    }

    /// Takes back the latest move not yet taken back.
    pub fn undo(&mut self, undo: &Undo) {
        let Undo { point, color, .. } = *undo;
        if undo.suicide {
            self.put_back(color, point);
        }
        for &stone in undo.taken.iter().rev().flatten() {
            self.put_back(!color, stone);
        }
        for &(keep, give) in undo.merges[..usize::from(undo.merged)].iter().rev() {
            self.split(usize::from(keep), usize::from(give));
        }
        self.cells[point.index()] = Cell::Empty;
        for neighbor in point.neighbors() {
            if self.stone(neighbor).is_some() {
                self.contacts[usize::from(self.head[neighbor.index()])].add(point);
            }
        }
        let at = point.index();
        self.head[at] = undo.head;
        self.next[at] = undo.next;
        self.stones[at] = undo.stones;
        self.contacts[at] = undo.contacts;
        self.restore_empty(point, undo.slot);
        self.ko = undo.ko;
        self.hash = undo.hash;
        self.prisoners = undo.prisoners;
        self.captures = 0;
    }

    /// Notes which chains the move will join and take, before it is played.
    fn foresee(&self, undo: &mut Undo) {
        let (color, point) = (undo.color, undo.point);
        let mut chain = point.index();
        let mut size = 1;
        let mut taken = 0;
        for (i, neighbor) in point.neighbors().into_iter().enumerate() {
            let Some(stone) = self.stone(neighbor) else {
                continue;
            };
            let head = self.head(neighbor).index();
            let met = point.neighbors()[..i]
                .iter()
                .any(|&n| self.stone(n).is_some() && self.head(n).index() == head);
            if met {
                continue;
            }
            if stone != color {
                if self.atari(neighbor).is_some() {
                    undo.taken[taken] = Some(neighbor);
                    taken += 1;
                }
                continue;
            }
            let (mut keep, mut give) = (chain, head);
            if size < self.stones[head] {
                std::mem::swap(&mut keep, &mut give);
            }
            size += self.stones[head];
            undo.merges[usize::from(undo.merged)] = (keep as u16, give as u16);
            undo.merged += 1;
            chain = keep;
        }
    }

    /// Puts a captured chain, whose links are intact, back on the board.
    fn put_back(&mut self, color: Color, stone: Point) {
        let first = stone.index();
        let mut at = first;
        loop {
            self.cells[at] = Cell::from(color);
            self.empties -= 1;
            for neighbor in Point::from_index(at).neighbors() {
                if self.cell(neighbor) == Cell::from(!color) {
                    let head = usize::from(self.head[neighbor.index()]);
                    self.contacts[head].remove(Point::from_index(at));
                }
            }
            at = usize::from(self.next[at]);
            if at == first {
                break;
            }
        }
        // It was taken because it touched nothing empty.
        self.contacts[usize::from(self.head[first])] = Contacts::default();
    }

    /// Takes two joined chains apart: the reverse of `merge`.
    fn split(&mut self, keep: usize, give: usize) {
        self.next.swap(keep, give);
        self.stones[keep] -= self.stones[give];
        let contacts = self.contacts[give];
        self.contacts[keep].unmerge(contacts);
        let mut at = give;
        loop {
            self.head[at] = give as u16;
            at = usize::from(self.next[at]);
            if at == give {
                break;
            }
        }
    }

    /// Puts a point back into the slot it had in the list of empty points.
    fn restore_empty(&mut self, point: Point, slot: u16) {
        let last = self.empty[usize::from(slot)];
        self.empty[usize::from(self.empties)] = last;
        self.slot[usize::from(last)] = self.empties;
        self.empty[usize::from(slot)] = point.index() as u16;
        self.slot[point.index()] = slot;
        self.empties += 1;
    }
}
