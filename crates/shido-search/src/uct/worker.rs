//! One thread's simulations: down the tree, a playout, back up.
//!
//! A child is worth its mean result mixed with its RAVE result, plus UCB1's
//! exploration term (FT20, Eq. 2.1) and one that follows the move model's prior. A result
//! is mostly who won and a little by how much.

use rand_xoshiro::Xoshiro256PlusPlus;
use shido_go::{Color, GRID, Move};
use shido_patterns::playout::Playout;
use shido_patterns::policy::Policy;

use super::priors::{self, Scratch};
use super::scoring::Counter;
use super::tree::{Node, NodeId, Tree};
use super::{Knowledge, Tuning, UctSettings};

/// Lead at which a larger one is worth no more.
const FULL_MARGIN: f32 = 30.0;

/// What all threads of a search read.
pub(super) struct Shared<'a> {
    pub(super) tree: &'a Tree,
    pub(super) knowledge: &'a Knowledge,
    /// Samples the moves of playouts.
    pub(super) policy: &'a Policy,
    pub(super) settings: &'a UctSettings,
    pub(super) tuning: Tuning,
    pub(super) root: &'a Playout,
    pub(super) counter: Counter,
    /// Root candidates that alone are searched, and the visits each is to have; any if
    /// empty.
    pub(super) budgets: &'a [(usize, u64)],
}

impl Shared<'_> {
    /// Returns whether a candidate has not all its visits; without any, always.
    pub(super) fn wants_more(&self) -> bool {
        self.budgets.is_empty() || self.furthest().is_some()
    }

    /// Returns the candidate furthest from its visits.
    fn furthest(&self) -> Option<usize> {
        let (_, children) = self.tree.children(0)?;
        let mut least: Option<(f64, usize)> = None;
        for &(at, wanted) in self.budgets {
            let visits = u64::from(children[at].visits());
            let progress = visits as f64 / wanted.max(1) as f64;
            if visits < wanted && least.is_none_or(|(before, _)| progress < before) {
                least = Some((progress, at));
            }
        }
        least.map(|(_, at)| at)
    }
}

/// What one thread owns.
pub(super) struct Worker {
    pub(super) rng: Xoshiro256PlusPlus,
    playout: Playout,
    path: Vec<NodeId>,
    /// The moves of the path, with who made them.
    moves: Vec<(Color, Move)>,
    /// Who first played each point after the node being updated: color index + 1, 0 for nobody.
    first: Vec<u8>,
    scratch: Scratch,
    children: Vec<(Move, f32)>,
    /// Black's points less White's, by point, summed over `playouts`.
    pub(super) ownership: Vec<i32>,
    pub(super) playouts: u32,
}

impl Worker {
    pub(super) fn new(root: &Playout, rng: Xoshiro256PlusPlus) -> Worker {
        Worker {
            rng,
            playout: root.clone(),
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(256),
            first: vec![0; GRID],
            scratch: Scratch::default(),
            children: Vec::with_capacity(400),
            ownership: vec![0; root.size().area()],
            playouts: 0,
        }
    }

    /// Runs one simulation.
    pub(super) fn simulate(&mut self, shared: &Shared<'_>) {
        self.playout.copy_from(shared.root);
        self.path.clear();
        self.moves.clear();
        self.descend(shared);
        let stones = self.play_out(shared);
        let area = self.count_area();
        let score = shared.counter.score(area, stones);
        self.update(shared, score);
        self.playouts += 1;
    }

    fn descend(&mut self, shared: &Shared<'_>) {
        let tree = shared.tree;
        let longest = 2 * self.playout.size().area();
        let mut id = 0;
        tree.node(id).enter();
        self.path.push(id);
        while !self.playout.is_over() && self.path.len() < longest {
            let visits = tree.node(id).visits();
            if tree.children(id).is_none()
                && visits > shared.settings.expand_after
                && tree.claim(id)
            {
                self.list_children(shared);
                tree.expand(id, &self.children);
            }
            let Some((first, children)) = tree.children(id) else {
                break;
            };
            let parent = tree.node(id);
            let forced = if id == 0 { shared.furthest() } else { None };
            let chosen = forced.unwrap_or_else(|| select(parent, children, shared));
            id = first + chosen as NodeId;
            let child = tree.node(id);
            child.enter();
            let mv = child.mv();
            self.moves.push((self.playout.to_move(), mv));
            self.playout.play(mv, shared.policy);
            self.path.push(id);
        }
    }

    /// Lists the moves worth a node, likeliest first, the pass last.
    fn list_children(&mut self, shared: &Shared<'_>) {
        let before = self
            .moves
            .len()
            .checked_sub(2)
            .and_then(|i| self.moves[i].1.point());
        shared.knowledge.priors(
            &mut self.playout,
            shared.policy,
            before,
            &mut self.scratch,
            &mut self.children,
        );
        priors::raise(&mut self.children, shared.tuning.prior_power);
        priors::shape(&mut self.children, shared.settings);
    }

