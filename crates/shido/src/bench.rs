//! `shido bench`: the speeds this program promises, as a table.
//!
//! The measuring is in [`shido_lab::bench`]; this file chooses the sections and
//! prints. A table row appears as soon as its section is done.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use shido_lab::bench::{BOARDS, Figure, Net, SECTIONS, Section, Settings, Speed};
use shido_net::shapes::Shape;
use shido_net::{CpuChoice, Engine, Model};

use crate::stdout::Stdout;

/// Measure how fast this program is on this machine.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Measure only this section; may be repeated.
    #[arg(long, value_name = "NAME", value_parser = section_names())]
    section: Vec<String>,

    /// Time for each speed, in seconds.
    #[arg(long, value_name = "N", default_value = "2.5", value_parser = seconds)]
    seconds: Duration,

    /// Measure this network in the section `net`; may be repeated. Also the shapes
    /// b6c96, b7c96h3tf and b10c384h6nbttf, with random weights.
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,

    /// How networks are computed: auto, plain, avx2, avx512, amx or neon.
    #[arg(long, value_name = "WAY", default_value = "auto")]
    cpu: CpuChoice,

    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

fn section_names() -> PossibleValuesParser {
    PossibleValuesParser::new(SECTIONS.iter().map(|section| section.name))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if !(0.001..=3600.0).contains(&number) {
        return Err("must be from 0.001 to 3600".to_owned());
    }
    Ok(Duration::from_secs_f64(number))
}

#[derive(Serialize)]
struct Report {
    boards: [usize; BOARDS.len()],
    windows: usize,
    window_seconds: f64,
    sections: Vec<SectionReport>,
}

#[derive(Serialize)]
struct SectionReport {
    name: &'static str,
    figures: Vec<Figure>,
}

/// Measures and prints.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        nets: nets(args)?,
        cpu: args.cpu,
        ..Settings::per_speed(args.seconds)
    };
    let chosen = SECTIONS.iter().filter(|section| {
        args.section.is_empty() || args.section.iter().any(|name| name == section.name)
    });
    if args.json {
        json(&settings, chosen, out)?;
    } else {
        table(&settings, chosen, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the networks, and makes sure that the path can compute them.
fn nets(args: &Args) -> anyhow::Result<Vec<Net>> {
    if args.cpu != CpuChoice::Auto {
        Engine::new(Arc::new(Shape::B6C96.build()), args.cpu)?;
    }
    args.net
        .iter()
        .map(|path| {
            let shape = Shape::ALL
                .iter()
                .find(|shape| path.as_os_str() == shape.name());
            let model = match shape {
                Some(shape) => shape.build(),
                None => read(path)?,
            };
            let stem = path.file_name().unwrap_or(path.as_os_str());
            let stem = stem.to_string_lossy();
            let name = stem.split(".bin").next().unwrap_or(&stem);
            Ok(Net {
                name: name.chars().take(20).collect(),
                model: Arc::new(model),
            })
        })
        .collect()
}

fn read(path: &Path) -> anyhow::Result<Model> {
    let bytes =
        std::fs::read(path).with_context(|| format!("cannot read network {}", path.display()))?;
    Model::read(&bytes).with_context(|| format!("cannot use network {}", path.display()))
}

fn json<'a>(
    settings: &Settings,
    sections: impl Iterator<Item = &'a Section>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let report = Report {
        boards: BOARDS,
        windows: settings.windows,
        window_seconds: settings.window.as_secs_f64(),
        sections: sections
            .map(|section| SectionReport {
                name: section.name,
                figures: (section.run)(settings),
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)?;
    Ok(())
}

fn table<'a>(
    settings: &Settings,
    sections: impl Iterator<Item = &'a Section>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(
        out,
        "Best / median of {} windows of {:.2} s; one thread unless said otherwise.\n",
        settings.windows,
        settings.window.as_secs_f64(),
    )?;
    write!(out, "{:<36}", "")?;
    for board in BOARDS {
        write!(out, "  {:>23}", format!("{board}×{board}"))?;
    }
    writeln!(out)?;
    out.flush()?;
    for section in sections {
        for figure in (section.run)(settings) {
            writeln!(out, "{}", row(&figure))?;
        }
        out.flush()?;
    }
    Ok(())
}

fn row(figure: &Figure) -> String {
    let name = format!("{}, {}", figure.name, figure.unit);
    let [small, middle, large] = figure.speeds.map(cell);
    format!("{name:<36}  {small:>23}  {middle:>23}  {large:>23}")
}

fn cell(speed: Option<Speed>) -> String {
    speed.map_or_else(
        || "–".to_owned(),
        |Speed { best, median }| format!("{} / {}", amount(best), amount(median)),
    )
}

/// Writes a number with three digits or more, thousands set apart.
fn amount(number: f64) -> String {
    let decimals = match number {
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    let text = format!("{number:.decimals$}");
    if decimals > 0 {
        return text;
    }
    let mut grouped = String::new();
    for (i, digit) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_easy_to_read() {
        for (number, text) in [
            (0.0, "0.00"),
            (1.234, "1.23"),
            (9.996, "10.0"),
            (56.78, "56.8"),
            (99.96, "100"),
            (999.6, "1,000"),
            (123_456.7, "123,457"),
            (1_234_567.0, "1,234,567"),
        ] {
            assert_eq!(amount(number), text);
        }
    }

    #[test]
    fn a_row_has_a_cell_for_each_board() {
        let speed = Speed {
            best: 1200.0,
            median: 1100.0,
        };
        let figure = Figure::by_board("work", "pieces/s", |board| (board != 13).then_some(speed));
        let row = row(&figure);
        assert_eq!(
            row.split_whitespace().collect::<Vec<_>>(),
            [
                "work,", "pieces/s", "1,200", "/", "1,100", "–", "1,200", "/", "1,100"
            ]
        );
    }

    #[test]
    fn only_sensible_times_are_taken() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["0", "-1", "NaN", "inf", "5000", "soon", ""] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
