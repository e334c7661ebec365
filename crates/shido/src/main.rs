//! The one binary: reads the command line, calls the libraries, sets the exit code.
//!
//! Start at [`args`] for the commands. Results go to stdout, diagnostics to
//! stderr. The exit code is 0 when the command did its work, 1 when it failed
//! and 2 when it was called wrongly. No logic of Go lives here.

mod analyze;
mod args;
mod bench;
mod dataset;
mod gtp;
mod katago;
mod lab;
mod log;
mod matches;
mod net;
mod net_evaluate;
mod net_serve;
mod neural;
mod partner;
mod partner_evaluate;
mod patterns;
mod patterns_balance;
mod serve;
mod sgf_check;
mod stdout;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::stdout::Stdout;

/// The command line was understood but asks for something impossible.
#[derive(Debug)]
pub(crate) struct BadUsage(pub(crate) String);

impl std::fmt::Display for BadUsage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadUsage {}

fn main() -> ExitCode {
    let args = match Args::try_parse_from(analyze::with_two_dashes(std::env::args_os())) {
        Ok(args) => args,
        Err(error) => {
            // Help and version come this way too, with exit code 0. If they
            // cannot be printed there is nobody left to tell.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut out = Stdout::new();
    let result = run(&args, &mut out).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        Err(_) if out.is_closed() => ExitCode::SUCCESS,
        Err(error) => {
            // The same holds for a message nobody can read.
            let _ = writeln!(io::stderr(), "shido: {error:#}");
            let usage = error.is::<BadUsage>();
            ExitCode::from(if usage { 2 } else { 1 })
        }
    }
}

fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let usual;
    let command = if let Some(command) = &args.command {
        command
    } else {
        usual = Command::Serve(serve::Args::usual());
        &usual
    };
    // A server logs to a file too, once it knows which.
    if !matches!(command, Command::Serve(_)) {
        log::start(args.verbose, None);
    }
    command.run(args.verbose, out)
}
