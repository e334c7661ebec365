//! One way down the tree, and what is handed out at its end.
//!
//! A walk goes by [`Selector`](super::select::Selector), or to the candidate furthest
//! from its budget, until it finds a position that has not been evaluated.

use rand_xoshiro::rand_core::RngCore;
use shido_go::{Move, Position};

use super::bias;
use super::request::Terms;
use super::select::Choice;
use super::tree::{Edge, Kind, Node, NodeId, ROOT};
use super::{EvalRequest, Ownership, Puct, RootEvaluation};

/// Walks of one `gather` that may end at a position already handed out.
const COLLISIONS: usize = 8;
/// Visits of one `gather` that may end without a request, at ends of games.
const ENDINGS: usize = 256;

/// How one walk down the tree ended.
enum Walk {
    /// At a position to evaluate.
    Leaf(EvalRequest),
    /// At the end of a game, which needs no evaluation.
    Ending,
    /// At a position that has been handed out already.
    Collision(NodeId),
    /// At a position that the tree has no room for.
    Full,
}

impl Puct {
    /// Hands out up to `max` positions to evaluate.
    ///
    /// Fewer come if the visits asked for are all made or under way, if the tree is
    /// full, or if too little is known to look elsewhere; then what is in flight must
    /// come back first. The first request after [`Puct::set_root`] is the root, alone.
    pub fn gather(&mut self, max: usize) -> Vec<EvalRequest> {
        let mut requests = Vec::new();
        let Some(root) = &mut self.root else {
            return requests;
        };
        match root.evaluation {
            RootEvaluation::Wanted if max > 0 => {
                root.evaluation = RootEvaluation::InFlight;
                if self.tree.len() == 0 {
                    let to_move = root.position.to_move();
                    self.tree.push(Node::new(ROOT, Move::Pass, to_move));
                }
                requests.push(self.root_request());
            }
            RootEvaluation::Wanted | RootEvaluation::InFlight => {}
            RootEvaluation::Done => self.gather_leaves(max, &mut requests),
        }
        requests
    }

    fn gather_leaves(&mut self, max: usize, requests: &mut Vec<EvalRequest>) {
        self.open_candidates();
        let mut collisions = Vec::new();
        let mut endings = 0;
        while requests.len() < max && self.wants_more() {
            match self.walk() {
                Walk::Leaf(request) => {
                    self.send(request.node, 1);
                    requests.push(request);
                }
                Walk::Ending if endings < ENDINGS => endings += 1,
                Walk::Collision(node) if collisions.len() < COLLISIONS => {
                    // Counted as lost until the end of this round, so that the next
                    // walk goes elsewhere.
                    self.send(node, 1);
                    collisions.push(node);
                }
                Walk::Ending | Walk::Collision(_) | Walk::Full => break,
            }
        }
        for node in collisions {
            self.send(node, -1);
        }
    }

    /// Adds to the requests in flight at a node and above it.
    pub(super) fn send(&mut self, node: NodeId, more: i32) {
        let mut id = node;
        loop {
            let node = self.tree.node_mut(id);
            node.in_flight = node.in_flight.saturating_add_signed(more);
            if id == ROOT {
                break;
            }
            id = node.parent;
        }
    }

    /// Gives every candidate with a budget an edge.
    fn open_candidates(&mut self) {
        for budget in &self.budgets {
            let known = self
                .tree
                .node(ROOT)
                .edges
                .iter()
                .any(|it| it.mv == budget.mv);
            if !known {
                self.tree.update(ROOT, |root| {
                    let mut edges = std::mem::take(&mut root.edges).into_vec();
                    edges.push(Edge {
                        prior: 0.0,
                        mv: budget.mv,
                    });
                    root.edges = edges.into_boxed_slice();
                });
            }
        }
    }

