//! A report as one HTML page that needs no other file.

use std::fmt::Write;

use super::{Report, Table};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;\
    padding:0 1rem;color:#222}table{border-collapse:collapse;margin:1rem 0;display:block;\
    overflow-x:auto}th,td{border:1px solid #ccc;padding:.3rem .6rem;text-align:left;\
    font-variant-numeric:tabular-nums}th{background:#f3f0e8}dt{font-weight:600}\
    dd{margin:0 0 .4rem;overflow-wrap:anywhere}svg{max-width:100%;height:auto}\
    p{color:#555}";

/// Returns the page; `plots` are the drawn plots of the report.
pub(super) fn report(report: &Report, plots: &[String]) -> String {
    let title = escape(&report.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<dl>\n"
    );
    for (name, value) in &report.facts {
        let (name, value) = (escape(name), escape(&value.replace('`', "")));
        writeln!(out, "<dt>{name}</dt><dd>{value}</dd>").expect("a string takes everything");
    }
    out.push_str("</dl>\n");
    for table in &report.tables {
        push_table(&mut out, table);
    }
    for (plot, svg) in report.plots.iter().zip(plots) {
        let title = escape(&plot.title);
        writeln!(out, "<h2>{title}</h2>\n{}", svg.trim()).expect("a string takes everything");
    }
    out.push_str("</html>\n");
    out
}

fn push_table(out: &mut String, table: &Table) {
    writeln!(out, "<h2>{}</h2>\n<table>", escape(&table.title)).expect("a string takes everything");
    push_row(out, "th", &table.head);
    for row in &table.rows {
        push_row(out, "td", row);
    }
    out.push_str("</table>\n");
    if !table.note.is_empty() {
        writeln!(out, "<p>{}</p>", escape(&table.note)).expect("a string takes everything");
    }
}

fn push_row(out: &mut String, tag: &str, cells: &[String]) {
    out.push_str("<tr>");
    for cell in cells {
        write!(out, "<{tag}>{}</{tag}>", escape(cell)).expect("a string takes everything");
    }
    out.push_str("</tr>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
