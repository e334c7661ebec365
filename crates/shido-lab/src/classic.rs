//! From a spec's settings to a classic engine.

use shido_engine::Classic;
use shido_patterns::model::{Model, ModelError};
use shido_patterns::policy::Policy;
use shido_search::uct::{Knowledge, SettingsError, UctSettings};

use crate::spec::{ClassicSpec, Spec};

/// The engine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ClassicError {
    /// The gammas cannot be read.
    #[error("cannot read {path}: {source}")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The gammas are not gammas.
    #[error("{path}: {source}")]
    Model {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: ModelError,
    },
    /// The search cannot work so.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// Makes a classic engine.
pub(crate) fn build(spec: &Spec, classic: &ClassicSpec) -> Result<Classic, ClassicError> {
    let knowledge = knowledge(spec, &classic.gammas)?;
    let settings = UctSettings {
        threads: classic.threads,
        memory: classic.memory_mib << 20,
        ..UctSettings::default()
    };
    Ok(Classic::new(settings, knowledge)?)
}

fn knowledge(spec: &Spec, gammas: &str) -> Result<Knowledge, ClassicError> {
    match gammas {
        "shipped" => return Ok(Knowledge::shipped()),
        "even" => return Ok(Knowledge::of_policy(Policy::even())),
        _ => {}
    }
    let path = spec.path(gammas);
    let name = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|source| ClassicError::File {
        path: name.clone(),
        source,
    })?;
    let policy = Model::from_bytes(&bytes).and_then(|model| Policy::from_model(&model));
    let policy = policy.map_err(|source| ClassicError::Model { path: name, source })?;
    Ok(Knowledge::of_policy(policy))
}
