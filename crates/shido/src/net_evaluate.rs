//! `shido net evaluate`: how well a network predicts and judges game records.
//!
//! The work is in [`shido_lab::net_evaluate`]; this file reads the flags, shows how
//! far it is and prints what was measured.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use shido_engine::nets::{Embedded, HUMAN};
use shido_go::Rank;
use shido_lab::dataset::{PackedGame, Source};
use shido_lab::net_evaluate::ranks::{RankSettings, guess_ranks, report};
use shido_lab::net_evaluate::{Asked, Predictor, Report, Row, Settings, Value, evaluate, games};
use shido_net::{CpuChoice, Model};

use crate::BadUsage;
use crate::dataset::sourced;
use crate::net::thousands;
use crate::stdout::Stdout;

/// Measure how well a network predicts and judges game records.
///
/// Prints how often the move played was its first choice or among its first five and the mean
/// log evidence, by rank and by phase; how often positions were won by the win rate it gave
/// them; and how far its score was from the counted one.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A network file, or the name of one that is part of the program.
    #[arg(long, value_name = "FILE", default_value = HUMAN.name)]
    net: PathBuf,

    /// Measure the move model that is part of the program instead of a network.
    #[arg(long, conflicts_with = "net")]
    pattern: bool,

    /// Games: files of `shido dataset pack` (.jsonl, .jsonl.gz), SGF files, text files with a
    /// game a line, and folders; fox:PATH, tygem:PATH and so on put ranks on one scale.
    #[arg(long, required = true, num_args = 1.., value_name = "[SOURCE:]PATH", value_parser = maybe_sourced)]
    games: Vec<(Source, PathBuf)>,

    /// Whom a human-imitation net is to imitate: `own` for the players as they are, or a rank
    /// from 30k to 9d for both; several, with commas, are compared.
    #[arg(long, value_name = "RANK", default_value = "own", value_delimiter = ',', value_parser = asked)]
    rank: Vec<Asked>,

    /// Measure at most so many positions of each rank band, or moves of each player with
    /// --estimate-ranks.
    #[arg(long, value_name = "N")]
    positions: Option<usize>,

    /// Take at most so many games, spread over all.
    #[arg(long, value_name = "N")]
    most_games: Option<usize>,

    /// Only games that training never sees: one in fifty, by fingerprint.
    #[arg(long)]
    held_out: bool,

    /// Guess the players' ranks from their moves, and compare.
    #[arg(long)]
    estimate_ranks: bool,

    /// Try every N-th rank when guessing.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=12))]
    rank_step: u8,

    /// How to compute the network: plain, avx2, avx512, neon, amx, or auto.
    #[arg(long, value_name = "WAY", default_value = "auto")]
    cpu: CpuChoice,

    /// Threads to use; all by default.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Reads a path that may have the source of its games before it.
pub(crate) fn maybe_sourced(text: &str) -> Result<(Source, PathBuf), String> {
    match text.split_once(':') {
        Some((source, _)) if source.parse::<Source>().is_ok() => sourced(text),
        _ => Ok((Source::Other, PathBuf::from(text))),
    }
}

fn asked(text: &str) -> Result<Asked, String> {
    match Rank::from_str(text) {
        _ if text == "own" => Ok(Asked::Own),
        Ok(rank @ (Rank::Kyu(_) | Rank::Dan(_))) => Ok(Asked::As(rank)),
        _ => Err("write own, or a rank from 30k to 9d".to_owned()),
    }
}

pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let predictor = args.predictor()?;
    let mut games = args.read()?;
    if let Some(most) = args.most_games {
        let every = games.len().div_ceil(most.max(1));
        games = games.into_iter().step_by(every.max(1)).collect();
    }
    if args.estimate_ranks {
        args.estimate(&predictor, &games, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut reports = Vec::new();
    for &asked in &args.rank {
        let settings = Settings {
            asked,
            positions: args.positions,
            threads: args.threads(),
        };
        let bar = bar("games", games.len());
        let report = evaluate(&predictor, &games, &settings, &|| bar.inc(1));
        bar.finish_and_clear();
        reports.push((asked, report));
    }
    if args.json {
        for (asked, report) in &reports {
            let line = serde_json::json!({ "rank": name(*asked), "report": report });
            writeln!(out, "{line}")?;
        }
    } else if let [(_, report)] = &reports[..] {
        print(report, out)?;
    } else {
        compare(&reports, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn predictor(&self) -> anyhow::Result<Predictor> {
        if self.pattern {
            return Ok(Predictor::pattern()?);
        }
        let model = match self.net.to_str().and_then(Embedded::named) {
            Some(net) => net.model(),
            None => Arc::new(read_model(&self.net)?),
        };
        let predictor = Predictor::net(model, self.cpu).map_err(|it| BadUsage(it.to_string()))?;
        if let Predictor::Net(net) = &predictor {
            tracing::info!("computed by {}", net.cpu());
            if self.estimate_ranks && !net.imitates_people() {
                let why = "--estimate-ranks needs a human-imitation net: this one takes no ranks";
                return Err(BadUsage(why.to_owned()).into());
            }
        }
        Ok(predictor)
    }

    fn read(&self) -> anyhow::Result<Vec<PackedGame>> {
        let bar = bar("files", 0);
        let games = games::read(&self.games, self.held_out, self.threads(), &|done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        Ok(games?)
    }

    fn threads(&self) -> usize {
        let all = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.unwrap_or_else(all).max(1)
    }

    fn estimate(
        &self,
        predictor: &Predictor,
        games: &[PackedGame],
        out: &mut Stdout,
    ) -> anyhow::Result<()> {
        if self.pattern {
            let why = "--estimate-ranks needs a human-imitation net, not --pattern";
            return Err(BadUsage(why.to_owned()).into());
        }
        let settings = RankSettings {
            moves: self.positions,
            step: self.rank_step,
            threads: self.threads(),
        };
        let bar = bar("games", games.len());
        let players = guess_ranks(predictor, games, &settings, &|| bar.inc(1));
        bar.finish_and_clear();
        anyhow::ensure!(!players.is_empty(), "no player of these games has a rank");
        let found = report(&players);
        if self.json {
            let line = serde_json::json!({
                "players": players,
                "correlation": found.correlation.value,
                "error": found.error.value,
                "error_interval": [found.error.low, found.error.high],
                "correlation_interval": [found.correlation.low, found.correlation.high],
                "likeliest_error": found.likeliest_error,
                "bias": found.bias,
                "median_error": found.median_error,
            });
            writeln!(out, "{line}")?;
            return Ok(());
        }
        let moves: usize = players.iter().map(|it| it.moves).sum();
        writeln!(
            out,
            "{} games, {} players, {:.0} moves of each",
            games.len(),
            players.len(),
            moves as f64 / players.len() as f64
        )?;
        writeln!(out, "correlation          {}", found.correlation)?;
        writeln!(out, "mean error in ranks  {}", found.error)?;
        writeln!(
            out,
            "mean error of the likeliest rank {:.2}",
            found.likeliest_error
        )?;
        writeln!(out, "mean of guess − rank {:.2}", found.bias)?;
        writeln!(
            out,
            "mean error if all were guessed the median rank {:.2}",
            found.median_error
        )?;
        Ok(())
    }
}

pub(crate) fn read_model(path: &Path) -> anyhow::Result<Model> {
    let place = || path.display().to_string();
    let bytes = fs::read(path).with_context(place)?;
    Model::read(&bytes).with_context(place)
}

fn print(report: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{} games\n", thousands(report.games))?;
    writeln!(
        out,
        "| moves | n | top 1 | 95 % interval | top 5 | mean log evidence | variance |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|--:|")?;
    let rows = [&report.all].into_iter();
    for row in rows.chain(&report.by_rank).chain(&report.by_phase) {
        print_row(row, out)?;
    }
    report
        .value
        .as_ref()
        .map_or(Ok(()), |it| print_value(it, out))
}

fn print_row(row: &Row, out: &mut impl Write) -> anyhow::Result<()> {
    if row.moves > 0 {
        let [low, high] = row.top_1_interval.map(|it| 100.0 * it);
        writeln!(
            out,
            "| {} | {} | {:.1} % | {low:.1}–{high:.1} | {:.1} % | {:.3} | {:.3} |",
            row.name,
            thousands(row.moves as usize),
            100.0 * row.top_1,
            100.0 * row.top_5,
            row.log_evidence,
            row.variance
        )?;
    }
    Ok(())
}

fn print_value(value: &Value, out: &mut impl Write) -> anyhow::Result<()> {
    if value.results == 0 {
        return Ok(());
    }
    writeln!(out, "\n| win rate said | n | mean said | won |")?;
    writeln!(out, "|---|--:|--:|--:|")?;
    for (i, bin) in value.bins.iter().enumerate() {
        if bin.positions > 0 {
            writeln!(
                out,
                "| {}–{} % | {} | {:.1} % | {:.1} % |",
                10 * i,
                10 * (i + 1),
                thousands(bin.positions as usize),
                100.0 * bin.predicted,
                100.0 * bin.won
            )?;
        }
    }
    writeln!(
        out,
        "\ncross-entropy of {} results {:.3}",
        thousands(value.results as usize),
        value.cross_entropy
    )?;
    if value.scores > 0 {
        writeln!(
            out,
            "mean error of {} scores {:.1} points",
            thousands(value.scores as usize),
            value.score_error
        )?;
    }
    Ok(())
}

/// Prints top 1 and mean log evidence of each band by the rank asked for.
fn compare(reports: &[(Asked, Report)], out: &mut impl Write) -> anyhow::Result<()> {
    write!(out, "| moves | n |")?;
    for (asked, _) in reports {
        write!(out, " {} |", name(*asked))?;
    }
    writeln!(out, "\n|---|{}", "--:|".repeat(reports.len() + 1))?;
    for (i, row) in reports[0].1.by_rank.iter().enumerate() {
        if row.moves == 0 {
            continue;
        }
        write!(out, "| {} | {} |", row.name, thousands(row.moves as usize))?;
        for (_, report) in reports {
            let row = &report.by_rank[i];
            write!(
                out,
                " {:.1} %, {:.3} |",
                100.0 * row.top_1,
                row.log_evidence
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn name(asked: Asked) -> String {
    match asked {
        Asked::Own => "own".to_owned(),
        Asked::As(rank) => rank.to_string(),
    }
}

/// A bar on a terminal, nothing in a pipe.
pub(crate) fn bar(what: &'static str, len: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} {msg}, {eta} left");
    let bar = ProgressBar::new(len as u64).with_message(what);
    bar.with_style(style.expect("the template is right"))
}
