//! Several ledgers of one spec become one, as after `--part 1/8` to `--part 8/8`.
//!
//! A game that two folders hold must be the same game, times aside; which machine
//! played it does not matter. The specs may differ in what no game depends on: one may
//! have more games, pairings and players than the other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::ledger::{self, Kept, Ledger, LedgerError};
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
    #[error("{dir}: its games are of another spec than {that}: {}", changes.join("; "))]
    OtherSpec {
        /// The folder.
        dir: PathBuf,
        /// The spec that was given, or the first folder.
        that: PathBuf,
        /// What is different.
        changes: Vec<String>,
    },
    /// A player played with other files before.
    #[error(
        "{dir}: in its game {game} {player} played with another file for `{file}` than in \
         earlier games"
    )]
    OtherFile {
        /// The folder.
        dir: PathBuf,
        /// The game.
        game: String,
        /// The player.
        player: String,
        /// The setting that names the file.
        file: String,
    },
    /// Two folders say different things of one game.
    #[error("{dir}: its game {game} is not the one that was there before")]
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
/// The spec of all is the one that is given, or else the first folder's.
pub fn merge(dirs: &[PathBuf], given: Option<&Path>, out: &Path) -> Result<usize, MergeError> {
    let sources = Sources::read(dirs, given)?;
    // Before anything is written it is known whether the folders go together.
    let there = match ledger::read(out) {
        Err(LedgerError::Absent(_)) => Vec::new(),
        other => other?,
    };
    sources.join(out, &there)?;
    let (mut ledger, before) = Ledger::open(out, &sources.spec, &sources.text)?;
    let joined = sources.join(out, &before)?;
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
pub fn pack(dirs: &[PathBuf], given: Option<&Path>, out: &Path) -> Result<usize, MergeError> {
    let sources = Sources::read(dirs, given)?;
    let spec = &sources.spec;
    let (mut kept, before) = Kept::open(out)?;
    if !before.is_empty() {
        let changes = ledger::read_spec(out)?.0.differences(spec, names(&before));
        if !changes.is_empty() {
            let dir = out.to_owned();
            return Err(LedgerError::OtherSpec { dir, changes }.into());
        }
    }
    let joined = sources.join(out, &before)?;
    if !joined.new.is_empty() {
        kept.add((spec, &sources.text), &joined.new)?;
    }
    Ok(joined.games)
}

fn names(lines: &[Line]) -> impl Iterator<Item = &str> {
    lines.iter().map(Line::game)
}

/// What is to be merged.
struct Sources {
    /// The spec of all, and its text.
    spec: Spec,
    text: String,
    folders: Vec<(PathBuf, Vec<Line>)>,
}

/// What several folders hold.
struct Joined {
    /// The lines that were not there before, sorted as the spec has the games.
    new: Vec<Line>,
    /// Games, those before among them.
    games: usize,
}

impl Sources {
    /// Reads folders whose games are of one spec.
    fn read(dirs: &[PathBuf], given: Option<&Path>) -> Result<Sources, MergeError> {
        let first = dirs.first().ok_or(MergeError::Nothing)?;
        let (spec, text) = match given {
            Some(path) => Spec::read(path).map_err(LedgerError::from)?,
            None => ledger::read_spec(first)?,
        };
        let mut folders = Vec::new();
        for dir in dirs {
            let lines = ledger::read(dir)?;
            let changes = (ledger::read_spec(dir)?.0).differences(&spec, names(&lines));
            if !changes.is_empty() {
                return Err(MergeError::OtherSpec {
                    dir: dir.clone(),
                    that: given.unwrap_or(first).to_owned(),
                    changes,
                });
            }
            folders.push((dir.clone(), lines));
        }
        Ok(Sources {
            spec,
            text,
            folders,
        })
    }

    /// Collects the lines that a folder does not hold yet.
    fn join(&self, out: &Path, before: &[Line]) -> Result<Joined, MergeError> {
        self.check_files(out, before)?;
        let mut known = BTreeMap::new();
        for line in before {
            if let Line::Game(game) = line {
                known.insert(game.game.clone(), game.without_machine());
            }
        }
        let mut lines = Vec::new();
        let is_void = |it: &&Line| matches!(it, Line::Void(_));
        let mut voids: Vec<Line> = before.iter().filter(is_void).cloned().collect();
        for (dir, theirs) in &self.folders {
            // A game may be void twice in the same way; only another folder's copy is left out.
            let mut copies = voids.clone();
            for line in theirs {
                match line {
                    Line::Void(_) => {
                        if let Some(at) = copies.iter().position(|it| it == line) {
                            copies.swap_remove(at);
                        } else {
                            voids.push(line.clone());
                            lines.push(line.clone());
                        }
                    }
                    Line::Game(game) => {
                        let new = game.without_machine();
                        match known.get(&game.game) {
                            None => {
                                known.insert(game.game.clone(), new);
                                lines.push(line.clone());
                            }
                            Some(old) if *old == new => {}
                            Some(_) => {
                                return Err(MergeError::Contradiction {
                                    dir: dir.clone(),
                                    game: game.game.clone(),
                                });
                            }
                        }
                    }
                }
            }
        }
        let sorted = Games::of(lines, &self.spec);
        let voids = sorted.voids.into_iter().map(Line::Void);
        let games = sorted.games.into_iter().map(|it| Line::Game(Box::new(it)));
        Ok(Joined {
            new: voids.chain(games).collect(),
            games: known.len(),
        })
    }

    /// Checks that each player played with the same files in all games.
    fn check_files(&self, out: &Path, before: &[Line]) -> Result<(), MergeError> {
        let mut known: BTreeMap<(&str, &str), &str> = BTreeMap::new();
        let theirs = (self.folders.iter()).map(|(dir, lines)| (dir.as_path(), lines.as_slice()));
        for (dir, lines) in [(out, before)].into_iter().chain(theirs) {
            for game in lines.iter().filter_map(Line::played) {
                for seat in [&game.black, &game.white] {
                    for (file, hash) in &seat.hashes {
                        if known.entry((&seat.name, file)).or_insert(hash) != hash {
                            return Err(MergeError::OtherFile {
                                dir: dir.to_owned(),
                                game: game.game.clone(),
                                player: seat.name.clone(),
                                file: file.clone(),
                            });
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
