//! Several ledgers of one spec become one, as after `--part 1/8` to `--part 8/8`.
//!
//! A game that two folders hold must be the same game, times aside; which machine
//! played it does not matter.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ledger::{self, Ledger, LedgerError};
use crate::line::Line;
use crate::report::Games;
use crate::sgf_file;

/// Ledgers cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The folders are of different specs.
    #[error("{dir}: it is of another spec than {first}: {}", changes.join("; "))]
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
pub fn merge(dirs: &[PathBuf], out: &Path) -> Result<usize, MergeError> {
    let first = dirs.first().ok_or(MergeError::Nothing)?;
    let (spec, text) = ledger::read_spec(first)?;
    let (mut ledger, before) = Ledger::open(out, &spec, &text)?;
    let mut known = BTreeMap::new();
    for line in &before {
        if let Line::Game(game) = line {
            known.insert(game.game.clone(), game.without_times());
        }
    }
    let mut lines = Vec::new();
    let is_void = |it: &&Line| matches!(it, Line::Void(_));
    let mut voids: Vec<Line> = before.iter().filter(is_void).cloned().collect();
    for dir in dirs {
        let changes = spec.differences(&ledger::read_spec(dir)?.0);
        if !changes.is_empty() {
            return Err(MergeError::OtherSpec {
                dir: dir.clone(),
                first: first.clone(),
                changes,
            });
        }
        // A game may be void twice in the same way; only another folder's copy is left out.
        let mut copies = voids.clone();
        for line in ledger::read(dir)? {
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
    let sorted = Games::of(lines, &spec);
    let voids = sorted.voids.into_iter().map(Line::Void);
    let games = sorted.games.into_iter().map(|it| Line::Game(Box::new(it)));
    let lines: Vec<Line> = voids.chain(games).collect();
    ledger.append(&lines)?;
    for line in &lines {
        if let Line::Game(game) = line {
            sgf_file::write(out, game)?;
        }
    }
    Ok(known.len())
}
