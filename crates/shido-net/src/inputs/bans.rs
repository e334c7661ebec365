//! Where ko and superko forbid the player to move to play.
//!
//! Superko bans a move that brings an earlier whole board back. Only a point that
//! has held a stone, or a suicide, can do that, so few moves are looked at.

use shido_go::{Color, Ko, Point, PointSet, Position, Rules};

use super::Plane;

/// Returns the points that ko rules forbid the player to move.
pub(super) fn banned(position: &Position, button_taken: Option<usize>) -> Plane {
    let mut plane = Plane::default();
    let size = position.size();
    let (board, mover) = (position.board(), position.to_move());
    let ko = board.ko_ban().filter(|&(color, _)| color == mover);
    if let Some((_, point)) = ko {
        plane.set(size.index_of(point));
    }
    if position.rules().ko == Ko::Simple || position.moves().is_empty() {
        return plane;
    }
    let held = ever_held(position);
    // Taking the button starts the count of positions anew.
    let first = button_taken.map_or(0, |taken| taken + 1);
    for point in board.empty_points() {
        if plane.get(size.index_of(point)) {
            continue;
        }
        let suicide = board.is_suicide(mover, point);
        if suicide && !allows_suicide(position, mover, point) || !suicide && !held.contains(point) {
            continue;
        }
        if came_about(position, first, board.hash_after(mover, point), mover) {
            plane.set(size.index_of(point));
        }
    }
    plane
}

/// Returns every point that held a stone at some time.
fn ever_held(position: &Position) -> PointSet {
    let mut held: PointSet = position
        .moves()
        .iter()
        .filter_map(|played| played.mv.point())
        .collect();
    let start = position.start();
    if start.empty_count() < start.size().area() {
        let stones = start.size().points().filter(|&p| !start.is_empty(p));
        held.extend(stones);
    }
    held
}

fn allows_suicide(position: &Position, mover: Color, point: Point) -> bool {
    let Rules { suicide, .. } = *position.rules();
    let around = point.neighbors();
    suicide
        && around
            .iter()
            .any(|&n| position.board().stone(n) == Some(mover))
}

/// Returns whether stones of this hash have stood since state `first`, with the
/// opponent of `mover` to play if the rules ask for that.
fn came_about(position: &Position, first: usize, hash: u64, mover: Color) -> bool {
    let moves = position.moves();
    let positional = position.rules().ko == Ko::Positional;
    let now = position.board().hash();
    let states = position.hashes_before().chain([now]).enumerate();
    states.skip(first).any(|(i, seen)| {
        let next = moves.get(i).map_or(mover, |played| played.color);
        seen == hash && (positional || next == !mover)
    })
}
