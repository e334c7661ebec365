//! The native analyst: the neural search on a network, on this processor.
//!
//! A [`Network`] is read and packed once and may serve several analysts. Each
//! analyst has a tree and, for each of its threads, an evaluator; evaluations are
//! kept in a cache that analysts may share.
//!
//! Invariant: with one thread, equal settings, seeds and questions give equal
//! answers, as long as time does not end a search.

mod away;
mod cache;
mod drive;
pub(crate) mod evaluator;
mod network;
mod players;
mod serve;
mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use shido_go::{Color, Move, Position, Size, Symmetry};
use shido_net::{InputSettings, Profile};
use shido_search::puct::{Hooks, Puct, PuctSettings, Restriction, SettingsError};
use shido_search::{Analysis, Evaluation, Steering, Weights};

use self::drive::{End, Terms, Watcher, drive};
use self::evaluator::{Ask, Evaluator};
use self::players::Players;
use crate::human::{PROFILE, read_profile};
use crate::parameters::{Followed, Parameter};
use crate::{Analyst, Limits, SearchOptions};

pub use cache::EvaluationCache;
pub use network::{Network, NetworkError};
pub use players::PlayoutAdvantage;

/// The longest side of a board that networks take.
pub const LONGEST_SIDE: usize = 19;

/// The most positions a thread evaluates at once unless told otherwise.
const MOST_AT_ONCE: usize = 4;

/// How the native analyst searches and computes.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeSettings {
    /// The search.
    pub puct: PuctSettings,
    /// Threads that evaluate; at least 1.
    pub threads: usize,
    /// Positions a thread evaluates at once; `None` chooses by the size of the board.
    pub batch: Option<usize>,
    /// How much of the optimistic policy is mixed in below the root, 0 to 1, for
    /// networks that have one.
    pub optimism: f32,
    /// The same at the root.
    pub root_optimism: f32,
    /// Whether the network is not told that a pass would end a game it would lose.
    pub passing_hacks: bool,
    /// Who is taken to search more than the opponent.
    pub advantage: PlayoutAdvantage,
    /// Whom to imitate, for networks that can.
    pub profile: Option<Profile>,
}

impl Default for NativeSettings {
    fn default() -> NativeSettings {
        NativeSettings {
            puct: PuctSettings::default(),
            threads: 1,
            batch: None,
            optimism: 1.0,
            root_optimism: 0.2,
            passing_hacks: true,
            advantage: PlayoutAdvantage::default(),
            profile: None,
        }
    }
}

impl NativeSettings {
    /// Returns how the root of a search that `mover` begins is shown to a network.
    pub(crate) fn root_inputs(&self, mover: Color) -> InputSettings {
        let rules = &self.puct.root.rules;
        InputSettings {
            conservative_pass: rules.conservative_pass,
            passing_hacks: self.passing_hacks,
            max_history: if rules.ignore_history { 0 } else { usize::MAX },
            playout_doubling_advantage: self.advantage.of_beginner(mover),
            ..InputSettings::default()
        }
    }
}

/// What an analyst has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Inputs that went through the network.
    pub evaluations: u64,
    /// Questions to the cache, which other analysts may share.
    pub asked: u64,
    /// Those it had an answer to.
    pub known: u64,
}

/// The neural search on a network.
pub struct Native {
    network: Arc<Network>,
    cache: Arc<EvaluationCache>,
    settings: NativeSettings,
    hooks: Hooks,
    tree: Puct,
    /// The factors on the policy that the tree was grown with, beside those of `hooks`.
    weights: Option<Weights>,
    /// Who plays in the tree.
    players: Players,
    evaluators: Vec<Evaluator>,
    /// Whether it has been said that a tree was full.
    said_full: bool,
}

impl Native {
    /// Returns an analyst with a cache of so many bytes, or what is wrong with the settings.
    pub fn new(
        network: Arc<Network>,
        settings: NativeSettings,
        cache_bytes: usize,
    ) -> Result<Native, SettingsError> {
        let cache = Arc::new(EvaluationCache::new(cache_bytes));
        Native::with(network, settings, cache, Hooks::default())
    }

