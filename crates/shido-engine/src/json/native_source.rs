//! Native analysts for a server: one network and one cache for all workers.

use std::sync::Arc;

use shido_search::puct::Hooks;

use super::source::{AnalystSource, ModelInfo};
use crate::native::{EvaluationCache, Native, NativeSettings, Network, check_options};
use crate::{Analyst, SearchOptions};

/// Makes native analysts that share a network and what it has said.
pub struct NativeSource {
    network: Arc<Network>,
    settings: NativeSettings,
    cache: Arc<EvaluationCache>,
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
        }
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
        check_options(&self.settings, options)
    }

    fn models(&self) -> Vec<ModelInfo> {
        vec![ModelInfo {
            name: self.network.file.clone(),
            internal_name: self.network.name.clone(),
            version: self.network.version,
            max_batch_size: self.settings.batch.unwrap_or(1),
            uses_human_profile: self.network.imitates_people,
            uses_half_precision: self.network.cpu() == "amx",
        }]
    }

    fn clear_cache(&self) {
        self.cache.clear();
    }
}
