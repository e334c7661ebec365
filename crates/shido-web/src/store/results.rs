//! How games at a level ended, in the file.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::games::word;
use super::{Store, StoreError};
use crate::wire::Outcome;

/// How a game at a level ended.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredResult {
    /// The game; it may be deleted by now.
    pub game: String,
    /// When it ended, in milliseconds since 1970.
    pub finished_ms: i64,
    /// The level it was played at.
    pub level: String,
    /// The partner.
    pub partner: String,
    /// Lines on each side.
    pub size: u32,
    /// Handicap stones the student had; negative if the student gave them.
    pub stones: i32,
    /// Moves of both.
    pub moves: u32,
    /// How it ended for the student.
    pub outcome: Outcome,
    /// Points the student won by, negative for a loss; none unless it was counted.
    pub margin: Option<f64>,
    /// Mean points that a move of the student's gave away, as the partner saw it.
    pub loss: Option<f64>,
    /// How many moves that is.
    pub judged: u32,
}

impl Store {
    /// Returns the results that came last, the oldest of them first.
    pub async fn results(&self, most: u32) -> Result<Vec<StoredResult>, StoreError> {
        let rows = sqlx::query("SELECT * FROM results ORDER BY finished_ms DESC, game LIMIT ?")
            .bind(most)
            .fetch_all(&mut *self.connection().await?)
            .await
            .map_err(|error| self.failed(&error))?;
        rows.iter().rev().map(|it| self.read_result(it)).collect()
    }

    fn read_result(&self, row: &SqliteRow) -> Result<StoredResult, StoreError> {
        Ok(StoredResult {
            game: row.get("game"),
            finished_ms: row.get("finished_ms"),
            level: row.get("level"),
            partner: row.get("partner"),
            size: row.get("size"),
            stones: row.get("stones"),
            moves: row.get("moves"),
            outcome: self.parse_word(row.get("outcome"))?,
            margin: row.get("margin"),
            loss: row.get("loss"),
            judged: row.get("judged"),
        })
    }
}

/// Keeps a result; the first of a game stays.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    result: &StoredResult,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO results
         (game, finished_ms, level, partner, size, stones, moves, outcome, margin, loss, judged)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (game) DO NOTHING",
    )
    .bind(&result.game)
    .bind(result.finished_ms)
    .bind(&result.level)
    .bind(&result.partner)
    .bind(result.size)
    .bind(result.stones)
    .bind(result.moves)
    .bind(word(result.outcome))
    .bind(result.margin)
    .bind(result.loss)
    .bind(result.judged)
    .execute(connection)
    .await
    .map(|_| ())
}
