//! The shared tree: nodes of atomics in one arena, grown without locks.
//!
//! A node is a move and what came of it. Its children are a block of the arena,
//! taken by one `fetch_add` and published by one store; whoever sees the block
//! sees its contents. Results are added with atomic additions. The arena never
//! grows, so the memory limit holds; a full tree keeps searching without new nodes.
//!
//! Invariant: a block of children lies after its parent, so a subtree can be
//! moved to the front of the arena in place ([`Tree::keep`]).

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64};

use shido_go::{Move, Point};

/// Place of a node in the arena; the root is 0.
pub(super) type NodeId = u32;

/// No children yet.
const LEAF: u32 = 0;
/// A thread is making the children.
const BUSY: u32 = u32::MAX;
/// Fixed-point unit of a value.
const VALUE_UNIT: f64 = 65536.0;
/// Unit of a win: draws are halves.
const WIN_UNIT: f64 = 2.0;
/// Fixed-point unit of a score: scores are halves.
const SCORE_UNIT: f64 = 2.0;
/// RAVE statistics stop growing here; they have long been outweighed.
const RAVE_CAP: u32 = 1 << 20;

/// A move in the tree. Values are those of the player who made it.
pub(super) struct Node {
    first_child: AtomicU32,
    child_count: AtomicU16,
    /// Index of the point, 0 for a pass.
    mv: AtomicU16,
    prior: AtomicU32,
    visits: AtomicU32,
    rave_visits: AtomicU32,
    /// What `rave_visits` were worth, in units of 1/256.
    rave_value: AtomicU32,
    /// What `visits` were worth, in units of 1/65536.
    value: AtomicU64,
    /// Wins among `visits`, in halves: a draw is one.
    wins: AtomicU64,
    score: AtomicI64,
    score_squares: AtomicU64,
}

impl Node {
    fn new() -> Node {
        Node {
            first_child: AtomicU32::new(LEAF),
            child_count: AtomicU16::new(0),
            mv: AtomicU16::new(0),
            prior: AtomicU32::new(0),
            visits: AtomicU32::new(0),
            rave_visits: AtomicU32::new(0),
            rave_value: AtomicU32::new(0),
            value: AtomicU64::new(0),
            wins: AtomicU64::new(0),
            score: AtomicI64::new(0),
            score_squares: AtomicU64::new(0),
        }
    }

    fn reset(&self, mv: Move, prior: f32) {
        self.first_child.store(LEAF, Relaxed);
        self.child_count.store(0, Relaxed);
        self.mv
            .store(mv.point().map_or(0, |point| point.index() as u16), Relaxed);
        self.prior.store(prior.to_bits(), Relaxed);
        for zero in [&self.visits, &self.rave_visits, &self.rave_value] {
            zero.store(0, Relaxed);
        }
        self.value.store(0, Relaxed);
        self.wins.store(0, Relaxed);
        self.score.store(0, Relaxed);
        self.score_squares.store(0, Relaxed);
    }

    fn copy_from(&self, other: &Node) {
        self.first_child
            .store(other.first_child.load(Relaxed), Relaxed);
        self.child_count
            .store(other.child_count.load(Relaxed), Relaxed);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.rave_visits
            .store(other.rave_visits.load(Relaxed), Relaxed);
        self.rave_value
            .store(other.rave_value.load(Relaxed), Relaxed);
        self.value.store(other.value.load(Relaxed), Relaxed);
        self.wins.store(other.wins.load(Relaxed), Relaxed);
        self.score.store(other.score.load(Relaxed), Relaxed);
        self.score_squares
            .store(other.score_squares.load(Relaxed), Relaxed);
    }

