//! What every Bradley–Terry move model shares: groups of individuals, and a team per move.
//!
//! A feature set knows Go: it turns each legal move of a position into a team of
//! individuals (PD10, §2.1). The fit ([`crate::mm`]), the measures and the model
//! file see only numbers. Individuals are numbered densely from 0, group after
//! group; the members of one group exclude each other in a team.

use shido_go::{Board, Color, Point};

use crate::mm::Groups;

/// Where a player has to choose a move.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The stones.
    pub board: &'a Board,
    /// Who chooses.
    pub mover: Color,
    /// The opponent's last stone and the mover's stone before it; none for a pass.
    pub last: [Option<Point>; 2],
}

impl<'a> Turn<'a> {
    /// Returns a turn without history.
    pub fn new(board: &'a Board, mover: Color) -> Turn<'a> {
        Turn {
            board,
            mover,
            last: [None; 2],
        }
    }
}

/// Individuals of which a team has at most one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What the individuals are levels of.
    pub name: &'static str,
    /// How many individuals there are.
    pub size: u32,
}

/// The teams of the legal moves of one position, reused from position to position.
#[derive(Debug, Clone, Default)]
pub struct Teams {
    points: Vec<Point>,
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl Teams {
    /// Forgets all teams.
    pub fn clear(&mut self) {
        self.points.clear();
        self.ends.clear();
        self.members.clear();
    }

    /// Adds the team of a move.
    pub fn push(&mut self, point: Point, team: &[u32]) {
        self.points.push(point);
        self.members.extend_from_slice(team);
        self.ends.push(self.members.len() as u32);
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns the moves, in the order of the teams.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Returns the members of team `i`.
    pub fn team(&self, i: usize) -> &[u32] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.members[start..self.ends[i] as usize]
    }

    /// Returns the teams in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|i| self.team(i))
    }

    /// Returns which team is that of a move.
    pub fn position(&self, point: Point) -> Option<usize> {
        self.points.iter().position(|&it| it == point)
    }
}

/// A way to describe moves by individuals.
///
/// `teams` takes `&mut self` so that a set may keep scratch space; threads use clones.
pub trait FeatureSet: Send {
    /// Returns the name that model files and the command line use.
    fn name(&self) -> &'static str;

    /// Returns the groups in the order of their individuals.
    fn groups(&self) -> Vec<Group>;

    /// Replaces the content of `teams` by the team of every legal move.
    fn teams(&mut self, turn: &Turn<'_>, teams: &mut Teams);

    /// Returns a copy for another thread.
    fn another(&self) -> Box<dyn FeatureSet>;

    /// Returns the groups as the fit wants them.
    fn fit_groups(&self) -> Groups {
        let sizes: Vec<u32> = self.groups().iter().map(|it| it.size).collect();
        Groups::of_sizes(&sizes)
    }
}

/// Returns the legal moves by simple ko, with suicide forbidden, in a repeatable order.
pub fn legal_moves<'a>(turn: &Turn<'a>) -> impl Iterator<Item = Point> + 'a {
    let (board, mover) = (turn.board, turn.mover);
    board
        .empty_points()
        .filter(move |&point| board.is_legal(mover, point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    #[test]
    fn teams_are_found_by_their_move() {
        let at = |x, y| Size::S9.point(x, y).unwrap();
        let mut teams = Teams::default();
        teams.push(at(0, 0), &[1, 2]);
        teams.push(at(1, 0), &[]);
        teams.push(at(2, 0), &[7]);
        assert_eq!(teams.iter().collect::<Vec<_>>(), [&[1, 2][..], &[], &[7]]);
        assert_eq!(teams.position(at(2, 0)), Some(2));
        assert_eq!(teams.position(at(3, 0)), None);
        teams.clear();
        assert!(teams.is_empty());
    }

    #[test]
    fn occupied_and_forbidden_points_are_no_moves() {
        let board = Board::new(Size::S9);
        let turn = Turn::new(&board, Color::Black);
        assert_eq!(legal_moves(&turn).count(), 81);
    }
}