    /// Plays to the end; returns the stones Black has put down more than White,
    /// in the tree and in the playout up to its first pass.
    fn play_out(&mut self, shared: &Shared<'_>) -> f32 {
        let mut stones = 0;
        for &(color, mv) in &self.moves {
            if !mv.is_pass() {
                stones += side(color);
            }
        }
        self.first.fill(0);
        let first = &mut self.first;
        let mut passed = false;
        let area = self.playout.size().area();
        let limit = 3 * area;
        let mut reach = (shared.tuning.rave_reach * area as f32) as usize;
        // Two passes in the tree do not end the playout: dead stones are still to be taken.
        self.playout.reopen();
        self.playout
            .run(shared.policy, &mut self.rng, limit, |color, mv| match mv {
                Move::Pass => passed = true,
                Move::Play(point) => {
                    if !passed {
                        stones += side(color);
                    }
                    let entry = &mut first[point.index()];
                    let within = reach > 0;
                    reach = reach.saturating_sub(1);
                    if *entry == 0 && within {
                        *entry = color as u8 + 1;
                    }
                }
            });
        stones as f32
    }

    /// Counts Black's area less White's, and adds it to the ownership.
    fn count_area(&mut self) -> f32 {
        let mut area = 0;
        let size = self.playout.size();
        for (owned, point) in self.ownership.iter_mut().zip(size.points()) {
            let one = self.playout.owner(point).map_or(0, side);
            *owned += one;
            area += one;
        }
        area as f32
    }

    /// Adds the result to the path and, by RAVE, to the siblings played later.
    fn update(&mut self, shared: &Shared<'_>, score: f32) {
        let won = won(score);
        let value = value(won, score, shared.settings.score_share);
        let seen_by = |color: Color| match color {
            Color::Black => (won, value, score),
            Color::White => (1.0 - won, 1.0 - value, -score),
        };
        for depth in (0..self.path.len()).rev() {
            let id = self.path[depth];
            let mover = if depth == 0 {
                None
            } else {
                Some(self.moves[depth - 1].0)
            };
            // The root holds the result for the player who moved before it.
            let mover = mover.unwrap_or(!shared.root.to_move());
            let (won, value, score) = seen_by(mover);
            shared.tree.node(id).add(won, value, score);
            if let Some(&(color, Move::Play(point))) = self.moves.get(depth) {
                self.first[point.index()] = color as u8 + 1;
            }
            let Some((_, children)) = shared.tree.children(id) else {
                continue;
            };
            let next = !mover;
            let (_, rave_value, _) = seen_by(next);
            for child in children {
                if let Move::Play(point) = child.mv()
                    && self.first[point.index()] == next as u8 + 1
                {
                    child.add_rave(rave_value);
                }
            }
        }
    }
}

#[inline]
fn side(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// Returns whether a score is a win for Black: 1, 0, or half for a draw.
#[inline]
fn won(score: f32) -> f32 {
    if score > 0.0 {
        1.0
    } else if score < 0.0 {
        0.0
    } else {
        0.5
    }
}

/// Returns what a result is worth, 0 to 1: mostly who won, `share` of it by how much.
#[inline]
fn value(won: f32, score: f32, share: f32) -> f32 {
    let margin = 0.5 + 0.5 * (score / FULL_MARGIN).clamp(-1.0, 1.0);
    won + share * (margin - won)
}

/// Chooses the child to visit.
#[inline]
fn select(parent: &Node, children: &[Node], shared: &Shared<'_>) -> usize {
    let (settings, tuning) = (shared.settings, &shared.tuning);
    let visits = parent.visits().max(1) as f32;
    let root = visits.sqrt() * tuning.prior_exploration;
    let log = settings.exploration * visits.ln().max(0.0).sqrt();
    // A move not tried yet is expected to do as well as its siblings so far.
    let unknown = 1.0 - parent.mean().unwrap_or(0.5);
    let mut best = (f32::NEG_INFINITY, 0);
    // The likeliest moves, as many as the visits have earned, and the pass, which is last.
    let pass = children.len() - 1;
    let width = settings.width(visits).min(pass);
    for i in (0..width).chain(std::iter::once(pass)) {
        let child = &children[i];
        let n = child.visits() as f32;
        let (rave_visits, rave) = child.rave();
        let own = child.mean().unwrap_or(unknown);
        let weight =
            rave_visits / (rave_visits + n + rave_visits * n / tuning.rave_equivalence + 1e-6);
        let mixed = own + weight * (rave - own);
        let worth = mixed + root * child.prior() / (1.0 + n) + log / (1.0 + n).sqrt();
        if worth > best.0 {
            best = (worth, i);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_mostly_the_result() {
        assert_eq!([won(0.5), won(-0.5), won(0.0)], [1.0, 0.0, 0.5]);
        assert_eq!(value(1.0, 15.0, 0.0), 1.0);
        // Half of the margin that counts in full is worth three quarters.
        assert!((value(1.0, 15.0, 0.2) - 0.95).abs() < 1e-6);
        // More than that margin is worth no more.
        assert_eq!(value(0.0, -90.0, 0.2), value(0.0, -30.0, 0.2));
        for share in [0.0, 0.3, 1.0] {
            let (ours, theirs) = (value(0.7, 8.0, share), value(0.3, -8.0, share));
            assert!((ours + theirs - 1.0).abs() < 1e-6);
        }
    }
}
