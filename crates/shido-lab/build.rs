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

/// Asks git, and arranges to be asked again when the answer may have changed.
fn described() -> Option<String> {
    // The mark for uncommitted changes depends on every source of the workspace.
    println!("cargo::rerun-if-changed=..");
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["describe", "--always", "--dirty", "--abbrev=12"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