    /// Returns the move.
    #[inline]
    pub(super) fn mv(&self) -> Move {
        match self.mv.load(Relaxed) {
            0 => Move::Pass,
            index => Move::Play(Point::from_index(usize::from(index))),
        }
    }

    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Counts a visit before its result is known: until then it weighs as a loss,
    /// which sends other threads elsewhere.
    #[inline]
    pub(super) fn enter(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    /// Adds the result of a visit that has been entered: whether it was won (half for a
    /// draw), what it is worth to the search, and its score.
    #[inline]
    pub(super) fn add(&self, won: f32, value: f32, score: f32) {
        let score = (f64::from(score) * SCORE_UNIT).round() as i64;
        self.wins
            .fetch_add((f64::from(won) * WIN_UNIT) as u64, Relaxed);
        self.value
            .fetch_add((f64::from(value) * VALUE_UNIT) as u64, Relaxed);
        self.score.fetch_add(score, Relaxed);
        self.score_squares
            .fetch_add((score * score) as u64, Relaxed);
    }

    /// Returns what the visits were worth on average, or `None` without visits.
    #[inline]
    pub(super) fn mean(&self) -> Option<f32> {
        self.share(&self.value, VALUE_UNIT)
    }

    /// Returns the share of wins, or `None` without visits.
    pub(super) fn win_rate(&self) -> Option<f32> {
        self.share(&self.wins, WIN_UNIT)
    }

    #[inline]
    fn share(&self, sum: &AtomicU64, unit: f64) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (sum.load(Relaxed) as f64 / unit / f64::from(visits)).min(1.0) as f32)
    }

    /// Returns the mean score and its standard deviation.
    pub(super) fn score(&self) -> (f32, f32) {
        let n = f64::from(self.visits().max(1));
        let mean = self.score.load(Relaxed) as f64 / n;
        let variance = (self.score_squares.load(Relaxed) as f64 / n - mean * mean).max(0.0);
        (
            (mean / SCORE_UNIT) as f32,
            (variance.sqrt() / SCORE_UNIT) as f32,
        )
    }

    /// Adds a playout in which the same player made this move later.
    ///
    /// Two threads may lose one of two additions; RAVE bears it and the store is cheap.
    #[inline]
    pub(super) fn add_rave(&self, value: f32) {
        let visits = self.rave_visits.load(Relaxed);
        if visits < RAVE_CAP {
            self.rave_visits.store(visits + 1, Relaxed);
            let more = (value * 256.0) as u32;
            self.rave_value
                .store(self.rave_value.load(Relaxed) + more, Relaxed);
        }
    }

    /// Returns the RAVE visits and their mean value.
    #[inline]
    pub(super) fn rave(&self) -> (f32, f32) {
        let visits = self.rave_visits.load(Relaxed) as f32;
        (
            visits,
            self.rave_value.load(Relaxed) as f32 / (256.0 * visits.max(1.0)),
        )
    }
}

/// The arena.
pub(super) struct Tree {
    nodes: Box<[Node]>,
    used: AtomicU32,
}

impl Tree {
    /// Returns a tree of a root alone, in an arena of at most `memory` bytes.
    pub(super) fn new(memory: usize) -> Tree {
        let capacity = (memory / size_of::<Node>()).clamp(2, BUSY as usize);
        let nodes = std::iter::repeat_with(Node::new).take(capacity).collect();
        Tree {
            nodes,
            used: AtomicU32::new(1),
        }
    }

