//! `cargo xtask test`: every test there is, of the program, the page and the trainer.
//!
//! Builds the program first, since the tests in the browser use it. What needs a tool
//! that is not here is skipped and says so; where `CI` is `true` that is a failure,
//! except for the trainer, whose library is a download of gigabytes.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

pub(crate) fn run(root: &Path, words: &[&str]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("unexpected `{word}`");
    }
    let program = build(root)?;
    call(cargo(root).args(["test", "--release", "--workspace"]))?;
    page(root, &program)?;
    trainer(root)
}

/// Builds the program and returns where it lies.
fn build(root: &Path) -> Result<PathBuf> {
    call(cargo(root).args(["build", "--release"]))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release").join("shido"))
}

/// Types, format, units and the tests in the browser.
fn page(root: &Path, program: &Path) -> Result<()> {
    if !runs(Command::new("npm").arg("--version")) {
        return skip("the page's tests", "there is no Node");
    }
    let script = root.join("ui").join("ci.sh");
    call(Command::new("bash").arg(script).env("SHIDO_BIN", program))
}

fn trainer(root: &Path) -> Result<()> {
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !runs(Command::new(&python).args(["-c", "import torch, numpy, pytest"])) {
        let what = "the trainer's tests";
        println!("SKIPPED: {what}, because {python} has no torch, numpy and pytest");
        return Ok(());
    }
    let folder = root.join("train");
    call(
        Command::new(python)
            .args(["-m", "pytest", "-q"])
            .current_dir(folder),
    )
}

/// Says that something is skipped; a failure where everything must be there.
fn skip(what: &str, why: &str) -> Result<()> {
    ensure!(
        env::var_os("CI").is_none_or(|it| it != "true"),
        "{what} cannot run: {why}"
    );
    println!("SKIPPED: {what}, because {why}");
    Ok(())
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

fn runs(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|it| it.success())
}

fn call(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{} did not start", command.get_program().display()))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
