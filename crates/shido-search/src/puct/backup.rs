//! How evaluations become averages on the way back to the root.
//!
//! A node's averages are made anew from its children's each time, as KataGo does:
//! children weigh as they were visited, less what noise alone sent there, and bad
//! moves less than good ones.

use super::bias::BiasTable;
use super::settings::WeightSettings;
use super::tree::{Kind, Node, NodeId, Stats, Tree};
use super::utility::Values;

/// Standard deviations of a child's utility are `1/√(1.5·√weight)`, in KataGo's model.
const PRECISION: f64 = 1.5;
/// Keeps every child's chance to be the best above zero.
const LEAST_CHANCE: f64 = 1e-4;
/// Shares of the policy beyond which weight may be taken off.
const LENIENCE: f64 = 2.0;

/// Buffers of [`Backup::refresh`], kept between calls.
#[derive(Debug, Default)]
pub(super) struct Backup {
    children: Vec<Child>,
    pub(super) bias: BiasTable,
}

#[derive(Debug, Clone, Copy)]
struct Child {
    id: NodeId,
    prior: f64,
    /// For the player to move at the parent.
    utility: f64,
    weight: f64,
}

impl Backup {
    /// Makes a node's averages anew from its own evaluation and its children's.
    ///
    /// With `plain` the children weigh as visited, whatever the settings say.
    pub(super) fn refresh(
        &mut self,
        tree: &mut Tree,
        id: NodeId,
        settings: &WeightSettings,
        plain: bool,
    ) {
        let node = tree.node(id);
        self.gather(tree, node);
        let visited: f64 = self.children.iter().map(|it| it.weight).sum();
        if !plain {
            if let Some(scale) = settings.noise_pruning {
                prune_noise(&mut self.children, f64::from(scale));
            }
            weigh_by_value(&mut self.children, f64::from(settings.value_exponent));
        }
        let mut sums = Sums::default();
        let mut visits = node.own.visits;
        for child in &self.children {
            let it = tree.node(child.id);
            visits += it.visits;
            sums.add(&it.stats, child.weight);
        }
        let below = (sums.0.weight > 0.0).then(|| {
            let difference = sums.0.utility / sums.0.weight - node.own.utility;
            (difference, visited)
        });
        let node = tree.node_mut(id);
        let own = node.own;
        let mut utility = own.utility;
        if let Some(settings) = settings.bias
            && node.kind == Kind::Open
            && node.shape != 0
        {
            utility += self
                .bias
                .correct(node.shape, &mut node.errors, below, settings);
        }
        let weight = own.weight * f64::from(own.visits);
        sums.add(
            &Stats {
                values: own.values,
                utility,
                utility_square: utility * utility,
                weight,
                weight_square: own.weight * weight,
            },
            weight,
        );
        node.visits = visits;
        node.stats = sums.mean();
    }

    fn gather(&mut self, tree: &Tree, node: &Node) {
        self.children.clear();
        for (&id, edge) in node.children.iter().zip(&node.edges) {
            let child = tree.node(id);
            if child.visits > 0 && child.stats.weight > 0.0 {
                self.children.push(Child {
                    id,
                    prior: f64::from(edge.prior).max(1e-30),
                    utility: node.for_mover(child.stats.utility),
                    weight: child.stats.weight,
                });
            }
        }
    }
}

/// Takes off weight that a child got beyond twice its share of the policy although it
/// is worse than those before it.
fn prune_noise(children: &mut [Child], scale: f64) {
    let (mut utility, mut weight, mut prior) = (0.0, 0.0, 0.0);
    for child in children {
        if weight > 0.0 && prior > 0.0 {
            let gap = utility / weight - child.utility;
            let share = LENIENCE * weight * child.prior / prior;
            if gap > 0.0 && child.weight > share {
                child.weight -= (child.weight - share) * (1.0 - (-gap / scale).exp());
            }
        }
        utility += child.utility * child.weight;
        weight += child.weight;
        prior += child.prior;
    }
}

