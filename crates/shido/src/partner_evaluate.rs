//! `shido partner evaluate`: how near a partner's levels are to people of their ranks.
//!
//! The work is in [`shido_lab::partner_evaluate`]; this file reads the flags and shows
//! how far it is, [`tables`] prints what was measured.

mod tables;

use std::collections::BTreeSet;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};
use shido_coach::Level;
use shido_coach::play::PartnerKind;
use shido_engine::native::NetworkError;
use shido_engine::{Network, nets};
use shido_lab::dataset::{PackedGame, Source};
use shido_lab::net_evaluate::games;
use shido_lab::partner_evaluate::{Chosen, LevelReport, Nets, Settings, choose, evaluate};
use shido_net::CpuChoice;

use crate::BadUsage;
use crate::lab::provenance;
use crate::net_evaluate::{bar, maybe_sourced};
use crate::partner::{human_net, pair};
use crate::stdout::Stdout;

/// Measure how near a partner's levels are to people of their ranks.
///
/// At positions of people's games in which a player of about a level's rank moved, the partner
/// of that level chooses too, as it would in play. Prints for both the points lost a move, by
/// searches of the same judge, and how likely people of the rank make the moves, with 95 %
/// intervals from resampling games. Partners give away more when they are ahead, so losses are
/// also told apart by the lead: the close games are those to compare.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Games of people with ranks: files of `shido dataset pack` (.jsonl, .jsonl.gz), SGF files
    /// and folders; fox:PATH, tygem:PATH and so on put ranks on one scale.
    #[arg(long, required = true, num_args = 1.., value_name = "[SOURCE:]PATH", value_parser = maybe_sourced)]
    games: Vec<(Source, PathBuf)>,

    /// The partner.
    #[arg(long, value_name = "NAME", default_value = "natural")]
    partner: PartnerKind,

    /// The levels to measure, 30k to 6d, with commas.
    #[arg(
        long,
        value_name = "RANK,…",
        value_delimiter = ',',
        default_value = "29k,26k,23k,20k,17k,14k,11k,8k,5k,2k,2d,5d"
    )]
    levels: Vec<Level>,

    /// A setting of the partner other than its level's, e.g. `beta=3`; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,

    /// Only games on this board: 9, 13 or 19.
    #[arg(long, value_name = "LINES", default_value = "19", value_parser = board)]
    board: usize,

    /// Only games that training never sees: one in fifty, by fingerprint.
    #[arg(long)]
    held_out: bool,

    /// Measure at most so many positions of each level, spread over the players.
    #[arg(long, value_name = "N", default_value_t = Settings::default().positions, value_parser = count)]
    positions: usize,

    /// Take players at most so many ranks from the level.
    #[arg(long, value_name = "RANKS", default_value_t = Settings::default().near)]
    near: u8,

    /// Simulations of each of the partner's moves instead of the level's own number (600); with
    /// fewer, halving's first round, which would ask for more, is as much shorter.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sims: Option<u64>,

    /// Visits of each search that judges what a move loses.
    #[arg(long, value_name = "N", default_value_t = Settings::default().judge_visits, value_parser = clap::value_parser!(u64).range(1..))]
    judge_visits: u64,

    /// The greatest lead of a close game, in points.
    #[arg(long, value_name = "POINTS", default_value_t = Settings::default().close, value_parser = points)]
    close: f64,

    /// The partner thinks with this network instead of the program's own.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    /// The partner knows from this network what people play, or from the move model if it is
    /// `none`; the program's own unless given.
    #[arg(long, value_name = "FILE")]
    human_net: Option<PathBuf>,

    /// Judge losses with this network; the partner's unless given.
    #[arg(long, value_name = "FILE")]
    judge_net: Option<PathBuf>,

    /// Judge how likely moves are with this network; the partner's unless given.
    #[arg(long, value_name = "FILE")]
    judge_human_net: Option<PathBuf>,

    /// How to compute networks: plain, avx2, avx512, neon, amx, or auto.
    #[arg(long, value_name = "WAY", default_value = "auto")]
    cpu: CpuChoice,

    /// Threads to use; all by default. They change no result.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Decides which positions are taken and all that is drawn.
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,

    /// The commit to name in the result, for a program that does not know its own.
    #[arg(long)]
    commit: Option<String>,

    /// Print JSON, a line for each level as soon as it is measured, with every position.
    #[arg(long)]
    json: bool,
}

fn board(text: &str) -> Result<usize, String> {
    match text {
        "9" => Ok(9),
        "13" => Ok(13),
        "19" => Ok(19),
        _ => Err("write 9, 13 or 19".to_owned()),
    }
}

pub(crate) fn count(text: &str) -> Result<usize, String> {
    let read = text.parse().ok().filter(|&it| it > 0);
    read.ok_or_else(|| "write a number from 1 on".to_owned())
}

