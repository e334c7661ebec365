//! The neural search: PUCT by gather and apply.
//!
//! The search never calls an evaluator. [`Puct::gather`] walks down the tree and
//! hands positions out; [`Puct::apply`] takes the evaluations back, in any order.
//! While a request is out, virtual losses keep later walks away from it, so several
//! evaluators can be kept busy from one tree. A walk and its way back take a few
//! microseconds against the hundreds of an evaluation: one lock around the tree
//! serves many threads, and nothing in here needs atomics.
//!
//! It searches as KataGo does by default ([`PuctSettings`]), on a tree instead of a
//! graph: two orders of the same moves are two nodes, so superko and ko, which
//! depend on the order, are always judged by the moves that were really played.
//!
//! Two passes end a game. Under area scoring it is counted; where the rules let
//! dead stones stand (*friendly pass*) the evaluator judges the position once more.
//! Under territory scoring what is dead is not ours to decide: the end is worth what
//! the evaluator said before the last pass.
//!
//! Invariant: with one request at a time, equal settings, seeds and calls give equal
//! results.

mod backup;
mod bias;
mod choice;
mod expand;
mod hooks;
mod random;
mod report;
mod request;
mod restrict;
mod root;
mod select;
mod settings;
mod tree;
mod utility;
mod walk;

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Move, Played, Position};

use crate::continuation::continuation;
use crate::{Analysis, Evaluation};
use backup::Backup;
use choice::Judge;
pub use hooks::{Hooks, Leaf, Objective, PriorWeights};
use report::Reporter;
pub use request::EvalRequest;
use restrict::Restrictions;
pub use restrict::{Restriction, Wish};
use root::RootFacts;
use select::Selector;
pub use settings::{
    BiasSettings, ChoiceSettings, ExplorationSettings, Ownership, PuctSettings, ReportSettings,
    RootNoise, RootRules, RootSettings, SettingsError, Temperature, UncertaintySettings,
    UtilitySettings, WeightSettings,
};
use tree::{Kind, NodeId, ROOT, Tree};
use utility::Scale;

/// A search that can be run again and again as a game goes on.
pub struct Puct {
    settings: PuctSettings,
    hooks: Hooks,
    tree: Tree,
    root: Option<Root>,
    wishes: Vec<Restriction>,
    restrictions: Restrictions,
    budgets: Vec<Budget>,
    visit_limit: Option<u64>,
    rng: Xoshiro256PlusPlus,
    /// Roots set so far; part of the seed.
    searches: u64,
    /// Changes when requests in flight lose their meaning.
    generation: u64,
    backup: Backup,
    /// Positions to hand out again.
    pool: Vec<Box<Position>>,
    keys: Vec<u64>,
}

/// A root candidate and the visits it should come to have, those of a reused tree
/// included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The candidate.
    pub mv: Move,
    /// The visits it should have in the end.
    pub visits: u64,
}

/// What the tree stands for.
struct Root {
    /// As it was given.
    position: Position,
    /// With the komi the evaluator is to see.
    searched: Position,
    /// Every move, row by row, then the pass.
    moves: Vec<Move>,
    facts: RootFacts,
    scale: Scale,
    raw: Option<Arc<Evaluation>>,
    evaluation: RootEvaluation,
    /// Visits the tree had when the root was set.
    visits_before: u32,
}

/// How far the root's own evaluation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RootEvaluation {
    Wanted,
    InFlight,
    Done,
}

impl Puct {
    /// Returns a search with an empty tree.
    pub fn new(settings: PuctSettings, hooks: Hooks) -> Result<Puct, SettingsError> {
        settings.check()?;
        Ok(Puct {
            tree: Tree::new(settings.report.memory),
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            settings,
            hooks,
            root: None,
            wishes: Vec::new(),
            restrictions: Restrictions::default(),
            budgets: Vec::new(),
            visit_limit: None,
            searches: 0,
            generation: 0,
            backup: Backup::default(),
            pool: Vec::new(),
            keys: Vec::new(),
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &PuctSettings {
        &self.settings
    }

    /// Forgets the tree, and starts the random numbers anew.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.root = None;
        self.searches = 0;
        self.generation += 1;
    }

    /// Makes the random numbers of later searches follow from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.searches = 0;
    }

    /// Makes a position the root, keeping what is known about it from before.
    ///
    /// Requests in flight lose their meaning; applying them does nothing. Limit,
    /// budgets and restrictions are lifted.
    pub fn set_root(&mut self, position: &Position) {
        self.generation += 1;
        let stream = self.searches.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.rng = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed ^ stream);
        self.searches += 1;
        self.budgets.clear();
        self.visit_limit = None;
        self.backup.bias.clear();
        let kept = self.kept_node(position);
        self.wishes.clear();
        self.restrictions = Restrictions::default();
        match kept {
            Some(id) => self.tree.keep(id),
            None => self.tree.clear(),
        }
        let mut searched = position.clone();
        searched.set_komi(position.komi() + self.settings.komi_offset);
        let points = position.size().points().map(Move::Play);
        let mut root = Root {
            moves: points.chain([Move::Pass]).collect(),
            facts: RootFacts::new(position, &self.settings.root),
            scale: Scale::new(self.settings.utility, position.size().area()),
            raw: None,
            evaluation: RootEvaluation::Wanted,
            visits_before: 0,
            position: position.clone(),
            searched,
        };
        if kept.is_some() {
            let node = self.tree.node(ROOT);
            root.visits_before = node.visits;
            root.scale.expect(node.stats.values.score_mean);
            self.rescale(&root.scale);
        }
        self.root = Some(root);
    }

