//! Event streams: a game as it goes on, an analysis as it grows, a graph.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use futures_core::Stream;
use serde_json::{Value, json};

use crate::app::App;

/// Reads server-sent events one by one.
struct Reader {
    body: BodyDataStream,
    text: String,
}

impl Reader {
    async fn open(app: &App, path: &str) -> Reader {
        let request = Request::builder()
            .uri(path)
            .header("host", "localhost:8510")
            .header("sec-fetch-site", "same-origin")
            .body(Body::empty())
            .unwrap();
        let response = app.send(request).await;
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Reader {
            body: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// Returns the next event and its data, or `None` at the end.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name| event.lines().find_map(|it| it.strip_prefix(name));
                let found = field("event: ").map(|name| {
                    let data = serde_json::from_str(field("data: ").unwrap()).unwrap();
                    (name.to_owned(), data)
                });
                let rest = rest.to_owned();
                self.text = rest;
                if found.is_some() {
                    return found;
                }
                continue;
            }
            let next = std::future::poll_fn(|context| {
                std::pin::Pin::new(&mut self.body).poll_next(context)
            });
            let chunk = tokio::time::timeout(Duration::from_mins(1), next).await;
            let chunk = chunk.expect("an event in time")?.unwrap();
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    async fn until(&mut self, wanted: impl Fn(&str, &Value) -> bool) -> Value {
        while let Some((name, data)) = self.next().await {
            if wanted(&name, &data) {
                return data;
            }
        }
        panic!("the stream ended");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_streamed_as_it_goes_on() {
    let app = App::start("C3 resign").await;
    let game = app.begin(json!({})).await;
    let mut reader = Reader::open(&app, &format!("{game}/events")).await;
    let (name, first) = reader.next().await.unwrap();
    assert_eq!((name.as_str(), &first["moves"]), ("game", &json!([])));
    let body = json!({ "move": "E5", "after": 0 });
    app.post(&format!("{game}/move"), body).await;
    let thinking = reader.until(|name, _| name == "thinking").await;
    assert_eq!(thinking["after"], 1);
    let moved = |name: &str, it: &Value| name == "game" && it["your_turn"] == true;
    let view = reader.until(moved).await;
    assert_eq!(view["moves"][1]["move"], "C3");
    app.ask("DELETE", &game, Body::empty()).await;
    reader.until(|name, _| name == "deleted").await;
    assert!(reader.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_runs_while_somebody_watches_and_then_the_flag_falls() {
    let app = App::start("C3").await;
    let clock = json!({ "kind": "byo_yomi", "main_s": 0, "period_s": 1, "periods": 1 });
    let game = app.begin(json!({ "clock": clock })).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let view = app.get(&game).await.json;
    assert_eq!(view["clock"]["running"], Value::Null, "nobody watches");
    assert_eq!(view["clock"]["black"]["period_ms"], 1000);
    let mut reader = Reader::open(&app, &format!("{game}/events")).await;
    let first = reader.next().await.unwrap().1;
    assert_eq!(first["clock"]["running"], "black");
    let over = reader.until(|_, it| it["phase"] == "finished").await;
    assert_eq!(over["result"], "W+T");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_grows_and_ends() {
    let app = App::start("").await;
    let sgf = "(;SZ[9];B[ee];W[cc];B[gg];W[gc])";
    let record = app.ask("POST", "/api/records", Body::from(sgf)).await.json;
    let address = format!("/api/records/{}", record["id"].as_str().unwrap());
    let path = format!("{address}/nodes/2/analysis?visits=200");
    let mut reader = Reader::open(&app, &path).await;
    let last = reader
        .until(|name, it| name == "analysis" && it["done"] == true)
        .await;
    assert_eq!(last["to_move"], "black");
    assert!(last["visits"].as_u64().unwrap() >= 200);
    assert!(!last["candidates"].as_array().unwrap().is_empty());
    assert_eq!(last["ownership"].as_array().unwrap().len(), 81);
    assert_eq!(reader.next().await.unwrap().0, "done");
    assert!(reader.next().await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_graph_comes_coarse_to_fine_and_is_remembered() {
    let app = App::start("").await;
    let sgf = "(;SZ[9];B[ee];C[no move]W[cc];B[gg];W[gc])";
    let record = app.ask("POST", "/api/records", Body::from(sgf)).await.json;
    let path = format!("/api/records/{}/graph", record["id"].as_str().unwrap());
    let mut first = Vec::new();
    let mut reader = Reader::open(&app, &path).await;
    while let Some((name, data)) = reader.next().await {
        if name == "graph" {
            first.push(data);
        }
    }
    let numbers: Vec<_> = first
        .iter()
        .map(|it| it["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [0, 4, 2, 1, 3]);
    let mut again = Vec::new();
    let mut reader = Reader::open(&app, &path).await;
    while let Some((name, data)) = reader.next().await {
        if name == "graph" {
            again.push(data);
        }
    }
    assert_eq!(first, again);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partner_moves_while_an_analysis_runs_and_a_page_that_leaves_frees_the_engine() {
    let app = App::start("C3").await;
    let sgf = "(;SZ[9];B[ee])";
    let record = app.ask("POST", "/api/records", Body::from(sgf)).await.json;
    let address = format!("/api/records/{}", record["id"].as_str().unwrap());
    let long = format!("{address}/nodes/1/analysis?visits=100000");
    let mut reader = Reader::open(&app, &long).await;
    reader.next().await.unwrap();
    let game = app.begin(json!({})).await;
    let view = app.play(&game, "E5").await;
    assert_eq!(view["moves"][1]["move"], "C3");
    // The analysis goes on, and stops when its page has gone.
    reader.next().await.unwrap();
    drop(reader);
    let short = format!("{address}/nodes/0/analysis?visits=10");
    let mut reader = Reader::open(&app, &short).await;
    reader.until(|_, it| it["done"] == true).await;
}
