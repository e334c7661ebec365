//! The command line as typed: flags, subcommands and their help texts.
//!
//! Each subcommand is one file beside this one with its own arguments and a
//! `run(&Args, &mut Stdout) -> anyhow::Result<ExitCode>`. To add one: the file, a
//! variant of [`Command`] and its arm in [`Command::run`]. Nothing else changes.

use std::process::ExitCode;

use clap::{ArgAction, Parser, Subcommand};

use crate::analyze;
use crate::bench;
use crate::dataset;
use crate::gtp;
use crate::lab;
use crate::matches;
use crate::net;
use crate::net_evaluate;
use crate::net_serve;
use crate::partner_evaluate;
use crate::patterns;
use crate::patterns_balance;
use crate::serve;
use crate::sgf_check;
use crate::stdout::Stdout;

/// shido: a Go teacher in one program. Without a command it plays in your browser.
#[derive(Debug, Parser)]
#[command(
    name = "shido",
    version,
    after_help = "Exit codes: 0 done, 1 failed, 2 bad usage."
)]
pub(crate) struct Args {
    /// Say more on stderr; repeat for more. `RUST_LOG` overrides it.
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(visible_alias = "analysis")]
    Analyze(analyze::Args),
    Bench(bench::Args),
    /// Make training data from game records and from games of the program's own.
    #[command(subcommand)]
    Dataset(dataset::Command),
    Gtp(gtp::Args),
    #[command(subcommand)]
    Lab(lab::Command),
    Match(matches::Args),
    /// Work with networks.
    #[command(subcommand)]
    Net(NetCommand),
    /// Measure teaching partners.
    #[command(subcommand)]
    Partner(PartnerCommand),
    /// Train, measure and balance move models.
    #[command(subcommand)]
    Patterns(PatternsCommand),
    Serve(serve::Args),
    /// Work with game records.
    #[command(subcommand)]
    Sgf(SgfCommand),
}

/// What to do with networks.
#[derive(Debug, Subcommand)]
pub(crate) enum NetCommand {
    Info(net::InfoArgs),
    Evaluate(net_evaluate::Args),
    Serve(net_serve::Args),
}

/// What to do with teaching partners.
#[derive(Debug, Subcommand)]
pub(crate) enum PartnerCommand {
    Evaluate(partner_evaluate::Args),
}

/// What to do with move models.
#[derive(Debug, Subcommand)]
pub(crate) enum PatternsCommand {
    Train(patterns::TrainArgs),
    Evaluate(patterns::EvaluateArgs),
    Balance(patterns_balance::Args),
}

/// What to do with game records.
#[derive(Debug, Subcommand)]
pub(crate) enum SgfCommand {
    Check(sgf_check::Args),
}

impl Command {
    /// Does it; `verbose` is for a command that keeps a log of its own.
    pub(crate) fn run(&self, verbose: u8, out: &mut Stdout) -> anyhow::Result<ExitCode> {
        match self {
            Command::Analyze(args) => analyze::run(args, out),
            Command::Bench(args) => bench::run(args, out),
            Command::Dataset(command) => dataset::run(command, out),
            Command::Gtp(args) => gtp::run(args, out),
            Command::Lab(command) => lab::run(command, out),
            Command::Match(args) => matches::run(args, out),
            Command::Net(NetCommand::Info(args)) => net::run_info(args, out),
            Command::Net(NetCommand::Evaluate(args)) => net_evaluate::run(args, out),
            Command::Net(NetCommand::Serve(args)) => net_serve::run(args, out),
            Command::Partner(PartnerCommand::Evaluate(args)) => partner_evaluate::run(args, out),
            Command::Patterns(PatternsCommand::Train(args)) => patterns::run_train(args, out),
            Command::Patterns(PatternsCommand::Evaluate(args)) => patterns::run_evaluate(args, out),
            Command::Patterns(PatternsCommand::Balance(args)) => patterns_balance::run(args, out),
            Command::Serve(args) => serve::run(args, verbose, out),
            Command::Sgf(SgfCommand::Check(args)) => sgf_check::run(args, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Args;

    #[test]
    fn the_flags_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }
}
