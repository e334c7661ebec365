//! What an evaluation, or the end of a game, does to a node.

use std::sync::Arc;

use shido_go::{Color, PointSet, Position, Scoring};

use super::report::{by_true_komi, for_black};
use super::tree::{Edge, Kind, NodeId, Own, ROOT};
use super::utility::Values;
use super::{EvalRequest, Leaf, Ownership, Puct, RootEvaluation, root};
use crate::{Evaluation, ForBlack, Points, Utility};

/// Edges that are put in order at first.
const IN_ORDER: usize = 16;

impl Puct {
    /// Takes an evaluation back.
    ///
    /// The evaluation of a position that is no longer searched does nothing.
    pub fn apply(&mut self, request: EvalRequest, evaluation: Evaluation) {
        if request.generation == self.generation {
            if request.node == ROOT {
                self.apply_to_root(&request, evaluation);
            } else {
                self.fill(&request, &evaluation, true);
                self.send(request.node, -1);
                self.average_up(request.node);
            }
        }
        self.pool.push(request.position);
    }

    fn apply_to_root(&mut self, request: &EvalRequest, evaluation: Evaluation) {
        let to_move = self.tree.node(ROOT).to_move;
        let is_new = self.tree.node(ROOT).kind == Kind::Pending;
        let root = self.root.as_mut().expect("a request needs a root");
        if is_new {
            let expected = Values::of(&evaluation, to_move).score_mean;
            root.scale.expect(expected);
        }
        if let Some(ownership) = &evaluation.ownership {
            let bonus = self.settings.root.ending_bonus;
            root.facts.judge_endings(&root.position, ownership, bonus);
        }
        root.evaluation = RootEvaluation::Done;
        self.fill(request, &evaluation, is_new);
        self.stir_root();
        self.average_up(ROOT);
        let offset = self.settings.komi_offset;
        let root = self.root.as_mut().expect("a request needs a root");
        root.raw = Some(Arc::new(by_true_komi(evaluation, offset, to_move)));
    }

    /// Puts temperature and noise on the root's policy.
    fn stir_root(&mut self) {
        let settings = self.settings.root;
        let position = &self.root.as_ref().expect("a request needs a root").position;
        let temperature = settings
            .temperature
            .after(position.moves().len(), position.size());
        let rng = &mut self.rng;
        self.tree.update(ROOT, |node| {
            root::temper(&mut node.edges, temperature);
            if settings.noise.enabled {
                root::add_noise(&mut node.edges, settings.noise, rng);
            }
            node.in_order = 0;
            node.sort_rest();
        });
        let root = self.root.as_mut().expect("a request needs a root");
        if settings.wide_noise > 0.0 {
            root.facts
                .widen(&self.tree.node(ROOT).edges, settings.wide_noise);
        }
    }

    /// Writes an evaluation into a node; `is_new` if it has had none.
    fn fill(&mut self, request: &EvalRequest, evaluation: &Evaluation, is_new: bool) {
        let id = request.node;
        let to_move = request.position.to_move();
        let values = Values::of(evaluation, to_move);
        let ownership = evaluation.ownership.as_deref();
        let own = Own {
            utility: self.utility_of(&values, ownership, to_move),
            weight: self.weight(&values, evaluation),
            visits: if is_new {
                1
            } else {
                self.tree.node(id).own.visits
            },
            values,
        };
        let (edges, in_order) = self.edges(id, &request.position, &evaluation.policy);
        let keep = id == ROOT || self.settings.report.ownership > Ownership::None;
        self.tree.update(id, |node| {
            node.kind = Kind::Open;
            node.own = own;
            node.edges = edges;
            node.in_order = in_order;
            if let Some(ownership) = ownership
                && keep
            {
                node.keep_ownership(for_black(ownership, to_move));
            }
        });
    }

    /// Lists the moves of a position by falling prior, those of open children first,
    /// and says how many at the front are in order.
    fn edges(&mut self, id: NodeId, position: &Position, policy: &[f32]) -> (Box<[Edge]>, u16) {
        let moves = &self.root.as_ref().expect("a request needs a root").moves;
        // Sorting integers that hold prior and place is quicker than sorting edges.
        self.keys.clear();
        for (i, &prior) in policy.iter().enumerate().take(moves.len()) {
            let prior = match &self.hooks.prior {
                Some(hook) if prior > 0.0 => prior * hook.weight(position, moves[i]).max(0.0),
                _ => prior,
            };
            if prior > 0.0 {
                let place = (moves.len() - 1 - i) as u64;
                self.keys.push(u64::from(prior.to_bits()) << 16 | place);
            }
        }
        let falling = |key: &u64| std::cmp::Reverse(*key);
        let needs_all = id == ROOT || !self.wishes.is_empty();
        let in_order = if self.keys.len() > IN_ORDER && !needs_all {
            self.keys.select_nth_unstable_by_key(IN_ORDER, falling);
            IN_ORDER
        } else {
            self.keys.len()
        };
        self.keys[..in_order].sort_unstable_by_key(falling);
        let edge = |&key: &u64| Edge {
            prior: f32::from_bits((key >> 16) as u32),
            mv: moves[moves.len() - 1 - (key & 0xffff) as usize],
        };
        let edges = self.keys.iter().map(edge);
        let node = self.tree.node(id);
        if node.children.is_empty() {
            return (edges.collect(), in_order as u16);
        }
        let mut rest: Vec<Edge> = edges.collect();
        let mut edges: Vec<Edge> = Vec::with_capacity(rest.len());
        for &child in &node.children {
            let mv = self.tree.node(child).mv;
            let at = rest.iter().position(|it| it.mv == mv);
            edges.push(at.map_or(Edge { prior: 0.0, mv }, |at| rest.remove(at)));
        }
        edges.extend(rest);
        let in_order = edges.len() as u16;
        (edges.into_boxed_slice(), in_order)
    }

