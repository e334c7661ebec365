//! `shido lab`: runs experiments, reports on them, lists and merges them.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use shido_engine::StopFlag;
use shido_lab::line::{GameLine, Line};
use shido_lab::merge::{merge, pack};
use shido_lab::provenance::Provenance;
use shido_lab::report::{Games, Report};
use shido_lab::review::{self, Review};
use shido_lab::runner::{self, Event, RunSettings, Summary};
use shido_lab::schedule::{AfterVoid, Part, Selection};
use shido_lab::spec::{EvaluatorSpec, Spec};
use shido_lab::stats::wilson::wilson;
use shido_lab::{ledger, open_evaluated};

use crate::BadUsage;
use crate::stdout::Stdout;

/// Run experiments and report on them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the games of a spec; the same command goes on with an unfinished run.
    Run(RunArgs),
    /// Write tables and plots of what has been played so far.
    Report(ReportArgs),
    /// List the specs of a folder.
    List {
        /// The folder.
        #[arg(default_value = "lab")]
        dir: PathBuf,
    },
    /// Put the ledgers of several folders, such as parts of one spec, into one.
    Merge {
        /// The folder to write to.
        #[arg(long)]
        out: PathBuf,
        /// The spec of all, from whose folder its paths start; by default the first folder's.
        #[arg(long)]
        spec: Option<PathBuf>,
        /// Write the games that the folder does not hold yet as one compressed file, to be kept;
        /// a plain merge reads it again.
        #[arg(long)]
        pack: bool,
        /// The folders to read.
        #[arg(required = true)]
        dirs: Vec<PathBuf>,
    },
}

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The spec, a TOML file.
    spec: PathBuf,
    /// The folder for ledger and games.
    #[arg(long)]
    out: PathBuf,
    /// Play only the games of this player; can be given several times. What is left out can be
    /// played later, into the same folder.
    #[arg(long, value_name = "PLAYER")]
    only: Vec<String>,
    /// Play at most so many games of each pairing, the first ones.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..))]
    most: Option<u32>,
    /// Begin no game after so many minutes, and play those that have begun to the end; the same
    /// command goes on later.
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..))]
    minutes: Option<u32>,
    /// Play only one share of the games, such as 2/8.
    #[arg(long, default_value_t = Part::WHOLE)]
    part: Part,
    /// Games at a time; by default as many as the machine has cores for, with an evaluator eight
    /// times as many as it has cores.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// The commit to write into the ledger, for a program that does not know its own.
    #[arg(long)]
    commit: Option<String>,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
}

/// What computes the networks of searches.
#[derive(Debug, clap::Args)]
struct EvaluatorArgs {
    /// A command that computes the networks of searches in place of this processor, such as
    /// `python -m shido_train evaluate` on a machine with a GPU; the network's file is added to
    /// it. See docs/protocol.md.
    #[arg(long, value_name = "COMMAND")]
    evaluator: Option<String>,
    /// Positions that a search asks the evaluator for at once: more is faster and searches a
    /// little less well. 1 to 4 by the size of the board unless given.
    #[arg(long, value_name = "POSITIONS", requires = "evaluator")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    batch: Option<u32>,
}

impl EvaluatorArgs {
    fn spec(&self) -> Option<EvaluatorSpec> {
        Some(EvaluatorSpec {
            command: self.evaluator.clone()?,
            batch: self.batch.map(|it| it as usize),
        })
    }
}

/// What to report on.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The folder of a run.
    dir: PathBuf,
    /// Take the tables to show from this spec instead of the folder's copy.
    #[arg(long)]
    spec: Option<PathBuf>,
    #[command(flatten)]
    evaluator: EvaluatorArgs,
}

