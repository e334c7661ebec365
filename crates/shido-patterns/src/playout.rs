//! Playouts that sample from the Bradley–Terry distribution (PD10, §2).
//!
//! A playout keeps a weight for each color on each empty point and the sums of
//! the rows, and after a move updates only what the move changed: the eight points
//! around it, those around captured stones, and the last liberty of chains that
//! went into or out of atari. What depends on the last move is a factor on a few
//! points, put on and taken off at each turn.
//!
//! Invariant: the weights equal what [`Playout::new`] computes from the board, and a
//! move is drawn with probability proportional to the product of its gammas among the
//! legal moves that fill no eye. One rule of ours stands above that: a player whose every
//! move would put two own stones or more into atari passes, so that seki stays. Nothing
//! here allocates after construction.

mod touched;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::RngCore;
use shido_go::{Board, Cell, Color, GRID, Move, Point, STRIDE, Size};

use self::touched::{FACTOR_BITS, TOUCHED, Touched};
use crate::policy::{FACTOR, NEAR, Policy};
use crate::shape::{Shapes, ring};
use crate::surroundings::{Surroundings, atari_bits};
use crate::tactics::{Answers, Capture, Pressure, captures_any, is_self_atari, self_atari_class};

/// Rows of the padded grid.
const ROWS: usize = GRID / STRIDE;
/// Draws that may fail before all moves are looked at one by one.
const PATIENCE: u32 = 24;
/// A factor that changes nothing.
const NO_FACTOR: u32 = FACTOR as u32;

/// Places with |dx| + |dy| + max(|dx|, |dy|) = 2, 3, 4 and 5.
const PLACES: [&[isize]; NEAR] = {
    const S: isize = STRIDE as isize;
    [
        &[-S, -1, 1, S],
        &[-S - 1, 1 - S, S - 1, S + 1],
        &[-2 * S, -2, 2, 2 * S],
        &[
            -2 * S - 1,
            1 - 2 * S,
            -S - 2,
            2 - S,
            S - 2,
            S + 2,
            2 * S - 1,
            2 * S + 1,
        ],
    ]
};

/// A game being played out.
#[derive(Clone)]
pub struct Playout {
    board: Board,
    shapes: Shapes,
    weights: [[u32; GRID]; 2],
    rows: [[u32; ROWS]; 2],
    totals: [u64; 2],
    /// Which neighbors of an empty point are in atari, as [`atari_bits`] says.
    atari: [u8; GRID],
    to_move: Color,
    last: Option<Point>,
    passes: u8,
    touched: Touched,
}

impl Playout {
    /// Returns a playout that starts from stones on a board.
    pub fn new(board: &Board, to_move: Color, last: Option<Point>, policy: &Policy) -> Playout {
        let mut playout = Playout {
            board: board.clone(),
            shapes: Shapes::of(board),
            weights: [[0; GRID]; 2],
            rows: [[0; ROWS]; 2],
            totals: [0; 2],
            atari: [0; GRID],
            to_move,
            last,
            passes: 0,
            touched: Touched::new(),
        };
        for point in board.size().points() {
            playout.refresh(point, policy);
        }
        playout
    }

    /// Goes back to the state of another playout on the same size of board.
    pub fn copy_from(&mut self, other: &Playout) {
        let rows = other.size().height();
        let used = (rows + 2) * STRIDE;
        self.board.copy_from(&other.board);
        self.shapes.copy_from(&other.shapes, rows);
        for color in 0..2 {
            self.weights[color][..used].copy_from_slice(&other.weights[color][..used]);
            self.rows[color] = other.rows[color];
        }
        self.totals = other.totals;
        self.atari[..used].copy_from_slice(&other.atari[..used]);
        self.to_move = other.to_move;
        self.last = other.last;
        self.passes = other.passes;
        self.touched.clear();
    }

    /// Returns the size of the board.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Returns the stones.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns whose turn it is.
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Returns the point of the last move, unless it was a pass.
    #[inline]
    pub fn last(&self) -> Option<Point> {
        self.last
    }

    /// Returns whether both players have just passed.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// Lets play go on after two passes, as when dead stones are still on the board.
    pub fn reopen(&mut self) {
        self.passes = 0;
    }

