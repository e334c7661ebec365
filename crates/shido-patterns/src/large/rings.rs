//! Neighborhoods that grow ring by ring, hashed under all eight symmetries at once.
//!
//! The distance of an offset is `|dx| + |dy| + max(|dx|, |dy|)` (Stern, Herbrich
//! and Graepel, ICML 2006; Coulom, ICGA Journal 30(4), 2007): its balls are rounder
//! than squares and diamonds. Each ring adds one key per point to eight running
//! hashes, one per symmetry; a shape is named by the smallest of the eight, so all
//! its images share a name. Own and opposing stones are told apart, not Black and White.
//!
//! Invariant: the name of a ball determines the names of the smaller balls within.

use shido_go::{Point, STRIDE};

use super::survey::{SHIFT, code};

/// The distance each ring adds, smallest first; ring 0 is the 3×3 block.
const DISTANCES: [std::ops::RangeInclusive<i32>; RINGS] = [
    2..=3,
    4..=4,
    5..=5,
    6..=6,
    7..=7,
    8..=8,
    9..=9,
    10..=10,
    11..=12,
];
/// How many rings there are.
pub(crate) const RINGS: usize = 9;
/// The greatest coordinate of an offset.
const REACH: i32 = 6;
/// Points within reach.
const MOST: usize = 104;

/// One hash per symmetry.
pub(crate) type Hashes = [u64; 8];

/// An offset and its keys by code and symmetry.
struct Spot {
    /// Distance in the grid of codes.
    step: isize,
    keys: [Hashes; 8],
}

const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the image of an offset under symmetry `s`.
const fn image(s: usize, dx: i32, dy: i32) -> (i32, i32) {
    let dx = if s & 1 == 0 { dx } else { -dx };
    let dy = if s & 2 == 0 { dy } else { -dy };
    if s & 4 == 0 { (dx, dy) } else { (dy, dx) }
}

const fn distance(dx: i32, dy: i32) -> i32 {
    let (dx, dy) = (dx.abs(), dy.abs());
    dx + dy + if dx > dy { dx } else { dy }
}

/// Forgets liberties where they would only scatter the data: they count in full
/// next to the point, as atari on the diagonals, and not at all farther out.
const fn coarse(code: u8, distance: i32) -> u8 {
    match (code, distance) {
        (_, 2) | (code::EMPTY | code::EDGE.., _) => code,
        (c, 3) if c == code::OWN || c == code::OTHER => c,
        (code::OWN..=3, _) => 2,
        (_, _) => 5,
    }
}

/// Returns the hashes that an offset with a code adds.
const fn keys(dx: i32, dy: i32, code: u8) -> Hashes {
    let code = coarse(code, distance(dx, dy));
    let mut keys = [0; 8];
    let mut s = 0;
    while s < 8 && code != code::EMPTY {
        let (x, y) = image(s, dx, dy);
        let place = ((x + 16) as u64) << 16 | ((y + 16) as u64) << 8 | code as u64;
        keys[s] = mix(place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        s += 1;
    }
    keys
}

const fn spot(dx: i32, dy: i32) -> Spot {
    let mut spot = Spot {
        step: dy as isize * STRIDE as isize + dx as isize,
        keys: [[0; 8]; 8],
    };
    let mut code = 0;
    while code < 8 {
        spot.keys[code] = keys(dx, dy, code as u8);
        code += 1;
    }
    spot
}

/// All spots, ring after ring, and where each ring ends.
static SPOTS: ([Spot; MOST], [usize; RINGS]) = {
    let mut spots = [const { spot(0, 0) }; MOST];
    let mut ends = [0; RINGS];
    let mut count = 0;
    let mut ring = 0;
    while ring < RINGS {
        let mut dy = -REACH;
        while dy <= REACH {
            let mut dx = -REACH;
            while dx <= REACH {
                let d = distance(dx, dy);
                if *DISTANCES[ring].start() <= d && d <= *DISTANCES[ring].end() {
                    spots[count] = spot(dx, dy);
                    count += 1;
                }
                dx += 1;
            }
            dy += 1;
        }
        ends[ring] = count;
        ring += 1;
    }
    assert!(count == MOST);
    (spots, ends)
};

/// Adds ring `ring` around a point to the hashes.
#[inline]
pub(crate) fn add_ring(hashes: &mut Hashes, codes: &[u8], point: Point, ring: usize) {
    let start = if ring == 0 { 0 } else { SPOTS.1[ring - 1] };
    let center = point.index() + SHIFT;
    for spot in &SPOTS.0[start..SPOTS.1[ring]] {
        let code = codes[center.wrapping_add_signed(spot.step)];
        let keys = &spot.keys[usize::from(code & 7)];
        for (hash, key) in hashes.iter_mut().zip(keys) {
            *hash ^= key;
        }
    }
}

/// Returns the tag of what was hashed: 32 bits from the smallest hash. `ring` keeps
/// balls of different size apart where the outer ring is empty.
#[inline]
pub(crate) fn tag(hashes: &Hashes, ring: u32) -> u32 {
    let mut least = hashes[0];
    for &hash in &hashes[1..] {
        least = least.min(hash);
    }
    // The smallest of eight has small leading bits: spread it over all values again.
    let spread = (least ^ u64::from(ring).wrapping_mul(0xd6e8_feb8_6659_fd93))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((spread ^ (spread >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

/// Offsets of marks go this far in each direction.
const MARK_REACH: i32 = 5;
const MARK_SIDE: usize = 2 * MARK_REACH as usize + 1;

/// Keys of marks by offset and symmetry.
static MARKS: [Hashes; MARK_SIDE * MARK_SIDE] = {
    let mut marks = [[0; 8]; MARK_SIDE * MARK_SIDE];
    let mut i = 0;
    while i < marks.len() {
        let dx = (i % MARK_SIDE) as i32 - MARK_REACH;
        let dy = (i / MARK_SIDE) as i32 - MARK_REACH;
        // No stone on a board has this code.
        marks[i] = keys(dx, dy, 15);
        i += 1;
    }
    marks
};

/// Returns the keys of a mark on `marked`, as seen from `center`, at most five lines away.
#[inline]
pub(crate) fn mark(center: Point, marked: Point) -> &'static Hashes {
    let dx = marked.x() as i32 - center.x() as i32 + MARK_REACH;
    let dy = marked.y() as i32 - center.y() as i32 + MARK_REACH;
    &MARKS[dy as usize * MARK_SIDE + dx as usize]
}

/// Returns the hashes with those of a mark added.
#[inline]
pub(crate) fn marked(hashes: &Hashes, mark: &Hashes) -> Hashes {
    let mut marked = *hashes;
    for (hash, key) in marked.iter_mut().zip(mark) {
        *hash ^= key;
    }
    marked
}

/// Returns the distance of the rings between two points.
#[inline]
pub(crate) fn ring_distance(a: Point, b: Point) -> usize {
    let dx = a.x().abs_diff(b.x());
    let dy = a.y().abs_diff(b.y());
    dx + dy + dx.max(dy)
}
