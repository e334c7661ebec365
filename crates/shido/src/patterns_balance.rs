//! `shido patterns balance`: gammas by which playouts end as a network says.
//!
//! The work is in [`mod@shido_lab::patterns::balance`]; this file reads the flags, shows how
//! far it is and prints what was measured.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::Context;
use shido_engine::nets::{EVAL, Embedded};
use shido_lab::patterns::{BalanceProgress, Balancing, Teacher, balance};
use shido_net::{CpuChoice, Engine};
use shido_patterns::balance::Settings;
use shido_patterns::model::Model;

use crate::BadUsage;
use crate::net_evaluate::read_model;
use crate::partner_evaluate::count;
use crate::patterns::{bar, read, threads};
use crate::stdout::Stdout;

/// Move a playout model's gammas until its playouts end as a network says.
///
/// Who owns each point at the end of playouts from positions of the games is compared with what
/// the network expects there. Every tenth game of each folder is held out, and of files that are
/// named one by one; the error on positions of those is printed before and after. A folder named
/// twice counts twice; name files only once.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The model to begin with, of `shido patterns train --features playout`.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,

    /// SGF files, text files with a game a line, and folders of them.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    games: Vec<PathBuf>,

    /// The network that teaches: a file, or the name of one that is part of the program.
    #[arg(long, value_name = "FILE", default_value = EVAL.name)]
    net: PathBuf,

    /// Learn from so many positions; further steps hear them again.
    #[arg(long, value_name = "N", default_value_t = Balancing::default().positions, value_parser = count)]
    positions: usize,

    /// Measure on so many positions of games that are held out.
    #[arg(long, value_name = "N", default_value_t = Balancing::default().held_out)]
    held_out: usize,

    /// Steps to take.
    #[arg(long, value_name = "N", default_value_t = Balancing::default().steps)]
    steps: usize,

    /// Positions that a step hears.
    #[arg(long, value_name = "N", default_value_t = Balancing::default().batch, value_parser = count)]
    batch: usize,

    /// Playouts of a position that say how it ends, and again as many to learn from.
    #[arg(long, value_name = "N", default_value_t = Settings::default().playouts, value_parser = count)]
    playouts: usize,

    /// How far from a move, in lines, points count for it.
    #[arg(long, value_name = "LINES", default_value_t = Settings::default().reach)]
    reach: usize,

    /// Length of a step at the start.
    #[arg(long, value_name = "X", default_value_t = Settings::default().rate, value_parser = positive)]
    rate: f64,

    /// Comparisons of moves that an individual must be in to move half of its step.
    #[arg(long, value_name = "X", default_value_t = Settings::default().damping, value_parser = positive)]
    damping: f64,

    /// Decides which positions are taken and what is drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How to compute the network: plain, avx2, avx512, neon, amx, or auto.
    #[arg(long, value_name = "WAY", default_value = "auto")]
    cpu: CpuChoice,

    /// Threads to use; all by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Where to write the model.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

fn positive(text: &str) -> Result<f64, String> {
    let read = text.parse().ok();
    read.filter(|it: &f64| it.is_finite() && *it > 0.0)
        .ok_or_else(|| "write a number above 0".to_owned())
}

/// Balances and writes the model.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let path = args.model.display();
    let bytes = fs::read(&args.model).with_context(|| format!("cannot read {path}"))?;
    let model = Model::from_bytes(&bytes).with_context(|| format!("{path} is not usable"))?;
    let net = match args.net.to_str().and_then(Embedded::named) {
        Some(net) => net.model(),
        None => Arc::new(read_model(&args.net)?),
    };
    let engine = Engine::new(Arc::clone(&net), args.cpu).map_err(|it| BadUsage(it.to_string()))?;
    tracing::info!("computed by {}", engine.name());
    let teacher = Teacher::new(&net, engine);
    let games = read(&args.games)?;
    let settings = Balancing {
        learning: Settings {
            playouts: args.playouts,
            reach: args.reach,
            rate: args.rate,
            damping: args.damping,
            ..Settings::default()
        },
        positions: args.positions,
        held_out: args.held_out,
        steps: args.steps,
        batch: args.batch,
        seed: args.seed,
        threads: threads(args.threads),
    };
    let bar = bar("{bar:40} {pos}/{len} {msg}", args.positions);
    let measured = Mutex::new(Vec::new());
    let balanced = balance(
        &model,
        &games,
        &teacher,
        &settings,
        &|progress| match progress {
            BalanceProgress::Judged(positions) => {
                bar.set_position(positions as u64);
                bar.set_message("positions judged");
            }
            BalanceProgress::Measured(held_out) => {
                measured
                    .lock()
                    .expect("nobody panics with it")
                    .push(held_out);
            }
            BalanceProgress::Stepped(step, error) => {
                tracing::info!("step {step}: mean squared error {error:.5}");
                bar.set_length(args.steps as u64);
                bar.set_position(step as u64);
                bar.set_message(format!("steps, mean squared error of owners {error:.4}"));
            }
        },
    );
    bar.finish_and_clear();
    let bytes = balanced?.to_bytes();
    fs::write(&args.output, &bytes)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    for (when, it) in ["before", "after"]
        .into_iter()
        .zip(measured.into_inner().expect("nobody panics with it"))
    {
        match it.positions {
            0 => writeln!(out, "{when}: no position of a held-out game to measure on")?,
            n => writeln!(
                out,
                "{when}: mean squared error of owners {:.4} ± {:.4} on {n} held-out positions",
                it.error, it.margin
            )?,
        }
    }
    writeln!(out, "{} bytes in {}", bytes.len(), args.output.display())?;
    Ok(ExitCode::SUCCESS)
}
