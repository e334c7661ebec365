//! From the tree to an [`Analysis`].

use shido_go::{Color, Move, Position, Symmetry};

use super::choice::{Judge, PlayValue};
use super::root::RootFacts;
use super::settings::{Ownership, ReportSettings};
use super::tree::{Node, NodeId, ROOT, Stats, Tree};
use crate::{Analysis, Candidate, Flip, ForBlack, ForMover, Points, Utility, WinRate};

/// Subtrees whose share of the average is smaller are taken as their first evaluation.
const LEAST_SHARE: f64 = 1e-4;
/// Moves reported by their prior where none has been visited.
const BY_PRIOR: usize = 10;

/// What a report is made from.
pub(super) struct Reporter<'a> {
    pub(super) tree: &'a Tree,
    pub(super) judge: Judge<'a>,
    pub(super) settings: &'a ReportSettings,
    pub(super) root: &'a RootFacts,
    pub(super) position: &'a Position,
    /// Points between the komi searched with and the true one, for Black.
    pub(super) komi_offset: f64,
    /// The result's share of the largest utility.
    pub(super) result_share: f64,
}

/// Averages of what each point's owner was in the evaluations of a subtree.
struct Owned {
    mean: Vec<f32>,
    deviation: Vec<f32>,
}

impl Reporter<'_> {
    /// Reports on the root; `analysis` brings what the tree does not know.
    pub(super) fn report(&self, analysis: Analysis) -> Analysis {
        let root = self.tree.node(ROOT);
        let mut candidates = self.candidates(root);
        self.add_mirrored(&mut candidates);
        let Values {
            win_rate,
            lead,
            score_mean,
            utility,
        } = self.values(&root.stats);
        let owned = self.owned(ROOT, self.settings.ownership >= Ownership::Root);
        let (ownership, ownership_deviation) = split(owned);
        Analysis {
            to_move: root.to_move,
            visits: u64::from(root.visits),
            weight: root.stats.weight as f32,
            win_rate,
            lead,
            score_deviation: Points(root.stats.values.score_deviation() as f32),
            score_mean,
            utility,
            ownership: ownership.unwrap_or_else(|| root.ownership().collect()),
            ownership_deviation,
            candidates,
            ..analysis
        }
    }

    fn candidates(&self, root: &Node) -> Vec<Candidate> {
        let mut values: Vec<PlayValue> = self.judge.values(self.tree, ROOT, true);
        values.retain(|it| self.tree.node(it.id).visits > 0);
        if values.is_empty() {
            return self.by_prior(root);
        }
        let prior = |id: NodeId| {
            let at = root.children.iter().position(|&it| it == id);
            at.map_or(0.0, |at| root.edges[at].prior)
        };
        values.sort_by(|a, b| {
            b.value
                .total_cmp(&a.value)
                .then(
                    self.tree
                        .node(b.id)
                        .visits
                        .cmp(&self.tree.node(a.id).visits),
                )
                .then(prior(b.id).total_cmp(&prior(a.id)))
        });
        values
            .iter()
            .map(|it| self.candidate(root, it, prior(it.id)))
            .collect()
    }

    /// Returns the likeliest moves, as good as the root itself as far as is known.
    fn by_prior(&self, root: &Node) -> Vec<Candidate> {
        let values = self.values(&root.stats);
        let mover = root.to_move;
        (root.edges.iter())
            .filter(|it| self.judge.selector.allows(mover, it.mv, 0))
            .take(BY_PRIOR)
            .map(|edge| Candidate {
                win_rate: values.win_rate.for_mover(mover),
                lead: values.lead.for_mover(mover),
                score_deviation: Points(root.stats.values.score_deviation() as f32),
                score_mean: values.score_mean.for_mover(mover),
                utility: values.utility.for_mover(mover),
                prior: edge.prior,
                ..Candidate::unknown(edge.mv)
            })
            .collect()
    }

    fn candidate(&self, root: &Node, value: &PlayValue, prior: f32) -> Candidate {
        let node = self.tree.node(value.id);
        let mover = root.to_move;
        let values = self.values(&node.stats);
        let win_rate = values.win_rate.for_mover(mover);
        let below = 0.5 * value.radius * self.result_share;
        let (line, line_visits) = self.line(value.id);
        let owned = self.owned(value.id, self.settings.ownership == Ownership::Candidates);
        let (ownership, ownership_deviation) = split(owned);
        Candidate {
            visits: u64::from(node.visits),
            win_rate,
            lower_bound: ForMover(WinRate((f64::from(win_rate.0.0) - below) as f32)),
            lead: values.lead.for_mover(mover),
            score_deviation: Points(node.stats.values.score_deviation() as f32),
            score_mean: values.score_mean.for_mover(mover),
            utility: values.utility.for_mover(mover),
            utility_lower_bound: ForMover(Utility(value.lower_bound as f32)),
            weight: node.stats.weight as f32,
            play_value: Some(value.value as f32),
            no_result: Some(node.stats.values.no_result as f32),
            prior,
            line,
            line_visits,
            ownership,
            ownership_deviation,
            ..Candidate::unknown(node.mv)
        }
    }

    /// Adds the moves that were not searched because another mirrors them, behind it.
    fn add_mirrored(&self, candidates: &mut Vec<Candidate>) {
        let size = self.position.size();
        let board = self.position.board();
        let mut all = Vec::with_capacity(candidates.len());
        for candidate in candidates.drain(..) {
            let mv = candidate.mv;
            let mut seen = vec![mv];
            let mut twins = Vec::new();
            for symmetry in Symmetry::of_size(size).skip(1) {
                let twin = symmetry.apply(mv, size);
                if self.root.mirrored(twin) == Some(mv)
                    && !seen.contains(&twin)
                    && symmetry.board(board) == *board
                {
                    seen.push(twin);
                    twins.push(turned(&candidate, symmetry, self.position));
                }
            }
            all.push(candidate);
            all.extend(twins);
        }
        *candidates = all;
    }

    fn values(&self, stats: &Stats) -> Values {
        let values = &stats.values;
        Values {
            win_rate: ForBlack(WinRate((0.5 + 0.5 * values.win_loss) as f32)),
            lead: ForBlack(Points((values.lead + self.komi_offset) as f32)),
            score_mean: ForBlack(Points((values.score_mean + self.komi_offset) as f32)),
            utility: ForBlack(Utility(stats.utility as f32)),
        }
    }

    /// Follows the moves that would be played, from a node on.
    fn line(&self, mut id: NodeId) -> (Vec<Move>, Vec<u64>) {
        let mut moves = Vec::new();
        let mut visits = Vec::new();
        loop {
            let node = self.tree.node(id);
            moves.push(node.mv);
            visits.push(u64::from(node.visits));
            if moves.len() >= self.settings.line {
                break;
            }
            let mut best: Option<PlayValue> = None;
            for it in self.judge.values(self.tree, id, false) {
                let visited = self.tree.node(it.id).visits > 0;
                if visited && best.is_none_or(|best| it.value > best.value) {
                    best = Some(it);
                }
            }
            match best {
                Some(it) => id = it.id,
                None => break,
            }
        }
        (moves, visits)
    }

    /// Averages the ownership over a subtree, if it is wanted and was kept.
    fn owned(&self, id: NodeId, wanted: bool) -> Option<Owned> {
        let area = self.position.size().area();
        if !wanted || self.tree.node(id).ownership.len() != area {
            return None;
        }
        let mut sums = vec![(0.0f64, 0.0f64); area];
        let mut total = 0.0;
        let mut stack = vec![(id, 1.0f64)];
        while let Some((id, share)) = stack.pop() {
            let node = self.tree.node(id);
            let own = node.own.weight * f64::from(node.own.visits);
            let below: f64 = node
                .children
                .iter()
                .map(|&it| self.tree.node(it).stats.weight)
                .sum();
            let mut here = share;
            if share > LEAST_SHARE && below > 0.0 {
                for &child in &node.children {
                    let weight = self.tree.node(child).stats.weight;
                    if weight > 0.0 {
                        stack.push((child, share * weight / (own + below)));
                    }
                }
                here = share * own / (own + below);
            }
            if node.ownership.len() == area {
                total += here;
                for (sum, it) in sums.iter_mut().zip(node.ownership()) {
                    let it = f64::from(it);
                    sum.0 += here * it;
                    sum.1 += here * it * it;
                }
            }
        }
        let mean: Vec<f32> = sums.iter().map(|it| (it.0 / total) as f32).collect();
        let deviation = sums
            .iter()
            .map(|it| (it.1 / total - (it.0 / total).powi(2)).max(0.0).sqrt() as f32)
            .collect();
        Some(Owned { mean, deviation })
    }
}

