//! From the tree to an [`Analysis`].

use shido_go::{Color, Move};

use super::tree::{Node, NodeId, Tree};
use crate::{Analysis, Candidate, ForBlack, ForMover, Points, Utility, WinRate};

/// Moves shown of an expected continuation.
const LINE: usize = 16;
/// Standard errors between a mean and its lower bound.
const LOWER_BOUND_ERRORS: f32 = 2.0;

/// Reports on the root, `ownership` being Black's and `komi_offset` what White was given
/// beyond the komi.
pub(super) fn report(
    tree: &Tree,
    to_move: Color,
    playouts: u64,
    ownership: Vec<f32>,
    komi_offset: f32,
) -> Analysis {
    let given = ForBlack(Points(komi_offset)).as_seen_by(to_move).0;
    let mut candidates: Vec<Candidate> = Vec::new();
    if let Some((first, children)) = tree.children(0) {
        let visited = (first..)
            .zip(children)
            .filter(|(_, child)| child.visits() > 0);
        candidates.extend(visited.map(|(id, child)| candidate(tree, id, child, given)));
    }
    candidates.sort_by(|a, b| {
        (b.visits.cmp(&a.visits))
            .then(b.win_rate.0.0.total_cmp(&a.win_rate.0.0))
            .then(a.mv.cmp(&b.mv))
    });
    let visits: u64 = candidates.iter().map(|it| it.visits).sum();
    let mean = |value: &dyn Fn(&Candidate) -> f32| {
        let sum: f64 = candidates
            .iter()
            .map(|it| f64::from(value(it)) * it.visits as f64)
            .sum();
        (sum / visits.max(1) as f64) as f32
    };
    let win_rate = if visits == 0 {
        0.5
    } else {
        mean(&|it| it.win_rate.0.0)
    };
    let lead = mean(&|it| it.lead.0.0);
    let square = mean(&|it| it.score_deviation.0.powi(2) + it.lead.0.0.powi(2));
    Analysis {
        to_move,
        visits,
        playouts,
        weight: visits as f32,
        win_rate: ForMover(WinRate(win_rate)).for_black(to_move),
        lead: ForMover(Points(lead)).for_black(to_move),
        score_deviation: Points((square - lead * lead).max(0.0).sqrt()),
        score_mean: ForMover(Points(lead)).for_black(to_move),
        utility: ForMover(Utility(mean(&|it| it.utility.0.0))).for_black(to_move),
        ownership: if playouts == 0 { Vec::new() } else { ownership },
        candidates,
        ..Analysis::unknown(to_move)
    }
}

/// Returns what the search maximizes, from −1 to 1: wins, and a little of the score.
fn utility(value: f32) -> Utility {
    Utility(2.0 * value - 1.0)
}

/// Reports on a move, after which the mover has `given` points more than were searched.
fn candidate(tree: &Tree, id: NodeId, node: &Node, given: f32) -> Candidate {
    let win_rate = node.win_rate().unwrap_or(0.5);
    let value = node.mean().unwrap_or(0.5);
    let visits = node.visits();
    let (lead, deviation) = node.score();
    let lead = lead + given;
    // As if there had been a win and a loss more: a move that won its only visit is not sure.
    let count = visits as f32;
    let likely = (win_rate * count + 1.0) / (count + 2.0);
    let below = LOWER_BOUND_ERRORS * (likely * (1.0 - likely) / count.max(1.0)).sqrt();
    let [lower, lower_value] = [win_rate, value].map(|it| (it - below).max(0.0));
    Candidate {
        mv: node.mv(),
        visits: u64::from(visits),
        win_rate: ForMover(WinRate(win_rate)),
        lower_bound: ForMover(WinRate(lower)),
        lead: ForMover(Points(lead)),
        score_deviation: Points(deviation),
        score_mean: ForMover(Points(lead)),
        utility: ForMover(utility(value)),
        utility_lower_bound: ForMover(utility(lower_value)),
        weight: visits as f32,
        prior: node.prior(),
        line: line(tree, id),
        ..Candidate::unknown(node.mv())
    }
}

/// Follows the most visited moves.
fn line(tree: &Tree, mut id: NodeId) -> Vec<Move> {
    let mut moves = vec![tree.node(id).mv()];
    while moves.len() < LINE {
        let Some((first, children)) = tree.children(id) else {
            break;
        };
        let best = (first..)
            .zip(children)
            .max_by_key(|(id, child)| (child.visits(), std::cmp::Reverse(*id)));
        match best {
            Some((best, child)) if child.visits() > 0 => {
                moves.push(child.mv());
                id = best;
            }
            _ => break,
        }
    }
    moves
}
