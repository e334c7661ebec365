//! From a spec's settings to a classic engine.

use std::sync::Arc;

use shido_engine::Classic;
use shido_patterns::large::LargeModel;
use shido_patterns::model::{Model, ModelError};
use shido_patterns::policy::Policy;
use shido_search::uct::{Knowledge, SettingsError, UctSettings};

use crate::spec::{ClassicSpec, Spec};

/// The engine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ClassicError {
    /// The gammas cannot be read.
    #[error("cannot read {path}: {cause}")]
    File {
        /// The file.
        path: String,
        /// What the operating system says.
        cause: std::io::Error,
    },
    /// The gammas are not gammas.
    #[error("{path}: {cause}")]
    Model {
        /// The file.
        path: String,
        /// What is wrong with it.
        cause: ModelError,
    },
    /// The search cannot work so.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// Makes a classic engine.
pub(crate) fn build(spec: &Spec, classic: &ClassicSpec) -> Result<Classic, ClassicError> {
    let knowledge = Knowledge {
        policy: policy(spec, &classic.gammas)?,
        model: (classic.priors == "shipped").then(LargeModel::embedded),
    };
    let settings = UctSettings {
        threads: classic.threads,
        memory: classic.memory_mib << 20,
        // Playouts that cannot change the move are not played.
        stop_when_decided: true,
        ..UctSettings::default()
    };
    Ok(Classic::new(settings, knowledge)?)
}

/// Reads a policy; none is the program's own.
fn policy(spec: &Spec, gammas: &str) -> Result<Option<Arc<Policy>>, ClassicError> {
    match gammas {
        "shipped" => return Ok(None),
        "even" => return Ok(Some(Arc::new(Policy::even()))),
        _ => {}
    }
    let path = spec.path(gammas);
    let name = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|cause| ClassicError::File {
        path: name.clone(),
        cause,
    })?;
    let policy = Model::from_bytes(&bytes).and_then(|model| Policy::from_model(&model));
    policy
        .map(|policy| Some(Arc::new(policy)))
        .map_err(|cause| ClassicError::Model { path: name, cause })
}
