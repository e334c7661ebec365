//! The individuals of (PD10, §2.1): what a move's team may consist of.
//!
//! Extension, four exclusive levels of capture, self-atari, contiguity, and the
//! 3×3 shapes that are frequent enough. Individuals are numbered densely from 0;
//! a shape that is not frequent belongs to no individual (its gamma is 1).
//!
//! "A group that would otherwise be able to connect to the last move played"
//! (2.3) is read as: the capture is played on a liberty of the last stone itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use shido_go::{Board, Color, Point};

use crate::feature_set::{FeatureSet, Group, Teams, Turn, legal_moves};
use crate::shape::{CODES, Shape};
use crate::tactics::{Answers, Capture, captures_any, is_self_atari};

/// Individual 1: saves a chain put into atari.
pub const EXTENSION: u32 = 0;
/// First of the four capture levels 2.1 to 2.4.
pub const CAPTURE: u32 = 1;
/// Individual 3: puts the own chain into atari.
pub const SELF_ATARI: u32 = 5;
/// Individual 4: orthogonally adjacent to the last move.
pub const CONTIGUITY: u32 = 6;
/// First shape.
pub const SHAPES: u32 = 7;
/// How often an orbit must appear among the legal moves of the data (PD10, §2.1.1).
pub const SHAPE_THRESHOLD: u64 = 5000;

/// Marks a shape that is no individual.
const RARE: u16 = u16::MAX;

/// Which shapes are individuals, and their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeTable {
    orbits: Vec<Shape>,
    /// By code, not only by orbit, so that a lookup needs no reduction.
    index: Vec<u16>,
}

impl ShapeTable {
    /// Returns the table of the given orbits, in the given order.
    pub fn new(orbits: Vec<Shape>) -> ShapeTable {
        let mut index = vec![RARE; CODES];
        for (number, orbit) in (0..RARE).zip(&orbits) {
            for image in orbit.images() {
                index[usize::from(image.0)] = number;
            }
        }
        ShapeTable { orbits, index }
    }

    /// Keeps the orbits seen at least `threshold` times.
    pub fn frequent(counts: &BTreeMap<Shape, u64>, threshold: u64) -> ShapeTable {
        let kept = counts
            .iter()
            .filter(|&(_, &n)| n >= threshold)
            .map(|(&orbit, _)| orbit);
        ShapeTable::new(kept.collect())
    }

    /// Returns the orbits that are individuals.
    pub fn orbits(&self) -> &[Shape] {
        &self.orbits
    }

    /// Returns the individual of a shape, if it is frequent.
    #[inline]
    pub fn individual(&self, shape: Shape) -> Option<u32> {
        let number = self.index[usize::from(shape.0)];
        (number != RARE).then(|| SHAPES + u32::from(number))
    }

    /// Returns how many individuals there are in all.
    pub fn individuals(&self) -> usize {
        SHAPES as usize + self.orbits.len()
    }
}

/// The first individual of each group; members of a group exclude each other in a team.
pub const GROUPS: [u32; 5] = [EXTENSION, CAPTURE, SELF_ATARI, CONTIGUITY, SHAPES];

/// Fills `team` with the individuals of a legal move.
pub fn team(
    board: &Board,
    mover: Color,
    point: Point,
    (last, answers): (Option<Point>, &Answers),
    (shapes, team): (&ShapeTable, &mut Vec<u32>),
) {
    team.clear();
    if answers.extends(point) {
        team.push(EXTENSION);
    }
    if captures_any(board, mover, point) {
        team.push(CAPTURE + answers.capture(point).unwrap_or(Capture::Any) as u32);
    }
    if is_self_atari(board, mover, point) {
        team.push(SELF_ATARI);
    }
    if last.is_some_and(|last| last.neighbors().contains(&point)) {
        team.push(CONTIGUITY);
    }
    team.extend(shapes.individual(Shape::around(board, point, mover)));
}

/// Counts the shapes of a position's legal moves, by orbit.
pub fn count(board: &Board, mover: Color, counts: &mut BTreeMap<Shape, u64>) {
    for point in legal_moves(&Turn::new(board, mover)) {
        let orbit = Shape::around(board, point, mover).orbit();
        *counts.entry(orbit).or_default() += 1;
    }
}

