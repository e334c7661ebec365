//! The feature set of the shipped playouts: cheap enough for every move of a playout.
//!
//! PD10's individuals and more: shapes know which adjacent chains are in atari,
//! nearness to the last move and self-atari have four classes each instead of one,
//! and chains that the last move left with two liberties are attended to. Every
//! individual is one that [`crate::playout`] keeps incrementally, so a playout
//! samples what was fitted, except that no six stones are put into atari ([`crate::policy`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use shido_go::{Board, Color, Point};

use crate::feature_set::{FeatureSet, Group, Teams, Turn, legal_moves};
use crate::policy::NEAR;
use crate::surroundings::{SURROUNDINGS, Surroundings};
use crate::tactics::{Answers, Capture, Pressure, SELF_ATARIS, captures_any, self_atari_class};

/// Saves a chain put into atari.
pub const EXTENSION: u32 = 0;
/// First of three capture levels; a plain capture is part of the surroundings.
pub const CAPTURE: u32 = 1;
/// First class of putting the own chain into atari.
pub const SELF_ATARI: u32 = 4;
/// A liberty of an own chain that the last move left with two.
pub const DEFENSE: u32 = SELF_ATARI + SELF_ATARIS as u32;
/// A liberty of the last move's chain, which has two.
pub const ATTACK: u32 = DEFENSE + 1;
/// First class of distance to the last move.
pub const NEAR_LAST: u32 = ATTACK + 1;
/// First of the surroundings.
pub const AROUND: u32 = NEAR_LAST + NEAR as u32;
/// How often surroundings must appear to be an individual.
pub const THRESHOLD: u64 = 1000;

/// Marks surroundings that are no individual.
const RARE: u16 = u16::MAX;

/// Which surroundings are individuals, and their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurroundingsTable {
    orbits: Vec<Surroundings>,
    index: Vec<u16>,
}

impl SurroundingsTable {
    /// Returns the table of the given orbits, in the given order.
    pub fn new(orbits: Vec<Surroundings>) -> SurroundingsTable {
        let mut index = vec![RARE; SURROUNDINGS];
        for (number, orbit) in (0..RARE).zip(&orbits) {
            for image in orbit.images() {
                index[image.0 as usize] = number;
            }
        }
        SurroundingsTable { orbits, index }
    }

    /// Keeps the orbits seen at least `threshold` times.
    pub fn frequent(counts: &BTreeMap<Surroundings, u64>, threshold: u64) -> SurroundingsTable {
        let kept = counts
            .iter()
            .filter(|&(_, &n)| n >= threshold)
            .map(|(&orbit, _)| orbit);
        SurroundingsTable::new(kept.take(usize::from(RARE)).collect())
    }

    /// Returns the orbits that are individuals.
    pub fn orbits(&self) -> &[Surroundings] {
        &self.orbits
    }

    /// Returns the individual of some surroundings, if they are frequent.
    #[inline]
    pub fn individual(&self, around: Surroundings) -> Option<u32> {
        let number = self.index[around.0 as usize];
        (number != RARE).then(|| AROUND + u32::from(number))
    }
}

/// The feature set.
#[derive(Debug, Clone)]
pub struct PlayoutFeatures {
    table: Arc<SurroundingsTable>,
    team: Vec<u32>,
}

impl PlayoutFeatures {
    /// Returns the set with these surroundings.
    pub fn new(table: Arc<SurroundingsTable>) -> PlayoutFeatures {
        PlayoutFeatures {
            table,
            team: Vec::new(),
        }
    }

    /// Returns the surroundings that are individuals.
    pub fn table(&self) -> &SurroundingsTable {
        &self.table
    }

    /// Returns the team of one legal move, given what the last move asks for.
    pub fn team(
        &mut self,
        turn: &Turn<'_>,
        point: Point,
        answers: &Answers,
        pressure: &Pressure,
    ) -> &[u32] {
        let Turn { board, mover, last } = *turn;
        let team = &mut self.team;
        team.clear();
        if answers.extends(point) {
            team.push(EXTENSION);
        }
        if let Some(level) = answers.capture(point)
            && level != Capture::Any
            && captures_any(board, mover, point)
        {
            team.push(CAPTURE + level as u32);
        }
        let self_atari = self_atari_class(board, mover, point);
        team.extend(self_atari.map(|class| SELF_ATARI + class as u32));
        if self_atari.is_none() && pressure.defenses().any(|it| it == point) {
            team.push(DEFENSE);
        }
        if pressure.attacks().any(|it| it == point) {
            team.push(ATTACK);
        }
        team.extend(
            last[0]
                .and_then(|last| near(last, point))
                .map(|class| NEAR_LAST + class),
        );
        team.extend(
            self.table
                .individual(Surroundings::around(board, point, mover)),
        );
        team
    }
}

/// Returns the class of distance between two points, if they are near.
pub fn near(last: Point, point: Point) -> Option<u32> {
    let (dx, dy) = (last.x().abs_diff(point.x()), last.y().abs_diff(point.y()));
    let distance = dx + dy + dx.max(dy);
    (2..2 + NEAR)
        .contains(&distance)
        .then(|| distance as u32 - 2)
}

/// Counts the surroundings of a position's legal moves.
pub fn count(board: &Board, mover: Color, counts: &mut BTreeMap<Surroundings, u64>) {
    for point in legal_moves(&Turn::new(board, mover)) {
        *counts
            .entry(Surroundings::around(board, point, mover).orbit())
            .or_default() += 1;
    }
}

impl FeatureSet for PlayoutFeatures {
    fn name(&self) -> &'static str {
        "playout"
    }

    fn groups(&self) -> Vec<Group> {
        let around = self.table.orbits.len() as u32;
        let sizes = [
            ("extension", 1),
            ("capture", 3),
            ("self-atari", SELF_ATARIS as u32),
            ("two liberties, own", 1),
            ("two liberties, the last move's", 1),
            ("near last", NEAR as u32),
            ("surroundings", around),
        ];
        sizes.map(|(name, size)| Group { name, size }).to_vec()
    }

    fn teams(&mut self, turn: &Turn<'_>, teams: &mut Teams) {
        teams.clear();
        let answers = Answers::to(turn.board, turn.mover, turn.last[0]);
        let pressure = Pressure::of(turn.board, turn.mover, turn.last[0]);
        for point in legal_moves(turn) {
            teams.push(point, self.team(turn, point, &answers, &pressure));
        }
    }

    fn another(&self) -> Box<dyn FeatureSet> {
        Box::new(self.clone())
    }
}