    /// Walks down the tree once.
    fn walk(&mut self) -> Walk {
        let mut position = self.fresh_position();
        let mut id = ROOT;
        let mut depth = 0;
        let walk = loop {
            match self.tree.node(id).kind {
                Kind::Pending => break Walk::Collision(id),
                Kind::Terminal => {
                    self.visit_again(id);
                    break Walk::Ending;
                }
                Kind::Open => {}
            }
            match self.choose(id, depth) {
                Choice::Child(child) => {
                    let mv = self.tree.node(child).mv;
                    position.play(mv).expect("it was legal when it was opened");
                    id = child;
                }
                Choice::Edge(edge) => {
                    if self.is_full() {
                        break Walk::Full;
                    }
                    let mv = self.tree.node(id).edges[edge].mv;
                    let shape = bias::shape(&position, mv);
                    if position.play(mv).is_err() {
                        // The evaluator did not know; superko is the usual case.
                        self.tree.remove_edge(id, edge);
                        continue;
                    }
                    id = self.tree.open(id, edge);
                    self.tree.node_mut(id).shape = shape;
                    if self.end_game(id, &position, depth + 1) {
                        break Walk::Ending;
                    }
                    let request = self.request(position, id, depth + 1);
                    return Walk::Leaf(request);
                }
                Choice::Nothing => {
                    self.visit_again(id);
                    break Walk::Ending;
                }
            }
            depth += 1;
        };
        self.pool.push(position);
        walk
    }

    fn choose(&mut self, id: NodeId, depth: usize) -> Choice {
        if depth == 0 && !self.budgets.is_empty() {
            return self.choose_candidate();
        }
        let mut rng = self.rng.clone();
        let choice = self.selector().choose(&self.tree, id, depth, &mut rng);
        self.rng = rng;
        choice
    }

    /// Chooses the candidate furthest from its visits.
    fn choose_candidate(&self) -> Choice {
        let mut best: Option<(f64, Move)> = None;
        for budget in &self.budgets {
            if let Some(progress) = self.progress(budget)
                && best.is_none_or(|(least, _)| progress < least)
            {
                best = Some((progress, budget.mv));
            }
        }
        let Some((_, mv)) = best else {
            return Choice::Nothing;
        };
        let root = self.tree.node(ROOT);
        match root.edges.iter().position(|it| it.mv == mv) {
            Some(at) if at < root.children.len() => Choice::Child(root.children[at]),
            Some(at) => Choice::Edge(at),
            None => Choice::Nothing,
        }
    }

    /// Returns a copy of the root to play on.
    fn fresh_position(&mut self) -> Box<Position> {
        let root = self.root.as_ref().expect("set_root comes first");
        match self.pool.pop() {
            Some(mut position) => {
                position.copy_from(&root.searched);
                position
            }
            None => Box::new(root.searched.clone()),
        }
    }

    fn root_request(&mut self) -> EvalRequest {
        let position = self.fresh_position();
        self.request(position, ROOT, 0)
    }

    fn request(&mut self, position: Box<Position>, node: NodeId, depth: usize) -> EvalRequest {
        let root = &self.settings.root;
        let ownership = depth == 0
            || self.settings.report.ownership > Ownership::None
            || self.hooks.objective.is_some();
        let terms = Terms {
            history: root.rules.ignore_history.then_some(depth),
            conservative_pass: root.rules.conservative_pass && depth == 0,
            ownership,
            symmetries: self.symmetries(&position, depth),
        };
        EvalRequest {
            position,
            node,
            depth: depth as u32,
            generation: self.generation,
            terms,
        }
    }

    /// Returns the symmetries to average, as bits.
    fn symmetries(&mut self, position: &Position, depth: usize) -> u8 {
        let count = shido_go::Symmetry::of_size(position.size()).len() as u64;
        let wanted = if depth == 0 {
            u32::from(self.settings.root.symmetries).min(count as u32)
        } else {
            1
        };
        let mut bits = 0u8;
        if !self.settings.report.random_symmetry {
            return ((1u16 << wanted) - 1) as u8;
        }
        while bits.count_ones() < wanted {
            bits |= 1 << (self.rng.next_u64() % count);
        }
        bits
    }

    /// Takes a position back that will not be evaluated.
    pub fn cancel(&mut self, request: EvalRequest) {
        if request.generation == self.generation {
            if request.node == ROOT {
                if let Some(root) = &mut self.root {
                    root.evaluation = RootEvaluation::Wanted;
                }
            } else {
                self.send(request.node, -1);
                self.withdraw(request.node);
            }
        }
        self.pool.push(request.position);
    }
}
