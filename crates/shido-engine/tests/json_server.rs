//! The analysis protocol, spoken to a server with analysts that do not think.
//!
//! `tests/transcripts/*.jsonl` are whole sessions: a line that begins with `> ` is
//! sent, the lines after it must come back before the next is sent. With
//! `UPDATE_TRANSCRIPTS` set the files are written anew, to be read before they are
//! believed.

mod analysis;
mod scripted;

use std::collections::BTreeSet;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use analysis::Served;
use scripted::Scripted;
use serde_json::{Value, json};
use shido_engine::json::{AnalysisServer, AnalystSource, ListenSettings, Listener, ServerSettings};
use shido_engine::{Analyst, Classic, Limits, SearchOptions};
use shido_go::Position;
use shido_search::uct::{Knowledge, UctSettings};
use shido_search::{Analysis, Evaluation, ForMover, Points, WinRate, uct};

type Made = Result<Box<dyn Analyst>, String>;

#[expect(clippy::unnecessary_wraps, reason = "a source of analysts may fail")]
fn scripted() -> Made {
    Ok(Box::new(Patient))
}

/// Answers at once, except that a search of a million visits lasts until it is
/// stopped and one of 666 breaks.
struct Patient;

impl Patient {
    fn wait(limits: &Limits) {
        assert_ne!(limits.visits, Some(666), "told to break");
        while limits.visits >= Some(1_000_000) && !limits.stop.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Analyst for Patient {
    fn name(&self) -> &'static str {
        "patient"
    }

    fn analyze(&mut self, position: &Position, limits: &Limits) -> Analysis {
        Patient::wait(limits);
        Scripted.analyze(position, limits)
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        every: Duration,
        report: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let analysis = Scripted.analyze(position, limits);
        let until = Instant::now() + Duration::from_millis(30);
        while Instant::now() < until {
            thread::sleep(every.min(Duration::from_millis(2)));
            report(&analysis);
        }
        Patient::wait(limits);
        analysis
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        Scripted.policy(position)
    }

    fn forget(&mut self) {}
}

/// Patient analysts beside people who are equally likely to play anywhere; a profile
/// that is no rank has nobody.
struct Crowd;

impl AnalystSource for Crowd {
    fn make(&self) -> Made {
        scripted()
    }

    fn check(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        let mut unfollowed = options.asked();
        unfollowed.retain(|name| name != "humanSLProfile");
        Ok(unfollowed)
    }

    fn human(
        &self,
        position: &Position,
        options: &SearchOptions,
    ) -> Result<Option<Evaluation>, String> {
        match options.settings.get("humanSLProfile") {
            Some(name) if name.starts_with("rank_") => Ok(Some(Evaluation {
                policy: Scripted.policy(position).into(),
                win_rate: ForMover(WinRate(0.25)),
                no_result: 0.0,
                score_mean: ForMover(Points(-4.5)),
                score_deviation: Points(20.0),
                lead: ForMover(Points(-4.0)),
                variance_time: None,
                short_term_win_loss_error: Some(0.5),
                short_term_score_error: Some(Points(3.0)),
                ownership: None,
            })),
            Some(name) => Err(format!("nobody is a {name}")),
            None => Ok(None),
        }
    }
}

fn query(id: &str, rest: &Value) -> String {
    let mut query = json!({
        "id": id, "moves": [], "rules": "chinese", "komi": 7, "boardXSize": 5, "boardYSize": 5,
    });
    for (name, value) in rest.as_object().unwrap() {
        query[name] = value.clone();
    }
    query.to_string()
}

/// Whether an answer is the last word on a position.
fn is_final(answer: &Value) -> bool {
    answer["isDuringSearch"] == json!(false)
}

fn transcript(name: &str, source: impl AnalystSource + 'static) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let path = path.join(name);
    let update = std::env::var_os("UPDATE_TRANSCRIPTS").is_some();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut served = Served::start(ServerSettings::default(), source);
    let mut written = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(sent) = line.strip_prefix("> ") else {
            if line.starts_with('#') || line.is_empty() {
                written = written + line + "\n";
            } else {
                assert!(update, "{name}: a line out of place: {line}");
            }
            continue;
        };
        written = written + line + "\n";
        served.send(sent);
        if update {
            while let Some(answer) = served.soon() {
                written = written + &answer.to_string() + "\n";
            }
            continue;
        }
        while let Some(expect) = lines.next_if(|it| it.starts_with('{')) {
            assert_eq!(served.next().to_string(), expect, "{name}, after {sent}");
        }
    }
    assert_eq!(served.finish(), Vec::<Value>::new(), "{name}");
    if update {
        std::fs::write(&path, written).unwrap();
    }
}

