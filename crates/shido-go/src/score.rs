//! Counting: area and territory, with the dead stones given.
//!
//! Dead stones are taken off first, whole chains at a time. A stretch of empty
//! points that touches one color only is that color's territory; what touches
//! both is neutral. Where players agree on the end they leave neutral points open,
//! and then a point that touches stones of both colors also ends the territories
//! beside it: else a whole side would be nobody's for one such point. A narrow gap that
//! nobody closed is shared out (`score/gaps.rs`), a wide one leaves all that it joins
//! to nobody. Under a tax
//! the *groups* matter: stones and territory of one color that hang together. A group that touches a neutral point and has
//! not room for two eyes is in seki.
//!
//! That last test stands in for playing out the neutral points, which people
//! often leave open: two separate eye spaces, or one of at least
//! [`ROOM_FOR_TWO_EYES`] points, make a group alive beside open neutral points.
//!
//! What is dead is not decided here.

mod gaps;

use std::fmt;

use crate::{
    Board, Cell, Color, Move, Owners, Point, PointSet, Position, Rules, Scoring, Size, Tax,
};

/// An eye space of this many points makes a group alive although neutral points are open.
pub const ROOM_FOR_TWO_EYES: usize = 4;

/// A difference of points, seen from Black.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Score(f32);

impl Score {
    /// Neither side is ahead.
    pub const EVEN: Score = Score(0.0);

    /// Returns the score with Black this far ahead; negative for behind.
    pub const fn for_black(lead: f32) -> Score {
        Score(lead)
    }

    /// Returns the score with `color` this far ahead.
    pub fn ahead(color: Color, lead: f32) -> Score {
        match color {
            Color::Black => Score(lead),
            Color::White => Score(-lead),
        }
    }

    /// Returns how far `color` is ahead; negative for behind.
    pub fn lead(self, color: Color) -> f32 {
        match color {
            Color::Black => self.0,
            Color::White => -self.0,
        }
    }

    /// Returns who is ahead.
    pub fn leader(self) -> Option<Color> {
        if self.0 > 0.0 {
            Some(Color::Black)
        } else if self.0 < 0.0 {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Returns by how much the leader is ahead.
    pub fn margin(self) -> f32 {
        self.0.abs()
    }
}

impl fmt::Display for Score {
    /// Writes `B+3.5`, `W+0.5` or `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.leader() {
            Some(color) => write!(f, "{}+{}", color.letter(), self.margin()),
            None => f.write_str("0"),
        }
    }
}

/// What one side has at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Side {
    /// Living stones on the board.
    pub stones: usize,
    /// Empty points that count, before the group tax.
    pub territory: usize,
    /// Stones captured during the game and dead stones taken off at its end.
    pub prisoners: usize,
    /// Points paid for living groups.
    pub tax: usize,
}

/// A counted position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Count {
    /// What Black has.
    pub black: Side,
    /// What White has.
    pub white: Side,
    /// What counts.
    pub scoring: Scoring,
    /// White's compensation: komi and the bonus for handicap stones.
    pub compensation: f32,
    /// Half a point for who passed first: positive if Black did.
    pub button: f32,
}

impl Count {
    /// Returns what one side has on the board, without compensation.
    pub fn points(&self, color: Color) -> usize {
        let side = match color {
            Color::Black => self.black,
            Color::White => self.white,
        };
        let paid = side.territory.saturating_sub(side.tax);
        match self.scoring {
            Scoring::Area => side.stones + paid,
            Scoring::Territory => paid + side.prisoners,
        }
    }

    /// Returns the difference.
    pub fn score(&self) -> Score {
        let board = self.points(Color::Black) as f32 - self.points(Color::White) as f32;
        Score(board - self.compensation + self.button)
    }
}

impl Position {
    /// Counts by the position's rules, the chains of `dead` taken off.
    pub fn count(&self, dead: &PointSet) -> Count {
        let rules = self.rules();
        let alive = self.board().without(dead);
        let owners = alive.owners(rules);
        let side = |color| count_side(&alive, &owners, color, rules.tax);
        let bonus = rules.handicap_bonus.points(self.handicap());
        Count {
            black: side(Color::Black),
            white: side(Color::White),
            scoring: rules.scoring,
            compensation: self.komi() + bonus as f32,
            button: self.button_points(),
        }
    }

