//! From a spec's settings to a native engine.
//!
//! Workers that play with one file share one network: it is read and packed once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use shido_engine::native::NetworkError;
use shido_engine::{Native, NativeSettings, Network};
use shido_net::CpuChoice;
use shido_search::puct::SettingsError;

use crate::spec::{NativeSpec, Spec};

/// Bytes of evaluations each player keeps.
const CACHE: usize = 32 << 20;

/// The networks in use, by file.
static OPEN: Mutex<Vec<(PathBuf, Weak<Network>)>> = Mutex::new(Vec::new());

/// The engine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// The network cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The search cannot work so.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// Makes a native engine.
pub(crate) fn build(spec: &Spec, native: &NativeSpec) -> Result<Native, NativeError> {
    let network = network(&spec.path(&native.net))?;
    let mut settings = NativeSettings {
        threads: native.threads,
        ..NativeSettings::default()
    };
    settings.puct.report.memory = native.memory_mib << 20;
    Ok(Native::new(network, settings, CACHE)?)
}

fn network(path: &Path) -> Result<Arc<Network>, NetworkError> {
    // Whoever comes second waits for the first to have read it.
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, network)| network.strong_count() > 0);
    let known = open.iter().find(|(file, _)| file == path);
    if let Some(network) = known.and_then(|(_, network)| network.upgrade()) {
        return Ok(network);
    }
    let network = Arc::new(Network::open(path, CpuChoice::Auto)?);
    open.push((path.to_owned(), Arc::downgrade(&network)));
    Ok(network)
}
