//! Records to look at in the file.

use sqlx::Row;

use super::{Store, StoreError};
use crate::wire::RecordSummary;

/// A record as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// Its name, which cannot be guessed.
    pub id: String,
    /// When it came, in milliseconds since 1970.
    pub created_ms: i64,
    /// What its file was called.
    pub name: String,
    /// The file as it came.
    pub sgf: Vec<u8>,
}

impl Store {
    /// Keeps a record.
    pub async fn insert_record(&self, record: &StoredRecord) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO records (id, created_ms, name, sgf) VALUES (?, ?, ?, ?)")
            .bind(&record.id)
            .bind(record.created_ms)
            .bind(&record.name)
            .bind(&record.sgf)
            .execute(&mut *self.connection().await?)
            .await
            .map(|_| ())
            .map_err(|error| self.failed(&error))
    }

    /// Returns a record, if there is one of this name.
    pub async fn record(&self, id: &str) -> Result<Option<StoredRecord>, StoreError> {
        let row = sqlx::query("SELECT * FROM records WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        Ok(row.map(|row| StoredRecord {
            id: row.get("id"),
            created_ms: row.get("created_ms"),
            name: row.get("name"),
            sgf: row.get("sgf"),
        }))
    }

    /// Returns the records that came last, the latest first.
    pub async fn records(&self, most: u32) -> Result<Vec<RecordSummary>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, created_ms, name FROM records ORDER BY created_ms DESC, id LIMIT ?",
        )
        .bind(most)
        .fetch_all(&mut *self.connection().await?)
        .await
        .map_err(|error| self.failed(&error))?;
        let summaries = rows.iter().map(|row| RecordSummary {
            id: row.get("id"),
            created_ms: row.get("created_ms"),
            name: row.get("name"),
        });
        Ok(summaries.collect())
    }

    /// Takes a record away; returns whether there was one.
    pub async fn delete_record(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM records WHERE id = ?")
            .bind(id)
            .execute(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        Ok(done.rows_affected() > 0)
    }
}