    /// Returns the score by the position's rules, the chains of `dead` taken off.
    ///
    /// ```
    /// use shido_go::{Position, PointSet, Rules, Size};
    ///
    /// let empty = Position::new(Size::S9, Rules::CHINESE, 7.5);
    /// assert_eq!(empty.score(&PointSet::new()).to_string(), "W+7.5");
    /// ```
    pub fn score(&self, dead: &PointSet) -> Score {
        self.count(dead).score()
    }

    fn button_points(&self) -> f32 {
        if !self.rules().button {
            return 0.0;
        }
        let first_pass = self.moves().iter().find(|played| played.mv == Move::Pass);
        match first_pass.map(|played| played.color) {
            Some(Color::Black) => 0.5,
            Some(Color::White) => -0.5,
            None => 0.0,
        }
    }
}

impl Board {
    /// Returns the board with whole chains taken off; they become prisoners.
    ///
    /// A chain goes if any stone of it is in the set; empty points in it mean nothing.
    pub fn without(&self, dead: &PointSet) -> Board {
        let mut gone = PointSet::new();
        for stone in dead.iter().filter(|&p| self.stone(p).is_some()) {
            if !gone.contains(stone) {
                gone.extend(self.chain(stone));
            }
        }
        let mut board = Board::new(self.size());
        for color in Color::BOTH {
            board.add_prisoners(color, self.prisoners(color));
        }
        for point in self.size().points() {
            match self.stone(point) {
                Some(color) if gone.contains(point) => board.add_prisoners(!color, 1),
                Some(color) => board.place(color, point),
                None => {}
            }
        }
        board
    }

    /// Returns the area of both colors with every stone taken as alive.
    ///
    /// One open neutral point joins the territories beside it, as strict rules have it;
    /// [`Board::owners`] counts as the rules at hand do.
    pub fn area(&self) -> Owners {
        let mut owners = Owners::new();
        self.each_stretch(&PointSet::new(), &mut owners, |_, _| {});
        owners
    }

    /// Returns what each color has at the end of a game by these rules, with every stone
    /// taken as alive.
    pub fn owners(&self, rules: &Rules) -> Owners {
        if !rules.ends_by_agreement() {
            return self.area();
        }
        let mut owners = Owners::new();
        self.each_stretch(&self.neutral_points(), &mut owners, |stretch, owners| {
            gaps::share_out(self, stretch, owners);
        });
        owners
    }

    /// Returns the empty points that touch stones of both colors.
    fn neutral_points(&self) -> PointSet {
        let touches =
            |point: Point, cell| point.neighbors().iter().any(|&it| self.cell(it) == cell);
        let empty = self.empty_points();
        empty
            .filter(|&it| touches(it, Cell::Black) && touches(it, Cell::White))
            .collect()
    }

    /// Claims stones and what touches one color only, and calls `joined` with each stretch of
    /// empty points that touches both. No stretch goes on over `neutral` points.
    fn each_stretch(
        &self,
        neutral: &PointSet,
        owners: &mut Owners,
        mut joined: impl FnMut(&PointSet, &mut Owners),
    ) {
        let mut seen = *neutral;
        let mut stack = Stack::new();
        for point in self.size().points() {
            if let Some(color) = self.stone(point) {
                owners.claim(color, point);
                continue;
            }
            if !seen.insert(point) {
                continue;
            }
            let mut region = PointSet::new();
            let mut touches = [false; 2];
            stack.push(point);
            while let Some(at) = stack.pop() {
                region.insert(at);
                for neighbor in at.neighbors() {
                    match self.cell(neighbor) {
                        Cell::Empty => {
                            if seen.insert(neighbor) {
                                stack.push(neighbor);
                            }
                        }
                        Cell::Black => touches[0] = true,
                        Cell::White => touches[1] = true,
                        Cell::Edge => {}
                    }
                }
            }
            match touches {
                [true, true] => joined(&region, owners),
                [true, false] => (region.iter()).for_each(|at| owners.claim(Color::Black, at)),
                [false, true] => (region.iter()).for_each(|at| owners.claim(Color::White, at)),
                [false, false] => {}
            }
        }
    }