#[test]
fn a_session_of_katrain() {
    transcript("katrain.jsonl", scripted);
}

#[test]
fn a_session_with_katrains_human_partner() {
    transcript("human.jsonl", Crowd);
}

#[test]
fn the_documented_queries_and_actions() {
    transcript("documented.jsonl", scripted);
}

#[test]
fn malformed_lines_wrong_types_and_illegal_moves() {
    transcript("malformed.jsonl", scripted);
}

#[test]
fn a_thousand_queries_are_each_answered_once() {
    let settings = ServerSettings {
        workers: 3,
        ..ServerSettings::default()
    };
    let mut served = Served::start(settings, scripted);
    for i in 0..1000 {
        served.send(&query(&format!("q{i}"), &json!({})));
    }
    let answers = served.finish();
    assert_eq!(answers.len(), 1000);
    assert!(answers.iter().all(is_final));
    let ids: BTreeSet<_> = answers.iter().map(|it| it["id"].to_string()).collect();
    assert_eq!(ids.len(), 1000);
}

/// A server with one worker that is busy with `slow`.
fn busy() -> Served {
    let mut served = Served::start(ServerSettings::default(), scripted);
    served.send(&query("slow", &json!({"maxVisits": 1_000_000})));
    // Behind it nothing is answered.
    served.send(&query("waits", &json!({})));
    assert_eq!(served.soon(), None);
    served
}

fn terminate(served: &mut Served, what: &Value) {
    let mut action = json!({"id": "t", "action": "terminate"});
    for (name, value) in what.as_object().unwrap() {
        action[name] = value.clone();
    }
    served.send(&action.to_string());
}

#[test]
fn what_waits_is_ended_without_and_what_runs_with_results() {
    let mut served = busy();
    terminate(&mut served, &json!({"terminateId": "waits"}));
    let nothing = json!({"id": "waits", "isDuringSearch": false, "noResults": true,
                         "turnNumber": 0});
    assert_eq!(served.next(), nothing);
    assert_eq!(served.next()["terminateId"], "waits");
    terminate(
        &mut served,
        &json!({"terminateId": "slow", "turnNumbers": [3]}),
    );
    assert_eq!(served.next()["turnNumbers"], json!([3]));
    assert_eq!(served.soon(), None, "another turn was meant");
    terminate(&mut served, &json!({"terminateId": "slow"}));
    let answers = [served.next(), served.next()];
    let last = answers.iter().find(|it| it["id"] == "slow").unwrap();
    assert!(
        is_final(last) && last["rootInfo"]["visits"] == 160,
        "{last}"
    );
    assert_eq!(served.finish(), Vec::<Value>::new());
}