    /// Plays a move for the player to move, which must be legal by simple ko and no suicide.
    pub fn play(&mut self, mv: Move, policy: &Policy) {
        match mv {
            Move::Pass => {
                self.board.clear_ko();
                self.last = None;
                self.passes += 1;
            }
            Move::Play(point) => {
                self.put(point, policy);
                self.last = Some(point);
                self.passes = 0;
            }
        }
        self.to_move = !self.to_move;
    }

    /// Draws the next move: a pass only if nothing else is sensible.
    pub fn draw(&mut self, policy: &Policy, rng: &mut Xoshiro256PlusPlus) -> Move {
        self.touch(policy);
        let drawn = self.draw_touched(policy, rng);
        self.touched.clear();
        drawn.map_or(Move::Pass, Move::Play)
    }

    /// Plays until both pass, or `limit` moves; hands each move to `record`.
    pub fn run(
        &mut self,
        policy: &Policy,
        rng: &mut Xoshiro256PlusPlus,
        limit: usize,
        mut record: impl FnMut(Color, Move),
    ) {
        for _ in 0..limit {
            if self.is_over() {
                break;
            }
            let mv = self.draw(policy, rng);
            record(self.to_move, mv);
            self.play(mv, policy);
        }
    }

    /// Returns whose a point is at the end: that of its stone, or of all stones around it.
    #[inline]
    pub fn owner(&self, point: Point) -> Option<Color> {
        match self.board.cell(point) {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Edge => None,
            Cell::Empty => {
                let [mut black, mut white] = [false; 2];
                for neighbor in point.neighbors() {
                    black |= self.board.cell(neighbor) == Cell::Black;
                    white |= self.board.cell(neighbor) == Cell::White;
                }
                match (black, white) {
                    (true, false) => Some(Color::Black),
                    (false, true) => Some(Color::White),
                    _ => None,
                }
            }
        }
    }

    /// Replaces `out` by the probability of each move as the policy sees it.
    ///
    /// Exact where [`Playout::draw`] samples; slow.
    pub fn distribution(&mut self, policy: &Policy, out: &mut Vec<(Point, f32)>) {
        self.touch(policy);
        out.clear();
        let mut total = 0.0;
        for point in self.board.empty_points() {
            let weight = self.exact_weight(point, policy);
            if weight > 0.0 {
                total += weight;
                out.push((point, weight as f32));
            }
        }
        for (_, weight) in out.iter_mut() {
            *weight /= total as f32;
        }
        self.touched.clear();
    }

    /// Puts the factors of the last move on the points it touches.
    fn touch(&mut self, policy: &Policy) {
        let Some(last) = self.last else {
            return;
        };
        // A ko that may not be retaken is a point like the others, never drawn.
        if let Some(ko) = self.board.ko() {
            self.touched.push(ko, 0);
        }
        for (places, &factor) in PLACES.iter().zip(&policy.near) {
            if factor != NO_FACTOR {
                for &place in *places {
                    let point = last.stepped(place);
                    let wanted = self.board.is_empty(point) && Some(point) != self.board.ko();
                    self.touched.push_if(wanted, point, factor);
                }
            }
        }
        if self.board.stone(last) != Some(!self.to_move) {
            return;
        }
        if policy.defense != NO_FACTOR || policy.attack != NO_FACTOR {
            self.touch_pressure(last, policy);
        }
        let answers = Answers::with(&self.board, self.to_move, Some(last), |point| {
            self.captures(point)
        });
        if answers.is_empty() {
            return;
        }
        for point in answers.extensions() {
            self.touched.multiply(point, policy.extension);
        }
        for (i, (point, _)) in answers.captures().enumerate() {
            let seen_before = answers.captures().take(i).any(|(other, _)| other == point);
            let level = answers.capture(point).unwrap_or(Capture::Any);
            if !seen_before && level != Capture::Any {
                self.touched.multiply(point, policy.capture[level as usize]);
            }
        }
    }

    /// Puts factors on the liberties of chains that the last move left with two.
    fn touch_pressure(&mut self, last: Point, policy: &Policy) {
        let pressure = Pressure::of(&self.board, self.to_move, Some(last));
        for point in pressure.defenses() {
            if !is_self_atari(&self.board, self.to_move, point) {
                self.touched.multiply(point, policy.defense);
            }
        }
        for point in pressure.attacks() {
            self.touched.multiply(point, policy.attack);
        }
    }

