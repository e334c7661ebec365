//! The tables of `shido partner evaluate`, in Markdown.

use std::io::Write;

use serde_json::Value;
use shido_lab::partner_evaluate::{LevelReport, Side};
use shido_lab::stats::Estimate;

/// Prints what was measured and how.
pub(super) fn print(
    about: &Value,
    reports: &[LevelReport],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "commit {}", text(&about["commit"]))?;
    writeln!(out, "settings {}", about["settings"])?;
    for role in ["engine", "human", "judge", "judge_human"] {
        let net = &about["nets"][role];
        let hash = text(&net["hash"]);
        let hash = hash.get(..8).unwrap_or(hash);
        writeln!(out, "{role} {} {hash}", text(&net["name"]))?;
    }
    losses(reports, out)?;
    by_lead(reports, out)?;
    likelihoods(reports, out)?;
    aims(reports, out)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("move model")
}

fn losses(reports: &[LevelReport], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\nPoints lost a move:\n")?;
    writeln!(
        out,
        "| level | n | games | people | partner | partner − people | medians | over 5 | over 15 |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for it in reports {
        let [people, partner] = [&it.people, &it.partner];
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {:.2} / {:.2} | {} | {} |",
            it.level,
            it.positions,
            it.games,
            number(&people.loss),
            number(&partner.loss),
            number(&it.difference),
            people.median_loss,
            partner.median_loss,
            shares(it, |it| it.over_5),
            shares(it, |it| it.over_15),
        )?;
    }
    Ok(())
}

fn by_lead(reports: &[LevelReport], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\nThe same by the mover's lead, people / partner:\n")?;
    write!(out, "| level |")?;
    let names = reports.first().map(|it| it.by_lead.each_ref());
    for band in names.into_iter().flatten() {
        write!(out, " {} | n | difference |", band.name)?;
    }
    writeln!(out, "\n|---|{}", "--:|".repeat(9))?;
    for it in reports {
        write!(out, "| {} |", it.level)?;
        for band in &it.by_lead {
            match band.people.n {
                0 => write!(out, " | 0 | |")?,
                n => write!(
                    out,
                    " {:.2} / {:.2} | {n} | {} |",
                    band.people.value,
                    band.partner.value,
                    number(&band.difference)
                )?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn likelihoods(reports: &[LevelReport], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nHow likely people of the rank make the moves, people / partner:\n"
    )?;
    writeln!(
        out,
        "| level | mean | geometric mean, people | partner | likeliest move | under 1 % | over 90 % missed | same move |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|--:|--:|")?;
    for it in reports {
        let [people, partner] = [&it.people, &it.partner];
        writeln!(
            out,
            "| {} | {:.3} / {:.3} | {} | {} | {} | {} | {} | {:.0} % |",
            it.level,
            people.arithmetic.value,
            partner.arithmetic.value,
            digits(&people.geometric, 3),
            digits(&partner.geometric, 3),
            shares(it, |it| it.likeliest),
            shares(it, |it| it.unlikely),
            shares(it, |it| it.neglected),
            100.0 * it.same.value,
        )?;
    }
    Ok(())
}

fn aims(reports: &[LevelReport], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "\nWhat the partner wanted, in points:\n")?;
    writeln!(
        out,
        "| level | beta | variety | target | gave away, it thought | resigned | numbers |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|---|")?;
    for it in reports {
        let settings = &it.settings;
        writeln!(
            out,
            "| {} | {:.2} | {:.2} | {} | {} | {} | {} |",
            it.level,
            settings.control.even_loss,
            settings.natural.variety,
            number(&it.target),
            number(&it.own_loss),
            it.resigned,
            it.provenance,
        )?;
    }
    Ok(())
}

fn number(it: &Estimate) -> String {
    digits(it, 2)
}

/// Writes a value and its interval, nothing if there is none.
fn digits(it: &Estimate, digits: usize) -> String {
    match it.n {
        0 => String::new(),
        _ => format!(
            "{:.digits$} [{:.digits$}, {:.digits$}]",
            it.value, it.low, it.high
        ),
    }
}

fn shares(report: &LevelReport, of: impl Fn(&Side) -> Estimate) -> String {
    let [people, partner] = [&report.people, &report.partner].map(|it| 100.0 * of(it).value);
    format!("{people:.1} / {partner:.1} %")
}