/// PD10's individuals as a feature set.
#[derive(Debug, Clone)]
pub struct Pd10Features {
    shapes: Arc<ShapeTable>,
    team: Vec<u32>,
}

impl Pd10Features {
    /// Returns the set with these shapes.
    pub fn new(shapes: Arc<ShapeTable>) -> Pd10Features {
        Pd10Features {
            shapes,
            team: Vec::new(),
        }
    }

    /// Returns the shapes that are individuals.
    pub fn shapes(&self) -> &ShapeTable {
        &self.shapes
    }
}

impl FeatureSet for Pd10Features {
    fn name(&self) -> &'static str {
        "pd10"
    }

    fn groups(&self) -> Vec<Group> {
        let sizes = [
            ("extension", CAPTURE - EXTENSION),
            ("capture", SELF_ATARI - CAPTURE),
            ("self-atari", CONTIGUITY - SELF_ATARI),
            ("contiguity", SHAPES - CONTIGUITY),
            ("shapes", self.shapes.orbits.len() as u32),
        ];
        sizes.map(|(name, size)| Group { name, size }).to_vec()
    }

    fn teams(&mut self, turn: &Turn<'_>, teams: &mut Teams) {
        teams.clear();
        let answers = Answers::to(turn.board, turn.mover, turn.last[0]);
        for point in legal_moves(turn) {
            team(
                turn.board,
                turn.mover,
                point,
                (turn.last[0], &answers),
                (&self.shapes, &mut self.team),
            );
            teams.push(point, &self.team);
        }
    }

    fn another(&self) -> Box<dyn FeatureSet> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Diagram;

    #[track_caller]
    fn check(rows: &[&str], last: (usize, usize), mv: (usize, usize), want: &[u32]) {
        let board = Diagram::parse(&rows.join("\n")).expect("a board").board;
        let at = |(x, y)| board.size().point(x, y).expect("on the board");
        let answers = Answers::to(&board, Color::Black, Some(at(last)));
        let mut found = Vec::new();
        let shapes = ShapeTable::new(Vec::new());
        team(
            &board,
            Color::Black,
            at(mv),
            (Some(at(last)), &answers),
            (&shapes, &mut found),
        );
        assert_eq!(found, want);
    }

    #[test]
    fn extension_of_a_stone_in_atari() {
        // White just played at (1, 2), leaving the black stone one liberty at (2, 1).
        check(
            &[".O...", "OX...", ".O...", "....."],
            (1, 2),
            (2, 1),
            &[EXTENSION],
        );
    }

    #[test]
    fn extension_that_gains_nothing_is_not_one() {
        check(
            &[".O.O.", "OX.O.", ".O.O.", "....."],
            (1, 2),
            (2, 1),
            &[EXTENSION],
        );
        // Walled in on one more side the chain stays in atari.
        check(
            &[".OO..", "OX.O.", ".O...", "....."],
            (1, 2),
            (2, 1),
            &[SELF_ATARI],
        );
    }

    #[test]
    fn captures_are_exclusive_and_the_first_level_wins() {
        // The last move at (2, 1) puts the black stone at (1, 1) into atari and is itself
        // in atari at (2, 2): taking it is a rescue (2.1) before it is anything else.
        let rows = [".OX..", "OXOX.", "...X.", "....."];
        check(&rows, (2, 1), (2, 2), &[CAPTURE, CONTIGUITY]);
        check(&rows, (2, 1), (1, 2), &[EXTENSION]);
        // Without the stone in atari it is the capture of the last move (2.2).
        check(
            &["..X..", ".XOX.", "...X.", "....."],
            (2, 1),
            (2, 2),
            &[CAPTURE + 1, CONTIGUITY],
        );
    }

    #[test]
    fn a_far_capture_is_just_a_capture() {
        check(
            &["OX...", ".....", "....O", "....."],
            (4, 2),
            (0, 1),
            &[CAPTURE + 3],
        );
    }

    #[test]
    fn self_atari_and_contiguity() {
        check(
            &[".O...", "O....", ".....", "....."],
            (1, 0),
            (0, 0),
            &[CONTIGUITY],
        );
        check(
            &["..O..", "O....", ".....", "....."],
            (2, 0),
            (0, 0),
            &[SELF_ATARI],
        );
    }
}