    /// Returns Black's area less White's on a board that is played out: no two
    /// empty points touch, as at the end of a playout.
    ///
    /// Elsewhere it is an estimate that takes each empty point for itself.
    #[inline]
    pub fn played_out_lead(&self) -> i32 {
        let mut lead = self.stone_lead();
        for point in self.empty_points() {
            let mut touches = [0; 4];
            for neighbor in point.neighbors() {
                touches[self.cell(neighbor) as usize] = 1;
            }
            lead += touches[0] - touches[1];
        }
        lead
    }
}

/// A stack of points that cannot overflow a board.
struct Stack {
    points: [Option<Point>; Size::MAX * Size::MAX],
    len: usize,
}

impl Stack {
    fn new() -> Stack {
        Stack {
            points: [None; Size::MAX * Size::MAX],
            len: 0,
        }
    }

    fn push(&mut self, point: Point) {
        self.points[self.len] = Some(point);
        self.len += 1;
    }

    fn pop(&mut self) -> Option<Point> {
        self.len = self.len.checked_sub(1)?;
        self.points[self.len]
    }
}

/// One color's stones and territory that hang together.
struct Group {
    territory: usize,
    eye_spaces: usize,
    largest: usize,
    touches_neutral: bool,
}

impl Group {
    fn in_seki(&self) -> bool {
        self.touches_neutral && self.eye_spaces < 2 && self.largest < ROOM_FOR_TWO_EYES
    }
}

fn count_side(board: &Board, owners: &Owners, color: Color, tax: Tax) -> Side {
    let own = owners.points(color);
    let mut side = Side {
        prisoners: board.prisoners(color),
        ..Side::default()
    };
    side.stones = own.iter().filter(|&p| board.stone(p).is_some()).count();
    if tax == Tax::None {
        side.territory = own.len() - side.stones;
        return side;
    }
    let mut seen = PointSet::new();
    for point in own.iter() {
        if seen.contains(point) {
            continue;
        }
        let group = survey(board, owners, color, point, &mut seen);
        if group.in_seki() {
            continue;
        }
        side.territory += group.territory;
        if tax == Tax::All {
            side.tax += group.territory.min(2);
        }
    }
    side
}

/// Walks the group of a point and marks it as seen.
fn survey(
    board: &Board,
    owners: &Owners,
    color: Color,
    start: Point,
    seen: &mut PointSet,
) -> Group {
    let own = owners.points(color);
    let mut group = Group {
        territory: 0,
        eye_spaces: 0,
        largest: 0,
        touches_neutral: false,
    };
    let mut walked_eyes = PointSet::new();
    let mut stack = Stack::new();
    seen.insert(start);
    stack.push(start);
    while let Some(at) = stack.pop() {
        if board.is_empty(at) {
            group.territory += 1;
            if !walked_eyes.contains(at) {
                let size = walk_eye(board, own, at, &mut walked_eyes);
                group.eye_spaces += 1;
                group.largest = group.largest.max(size);
            }
        }
        for neighbor in at.neighbors() {
            if own.contains(neighbor) {
                if seen.insert(neighbor) {
                    stack.push(neighbor);
                }
            } else if board.is_empty(neighbor) {
                group.touches_neutral = true;
            }
        }
    }
    group
}

/// Returns the size of the stretch of empty points of a color around one.
fn walk_eye(board: &Board, own: &PointSet, start: Point, walked: &mut PointSet) -> usize {
    let mut stack = Stack::new();
    let mut size = 0;
    walked.insert(start);
    stack.push(start);
    while let Some(at) = stack.pop() {
        size += 1;
        for neighbor in at.neighbors() {
            if board.is_empty(neighbor) && own.contains(neighbor) && walked.insert(neighbor) {
                stack.push(neighbor);
            }
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_print_as_people_write_them() {
        let print = |lead| Score::for_black(lead).to_string();
        assert_eq!(
            [3.5, -0.5, 0.0, 12.0].map(print),
            ["B+3.5", "W+0.5", "0", "B+12"]
        );
        assert_eq!(Score::ahead(Color::White, 2.0).lead(Color::Black), -2.0);
    }
}
