//! Unconditional life: chains and points that are safe if their owner always passes.
//!
//! Benson's algorithm. A *region* of a color is a stretch of points without its
//! stones that holds an empty point; it is *vital* to a chain if each of its empty points is
//! a liberty of the chain. Chains with fewer than two vital regions, and regions
//! that touch such chains, are struck out until nothing changes; what is left
//! cannot be captured. A region bounded by safe chains only, in which the
//! opponent has no room for a second eye, is its owner's territory.
//!
//! Where suicide of several stones is allowed, the opponent's stones in a region
//! must be beside the chain as well (they could vanish and leave empty points).
//!
//! Works on fixed arrays, without allocation.

use crate::point::GRID;
use crate::{Board, Cell, Color, Owners, Point, Size};

/// What [`Board::area_with`] gives to its owner besides what is safe unconditionally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AreaOptions {
    /// Empty regions of any size without opposing stones that touch safe chains only.
    pub safe_territory: bool,
    /// Empty regions of any size without opposing stones, whatever they touch.
    pub all_territory: bool,
    /// Stones that are neither safe nor in the opponent's safe territory.
    pub other_stones: bool,
}

impl Board {
    /// Returns the chains that are alive and the territory that is theirs
    /// although the owner passes forever. `suicide` says whether the rules allow
    /// that of several stones.
    pub fn pass_alive(&self, suicide: bool) -> Owners {
        self.area_with(AreaOptions::default(), suicide)
    }

    /// Returns what is safe unconditionally, and more if asked for.
    pub fn area_with(&self, options: AreaOptions, suicide: bool) -> Owners {
        let mut owners = Owners::new();
        let sides = Color::BOTH.map(|color| Side::new(self, color, suicide));
        for side in &sides {
            side.claim_safe(&mut owners);
        }
        for side in &sides {
            side.claim_territory(options, &mut owners);
        }
        if options.other_stones {
            for point in self.size().points() {
                if let Some(color) = self.stone(point) {
                    owners.claim(color, point);
                }
            }
        }
        owners
    }
}

/// No more regions fit: they are separated by stones.
const MAX_REGIONS: usize = Size::MAX * Size::MAX / 2 + 2;
const NO_REGION: u16 = u16::MAX;

#[derive(Clone, Copy)]
struct Region {
    /// Heads of the chains it is vital to; at most the four around its first point.
    vital: [Option<Point>; 4],
    /// Points that touch no stone of the color, counted to two.
    inner: u8,
    touches_own: bool,
    has_opponent: bool,
    /// Whether it touches a chain that is not safe.
    unsafe_border: bool,
}

/// The regions and chains of one color.
struct Side<'a> {
    board: &'a Board,
    color: Color,
    region_of: [u16; GRID],
    regions: [Region; MAX_REGIONS],
    count: usize,
    /// By chain head: the chain has been struck out.
    struck: [bool; GRID],
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, color: Color, suicide: bool) -> Side<'a> {
        let blank = Region {
            vital: [None; 4],
            inner: 0,
            touches_own: false,
            has_opponent: false,
            unsafe_border: false,
        };
        let mut side = Side {
            board,
            color,
            region_of: [NO_REGION; GRID],
            regions: [blank; MAX_REGIONS],
            count: 0,
            struck: [false; GRID],
        };
        for point in board.size().points() {
            if board.is_empty(point) && side.region_of[point.index()] == NO_REGION {
                side.walk_region(point, suicide);
            }
        }
        while side.strike_out() {}
        side
    }

    fn is_own(&self, point: Point) -> bool {
        self.board.cell(point) == Cell::from(self.color)
    }

    /// Finds the region of an empty point and the chains it is vital to.
    fn walk_region(&mut self, start: Point, suicide: bool) {
        let board = self.board;
        let index = self.count as u16;
        let mut region = self.regions[self.count];
        self.count += 1;
        for (place, neighbor) in region.vital.iter_mut().zip(start.neighbors()) {
            *place = (board.cell(neighbor) == Cell::from(self.color)).then(|| board.head(neighbor));
        }
        drop_repeats(&mut region.vital);
        let mut stack = [start; Size::MAX * Size::MAX];
        let mut depth = 1;
        self.region_of[start.index()] = index;
        while depth > 0 {
            depth -= 1;
            let point = stack[depth];
            let empty = board.is_empty(point);
            if suicide || empty {
                self.keep_touched(&mut region.vital, point);
            }
            region.has_opponent |= !empty;
            let mut inner = true;
            for neighbor in point.neighbors() {
                if board.cell(neighbor) == Cell::Edge {
                    continue;
                }
                if self.is_own(neighbor) {
                    inner = false;
                } else if self.region_of[neighbor.index()] == NO_REGION {
                    self.region_of[neighbor.index()] = index;
                    stack[depth] = neighbor;
                    depth += 1;
                }
            }
            region.touches_own |= !inner;
            region.inner = (region.inner + u8::from(inner)).min(2);
        }
        self.regions[usize::from(index)] = region;
    }

    /// Drops the chains that a point does not touch.
    fn keep_touched(&self, vital: &mut [Option<Point>; 4], point: Point) {
        for place in vital {
            if let Some(head) = *place {
                let around = point.neighbors();
                if !around
                    .iter()
                    .any(|&n| self.is_own(n) && self.board.head(n) == head)
                {
                    *place = None;
                }
            }
        }
    }

    /// Strikes out chains with fewer than two vital regions; says whether there were any.
    fn strike_out(&mut self) -> bool {
        let mut vital = [0u16; GRID];
        for region in self.regions[..self.count]
            .iter()
            .filter(|r| !r.unsafe_border)
        {
            for head in region.vital.iter().flatten() {
                vital[head.index()] += 1;
            }
        }
        let mut changed = false;
        for head in self.board.size().points() {
            let is_head = self.is_own(head) && self.board.head(head) == head;
            if is_head && !self.struck[head.index()] && vital[head.index()] < 2 {
                self.struck[head.index()] = true;
                changed = true;
                self.taint_border(head);
            }
        }
        changed
    }

    /// Marks the regions around a chain as touching one that is not safe.
    fn taint_border(&mut self, head: Point) {
        let board = self.board;
        for stone in board.chain(head) {
            for neighbor in stone.neighbors() {
                let region = self.region_of[neighbor.index()];
                if region != NO_REGION {
                    self.regions[usize::from(region)].unsafe_border = true;
                }
            }
        }
    }

    fn claim_safe(&self, owners: &mut Owners) {
        for point in self.board.size().points() {
            let safe = if self.is_own(point) {
                !self.struck[self.board.head(point).index()]
            } else {
                self.region(point)
                    .is_some_and(|r| r.inner < 2 && r.touches_own && !r.unsafe_border)
            };
            if safe {
                owners.claim(self.color, point);
            }
        }
    }

    fn claim_territory(&self, options: AreaOptions, owners: &mut Owners) {
        for point in self.board.empty_points() {
            let Some(region) = self.region(point) else {
                continue;
            };
            let wanted = options.all_territory || (options.safe_territory && !region.unsafe_border);
            if wanted && region.touches_own && !region.has_opponent {
                owners.claim(self.color, point);
            }
        }
    }

    fn region(&self, point: Point) -> Option<&Region> {
        self.regions.get(usize::from(self.region_of[point.index()]))
    }
}

fn drop_repeats(heads: &mut [Option<Point>; 4]) {
    for i in 1..heads.len() {
        if heads[..i].contains(&heads[i]) {
            heads[i] = None;
        }
    }
}