    /// Returns an analyst that shares a cache, with hooks of a style or a partner.
    pub fn with(
        network: Arc<Network>,
        settings: NativeSettings,
        cache: Arc<EvaluationCache>,
        hooks: Hooks,
    ) -> Result<Native, SettingsError> {
        let tree = Puct::new(settings.puct.clone(), hooks.clone())?;
        let evaluator = |_| Evaluator::new(Arc::clone(&network), Arc::clone(&cache));
        let evaluators = (0..settings.threads.max(1)).map(evaluator).collect();
        Ok(Native {
            network,
            cache,
            settings,
            hooks,
            tree,
            weights: None,
            players: Players::default(),
            evaluators,
            said_full: false,
        })
    }

    /// Returns the network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the settings.
    pub fn settings(&self) -> &NativeSettings {
        &self.settings
    }

    /// Returns what it has done so far.
    pub fn statistics(&self) -> Statistics {
        let (asked, known) = self.cache.asked_and_known();
        Statistics {
            evaluations: self.evaluators.iter().map(|it| it.computed).sum(),
            asked,
            known,
        }
    }

    /// Returns the search's tree, for its figures.
    pub fn search(&self) -> &Puct {
        &self.tree
    }

    /// Returns how to search for a position under the options asked for.
    ///
    /// Options that cannot be followed are passed over here; whoever asked has been
    /// told by [`Analyst::check_options`].
    fn terms(&self, position: &Position, options: &SearchOptions) -> (Terms, Vec<Restriction>) {
        let followed = Followed::new(&self.settings, options).ok();
        let (settings, restrictions) = match followed {
            Some(it) => (it.settings, it.restrictions),
            None => (self.settings.clone(), Vec::new()),
        };
        let batch = settings.batch.unwrap_or(default_batch(position.size()));
        let terms = Terms {
            players: Players::new(&settings, &self.network, position.to_move()),
            settings,
            batch: batch.max(1),
        };
        (terms, restrictions)
    }

    /// Makes the tree ready for a position.
    fn prepare(
        &mut self,
        position: &Position,
        limits: &Limits,
        terms: &Terms,
        restrictions: Vec<Restriction>,
    ) {
        let steering = &limits.options.steering;
        let settings = &terms.settings.puct;
        let same = self.tree.settings() == settings
            && self.weights == steering.weights
            && self.players == terms.players;
        if !same && let Ok(tree) = Puct::new(settings.clone(), self.steered_hooks(steering)) {
            self.tree = tree;
            self.weights.clone_from(&steering.weights);
            self.players = terms.players;
        }
        if steering.anew {
            self.tree.forget();
        }
        self.tree.set_root(position);
        self.tree.restrict(restrictions);
        if !steering.budgets.is_empty() {
            self.tree.set_budgets(&steering.budgets);
            // What ends it if none of the candidates is legal.
            self.tree.set_visit_limit(Some(1));
            return;
        }
        let reused = self.tree.visits();
        let by_playouts = limits.playouts.map(|playouts| reused + playouts);
        let limit = match (limits.visits, by_playouts) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.tree.set_visit_limit(limit);
    }

    /// Returns the hooks with the factors of one search; those of a style are multiplied.
    fn steered_hooks(&self, steering: &Steering) -> Hooks {
        let mut hooks = self.hooks.clone();
        if let Some(Weights(asked)) = steering.weights.clone() {
            hooks.prior = Some(match hooks.prior.take() {
                None => asked,
                Some(own) => Arc::new(move |position: &Position, mv: Move| {
                    own.weight(position, mv) * asked.weight(position, mv)
                }),
            });
        }
        hooks
    }

