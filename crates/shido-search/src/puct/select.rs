//! Which move a visit goes to: PUCT as KataGo has it.
//!
//! A move's value is its utility for the mover plus its prior times an exploration
//! term that grows with the visits of the node and with the spread of its
//! utilities. Of the moves not yet visited only the likeliest is considered; its
//! utility is taken to be a little worse than its parent's.

use rand_xoshiro::Xoshiro256PlusPlus;
use shido_go::{Color, Move};

use super::random;
use super::restrict::Restrictions;
use super::root::RootFacts;
use super::settings::ExplorationSettings;
use super::tree::{Edge, Node, NodeId, Tree};
use super::utility::Scale;

/// Keeps the exploration term positive before the first visit.
const OFFSET: f64 = 0.01;
/// The least weight that virtual losses are set against.
const LEAST_WEIGHT: f64 = 0.25;

/// Where a visit goes from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// To a child.
    Child(NodeId),
    /// To an edge that is not open yet.
    Edge(usize),
    /// Nowhere: no move is allowed.
    Nothing,
}

/// What selection needs to know beside the tree.
pub(super) struct Selector<'a> {
    pub(super) settings: &'a ExplorationSettings,
    pub(super) scale: &'a Scale,
    /// The largest utility.
    pub(super) radius: f64,
    pub(super) restrictions: &'a Restrictions,
    pub(super) root: &'a RootFacts,
    pub(super) wide_noise: f64,
}

impl Selector<'_> {
    /// Chooses where a visit goes from a node `depth` moves below the root.
    pub(super) fn choose(
        &self,
        tree: &Tree,
        id: NodeId,
        depth: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Choice {
        let node = tree.node(id);
        let at_root = depth == 0;
        let mut total = 0.0;
        let mut visited = 0.0;
        for (&child, edge) in node.children.iter().zip(&node.edges) {
            total += tree.node(child).stats.weight;
            visited += f64::from(edge.prior);
        }
        let first_play = self.first_play(node, at_root, visited.min(1.0));
        let explore = self.exploration(node, total);
        let mut best = (f64::NEG_INFINITY, Choice::Nothing);
        for (&child, edge) in node.children.iter().zip(&node.edges) {
            let it = tree.node(child);
            let (utility, weight) = self.child_value(node, it, first_play, at_root);
            let (utility, prior) = self.widen(utility, *edge, at_root, rng);
            let value = utility + explore * prior / (1.0 + weight);
            if value > best.0 && self.allows(node.to_move, edge.mv, depth) {
                best = (value, Choice::Child(child));
            }
        }
        let unopened = (node.children.len()..node.edges.len())
            .find(|&i| self.allows(node.to_move, node.edges[i].mv, depth));
        if let Some(i) = unopened {
            let (utility, prior) = self.widen(first_play, node.edges[i], at_root, rng);
            if utility + explore * prior > best.0 {
                best.1 = Choice::Edge(i);
            }
        }
        best.1
    }

    /// Returns whether a move may be looked at `depth` moves below the root.
    pub(super) fn allows(&self, color: Color, mv: Move, depth: usize) -> bool {
        self.restrictions.allow(color, mv, depth) && !(depth == 0 && self.root.is_pruned(mv))
    }

    /// Returns the exploration term of a move of prior 1 without visits.
    pub(super) fn exploration(&self, node: &Node, total: f64) -> f64 {
        let ExplorationSettings {
            coefficient,
            log,
            base,
            ..
        } = *self.settings;
        let base = f64::from(base);
        let coefficient = f64::from(coefficient) + f64::from(log) * ((total + base) / base).ln();
        coefficient * (total + OFFSET).sqrt() * self.spread(node)
    }

    /// Returns how much the spread of a node's utilities scales exploration.
    fn spread(&self, node: &Node) -> f64 {
        let prior = f64::from(self.settings.deviation_prior);
        let weight = node.stats.weight;
        let deviation = if node.visits == 0 || weight <= 1.0 {
            prior
        } else {
            let square = node.stats.utility * node.stats.utility;
            let mean_square = node.stats.utility_square.max(square);
            let prior_weight = f64::from(self.settings.deviation_prior_weight);
            let sum = (square + prior * prior) * prior_weight + mean_square * weight;
            (sum / (prior_weight + weight - 1.0) - square)
                .max(0.0)
                .sqrt()
        };
        1.0 + f64::from(self.settings.deviation_scale) * (deviation / prior - 1.0)
    }

    /// Returns the utility of a move not visited yet, for the mover.
    fn first_play(&self, node: &Node, at_root: bool, visited: f64) -> f64 {
        // A power of 2 is the default and needs no logarithm.
        let share = match self.settings.first_play_power {
            2.0 => visited * visited,
            power => visited.powf(f64::from(power)),
        };
        let parent = share * node.stats.utility + (1.0 - share) * node.own.utility;
        let reduction = if at_root {
            self.settings.root_first_play_reduction
        } else {
            self.settings.first_play_reduction
        };
        node.for_mover(parent) - f64::from(reduction) * visited.sqrt()
    }

    /// Returns a child's utility for the mover and its weight, virtual losses included.
    fn child_value(&self, node: &Node, child: &Node, first_play: f64, at_root: bool) -> (f64, f64) {
        let mut weight = child.stats.weight;
        let mut utility = if child.visits == 0 || weight <= 0.0 {
            first_play
        } else {
            self.utility_of(node, child, at_root)
        };
        if child.in_flight > 0 {
            let lost = f64::from(child.in_flight) * f64::from(self.settings.virtual_loss);
            utility += (-self.radius - utility) * lost / (lost + weight.max(LEAST_WEIGHT));
            weight += lost;
        }
        (utility, weight)
    }

    /// Returns a visited child's utility for the mover, with what the root adds.
    pub(super) fn utility_of(&self, node: &Node, child: &Node, at_root: bool) -> f64 {
        let utility = node.for_mover(child.stats.utility);
        let bonus = if at_root {
            self.root.bonus(child.mv)
        } else {
            0.0
        };
        if bonus == 0.0 {
            utility
        } else {
            utility + self.scale.worth(&child.stats.values, bonus)
        }
    }

    /// Makes the root look at more moves: a flatter policy and a bonus now and then.
    fn widen(
        &self,
        utility: f64,
        edge: Edge,
        at_root: bool,
        rng: &mut Xoshiro256PlusPlus,
    ) -> (f64, f64) {
        if !at_root || self.wide_noise == 0.0 {
            return (utility, f64::from(edge.prior));
        }
        let bonus = if random::coin(rng) {
            self.wide_noise * random::gaussian(rng).abs()
        } else {
            0.0
        };
        (utility + bonus, self.root.wide_prior(edge.mv))
    }
}
