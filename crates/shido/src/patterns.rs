//! `shido patterns train` and `shido patterns evaluate`: the move model's gammas.
//!
//! The work is in [`shido_lab::patterns`]; this file reads the flags, shows how far
//! it is and prints what was measured.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use shido_lab::patterns::evaluate::{PHASES, RANKS};
use shido_lab::patterns::{
    Evaluation, FeatureKind, Measure, PlayedGame, Progress, Training, evaluate, read_games, train,
};
use shido_patterns::model::Model;

use crate::stdout::Stdout;

/// Learn a move model's gammas from game records.
///
/// Every tenth game of each folder is held out, and of files that are named one by one;
/// `shido patterns evaluate` with the same paths measures the model on those.
#[derive(Debug, clap::Args)]
pub(crate) struct TrainArgs {
    /// Which features: large (for the tree), pd10 (the paper's) or playout.
    #[arg(long, value_name = "NAME")]
    features: FeatureKind,

    /// SGF files, text files with a game a line (`id<TAB>;B[pd];W[dd]…`), and folders of them.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    games: Vec<PathBuf>,

    /// Learn from at most this many positions.
    #[arg(long, value_name = "N", default_value_t = 491_094)]
    positions: usize,

    /// Skip N moves between two positions; without it they are spread over all games.
    #[arg(long, value_name = "N")]
    skip: Option<usize>,

    /// How often a shape must be seen; each set of features has its own default.
    #[arg(long, value_name = "N")]
    threshold: Option<u64>,

    /// Decides the order of the games for the large features.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads to use; all by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Where to write the model.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Measure how well a move model predicts game records.
///
/// Prints the mean log evidence with its variance, and how often the move played was the model's
/// first choice or among its first five: over all moves, by phase and by rank.
#[derive(Debug, clap::Args)]
pub(crate) struct EvaluateArgs {
    /// The model.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,

    /// SGF files, text files with a game a line, and folders of them.
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    games: Vec<PathBuf>,

    /// Measure on all games, not only on every tenth.
    #[arg(long)]
    all: bool,

    /// Measure at most this many positions, spread over the games.
    #[arg(long, value_name = "N")]
    positions: Option<usize>,

    /// Threads to use; all by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Trains and writes the model.
pub(crate) fn run_train(args: &TrainArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let games = read(&args.games)?;
    let settings = Training {
        features: args.features,
        positions: args.positions,
        skip: args.skip,
        threshold: args.threshold.unwrap_or(args.features.threshold()),
        seed: args.seed,
        threads: threads(args.threads),
    };
    let bar = bar("{bar:40} {pos}/{len} {msg}", games.len());
    let mut shapes = 0;
    let trained = train(&games, &settings, &mut |progress| match progress {
        Progress::Harvested(games) => {
            bar.set_position(games as u64);
            bar.set_message("games searched for shapes");
        }
        Progress::Shapes(found) => shapes = found,
        Progress::Learned(positions, evidence) => {
            bar.set_length(args.positions as u64);
            bar.set_position(positions as u64);
            bar.set_message(format!("positions, mean log evidence {evidence:.4}"));
        }
        Progress::Swept(sweep) => {
            bar.set_length(shido_patterns::mm::Settings::default().max_sweeps as u64);
            bar.set_position(sweep.index as u64);
            bar.set_message(format!(
                "sweeps, mean log-likelihood {:.5}",
                sweep.mean_log_likelihood
            ));
        }
    });
    bar.finish_and_clear();
    let trained = trained?;
    let bytes = trained.model.to_bytes();
    fs::write(&args.output, &bytes)
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    writeln!(
        out,
        "{} features, {} individuals ({shapes} shapes) from {} positions of {} games; {} bytes in {}",
        args.features,
        trained.model.weights.len(),
        trained.positions,
        trained.games,
        bytes.len(),
        args.output.display()
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Measures and prints.
pub(crate) fn run_evaluate(args: &EvaluateArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let path = args.model.display();
    let bytes = fs::read(&args.model).with_context(|| format!("cannot read {path}"))?;
    let model = Model::from_bytes(&bytes).with_context(|| format!("{path} is not usable"))?;
    let mut games = read(&args.games)?;
    games.retain(|it| args.all || it.held_out);
    anyhow::ensure!(
        !games.is_empty(),
        "fewer than ten games hold none out: give more, or --all to measure on every game"
    );
    let moves: usize = games.iter().map(|it| it.moves.len()).sum();
    // An odd stride, so that both players are seen.
    let stride = args.positions.map_or(1, |it| moves.div_ceil(it.max(1)) | 1);
    let bar = bar("{bar:40} {pos}/{len} games, {eta} left", games.len());
    let found = evaluate(&model, &games, (stride, threads(args.threads)), || {
        bar.inc(1);
    });
    bar.finish_and_clear();
    print(&model, &found?, out)?;
    Ok(ExitCode::SUCCESS)
}

fn print(model: &Model, found: &Evaluation, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{} features, {} games", model.features, found.games)?;
    writeln!(out)?;
    writeln!(
        out,
        "| moves | n | mean log evidence | variance | top 1 | top 5 |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|")?;
    row("all", &found.all, out)?;
    for (name, measure) in PHASES.iter().zip(&found.by_phase) {
        row(name, measure, out)?;
    }
    for (name, measure) in RANKS.iter().zip(&found.by_rank) {
        row(name, measure, out)?;
    }
    let even = &found.even;
    writeln!(
        out,
        "| all, even distribution | {} | {:.4} | {:.4} | | |",
        even.n(),
        even.mean(),
        even.variance()
    )?;
    Ok(())
}

/// Prints one row of the table, unless it is about nothing.
fn row(name: &str, measure: &Measure, out: &mut impl Write) -> anyhow::Result<()> {
    let evidence = &measure.evidence;
    if evidence.n() > 0 {
        writeln!(
            out,
            "| {name} | {} | {:.4} | {:.4} | {:.2} % | {:.2} % |",
            evidence.n(),
            evidence.mean(),
            evidence.variance(),
            100.0 * measure.top_1(),
            100.0 * measure.top_5()
        )?;
    }
    Ok(())
}

pub(crate) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<PlayedGame>> {
    let bar = bar("{bar:40} {pos}/{len} files read, {eta} left", 0);
    let games = read_games(paths, |done, files| {
        bar.set_length(files as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    Ok(games?)
}

/// A bar on a terminal, nothing in a pipe.
pub(crate) fn bar(template: &str, len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::new(len as u64).with_style(style)
}

pub(crate) fn threads(asked: Option<usize>) -> usize {
    let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.unwrap_or_else(all).max(1)
}
