//! `cargo xtask tidy`: what the compiler does not check.
//!
//! Each check is a function from text to findings, so that it can be tested on
//! a few lines; this file alone reads the repository. Errors fail the run,
//! warnings do not. Looked at are the files git tracks or would track.

mod arrows;
mod citations;
mod links;
mod shape;
mod words;

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Something a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    severity: Severity,
    /// From the root of the repository.
    path: String,
    /// From 1; 0 when it is about the whole file.
    line: usize,
    message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    Error,
    Warning,
}

impl Finding {
    fn error(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding {
            severity: Severity::Error,
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }

    fn warning(path: &str, line: usize, message: impl Into<String>) -> Finding {
        Finding {
            severity: Severity::Warning,
            ..Finding::error(path, line, message)
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let Finding { path, message, .. } = self;
        match self.line {
            0 => write!(f, "{severity}: {path}: {message}"),
            line => write!(f, "{severity}: {path}:{line}: {message}"),
        }
    }
}

/// A text file of the repository.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|found| found == extension)
    }
}

const REFERENCES: &str = "docs/references.md";

pub(crate) fn run(root: &Path) -> Result<()> {
    let sources = sources(root)?;
    let mut findings = arrows::check(&arrows::metadata(root)?);
    let references = sources
        .iter()
        .find(|source| source.path == REFERENCES)
        .with_context(|| format!("{REFERENCES} is missing"))?;
    let references = citations::References::read(&references.text);
    for source in &sources {
        let Source { path, text } = source;
        if source.has_extension("rs") {
            findings.extend(shape::check(path, text));
            findings.extend(words::check_purity(path, text));
        }
        if source.has_extension("rs") || source.has_extension("md") || source.has_extension("toml")
        {
            findings.extend(citations::check(path, text, &references));
        }
        if source.has_extension("md") {
            findings.extend(links::check(path, text, |target| {
                root.join(target).exists()
            }));
        }
        findings.extend(words::check_words(path, text));
        findings.extend(words::check_lock(path, text));
    }
    report(&sources, &findings)
}

fn report(sources: &[Source], findings: &[Finding]) -> Result<()> {
    for finding in findings {
        eprintln!("{finding}");
    }
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .count();
    let warnings = findings.len() - errors;
    ensure!(errors == 0, "tidy: {errors} errors, {warnings} warnings");
    println!("tidy: {} files, {warnings} warnings", sources.len());
    Ok(())
}

fn sources(root: &Path) -> Result<Vec<Source>> {
    let output = Command::new("git")
        .current_dir(root)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .output()
        .context("git did not start")?;
    ensure!(output.status.success(), "git ls-files failed");
    let mut sources = Vec::new();
    for path in output.stdout.split(|&byte| byte == 0) {
        let path = String::from_utf8_lossy(path).into_owned();
        // A file deleted but still in the index, and a binary one, have no text.
        if let Ok(text) = fs::read_to_string(root.join(&path)) {
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}
