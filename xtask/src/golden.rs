//! `cargo xtask golden DIR`: our engine against reference outputs of KataGo.
//!
//! DIR holds `NAME.jsonl.gz`, one forward pass a line for the network NAME, and
//! `search-NAME.jsonl.gz`, searches with it; each line has the `query` and what
//! KataGo answered, from Black's side. Networks are files whose names begin with
//! NAME in DIR/../nets or --nets, or are given by --net NAME=FILE. Records whose query
//! has a `humanSLProfile` hold what --human-net says too, the program's own if none is
//! given. The program itself is asked, through its analysis protocol. What cannot run
//! says SKIPPED.

mod compare;
mod engine;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use serde_json::Value;

use self::compare::{FirstMoves, Passes, Report, Searches};
use self::engine::{Engine, Nets};

/// Settings of the forward passes in the folder.
const PASS_SETTINGS: &str = "reportAnalysisWinratesAs=BLACK,nnRandomize=false,\
                             conservativePass=true,ignorePreRootHistory=false";
/// The searches were made with the usual settings.
const SEARCH_SETTINGS: &str = "reportAnalysisWinratesAs=BLACK";

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    folder: PathBuf,
    nets: Option<PathBuf>,
    net_files: Vec<(String, PathBuf)>,
    human_net: Option<PathBuf>,
    /// Values for the program's `--cpu`; none leaves the choice to it.
    cpus: Vec<String>,
    program: Option<PathBuf>,
    only: Option<String>,
    records: Option<usize>,
}

pub(crate) fn run(root: &Path, words: &[&str]) -> Result<()> {
    let options = parse(words)?;
    if !options.folder.is_dir() {
        let folder = options.folder.display();
        println!("golden: SKIPPED: there is no folder {folder}");
        return Ok(());
    }
    let mut tasks = Vec::new();
    for (name, file) in records_files(&options)? {
        let net = name.strip_prefix("search-").unwrap_or(&name);
        match find_net(&options, net)? {
            Some(path) => tasks.push((name, file, path)),
            None => println!("golden: SKIPPED {name}: no file of the network {net}"),
        }
    }
    if tasks.is_empty() {
        println!("golden: SKIPPED: nothing to compare");
        return Ok(());
    }
    let program = match &options.program {
        Some(path) => path.clone(),
        None => build(root)?,
    };
    let cpus: Vec<Option<&str>> = match options.cpus.as_slice() {
        [] => vec![None],
        cpus => cpus.iter().map(|cpu| Some(cpu.as_str())).collect(),
    };
    let mut failed = Vec::new();
    let mut first_moves = vec![FirstMoves::default(); cpus.len()];
    for (name, file, net) in &tasks {
        for (&cpu, first_moves) in cpus.iter().zip(&mut first_moves) {
            let shown = format!("{name} ({})", cpu.unwrap_or("auto"));
            let report = compare(&options, &program, (name, file, net), cpu)
                .with_context(|| shown.clone())?;
            first_moves.add(report.first_moves);
            if !report.passed {
                failed.push(shown);
            }
        }
    }
    for (cpu, all) in cpus.iter().zip(first_moves) {
        let cpu = cpu.unwrap_or("auto");
        let FirstMoves { same, records } = all;
        if records > 0 {
            println!("\n{cpu}: the same first move on {same} of {records} (98 % asked)");
        }
        if !all.passed() {
            failed.push(format!("first moves ({cpu})"));
        }
    }
    ensure!(
        failed.is_empty(),
        "outside the tolerances: {}",
        failed.join(", ")
    );
    Ok(())
}

fn parse(words: &[&str]) -> Result<Options> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = || {
            let value = words
                .next()
                .with_context(|| format!("{word} needs a value"));
            value.map(|value| (*value).to_owned())
        };
        match word {
            "--nets" => options.nets = Some(value()?.into()),
            "--net" => {
                let value = value()?;
                let pair = value.split_once('=');
                let (name, file) = pair.context("--net needs NAME=FILE")?;
                options.net_files.push((name.to_owned(), file.into()));
            }
            "--human-net" => options.human_net = Some(value()?.into()),
            "--cpu" => options.cpus.extend(value()?.split(',').map(str::to_owned)),
            "--shido" => options.program = Some(value()?.into()),
            "--only" => options.only = Some(value()?),
            "--records" => options.records = Some(value()?.parse().context("--records")?),
            _ if word.starts_with('-') || !options.folder.as_os_str().is_empty() => {
                bail!("unexpected `{word}`")
            }
            _ => options.folder = word.into(),
        }
    }
    ensure!(!options.folder.as_os_str().is_empty(), "which folder?");
    Ok(options)
}

