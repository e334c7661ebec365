//! Files that are locked, damaged, old, new or full.

use serde_json::json;
use shido_web::store::{Store, StoreError};
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::app::App;

async fn open(path: &std::path::Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true);
    SqliteConnection::connect_with(&options).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_in_use_is_left_alone() {
    let app = App::start("").await;
    app.begin(json!({})).await;
    let path = app.folder.path().join("shido.sqlite3");
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Locked(_)), "{error}");
    assert!(error.to_string().contains("is shido running already?"));
    let list = app.get("/api/games").await.json;
    assert_eq!(list["games"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_file_that_another_program_writes_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shido.sqlite3");
    let mut other = open(&path).await;
    sqlx::raw_sql("CREATE TABLE other (x); BEGIN EXCLUSIVE")
        .execute(&mut other)
        .await
        .unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Locked(_)), "{error}");
}

#[tokio::test]
async fn a_damaged_file_is_told_of_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shido.sqlite3");
    let text = b"this is no database at all, but somebody may want it".repeat(50);
    std::fs::write(&path, &text).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged(..)), "{error}");
    assert!(error.to_string().contains("left as it is"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_with_torn_pages_is_left_as_it_is() {
    let app = App::start("").await;
    for _ in 0..20 {
        app.begin(json!({ "your_name": "somebody with a name" }))
            .await;
    }
    app.state.close().await;
    let path = app.folder.path().join("shido.sqlite3");
    let mut bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 3 * 4096, "{}", bytes.len());
    // The first page stays: the file still looks like a database.
    bytes[4096..].fill(0x5a);
    std::fs::write(&path, &bytes).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged(..)), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_file_is_brought_up_to_date_with_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shido.sqlite3");
    let settings = json!({ "size": 9, "rules": "japanese", "komi": 6.5, "handicap": 0,
        "your_color": "black", "partner": "classic", "strength": "gone", "level": null,
        "style": null, "pace": "quick", "clock": null, "your_name": "Ann" });
    let id = "0123456789abcdef0123456789abcdef";
    let why = json!({ "number": 2, "color": "white", "move": "C3", "reason": "search",
        "engine": "classic", "visits": 50, "time_ms": 9, "win_rate": 0.5, "lead": 0.1,
        "hopeless": false, "candidates": [] });
    let mut old = open(&path).await;
    let first = include_str!("../../migrations/0001_games.sql");
    let fill = format!(
        "{first}; PRAGMA user_version = 1;
         INSERT INTO games VALUES ('{id}', 1000, 2000, '{settings}', 'playing', NULL, NULL, 3);
         INSERT INTO moves VALUES ('{id}', 1, 'black', 'E5', NULL, NULL);
         INSERT INTO moves VALUES ('{id}', 2, 'white', 'C3', '{why}', NULL);"
    );
    sqlx::raw_sql(&fill).execute(&mut old).await.unwrap();
    old.close().await.unwrap();

    let app = App::start_in(folder, "C3 G7").await;
    let game = format!("/api/games/{id}");
    let view = app.get(&game).await.json;
    assert_eq!(view["moves"].as_array().unwrap().len(), 2);
    assert_eq!(
        (view["undos"].as_i64(), view["created_ms"].as_i64()),
        (Some(3), Some(1000))
    );
    let view = app.play(&game, "E6").await;
    assert_eq!(view["moves"][3]["move"], "G7");
    // What came with the later tables works.
    assert_eq!(app.get("/api/records").await.json["records"], json!([]));
    assert_eq!(app.get("/api/level").await.json["games"], json!([]));
    // A record of before reads as it was, without what came later.
    assert_eq!(view["settings"]["auto"], false);
    app.play(&game, "resign").await;
    let kept = app.get(&format!("{game}/moves/2/why")).await.json;
    assert_eq!(
        (&kept["visits"], &kept["choice"]),
        (&json!(50), &json!(null))
    );
}

#[tokio::test]
async fn a_file_of_a_newer_program_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shido.sqlite3");
    let mut newer = open(&path).await;
    sqlx::raw_sql("CREATE TABLE future (x); PRAGMA user_version = 99")
        .execute(&mut newer)
        .await
        .unwrap();
    newer.close().await.unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Newer(_, 99)), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_told_of() {
    let error = Store::open("/dev/null/shido.sqlite3".as_ref())
        .await
        .unwrap_err();
    assert!(
        error.to_string().starts_with("/dev/null/shido.sqlite3"),
        "{error}"
    );
}
