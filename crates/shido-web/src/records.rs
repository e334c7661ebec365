//! Game records to look at: kept as they came, read when they are asked for.
//!
//! Nodes are numbered in preorder, the main line first, so that a number names the
//! same node as long as the file does not change, and it never does.

mod marks;
mod tree;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::ApiError;
use crate::id;
use crate::live::now_ms;
use crate::store::{Store, StoredRecord};
use crate::wire::RecordSummary;

pub(crate) use tree::Record;

/// The largest record that is taken.
pub(crate) const MAX_BYTES: usize = 4 << 20;
/// Records that are kept read.
const MOST_READ: usize = 8;
/// The most records that are listed.
const MOST_LISTED: u32 = 200;
/// The longest name of a file, in characters.
const LONGEST_NAME: usize = 120;

/// All records.
pub(crate) struct Records {
    store: Store,
    /// Read lately, the latest last.
    read: Mutex<VecDeque<Arc<Record>>>,
}

impl Records {
    pub(crate) fn new(store: Store) -> Records {
        Records {
            store,
            read: Mutex::default(),
        }
    }

    /// Takes a file, if it holds a game that can be shown.
    pub(crate) async fn add(&self, name: &str, sgf: Vec<u8>) -> Result<Arc<Record>, ApiError> {
        let stored = StoredRecord {
            id: id::fresh(),
            created_ms: now_ms(),
            name: file_name(name),
            sgf,
        };
        let record = Arc::new(read_on_the_side(stored.clone()).await?);
        self.store.insert_record(&stored).await?;
        self.remember(&record);
        Ok(record)
    }

    /// Returns a record.
    pub(crate) async fn find(&self, id: &str) -> Result<Arc<Record>, ApiError> {
        if !id::is_plausible(id) {
            return Err(ApiError::NotFound("record"));
        }
        if let Some(record) = self.remembered(id) {
            return Ok(record);
        }
        let stored = self.store.record(id).await?;
        let stored = stored.ok_or(ApiError::NotFound("record"))?;
        let record = Arc::new(read_on_the_side(stored).await?);
        self.remember(&record);
        Ok(record)
    }

    /// Lists the records that came last.
    pub(crate) async fn list(&self) -> Result<Vec<RecordSummary>, ApiError> {
        Ok(self.store.records(MOST_LISTED).await?)
    }

    /// Takes a record away.
    pub(crate) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let found = id::is_plausible(id) && self.store.delete_record(id).await?;
        self.lock().retain(|it| it.id() != id);
        found.then_some(()).ok_or(ApiError::NotFound("record"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<Record>>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remembered(&self, id: &str) -> Option<Arc<Record>> {
        let mut read = self.lock();
        let at = read.iter().position(|it| it.id() == id)?;
        let record = read.remove(at)?;
        read.push_back(Arc::clone(&record));
        Some(record)
    }

    fn remember(&self, record: &Arc<Record>) {
        let mut read = self.lock();
        read.retain(|it| it.id() != record.id());
        read.push_back(Arc::clone(record));
        if read.len() > MOST_READ {
            read.pop_front();
        }
    }
}

/// Reads a file where it holds nobody up.
async fn read_on_the_side(stored: StoredRecord) -> Result<Record, ApiError> {
    let task = tokio::task::spawn_blocking(move || Record::read(stored));
    task.await.unwrap_or(Err(ApiError::NoAnswer))
}

/// Returns the last part of a path as a plain name; it is shown and never opened.
fn file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = last.chars().filter(|it| !it.is_control());
    let plain: String = plain.take(LONGEST_NAME).collect();
    match plain.trim() {
        "" | "." | ".." => "game.sgf".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_path_is_cut_down_to_a_name() {
        let cases = [
            ("game.sgf", "game.sgf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\games\\a.sgf", "a.sgf"),
            ("..", "game.sgf"),
            ("", "game.sgf"),
            ("a/b/", "game.sgf"),
            ("ね\u{0}こ.sgf", "ねこ.sgf"),
            ("<script>.sgf", "<script>.sgf"),
        ];
        for (name, expect) in cases {
            assert_eq!(file_name(name), expect, "{name:?}");
        }
    }
}
