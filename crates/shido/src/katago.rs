//! The flags of the `katago` engine, the same for every command that can use it.

use std::path::{Path, PathBuf};

use shido_engine::katago::{KataGo, KataGoError, KataGoSettings};

use crate::BadUsage;

/// Which KataGo, and how it is set up.
#[derive(Debug, clap::Args)]
pub(crate) struct KataGoArgs {
    /// KataGo, for `--engine katago`: any program that speaks its JSON analysis protocol,
    /// with arguments before `analysis` if it needs any.
    #[arg(long, value_name = "COMMAND", default_value = "katago")]
    katago: String,

    /// KataGo's configuration for analysis; a plain one is written unless given.
    #[arg(long, value_name = "FILE")]
    katago_config: Option<PathBuf>,
}

impl KataGoArgs {
    /// Starts it with a network and waits until it is ready.
    pub(crate) fn start(&self, net: Option<&Path>, threads: Option<u16>) -> anyhow::Result<KataGo> {
        let usual = KataGoSettings::new(self.katago.clone());
        let settings = KataGoSettings {
            model: net.map(Path::to_owned),
            config: self.katago_config.clone(),
            threads: threads.map_or(usual.threads, usize::from),
            ..usual
        };
        KataGo::start(settings).map_err(|error| match error {
            KataGoError::MissingFile { .. } => BadUsage(error.to_string()).into(),
            _ => error.into(),
        })
    }
}
