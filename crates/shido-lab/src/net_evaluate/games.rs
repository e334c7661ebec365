//! Reads games to measure on: packed files, SGF, lines, and folders of them.

use std::path::{Path, PathBuf};

use crate::dataset::{PackedGame, PackedGames, ReadError, Source, read_records};
use crate::patterns::GamesError;

/// One game in so many is held out of training, by its fingerprint.
pub const HELD_OUT_ONE_IN: u64 = 50;

/// Why games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EvaluateGamesError {
    /// A packed file is not usable.
    #[error(transparent)]
    Packed(#[from] ReadError),
    /// Records are not usable.
    #[error(transparent)]
    Records(#[from] GamesError),
    /// There is nothing to measure on.
    #[error("no game can be used: none is there, or all are too short or broken")]
    Nothing,
    /// None of the games is held out.
    #[error("none of {0} games is held out, as one in 50 is: give more, or measure on all")]
    NothingHeldOut(usize),
}

/// Reads the games of packed files (`*.jsonl`, `*.jsonl.gz`), records and folders of them.
///
/// `on_file` hears of each file of records that is done and how many there are.
pub fn read(
    inputs: &[(Source, PathBuf)],
    held_out: bool,
    threads: usize,
    on_file: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<PackedGame>, EvaluateGamesError> {
    let (packed, records): (Vec<_>, Vec<_>) =
        inputs.iter().cloned().partition(|(_, it)| is_packed(it));
    let mut games = Vec::new();
    for (_, path) in packed {
        for game in PackedGames::open(&path)? {
            games.push(game?);
        }
    }
    if !records.is_empty() {
        games.extend(read_records(&records, threads, on_file)?);
    }
    if games.is_empty() {
        return Err(EvaluateGamesError::Nothing);
    }
    let all = games.len();
    games.retain(|it| !held_out || it.fingerprint().is_multiple_of(HELD_OUT_ONE_IN));
    if games.is_empty() {
        return Err(EvaluateGamesError::NothingHeldOut(all));
    }
    Ok(games)
}

fn is_packed(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !path.is_dir() && (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz"))
}
