//! What an experiment showed: tables and plots, ours beside the paper's.
//!
//! [`Report::of`] turns a spec and its ledger into tables of text; `markdown`,
//! `html` and `svg` only write them down. Every measured number comes with its
//! interval and with the number of games or moves it rests on.
//!
//! Invariant: a report depends on the games alone, neither on the order in which
//! they ended nor on the machine's speed. Times are a table apart (`times`).

mod calibration;
mod columns;
mod fits;
mod html;
mod levels;
mod markdown;
mod measures;
mod paper;
mod results;
mod svg;
mod times;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ledger::{self, LedgerError, io_error};
use crate::line::{GameLine, Line, ReplayError, SeatLine, VoidLine};
use crate::review::Review;
use crate::schedule;
use crate::spec::{Measure, Opening, Referee, Spec};
use crate::stats::Estimate;

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Its head line.
    pub title: String,
    /// What was done, in pairs of name and value.
    pub facts: Vec<(String, String)>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The plots.
    pub plots: Vec<Plot>,
    /// What was found for levels of partners, as the coach reads it.
    pub calibration: Option<String>,
}

/// One table of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, as long as the head.
    pub rows: Vec<Vec<String>>,
    /// What a reader must know to read it.
    pub note: String,
}

/// One plot: a row of points with intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The name of its file, without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What the horizontal axis measures.
    pub axis: String,
    /// The ends of the axis.
    pub range: (f64, f64),
    /// The rows from the top.
    pub rows: Vec<PlotRow>,
}

/// One row of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotRow {
    /// Its name.
    pub label: String,
    /// What was measured here.
    pub ours: Estimate,
    /// What the paper says.
    pub paper: Option<f64>,
}

/// A report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The figures that no game shows.
    #[error("{path}: {why}")]
    Figures {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A plot.
    #[error("cannot draw {0}: {1}")]
    Plot(String, String),
}

/// The games of a ledger in the order of the schedule, whatever order they ended in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Games {
    /// The games that count.
    pub games: Vec<GameLine>,
    /// The void ones.
    pub voids: Vec<VoidLine>,
}

impl Games {
    /// Reads a ledger.
    pub fn read(dir: &Path, spec: &Spec) -> Result<Games, LedgerError> {
        Ok(Games::of(ledger::read(dir)?, spec))
    }

    /// Sorts lines.
    pub fn of(lines: Vec<Line>, spec: &Spec) -> Games {
        let order: BTreeMap<String, usize> = schedule::jobs(spec)
            .into_iter()
            .enumerate()
            .map(|(i, job)| (job.id, i))
            .collect();
        let mut games = Games::default();
        for line in lines {
            match line {
                Line::Game(game) => games.games.push(*game),
                Line::Void(void) => games.voids.push(void),
            }
        }
        let place = |id: &String| (order.get(id).copied().unwrap_or(usize::MAX), id.clone());
        games.games.sort_by_cached_key(|it| place(&it.game));
        games.voids.sort_by_cached_key(|it| place(&it.game));
        games
    }
}

impl Report {
    /// Makes a report.
    pub fn of(
        spec: &Spec,
        games: &Games,
        reviews: &BTreeMap<String, Review>,
    ) -> Result<Report, ReportError> {
        let mut report = Report {
            title: spec.title.clone(),
            facts: facts(spec, games, reviews),
            tables: Vec::new(),
            plots: Vec::new(),
            calibration: calibration::of(spec, games),
        };
        if !spec.pairings.is_empty() {
            report.tables.push(results::table(spec, games));
            report.plots.push(results::plot(spec, games));
        }
        for table in &spec.report.tables {
            let (table, plot) = paper::table(spec, table, games, reviews)?;
            report.tables.push(table);
            if !plot.rows.is_empty() {
                report.plots.push(plot);
            }
        }
        for fit in &spec.report.fits {
            report.tables.push(fits::table(spec, fit, games));
        }
        for &measure in &spec.report.measures {
            let (table, plot) = match measure {
                Measure::Ratings => measures::ratings(spec, games),
                Measure::Length => measures::length(spec, games),
                Measure::Margin => measures::margin(spec, games),
                Measure::CenterMoves => measures::center_moves(spec, games)?,
                Measure::Quality => measures::quality(spec, games, reviews)?,
            };
            report.tables.push(table);
            report.plots.extend(plot);
        }
        if let Some(table) = results::incidents(games) {
            report.tables.push(table);
        }
        Ok(report)
    }

