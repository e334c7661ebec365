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

impl Region {
    /// Returns whether it is its owner's although stones of the opponent may be in it.
    fn is_safe(&self) -> bool {
        self.inner < 2 && self.touches_own && !self.unsafe_border
    }
}

/// The regions and chains of one color.
struct Side<'a> {
    board: &'a Board,
    color: Color,
    region_of: [u16; GRID],
    regions: [Region; MAX_REGIONS],
    count: usize,
    /// Heads of the chains not struck out.
    alive: [Point; Size::MAX * Size::MAX],
    chains: usize,
    /// By chain head: regions vital to it that touch safe chains only.
    vital: [u8; GRID],
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
        let anywhere = Point::from_index(1);
        let mut side = Side {
            board,
            color,
            region_of: [NO_REGION; GRID],
            regions: [blank; MAX_REGIONS],
            count: 0,
            alive: [anywhere; Size::MAX * Size::MAX],
            chains: 0,
            vital: [0; GRID],
        };
        let mut stack = [anywhere; Size::MAX * Size::MAX];
        for point in board.size().points() {
            if board.is_empty(point) {
                if side.region_of[point.index()] == NO_REGION {
                    side.walk_region(point, suicide, &mut stack);
                }
            } else if side.is_own(point) && board.head(point) == point {
                side.alive[side.chains] = point;
                side.chains += 1;
            }
        }
        while side.strike_out() {}
        side
    }

    fn is_own(&self, point: Point) -> bool {
        self.board.cell(point) == Cell::from(self.color)
    }

    /// Finds the region of an empty point and the chains it is vital to.
    fn walk_region(
        &mut self,
        start: Point,
        suicide: bool,
        stack: &mut [Point; Size::MAX * Size::MAX],
    ) {
        let board = self.board;
        let index = self.count as u16;
        let mut region = self.regions[self.count];
        self.count += 1;
        for (place, neighbor) in region.vital.iter_mut().zip(start.neighbors()) {
            *place = (board.cell(neighbor) == Cell::from(self.color)).then(|| board.head(neighbor));
        }
        drop_repeats(&mut region.vital);
        let mut is_vital = region.vital != [None; 4];
        stack[0] = start;
        let mut depth = 1;
        self.region_of[start.index()] = index;
        while depth > 0 {
            depth -= 1;
            let point = stack[depth];
            let empty = board.is_empty(point);
            if is_vital && (suicide || empty) {
                self.keep_touched(&mut region.vital, point);
                is_vital = region.vital != [None; 4];
            }
            region.has_opponent |= !empty;
            let mut inner = true;
            for neighbor in point.neighbors() {
                let cell = board.cell(neighbor);
                if cell == Cell::Edge {
                    continue;
                }
                if cell == Cell::from(self.color) {
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
        for head in region.vital.iter().flatten() {
            self.vital[head.index()] += 1;
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
        let before = self.chains;
        let mut left = 0;
        for i in 0..before {
            let head = self.alive[i];
            if self.vital[head.index()] < 2 {
                self.taint_border(head);
            } else {
                self.alive[left] = head;
                left += 1;
            }
        }
        self.chains = left;
        left < before
    }

    /// Marks the regions around a chain as touching one that is not safe, and no longer
    /// vital to any.
    fn taint_border(&mut self, head: Point) {
        let board = self.board;
        for stone in board.chain(head) {
            for neighbor in stone.neighbors() {
                let index = self.region_of[neighbor.index()];
                let Some(region) = self.regions.get_mut(usize::from(index)) else {
                    continue;
                };
                if !region.unsafe_border {
                    region.unsafe_border = true;
                    for head in region.vital.iter().flatten() {
                        self.vital[head.index()] -= 1;
                    }
                }
            }
        }
    }

    fn claim_safe(&self, owners: &mut Owners) {
        for &head in &self.alive[..self.chains] {
            for stone in self.board.chain(head) {
                owners.claim(self.color, stone);
            }
        }
        if !self.regions[..self.count].iter().any(Region::is_safe) {
            return;
        }
        for point in self.board.size().points() {
            if self.region(point).is_some_and(Region::is_safe) {
                owners.claim(self.color, point);
            }
        }
    }

    fn claim_territory(&self, options: AreaOptions, owners: &mut Owners) {
        if !options.safe_territory && !options.all_territory {
            return;
        }
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
