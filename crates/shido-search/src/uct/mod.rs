//! The classic search: UCT with RAVE over playouts (FT20, §2.2; PD10, §1.2).
//!
//! Threads share one tree without locks. The search reads no clock: it runs until
//! a number of playouts or a raised flag. Between moves of a game the subtree that
//! came about is kept. With one thread, equal seeds and calls give equal results.

mod priors;
mod report;
mod scoring;
mod settings;
mod tree;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_go::{Move, Played, Position, Size};
use shido_patterns::playout::Playout;
use shido_patterns::policy::Policy;

use crate::continuation::continuation;
use crate::puct::Budget;
use crate::{Analysis, Steering};
pub use priors::Knowledge;
use priors::Scratch;
use scoring::Counter;
pub use settings::{SettingsError, Tuning, UctSettings};
use tree::Tree;
use worker::{Shared, Worker};

/// Playouts after which a thread hands its ownership counts in.
const HAND_IN: u32 = 64;

/// A search that can be run again and again as a game goes on.
pub struct Uct {
    settings: UctSettings,
    knowledge: Knowledge,
    tree: Tree,
    root: Option<Root>,
    steering: Steering,
    /// Whether all candidates that were to be searched alone are illegal.
    idle: bool,
    /// Searches run so far; part of the seed.
    searches: u64,
}

/// What the tree stands for.
struct Root {
    position: Position,
    /// Samples the moves of playouts.
    policy: Arc<Policy>,
    playout: Playout,
    counter: Counter,
    ownership: Mutex<(Vec<i64>, u64)>,
    playouts: AtomicU64,
}

impl Root {
    fn new(position: &Position, knowledge: &Knowledge, komi_offset: f32) -> Root {
        let last = position.last_move().and_then(|it| it.mv.point());
        let board = position.board();
        let policy = knowledge.playouts(position.size());
        Root {
            playout: Playout::new(board, position.to_move(), last, &policy),
            policy,
            counter: Counter::new(position, komi_offset),
            ownership: Mutex::new((vec![0; position.size().area()], 0)),
            playouts: AtomicU64::new(0),
            position: position.clone(),
        }
    }
}