    /// Returns what values are worth, `ownership` being the mover's.
    fn utility_of(&self, values: &Values, ownership: Option<&[f32]>, to_move: Color) -> f64 {
        if self.hooks.objective.is_none() {
            return self.utility(values, None, to_move);
        }
        let ownership: Option<Vec<f32>> = ownership.map(|it| for_black(it, to_move).collect());
        self.utility(values, ownership.as_deref(), to_move)
    }

    /// Returns what values are worth, `ownership` being Black's.
    fn utility(&self, values: &Values, ownership: Option<&[f32]>, to_move: Color) -> f64 {
        let root = self.root.as_ref().expect("a request needs a root");
        let standard = root.scale.utility(values);
        let Some(objective) = &self.hooks.objective else {
            return standard;
        };
        let leaf = Leaf {
            to_move,
            win_loss: values.win_loss as f32,
            no_result: values.no_result as f32,
            score_mean: ForBlack(Points(values.score_mean as f32)),
            score_deviation: Points(values.score_deviation() as f32),
            lead: ForBlack(Points(values.lead as f32)),
            ownership,
            standard: ForBlack(Utility(standard as f32)),
        };
        f64::from(objective.utility(&leaf).0.0)
    }

    /// Returns what an evaluation counts.
    fn weight(&self, values: &Values, evaluation: &Evaluation) -> f64 {
        let root = self.root.as_ref().expect("a request needs a root");
        let errors = evaluation
            .short_term_win_loss_error
            .zip(evaluation.short_term_score_error);
        match (&self.settings.weights.uncertainty, errors) {
            (Some(settings), Some((win_loss, Points(score)))) => {
                root.scale
                    .weight(settings, values, f64::from(win_loss), f64::from(score))
            }
            _ => 1.0,
        }
    }

    /// Finds whether a new node is the end of a game, and if so counts a visit of it.
    pub(super) fn end_game(&mut self, id: NodeId, position: &Position, depth: usize) -> bool {
        let conservative = self.settings.root.rules.conservative_pass && depth == 1;
        let rules = position.rules();
        let friendly = rules.friendly_pass && position.passes() == 2;
        if !position.is_over() || conservative {
            return false;
        }
        let (values, owners) = match rules.scoring {
            Scoring::Area if friendly => return false,
            Scoring::Area => {
                let (lead, owners) = count(position);
                (Values::ended(lead), owners)
            }
            Scoring::Territory => {
                let before = self.tree.node(self.tree.node(id).parent);
                (before.own.values, before.ownership().collect())
            }
        };
        let utility = self.utility(&values, Some(&owners), position.to_move());
        let keep = self.settings.report.ownership > Ownership::None;
        let weight = self.end_weight();
        self.tree.update(id, |node| {
            node.kind = Kind::Terminal;
            node.own = Own {
                values,
                utility,
                weight,
                visits: 0,
            };
            if keep {
                node.keep_ownership(owners.into_iter());
            }
        });
        self.visit_again(id);
        true
    }

    /// Returns what the end of a game counts: as much as the surest evaluation.
    fn end_weight(&self) -> f64 {
        let root = self.root.as_ref().and_then(|it| it.raw.as_ref());
        let says_errors = root.is_some_and(|it| it.short_term_win_loss_error.is_some());
        match &self.settings.weights.uncertainty {
            Some(settings) if says_errors => f64::from(settings.max_weight),
            _ => 1.0,
        }
    }

    /// Closes a node that was handed out and never evaluated.
    pub(super) fn withdraw(&mut self, id: NodeId) {
        let parent = self.tree.node(id).parent;
        let at = self
            .tree
            .node(parent)
            .children
            .iter()
            .position(|&it| it == id)
            .expect("a child knows its parent");
        self.tree.update(parent, |node| {
            node.children.remove(at);
            let open = node.children.len();
            node.edges[at..=open].rotate_left(1);
        });
    }
}

/// Counts a finished game under area scoring: Black's lead, and who owns each point.
/// Stones in unconditionally safe territory of the other color are dead.
fn count(position: &Position) -> (f32, Vec<f32>) {
    let board = position.board();
    let safe = board.pass_alive(position.rules().suicide);
    let dead: PointSet = board
        .size()
        .points()
        .filter(|&it| {
            board
                .stone(it)
                .is_some_and(|color| safe.of(it) == Some(!color))
        })
        .collect();
    let owners = board.without(&dead).area();
    let ownership = board
        .size()
        .points()
        .map(|it| match owners.of(it) {
            Some(Color::Black) => 1.0,
            Some(Color::White) => -1.0,
            None => 0.0,
        })
        .collect();
    (position.score(&dead).lead(Color::Black), ownership)
}
