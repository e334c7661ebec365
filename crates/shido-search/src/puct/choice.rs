//! Which move to play after a search, as KataGo chooses.
//!
//! A move's *play value* is the weight the search gave it, less what it would not
//! get again knowing what is known now. The move with the best lower bound of its
//! utility, if it was searched enough, gets a value that tops those it beats.

use super::select::Selector;
use super::settings::ChoiceSettings;
use super::tree::{Node, NodeId, Tree};

/// The most that the lower bound can multiply a move's weight with is the square of this.
const MOST_RADII: f64 = 5.0;
/// Visits' worth of trust in the policy when the most trusted move is looked for.
const POLICY_VISITS: f64 = 2.0;

/// How good a child is to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlayValue {
    pub(super) id: NodeId,
    /// What candidates are ordered by.
    pub(super) value: f64,
    /// A lower bound of the utility, for the mover.
    pub(super) lower_bound: f64,
    /// How far that is below the utility.
    pub(super) radius: f64,
}

/// Judges moves by what the tree knows of them.
pub(super) struct Judge<'a> {
    pub(super) selector: Selector<'a>,
    pub(super) settings: &'a ChoiceSettings,
    /// Whether weight that would not be given again counts; not where it was given
    /// by order.
    pub(super) reduce: bool,
}

impl Judge<'_> {
    /// Returns how good each child of a node is to play, in the order of the children.
    pub(super) fn values(&self, tree: &Tree, id: NodeId, at_root: bool) -> Vec<PlayValue> {
        let node = tree.node(id);
        let mut values: Vec<PlayValue> = node
            .children
            .iter()
            .map(|&id| {
                let child = tree.node(id);
                let (lower_bound, radius) = self.lower_bound(node, child, at_root);
                PlayValue {
                    id,
                    value: child.stats.weight,
                    lower_bound,
                    radius,
                }
            })
            .collect();
        let Some(trusted) = most_trusted(tree, node, &values) else {
            return values;
        };
        let trusted_weight = values[trusted].value;
        if at_root && self.reduce {
            self.reduce(tree, node, trusted, &mut values);
        }
        if self.settings.lower_bound.is_some() {
            lift_best_bound(
                &mut values,
                f64::from(self.settings.min_share) * trusted_weight,
            );
        }
        values
    }

    /// Takes off weight that the search would not give again.
    fn reduce(&self, tree: &Tree, node: &Node, trusted: usize, values: &mut [PlayValue]) {
        let total: f64 = values.iter().map(|it| it.value).sum();
        let explore = self.selector.exploration(node, total);
        let of = |i: usize| {
            let child = tree.node(node.children[i]);
            let utility = self.selector.utility_of(node, child, true);
            (f64::from(node.edges[i].prior), utility)
        };
        let (prior, utility) = of(trusted);
        let bar = utility + explore * prior / (1.0 + values[trusted].value);
        for (i, value) in values.iter_mut().enumerate() {
            if i == trusted || value.value <= 0.0 {
                continue;
            }
            let (prior, utility) = of(i);
            let wanted = if bar > utility {
                (explore * prior / (bar - utility) - 1.0).max(0.0)
            } else {
                f64::INFINITY
            };
            value.value = value.value.min(wanted).ceil();
        }
    }

    /// Returns a lower bound of a child's utility for the mover, and its distance.
    ///
    /// A weak belief in the largest spread there could be stands in for what few
    /// visits do not show.
    fn lower_bound(&self, node: &Node, child: &Node, at_root: bool) -> (f64, f64) {
        let errors = f64::from(self.settings.lower_bound.unwrap_or(5.0));
        let stats = &child.stats;
        if child.visits == 0 || stats.weight <= 0.0 || stats.weight_square <= 0.0 {
            let radius = 2.0 * self.selector.radius * errors;
            return (-radius, radius);
        }
        let samples = stats.weight * stats.weight / stats.weight_square;
        let prior = stats.weight / samples.powi(3);
        let square = stats.utility * stats.utility;
        let mean_square = stats.utility_square.max(square + 1e-8)
            + self.selector.radius * self.selector.radius * prior / (stats.weight + prior);
        let weight = stats.weight + prior;
        let samples = weight * weight / (stats.weight_square + prior * prior);
        let radius = errors * ((mean_square - square) / samples).sqrt();
        (
            self.selector.utility_of(node, child, at_root) - radius,
            radius,
        )
    }
}

/// Returns the child that the most weight stands behind, its last visit discounted.
fn most_trusted(tree: &Tree, node: &Node, values: &[PlayValue]) -> Option<usize> {
    let trust = |i: usize| {
        let visits = f64::from(tree.node(values[i].id).visits);
        values[i].value * (visits - 1.0).max(0.0) / visits.max(1.0)
            + POLICY_VISITS * f64::from(node.edges[i].prior)
    };
    let mut best: Option<(usize, f64)> = None;
    for i in 0..values.len() {
        if best.is_none_or(|(_, most)| trust(i) > most) {
            best = Some((i, trust(i)));
        }
    }
    best.map(|(i, _)| i)
}

/// Gives the move with the best lower bound a value above those of the moves it beats.
fn lift_best_bound(values: &mut [PlayValue], least: f64) {
    let mut best: Option<usize> = None;
    for (i, it) in values.iter().enumerate() {
        let eligible = it.value > 0.0 && it.value >= least;
        if eligible && best.is_none_or(|best| it.lower_bound > values[best].lower_bound) {
            best = Some(i);
        }
    }
    let Some(best) = best else {
        return;
    };
    let mut lifted = values[best].value;
    for (i, it) in values.iter().enumerate() {
        let excess = values[best].lower_bound - it.lower_bound;
        if i == best || excess < 0.0 {
            continue;
        }
        // How many times wider its radius would have to be to fall as low: the square
        // is how many visits fewer it is worth.
        let radii = (it.radius + excess) / (it.radius + excess / MOST_RADII);
        lifted = lifted.max(radii * radii * it.value);
    }
    values[best].value = lifted;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(value: f64, lower_bound: f64, radius: f64) -> PlayValue {
        PlayValue {
            id: 0,
            value,
            lower_bound,
            radius,
        }
    }

    #[test]
    fn the_solid_move_tops_the_one_it_beats() {
        let mut values = [value(100.0, 0.1, 0.2), value(80.0, 0.2, 0.1)];
        lift_best_bound(&mut values, 15.0);
        // (0.2 + 0.1)/(0.2 + 0.02) squared, times 100
        let expected = (0.3f64 / 0.22).powi(2) * 100.0;
        assert!((values[1].value - expected).abs() < 1e-9);
        assert_eq!(values[0].value, 100.0);
    }

    #[test]
    fn a_move_searched_too_little_is_not_lifted() {
        let mut values = [value(100.0, 0.1, 0.2), value(10.0, 0.2, 0.1)];
        lift_best_bound(&mut values, 15.0);
        assert_eq!(values[1].value, 10.0);
        assert_eq!(values[0].value, 100.0);
    }
}
