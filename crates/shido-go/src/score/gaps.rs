//! Gaps in borders that nobody closed.
//!
//! Players who agree on the end do not always close every border, and a gap of two empty
//! points joins what everybody takes for two territories. Each point then goes to the
//! color whose stones are nearer, over empty points; one that is as far from both is
//! nobody's. Where a gap is wider than a few points the border is open: the game was not
//! over there, and all that is joined is nobody's.

use crate::{Board, Cell, Color, Owners, Point, PointSet};

/// Points beside a gap, of both colors and nobody's, that hang together: with more of them
/// the border is open. A gap three lines wide has six.
const WIDEST: usize = 6;

/// Claims the points of a stretch that touches both colors, if its gaps are narrow.
pub(super) fn share_out(board: &Board, stretch: &PointSet, owners: &mut Owners) {
    let nearer = nearer(board, stretch);
    if widest_gap(stretch, &nearer) > WIDEST {
        return;
    }
    for color in Color::BOTH {
        let points = nearer.points(color).iter();
        points.for_each(|point| owners.claim(color, point));
    }
}

/// Returns the points of a stretch that are nearer to stones of one color.
fn nearer(board: &Board, stretch: &PointSet) -> Owners {
    let touches = |point: Point, cell| point.neighbors().iter().any(|&it| board.cell(it) == cell);
    let beside = |cell| -> PointSet { stretch.iter().filter(|&it| touches(it, cell)).collect() };
    let mut fronts = [beside(Cell::Black), beside(Cell::White)];
    let mut nearer = Owners::new();
    let mut reached = PointSet::new();
    while fronts.iter().any(|it| !it.is_empty()) {
        let [black, white] = &fronts;
        for (color, front, other) in [(Color::Black, black, white), (Color::White, white, black)] {
            let alone = front.iter().filter(|&it| !other.contains(it));
            alone.for_each(|point| nearer.claim(color, point));
            reached.extend_from(front);
        }
        fronts = fronts.map(|front| {
            let around = front.iter().flat_map(Point::neighbors);
            around
                .filter(|&it| stretch.contains(it) && !reached.contains(it))
                .collect()
        });
    }
    nearer
}

/// Returns the most points beside one gap.
fn widest_gap(stretch: &PointSet, nearer: &Owners) -> usize {
    let beside: PointSet = stretch
        .iter()
        .filter(|&point| {
            let owner = nearer.of(point);
            let differs = |&it: &Point| stretch.contains(it) && nearer.of(it) != owner;
            owner.is_none() || point.neighbors().iter().any(differs)
        })
        .collect();
    let mut seen = PointSet::new();
    let mut widest = 0;
    for start in beside.iter() {
        if !seen.insert(start) {
            continue;
        }
        let mut stack = vec![start];
        let mut size = 0;
        while let Some(at) = stack.pop() {
            size += 1;
            for it in at.neighbors() {
                if beside.contains(it) && seen.insert(it) {
                    stack.push(it);
                }
            }
        }
        widest = widest.max(size);
    }
    widest
}