    /// Forgets everything but an empty root.
    pub(super) fn clear(&mut self) {
        self.nodes[0].reset(Move::Pass, 1.0);
        self.used.store(1, Relaxed);
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns the number of nodes in use.
    pub(super) fn len(&self) -> usize {
        (self.used.load(Relaxed) as usize).min(self.nodes.len())
    }

    /// Returns the bytes a node takes.
    pub(super) const fn node_bytes() -> usize {
        size_of::<Node>()
    }

    /// Returns where the children of a node are, if it has any.
    #[inline]
    pub(super) fn children(&self, id: NodeId) -> Option<(NodeId, &[Node])> {
        let node = self.node(id);
        let first = node.first_child.load(Acquire);
        if first == LEAF || first == BUSY {
            return None;
        }
        let count = usize::from(node.child_count.load(Relaxed));
        Some((first, &self.nodes[first as usize..first as usize + count]))
    }

    /// Claims a leaf for expansion; at most one thread succeeds.
    pub(super) fn claim(&self, id: NodeId) -> bool {
        self.node(id)
            .first_child
            .compare_exchange(LEAF, BUSY, Acquire, Relaxed)
            .is_ok()
    }

    /// Gives a claimed leaf its children; without room it stays a leaf.
    pub(super) fn expand(&self, id: NodeId, moves: &[(Move, f32)]) {
        let count = moves.len() as u32;
        let room = self.nodes.len() as u32;
        let taken = self.used.fetch_update(Relaxed, Relaxed, |used| {
            (count > 0 && count <= room - used).then(|| used + count)
        });
        let node = self.node(id);
        let Ok(first) = taken else {
            node.first_child.store(LEAF, Release);
            return;
        };
        for (child, &(mv, prior)) in (first..).zip(moves) {
            self.node(child).reset(mv, prior);
        }
        node.child_count.store(count as u16, Relaxed);
        node.first_child.store(first, Release);
    }

    /// Makes a node the root and drops all that does not hang from it.
    ///
    /// Blocks only move towards the front and are moved front to back, so none
    /// is overwritten before it has been moved.
    pub(super) fn keep(&mut self, id: NodeId) {
        self.nodes[0].copy_from(&self.nodes[id as usize]);
        // (first node of a block, its parent before the move), in the order of the arena.
        let mut blocks = vec![(self.block(0), 0)];
        let mut seen = 0;
        while seen < blocks.len() {
            let ((first, count), _) = blocks[seen];
            seen += 1;
            for child in first..first + count {
                let block = self.block(child);
                if block.1 > 0 {
                    blocks.push((block, child));
                }
            }
        }
        blocks.retain(|&((_, count), _)| count > 0);
        blocks.sort_unstable();
        // Where blocks began and begin now; one entry a block, so that moving a full tree
        // takes little memory beside it.
        let mut moved: Vec<(NodeId, NodeId)> = Vec::with_capacity(blocks.len());
        let mut free = 1;
        for ((first, count), parent) in blocks {
            // Parents lie before their children and have been moved already.
            let parent = moved_to(&moved, parent);
            self.nodes[parent as usize].first_child.store(free, Relaxed);
            for i in 0..count {
                self.nodes[(free + i) as usize].copy_from(&self.nodes[(first + i) as usize]);
            }
            moved.push((first, free));
            free += count;
        }
        self.used.store(free, Relaxed);
    }

    fn block(&self, id: NodeId) -> (NodeId, u32) {
        self.children(id)
            .map_or((0, 0), |(first, nodes)| (first, nodes.len() as u32))
    }
}

/// Returns where a node of a moved block is now; the root stays.
fn moved_to(moved: &[(NodeId, NodeId)], id: NodeId) -> NodeId {
    if id == 0 {
        return 0;
    }
    let block = moved.partition_point(|&(first, _)| first <= id) - 1;
    let (before, now) = moved[block];
    now + (id - before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    fn play(x: usize, y: usize) -> Move {
        Move::Play(Size::S9.point(x, y).expect("on the board"))
    }

    fn grow(tree: &Tree, id: NodeId, moves: &[Move]) -> NodeId {
        assert!(tree.claim(id));
        let with_priors: Vec<_> = moves.iter().map(|&mv| (mv, 0.5)).collect();
        tree.expand(id, &with_priors);
        tree.children(id).expect("there is room").0
    }

    #[test]
    fn keeping_a_subtree_keeps_its_nodes_and_frees_the_rest() {
        let mut tree = Tree::new(1 << 16);
        let first = grow(&tree, 0, &[play(0, 0), play(1, 0), Move::Pass]);
        grow(&tree, first, &[play(5, 5); 4]);
        let second = grow(&tree, first + 1, &[play(2, 2), play(3, 3)]);
        let third = grow(&tree, second + 1, &[play(4, 4)]);
        tree.node(third).enter();
        tree.node(third).add(0.5, 0.75, 3.5);
        tree.keep(first + 1);
        assert_eq!(tree.len(), 1 + 2 + 1);
        let (start, nodes) = tree.children(0).expect("kept");
        assert_eq!(
            nodes.iter().map(Node::mv).collect::<Vec<_>>(),
            [play(2, 2), play(3, 3)]
        );
        let (_, nodes) = tree.children(start + 1).expect("kept");
        assert_eq!(nodes[0].mv(), play(4, 4));
        assert_eq!((nodes[0].visits(), nodes[0].mean()), (1, Some(0.75)));
        assert_eq!(nodes[0].win_rate(), Some(0.5));
        assert_eq!(nodes[0].score(), (3.5, 0.0));
    }

    #[test]
    fn a_full_tree_refuses_children_and_keeps_its_size() {
        let tree = Tree::new(Tree::node_bytes() * 4);
        grow(&tree, 0, &[Move::Pass, play(0, 0)]);
        assert!(tree.claim(1));
        tree.expand(1, &[(Move::Pass, 1.0), (play(1, 1), 1.0)]);
        assert!(tree.children(1).is_none());
        assert_eq!(tree.len(), 3);
        assert!(tree.claim(1), "the leaf can be claimed again");
    }

    #[test]
    fn only_one_thread_expands_a_leaf() {
        let tree = Tree::new(1 << 16);
        assert!(tree.claim(0));
        assert!(!tree.claim(0));
    }
}