impl Uct {
    /// Returns a search with an empty tree.
    pub fn new(settings: UctSettings, knowledge: Knowledge) -> Result<Uct, SettingsError> {
        settings.check()?;
        let tree = Tree::new(settings.memory);
        Ok(Uct {
            settings,
            knowledge,
            tree,
            root: None,
            steering: Steering::default(),
            idle: false,
            searches: 0,
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &UctSettings {
        &self.settings
    }

    /// Returns the bytes a node takes.
    pub const fn node_bytes() -> usize {
        Tree::node_bytes()
    }

    /// Returns the number of nodes in the tree.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Forgets the tree, and starts the random numbers anew.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.root = None;
        self.searches = 0;
    }

    /// Makes the random numbers of later searches follow from another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.settings.seed = seed;
        self.searches = 0;
    }

    /// Makes a position the root, keeping what is known about it from before.
    pub fn set_root(&mut self, position: &Position) {
        self.set_root_steered(position, &Steering::default());
    }

    /// Makes a position the root of a search that is steered.
    ///
    /// The exploration coefficient is that of the term that follows the prior, as it is on
    /// every board. Factors on the prior hold at the root alone: below it only the playout's board is known.
    pub fn set_root_steered(&mut self, position: &Position, steering: &Steering) {
        if steering.anew {
            self.forget();
        }
        let may_keep = self.steering.shares_trees_with(steering);
        self.steering = steering.clone();
        let legal = |it: &Budget| position.is_legal(position.to_move(), it.mv);
        self.steering.budgets.retain(legal);
        self.idle = self.steering.budgets.len() < steering.budgets.len().min(1);
        let kept = self
            .root
            .take()
            .filter(|_| may_keep)
            .and_then(|old| continuation(&old.position, position));
        // A kept subtree has none of the root's factors.
        let kept = kept.filter(|moves| moves.is_empty() || steering.weights.is_none());
        let found = kept.and_then(|moves| self.follow(&moves));
        match found {
            Some(id) if id > 0 => self.tree.keep(id),
            Some(_) => {}
            None => self.tree.clear(),
        }
        let root = Root::new(position, &self.knowledge, steering.komi_offset);
        self.root = Some(root);
        self.list_root_moves(position);
    }

    /// Adds playouts until `playouts` have been added or `stop` is raised.
    ///
    /// Candidates with visits of their own end it when they have them, and not before.
    /// Other threads may call [`Uct::analysis`] meanwhile.
    pub fn run(&self, playouts: Option<u64>, stop: &AtomicBool) {
        let root = self.root.as_ref().expect("set_root comes first");
        if self.idle {
            return;
        }
        let settings = self.steered_settings();
        let shared = Shared {
            tuning: self.steered_tuning(root.position.size()),
            tree: &self.tree,
            knowledge: &self.knowledge,
            policy: &root.policy,
            settings: &settings,
            root: &root.playout,
            counter: root.counter,
            budgets: &self.candidate_budgets(),
        };
        let tickets = AtomicU64::new(0);
        let limit = match playouts {
            Some(playouts) if shared.budgets.is_empty() => playouts,
            _ => u64::MAX,
        };
        let work = |thread: usize| {
            let mut worker = Worker::new(&root.playout, self.rng(thread));
            while !stop.load(Ordering::Relaxed)
                && shared.wants_more()
                && tickets.fetch_add(1, Ordering::Relaxed) < limit
            {
                worker.simulate(&shared);
                let done = root.playouts.fetch_add(1, Ordering::Relaxed) + 1;
                if worker.playouts >= HAND_IN {
                    hand_in(root, &mut worker);
                    if settings.stop_when_decided && self.is_decided(limit.saturating_sub(done)) {
                        tickets.store(limit, Ordering::Relaxed);
                    }
                }
            }
            hand_in(root, &mut worker);
        };
        if self.settings.threads == 1 {
            work(0);
        } else {
            std::thread::scope(|scope| {
                for thread in 0..self.settings.threads {
                    scope.spawn(move || work(thread));
                }
            });
        }
    }

    /// Sets the root, runs, and reports.
    pub fn search(
        &mut self,
        position: &Position,
        playouts: Option<u64>,
        stop: &AtomicBool,
    ) -> Analysis {
        self.set_root(position);
        self.run(playouts, stop);
        self.searches += 1;
        self.analysis()
    }

    /// Counts a finished search, so that the next one draws other numbers.
    pub fn finish(&mut self) {
        self.searches += 1;
    }

    /// Reports what the tree knows.
    pub fn analysis(&self) -> Analysis {
        let root = self.root.as_ref().expect("set_root comes first");
        let owned = root
            .ownership
            .lock()
            .expect("no thread panics while counting");
        let ownership = owned
            .0
            .iter()
            .map(|&sum| sum as f32 / owned.1.max(1) as f32)
            .collect();
        report::report(
            &self.tree,
            root.position.to_move(),
            root.playouts.load(Ordering::Relaxed),
            ownership,
            self.steering.komi_offset,
        )
    }

    /// Returns the prior of each legal move at a position, the pass last.
    pub fn policy(&self, position: &Position) -> Vec<(Move, f32)> {
        let mut root = Root::new(position, &self.knowledge, 0.0);
        let mut moves = Vec::new();
        let before = move_before_last(position);
        let mut scratch = Scratch::default();
        self.knowledge.priors(
            &mut root.playout,
            &root.policy,
            before,
            &mut scratch,
            &mut moves,
        );
        moves.retain(|&(mv, _)| position.is_legal(position.to_move(), mv));
        let uncut = UctSettings {
            max_children: usize::MAX,
            ..self.settings.clone()
        };
        priors::shape(&mut moves, &uncut);
        moves
    }

    fn rng(&self, thread: usize) -> Xoshiro256PlusPlus {
        // Splitting by multiplication with odd constants keeps streams apart.
        let stream = self.searches.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (thread as u64).wrapping_mul(0xd1b5_4a32_d192_ed03);
        Xoshiro256PlusPlus::seed_from_u64(self.settings.seed ^ stream)
    }

    /// Walks down the tree along moves; `None` if it does not reach that far.
    fn follow(&self, moves: &[Played]) -> Option<tree::NodeId> {
        let mut id = 0;
        for played in moves {
            let (first, children) = self.tree.children(id)?;
            let at = children.iter().position(|child| child.mv() == played.mv)?;
            id = first + at as tree::NodeId;
        }
        Some(id)
    }

    /// Gives the root its moves by the full rules: superko is only known here.
    fn list_root_moves(&mut self, position: &Position) {
        let kept_legal = self.tree.children(0).is_some_and(|(_, children)| {
            children
                .iter()
                .all(|child| position.is_legal(position.to_move(), child.mv()))
        });
        if kept_legal && self.candidate_budgets().len() == self.steering.budgets.len() {
            return;
        }
        self.tree.clear();
        let root = self.root.as_mut().expect("just set");
        let mut moves = Vec::new();
        let mut scratch = Scratch::default();
        let before = move_before_last(position);
        self.knowledge.priors(
            &mut root.playout,
            &root.policy,
            before,
            &mut scratch,
            &mut moves,
        );
        moves.retain(|&(mv, _)| position.is_legal(position.to_move(), mv));
        let power = self.settings.tuning(position.size()).prior_power;
        priors::raise(&mut moves, power);
        if let Some(weights) = &self.steering.weights {
            for (mv, p) in &mut moves {
                *p *= weights.weight(position, *mv).max(0.0);
            }
        }
        priors::shape(&mut moves, &self.settings);
        self.add_candidates(&mut moves);
        let claimed = self.tree.claim(0);
        debug_assert!(claimed, "nobody else is searching");
        self.tree.expand(0, &moves);
    }

    /// Puts candidates that the move model left out before the pass.
    fn add_candidates(&self, moves: &mut Vec<(Move, f32)>) {
        for budget in &self.steering.budgets {
            let known = moves.iter().any(|&(mv, _)| mv == budget.mv);
            if !known {
                moves.insert(moves.len() - 1, (budget.mv, 0.0));
            }
        }
    }

    /// Returns the places among the root's children of the candidates that have visits
    /// of their own, and those visits.
    fn candidate_budgets(&self) -> Vec<(usize, u64)> {
        let Some((_, children)) = self.tree.children(0) else {
            return Vec::new();
        };
        let place = |it: &Budget| {
            let at = children.iter().position(|child| child.mv() == it.mv)?;
            Some((at, it.visits))
        };
        self.steering.budgets.iter().filter_map(place).collect()
    }

    /// Returns the settings as this search changes them.
    fn steered_settings(&self) -> UctSettings {
        let whole = self.steering.exact || !self.steering.budgets.is_empty();
        UctSettings {
            stop_when_decided: self.settings.stop_when_decided && !whole,
            ..self.settings.clone()
        }
    }

    /// Returns what holds on a board, as this search changes it.
    fn steered_tuning(&self, size: Size) -> Tuning {
        let own = self.settings.tuning(size);
        Tuning {
            prior_exploration: self.steering.exploration.unwrap_or(own.prior_exploration),
            ..own
        }
    }

    /// Returns whether the most visited move stays so whatever the playouts left do.
    fn is_decided(&self, left: u64) -> bool {
        let Some((_, children)) = self.tree.children(0) else {
            return false;
        };
        let mut top = [0; 2];
        for child in children {
            let visits = child.visits();
            if visits > top[0] {
                top = [visits, top[0]];
            } else if visits > top[1] {
                top[1] = visits;
            }
        }
        u64::from(top[0] - top[1]) > left
    }
}

fn hand_in(root: &Root, worker: &mut Worker) {
    let mut total = root
        .ownership
        .lock()
        .expect("no thread panics while counting");
    for (sum, own) in total.0.iter_mut().zip(&mut worker.ownership) {
        *sum += i64::from(std::mem::take(own));
    }
    total.1 += u64::from(std::mem::take(&mut worker.playouts));
}

fn move_before_last(position: &Position) -> Option<shido_go::Point> {
    let moves = position.moves();
    moves.len().checked_sub(2).and_then(|i| moves[i].mv.point())
}

#[cfg(test)]
mod tests {
    use shido_go::Rules;

    use super::*;

    #[test]
    fn a_search_explores_as_it_is_told() {
        let mut uct = Uct::new(UctSettings::default(), Knowledge::shipped()).expect("they work");
        let position = Position::new(Size::S9, Rules::CHINESE, 7.5);
        uct.set_root(&position);
        assert_eq!(uct.steered_tuning(Size::S9), Tuning::SMALL);
        let steering = Steering {
            exploration: Some(7.0),
            ..Steering::default()
        };
        uct.set_root_steered(&position, &steering);
        assert_eq!(uct.steered_tuning(Size::S9).prior_exploration, 7.0);
    }
}
