//! What a stranger, a broken page or a hostile file may send.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use futures_core::Stream;
use serde_json::json;
use tokio::sync::oneshot;

use crate::app::{Answer, App};

const SCRIPT: &str = "<script>alert(1)</script>";

fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        builder = builder.header(*name, *value);
    }
    builder.body(Body::from("{}")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn other_origins_and_hosts_are_refused() {
    let app = App::start("").await;
    let cases: [&[(&str, &str)]; 5] = [
        &[
            ("host", "localhost:8510"),
            ("origin", "https://evil.example"),
        ],
        &[
            ("host", "localhost:8510"),
            ("origin", "http://localhost:3000"),
        ],
        &[("host", "evil.example:8510")],
        &[("host", "localhost:8510"), ("sec-fetch-site", "cross-site")],
        &[],
    ];
    for headers in cases {
        for (method, path) in [("POST", "/api/games"), ("GET", "/api/games")] {
            let response = app.send(request(method, path, headers)).await;
            Answer::of(response).await.expect(403, "foreign");
        }
    }
    // The page too, for a foreign host.
    let response = app
        .send(request("GET", "/", &[("host", "evil.example")]))
        .await;
    Answer::of(response).await.expect(403, "foreign");
    assert_eq!(app.get("/api/games").await.json["games"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_50_mb_is_refused() {
    let app = App::start("").await;
    let mut sgf = b"(;SZ[9]".to_vec();
    sgf.resize(50 << 20, b' ');
    let answer = app.ask("POST", "/api/records", Body::from(sgf)).await;
    answer.expect(413, "too_large");
    // One that says so itself is refused before any of it comes.
    let request = Request::builder()
        .method("POST")
        .uri("/api/records")
        .header("host", "localhost:8510")
        .header("content-length", "52428800")
        .body(Body::empty())
        .unwrap();
    let answer = Answer::of(app.send(request).await).await;
    answer.expect(413, "too_large");
    let long = json!({ "your_name": "x".repeat(100_000) });
    app.post("/api/games", long).await.expect(413, "too_large");
}

/// A body that comes byte by byte and never ends.
struct Trickle {
    pace: tokio::time::Interval,
    /// Told when somebody begins to read; then nobody is left to tell.
    read: Option<oneshot::Sender<()>>,
}

impl Stream for Trickle {
    type Item = io::Result<&'static str>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        if let Some(read) = self.read.take() {
            let _ = read.send(());
        }
        self.pace.poll_tick(context).map(|_| Some(Ok(" ")))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_trickle_are_given_up() {
    let app = App::start("").await;
    let mut tasks = tokio::task::JoinSet::new();
    // As many as are served at once, so that nobody else is. Each is let in before the
    // next one asks: a question of ours between them could take the last place.
    for i in 0..64 {
        let (router, path) = (app.router.clone(), ["/api/games", "/api/records"][i % 2]);
        let (read, is_read) = oneshot::channel();
        tasks.spawn(async move {
            let body = Trickle {
                pace: tokio::time::interval(Duration::from_secs(1)),
                read: Some(read),
            };
            let request = Request::post(path)
                .header("host", "localhost:8510")
                .header("content-type", "application/json")
                .body(Body::from_stream(body))
                .unwrap();
            let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
            Answer::of(response).await
        });
        is_read.await.expect("a body is read, not refused");
    }
    app.get("/api/about").await.expect(503, "busy");
    for answer in tasks.join_all().await {
        answer.expect(408, "too_slow");
    }
    assert_eq!(app.get("/api/about").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_json_is_refused_in_our_own_words() {
    let app = App::start("").await;
    for (body, expect) in [
        ("{", "the body is no JSON: EOF"),
        (r#"{"size": "x"}"#, "wrong in the body at `size`: "),
        (
            r#"{"sise": 9}"#,
            "wrong in the body at `sise`: unknown field",
        ),
    ] {
        let answer = app.ask("POST", "/api/games", Body::from(body)).await;
        answer.expect(400, "bad_request");
        let said = answer.json["message"].as_str().unwrap();
        assert!(said.starts_with(expect), "{said}");
    }
    let plain = request("POST", "/api/games", &[("host", "localhost:8510")]);
    let answer = Answer::of(app.send(plain).await).await;
    answer.expect(400, "bad_request");
    assert!(answer.text.contains("application/json"), "{}", answer.text);
    let answer = app.get("/api/games/0/sgf?download=perhaps").await;
    answer.expect(400, "bad_request");
    let said = answer.json["message"].as_str().unwrap();
    assert!(said.starts_with("wrong in the address"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn script_in_names_and_comments_stays_text() {
    let app = App::start("").await;
    let sgf = format!("(;SZ[9]PB[{SCRIPT}]C[{SCRIPT}];B[ee]N[{SCRIPT}]LB[ee:{SCRIPT}])");
    let name = "/api/records?name=%3Cscript%3E.sgf";
    let record = app.ask("POST", name, Body::from(sgf)).await;
    let address = format!("/api/records/{}", record.json["id"].as_str().unwrap());
    let node = app.get(&format!("{address}/nodes/0")).await;
    assert_eq!(node.json["comment"], SCRIPT);
    let game = app.begin(json!({ "your_name": SCRIPT })).await;
    let view = app.get(&game).await;
    assert_eq!(view.json["black"], SCRIPT);
    let sgf = app.get(&format!("{game}/sgf")).await;
    assert!(sgf.text.contains(&format!("PB[{SCRIPT}]")));
    let list = app.get("/api/records").await;
    let error = app.get("/api/games/%3Cscript%3E").await;
    for answer in [&record, &node, &view, &list, &error] {
        assert_eq!(answer.header("content-type"), "application/json");
    }
    assert!(
        sgf.header("content-type")
            .starts_with("application/x-go-sgf")
    );
    for answer in [&record, &node, &view, &list, &error, &sgf] {
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("cache-control"), "no-store");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_in_a_name_leads_nowhere() {
    let app = App::start("").await;
    let name = "/api/records?name=..%2F..%2Fetc%2Fpasswd";
    let record = app.ask("POST", name, Body::from("(;SZ[9])")).await;
    assert_eq!(record.json["name"], "passwd");
    let names: Vec<_> = std::fs::read_dir(app.folder.path())
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names.iter().all(|it| it.starts_with("shido.sqlite3")),
        "{names:?}"
    );
    let page = app.get("/..%2f..%2fetc%2fpasswd").await;
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(!page.text.contains("root:"));
}

#[tokio::test(flavor = "multi_thread")]
async fn guessed_ids_and_addresses_find_nothing() {
    let app = App::start("").await;
    let game = app.begin(json!({})).await;
    let id = game.rsplit('/').next().unwrap();
    assert_eq!(id.len(), 32);
    let flip = if id.starts_with('0') { "1" } else { "0" };
    for guess in [
        "1",
        "0",
        "..",
        &id[..31],
        &format!("{flip}{}", &id[1..]),
        &format!("{id}0"),
        "%27%20OR%201%3D1%20--",
    ] {
        let address = format!("/api/games/{guess}");
        app.get(&address).await.expect(404, "not_found");
        let body = json!({ "move": "E5", "after": 0 });
        let moved = app.post(&format!("{address}/move"), body).await;
        moved.expect(404, "not_found");
    }
    app.get("/api/nothing").await.expect(404, "not_found");
    app.ask("PUT", "/api/games", Body::empty())
        .await
        .expect(405, "bad_method");
    app.ask("POST", "/", Body::empty())
        .await
        .expect(405, "bad_method");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_requests_at_once_are_answered_or_refused() {
    let app = App::start("C3").await;
    let game = app.begin(json!({})).await;
    let mut tasks = tokio::task::JoinSet::new();
    for i in 0..1000 {
        let router = app.router.clone();
        let path = if i % 2 == 0 {
            game.clone()
        } else {
            "/api/games".to_owned()
        };
        tasks.spawn(async move {
            let request = Request::builder()
                .uri(path)
                .header("host", "localhost:8510")
                .body(Body::empty())
                .unwrap();
            let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
            response.status().as_u16()
        });
    }
    let statuses = tasks.join_all().await;
    assert_eq!(statuses.len(), 1000);
    assert!(
        statuses.iter().all(|it| matches!(it, 200 | 429 | 503)),
        "{statuses:?}"
    );
    assert!(statuses.contains(&200) && statuses.iter().any(|it| *it != 200));
    // It goes on as if nothing had happened.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let view = app.play(&game, "E5").await;
    assert_eq!(view["moves"][1]["move"], "C3");
}
