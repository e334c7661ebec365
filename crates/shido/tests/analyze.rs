//! `shido analyze` as KaTrain starts it, and as the KataGo of our own `katago` analyst.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shido_engine::katago::{KataGo, KataGoSettings};
use shido_engine::{Analyst, Limits};
use shido_go::{Position, Rules, Size};

const SHIDO: &str = env!("CARGO_BIN_EXE_shido");

fn start(args: &[&str]) -> Child {
    Command::new(SHIDO)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with this test")
}

fn run(args: &[&str], input: &str) -> Output {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    // The program may refuse its command line and read nothing.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn query(id: &str, visits: u64) -> String {
    let query = json!({
        "id": id, "moves": [["B", "C3"]], "rules": "japanese", "komi": 6.5, "boardXSize": 5,
        "boardYSize": 5, "maxVisits": visits, "includeOwnership": true, "includePolicy": true,
    });
    format!("{query}\n")
}

fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines();
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
}

#[test]
fn katrains_command_line_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("analysis.cfg");
    let text = "reportAnalysisWinratesAs = BLACK\nmaxVisits = 5 # few\nnumAnalysisThreads = 12\n\
                numSearchThreads = 8\nnnMaxBatchSize = 96\nlogDir = logs\n";
    std::fs::write(&config, text).unwrap();
    let args = [
        "analysis",
        "-config",
        config.to_str().unwrap(),
        "-override-config",
        "homeDataDir=/tmp",
        "-quit-without-waiting",
    ];
    let mut child = start(&args);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(query("QUERY:1", 20).as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(answer["id"], "QUERY:1");
    assert_eq!(answer["rootInfo"]["visits"], 20);
    assert_eq!(answer["policy"].as_array().unwrap().len(), 26);
    assert_eq!(answer["ownership"].as_array().unwrap().len(), 25);
    // KaTrain ends its engine so.
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_is_wrong_with_the_command_line_is_said() {
    for (args, code, expect) in [
        (
            &["analyze", "-config", "/no/such/file"][..],
            1,
            "/no/such/file",
        ),
        (
            &["analyze", "-override-config", "maxVisits"],
            2,
            "name = value",
        ),
        (
            &["analyze", "-override-config", "maxVisits=x"],
            2,
            "maxVisits",
        ),
        (
            &["analyze", "-override-config", "humanSLProfile=8k"],
            2,
            "unknown profile `8k`",
        ),
        (&["analyze", "--net", "/no/such/net"], 1, "/no/such/net"),
        (
            &["analyze", "-human-model", "/no/such/net"],
            1,
            "/no/such/net",
        ),
        (&["analyze", "--allow-origin", "x"], 2, "--listen"),
        (&["analyze", "--listen", "nowhere:x"], 1, "nowhere:x"),
    ] {
        let output = run(args, "");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        assert!(text.contains(expect), "{args:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn people_are_imitated_without_any_file_and_not_at_all_if_that_is_asked() {
    let config = "humanSLProfile=preaz_8k,ignorePreRootHistory=false";
    let args = ["analysis", "-override-config", config];
    let input = query("a", 1);
    let found = answers(&run(&args, &input));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["humanPolicy"].as_array().unwrap().len(), 26);
    let output = run(&[&args[..], &["--human-net", "none"]].concat(), &input);
    assert!(answers(&output)[0].get("humanPolicy").is_none());
}

#[test]
fn all_that_was_asked_is_answered_after_the_end_of_input() {
    let input: String = (0..20).map(|i| query(&i.to_string(), 10)).collect();
    let output = run(&["analyze", "--threads", "1"], &input);
    assert!(output.status.success());
    let answers = answers(&output);
    assert_eq!(answers.len(), 20);
    // Equal questions have equal answers, whichever worker gave them.
    let nameless = |answer: &Value| {
        let mut answer = answer.clone();
        answer["id"] = json!("");
        answer
    };
    for answer in &answers {
        assert_eq!(nameless(answer), nameless(&answers[0]));
    }
}

#[test]
fn a_closed_output_ends_the_program() {
    let mut child = start(&["analyze"]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(query("a", 10).as_bytes()).unwrap();
    stdin.flush().unwrap();
    let until = Instant::now() + Duration::from_mins(1);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it goes on for nobody");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Our own program as a KataGo, its process id written to a file.
fn as_katago(folder: &Path) -> KataGoSettings {
    let pid = folder.join("pid");
    let pid = pid.to_str().unwrap();
    let script = format!("echo $$ > {pid}; exec {SHIDO} \"$@\"");
    KataGoSettings {
        threads: 1,
        ..KataGoSettings::new(format!("sh -c '{script}' sh"))
    }
}

fn position() -> Position {
    Position::new(Size::square(5).unwrap(), Rules::JAPANESE, 6.5)
}

#[test]
fn the_katago_analyst_speaks_with_shido() {
    let folder = tempfile::tempdir().unwrap();
    let mut katago = KataGo::start(as_katago(folder.path())).unwrap();
    assert!(katago.version().contains("shido"));
    let analysis = katago.analyze(&position(), &Limits::visits(50));
    assert_eq!((katago.failure(), analysis.visits), (None, 50));
    assert_eq!(analysis.ownership.len(), 25);
    assert!(analysis.best().is_some_and(|it| it.win_rate.0.0 > 0.5));
    let mut reports = 0;
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        ..Limits::default()
    };
    let every = Duration::from_millis(50);
    let last = katago.watch(&position(), &limits, every, &mut |_| reports += 1);
    assert!(reports > 0 && last.visits > 0);
}

#[test]
fn a_process_killed_in_mid_query_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut katago = KataGo::start(as_katago(folder.path())).unwrap();
    let read = || std::fs::read_to_string(folder.path().join("pid")).unwrap();
    let first = read().trim().to_owned();
    let limits = Limits {
        time: Some(Duration::from_secs(2)),
        ..Limits::default()
    };
    let killed = first.clone();
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        let status = Command::new("kill").args(["-9", &killed]).status();
        assert!(status.unwrap().success());
    });
    let analysis = katago.analyze(&position(), &limits);
    killer.join().unwrap();
    assert_eq!(katago.failure(), None);
    assert!(analysis.visits > 0);
    assert_ne!(read().trim(), first);
}

#[test]
fn gtp_plays_with_a_katago_and_tells_of_one_that_is_lost() {
    let katago = format!("{SHIDO} -v");
    let args = [
        "gtp", "--engine", "katago", "--katago", &katago, "--visits", "20", "--size", "5",
    ];
    let output = run(&args, "1 genmove b\n2 quit\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.starts_with("=1 "), "{text}");
    // It says its version and ends at the first question.
    let version = r#"read -r line; echo "{\"id\":\"x\",\"version\":\"1.16\"}"; read -r line"#;
    let katago = format!("sh -c '{version}' sh");
    let args = ["gtp", "--engine", "katago", "--katago", &katago];
    let output = run(&args, "1 genmove b\n2 name\n");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("?1 the engine "), "{text}");
    assert!(text.contains("=2 shido"), "{text}");
    let args = ["gtp", "--engine", "katago", "--katago", "/no/such/katago"];
    let output = run(&args, "");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("/no/such/katago") && text.contains("--katago"),
        "{text}"
    );
}
