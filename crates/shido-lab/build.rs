//! Captures the commit the program is built from, for the ledger.
//!
//! `SHIDO_COMMIT` in the environment wins; without it and without git the commit
//! is empty, and experiments ask for it on the command line.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=SHIDO_COMMIT");
    let given = std::env::var("SHIDO_COMMIT").ok();
    let commit = given.or_else(described).unwrap_or_default();
    println!("cargo::rustc-env=SHIDO_COMMIT={commit}");
}

/// What the program is made of; a changed experiment or document makes no other program.
const SOURCES: [&str; 4] = ["crates", "nets", "Cargo.toml", "Cargo.lock"];

/// Asks git, and arranges to be asked again when the answer may have changed.
fn described() -> Option<String> {
    // The mark for uncommitted changes depends on all of them.
    for source in SOURCES {
        println!("cargo::rerun-if-changed=../../{source}");
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["describe", "--always", "--abbrev=12"])?;
    let changes = SOURCES.map(|source| format!(":/{source}"));
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(changes.iter().map(String::as_str));
    let mark = if git(&status).is_some() { "-dirty" } else { "" };
    Some(commit + mark)
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
