//! Records to look at.

use axum::body::Body;
use serde_json::json;

use crate::app::App;

const GAME: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[Ann]BR[5k]PW[Ben]RE[W+R]\
    C[Hello];B[ee]TR[ee];W[cc]LB[cc:1]N[approach](;B[gg]C[main];W[gc])(;B[gc]C[other]AR[gc:cc]))";

#[tokio::test(flavor = "multi_thread")]
async fn a_record_with_variations_is_shown_node_by_node() {
    let app = App::start("").await;
    let added = app
        .ask("POST", "/api/records?name=ann.sgf", Body::from(GAME))
        .await;
    assert_eq!(added.status.as_u16(), 201, "{}", added.text);
    let record = added.json;
    assert_eq!(record["name"], "ann.sgf");
    assert_eq!(record["info"]["black"], "Ann");
    assert_eq!(record["info"]["black_rank"], "5k");
    assert_eq!(record["main_line"], json!([0, 1, 2, 3, 4]));
    assert_eq!(record["nodes"][2]["children"], json!([3, 5]));
    let address = format!("/api/records/{}", record["id"].as_str().unwrap());
    assert_eq!(app.get(&address).await.json, record);

    let root = app.get(&format!("{address}/nodes/0")).await.json;
    assert_eq!(root["comment"], "Hello");
    assert_eq!(root["position"]["to_move"], "black");
    let node = app.get(&format!("{address}/nodes/5")).await.json;
    assert_eq!(node["comment"], "other");
    assert_eq!(
        node["position"]["last_move"],
        json!({ "color": "black", "move": "G7" })
    );
    assert_eq!(node["position"]["move_number"], 3);
    assert_eq!(
        node["lines"][0],
        json!({ "from": "G7", "to": "C7", "kind": "arrow" })
    );
    let node = app.get(&format!("{address}/nodes/2")).await.json;
    assert_eq!(
        node["marks"][0],
        json!({ "point": "C7", "kind": "label", "text": "1" })
    );
    assert_eq!(
        node["next"][1],
        json!({ "node": 5, "color": "black", "move": "G7" })
    );
    assert_eq!(node["name"], "approach");

    app.get(&format!("{address}/nodes/6"))
        .await
        .expect(404, "not_found");
    app.get(&format!("{address}/nodes/x"))
        .await
        .expect(404, "not_found");
    app.get(&format!("{address}?game=1"))
        .await
        .expect(404, "not_found");

    let app = app.restart("").await;
    assert_eq!(app.get(&address).await.json, record);
    let list = app.get("/api/records").await.json;
    assert_eq!(list["records"][0]["name"], "ann.sgf");
    let gone = app.ask("DELETE", &address, Body::empty()).await;
    assert_eq!(gone.status.as_u16(), 204);
    app.get(&address).await.expect(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_record_is_refused_in_words() {
    let app = App::start("").await;
    for text in ["", "hello", "(;GM[2]SZ[8])", "(;SZ[99])", "\u{0}\u{1}"] {
        let answer = app.ask("POST", "/api/records", Body::from(text)).await;
        answer.expect(422, "bad_record");
    }
    assert_eq!(app.get("/api/records").await.json["records"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_are_told_and_the_rest_is_shown() {
    let app = App::start("").await;
    let broken = "(;SZ[9];B[ee];W[ee];B[zz];W[aa]";
    let added = app.ask("POST", "/api/records", Body::from(broken)).await;
    assert_eq!(added.status.as_u16(), 201);
    let warnings = added.json["warnings"].as_array().unwrap();
    assert!(warnings.len() >= 2, "{warnings:?}");
    assert_eq!(added.json["nodes"].as_array().unwrap().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_charsets_and_several_games() {
    let app = App::start("").await;
    // Shift JIS, with a second game.
    let mut sgf = b"(;CA[Shift_JIS]SZ[9]PB[".to_vec();
    sgf.extend([0x8c, 0xe9]);
    sgf.extend(b"])(;SZ[13]PB[second])");
    let added = app.ask("POST", "/api/records", Body::from(sgf)).await.json;
    assert_eq!(added["info"]["black"], "碁");
    assert_eq!(added["games"], 2);
    let address = format!("/api/records/{}?game=1", added["id"].as_str().unwrap());
    let second = app.get(&address).await.json;
    assert_eq!(second["info"]["black"], "second");
    assert_eq!(second["width"], 13);
}