/// Runs the command.
pub(crate) fn run(command: &Command, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    match command {
        Command::Run(args) => run_spec(args, out),
        Command::Report(args) => report(args, out),
        Command::List { dir } => list(dir, out),
        Command::Merge {
            out: target,
            spec,
            pack: packed,
            dirs,
        } => {
            let join = if *packed { pack } else { merge };
            let games = join(dirs, spec.as_deref(), target)?;
            writeln!(out, "{games} games in {}", target.display())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn run_spec(args: &RunArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let (mut spec, text) = Spec::read(&args.spec)?;
    spec.evaluator = args.evaluator.spec();
    let games = Selection {
        players: args.only.clone(),
        most: args.most.map(|it| it as usize),
        part: args.part,
    };
    games
        .check(&spec)
        .map_err(|error| BadUsage(format!("--only: {error}")))?;
    let settings = RunSettings {
        jobs: args.jobs.map(|jobs| jobs as usize),
        games,
        begin_within: args.minutes.map(|it| Duration::from_mins(it.into())),
        provenance: provenance(args.commit.as_deref())?,
        stop: stop_on_interrupt()?,
    };
    let _networks = open_evaluated(&spec)?;
    review::check(&spec)?;
    let summary = play((&spec, &text), &args.out, &settings)?;
    let dir = args.out.display();
    writeln!(
        out,
        "{} of {} games are in {dir}",
        summary.finished, summary.total
    )?;
    if summary.halted {
        anyhow::bail!("engines failed too often; {dir}/ledger.jsonl says how");
    }
    if summary.stopped {
        writeln!(out, "stopped; the same command goes on")?;
        return Ok(ExitCode::FAILURE);
    }
    judge(&spec, &args.out, &settings.stop)?;
    if summary.finished < summary.total {
        writeln!(out, "the time was up; the same command plays the rest")?;
    }
    writeln!(out, "`shido lab report {dir}` writes the report")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the commit that results are written under.
pub(crate) fn provenance(named: Option<&str>) -> anyhow::Result<Provenance> {
    Ok(match named {
        Some(commit) => Provenance::of_commit(commit)?,
        None => Provenance::of_this_build()?,
    })
}

/// Returns a flag that the first Ctrl-C raises; the second ends the program.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<StopFlag> {
    let stop = StopFlag::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Plays the games of a spec with a bar on a terminal.
pub(crate) fn play(
    spec: (&Spec, &str),
    dir: &Path,
    settings: &RunSettings,
) -> anyhow::Result<Summary> {
    let bar = progress_bar("games");
    let mut scores = Scores::default();
    let summary = runner::run(spec, dir, settings, &mut |event| match event {
        Event::Begin { before, total } => {
            bar.set_length(total as u64);
            bar.set_position(before.len() as u64);
            // The rate and the time left are those of this run.
            bar.reset_eta();
            for game in before {
                scores.add(game);
            }
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Event::Game(game) => {
            bar.inc(1);
            bar.set_message(scores.add(game));
        }
        Event::Void(void, after) => {
            let then = match after {
                AfterVoid::Replay => "it will be played again",
                AfterVoid::Forfeit => "it is lost",
                AfterVoid::Halt => "the run ends",
            };
            let said = format!("game {} is void: {}: {}", void.game, void.by, void.why);
            bar.suspend(|| tracing::warn!("{said}; {then}"));
        }
    })?;
    bar.finish_and_clear();
    Ok(summary)
}

fn progress_bar(unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(0);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left  {{msg}}");
    let style = ProgressStyle::with_template(&template).expect("the template is well formed");
    bar.with_style(style)
}

/// The running score of each pairing.
#[derive(Debug, Default)]
struct Scores(BTreeMap<[String; 2], (f64, u64)>);

impl Scores {
    /// Counts a game and returns the score of its pairing.
    fn add(&mut self, game: &GameLine) -> String {
        let mut names = [game.black.name.clone(), game.white.name.clone()];
        names.sort();
        let points = game.points_of(&names[0]).unwrap_or(0.0);
        let (won, n) = self.0.entry(names.clone()).or_default();
        *won += points;
        *n += 1;
        let rate = wilson(*won, *n).percent();
        format!("{} – {}: {rate}", names[0], names[1])
    }
}

/// Lets the reviewing player judge what it has not judged yet.
fn judge(spec: &Spec, dir: &Path, stop: &StopFlag) -> anyhow::Result<BTreeMap<String, Review>> {
    if spec.review.is_none() {
        return Ok(BTreeMap::new());
    }
    let games = Games::read(dir, spec)?.games;
    let bar = progress_bar("reviews");
    bar.set_length(games.len() as u64);
    let reviews = review::review(spec, dir, &games, stop, &|| bar.inc(1))?;
    bar.finish_and_clear();
    Ok(reviews)
}

fn report(args: &ReportArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let (mut spec, _) = ledger::read_spec(&args.dir)?;
    if let Some(path) = &args.spec {
        let (current, _) = Spec::read(path)?;
        let lines = ledger::read(&args.dir)?;
        let changes = spec.differences(&current, lines.iter().map(Line::game));
        if !changes.is_empty() {
            anyhow::bail!(
                "{} is not the spec of {}: {}",
                path.display(),
                args.dir.display(),
                changes.join("; ")
            );
        }
        spec = current;
    }
    spec.evaluator = args.evaluator.spec();
    let _networks = match spec.review {
        Some(_) => open_evaluated(&spec)?,
        None => Vec::new(),
    };
    let reviews = judge(&spec, &args.dir, &stop_on_interrupt()?)?;
    let games = Games::read(&args.dir, &spec)?;
    let report = Report::of(&spec, &games, &reviews)?;
    report.write(&args.dir, &games)?;
    write!(out, "{}", report.to_markdown())?;
    Ok(ExitCode::SUCCESS)
}

fn list(dir: &Path, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let mut paths = Vec::new();
    let entries = std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()));
    for entry in entries? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    for path in paths {
        let name = path.display();
        match Spec::read(&path) {
            Ok((spec, _)) => {
                let games: usize = spec.pairings.iter().map(|it| it.games).sum();
                writeln!(out, "{name}: {} ({games} games)", spec.title)?;
            }
            Err(error) => writeln!(out, "{error}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}
