//! `shido sgf check`: reads game records and says what is wrong with them.
//!
//! One line for each warning or error (file, byte offset, what, what was done
//! about it) in the order of the files, then a summary line. Files are read on
//! all cores; a large file takes several times its length in memory, so large
//! ones are read one at a time and files over [`MAX_FILE`] are refused.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use shido_go::Game;
use shido_go::sgf::{self, Warnings};

use crate::stdout::Stdout;

/// The longest file that is read: 256 MB.
const MAX_FILE: u64 = 256 * 1_000_000;
/// Files longer than this are read one at a time: 32 MB.
const LARGE_FILE: u64 = 32 * 1_000_000;

/// Read SGF files and say what is wrong with them.
///
/// Prints a line for every warning (what was odd, at which byte, and what was done about it) and
/// every error (a file without a game that can be read), then a summary line. Every main line is
/// played through. Fails if there was an error; warnings alone are no failure.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files, and folders to search for *.sgf, at any depth.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Print JSON lines: an object for each file with findings, and the summary last.
    #[arg(long)]
    json: bool,
}

/// What was found in one file.
#[derive(Debug, Default, Serialize)]
struct Report {
    file: PathBuf,
    games: usize,
    errors: Vec<String>,
    warnings: Warnings,
}

/// What was found in all files.
#[derive(Debug, Default, Serialize)]
struct Summary {
    files: usize,
    games: usize,
    warnings: usize,
    errors: usize,
}

/// Checks and prints.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let mut summary = Summary::default();
    let (files, unreadable) = find_files(&args.paths);
    for report in &unreadable {
        summary.errors += report.errors.len();
        print(report, args.json, out)?;
    }
    let bar = progress(files.len());
    let result = check_all(&files, |report| {
        bar.inc(1);
        summary.files += 1;
        summary.games += report.games;
        summary.warnings += report.warnings.count();
        summary.errors += report.errors.len();
        bar.suspend(|| print(&report, args.json, out))
    });
    bar.finish_and_clear();
    result?;
    if args.json {
        let line = serde_json::json!({ "summary": summary });
        writeln!(out, "{line}")?;
    } else {
        let Summary {
            files,
            games,
            warnings,
            errors,
        } = summary;
        writeln!(
            out,
            "{files} files, {games} games, {warnings} warnings, {errors} errors"
        )?;
    }
    Ok(ExitCode::from(u8::from(summary.errors > 0)))
}

/// A bar on a terminal, nothing in a pipe.
fn progress(files: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left")
        .expect("the template is valid");
    ProgressBar::new(files as u64).with_style(style)
}

fn print(report: &Report, json: bool, out: &mut impl Write) -> io::Result<()> {
    if report.errors.is_empty() && report.warnings.is_empty() {
        return Ok(());
    }
    if json {
        let line = serde_json::to_string(report)?;
        return writeln!(out, "{line}");
    }
    let file = report.file.display();
    for error in &report.errors {
        writeln!(out, "{file}: error: {error}")?;
    }
    for warning in report.warnings.listed() {
        writeln!(out, "{file}: warning: {warning}")?;
    }
    if report.warnings.unlisted() > 0 {
        writeln!(
            out,
            "{file}: and {} more warnings",
            report.warnings.unlisted()
        )?;
    }
    Ok(())
}

/// Returns the files meant, sorted within a folder, and a report for each path that cannot be read.
fn find_files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Report>) {
    let mut files = Vec::new();
    let mut unreadable = Vec::new();
    let failed = |file: &Path, error: &dyn std::fmt::Display| Report {
        file: file.to_owned(),
        errors: vec![error.to_string()],
        ..Report::default()
    };
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            match list(&folder) {
                Ok((found, deeper)) => {
                    files.extend(found);
                    // The stack gives the last pushed first.
                    folders.extend(deeper.into_iter().rev());
                }
                Err(error) => unreadable.push(failed(&folder, &error)),
            }
        }
    }
    (files, unreadable)
}

/// Returns a folder's records and folders, sorted. Links to folders are not followed: they may go in circles.
fn list(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_sgf = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
        if entry.file_type()?.is_dir() {
            folders.push(path);
        } else if is_sgf && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}

/// Checks files on all cores and hands the reports over in the order of the files.
fn check_all(files: &[PathBuf], mut each: impl FnMut(Report) -> io::Result<()>) -> io::Result<()> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let large = Mutex::new(());
    let (sender, receiver) = mpsc::sync_channel(4 * threads);
    thread::scope(|scope| {
        for _ in 0..threads.min(files.len()) {
            let sender = sender.clone();
            let (next, large) = (&next, &large);
            scope.spawn(move || work(files, next, large, &sender));
        }
        drop(sender);
        in_order(receiver, &mut each)
    })
}

