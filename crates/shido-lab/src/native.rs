//! From a spec's settings to a native engine.
//!
//! Workers that play with one file share one network: it is read and packed once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde_json::{Value, json};
use shido_engine::native::NetworkError;
use shido_engine::nets::{self, Embedded};
use shido_engine::{Native, NativeSettings, Network};
use shido_net::CpuChoice;
use shido_search::puct::SettingsError;

use crate::spec::{EvaluatorSpec, NativeSpec, PlayerSpec, Spec};

/// Bytes of evaluations each player keeps.
const CACHE: usize = 32 << 20;

/// The networks in use, by file and by what computes them.
static OPEN: Mutex<Vec<(Source, Weak<Network>)>> = Mutex::new(Vec::new());

type Source = (PathBuf, Option<String>);

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

/// Opens the networks that an evaluator computes, to be kept for as long as they are used.
///
/// So the process is started once, and one that does not start is known before the first game.
pub fn open_evaluated(spec: &Spec) -> Result<Vec<Arc<Network>>, NetworkError> {
    let Some(evaluator) = &spec.evaluator else {
        return Ok(Vec::new());
    };
    let nets: BTreeSet<&str> = spec.players.values().filter_map(net_of).collect();
    let open = |net| open(spec, net, &nets::EVAL, Some(evaluator));
    nets.into_iter().map(open).collect()
}

/// Returns the network that a player searches with.
fn net_of(player: &PlayerSpec) -> Option<&str> {
    match player {
        PlayerSpec::Native(it) => Some(&it.net),
        PlayerSpec::Partner(it) => it.net.as_deref(),
        _ => None,
    }
}

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
    let evaluator = spec.evaluator.as_ref();
    settings.batch = evaluator.and_then(|it| it.batch);
    let network = open(spec, net, &nets::EVAL, evaluator)?;
    Ok(Native::new(network, settings, CACHE)?)
}

/// Returns a network by its name in the spec, `own` if it is the program's, to be
/// computed on this processor: for a question now and then, not for a search.
pub(crate) fn named(
    spec: &Spec,
    net: &str,
    own: &'static Embedded,
) -> Result<Arc<Network>, NativeError> {
    Ok(open(spec, net, own, None)?)
}

/// Says what computes the network that a player in use searches with: a command, or a kind of
/// processor. Its games depend on it, and it stands in no spec.
pub(crate) fn computed_by(spec: &Spec, player: &PlayerSpec) -> Value {
    let Some(net) = net_of(player) else {
        return Value::Null;
    };
    if let Some(evaluator) = &spec.evaluator {
        return json!(evaluator);
    }
    let name = match net {
        EMBEDDED => PathBuf::from(nets::EVAL.name),
        file => spec.path(file),
    };
    let open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut in_use = open
        .iter()
        .filter(|(source, _)| *source == (name.clone(), None));
    let network = in_use.find_map(|(_, network)| network.upgrade());
    network.map_or(Value::Null, |it| json!({"cpu": it.cpu()}))
}

fn open(
    spec: &Spec,
    net: &str,
    own: &'static Embedded,
    evaluator: Option<&EvaluatorSpec>,
) -> Result<Arc<Network>, NetworkError> {
    let (name, embedded) = match net {
        EMBEDDED => (PathBuf::from(own.name), Some(own)),
        file => (spec.path(file), None),
    };
    let command = evaluator.map(|it| it.command.as_str());
    kept(&name, command, || {
        let mut network = match embedded {
            Some(own) => Network::embedded(own, CpuChoice::Auto)?,
            None => Network::open(&name, CpuChoice::Auto)?,
        };
        if let Some(command) = command {
            match embedded {
                Some(own) => network.compute_by(command, &own.as_file()?)?,
                None => network.compute_by(command, &name)?,
            }
        }
        Ok(network)
    })
}

/// Returns a network that is in use already, or reads it.
fn kept(
    path: &Path,
    evaluator: Option<&str>,
    read: impl FnOnce() -> Result<Network, NetworkError>,
) -> Result<Arc<Network>, NetworkError> {
    // Whoever comes second waits for the first to have read it.
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(_, network)| network.strong_count() > 0);
    let source = (path.to_owned(), evaluator.map(str::to_owned));
    let known = open.iter().find(|(other, _)| *other == source);
    if let Some(network) = known.and_then(|(_, network)| network.upgrade()) {
        return Ok(network);
    }
    let network = Arc::new(read()?);
    open.push((source, Arc::downgrade(&network)));
    Ok(network)
}
