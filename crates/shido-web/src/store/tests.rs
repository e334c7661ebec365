//! What SQLite says becomes what people read.

use super::*;

#[tokio::test]
async fn a_change_is_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("a.sqlite3")).await.unwrap();
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode")
        .fetch_one(&mut *store.connection().await.unwrap())
        .await
        .unwrap();
    let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous")
        .fetch_one(&mut *store.connection().await.unwrap())
        .await
        .unwrap();
    assert_eq!((mode.as_str(), synchronous), ("wal", 2));
    // A second record of the same name fails, and the first stays.
    let record = StoredRecord {
        id: "a".to_owned(),
        created_ms: 1,
        name: "a.sgf".to_owned(),
        sgf: b"(;)".to_vec(),
    };
    store.insert_record(&record).await.unwrap();
    assert!(store.insert_record(&record).await.is_err());
    assert_eq!(store.record("a").await.unwrap(), Some(record));
}

#[tokio::test]
async fn a_file_that_may_not_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sqlite3");
    Store::open(&path).await.unwrap().close().await;
    let options = SqliteConnectOptions::new().filename(&path).read_only(true);
    let store = Store::connect(&path, &options).await.unwrap();
    let error = store.delete_game("x").await.unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly(_)), "{error}");
    assert!(error.to_string().contains("read-only"));
}
