//! `shido dataset pack`, `play` and `encode`: training data for `train/`.
//!
//! The work is in [`shido_lab::dataset`]; this file reads the flags, shows how far
//! it is and says what was found.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::{ProgressBar, ProgressStyle};
use shido_engine::native::{Native, NativeSettings, Network};
use shido_lab::dataset::{
    EncodeSettings, ModelMover, Mover, NetMover, PlaySettings, Source, encode, pack, play,
};
use shido_lab::provenance::Provenance;
use shido_net::CpuChoice;

use crate::BadUsage;
use crate::stdout::Stdout;

/// What to do with training data.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Pack(PackArgs),
    Play(PlayArgs),
    Encode(EncodeArgs),
}

/// Read game records into one small file, each game once.
///
/// Keeps moves, ranks on one scale, komi, rules and result; of counted games also the
/// dead stones, where a count with them gives the recorded result.
#[derive(Debug, clap::Args)]
pub(crate) struct PackArgs {
    /// SGF files, text files with a game a line, and folders of them, each with its source:
    /// kgs:PATH, fox:, tygem:, ladder:, small:, ogs:, pro:, other:.
    #[arg(required = true, value_name = "SOURCE:PATH", value_parser = sourced)]
    games: Vec<(Source, PathBuf)>,

    /// Where to write the games; compressed if the name ends in .gz.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Threads to use; all by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Play games with the move model or with networks, on boards and komis that people
/// seldom play.
///
/// With --net and --visits over 1 each move keeps its search (visits of the moves, win
/// rate and lead), and games are played to the end and counted: `encode` makes targets of
/// them. A game is counted where the network and playouts agree on the dead stones.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: usize,

    /// Play with this network instead of the move model; of several, each color of each
    /// game draws one.
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,

    /// Visits a move with --net, to be kept as targets; 1 draws from the policy alone.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "net")]
    visits: u32,

    /// The shortest side of a board.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(2..=19))]
    min_side: u8,

    /// The longest side of a board.
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = clap::value_parser!(u8).range(2..=19))]
    max_side: u8,

    /// Decides everything random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Where to write the games; compressed if the name ends in .gz.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Turn packed games into shards of positions, shuffled and split by game.
///
/// A position has the move and what became of the game; of searched self-play also the
/// search's policy, win rate and lead. train/FORMAT.md describes the files.
#[derive(Debug, clap::Args)]
pub(crate) struct EncodeArgs {
    /// Files of `shido dataset pack` or `play`.
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,

    /// The folder for the shards.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// The share of the positions to take.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    share: f64,

    /// The share of games to show with other rules and another komi, for a teacher to label.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    varied: f64,

    /// About how many positions a shard holds.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    shard: u32,

    /// One game in N is for validation.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(2..))]
    valid_one_in: u64,

    /// Decides everything random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads to use; all by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

pub(crate) fn sourced(text: &str) -> Result<(Source, PathBuf), String> {
    let (source, path) = text
        .split_once(':')
        .ok_or("write the source before the path, as in kgs:games/kgs")?;
    let source = source.parse().map_err(|it| format!("{it}"))?;
    Ok((source, PathBuf::from(path)))
}

/// Does it.
pub(crate) fn run(command: &Command, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    match command {
        Command::Pack(args) => run_pack(args, out),
        Command::Play(args) => run_play(args, out),
        Command::Encode(args) => run_encode(args, out),
    }
}

fn run_pack(args: &PackArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let bar = bar("files");
    let mut file = Output::create(&args.output)?;
    let report = pack(
        &args.games,
        threads(args.threads),
        &mut file,
        &|done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        },
    )?;
    file.finish()
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    bar.finish_and_clear();
    writeln!(
        out,
        "{} games with {} moves; {} repeated, {} unusable\n\
         {} were counted; in {} of them the dead stones are known",
        report.games,
        report.moves,
        report.repeated,
        report.unusable,
        report.countable,
        report.counted
    )?;
    Ok(ExitCode::SUCCESS)
}

