//! The tables and how older files get them.
//!
//! SQLite's `user_version` holds the number of the last migration that was done.
//! A migration and its number are one transaction.

use super::{Store, StoreError};

/// Every step from an empty file to today's tables. Never change one that was released.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_games.sql"),
    include_str!("../../migrations/0002_records.sql"),
    include_str!("../../migrations/0003_results.sql"),
];

async fn version(store: &Store) -> Result<i64, StoreError> {
    sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *store.connection().await?)
        .await
        .map_err(|error| store.failed(&error))
}

/// Refuses a file that a newer program made.
pub(super) async fn check_version(store: &Store) -> Result<(), StoreError> {
    let version = version(store).await?;
    if version > MIGRATIONS.len() as i64 {
        return Err(StoreError::Newer(store.path.clone(), version));
    }
    Ok(())
}

/// Does what is still to be done.
pub(super) async fn bring_up_to_date(store: &Store) -> Result<(), StoreError> {
    let done = usize::try_from(version(store).await?).unwrap_or(0);
    for (i, sql) in MIGRATIONS.iter().enumerate().skip(done) {
        let step = format!(
            "BEGIN IMMEDIATE; {sql}; PRAGMA user_version = {}; COMMIT;",
            i + 1
        );
        let mut connection = store.connection().await?;
        if let Err(error) = sqlx::raw_sql(&step).execute(&mut *connection).await {
            // The step's own transaction may still be open.
            let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await;
            return Err(store.failed(&error));
        }
    }
    Ok(())
}
