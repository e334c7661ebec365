//! Whole games: play, undo, resign, count, resume, keep, take away.

use axum::body::Body;
use serde_json::{Value, json};

use crate::app::App;

/// White's wall on the F line, then an invasion that dies.
const WALL: &str = "F1 F2 F3 F4 F5 F6 F7 F8 F9 B5";

/// Plays Black's wall on the D line and both passes.
async fn play_walls(app: &App, rules: &str) -> (String, Value) {
    let game = app.begin(json!({ "size": 9, "rules": rules })).await;
    for row in 1..=9 {
        app.play(&game, &format!("D{row}")).await;
    }
    app.play(&game, "E5").await;
    app.play(&game, "pass").await;
    let ready = |it: &Value| it["scoring"]["ready"] == true;
    let view = app.wait_for(&game, ready).await;
    (game, view)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_with_a_dead_group() {
    let app = App::start(WALL).await;
    let (game, view) = play_walls(&app, "chinese").await;
    assert_eq!(view["phase"], "scoring");
    let scoring = &view["scoring"];
    assert_eq!(
        scoring["dead"],
        json!(["B5"]),
        "the engine proposes the invader"
    );
    assert_eq!(scoring["score"], "W+6.5");
    assert_eq!(scoring["black"]["points"], 37);
    assert_eq!(scoring["white"]["points"], 36);

    let dead = format!("{game}/dead");
    let alive = app
        .post(&dead, json!({ "point": "B5", "after": 22 }))
        .await
        .json;
    assert_eq!(alive["scoring"]["dead"], json!([]));
    assert_eq!(alive["scoring"]["score"], "W+34.5");
    let again = app
        .post(&dead, json!({ "point": "b5", "after": 22 }))
        .await
        .json;
    assert_eq!(again["scoring"]["score"], "W+6.5");
    app.post(&dead, json!({ "point": "A1", "after": 22 }))
        .await
        .expect(400, "bad_request");

    // Who has not seen the latest moves agrees to nothing.
    for (what, body) in [
        ("agree", json!({ "after": 20 })),
        ("resume", json!({ "after": 20 })),
        ("dead", json!({ "point": "B5", "after": 20 })),
    ] {
        let answer = app.post(&format!("{game}/{what}"), body).await;
        answer.expect(409, "stale");
    }

    let seen = json!({ "after": 22 });
    let over = app.post(&format!("{game}/agree"), seen.clone()).await.json;
    assert_eq!(over["phase"], "finished");
    assert_eq!(over["result"], "W+6.5");
    assert_eq!(over["winner"], "white");
    assert_eq!(over["scoring"]["dead"], json!(["B5"]));

    let why = app.get(&format!("{game}/moves/2/why")).await.json;
    assert_eq!(why["move"], "F1");
    assert_eq!(why["reason"], "search");
    app.get(&format!("{game}/moves/1/why"))
        .await
        .expect(404, "not_found");
    app.get(&format!("{game}/moves/0/why"))
        .await
        .expect(404, "not_found");

    let sgf = app.get(&format!("{game}/sgf")).await;
    assert_eq!(
        sgf.header("content-type"),
        "application/x-go-sgf; charset=utf-8"
    );
    assert!(
        sgf.text.contains("RE[W+6.5]") && sgf.text.contains(";B[di]"),
        "{}",
        sgf.text
    );
    let file = app.get(&format!("{game}/sgf?download=true")).await;
    let disposition = file.header("content-disposition");
    assert!(
        disposition.starts_with("attachment; filename=\"shido-2"),
        "{disposition}"
    );

    for what in ["undo", "agree", "resume"] {
        let answer = app.post(&format!("{game}/{what}"), seen.clone()).await;
        answer.expect(409, "wrong_phase");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn territory_counts_prisoners() {
    let app = App::start(WALL).await;
    let (_, view) = play_walls(&app, "japanese").await;
    let scoring = &view["scoring"];
    assert_eq!(scoring["counting"], "territory");
    assert_eq!(scoring["black"]["prisoners"], 1);
    assert_eq!(scoring["black"]["points"], 28);
    assert_eq!(scoring["score"], "W+5.5");
}

#[tokio::test(flavor = "multi_thread")]
async fn counting_can_be_broken_off() {
    let app = App::start(WALL).await;
    let (game, _) = play_walls(&app, "chinese").await;
    let view = app
        .post(&format!("{game}/resume"), json!({ "after": 22 }))
        .await
        .json;
    assert_eq!(view["phase"], "playing");
    assert_eq!(view["your_turn"], true);
    assert_eq!(view["scoring"], Value::Null);
    assert_eq!(view["moves"].as_array().unwrap().len(), 20);
    let view = app.play(&game, "B6").await;
    assert_eq!(view["position"]["stones"].as_array().unwrap()[3 * 9 + 1], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_goes_back_to_the_students_turn() {
    let app = App::start("C3 wait").await;
    let game = app.begin(json!({})).await;
    let undo = format!("{game}/undo");
    app.post(&undo, json!({ "after": 0 }))
        .await
        .expect(409, "wrong_phase");
    app.post(&undo, json!({})).await.expect(400, "bad_request");
    app.play(&game, "E5").await;
    let view = app.post(&undo, json!({ "after": 2 })).await.json;
    assert_eq!(view["moves"], json!([]));
    assert_eq!(view["undos"], 1);
    assert_eq!(view["can_undo"], false);

    // The partner's second move never ends; taking back cancels it.
    app.play(&game, "E5").await;
    let after = json!({ "move": "G7", "after": 2 });
    let view = app.post(&format!("{game}/move"), after).await.json;
    assert_eq!(view["thinking"], true);
    let body = json!({ "move": "A1", "after": 3 });
    let answer = app.post(&format!("{game}/move"), body).await;
    answer.expect(409, "not_your_turn");
    let view = app.post(&undo, json!({ "after": 3 })).await.json;
    assert_eq!(view["moves"].as_array().unwrap().len(), 2);
    assert_eq!(view["your_turn"], true);
    assert_eq!(view["thinking"], false);
    // The same again, from a second click or another window, takes nothing more back.
    app.post(&undo, json!({ "after": 3 }))
        .await
        .expect(409, "stale");
}

#[tokio::test(flavor = "multi_thread")]
async fn either_side_may_resign() {
    let app = App::start("resign").await;
    let game = app.begin(json!({})).await;
    let view = app.play(&game, "E5").await;
    assert_eq!(view["result"], "B+R");
    assert_eq!(view["winner"], "black");
    let why = app.get(&format!("{game}/moves/2/why")).await.json;
    assert_eq!(why["move"], "resign");

    let game = app.begin(json!({})).await;
    let view = app.play(&game, "resign").await;
    assert_eq!(view["result"], "W+R");
    let late = json!({ "move": "E5", "after": 1 });
    app.post(&format!("{game}/move"), late)
        .await
        .expect(409, "wrong_phase");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_moves_change_nothing() {
    let app = App::start("D5 E4 F5 E6").await;
    let game = app.begin(json!({})).await;
    for mv in ["A1", "A2", "A3", "A4"] {
        app.play(&game, mv).await;
    }
    let address = format!("{game}/move");
    let cases = [
        (json!({ "move": "A1", "after": 8 }), 409, "illegal_move"),
        (json!({ "move": "E5", "after": 8 }), 409, "illegal_move"),
        (json!({ "move": "B2", "after": 7 }), 409, "stale"),
        (json!({ "move": "Z9", "after": 8 }), 400, "bad_request"),
        (json!({ "move": "", "after": 8 }), 400, "bad_request"),
        (json!({ "move": "B2" }), 400, "bad_request"),
        (
            json!({ "move": "B2", "after": 8, "force": true }),
            400,
            "bad_request",
        ),
        (json!([]), 400, "bad_request"),
    ];
    for (body, status, code) in cases {
        app.post(&address, body).await.expect(status, code);
    }
    let view = app.get(&game).await.json;
    assert_eq!(view["moves"].as_array().unwrap().len(), 8);
    assert_eq!(
        view["position"]["forbidden"],
        json!(["E5"]),
        "suicide is told of"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn games_begin_as_asked_or_not_at_all() {
    let app = App::start("").await;
    let bad = [
        json!({ "size": 10 }),
        json!({ "rules": "tiddlywinks" }),
        json!({ "komi": 7.25 }),
        json!({ "komi": 1e9 }),
        json!({ "handicap": 1 }),
        json!({ "handicap": 10 }),
        json!({ "partner": "nobody" }),
        json!({ "level": "9d" }),
        json!({ "clock": { "kind": "absolute", "main_s": 0 } }),
        json!({ "clock": { "kind": "sundial" } }),
        json!({ "your_name": "x".repeat(61) }),
        json!({ "colour": "black" }),
    ];
    for body in bad {
        app.post("/api/games", body)
            .await
            .expect(400, "bad_request");
    }
    assert_eq!(app.get("/api/games").await.json["games"], json!([]));

    let game = app
        .begin(json!({ "size": 19, "handicap": 4, "your_color": "white" }))
        .await;
    let view = app.get(&game).await.json;
    assert_eq!(view["settings"]["komi"], 0.5);
    assert_eq!(view["your_turn"], true, "White moves first");
    assert_eq!(view["position"]["stones"].as_array().unwrap().len(), 361);
    let stones = view["position"]["stones"].as_array().unwrap();
    assert_eq!(stones.iter().filter(|it| **it == 1).count(), 4);

    let game = app.begin(json!({ "your_color": "white" })).await;
    let view = app.wait_for(&game, |it| it["your_turn"] == true).await;
    assert_eq!(view["moves"][0]["move"], "pass", "the partner began");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_kept_listed_and_taken_away() {
    let app = App::start("C3 G7").await;
    let game = app.begin(json!({ "your_name": "Ann" })).await;
    app.play(&game, "E5").await;
    let view = app.play(&game, "E6").await;
    let app = app.restart("C3 G7 C7").await;
    let found = app.get(&game).await.json;
    assert_eq!(found["moves"], view["moves"]);
    assert_eq!(found["position"], view["position"]);
    app.play(&game, "E7").await;
    let list = app.get("/api/games").await.json;
    assert_eq!(list["games"][0]["moves"], 6);
    assert_eq!(list["games"][0]["settings"]["your_name"], "Ann");

    let gone = app.ask("DELETE", &game, Body::empty()).await;
    assert_eq!(gone.status.as_u16(), 204);
    app.get(&game).await.expect(404, "not_found");
    app.ask("DELETE", &game, Body::empty())
        .await
        .expect(404, "not_found");
    assert_eq!(app.get("/api/games").await.json["games"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partner_at_work_goes_on_after_a_restart() {
    let app = App::start("wait").await;
    let game = app.begin(json!({})).await;
    let body = json!({ "move": "E5", "after": 0 });
    app.post(&format!("{game}/move"), body).await;
    let app = app.restart("C3").await;
    let view = app.wait_for(&game, |it| it["your_turn"] == true).await;
    assert_eq!(view["moves"][1]["move"], "C3");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_can_be_looked_back_at() {
    let app = App::start("C3").await;
    let game = app.begin(json!({})).await;
    let view = app.play(&game, "E5").await;
    for moves in 0..=2 {
        let then = app.get(&format!("{game}/positions/{moves}")).await.json;
        let stones = then["stones"].as_array().unwrap();
        assert_eq!(stones.iter().filter(|it| **it != 0).count(), moves);
        assert_eq!(then["move_number"], moves);
    }
    let now = app.get(&format!("{game}/positions/2")).await.json;
    assert_eq!(now, view["position"]);
    app.get(&format!("{game}/positions/3"))
        .await
        .expect(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn reasons_and_analysis_wait_for_the_end() {
    let app = App::start("C3").await;
    let game = app.begin(json!({})).await;
    app.play(&game, "E5").await;
    app.get(&format!("{game}/moves/2/why"))
        .await
        .expect(409, "wrong_phase");
    app.get(&format!("{game}/analysis"))
        .await
        .expect(409, "wrong_phase");
    let estimate = app.post(&format!("{game}/estimate"), json!({})).await.json;
    assert_eq!(estimate["ownership"].as_array().unwrap().len(), 81);
    let rate = estimate["win_rate_black"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&rate));
}

#[tokio::test(flavor = "multi_thread")]
async fn about_says_what_is_offered() {
    let app = App::start("").await;
    let about = app.get("/api/about").await.json;
    assert_eq!(about["name"], "shido");
    assert_eq!(about["partners"][0]["id"], "scripted");
    let sizes = about["sizes"].as_array().unwrap();
    assert_eq!(sizes.len(), 3);
    assert_eq!(about["rules"][1]["id"], "japanese");
    assert_eq!(about["rules"][1]["scoring"], "territory");
}
