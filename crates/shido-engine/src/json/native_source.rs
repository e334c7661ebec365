//! Native analysts for a server: one network and one cache for all workers, and a human
//! network beside them for those who ask what people would play.

use std::sync::Arc;

use shido_go::Position;
use shido_search::Evaluation;
use shido_search::puct::Hooks;

use super::people::People;
use super::source::{AnalystSource, ModelInfo};
use crate::human::PROFILE;
use crate::native::{EvaluationCache, Native, NativeSettings, Network, check_options};
use crate::{Analyst, SearchOptions};

/// Makes native analysts that share a network and what it has said.
pub struct NativeSource {
    network: Arc<Network>,
    settings: NativeSettings,
    cache: Arc<EvaluationCache>,
    people: Option<People>,
}

impl NativeSource {
    /// Returns a source with a cache of so many bytes.
    pub fn new(
        network: Arc<Network>,
        settings: NativeSettings,
        cache_bytes: usize,
    ) -> NativeSource {
        NativeSource {
            network,
            settings,
            cache: Arc::new(EvaluationCache::new(cache_bytes)),
            people: None,
        }
    }

    /// Returns the source with a human network beside it, or without.
    #[must_use]
    pub fn with_people(self, people: Option<People>) -> NativeSource {
        NativeSource { people, ..self }
    }
}

impl AnalystSource for NativeSource {
    fn make(&self) -> Result<Box<dyn Analyst>, String> {
        let (network, cache) = (Arc::clone(&self.network), Arc::clone(&self.cache));
        let native = Native::with(network, self.settings.clone(), cache, Hooks::default());
        let boxed = |it| Box::new(it) as Box<dyn Analyst>;
        native.map(boxed).map_err(|error| error.to_string())
    }

    fn check(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        let mut unfollowed = check_options(&self.network, &self.settings, options)?;
        if self.people.is_some() {
            unfollowed.retain(|name| name != PROFILE);
        }
        Ok(unfollowed)
    }

    fn human(
        &self,
        position: &Position,
        options: &SearchOptions,
    ) -> Result<Option<Evaluation>, String> {
        match &self.people {
            Some(people) => people.evaluate(position, &self.settings, options),
            None => Ok(None),
        }
    }

    fn models(&self) -> Vec<ModelInfo> {
        let own = ModelInfo {
            max_batch_size: self.settings.batch.unwrap_or(1),
            ..self.network.info()
        };
        let people = self.people.as_ref().and_then(People::model);
        [own].into_iter().chain(people).collect()
    }

    fn clear_cache(&self) {
        self.cache.clear();
        if let Some(people) = &self.people {
            people.clear_cache();
        }
    }
}