fn run_play(args: &PlayArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    if args.min_side > args.max_side {
        let why = format!(
            "--min-side must not be over --max-side, is {} over {}",
            args.min_side, args.max_side
        );
        return Err(BadUsage(why).into());
    }
    let settings = PlaySettings {
        games: args.games,
        sides: (usize::from(args.min_side), usize::from(args.max_side)),
        seed: args.seed,
    };
    let bar = bar("games");
    bar.set_length(args.games as u64);
    let mut movers = movers(args)?;
    let mut file = Output::create(&args.output)?;
    let played = play(&settings, &mut movers, &mut file, &mut |done| {
        bar.set_position(done as u64);
    });
    let report = played
        .and_then(|report| file.finish().map(|()| report))
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    bar.finish_and_clear();
    writeln!(
        out,
        "{} games with {} moves, {} of them searched; {} games were counted",
        args.games, report.moves, report.searched, report.counted
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Memory for the evaluations that a network keeps while it plays.
const CACHE_BYTES: usize = 32 << 20;

fn movers(args: &PlayArgs) -> anyhow::Result<Vec<Box<dyn Mover>>> {
    if args.net.is_empty() {
        return Ok(vec![Box::new(ModelMover::embedded())]);
    }
    let open = |path: &PathBuf| -> anyhow::Result<Box<dyn Mover>> {
        let network = Network::open(path, CpuChoice::Auto)?;
        let analyst = Native::new(Arc::new(network), NativeSettings::default(), CACHE_BYTES)?;
        Ok(Box::new(NetMover::new(analyst, u64::from(args.visits))))
    };
    args.net.iter().map(open).collect()
}

fn run_encode(args: &EncodeArgs, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    for (name, share) in [("--share", args.share), ("--varied", args.varied)] {
        if !(0.0..=1.0).contains(&share) {
            return Err(BadUsage(format!("{name} must be from 0 to 1, is {share}")).into());
        }
    }
    let settings = EncodeSettings {
        share: args.share,
        varied: args.varied,
        shard: args.shard as usize,
        valid_one_in: args.valid_one_in,
        seed: args.seed,
        threads: threads(args.threads),
        commit: Provenance::of_this_build()?.commit().to_owned(),
        command: format!(
            "shido dataset encode --share {} --varied {} --shard {} --valid-one-in {} --seed {}",
            args.share, args.varied, args.shard, args.valid_one_in, args.seed
        ),
    };
    let started = Instant::now();
    let bar = bar("shards");
    let made = encode(&args.games, &args.output, &settings, &|done, all, _| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    })?;
    bar.finish_and_clear();
    let positions: usize = made.positions.iter().sum();
    let rate = positions as f64 / started.elapsed().as_secs_f64();
    writeln!(
        out,
        "{} shards: {} positions of {} games for training, {} of {} for validation; {rate:.0} positions/s",
        made.shards, made.positions[0], made.games[0], made.positions[1], made.games[1],
    )?;
    Ok(ExitCode::SUCCESS)
}

/// A file that is compressed if its name says so.
enum Output {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

impl Output {
    fn create(path: &Path) -> anyhow::Result<Output> {
        let file =
            File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
        let file = BufWriter::new(file);
        let zipped = path.extension().is_some_and(|it| it == "gz");
        Ok(if zipped {
            Output::Gzip(GzEncoder::new(file, Compression::best()))
        } else {
            Output::Plain(file)
        })
    }

    fn finish(self) -> std::io::Result<()> {
        let file = match self {
            Output::Plain(file) => file,
            Output::Gzip(file) => file.finish()?,
        };
        file.into_inner()?.sync_all()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Output::Plain(file) => file.write(bytes),
            Output::Gzip(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Output::Plain(file) => file.flush(),
            Output::Gzip(file) => file.flush(),
        }
    }
}

fn threads(given: Option<usize>) -> usize {
    given.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

fn bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}, {eta} left");
    let bar = ProgressBar::no_length().with_message(what);
    bar.with_style(style.expect("the template is right"))
}
