//! Where a server's analysts come from.

use serde_json::{Value, json};
use shido_go::Position;
use shido_search::Evaluation;

use crate::{Analyst, SearchOptions};

/// Makes the analysts of one engine and speaks for all of them.
pub trait AnalystSource: Send + Sync {
    /// Makes an analyst for one worker, or says why there is none.
    fn make(&self) -> Result<Box<dyn Analyst>, String>;

    /// Names the options asked for that the analysts do not follow, or says what
    /// is wrong with one of them; as [`Analyst::check_options`].
    fn check(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        Ok(options.asked())
    }

    /// Returns what a human network says of a position when it imitates whom the
    /// options name, or why it cannot; `None` if they name nobody.
    fn human(
        &self,
        position: &Position,
        options: &SearchOptions,
    ) -> Result<Option<Evaluation>, String> {
        let _ = (position, options);
        Ok(None)
    }

    /// Describes the networks in use, for `query_models`.
    fn models(&self) -> Vec<ModelInfo> {
        Vec::new()
    }

    /// Empties whatever the analysts share between searches.
    fn clear_cache(&self) {}
}

/// A network, as `query_models` tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    /// The file.
    pub name: String,
    /// What the file says its name is.
    pub internal_name: String,
    /// The version of its format.
    pub version: u32,
    /// The most positions evaluated at once.
    pub max_batch_size: usize,
    /// Whether it imitates people of a rank.
    pub uses_human_profile: bool,
    /// Whether it computes with 16-bit numbers.
    pub uses_half_precision: bool,
}

impl ModelInfo {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "internalName": self.internal_name,
            "maxBatchSize": self.max_batch_size,
            "usesHumanSLProfile": self.uses_human_profile,
            "version": self.version,
            "usingFP16": if self.uses_half_precision { "true" } else { "false" },
        })
    }
}

/// A closure is a source of analysts of which nothing else is known.
impl<F> AnalystSource for F
where
    F: Fn() -> Result<Box<dyn Analyst>, String> + Send + Sync,
{
    fn make(&self) -> Result<Box<dyn Analyst>, String> {
        self()
    }
}
