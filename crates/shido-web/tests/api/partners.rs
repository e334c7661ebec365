//! The coach's partners: their offers, their records, and the level that follows.

use axum::http::StatusCode;
use serde_json::{Value, json};
use shido_net::CpuChoice;
use shido_web::partners::{ClassicSettings, House, People};
use shido_web::wire::LevelOffer;

use crate::app::{App, house};

/// A partner that plays what it is told, at levels.
fn leveled(moves: &str) -> House {
    let level = |id: &str, default| LevelOffer {
        id: id.to_owned(),
        fox: None,
        default,
    };
    let mut house = house(moves);
    house.partners[0].levels = vec![level("auto", true), level("15k", false)];
    house
}

fn teachers() -> House {
    let settings = ClassicSettings {
        threads: 1,
        memory: 16 << 20,
        seed: 1,
    };
    House::classic(settings, Some(People::Embedded(CpuChoice::Auto)))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_natural_partner_plays_at_a_level_and_says_why() {
    let app = App::start_with(tempfile::tempdir().unwrap(), teachers()).await;
    let about = app.get("/api/about").await.json;
    let first = &about["partners"][0];
    assert_eq!(
        (&first["id"], &first["advanced"]),
        (&json!("natural"), &json!(false))
    );
    assert_eq!(first["levels"].as_array().unwrap().len(), 37);
    let partners = about["partners"].as_array().unwrap();
    assert_eq!(partners.last().unwrap()["id"], "classic");
    // A level would change nothing for this one.
    let naive = partners.iter().find(|it| it["id"] == "naive").unwrap();
    assert_eq!(naive["levels"], json!([]));
    let refused = json!({ "partner": "naive", "level": "15k" });
    let refused = app.post("/api/games", refused).await;
    refused.expect(400, "bad_request");
    let game = app.begin(json!({ "partner": "naive" })).await;
    assert_eq!(app.play(&game, "E5").await["white"], "shido naive");
    let refused = app.post("/api/games", json!({ "level": "10d" })).await;
    refused.expect(400, "bad_request");

    let game = app.begin(json!({ "level": "15k" })).await;
    let view = app.play(&game, "E5").await;
    assert_eq!(view["settings"]["partner"], "natural");
    assert_eq!(view["white"], "shido natural (15k)");
    let played = view["moves"][1]["move"].clone();
    app.get(&format!("{game}/moves/2/why"))
        .await
        .expect(409, "wrong_phase");
    app.play(&game, "resign").await;
    let why = app.get(&format!("{game}/moves/2/why")).await.json;
    assert_eq!((&why["reason"], &why["move"]), (&json!("partner"), &played));
    let choice = &why["choice"];
    assert_eq!(choice["rule"], "natural-score", "{choice}");
    assert!(choice["target_loss"].as_f64().unwrap() > 0.0);
    let candidates = choice["candidates"].as_array().unwrap();
    assert!(candidates.len() > 1);
    assert_eq!(candidates[0]["move"], played);
    assert!(candidates[0]["loss"].is_number());
    let natural = |it: &Value| it["naturalness"].as_f64().unwrap();
    assert!(
        candidates
            .iter()
            .all(|it| (0.0..=1.0).contains(&natural(it)))
    );

    // In a record the rank stands once.
    let sgf = app.get(&format!("{game}/sgf")).await.text;
    assert!(sgf.contains("PW[shido natural]"), "{sgf}");
    assert!(sgf.contains("WR[15k]"), "{sgf}");

    // It is on the disk.
    app.state.close().await;
    let app = App::start_with(app.folder, teachers()).await;
    assert_eq!(app.get(&format!("{game}/moves/2/why")).await.json, why);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_game_goes_on_with_its_records() {
    let app = App::start_with(tempfile::tempdir().unwrap(), teachers()).await;
    let game = app
        .begin(json!({ "level": "8k", "partner": "gentle" }))
        .await;
    app.play(&game, "E5").await;
    app.state.close().await;
    let app = App::start_with(app.folder, teachers()).await;
    let view = app.wait_for(&game, |it| it["your_turn"] == true).await;
    let free = if view["position"]["stones"][20] == 0 {
        "C7"
    } else {
        "G3"
    };
    let view = app.play(&game, free).await;
    assert_eq!(view["moves"].as_array().unwrap().len(), 4);
    assert_eq!(view["failure"], Value::Null);
}

/// Plays six moves and lets the partner resign, or resigns.
async fn finish(app: &App, wanted: Value, won: bool) -> String {
    let game = app.begin(wanted).await;
    for row in 1..=5 {
        app.play(&game, &format!("D{row}")).await;
    }
    let last = if won { "D6" } else { "resign" };
    let view = app.play(&game, last).await;
    assert_eq!(view["result"], if won { "B+R" } else { "W+R" });
    game
}

async fn level(app: &App) -> (i32, Value) {
    let view = app.get("/api/level").await.json;
    let text = view["level"].as_str().unwrap();
    let number: i32 = text.trim_end_matches(['k', 'd']).parse().unwrap();
    let steps = if text.ends_with('k') {
        -number
    } else {
        number - 1
    };
    (steps, view)
}

const SIX: &str = "F1 F2 F3 F4 F5 resign";

#[tokio::test(flavor = "multi_thread")]
async fn the_automatic_level_follows_results() {
    let app = App::start_with(tempfile::tempdir().unwrap(), leveled(SIX)).await;
    let (start, view) = level(&app).await;
    assert_eq!(view["games"], json!([]));
    // A game that was over before it began says nothing.
    let short = app.begin(json!({ "level": "15k" })).await;
    app.play(&short, "resign").await;
    assert_eq!(level(&app).await.0, start);

    let game = finish(&app, json!({ "level": "15k" }), true).await;
    let (after_win, view) = level(&app).await;
    assert!(after_win > -15, "{view}");
    let step = &view["games"][0];
    assert_eq!(
        (&step["level"], &step["outcome"]),
        (&json!("15k"), &json!("won"))
    );
    assert_eq!(step["after"], view["level"]);

    // The next game is played at it, and a loss takes it down again.
    let next = app.begin(json!({})).await;
    let settings = app.get(&next).await.json["settings"].clone();
    assert_eq!(
        (&settings["level"], &settings["auto"]),
        (&view["level"], &json!(true))
    );
    finish(&app, json!({}), false).await;
    let (after_loss, _) = level(&app).await;
    assert!(after_loss < after_win);

    // A game that is deleted was still played; a restart forgets nothing.
    let deleted = app.ask("DELETE", &game, axum::body::Body::empty()).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    let before = level(&app).await.1;
    app.state.close().await;
    let app = App::start_with(app.folder, leveled(SIX)).await;
    assert_eq!(level(&app).await.1, before);
    assert_eq!(before["games"].as_array().unwrap().len(), 2);
}
