//! The server as a process: started, killed, told to stop, in each other's way.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A running server; killed when the test is over.
struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// Lines printed up to the address.
    said: String,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shido"));
    command
        .args(["serve", "--no-open", "--data-dir"])
        .arg(folder)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

impl Server {
    fn start(folder: &Path, port: &str) -> Server {
        Server::start_with(folder, &["--port", port])
    }

    fn start_with(folder: &Path, args: &[&str]) -> Server {
        let mut child = command(folder, args).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut said = String::new();
        let address = loop {
            let from = said.len();
            let read = stdout.read_line(&mut said).expect("text");
            assert!(read > 0, "it ended after saying {said:?}");
            if let Some((_, rest)) = said[from..].split_once("http://") {
                break rest.split('/').next().expect("an address").to_owned();
            }
        };
        Server {
            child,
            stdout,
            said,
            address,
        }
    }

    /// Sends a request; returns the status and the body.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let limit = Some(Duration::from_mins(1));
        stream.set_read_timeout(limit).expect("a timeout");
        let host = &self.address;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("it takes the request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).expect("a status");
        (status.parse().expect("a number"), body.to_owned())
    }

    fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, text) = self.ask(method, path, &body.to_string());
        assert!(status < 300, "{method} {path}: {status} {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Plays a move and waits for the partner's.
    fn play(&self, game: &str, mv: &str, after: usize) -> Value {
        let body = json!({ "move": mv, "after": after });
        self.json("POST", &format!("{game}/move"), &body);
        self.wait_for_turn(game)
    }

    fn wait_for_turn(&self, game: &str) -> Value {
        for _ in 0..1500 {
            let view = self.json("GET", game, &json!({}));
            if view["your_turn"] == true || view["phase"] != "playing" {
                return view;
            }
            std::thread::sleep(Duration::from_millis(40));
        }
        panic!("the partner does not move");
    }

    fn begin(&self) -> String {
        let wanted =
            json!({ "size": 9, "partner": "classic", "strength": "light", "pace": "quick" });
        let view = self.json("POST", "/api/games", &wanted);
        format!("/api/games/{}", view["id"].as_str().expect("an id"))
    }
}

/// Runs a server that is expected to end by itself.
fn fails(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_acknowledged_move_survives_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path(), "0");
    let game = server.begin();
    let mut after = 0;
    for mv in ["E5", "G7", "C7"] {
        let view = server.play(&game, mv, after);
        after = view["moves"].as_array().expect("moves").len();
    }
    // The partner is thinking about this one when the server dies.
    let free = server.json("GET", &game, &json!({}));
    let free = free["position"]["stones"].as_array().expect("stones");
    let at = (0..81)
        .rev()
        .find(|&i| free[i] == 0)
        .expect("an empty point");
    let vertex = format!("{}{}", b"ABCDEFGHJ"[at % 9] as char, 9 - at / 9);
    let body = json!({ "move": vertex, "after": after });
    let acknowledged = server.json("POST", &format!("{game}/move"), &body);
    server.child.kill().expect("SIGKILL");
    server.child.wait().expect("it is dead");
    drop(server);

    let server = Server::start(folder.path(), "0");
    let found = server.wait_for_turn(&game);
    let (kept, before) = (&found["moves"], &acknowledged["moves"]);
    let before = before.as_array().expect("moves");
    assert_eq!(before.len(), after + 1);
    assert_eq!(kept.as_array().expect("moves")[..before.len()], before[..]);
    assert!(
        kept.as_array().expect("moves").len() > before.len(),
        "it goes on"
    );
}

#[test]
fn a_taken_port_is_told_and_the_next_one_used() {
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = other.local_addr().expect("an address").port();
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &port.to_string());
    assert!(
        server.said.contains(&format!("port {port} is taken")),
        "{}",
        server.said
    );
    assert!(server.address.starts_with("127.0.0.1:"));
    let (status, _) = server.ask("GET", "/api/about", "");
    assert_eq!(status, 200);
}

#[cfg(unix)]
#[test]
fn it_stops_cleanly_when_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path(), "0");
    let game = server.begin();
    // A page that listens does not keep the server up.
    let mut listener = TcpStream::connect(&server.address).expect("it listens");
    write!(
        listener,
        "GET {game}/events HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address
    )
    .expect("it takes the request");
    let mut first = [0; 64];
    listener.read_exact(&mut first).expect("an event");
    let pid = server.child.id().to_string();
    let told = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(told.expect("kill is there").success());
    let status = server.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    let mut rest = String::new();
    server.stdout.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "stopped\n");
    let log = std::fs::read_to_string(folder.path().join("shido.log")).expect("a log");
    assert!(log.contains("serving http://127.0.0.1:") && log.contains("told to stop"));
}

#[test]
fn what_is_wrong_with_the_folder_or_the_database_is_said() {
    let output = fails(Path::new("/dev/null/nowhere"), &["--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("cannot write to the data folder /dev/null/nowhere"),
        "{said}"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shido.sqlite3");
    let damaged = b"no database ".repeat(1000);
    std::fs::write(&path, &damaged).expect("a file");
    let output = fails(folder.path(), &["--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("is damaged"), "{said}");
    assert_eq!(std::fs::read(&path).expect("still there"), damaged);

    let folder = tempfile::tempdir().expect("a folder");
    let _first = Server::start(folder.path(), "0");
    let output = fails(folder.path(), &["--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("is shido running already?"), "{said}");
}

#[test]
fn a_human_net_that_is_not_there_is_said_and_the_move_model_plays_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = fails(folder.path(), &["--port", "0", "--human-net", "no.bin.gz"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("no.bin.gz"), "{said}");

    let server = Server::start_with(folder.path(), &["--port", "0", "--human-net", "none"]);
    let wanted = json!({ "partner": "natural", "level": "20k", "pace": "quick" });
    let view = server.json("POST", "/api/games", &wanted);
    let game = format!("/api/games/{}", view["id"].as_str().expect("an id"));
    let view = server.play(&game, "E5", 0);
    assert_eq!(view["moves"].as_array().expect("moves").len(), 2);
}

#[test]
fn a_thousand_connections_at_once_do_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "0");
    let game = server.begin();
    let answers: Vec<(u16, String)> = std::thread::scope(|scope| {
        let ask = || server.ask("GET", "/api/games", "");
        let asked: Vec<_> = (0..1000).map(|_| scope.spawn(ask)).collect();
        asked
            .into_iter()
            .map(|it| it.join().expect("an answer"))
            .collect()
    });
    let odd = answers
        .iter()
        .find(|(status, _)| !matches!(status, 200 | 429 | 503));
    assert_eq!(odd, None);
    std::thread::sleep(Duration::from_secs(1));
    let view = server.play(&game, "E5", 0);
    assert_eq!(view["moves"].as_array().expect("moves").len(), 2);
}

#[test]
fn a_record_of_50_mb_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), "0");
    let mut stream = TcpStream::connect(&server.address).expect("it listens");
    write!(
        stream,
        "POST /api/records HTTP/1.1\r\nHost: {}\r\nContent-Length: 52428800\r\n\r\n(;SZ[9]",
        server.address
    )
    .expect("it takes the head");
    let mut line = String::new();
    BufReader::new(stream)
        .read_line(&mut line)
        .expect("an answer");
    assert_eq!(line.trim_end(), "HTTP/1.1 413 Payload Too Large");
}
