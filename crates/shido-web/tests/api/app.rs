//! A server without a socket, and a partner that plays what it is told.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};
use shido_engine::{Classic, StopFlag};
use shido_go::Move;
use shido_go::gtp::{Reply, parse_vertex};
use shido_search::Analysis;
use shido_search::uct::{Knowledge, UctSettings};
use shido_web::partners::{Engines, House, Partner, Thought, Turn};
use shido_web::store::Store;
use shido_web::wire::{EngineOffer, PartnerOffer, Reason};
use shido_web::{AppState, router};
use tempfile::TempDir;
use tower::ServiceExt;

/// Plays the moves of a list, by how many it has played, then passes.
struct Scripted {
    moves: Vec<String>,
}

impl Partner for Scripted {
    fn plays(&self, partner: &str) -> bool {
        partner == "scripted"
    }

    fn play(&mut self, turn: &Turn, stop: &StopFlag, report: &mut dyn FnMut(u64, f32)) -> Thought {
        let position = &turn.position;
        let own = position.moves().iter();
        let own = own.filter(|it| it.color == position.to_move()).count();
        report(10, 0.5);
        let text = self.moves.get(own).map_or("pass", |it| it.as_str());
        if text == "wait" {
            while !stop.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let reply = match text {
            "resign" => Reply::Resign,
            "wait" => Reply::Move(Move::Pass),
            _ => Reply::Move(parse_vertex(text, position.size()).unwrap()),
        };
        Thought {
            reply,
            reason: Reason::Search,
            hopeless: false,
            engine: "scripted".to_owned(),
            analysis: Analysis::unknown(position.to_move()),
            choice: None,
            time: Duration::from_millis(1),
        }
    }
}

/// Returns a house with a scripted partner and the classic analyst.
pub(crate) fn house(moves: &str) -> House {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    House {
        engines: vec![EngineOffer {
            id: "classic".to_owned(),
            name: "classic".to_owned(),
        }],
        partners: vec![PartnerOffer {
            id: "scripted".to_owned(),
            name: "a list of moves".to_owned(),
            advanced: false,
            strengths: Vec::new(),
            levels: Vec::new(),
            measured: Vec::new(),
            styles: Vec::new(),
        }],
        make: Box::new(move || {
            let settings = UctSettings {
                memory: 16 << 20,
                ..UctSettings::default()
            };
            Engines {
                partners: vec![Box::new(Scripted {
                    moves: moves.clone(),
                })],
                analyst: Box::new(Classic::new(settings, Knowledge::shipped()).unwrap()),
            }
        }),
    }
}

/// A server on a folder of its own.
pub(crate) struct App {
    pub(crate) router: Router,
    pub(crate) state: AppState,
    pub(crate) folder: TempDir,
}

impl App {
    /// Starts with a partner that plays `moves`.
    pub(crate) async fn start(moves: &str) -> App {
        App::start_in(tempfile::tempdir().unwrap(), moves).await
    }

    pub(crate) async fn start_in(folder: TempDir, moves: &str) -> App {
        App::start_with(folder, house(moves)).await
    }

    pub(crate) async fn start_with(folder: TempDir, house: House) -> App {
        let store = Store::open(&folder.path().join("shido.sqlite3"))
            .await
            .unwrap();
        let state = AppState::new(store, house);
        App {
            router: router(state.clone()),
            state,
            folder,
        }
    }

    /// Stops and starts again on the same folder.
    pub(crate) async fn restart(self, moves: &str) -> App {
        self.state.close().await;
        App::start_in(self.folder, moves).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Sends a request of our own page; returns status, headers and JSON or text.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: Body) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost:8510")
            .header("origin", "http://localhost:8510")
            .header("content-type", "application/json")
            .body(body)
            .unwrap();
        Answer::of(self.send(request).await).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, Body::empty()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask("POST", path, Body::from(body.to_string())).await
    }

    /// Begins a quick game; returns its address in the API.
    pub(crate) async fn begin(&self, mut wanted: Value) -> String {
        wanted["pace"] = json!("quick");
        let answer = self.post("/api/games", wanted).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        format!("/api/games/{}", answer.json["id"].as_str().unwrap())
    }

    /// Asks for a game until it is as wanted.
    pub(crate) async fn wait_for(&self, game: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..3000 {
            let answer = self.get(game).await;
            if answer.status == StatusCode::OK && wanted(&answer.json) {
                return answer.json;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!(
            "the game did not come to that: {}",
            self.get(game).await.text
        );
    }

    /// Plays a move and waits until it is our turn again or the game is over.
    pub(crate) async fn play(&self, game: &str, mv: &str) -> Value {
        let after = self.get(game).await.json["moves"].as_array().unwrap().len();
        let body = json!({ "move": mv, "after": after });
        let answer = self.post(&format!("{game}/move"), body).await;
        assert_eq!(answer.status, StatusCode::OK, "{mv}: {}", answer.text);
        let ours = |it: &Value| it["your_turn"] == true || it["phase"] != "playing";
        self.wait_for(game, ours).await
    }
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    /// Null if it is not JSON.
    pub(crate) json: Value,
}

impl Answer {
    pub(crate) async fn of(response: Response) -> Answer {
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 64 << 20).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Answer {
            status: parts.status,
            headers: parts.headers,
            json: serde_json::from_str(&text).unwrap_or_default(),
            text,
        }
    }

    #[track_caller]
    pub(crate) fn expect(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.json["code"], code, "{}", self.text);
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |it| it.to_str().unwrap())
    }
}
