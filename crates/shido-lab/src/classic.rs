//! From a spec's settings to a classic engine.

use std::sync::Arc;

use shido_engine::Classic;
use shido_patterns::model::{Model, ModelError};
use shido_patterns::pd10::ShapeTable;
use shido_patterns::policy::Policy;
use shido_patterns::shape::Shape;
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
    let knowledge = Knowledge {
        policy: Arc::new(policy(spec, &classic.gammas)?),
        model: None,
    };
    let settings = UctSettings {
        threads: classic.threads,
        memory: classic.memory_mib << 20,
        ..UctSettings::default()
    };
    Ok(Classic::new(settings, knowledge)?)
}

fn policy(spec: &Spec, gammas: &str) -> Result<Policy, ClassicError> {
    if gammas == "even" {
        return Ok(Policy::even());
    }
    let path = spec.path(gammas);
    let name = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|source| ClassicError::File {
        path: name.clone(),
        source,
    })?;
    let model = Model::from_bytes(&bytes).map_err(|source| ClassicError::Model {
        path: name.clone(),
        source,
    })?;
    let shapes = model.tags.iter().map(|&tag| Shape(tag as u16)).collect();
    Ok(Policy::from_pd10(&ShapeTable::new(shapes), &model.gammas()))
}
