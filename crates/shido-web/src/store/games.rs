//! Games and their moves in the file.

use serde::Serialize;
use serde::de::DeserializeOwned;
use shido_coach::play::WhyRecord;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{Connection, Row};

use super::results::{self, StoredResult};
use super::{Store, StoreError};
use crate::clock::Clocks;
use crate::wire::{Color, GameSettings, GameSummary, Phase, Why};

/// A game as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGame {
    /// Its name, which cannot be guessed.
    pub id: String,
    /// When it was begun, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it last changed.
    pub updated_ms: i64,
    /// What it is played by.
    pub settings: GameSettings,
    /// How far it is.
    pub phase: Phase,
    /// How it ended.
    pub result: Option<String>,
    /// The stones taken as dead, once they were proposed.
    pub dead: Option<Vec<String>>,
    /// How often something was taken back.
    pub undos: u32,
    /// What was played.
    pub moves: Vec<StoredMove>,
}

/// A move as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMove {
    /// Who moved.
    pub color: Color,
    /// A vertex, `pass` or `resign`.
    pub mv: String,
    /// What the partner believed.
    pub why: Option<Why>,
    /// How a teaching partner chose it.
    pub record: Option<WhyRecord>,
    /// Both clocks after it.
    pub clock: Option<Clocks>,
}

impl Store {
    /// Writes a game whose first `kept` moves are in the file already; later ones
    /// that are there are taken away. With it comes how it ended, once it has, if that
    /// says something about the student. All of it or nothing.
    pub async fn save_game(
        &self,
        game: &StoredGame,
        kept: usize,
        ending: Option<&StoredResult>,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        save(&mut connection, game, kept, ending)
            .await
            .map_err(|error| self.failed(&error))
    }

    /// Returns a game, if there is one of this name.
    pub async fn game(&self, id: &str) -> Result<Option<StoredGame>, StoreError> {
        let row = sqlx::query("SELECT * FROM games WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        let Some(row) = row else { return Ok(None) };
        let rows = sqlx::query("SELECT * FROM moves WHERE game = ? ORDER BY number")
            .bind(id)
            .fetch_all(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        let mut moves = Vec::with_capacity(rows.len());
        for row in &rows {
            moves.push(self.read_move(row)?);
        }
        let dead: Option<String> = row.get("dead");
        Ok(Some(StoredGame {
            id: row.get("id"),
            created_ms: row.get("created_ms"),
            updated_ms: row.get("updated_ms"),
            settings: self.parse(row.get("settings"))?,
            phase: self.parse_word(row.get("phase"))?,
            result: row.get("result"),
            dead: dead.map(|it| self.parse(&it)).transpose()?,
            undos: row.get("undos"),
            moves,
        }))
    }

    fn read_move(&self, row: &SqliteRow) -> Result<StoredMove, StoreError> {
        let why: Option<String> = row.get("why");
        let record: Option<String> = row.get("record");
        let clock: Option<String> = row.get("clock");
        Ok(StoredMove {
            color: self.parse_word(row.get("color"))?,
            mv: row.get("move"),
            why: why.map(|it| self.parse(&it)).transpose()?,
            // A record of a version that knew other rules is no reason to lose a game.
            record: record.and_then(|it| serde_json::from_str(&it).ok()),
            clock: clock.map(|it| self.parse(&it)).transpose()?,
        })
    }

    /// Returns the games that changed last, the latest first.
    pub async fn games(&self, most: u32) -> Result<Vec<GameSummary>, StoreError> {
        let rows = sqlx::query(
            "SELECT games.*, (SELECT count(*) FROM moves WHERE game = games.id) AS played
             FROM games ORDER BY updated_ms DESC, id LIMIT ?",
        )
        .bind(most)
        .fetch_all(&mut *self.connection().await?)
        .await
        .map_err(|error| self.failed(&error))?;
        let summary = |row: &SqliteRow| {
            Ok(GameSummary {
                id: row.get("id"),
                created_ms: row.get("created_ms"),
                updated_ms: row.get("updated_ms"),
                phase: self.parse_word(row.get("phase"))?,
                settings: self.parse(row.get("settings"))?,
                moves: usize::try_from(row.get::<i64, _>("played")).unwrap_or(0),
                result: row.get("result"),
            })
        };
        rows.iter().map(summary).collect()
    }

    /// Takes a game away; returns whether there was one.
    pub async fn delete_game(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM games WHERE id = ?")
            .bind(id)
            .execute(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        Ok(done.rows_affected() > 0)
    }

    fn parse<T: DeserializeOwned>(&self, text: &str) -> Result<T, StoreError> {
        serde_json::from_str(text)
            .map_err(|error| StoreError::Unexpected(self.path.clone(), error.to_string()))
    }

    pub(super) fn parse_word<T: DeserializeOwned>(&self, text: &str) -> Result<T, StoreError> {
        serde_json::from_value(text.into())
            .map_err(|error| StoreError::Unexpected(self.path.clone(), error.to_string()))
    }
}

async fn save(
    connection: &mut SqliteConnection,
    game: &StoredGame,
    kept: usize,
    ending: Option<&StoredResult>,
) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin().await?;
    sqlx::query(
        "INSERT INTO games (id, created_ms, updated_ms, settings, phase, result, dead, undos)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET updated_ms = excluded.updated_ms,
         phase = excluded.phase, result = excluded.result, dead = excluded.dead,
         undos = excluded.undos",
    )
    .bind(&game.id)
    .bind(game.created_ms)
    .bind(game.updated_ms)
    .bind(to_json(&game.settings))
    .bind(word(game.phase))
    .bind(&game.result)
    .bind(game.dead.as_ref().map(to_json))
    .bind(game.undos)
    .execute(&mut *transaction)
    .await?;
    sqlx::query("DELETE FROM moves WHERE game = ? AND number > ?")
        .bind(&game.id)
        .bind(kept as i64)
        .execute(&mut *transaction)
        .await?;
    for (i, it) in game.moves.iter().enumerate().skip(kept) {
        sqlx::query(
            "INSERT INTO moves (game, number, color, move, why, record, clock)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&game.id)
        .bind(i as i64 + 1)
        .bind(word(it.color))
        .bind(&it.mv)
        .bind(it.why.as_ref().map(to_json))
        .bind(it.record.as_ref().map(to_json))
        .bind(it.clock.as_ref().map(to_json))
        .execute(&mut *transaction)
        .await?;
    }
    if let Some(ending) = ending {
        results::insert(&mut transaction, ending).await?;
    }
    transaction.commit().await
}

fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data without odd keys")
}

/// Returns a unit variant as its word.
pub(super) fn word<T: Serialize>(value: T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => unreachable!("unit variants are strings"),
    }
}