    /// Returns whether a stone of the player to move on an empty point takes anything.
    #[inline]
    fn captures(&self, point: Point) -> bool {
        self.atari[point.index()] != 0 && captures_any(&self.board, self.to_move, point)
    }

    #[inline]
    fn draw_touched(&mut self, policy: &Policy, rng: &mut Xoshiro256PlusPlus) -> Option<Point> {
        let side = self.to_move.index();
        let total = self.totals[side];
        if total == 0 {
            return None;
        }
        // What is left of each row without the touched points.
        let mut rows = self.rows[side];
        let mut plain = total;
        let mut boosted = [0u64; TOUCHED];
        let mut boosted_total = 0;
        for (i, &(index, factor)) in self.touched.points[..self.touched.count].iter().enumerate() {
            let weight = self.weights[side][usize::from(index) % GRID];
            rows[usize::from(index) / STRIDE % ROWS] -= weight;
            plain -= u64::from(weight);
            boosted_total += boosted_weight(weight, factor);
            boosted[i] = boosted_total;
        }
        if plain + boosted_total == 0 {
            return None;
        }
        let ceiling = policy
            .self_atari
            .iter()
            .fold(1.0, |most: f32, &it| most.max(it));
        for _ in 0..PATIENCE {
            let at = below(rng, plain + boosted_total);
            let point = if at < boosted_total {
                let i = boosted[..self.touched.count].partition_point(|&upto| upto <= at);
                Point::from_index(usize::from(self.touched.points[i].0))
            } else {
                self.locate(side, &rows, at - boosted_total)
            };
            // Suicide and ko have no weight, so the move is legal.
            let class = self_atari_class(&self.board, self.to_move, point);
            let keep = class.map_or(1.0, |class| policy.self_atari[class]) / ceiling;
            if keep >= 1.0 || unit(rng) < keep {
                // Rather than kill an own chain for want of another move, pass: seki stays.
                let spared = class.is_some() && keep < 1.0 && !self.has_safe_move();
                return (!spared).then_some(point);
            }
        }
        self.draw_exactly(policy, rng)
    }

    /// Returns whether there is a move that is no self-atari of two stones or more.
    #[cold]
    fn has_safe_move(&self) -> bool {
        let weights = &self.weights[self.to_move.index()];
        self.board.empty_points().any(|point| {
            weights[point.index()] > 0
                && self.board.ko() != Some(point)
                && self_atari_class(&self.board, self.to_move, point).is_none()
        })
    }

    /// Draws by listing every move: when most of what is left is illegal or self-atari.
    #[cold]
    fn draw_exactly(&self, policy: &Policy, rng: &mut Xoshiro256PlusPlus) -> Option<Point> {
        let weight_of = |point| self.exact_weight(point, policy);
        if !self.has_safe_move() {
            return None;
        }
        let total: f64 = self.board.empty_points().map(weight_of).sum();
        let mut at = f64::from(unit(rng)) * total;
        let mut chosen = None;
        for point in self.board.empty_points() {
            let weight = weight_of(point);
            if weight > 0.0 {
                chosen = Some(point);
                at -= weight;
                if at < 0.0 {
                    break;
                }
            }
        }
        chosen
    }

    fn exact_weight(&self, point: Point, policy: &Policy) -> f64 {
        let mut weight = u64::from(self.weights[self.to_move.index()][point.index()]);
        if weight == 0 {
            return 0.0;
        }
        let slot = usize::from(self.touched.slot[point.index()]);
        if slot > 0 {
            weight = boosted_weight(weight as u32, self.touched.points[slot - 1].1);
        }
        let class = self_atari_class(&self.board, self.to_move, point);
        weight as f64 * class.map_or(1.0, |class| f64::from(policy.self_atari[class]))
    }

    /// Finds the point that a number below the sum of `rows` falls on, touched points aside.
    #[inline]
    fn locate(&self, side: usize, rows: &[u32; ROWS], mut at: u64) -> Point {
        let mut row = 0;
        while at >= u64::from(rows[row]) {
            at -= u64::from(rows[row]);
            row += 1;
        }
        let mut at = at as u32;
        let mut index = row * STRIDE;
        loop {
            let plain = self.touched.slot[index] == 0;
            let weight = if plain { self.weights[side][index] } else { 0 };
            if at < weight {
                return Point::from_index(index);
            }
            at -= weight;
            index += 1;
        }
    }

