//! The tree of the neural search: nodes in one arena, edges by falling prior.
//!
//! The children of a node stand at the front of its edges, in the order in which
//! they were opened; the edges behind them are sorted by prior, as far as has been
//! needed: most nodes never open more than a few. It is a tree, not a
//! graph: positions reached by different moves stay apart, so that ko and superko,
//! which depend on the way, are never confused.
//!
//! Invariant: a node's visits are its own and its children's; what the arena and
//! all it points to take is counted in `bytes`.

use shido_go::{Color, Move};

use super::bias::{Errors, Shape};
use super::utility::Values;

/// Index of a node in the arena.
pub(super) type NodeId = u32;

/// The root, and the parent of the root.
pub(super) const ROOT: NodeId = 0;

/// Bytes that an allocation takes beside what was asked for, about.
const ALLOCATION: usize = 16;
/// Bytes that a node's entry in the table of local errors takes, about.
const BIAS: usize = 48;
/// What an ownership of 1 is stored as.
const OWNED: f32 = i16::MAX as f32;

/// A move that can be searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub(super) prior: f32,
    pub(super) mv: Move,
}

/// What stands at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A position that has been handed out and not come back.
    Pending,
    /// An evaluated position.
    Open,
    /// The end of a game.
    Terminal,
}

/// Averages over a subtree, from Black's side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Stats {
    pub(super) values: Values,
    pub(super) utility: f64,
    /// The mean of the squared utility.
    pub(super) utility_square: f64,
    /// What the averages are worth, about the visits.
    pub(super) weight: f64,
    /// The sum of the squared weights of all evaluations.
    pub(super) weight_square: f64,
}

/// What a node's own evaluation says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Own {
    pub(super) values: Values,
    pub(super) utility: f64,
    pub(super) weight: f64,
    /// How often a visit ended here.
    pub(super) visits: u32,
}

/// One position of the tree.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) parent: NodeId,
    /// The move that led here.
    pub(super) mv: Move,
    pub(super) to_move: Color,
    pub(super) kind: Kind,
    /// Requests below that have not come back.
    pub(super) in_flight: u32,
    pub(super) visits: u32,
    pub(super) own: Own,
    pub(super) stats: Stats,
    /// The shape of the move that led here, 0 at the root.
    pub(super) shape: Shape,
    /// What has been said about the evaluator's error in that shape.
    pub(super) errors: Errors,
    pub(super) edges: Box<[Edge]>,
    /// Edges at the front that are in order; the others are no likelier than these.
    pub(super) in_order: u16,
    pub(super) children: Vec<NodeId>,
    /// Black's ownership as the evaluation said, in units of 1/32767.
    pub(super) ownership: Box<[i16]>,
}

impl Node {
    pub(super) fn new(parent: NodeId, mv: Move, to_move: Color) -> Node {
        Node {
            parent,
            mv,
            to_move,
            kind: Kind::Pending,
            in_flight: 0,
            visits: 0,
            own: Own::default(),
            stats: Stats::default(),
            shape: 0,
            errors: Errors::default(),
            edges: Box::new([]),
            in_order: 0,
            children: Vec::new(),
            ownership: Box::new([]),
        }
    }

    fn bytes(&self) -> usize {
        size_of_val::<[Edge]>(&self.edges)
            + size_of_val::<[i16]>(&self.ownership)
            + self.children.capacity() * size_of::<NodeId>()
            + 3 * ALLOCATION
            + BIAS
    }

    /// Sorts the edges that are not open by prior.
    pub(super) fn sort_rest(&mut self) {
        let open = self.children.len();
        if usize::from(self.in_order) < self.edges.len() {
            self.edges[open..].sort_by(|a, b| b.prior.total_cmp(&a.prior));
            self.in_order = self.edges.len() as u16;
        }
    }

    /// Returns the value as the player to move sees it.
    #[inline]
    pub(super) fn for_mover(&self, value: f64) -> f64 {
        match self.to_move {
            Color::Black => value,
            Color::White => -value,
        }
    }

    /// Stores the ownership, `ownership` being Black's.
    pub(super) fn keep_ownership(&mut self, ownership: impl Iterator<Item = f32>) {
        self.ownership = ownership
            .map(|it| (it.clamp(-1.0, 1.0) * OWNED) as i16)
            .collect();
    }