struct Values {
    win_rate: ForBlack<WinRate>,
    lead: ForBlack<Points>,
    score_mean: ForBlack<Points>,
    utility: ForBlack<Utility>,
}

fn split(owned: Option<Owned>) -> (Option<Vec<f32>>, Option<Vec<f32>>) {
    owned.map_or((None, None), |it| (Some(it.mean), Some(it.deviation)))
}

/// Returns what a candidate would be had its mirrored twin been searched.
fn turned(candidate: &Candidate, symmetry: Symmetry, position: &Position) -> Candidate {
    let size = position.size();
    let turn = |plane: &Vec<f32>| {
        let mut turned = vec![0.0; plane.len()];
        for point in size.points() {
            turned[size.index_of(symmetry.point(point, size))] = plane[size.index_of(point)];
        }
        turned
    };
    Candidate {
        mv: symmetry.apply(candidate.mv, size),
        line: candidate
            .line
            .iter()
            .map(|&mv| symmetry.apply(mv, size))
            .collect(),
        mirrors: Some(candidate.mv),
        ownership: candidate.ownership.as_ref().map(turn),
        ownership_deviation: candidate.ownership_deviation.as_ref().map(turn),
        ..candidate.clone()
    }
}

/// Returns Black's ownership from the mover's.
pub(super) fn for_black(ownership: &[f32], to_move: Color) -> impl Iterator<Item = f32> + '_ {
    ownership
        .iter()
        .map(move |&it| super::utility::side(Utility(it), to_move).0)
}

/// Corrects an evaluation's scores for the komi it was made with.
pub(super) fn by_true_komi(
    mut raw: crate::Evaluation,
    offset: f32,
    to_move: Color,
) -> crate::Evaluation {
    let shift = match to_move {
        Color::Black => Points(offset),
        Color::White => Points(offset).flip(),
    };
    raw.lead.0.0 += shift.0;
    raw.score_mean.0.0 += shift.0;
    raw
}
