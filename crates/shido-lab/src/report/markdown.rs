//! A report as Markdown.

use std::fmt::Write;

use super::{Report, Table};

/// Returns the whole report.
pub(super) fn report(report: &Report) -> String {
    let mut out = format!("# {}\n\n", report.title);
    for (name, value) in &report.facts {
        writeln!(out, "- **{name}**: {value}").expect("a string takes everything");
    }
    for it in &report.tables {
        write!(out, "\n{}", table(it)).expect("a string takes everything");
    }
    if !report.plots.is_empty() {
        out.push_str("\n## Plots\n\n");
        for plot in &report.plots {
            writeln!(out, "![{}]({}.svg)", plot.title, plot.name)
                .expect("a string takes everything");
        }
    }
    out
}

/// Returns one table under a heading.
pub(super) fn table(table: &Table) -> String {
    let mut out = format!("## {}\n\n", table.title);
    push_row(&mut out, &table.head);
    let lines: Vec<String> = table.head.iter().map(|_| "---".to_owned()).collect();
    push_row(&mut out, &lines);
    for row in &table.rows {
        push_row(&mut out, row);
    }
    if !table.note.is_empty() {
        write!(out, "\n{}\n", table.note).expect("a string takes everything");
    }
    out
}

fn push_row(out: &mut String, cells: &[String]) {
    for cell in cells {
        let cell = cell.replace('|', "\\|").replace('\n', " ");
        write!(out, "| {cell} ").expect("a string takes everything");
    }
    out.push_str("|\n");
}
