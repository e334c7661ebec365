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
mod facts;
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
use crate::line::{GameLine, Line, ReplayError, VoidLine};
use crate::review::Review;
use crate::schedule::{self, Selection};
use crate::spec::{Measure, Spec};
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
        let order: BTreeMap<String, usize> = schedule::jobs(spec, &Selection::ALL)
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
            facts: facts::of(spec, games, reviews),
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
