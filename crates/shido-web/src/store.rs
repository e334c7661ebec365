//! What is kept: games and records in one SQLite file.
//!
//! A change is on the disk before it is acknowledged (write-ahead log, full
//! synchronization, one transaction per change). The file is held exclusively, so
//! two servers never play the same game. A file that is damaged, in use, written
//! by a newer program or not writable is an error that leaves it as it is.

mod error;
mod games;
mod records;
mod results;
mod schema;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteLockingMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

pub use error::StoreError;
pub use games::{StoredGame, StoredMove};
pub use records::StoredRecord;
pub use results::StoredResult;

/// How long to wait for another program to let go of the file.
const PATIENCE: Duration = Duration::from_secs(2);

/// The open file; clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    /// One connection: it holds the lock, and a student makes one move at a time.
    connection: Arc<Mutex<Option<SqliteConnection>>>,
    path: PathBuf,
}

impl Store {
    /// Opens or makes the file, checks it, and brings its tables up to date.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .foreign_keys(true)
            .locking_mode(SqliteLockingMode::Exclusive)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(PATIENCE);
        let store = Store::connect(path, &options).await?;
        match store.prepare().await {
            Ok(()) => Ok(store),
            Err(error) => {
                store.close().await;
                Err(error)
            }
        }
    }

    async fn connect(path: &Path, options: &SqliteConnectOptions) -> Result<Store, StoreError> {
        let connection = options.connect().await;
        let connection = connection.map_err(|error| StoreError::new(path, &error))?;
        Ok(Store {
            connection: Arc::new(Mutex::new(Some(connection))),
            path: path.to_owned(),
        })
    }

    /// Checks the file before anything in it is changed.
    async fn prepare(&self) -> Result<(), StoreError> {
        let verdict: String = sqlx::query_scalar("PRAGMA quick_check(1)")
            .fetch_one(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        if verdict != "ok" {
            return Err(StoreError::Damaged(self.path.clone(), verdict));
        }
        schema::check_version(self).await?;
        sqlx::query("PRAGMA journal_mode = WAL")
            .execute(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        schema::bring_up_to_date(self).await
    }

    /// Closes the file; what was acknowledged is in it already.
    pub async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take()
            && let Err(error) = connection.close().await
        {
            tracing::warn!("{}", self.failed(&error));
        }
    }

    async fn connection(&self) -> Result<MappedMutexGuard<'_, SqliteConnection>, StoreError> {
        let guard = self.connection.lock().await;
        MutexGuard::try_map(guard, Option::as_mut)
            .map_err(|_| StoreError::Other(self.path.clone(), "it is closed".to_owned()))
    }

    /// Makes the disk full as far as this file can tell.
    #[cfg(test)]
    pub(crate) async fn allow_no_growth(&self) {
        let mut connection = self.connection().await.unwrap();
        let limit = "PRAGMA max_page_count = 1";
        sqlx::query(limit).execute(&mut *connection).await.unwrap();
    }

    fn failed(&self, error: &sqlx::Error) -> StoreError {
        StoreError::new(&self.path, error)
    }
}

#[cfg(test)]
mod tests;