    /// Writes `report.md`, `report.html`, `times.md`, the plots, and `calibration.toml` if
    /// levels were found, into a folder.
    pub fn write(&self, dir: &Path, games: &Games) -> Result<Vec<PathBuf>, ReportError> {
        let mut written = Vec::new();
        let mut write = |name: String, text: &str| -> Result<(), ReportError> {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(io_error(&path, "write it"))?;
            written.push(path);
            Ok(())
        };
        let mut drawn = Vec::new();
        for plot in &self.plots {
            let svg = svg::draw(plot)
                .map_err(|why| ReportError::Plot(plot.name.clone(), why.to_string()))?;
            write(format!("{}.svg", plot.name), &svg)?;
            drawn.push(svg);
        }
        if let Some(text) = &self.calibration {
            write("calibration.toml".to_owned(), text)?;
        }
        write("report.md".to_owned(), &markdown::report(self))?;
        write("report.html".to_owned(), &html::report(self, &drawn))?;
        write(
            "times.md".to_owned(),
            &markdown::table(&times::table(games)),
        )?;
        Ok(written)
    }

    /// Returns the report as Markdown.
    pub fn to_markdown(&self) -> String {
        markdown::report(self)
    }
}

fn facts(spec: &Spec, games: &Games, reviews: &BTreeMap<String, Review>) -> Vec<(String, String)> {
    let game = &spec.game;
    let planned: usize = spec.pairings.iter().map(|it| it.games).sum();
    let opening = match &spec.opening {
        Opening::None => "the empty board".to_owned(),
        Opening::Random { moves } => format!("{moves} random moves, the same for both colors"),
        Opening::Sgf { files, moves } => format!("{moves} moves of {} records", files.len()),
    };
    let referee = match &spec.referee {
        Referee::TrompTaylor => "every stone on the board counts as alive".to_owned(),
        Referee::Players => "the players where they agree, else the board as it stands".to_owned(),
        Referee::Engine { command, .. } => format!("`{command}` names the dead stones"),
    };
    let recorded = games.games.iter().filter(|it| is_record(spec, it)).count();
    let played = format!("{} of {planned} planned", games.games.len() - recorded);
    let played = match recorded {
        0 => played,
        records => format!("{played}, and {records} records"),
    };
    let mut facts = vec![
        ("Experiment".to_owned(), spec.name.clone()),
        ("Games".to_owned(), played),
        ("Board".to_owned(), game.board.to_string()),
        (
            "Rules".to_owned(),
            format!("{}, komi {}", game.rules.name(), game.komi),
        ),
        ("Opening".to_owned(), opening),
        ("Referee".to_owned(), referee),
        ("Seed".to_owned(), spec.seed.to_string()),
        (
            "Commit".to_owned(),
            distinct(games.games.iter().map(|it| it.commit.as_str())),
        ),
    ];
    let searched = |game: &GameLine| {
        let seats = [&game.black, &game.white];
        let command = |seat: &&SeatLine| Some(command_of(&seat.settings["evaluator"])?.to_owned());
        seats.iter().find_map(command)
    };
    let by = computed_by(games.games.iter().map(searched));
    facts.extend(by.map(|it| ("Networks of searches".to_owned(), it)));
    let judged = |review: &Review| command_of(&review.evaluator).map(str::to_owned);
    let by = computed_by(reviews.values().map(judged));
    facts.extend(by.map(|it| ("Networks of reviews".to_owned(), it)));
    for (name, player) in &spec.players {
        facts.push((format!("Player {name}"), player_fact(name, player, games)));
    }
    facts
}

/// Returns the command line of an evaluator, if there was one.
fn command_of(evaluator: &serde_json::Value) -> Option<&str> {
    evaluator["command"].as_str()
}

/// Says which commands computed networks, and in how many games; none if none did.
fn computed_by(games: impl Iterator<Item = Option<String>>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for command in games {
        all += 1;
        if let Some(command) = command {
            *counts.entry(command).or_default() += 1;
        }
    }
    let said: Vec<String> = counts
        .iter()
        .map(|(command, n)| format!("`{}` in {n} of {all} games", command.trim()))
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Returns whether a game was played elsewhere.
fn is_record(spec: &Spec, game: &GameLine) -> bool {
    let player = spec.players.get(&game.black.name);
    matches!(player, Some(crate::spec::PlayerSpec::Sgf { .. }))
}

fn player_fact(name: &str, player: &crate::spec::PlayerSpec, games: &Games) -> String {
    let seats = games
        .games
        .iter()
        .flat_map(|game| [&game.black, &game.white])
        .filter(|seat| seat.name == name);
    let settings = serde_json::to_string(player).expect("settings have text keys");
    let mut fact = match player {
        crate::spec::PlayerSpec::Sgf { .. } => format!("`{settings}`"),
        _ => format!(
            "{}, `{settings}`",
            distinct(seats.clone().map(|it| it.program.as_str()))
        ),
    };
    let hashes: Vec<&str> = seats
        .filter(|_| !matches!(player, crate::spec::PlayerSpec::Sgf { .. }))
        .flat_map(|seat| seat.hashes.values().map(String::as_str))
        .collect();
    if !hashes.is_empty() {
        fact.push_str(", ");
        fact.push_str(&distinct(hashes.into_iter()));
    }
    fact
}

/// Returns the different texts, sorted, with commas between.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    texts.sort_unstable();
    texts.dedup();
    if texts.is_empty() {
        "none yet".to_owned()
    } else {
        texts.join(", ")
    }
}
