//! A table with a paper's figures beside ours.
//!
//! What [`columns`](super::columns) knows is measured by the games and their reviews.
//! Other columns, such as a model's mean log evidence, come from a JSON file that the
//! program which measured them wrote:
//! `{"row": {"column": {"value": …, "low": …, "high": …, "n": …}}}`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::columns::{Column, Row};
use super::measures::witness;
use super::results::{of_pairing, win_rate};
use super::{Games, Plot, PlotRow, ReportError, Table};
use crate::review::Review;
use crate::spec::{Spec, TableSpec};
use crate::stats::Estimate;

/// The column that the games themselves give.
const WIN_RATE: &str = "win_rate";

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    value: f64,
    low: f64,
    high: f64,
    n: u64,
}

type Figures = BTreeMap<String, BTreeMap<String, Figure>>;

pub(super) fn table(
    spec: &Spec,
    table: &TableSpec,
    games: &Games,
    reviews: &BTreeMap<String, Review>,
) -> Result<(Table, Plot), ReportError> {
    let figures = figures(spec, table)?;
    let mut head = vec!["row".to_owned()];
    for column in &table.columns {
        head.push(format!("{column}, paper"));
        head.push(format!("{column}, ours"));
    }
    let mut rows = Vec::new();
    let mut plotted = Vec::new();
    for name in &table.rows {
        let measured = win_rate(name, of_pairing(games, name, &table.opponent));
        let paper = table.paper.get(name);
        let seats = Row::new(spec, games, reviews, name, &table.opponent);
        let mut row = vec![name.clone()];
        for column in &table.columns {
            let theirs = paper.and_then(|it| it.get(column)).copied();
            row.push(theirs.map_or_else(|| "—".to_owned(), |it| show_paper(column, it)));
            row.push(if column == WIN_RATE {
                measured.percent().to_string()
            } else if let Some(known) = Column::named(column) {
                known.unit.show(known.of(&seats)?)
            } else {
                let ours = figures.get(name).and_then(|it| it.get(column));
                ours.map_or_else(|| "—".to_owned(), |it| format!("{:.4}", estimate(*it)))
            });
        }
        rows.push(row);
        plotted.push(PlotRow {
            label: name.clone(),
            ours: measured.map(|it| 100.0 * it),
            paper: paper.and_then(|it| it.get(WIN_RATE)).map(|it| 100.0 * it),
        });
    }
    let shown = Table {
        title: table.title.clone(),
        head,
        rows,
        note: format!(
            "Paper: {}. Ours: games with {}, win rates and shares of games with 95 % Wilson \
             intervals, the rest with bootstrap intervals over games; naturalness by {}.",
            table.source,
            table.opponent,
            witness(spec)
        ),
    };
    let plot = Plot {
        name: file_name(&table.title),
        title: table.title.clone(),
        axis: format!("won against {}, %", table.opponent),
        range: (0.0, 100.0),
        rows: plotted,
    };
    Ok((shown, plot))
}

fn figures(spec: &Spec, table: &TableSpec) -> Result<Figures, ReportError> {
    let Some(name) = &table.figures else {
        return Ok(Figures::new());
    };
    let path = spec.path(name);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        // Not measured yet, or a report away from the spec: the column stays empty.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Figures::new()),
        Err(error) => {
            return Err(ReportError::Figures {
                path,
                why: error.to_string(),
            });
        }
    };
    serde_json::from_str(&text).map_err(|error| ReportError::Figures {
        path,
        why: error.to_string(),
    })
}

fn estimate(figure: Figure) -> Estimate {
    Estimate {
        value: figure.value,
        low: figure.low,
        high: figure.high,
        n: figure.n,
    }
}

fn show_paper(column: &str, value: f64) -> String {
    match Column::named(column) {
        _ if column == WIN_RATE => format!("{:.1} %", 100.0 * value),
        Some(known) => known.unit.show_paper(value),
        None => value.to_string(),
    }
}

/// Makes a title into the name of a file.
fn file_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn titles_make_file_names() {
        assert_eq!(file_name("PD10, Figure 1 (9×9)"), "pd10-figure-1-9-9");
    }
}