fn points(text: &str) -> Result<f64, String> {
    let read = text.parse().ok().filter(|it| (0.0..=1000.0).contains(it));
    read.ok_or_else(|| "write 0 to 1000".to_owned())
}

pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let provenance = provenance(args.commit.as_deref())?;
    let settings = args.settings();
    let nets = args.nets()?;
    let games = args.read()?;
    let chosen = args.choose(&games, &settings)?;
    let about = json!({
        "commit": provenance.commit(),
        "settings": settings,
        "held_out": args.held_out,
        "games": args.games.iter().map(|it| &it.1).collect::<Vec<_>>(),
        "nets": named(&nets),
    });
    let positions = chosen.iter().map(|it| it.1.len()).sum();
    let bar = bar("positions", positions);
    let mut reports = Vec::new();
    for (level, chosen) in &chosen {
        let report = evaluate(&nets, &games, (*level, chosen), &settings, &|| bar.inc(1));
        let report = report.map_err(|it| BadUsage(it.to_string()))?;
        if args.json {
            bar.suspend(|| write_line(&about, &report, out))?;
        }
        reports.push(report);
    }
    bar.finish_and_clear();
    if !args.json {
        tables::print(&about, &reports, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_line(about: &Value, report: &LevelReport, out: &mut Stdout) -> anyhow::Result<()> {
    let mut line = about.clone();
    line["report"] = serde_json::to_value(report)?;
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// Returns the name and hash of each network; the move model has neither.
fn named(nets: &Nets) -> Value {
    let name = |it: &Network| json!({ "name": it.name, "hash": it.hash });
    let people = |it: &Option<Arc<Network>>| it.as_deref().map(name);
    json!({
        "engine": name(&nets.engine),
        "human": people(&nets.human),
        "judge": name(&nets.judge),
        "judge_human": people(&nets.judge_human),
    })
}

impl Args {
    fn settings(&self) -> Settings {
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Settings {
            partner: self.partner,
            set: self.set.clone(),
            simulations: self.sims,
            board: self.board,
            near: self.near,
            positions: self.positions,
            judge_visits: self.judge_visits,
            close: self.close,
            seed: self.seed,
            threads: self.threads.unwrap_or_else(all).max(1),
        }
    }

    fn nets(&self) -> anyhow::Result<Nets> {
        let usable = |it: NetworkError| match it {
            NetworkError::Cpu(error) => BadUsage(error.to_string()).into(),
            error => anyhow::Error::from(error),
        };
        let open = |path: &PathBuf| Network::open(path, self.cpu).map(Arc::new).map_err(usable);
        let people = |path: Option<&PathBuf>| {
            let network = human_net(path).network(self.cpu).map_err(usable);
            network.map(|it| it.map(Arc::new))
        };
        let engine = match &self.net {
            Some(path) => open(path)?,
            None => Arc::new(Network::embedded(&nets::EVAL, self.cpu).map_err(usable)?),
        };
        let human = people(self.human_net.as_ref())?;
        Ok(Nets {
            judge: match &self.judge_net {
                Some(path) => open(path)?,
                None => Arc::clone(&engine),
            },
            judge_human: match &self.judge_human_net {
                None => human.clone(),
                path => people(path.as_ref())?,
            },
            engine,
            human,
        })
    }

    fn read(&self) -> anyhow::Result<Vec<PackedGame>> {
        let bar = bar("files", 0);
        let threads = self.settings().threads;
        let games = games::read(&self.games, self.held_out, threads, &|done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        Ok(games?)
    }

    /// Returns the positions of each level, weakest first; fails if there is none at all.
    fn choose(
        &self,
        games: &[PackedGame],
        settings: &Settings,
    ) -> anyhow::Result<Vec<(Level, Vec<Chosen>)>> {
        let levels: BTreeSet<Level> = self.levels.iter().copied().collect();
        let chosen = levels
            .into_iter()
            .map(|it| (it, choose(games, it, settings)));
        let (found, none): (Vec<_>, Vec<_>) = chosen.partition(|it| !it.1.is_empty());
        let boards: BTreeSet<String> = games.iter().map(|it| lines(it.size)).collect();
        anyhow::ensure!(
            !found.is_empty(),
            "no person in these games has a rank within {} of a level and played on {}: \
             give other games, or a wider --near; these are on {}",
            self.near,
            lines([self.board; 2]),
            boards.into_iter().collect::<Vec<_>>().join(", ")
        );
        if !none.is_empty() {
            let none: Vec<_> = none.iter().map(|it| it.0.to_string()).collect();
            tracing::warn!("left out, because nobody is near: {}", none.join(", "));
        }
        Ok(found)
    }
}

fn lines([width, height]: [usize; 2]) -> String {
    format!("{width}×{height}")
}
