//! Several ledgers of one spec become one, as after `--part 1/8` to `--part 8/8`.
//!
//! A game that two folders hold must be the same game, times aside; which machine
//! played it does not matter. The specs may differ in what no game depends on: one may
//! have more games, pairings and players than the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ledger::{self, Ledger, LedgerError};
use crate::line::Line;
use crate::report::Games;
use crate::sgf_file;
use crate::spec::Spec;

/// Ledgers cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The folders are of different specs.
    #[error("{dir}: its games are of another spec than {first}: {}", changes.join("; "))]
    OtherSpec {
        /// The folder.
        dir: PathBuf,
        /// The first folder.
        first: PathBuf,
        /// What is different.
        changes: Vec<String>,
    },
    /// Two folders say different things of one game.
    #[error("{dir}: its game {game} is not the one that an earlier folder holds")]
    Contradiction {
        /// The folder.
        dir: PathBuf,
        /// The game.
        game: String,
    },
    /// Nothing to merge.
    #[error("no folder to merge")]
    Nothing,
}

/// Puts the lines of folders into a new or unfinished folder; returns its number of games.
///
/// The first folder's spec becomes that of all.
pub fn merge(dirs: &[PathBuf], out: &Path) -> Result<usize, MergeError> {
    let (spec, text) = spec_of(dirs)?;
    let (mut ledger, before) = Ledger::open(out, &spec, &text)?;
    let joined = join(dirs, &spec, &before)?;
    ledger.append(&joined.new)?;
    for line in &joined.new {
        if let Line::Game(game) = line {
            sgf_file::write(out, game)?;
        }
    }
    Ok(joined.games)
}

/// Adds what a folder does not hold yet of the lines of others as one compressed file, for
/// keeping with sources; returns its number of games.
pub fn pack(dirs: &[PathBuf], out: &Path) -> Result<usize, MergeError> {
    let (spec, text) = spec_of(dirs)?;
    let before = match ledger::read(out) {
        Err(LedgerError::Absent(_)) => Vec::new(),
        other => other?,
    };
    if !before.is_empty() {
        let changes = ledger::read_spec(out)?.0.differences(&spec, names(&before));
        if !changes.is_empty() {
            let dir = out.to_owned();
            return Err(LedgerError::OtherSpec { dir, changes }.into());
        }
    }
    let joined = join(dirs, &spec, &before)?;
    if !joined.new.is_empty() {
        ledger::write_packed(out, (&spec, &text), &joined.new)?;
    }
    Ok(joined.games)
}

fn spec_of(dirs: &[PathBuf]) -> Result<(Spec, String), MergeError> {
    let first = dirs.first().ok_or(MergeError::Nothing)?;
    Ok(ledger::read_spec(first)?)
}

fn names(lines: &[Line]) -> impl Iterator<Item = &str> {
    lines.iter().map(Line::game)
}

/// What several folders hold.
struct Joined {
    /// The lines that were not there before, sorted as the spec has the games.
    new: Vec<Line>,
    /// Games, those before among them.
    games: usize,
}

/// Collects the lines of folders that are not there yet.
fn join(dirs: &[PathBuf], spec: &Spec, before: &[Line]) -> Result<Joined, MergeError> {
    let mut known = BTreeMap::new();
    for line in before {
        if let Line::Game(game) = line {
            known.insert(game.game.clone(), game.without_times());
        }
    }
    let mut lines = Vec::new();
    let is_void = |it: &&Line| matches!(it, Line::Void(_));
    let mut voids: Vec<Line> = before.iter().filter(is_void).cloned().collect();
    for dir in dirs {
        let theirs = ledger::read(dir)?;
        let changes = (ledger::read_spec(dir)?.0).differences(spec, names(&theirs));
        if let Some(first) = dirs.first()
            && !changes.is_empty()
        {
            return Err(MergeError::OtherSpec {
                dir: dir.clone(),
                first: first.clone(),
                changes,
            });
        }
        // A game may be void twice in the same way; only another folder's copy is left out.
        let mut copies = voids.clone();
        for line in theirs {
            match line {
                Line::Void(_) => {
                    if let Some(at) = copies.iter().position(|it| *it == line) {
                        copies.swap_remove(at);
                    } else {
                        voids.push(line.clone());
                        lines.push(line);
                    }
                }
                Line::Game(game) => {
                    let new = game.without_times();
                    match known.get(&game.game) {
                        None => {
                            known.insert(game.game.clone(), new);
                            lines.push(Line::Game(game));
                        }
                        Some(old) if *old == new => {}
                        Some(_) => {
                            return Err(MergeError::Contradiction {
                                dir: dir.clone(),
                                game: game.game,
                            });
                        }
                    }
                }
            }
        }
    }
    let sorted = Games::of(lines, spec);
    let voids = sorted.voids.into_iter().map(Line::Void);
    let games = sorted.games.into_iter().map(|it| Line::Game(Box::new(it)));
    Ok(Joined {
        new: voids.chain(games).collect(),
        games: known.len(),
    })
}
