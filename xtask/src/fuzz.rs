//! `cargo xtask fuzz`: every target of `fuzz/` for a while, one after another.
//!
//! Plain cargo in that folder builds the targets with coverage counters (see
//! `fuzz/.cargo/config.toml`), so neither cargo-fuzz nor a nightly compiler is
//! needed. It begins with `fuzz/seeds/NAME`, where there are any. What was found
//! interesting stays in `fuzz/corpus/NAME` for the next run; a failing input is
//! left in `fuzz/artifacts/NAME`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// Longer inputs find little more here and run slower.
const MAX_LEN: usize = 512;
/// The smallest network is longer than that.
const MAX_NET_LEN: usize = 2048;

#[derive(Debug, PartialEq, Eq)]
struct Options<'a> {
    name: Option<&'a str>,
    seconds: u32,
}

pub(crate) fn run(root: &Path, words: &[&str]) -> Result<()> {
    let options = parse(words)?;
    let folder = root.join("fuzz");
    let mut names = targets(&folder)?;
    if let Some(name) = options.name {
        names.retain(|target| target == name);
        ensure!(!names.is_empty(), "there is no fuzz target `{name}`");
    }
    build(&folder)?;
    for name in names {
        println!("fuzz {name}: {} s", options.seconds);
        fuzz(&folder, &name, options.seconds)?;
    }
    Ok(())
}

fn parse<'a>(words: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options {
        name: None,
        seconds: 30,
    };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "--seconds" {
            let number = words.next().context("--seconds needs a number")?;
            options.seconds = number
                .parse()
                .with_context(|| format!("--seconds {number}"))?;
            // Zero would mean forever.
            ensure!(options.seconds > 0, "--seconds must be at least 1");
        } else if word.starts_with('-') || options.name.is_some() {
            bail!("unexpected `{word}`");
        } else {
            options.name = Some(word);
        }
    }
    Ok(options)
}

fn targets(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join("fuzz_targets"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let stem = path.file_stem().expect("a file has a name");
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn build(folder: &Path) -> Result<()> {
    let status = Command::new("cargo")
        .current_dir(folder)
        .args(["build", "--quiet", "--release", "--bins"])
        .status()
        .context("cargo did not start")?;
    ensure!(status.success(), "the fuzz targets do not build");
    Ok(())
}

fn fuzz(folder: &Path, name: &str, seconds: u32) -> Result<()> {
    let corpus = folder.join("corpus").join(name);
    let artifacts = folder.join("artifacts").join(name);
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    let max_len = if name == "net" { MAX_NET_LEN } else { MAX_LEN };
    let output = Command::new("cargo")
        .current_dir(folder)
        .args(["run", "--quiet", "--release", "--bin", name, "--"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={max_len}"))
        .args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(&corpus)
        .args(Some(folder.join("seeds").join(name)).filter(|seeds| seeds.exists()))
        .output()
        .context("cargo did not start")?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        eprintln!("{log}");
        bail!("fuzz target {name} failed; see {}", artifacts.display());
    }
    let runs = log.lines().find_map(executed_units);
    println!("fuzz {name}: {} inputs held", runs.unwrap_or("some"));
    Ok(())
}

/// Returns the number of inputs tried, from the line of libFuzzer's log that says it.
fn executed_units(line: &str) -> Option<&str> {
    line.strip_prefix("stat::number_of_executed_units:")
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let options = |name, seconds| Options { name, seconds };
        assert_eq!(parse(&[]).unwrap(), options(None, 30));
        assert_eq!(parse(&["sgf"]).unwrap(), options(Some("sgf"), 30));
        let both = parse(&["--seconds", "5", "sgf"]).unwrap();
        assert_eq!(both, options(Some("sgf"), 5));
        for bad in [
            &["--seconds"][..],
            &["--seconds", "0"],
            &["a", "b"],
            &["-x"],
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn every_target_is_declared_and_every_declaration_has_a_file() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let declared = manifest.matches("[[bin]]").count();
        let names = targets(&folder).unwrap();
        for name in &names {
            let path = format!("path = \"fuzz_targets/{name}.rs\"");
            assert!(manifest.contains(&path), "{name}");
        }
        assert_eq!(declared, names.len());
    }
}