    fn run(
        &mut self,
        position: &Position,
        limits: &Limits,
        watcher: Option<Watcher<'_>>,
    ) -> Analysis {
        let end = End {
            // A moment too far off to be told is never.
            at: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
        };
        let (terms, restrictions) = self.terms(position, &limits.options);
        self.prepare(position, limits, &terms, restrictions);
        let threads = terms.settings.threads.max(1);
        while self.evaluators.len() < threads {
            let (network, cache) = (Arc::clone(&self.network), Arc::clone(&self.cache));
            self.evaluators.push(Evaluator::new(network, cache));
        }
        let evaluators = &mut self.evaluators[..threads];
        drive(&mut self.tree, evaluators, &terms, &end, watcher);
        self.say_if_full();
        self.tree.analysis()
    }

    /// Says, the first time, that a search ended for want of memory.
    fn say_if_full(&mut self) {
        if self.tree.is_full() && !self.said_full {
            self.said_full = true;
            tracing::warn!(
                "a search ended after {} visits because its tree is full ({} MiB); more memory gives it more",
                self.tree.visits(),
                self.settings.puct.report.memory >> 20
            );
        }
    }
}

/// Returns how many positions a thread evaluates at once: enough points to keep the
/// kernels busy, few enough not to lead the search astray.
fn default_batch(size: Size) -> usize {
    (Size::S19.area() / size.area()).clamp(1, MOST_AT_ONCE)
}

impl Analyst for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn analyze(&mut self, position: &Position, limits: &Limits) -> Analysis {
        self.run(position, limits, None)
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: Duration,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.run(position, limits, Some(Watcher { every, report }))
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        let raw = self.raw(position, Symmetry::IDENTITY, self.settings.root_optimism);
        raw.map_or_else(Vec::new, |it| it.policy.into_vec())
    }

    fn raw(
        &mut self,
        position: &Position,
        symmetry: Symmetry,
        optimism: f32,
    ) -> Option<Evaluation> {
        let ask = Ask {
            position,
            symmetries: 1 << symmetry.bits(),
            inputs: self.settings.root_inputs(position.to_move()),
            optimism,
            profile: self.network.profile(self.settings.profile),
        };
        self.evaluators[0].evaluate(&[ask]).pop()
    }

    fn forget(&mut self) {
        self.tree.forget();
        self.cache.clear();
    }

    fn forget_search(&mut self) {
        self.tree.forget();
    }

    fn check_options(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        check_options(&self.network, &self.settings, options)
    }

    fn network(&self) -> Option<&Network> {
        Some(&self.network)
    }

    fn parameters(&self) -> Vec<&'static str> {
        let all = Parameter::all().iter().map(|it| it.name);
        let profile = self.network.imitates_people.then_some(PROFILE);
        all.chain(profile).collect()
    }

    fn parameter(&self, name: &str) -> Option<String> {
        if name == PROFILE && self.network.imitates_people {
            let profile = self.settings.profile;
            return Some(profile.map_or(String::new(), |it| it.to_string()));
        }
        Parameter::named(name).map(|it| it.get(&self.settings))
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == PROFILE && self.network.imitates_people {
            let profile = read_profile(value).map_err(|error| error.to_string())?;
            self.settings.profile = profile;
            return Ok(());
        }
        match Parameter::named(name) {
            Some(parameter) => parameter.set(&mut self.settings, value),
            None => Err(format!("there is no parameter `{name}`")),
        }
    }

    fn reseed(&mut self, seed: u64) {
        self.settings.puct.seed = seed;
        self.tree.reseed(seed);
    }
}

/// Names the options that a native analyst of this network and these settings does not
/// follow, or says what is wrong with one of them.
pub fn check_options(
    network: &Network,
    settings: &NativeSettings,
    options: &SearchOptions,
) -> Result<Vec<String>, String> {
    let followed = Followed::new(settings, options)?;
    let checked = followed.settings.puct.check();
    checked.map_err(|error| error.to_string())?;
    let mut unfollowed = followed.unfollowed;
    unfollowed.retain(|name| name != PROFILE || !network.imitates_people);
    Ok(unfollowed)
}