/// Returns the names and files of the records, forward passes first.
fn records_files(options: &Options) -> Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(&options.folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(name) = name.strip_suffix(".jsonl.gz")
            && options.only.as_ref().is_none_or(|only| only == name)
        {
            files.push((name.to_owned(), path.clone()));
        }
    }
    files.sort_by_key(|(name, _)| (name.starts_with("search-"), name.clone()));
    Ok(files)
}

fn find_net(options: &Options, name: &str) -> Result<Option<PathBuf>> {
    if let Some((_, path)) = options.net_files.iter().find(|(it, _)| it == name) {
        ensure!(path.is_file(), "there is no file {}", path.display());
        return Ok(Some(path.clone()));
    }
    let beside = options.folder.join("../nets");
    let folder = options.nets.as_ref().unwrap_or(&beside);
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(None);
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            // The name ends where the rest of a file's name begins.
            let rest = file.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(['.', '-']))
        })
        .collect();
    found.sort();
    Ok(found.into_iter().next())
}

fn build(root: &Path) -> Result<PathBuf> {
    let output = Command::new("cargo")
        .current_dir(root)
        .args(["build", "--release", "--package", "shido"])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo did not start")?;
    ensure!(output.status.success(), "shido does not build");
    let messages = String::from_utf8_lossy(&output.stdout);
    let program = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .next_back();
    program.context("cargo did not say where the program is")
}

/// Compares one file of records.
fn compare(
    options: &Options,
    program: &Path,
    (name, file, net): (&str, &Path, &Path),
    cpu: Option<&str>,
) -> Result<Report> {
    let mut records = read_records(file)?;
    records.truncate(options.records.unwrap_or(usize::MAX));
    let searched = name.starts_with("search-");
    let settings = if searched {
        SEARCH_SETTINGS
    } else {
        PASS_SETTINGS
    };
    let nets = Nets {
        net,
        human_net: options.human_net.as_deref(),
    };
    let mut engine = Engine::start(program, &nets, cpu, settings)?;
    let half = engine.uses_half_precision()?;
    let queries = records.iter().enumerate();
    let queries = queries.map(|(i, record)| query(record, i, searched));
    let answers = engine.ask(queries.collect::<Result<Vec<_>>>()?)?;
    println!(
        "\n{name}: {} records, {}, {}",
        records.len(),
        cpu.unwrap_or("auto"),
        if half { "bf16" } else { "fp32" }
    );
    let pairs = records.iter().zip(&answers);
    let report = if searched {
        Searches::of(pairs)?.report()
    } else {
        Passes::of(pairs)?.report(half)
    };
    println!("{}", report.table);
    println!("{}", if report.passed { "PASS" } else { "FAIL" });
    Ok(report)
}

fn read_records(file: &Path) -> Result<Vec<Value>> {
    let packed = fs::File::open(file)?;
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text)?;
    let lines = text.lines().enumerate();
    lines
        .map(|(i, line)| serde_json::from_str(line).with_context(|| format!("line {}", i + 1)))
        .collect()
}

/// Returns the query of a record with a number of ours.
fn query(record: &Value, number: usize, searched: bool) -> Result<Value> {
    let mut query = record.get("query").context("no query")?.clone();
    let object = query.as_object_mut().context("the query is no object")?;
    object.insert("id".to_owned(), Value::from(number.to_string()));
    if !searched {
        object.insert("maxVisits".to_owned(), Value::from(1));
        object.insert("includePolicy".to_owned(), Value::from(true));
        object.insert("includeOwnership".to_owned(), Value::from(true));
    }
    Ok(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let words = [
            "golden",
            "--cpu",
            "plain,avx2",
            "--net",
            "a=b.bin",
            "--records",
            "3",
            "--human-net",
            "h.bin",
        ];
        let options = parse(&words).unwrap();
        assert_eq!(options.folder, Path::new("golden"));
        assert_eq!(options.cpus, ["plain", "avx2"]);
        assert_eq!(
            options.net_files,
            [("a".to_owned(), PathBuf::from("b.bin"))]
        );
        assert_eq!(options.records, Some(3));
        assert_eq!(options.human_net, Some(PathBuf::from("h.bin")));
        for bad in [&[][..], &["a", "b"], &["a", "--net", "x"], &["--what"]] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_missing_folder_is_skipped() {
        run(Path::new("."), &["/no/such/folder"]).unwrap();
    }
}