    /// Returns Black's ownership, row by row; empty if there is none.
    pub(super) fn ownership(&self) -> impl Iterator<Item = f32> + '_ {
        self.ownership.iter().map(|&it| f32::from(it) / OWNED)
    }
}

/// The nodes.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    bytes: usize,
    limit: usize,
}

impl Tree {
    /// Returns an empty tree that may take so many bytes.
    pub(super) fn new(limit: usize) -> Tree {
        Tree {
            nodes: Vec::new(),
            bytes: 0,
            limit,
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes = Vec::new();
        self.bytes = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the bytes taken, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.nodes.capacity() * size_of::<Node>()
    }

    /// Returns whether so many nodes more, with all they will hold on a board of this
    /// area, would take too much.
    pub(super) fn is_full(&self, area: usize, nodes: usize) -> bool {
        let node = size_of::<Node>() + (area + 1) * (size_of::<Edge>() + 2) + 4 * ALLOCATION + BIAS;
        let growth = if self.nodes.len() == self.nodes.capacity() {
            self.growth() * size_of::<Node>()
        } else {
            0
        };
        self.bytes() + growth + nodes * node > self.limit
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns a node to change; what it owns must not be replaced but by
    /// [`Tree::update`].
    #[inline]
    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// Changes a node and keeps count of the memory.
    pub(super) fn update(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        let node = &mut self.nodes[id as usize];
        let before = node.bytes();
        change(node);
        self.bytes = self.bytes + node.bytes() - before;
    }

    /// Adds a node and returns where it is.
    pub(super) fn push(&mut self, node: Node) -> NodeId {
        if self.nodes.len() == self.nodes.capacity() {
            // Not by doubling: the limit should be reached, not half of it.
            self.nodes.reserve_exact(self.growth());
        }
        self.bytes += node.bytes();
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    fn growth(&self) -> usize {
        (self.nodes.len() / 4).max(256)
    }

    /// Opens an edge: moves it behind those already open and gives it a node.
    pub(super) fn open(&mut self, id: NodeId, edge: usize) -> NodeId {
        let node = self.node(id);
        let child = Node::new(id, node.edges[edge].mv, !node.to_move);
        let child = self.push(child);
        self.update(id, |node| {
            let open = node.children.len();
            node.edges[open..=edge].rotate_right(1);
            node.children.push(child);
            if node.children.len() >= usize::from(node.in_order) {
                node.sort_rest();
            }
        });
        child
    }

    /// Takes out an edge that is not open.
    pub(super) fn remove_edge(&mut self, id: NodeId, edge: usize) {
        self.update(id, |node| {
            let mut edges = std::mem::take(&mut node.edges).into_vec();
            edges.remove(edge);
            node.edges = edges.into_boxed_slice();
            node.sort_rest();
        });
    }

    /// Makes a node the root, drops what does not hang from it, and what has not been
    /// evaluated. Parents stand before their children afterwards.
    pub(super) fn keep(&mut self, id: NodeId) {
        let mut old: Vec<Option<Node>> = std::mem::take(&mut self.nodes)
            .into_iter()
            .map(Some)
            .collect();
        self.bytes = 0;
        let mut queue = std::collections::VecDeque::from([(id, ROOT, usize::MAX)]);
        while let Some((id, parent, slot)) = queue.pop_front() {
            let mut node = old[id as usize].take().expect("each node has one parent");
            node.parent = parent;
            node.in_flight = 0;
            node.errors = Errors::default();
            let mut edges = node.edges.into_vec();
            let mut kept = Vec::with_capacity(node.children.len());
            for child in std::mem::take(&mut node.children) {
                let pending = old[child as usize]
                    .as_ref()
                    .is_none_or(|it| it.kind == Kind::Pending);
                if pending {
                    // The edge is closed again: behind those still open.
                    let edge = edges.remove(kept.len());
                    edges.push(edge);
                } else {
                    kept.push(child);
                }
            }
            node.edges = edges.into_boxed_slice();
            node.in_order = 0;
            node.children = vec![0; kept.len()];
            node.sort_rest();
            let new = self.push(node);
            if slot != usize::MAX {
                self.nodes[parent as usize].children[slot] = new;
            }
            queue.extend(kept.into_iter().enumerate().map(|(i, it)| (it, new, i)));
        }
    }
}
