//! What can be wrong with the file, in words that say what to do.

use std::path::{Path, PathBuf};

/// The file cannot be used, or did not take a change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Another program holds it.
    #[error("{} is in use by another program; is shido running already?", .0.display())]
    Locked(PathBuf),
    /// It is not a database, or parts of it are unreadable.
    #[error("{} is damaged ({}); it was left as it is: move it away to start afresh, or put a copy back", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// It may not be written.
    #[error("{} cannot be written: its folder or the file is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// The disk took no more.
    #[error("the disk is full: nothing was changed in {}", .0.display())]
    Full(PathBuf),
    /// A newer program made it.
    #[error("{} was made by a newer version of shido (its tables are of version {}); it was left as it is", .0.display(), .1)]
    Newer(PathBuf, i64),
    /// Something in it is not what this program writes.
    #[error("{} holds something unexpected: {}", .0.display(), .1)]
    Unexpected(PathBuf, String),
    /// Anything else.
    #[error("{}: {}", .0.display(), .1)]
    Other(PathBuf, String),
}

// SQLite's primary result codes.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READ_ONLY: i32 = 8;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const NOT_A_DATABASE: i32 = 26;

impl StoreError {
    /// Sorts SQLite's errors.
    pub(super) fn new(path: &Path, error: &sqlx::Error) -> StoreError {
        let path = path.to_owned();
        let sqlx::Error::Database(inner) = error else {
            return StoreError::Other(path, error.to_string());
        };
        let code = inner.code().and_then(|it| it.parse::<i32>().ok());
        // The low byte is the primary code; the rest says more than we need.
        match code.map(|it| it & 0xff) {
            Some(BUSY | LOCKED) => StoreError::Locked(path),
            Some(READ_ONLY) => StoreError::ReadOnly(path),
            Some(CORRUPT | NOT_A_DATABASE) => StoreError::Damaged(path, inner.message().to_owned()),
            Some(FULL) => StoreError::Full(path),
            _ => StoreError::Other(path, inner.message().to_owned()),
        }
    }
}