    /// Returns the node of the tree that a position is, if what is below it still holds.
    fn kept_node(&self, position: &Position) -> Option<NodeId> {
        let old = self.root.as_ref()?;
        let moves = continuation(&old.position, position)?;
        let id = self.follow(&moves)?;
        let node = self.tree.node(id);
        // What a pass does at the root it does nowhere else.
        let passing = self.settings.root.rules.conservative_pass
            && (position.passes() > 0 || old.position.passes() > 0);
        // Restrictions hold to a depth that is another now.
        let restricted = !self.wishes.is_empty();
        (node.kind == Kind::Open && !passing && !restricted).then_some(id)
    }

    /// Walks down the tree along moves; `None` if it does not reach that far.
    fn follow(&self, moves: &[Played]) -> Option<NodeId> {
        if self.tree.len() == 0 {
            return None;
        }
        let mut id = ROOT;
        for played in moves {
            let node = self.tree.node(id);
            id = *node
                .children
                .iter()
                .find(|&&it| self.tree.node(it).mv == played.mv)?;
        }
        Some(id)
    }

    /// Judges every evaluation of the tree anew, the expected score having changed.
    ///
    /// What an objective made of an evaluation stays.
    fn rescale(&mut self, scale: &Scale) {
        for id in (0..self.tree.len() as NodeId).rev() {
            if self.hooks.objective.is_none() {
                let node = self.tree.node_mut(id);
                node.own.utility = scale.utility(&node.own.values);
            }
            self.backup
                .refresh(&mut self.tree, id, &self.settings.weights, false);
        }
    }

    /// Restricts the moves looked at. Anything the tree knew is forgotten if there was
    /// or is a restriction.
    pub fn restrict(&mut self, wishes: Vec<Restriction>) {
        if self.wishes.is_empty() && wishes.is_empty() {
            return;
        }
        self.restrictions = Restrictions::new(&wishes);
        self.wishes = wishes;
        self.tree.clear();
        self.backup.bias.clear();
        self.generation += 1;
        if let Some(root) = &mut self.root {
            root.evaluation = RootEvaluation::Wanted;
            root.visits_before = 0;
            // One of two mirrored moves may be restricted and the other not.
            root.facts.search_all();
        }
    }

    /// Ends the search at so many visits of the root, those of a reused tree included.
    pub fn set_visit_limit(&mut self, visits: Option<u64>) {
        self.visit_limit = visits;
    }

    /// Gives root candidates visits of their own, for halving (HI24, Alg. 2): only they
    /// are searched, each until it has its visits, all about equally far at any time.
    /// The root's averages are then by visits alone. An empty list ends this.
    ///
    /// Illegal moves are left out; mirrored moves are each searched by themselves. The
    /// visit limit does not matter meanwhile.
    ///
    /// # Panics
    ///
    /// If no root has been set.
    pub fn set_budgets(&mut self, budgets: &[Budget]) {
        let root = self.root.as_mut().expect("set_root comes first");
        let color = root.position.to_move();
        if !budgets.is_empty() {
            root.facts.search_all();
        }
        self.budgets = budgets
            .iter()
            .filter(|it| root.position.is_legal(color, it.mv))
            .copied()
            .collect();
    }

    /// Returns the visits of the root, those of a reused tree included.
    pub fn visits(&self) -> u64 {
        if self.tree.len() == 0 {
            0
        } else {
            u64::from(self.tree.node(ROOT).visits)
        }
    }

    /// Returns the visits added since the root was set.
    pub fn playouts(&self) -> u64 {
        let before = self.root.as_ref().map_or(0, |it| it.visits_before);
        self.visits().saturating_sub(u64::from(before))
    }

    /// Returns the requests that have not come back.
    pub fn in_flight(&self) -> usize {
        let asked = self
            .root
            .as_ref()
            .is_some_and(|it| it.evaluation == RootEvaluation::InFlight);
        let below = if self.tree.len() == 0 {
            0
        } else {
            self.tree.node(ROOT).in_flight as usize
        };
        below + usize::from(asked)
    }