fn work(
    files: &[PathBuf],
    next: &AtomicUsize,
    large: &Mutex<()>,
    sender: &SyncSender<(usize, Report)>,
) {
    loop {
        let i = next.fetch_add(1, Ordering::Relaxed);
        let Some(file) = files.get(i) else { return };
        if sender.send((i, check_file(file, large))).is_err() {
            // Nobody reads any more.
            return;
        }
    }
}

fn in_order(
    receiver: Receiver<(usize, Report)>,
    each: &mut impl FnMut(Report) -> io::Result<()>,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    let mut wanted = 0;
    for (i, report) in receiver {
        early.insert(i, report);
        while let Some(report) = early.remove(&wanted) {
            wanted += 1;
            each(report)?;
        }
    }
    Ok(())
}

fn check_file(file: &Path, large: &Mutex<()>) -> Report {
    let mut report = Report {
        file: file.to_owned(),
        ..Report::default()
    };
    let length = match fs::metadata(file) {
        Ok(data) if data.is_file() => data.len(),
        Ok(_) => {
            report.errors.push("not a file or folder".to_owned());
            return report;
        }
        Err(error) => {
            report.errors.push(error.to_string());
            return report;
        }
    };
    // The lock guards memory, not data: if its holder panicked it is as good as before.
    let _one_at_a_time = (length > LARGE_FILE).then(|| {
        large
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    });
    match read(file, length) {
        Ok(bytes) => check_bytes(bytes, &mut report),
        Err(error) => report.errors.push(error.to_string()),
    }
    report
}

fn read(file: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(MAX_FILE) as usize);
    if length <= MAX_FILE {
        File::open(file)?
            .take(MAX_FILE + 1)
            .read_to_end(&mut bytes)?;
    }
    if length > MAX_FILE || bytes.len() as u64 > MAX_FILE {
        let limit = MAX_FILE / 1_000_000;
        let what = format!("the file is longer than {limit} MB: split it into single games");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

fn check_bytes(bytes: Vec<u8>, report: &mut Report) {
    let reading = sgf::read(bytes);
    report.warnings = reading.warnings;
    for tree in reading.collection.games() {
        match Game::from_tree(tree) {
            Ok(mut game) => {
                report.games += 1;
                report.warnings.extend(std::mem::take(&mut game.warnings));
                if !game.is_empty() {
                    report.warnings.extend(game.replay().finish().1);
                }
            }
            Err(error) => report.errors.push(error.to_string()),
        }
    }
    if report.games == 0 && report.errors.is_empty() {
        report
            .errors
            .push("byte 0: there is no game in the file".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], games: usize, expected: &[&str]) {
        let mut report = Report {
            file: "a.sgf".into(),
            ..Report::default()
        };
        check_bytes(bytes.to_vec(), &mut report);
        let mut out = Vec::new();
        print(&report, false, &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
        assert_eq!(report.games, games);
    }

    #[test]
    fn a_line_for_each_finding() {
        check(b"(;SZ[9];B[ee];W[dd])", 1, &[]);
        check(
            b"(;SZ[9];B[ee];W[ee])",
            1,
            &[
                "a.sgf: warning: byte 16: White ee is illegal: the point is occupied; the stone there was replaced",
            ],
        );
        check(
            b"(;SZ[26];B[ee])(;SZ[1])(;GM[2])(;B[aa])",
            1,
            &[
                "a.sgf: error: byte 5: a 26×26 board is not supported: each side must be 2 to 25",
                "a.sgf: error: byte 20: a 1×1 board is not supported: each side must be 2 to 25",
                "a.sgf: error: byte 28: this is not Go but another game (GM[2])",
            ],
        );
        check(
            &[0, 159, 146, 150],
            0,
            &[
                "a.sgf: error: byte 0: there is no game in the file",
                "a.sgf: warning: byte 0: 4 bytes of text outside a game; they were skipped",
                "a.sgf: warning: byte 0: there is no game in the file; nothing was read",
            ],
        );
    }

    #[test]
    fn reports_come_in_the_order_of_the_files() {
        let files: Vec<PathBuf> = (0..40)
            .map(|i| format!("/nowhere/{i}.sgf").into())
            .collect();
        let mut seen = Vec::new();
        check_all(&files, |report| {
            assert_eq!(report.errors.len(), 1);
            seen.push(report.file);
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, files);
    }

    #[test]
    fn a_closed_output_stops_the_work() {
        let files = vec![PathBuf::from("/nowhere"); 10_000];
        let result = check_all(&files, |_| Err(io::ErrorKind::BrokenPipe.into()));
        assert!(result.is_err());
    }
}
