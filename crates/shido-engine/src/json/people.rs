//! The human network beside an engine: whom `humanSLProfile` names, and what they would do.
//!
//! As KataGo does it: the network is asked once about each position, in the way the
//! search asks its own about the root (history, symmetries, optimism), and steers
//! nothing. A network that knows no ranks needs no profile and speaks of every position.
//!
//! The program's own network is read when a profile is first named, so that whoever
//! names none pays nothing; a file is read at once, so that a bad one is refused early.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Position, Symmetry};
use shido_net::{CpuChoice, Profile};
use shido_search::Evaluation;
use shido_search::puct::PuctSettings;

use super::source::ModelInfo;
use crate::human::{HumanNet, HumanQuestion, HumanSource, PROFILE, read_profile};
use crate::native::{NativeSettings, Network, NetworkError};
use crate::parameters::Followed;
use crate::{SearchOptions, nets};

/// A human network that all workers of a server ask.
pub struct People {
    cpu: CpuChoice,
    network: OnceLock<Result<Arc<Network>, String>>,
    /// Sources that no worker uses at the moment.
    idle: Mutex<Vec<HumanSource>>,
}

impl People {
    /// Makes the network ready to be asked; there is none to ask for [`HumanNet::MoveModel`].
    pub fn open(net: &HumanNet, cpu: CpuChoice) -> Result<Option<People>, NetworkError> {
        if *net == HumanNet::Embedded {
            return Ok(Some(People::embedded(cpu)));
        }
        let network = net.network(cpu)?;
        Ok(network.map(|it| People::of_network(Arc::new(it))))
    }

    /// Returns the program's own network, which is read when it is needed.
    pub fn embedded(cpu: CpuChoice) -> People {
        People {
            cpu,
            network: OnceLock::new(),
            idle: Mutex::default(),
        }
    }

    /// Returns a network that has been read.
    pub fn of_network(network: Arc<Network>) -> People {
        People {
            network: OnceLock::from(Ok(network)),
            ..People::embedded(CpuChoice::Auto)
        }
    }

    fn network(&self) -> Result<&Arc<Network>, String> {
        let read = || {
            let network = Network::embedded(&nets::HUMAN, self.cpu);
            network.map(Arc::new).map_err(|error| error.to_string())
        };
        let network = self.network.get_or_init(read).as_ref();
        network.map_err(Clone::clone)
    }

    /// Returns whether positions are spoken of though no profile is named.
    fn speaks_unasked(&self) -> bool {
        let read = self.network.get().and_then(|it| it.as_ref().ok());
        read.is_some_and(|it| !it.imitates_people)
    }

    /// Returns what the network says of a position; `None` if it is not asked.
    pub(super) fn evaluate(
        &self,
        position: &Position,
        settings: &NativeSettings,
        options: &SearchOptions,
    ) -> Result<Option<Evaluation>, String> {
        let profile = profile(options)?;
        if profile.is_none() && !self.speaks_unasked() {
            return Ok(None);
        }
        let network = self.network()?;
        let settings = Followed::new(settings, options)?.settings;
        let question = HumanQuestion {
            profile,
            symmetries: symmetries(&settings.puct, position),
            inputs: settings.root_inputs(position.to_move()),
            optimism: settings.root_optimism,
        };
        let idle = self.idle().pop();
        let mut source = idle.unwrap_or_else(|| HumanSource::of_network(Arc::clone(network)));
        let evaluation = source.evaluate(position, &question);
        self.idle().push(source);
        Ok(evaluation)
    }

    /// Describes the network, for `query_models`; this reads it.
    pub(super) fn model(&self) -> Option<ModelInfo> {
        match self.network() {
            Ok(network) => Some(ModelInfo {
                max_batch_size: 1,
                ..network.info()
            }),
            Err(why) => {
                tracing::error!("{why}");
                None
            }
        }
    }

    /// Forgets what the network has said.
    pub(super) fn clear_cache(&self) {
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<HumanSource>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whom the options name, if anyone, or what is wrong with the name.
pub(super) fn profile(options: &SearchOptions) -> Result<Option<Profile>, String> {
    let name = options.settings.get(PROFILE).map_or("", String::as_str);
    read_profile(name).map_err(|error| error.to_string())
}

/// Returns the symmetries to average, as bits, chosen as the search chooses its root's.
fn symmetries(settings: &PuctSettings, position: &Position) -> u8 {
    let count = Symmetry::of_size(position.size()).len() as u32;
    let wanted = u32::from(settings.root.symmetries).min(count);
    if !settings.report.random_symmetry {
        return ((1_u16 << wanted) - 1) as u8;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ position.hash());
    let mut bits = 0_u8;
    while bits.count_ones() < wanted {
        bits |= 1 << (random.next_u64() % u64::from(count));
    }
    bits
}

#[cfg(test)]
mod tests {
    use shido_go::{Rules, Size};

    use super::*;

    #[test]
    fn symmetries_are_as_many_as_asked_and_drawn_only_if_asked() {
        let chosen = |size, wanted, random| {
            let mut settings = PuctSettings::analysis();
            settings.root.symmetries = wanted;
            settings.report.random_symmetry = random;
            symmetries(&settings, &Position::new(size, Rules::CHINESE, 7.5))
        };
        let wide = Size::new(9, 7).unwrap();
        assert_eq!(chosen(Size::S9, 1, false), 1);
        assert_eq!(chosen(Size::S9, 8, false), 255);
        assert_eq!(chosen(wide, 8, false), 15);
        assert_eq!(chosen(Size::S9, 3, true).count_ones(), 3);
        assert_eq!(chosen(Size::S9, 3, true), chosen(Size::S9, 3, true));
        assert_eq!(chosen(wide, 8, true), 15);
    }

    #[test]
    fn the_programs_own_network_waits_until_it_is_asked() {
        let people = People::open(&HumanNet::Embedded, CpuChoice::Auto).unwrap();
        let people = people.expect("there is one");
        let position = Position::new(Size::S9, Rules::CHINESE, 7.5);
        let settings = NativeSettings::default();
        let mut options = SearchOptions::default();
        let mut ask = |name: &str| {
            options.settings.insert(PROFILE.to_owned(), name.to_owned());
            people.evaluate(&position, &settings, &options).unwrap()
        };
        assert_eq!(ask("_"), None);
        assert!(people.network.get().is_none());
        let [weak, strong] = ["rank_20k", "rank_9d"].map(|name| ask(name).unwrap());
        assert_ne!(weak.policy, strong.policy);
        assert!(people.network.get().is_some());
        let none = People::open(&HumanNet::MoveModel, CpuChoice::Auto).unwrap();
        assert!(none.is_none());
    }
}
