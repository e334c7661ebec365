//! `shido net serve`: computes a network for the searches of another process.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use shido_engine::Network;
use shido_engine::nets::Embedded;
use shido_net::CpuChoice;

use crate::stdout::Stdout;

/// Compute a network for the searches of another process.
///
/// Reads positions on standard input and writes what the network says of them, in the bytes of
/// docs/protocol.md, until the input ends. `shido lab run --evaluator "shido net serve"` asks it;
/// the same protocol is spoken by `python -m shido_train evaluate`, which computes on a GPU.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to compute the network: plain, avx2, avx512, neon, amx, or auto for the fastest that
    /// works here.
    #[arg(long, default_value = "auto", value_name = "WAY")]
    cpu: CpuChoice,

    /// A network file, or the name of one that is part of the program.
    net: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let own = args.net.to_str().and_then(Embedded::named);
    let network = match own {
        Some(own) => Network::embedded(own, args.cpu)?,
        None => Network::open(&args.net, args.cpu)?,
    };
    network
        .answer_positions(std::io::stdin().lock(), out)
        .context("cannot answer")?;
    Ok(ExitCode::SUCCESS)
}