    /// Returns whether the tree has reached its memory limit.
    pub fn is_full(&self) -> bool {
        self.root.as_ref().is_some_and(|it| {
            let pending = self.in_flight();
            self.tree.is_full(it.position.size().area(), pending + 1)
        })
    }

    /// Returns the bytes the tree takes, about.
    pub fn memory(&self) -> usize {
        self.tree.bytes()
    }

    /// Returns the number of positions in the tree.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Returns whether the visits asked for have been made, or the tree is full.
    pub fn is_finished(&self) -> bool {
        self.in_flight() == 0 && (!self.wants_more() || self.is_full())
    }

    /// Returns whether a visit more may set out.
    fn wants_more(&self) -> bool {
        let evaluated = self
            .root
            .as_ref()
            .is_some_and(|it| it.evaluation == RootEvaluation::Done);
        if !evaluated {
            return self.root.is_some();
        }
        if !self.budgets.is_empty() {
            return self.budgets.iter().any(|it| self.progress(it).is_some());
        }
        let root = self.tree.node(ROOT);
        let visits = u64::from(root.visits) + u64::from(root.in_flight);
        self.visit_limit.is_none_or(|limit| visits < limit)
    }

    /// Returns how far a candidate is, 0 to 1; `None` if it has all its visits.
    fn progress(&self, budget: &Budget) -> Option<f64> {
        let root = self.tree.node(ROOT);
        let child = root
            .children
            .iter()
            .map(|&id| self.tree.node(id))
            .find(|it| it.mv == budget.mv);
        let visits = child.map_or(0, |it| u64::from(it.visits) + u64::from(it.in_flight));
        (visits < budget.visits).then(|| visits as f64 / budget.visits as f64)
    }

    fn selector(&self) -> Selector<'_> {
        let root = self.root.as_ref().expect("set_root comes first");
        Selector {
            settings: &self.settings.exploration,
            scale: &root.scale,
            radius: self.radius(),
            restrictions: &self.restrictions,
            root: &root.facts,
            wide_noise: f64::from(self.settings.root.wide_noise),
        }
    }

    /// Returns the largest utility.
    fn radius(&self) -> f64 {
        let root = self.root.as_ref().expect("set_root comes first");
        self.hooks
            .objective
            .as_ref()
            .map_or_else(|| root.scale.radius(), |it| f64::from(it.radius()))
    }

    /// Counts a visit more of a node that has nothing below it, and averages anew.
    fn visit_again(&mut self, id: NodeId) {
        self.tree.node_mut(id).own.visits += 1;
        self.average_up(id);
    }

    /// Makes the averages of a node and those above it anew.
    fn average_up(&mut self, id: NodeId) {
        let mut id = id;
        loop {
            let plain = id == ROOT && !self.budgets.is_empty();
            self.backup
                .refresh(&mut self.tree, id, &self.settings.weights, plain);
            if id == ROOT {
                break;
            }
            id = self.tree.node(id).parent;
        }
    }

    /// Reports what the tree knows.
    ///
    /// # Panics
    ///
    /// If no root has been set.
    pub fn analysis(&self) -> Analysis {
        let root = self.root.as_ref().expect("set_root comes first");
        let mut analysis = Analysis::unknown(root.position.to_move());
        if self.visits() == 0 {
            return analysis;
        }
        analysis.playouts = self.playouts();
        analysis.raw.clone_from(&root.raw);
        let reporter = Reporter {
            tree: &self.tree,
            judge: self.judge(),
            settings: &self.settings.report,
            root: &root.facts,
            position: &root.position,
            komi_offset: f64::from(self.settings.komi_offset),
            result_share: root.scale.result_share(),
        };
        reporter.report(analysis)
    }

    fn judge(&self) -> Judge<'_> {
        Judge {
            selector: self.selector(),
            settings: &self.settings.choice,
            reduce: self.budgets.is_empty(),
        }
    }

    /// Draws a move to play: at temperature 0 the best, at 1 by how good each is to
    /// play, above 1 more evenly. `None` before any move has been searched.
    pub fn draw(&self, temperature: f32, rng: &mut impl RngCore) -> Option<Move> {
        if self.visits() == 0 {
            return None;
        }
        let values = self.judge().values(&self.tree, ROOT, true);
        let most = values.iter().map(|it| it.value).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let weights: Vec<f64> = values
            .iter()
            .map(|it| {
                let share = it.value / most;
                if temperature <= 1e-4 {
                    f64::from(u8::from(share >= 1.0))
                } else {
                    share.powf(1.0 / f64::from(temperature))
                }
            })
            .collect();
        random::index(rng, &weights).map(|i| self.tree.node(values[i].id).mv)
    }
}