#[test]
fn terminate_all_ends_all() {
    let mut served = busy();
    served.send(r#"{"id":"t","action":"terminate_all"}"#);
    let mut answers = served.finish();
    answers.sort_by_key(|it| it["id"].to_string());
    let ids: Vec<_> = answers.iter().map(|it| it["id"].clone()).collect();
    assert_eq!(ids, ["slow", "t", "waits"]);
}

#[test]
fn the_highest_priority_goes_first_and_then_the_earliest() {
    let mut served = busy();
    served.send(&query("low", &json!({"priority": -1})));
    served.send(&query("high", &json!({"priority": 7})));
    let turns = json!({"moves": [["B", "C3"]], "analyzeTurns": [0, 1], "priorities": [1, 9]});
    served.send(&query("turns", &turns));
    served.send(&query("later", &json!({})));
    terminate(&mut served, &json!({"terminateId": "slow"}));
    let answers = served.finish();
    let order: Vec<_> = answers
        .iter()
        .filter(|it| it["id"] != "t")
        .map(|it| format!("{} {}", it["id"].as_str().unwrap(), it["turnNumber"]))
        .collect();
    let expect = [
        "slow 0", "turns 1", "high 0", "turns 0", "waits 0", "later 0", "low 0",
    ];
    assert_eq!(order, expect);
}

#[test]
fn reports_come_during_a_search_and_one_at_its_end() {
    let mut served = Served::start(ServerSettings::default(), scripted);
    served.send(&query("a", &json!({"reportDuringSearchEvery": 0.004})));
    let answers = served.finish();
    let (last, during) = answers.split_last().unwrap();
    assert!(is_final(last));
    assert!(!during.is_empty() && during.iter().all(|it| it["isDuringSearch"] == json!(true)));
    let mut served = Served::start(ServerSettings::default(), scripted);
    served.send(&query("a", &json!({"firstReportDuringSearchAfter": 0.004})));
    assert_eq!(served.finish().len(), 2);
}

#[test]
fn too_many_positions_are_refused_and_the_rest_goes_on() {
    let settings = ServerSettings {
        max_waiting: 2,
        ..ServerSettings::default()
    };
    let mut served = Served::start(settings, scripted);
    served.send(&query("slow", &json!({"maxVisits": 1_000_000})));
    thread::sleep(Duration::from_millis(50));
    for id in ["a", "b", "c"] {
        served.send(&query(id, &json!({})));
    }
    let refused = served.next();
    assert_eq!(
        (&refused["id"], &refused["field"]),
        (&json!("c"), &json!("analyzeTurns"))
    );
    terminate(&mut served, &json!({"terminateId": "slow"}));
    assert_eq!(served.finish().len(), 4);
}

#[test]
fn a_search_that_breaks_costs_its_own_query() {
    let mut served = Served::start(ServerSettings::default(), scripted);
    served.send(&query("bad", &json!({"maxVisits": 666})));
    served.send(&query("good", &json!({})));
    let answers = served.finish();
    assert_eq!(answers[0]["id"], "bad");
    let error = answers[0]["error"].as_str().unwrap();
    assert!(error.starts_with("The search broke: "), "{error}");
    assert_eq!(answers[1]["id"], "good");
    assert!(is_final(&answers[1]));
}

#[test]
fn an_output_that_is_closed_ends_the_server() {
    let (mut served, output) = Served::unread(ServerSettings::default(), scripted);
    drop(output);
    served.send(&query("slow", &json!({"maxVisits": 1_000_000})));
    served.send(r#"{"id":"v","action":"query_version"}"#);
    let error = served.join().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn an_end_of_input_is_waited_out_or_not() {
    let settings = ServerSettings {
        quit_without_waiting: true,
        ..ServerSettings::default()
    };
    let mut served = Served::start(settings, scripted);
    served.send(&query("slow", &json!({"maxVisits": 1_000_000})));
    served.send(&query("waits", &json!({})));
    // Its search is stopped; what waited gets no answer.
    assert!(served.finish().iter().all(|it| it["id"] == "slow"));
}

#[test]
fn a_line_too_long_is_refused_and_the_next_is_read() {
    let settings = ServerSettings {
        max_bytes: 1000,
        ..ServerSettings::default()
    };
    let mut served = Served::start(settings, scripted);
    served.send(&query("long", &json!({"padding": "x".repeat(1000)})));
    served.send(r#"{"id":"v","action":"query_version"}"#);
    let answers = served.finish();
    assert_eq!(
        answers[0],
        json!({"error": "The line has more than 1000 bytes"})
    );
    assert_eq!(answers[1]["id"], "v");
}

#[test]
fn equal_queries_get_equal_answers() {
    let settings = UctSettings {
        memory: uct::UctSettings::MIN_MEMORY * 4,
        ..UctSettings::default()
    };
    let knowledge = Knowledge::shipped();
    let classic = move || -> Made {
        let classic = Classic::new(settings.clone(), knowledge.clone());
        Ok(Box::new(classic.map_err(|error| error.to_string())?))
    };
    let mut served = Served::start(ServerSettings::default(), classic);
    let rest = json!({"maxVisits": 40, "includeOwnership": true, "includePolicy": true});
    for _ in 0..2 {
        served.send(&query("same", &rest));
        served.send(&query(
            "other",
            &json!({"maxVisits": 30, "moves": [["B", "C3"]]}),
        ));
    }
    let answers = served.finish();
    assert_eq!(answers[0], answers[2]);
    assert_eq!(answers[1], answers[3]);
    assert_eq!(answers[0]["rootInfo"]["visits"], 40);
}

/// Listens at a free port with a scripted engine.
fn listen() -> std::net::SocketAddr {
    let settings = ServerSettings {
        max_bytes: 2000,
        ..ServerSettings::default()
    };
    let server = AnalysisServer::start(settings, Arc::new(scripted)).unwrap();
    let listener = Listener::bind("127.0.0.1:0", ListenSettings::default()).unwrap();
    let address = listener.address().unwrap();
    thread::spawn(move || listener.run(&Arc::new(server)));
    address
}

type Socket = tungstenite::WebSocket<TcpStream>;

fn connect(address: std::net::SocketAddr, origin: Option<&str>) -> Result<Socket, String> {
    use tungstenite::client::IntoClientRequest;
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    if let Some(origin) = origin {
        let headers = request.headers_mut();
        headers.insert("Origin", origin.parse().unwrap());
    }
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .unwrap();
    let made = tungstenite::client::client(request, stream);
    made.map(|it| it.0).map_err(|error| match error {
        tungstenite::HandshakeError::Failure(tungstenite::Error::Http(refusal)) => {
            let body = refusal.body().clone().unwrap_or_default();
            format!("{}: {}", refusal.status(), String::from_utf8_lossy(&body))
        }
        other => other.to_string(),
    })
}

fn receive(socket: &mut Socket) -> Value {
    let message = socket.read().unwrap();
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

#[test]
fn websocket_clients_are_served_apart() {
    let address = listen();
    let mut one = connect(address, Some(&format!("http://{address}"))).unwrap();
    let mut two = connect(address, None).unwrap();
    let send = |socket: &mut Socket, line: String| {
        socket.send(tungstenite::Message::text(line)).unwrap();
    };
    send(&mut one, query("same", &json!({"maxVisits": 1_000_000})));
    thread::sleep(Duration::from_millis(50));
    send(&mut two, query("same", &json!({})));
    // What the second ends is its own.
    send(
        &mut two,
        json!({"id": "t", "action": "terminate_all"}).to_string(),
    );
    assert_eq!(receive(&mut two)["noResults"], true);
    assert_eq!(receive(&mut two)["id"], "t");
    send(
        &mut one,
        json!({"id": "t", "action": "terminate_all"}).to_string(),
    );
    let answers = [receive(&mut one), receive(&mut one)];
    assert!(answers.iter().any(|it| it["rootInfo"]["visits"] == 160));
    // A client that goes leaves the worker to the others.
    send(&mut one, query("slow", &json!({"maxVisits": 1_000_000})));
    thread::sleep(Duration::from_millis(50));
    drop(one);
    send(&mut two, query("next", &json!({})));
    assert_eq!(receive(&mut two)["id"], "next");
}

#[test]
fn a_message_too_long_ends_the_connection_with_a_reason() {
    let mut socket = connect(listen(), None).unwrap();
    let long = tungstenite::Message::text("x".repeat(5000));
    socket.send(long).unwrap();
    let mut seen = Vec::new();
    while let Ok(message) = socket.read() {
        seen.push(message);
    }
    let text = format!("{seen:?}");
    assert!(text.contains("more than 2000 bytes"), "{text}");
    assert!(text.contains("too long"), "{text}");
}

#[test]
fn a_page_of_another_site_is_turned_away() {
    let address = listen();
    let error = connect(address, Some("https://evil.example")).unwrap_err();
    assert!(error.contains("403"), "{error}");
    assert!(
        error.ends_with("--allow-origin https://evil.example\n"),
        "{error}"
    );
}
