//! Who owns which points as the board stands, by the scoring rule.
//!
//! Without a tax: every stone, and every empty region that touches one color only,
//! with dead stones in the territory of chains that live unconditionally given to
//! their captor. With a tax: the stones, and the territory of areas that are not in
//! seki, where an area counts as in seki if it touches a neutral point or holds a
//! chain in atari.

use shido_go::{AreaOptions, Board, Color, Owners, Point, PointSet, Tax};

const EVERYTHING: AreaOptions = AreaOptions {
    safe_territory: true,
    all_territory: true,
    other_stones: true,
};

/// What the players own, and the points their living groups pay.
pub(super) struct Area {
    pub owners: Owners,
    /// Areas not in seki: Black's less White's.
    pub group_lead: i32,
}

/// Returns the area of a board under area scoring.
pub(super) fn area(board: &Board, tax: Tax, suicide: bool) -> Area {
    let owners = board.area_with(EVERYTHING, suicide);
    if tax == Tax::None {
        return Area {
            owners,
            group_lead: 0,
        };
    }
    taxed(board, &owners)
}

/// Leaves of the areas in seki only the stones.
fn taxed(board: &Board, basic: &Owners) -> Area {
    let mut area = Area {
        owners: Owners::new(),
        group_lead: 0,
    };
    let mut seen = PointSet::new();
    let mut walked = Vec::with_capacity(board.size().area());
    for start in board.size().points() {
        let Some(color) = basic.of(start) else {
            continue;
        };
        if seen.contains(start) {
            continue;
        }
        walk(basic.points(color), start, &mut seen, &mut walked);
        let seki = walked.iter().any(|&at| is_shaky(board, basic, color, at));
        for &at in &walked {
            if !seki || board.stone(at) == Some(color) {
                area.owners.claim(color, at);
            }
        }
        if !seki {
            area.group_lead += if color == Color::Black { 1 } else { -1 };
        }
    }
    area
}

/// Collects the connected points of a set around one.
fn walk(own: &PointSet, start: Point, seen: &mut PointSet, walked: &mut Vec<Point>) {
    walked.clear();
    walked.push(start);
    seen.insert(start);
    let mut next = 0;
    while next < walked.len() {
        for neighbor in walked[next].neighbors() {
            if own.contains(neighbor) && seen.insert(neighbor) {
                walked.push(neighbor);
            }
        }
        next += 1;
    }
}

/// Returns whether a point puts its area in seki: a stone in atari, or beside a neutral point.
fn is_shaky(board: &Board, basic: &Owners, color: Color, at: Point) -> bool {
    let in_atari = board.stone(at) == Some(color) && board.atari(at).is_some();
    let around = at.neighbors();
    in_atari
        || around
            .iter()
            .any(|&n| board.is_empty(n) && basic.of(n).is_none())
}
