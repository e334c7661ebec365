//! The flags of the neural engine, the same for every command that thinks.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use shido_engine::native::NetworkError;
use shido_engine::{NativeSettings, Network, nets};
use shido_net::CpuChoice;

use crate::BadUsage;

/// Which network, and how it is computed.
#[derive(Debug, clap::Args)]
pub(crate) struct NetArgs {
    /// Think with this network, a file in KataGo's format, instead of the program's own.
    #[arg(long, value_name = "FILE", visible_alias = "model")]
    pub(crate) net: Option<PathBuf>,

    /// How to compute the network: plain, avx2, avx512, neon, amx, or auto for the
    /// fastest that works here.
    #[arg(long, value_name = "WAY", default_value = "auto")]
    cpu: CpuChoice,

    /// Positions each thread evaluates at once; by the size of the board unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    batch: Option<u16>,

    /// Memory for evaluations already made, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    cache: usize,
}

impl NetArgs {
    /// Returns how networks are computed.
    pub(crate) fn cpu(&self) -> CpuChoice {
        self.cpu
    }

    /// Reads the network, the program's own if none was given.
    pub(crate) fn open(&self) -> anyhow::Result<Arc<Network>> {
        let read = match &self.net {
            Some(path) => Network::open(path, self.cpu),
            None => Network::embedded(&nets::EVAL, self.cpu),
        };
        match read {
            Ok(network) => {
                tracing::info!("{} computed by {}", network.name, network.cpu());
                Ok(Arc::new(network))
            }
            Err(NetworkError::Cpu(error)) => Err(BadUsage(error.to_string()).into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns settings for so many threads, all cores if `None`.
    pub(crate) fn settings(&self, threads: Option<u16>) -> NativeSettings {
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        NativeSettings {
            threads: threads.map_or_else(cores, usize::from),
            batch: self.batch.map(usize::from),
            ..NativeSettings::default()
        }
    }

    /// Returns the bytes of the cache.
    pub(crate) fn cache_bytes(&self) -> usize {
        self.cache.saturating_mul(1 << 20)
    }
}