/// Moves weight from bad children to good ones; the sum stays.
fn weigh_by_value(children: &mut [Child], exponent: f64) {
    if exponent == 0.0 || children.len() < 2 {
        return;
    }
    let total: f64 = children.iter().map(|it| it.weight).sum();
    let mean = children
        .iter()
        .map(|it| it.utility * it.weight)
        .sum::<f64>()
        / total;
    let mut new_total = 0.0;
    for child in children.iter_mut() {
        let deviation = (1.0 / (PRECISION * child.weight.sqrt())).sqrt();
        let chance = student3_below((child.utility - mean) / deviation) + LEAST_CHANCE;
        child.weight *= if exponent == 0.25 {
            chance.sqrt().sqrt()
        } else {
            chance.powf(exponent)
        };
        new_total += child.weight;
    }
    for child in children {
        child.weight *= total / new_total;
    }
}

/// Returns the share of Student's distribution with three degrees of freedom below `t`.
fn student3_below(t: f64) -> f64 {
    let u = t / 3f64.sqrt();
    0.5 + (u.atan() + u / (1.0 + u * u)) / std::f64::consts::PI
}

#[derive(Debug, Default)]
struct Sums(Stats);

impl Sums {
    fn add(&mut self, stats: &Stats, weight: f64) {
        let sums = &mut self.0;
        sums.values.win_loss += weight * stats.values.win_loss;
        sums.values.no_result += weight * stats.values.no_result;
        sums.values.score_mean += weight * stats.values.score_mean;
        sums.values.score_square += weight * stats.values.score_square;
        sums.values.lead += weight * stats.values.lead;
        sums.utility += weight * stats.utility;
        sums.utility_square += weight * stats.utility_square;
        sums.weight += weight;
        let scaled = weight / stats.weight.max(1e-30);
        sums.weight_square += scaled * scaled * stats.weight_square;
    }

    fn mean(&self) -> Stats {
        let Stats {
            values,
            utility,
            utility_square,
            weight,
            weight_square,
        } = self.0;
        if weight <= 0.0 {
            return Stats::default();
        }
        Stats {
            values: Values {
                win_loss: values.win_loss / weight,
                no_result: values.no_result / weight,
                score_mean: values.score_mean / weight,
                score_square: values.score_square / weight,
                lead: values.lead / weight,
            },
            utility: utility / weight,
            utility_square: utility_square / weight,
            weight,
            weight_square,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(prior: f64, utility: f64, weight: f64) -> Child {
        Child {
            id: 0,
            prior,
            utility,
            weight,
        }
    }

    #[test]
    fn students_distribution_is_right() {
        // From the usual tables.
        assert!((student3_below(0.0) - 0.5).abs() < 1e-12);
        assert!((student3_below(2.353) - 0.95).abs() < 1e-4);
        assert!((student3_below(-3.182) - 0.025).abs() < 1e-4);
    }

    #[test]
    fn weight_moves_to_better_children_and_keeps_its_sum() {
        let mut children = [child(0.5, 0.4, 50.0), child(0.5, -0.4, 50.0)];
        weigh_by_value(&mut children, 0.25);
        assert!(children[0].weight > 55.0);
        assert!((children[0].weight + children[1].weight - 100.0).abs() < 1e-9);
        let mut equal = [child(0.5, 0.1, 30.0), child(0.5, 0.1, 30.0)];
        weigh_by_value(&mut equal, 0.25);
        assert!((equal[0].weight - 30.0).abs() < 1e-9);
    }

    #[test]
    fn weight_beyond_the_policy_is_taken_off_where_it_was_noise() {
        // The second child has 40 visits and a fair share of 2 · 60 · 0.1/0.6 = 20; it
        // is worse by 0.15, so 20 · (1 − 1/e) visits are taken off.
        let mut children = [child(0.6, 0.2, 60.0), child(0.1, 0.05, 40.0)];
        prune_noise(&mut children, 0.15);
        let expected = 40.0 - 20.0 * (1.0 - (-1.0f64).exp());
        assert!((children[1].weight - expected).abs() < 1e-9);
        // A better child keeps what it has.
        let mut children = [child(0.6, 0.2, 60.0), child(0.1, 0.3, 40.0)];
        prune_noise(&mut children, 0.15);
        assert_eq!(children[1].weight, 40.0);
    }
}