    /// Places a stone and brings shapes and weights up to date.
    #[inline]
    fn put(&mut self, point: Point, policy: &Policy) {
        let color = self.to_move;
        let mut dirty = Dirty::new();
        for neighbor in point.neighbors() {
            if self.board.stone(neighbor) == Some(!color)
                && self.board.contacts(neighbor).is_single()
            {
                self.note_relieved(neighbor, color, &mut dirty);
            }
        }
        self.board.play(color, point);
        self.shapes.toggle(point, color);
        self.set_weights(point, [0, 0]);
        for near in ring(point) {
            dirty.add(near);
        }
        for i in 0..self.board.captured().len() {
            let taken = self.board.captured().nth(i).expect("within the count");
            self.shapes.toggle(taken, !color);
            dirty.add(taken);
            for near in ring(taken) {
                dirty.add(near);
            }
        }
        for neighbor in point.neighbors() {
            if self.board.stone(neighbor).is_some()
                && let Some(liberty) = self.board.atari(neighbor)
            {
                dirty.add(liberty);
            }
        }
        if self.board.stone(point).is_some()
            && let Some(liberty) = self.board.atari(point)
        {
            dirty.add(liberty);
        }
        if dirty.overflow {
            for point in self.size().points() {
                self.refresh(point, policy);
            }
        } else {
            for &index in &dirty.points[..dirty.count] {
                self.refresh(Point::from_index(usize::from(index)), policy);
            }
        }
    }

    /// Notes the last liberties of chains that a capture will bring out of atari.
    fn note_relieved(&self, captive: Point, color: Color, dirty: &mut Dirty) {
        for stone in self.board.chain(captive) {
            for neighbor in stone.neighbors() {
                if self.board.stone(neighbor) == Some(color)
                    && let Some(liberty) = self.board.atari(neighbor)
                {
                    dirty.add(liberty);
                }
            }
        }
    }

    /// Looks the weights of a point up anew.
    #[inline]
    fn refresh(&mut self, point: Point, policy: &Policy) {
        if !self.board.is_empty(point) {
            if self.board.stone(point).is_some() {
                self.set_weights(point, [0, 0]);
            }
            return;
        }
        let atari = atari_bits(&self.board, point);
        self.atari[point.index()] = atari as u8;
        let weights = Color::BOTH
            .map(|color| policy.weight(Surroundings::new(self.shapes.at(point, color), atari)));
        self.set_weights(point, weights);
    }

    #[inline]
    fn set_weights(&mut self, point: Point, weights: [u32; 2]) {
        let row = point.index() / STRIDE;
        for (side, new) in weights.into_iter().enumerate() {
            let old = std::mem::replace(&mut self.weights[side][point.index()], new);
            if old != new {
                let sum = &mut self.rows[side][row];
                *sum = sum.wrapping_sub(old).wrapping_add(new);
                let total = &mut self.totals[side];
                *total = total
                    .wrapping_sub(u64::from(old))
                    .wrapping_add(u64::from(new));
            }
        }
    }
}

/// The points whose weights a move changes, each possibly more than once.
struct Dirty {
    points: [u16; 96],
    count: usize,
    overflow: bool,
}

impl Dirty {
    #[inline]
    fn new() -> Dirty {
        Dirty {
            points: [0; 96],
            count: 0,
            overflow: false,
        }
    }

    #[inline]
    fn add(&mut self, point: Point) {
        if self.count < self.points.len() {
            self.points[self.count] = point.index() as u16;
            self.count += 1;
        } else {
            self.overflow = true;
        }
    }
}

/// Returns a weight with its factor.
#[inline]
fn boosted_weight(weight: u32, factor: u64) -> u64 {
    (u64::from(weight) * factor) >> FACTOR_BITS
}

/// Returns a number below `bound`, uniformly up to a bias of 2⁻³².
#[inline]
fn below(rng: &mut Xoshiro256PlusPlus, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// Returns a number in [0, 1).
#[inline]
fn unit(rng: &mut Xoshiro256PlusPlus) -> f32 {
    (rng.next_u64() >> 40) as f32 / (1u32 << 24) as f32
}

#[cfg(test)]
mod tests;
