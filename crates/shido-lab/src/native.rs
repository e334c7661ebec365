//! From a spec's settings to a native engine.
//!
//! Workers that play with one file share one network: it is read and packed once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use shido_engine::native::NetworkError;
use shido_engine::nets::{self, Embedded};
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

/// What stands for the network that is part of the program.
pub(crate) const EMBEDDED: &str = "embedded";

/// Makes a native engine.
pub(crate) fn build(spec: &Spec, native: &NativeSpec) -> Result<Native, NativeError> {
    search(spec, &native.net, native.threads, native.memory_mib)
}

/// Makes a search on a network by its name in the spec.
pub(crate) fn search(
    spec: &Spec,
    net: &str,
    threads: usize,
    memory_mib: usize,
) -> Result<Native, NativeError> {
    let mut settings = NativeSettings {
        threads,
        ..NativeSettings::default()
    };
    settings.puct.report.memory = memory_mib << 20;
    Ok(Native::new(
        named(spec, net, &nets::EVAL)?,
        settings,
        CACHE,
    )?)
}

/// Returns a network by its name in the spec, `own` if it is the program's.
pub(crate) fn named(
    spec: &Spec,
    net: &str,
    own: &'static Embedded,
) -> Result<Arc<Network>, NativeError> {
    if net != EMBEDDED {
        return Ok(network(&spec.path(net))?);
    }
    Ok(kept(Path::new(own.name), || {
        Network::embedded(own, CpuChoice::Auto)
    })?)
}

fn network(path: &Path) -> Result<Arc<Network>, NetworkError> {
    kept(path, || Network::open(path, CpuChoice::Auto))
}

/// Returns a network that is in use already, or reads it.
fn kept(
    path: &Path,
    read: impl FnOnce() -> Result<Network, NetworkError>,
) -> Result<Arc<Network>, NetworkError> {
    // Whoever comes second waits for the first to have read it.
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, network)| network.strong_count() > 0);
    let known = open.iter().find(|(file, _)| file == path);
    if let Some(network) = known.and_then(|(_, network)| network.upgrade()) {
        return Ok(network);
    }
    let network = Arc::new(read()?);
    open.push((path.to_owned(), Arc::downgrade(&network)));
    Ok(network)
}
