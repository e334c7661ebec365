//! The `katago` analyst against programs that behave and programs that do not.
//!
//! They are scripts of `sh` that speak the protocol. A real KataGo is asked where
//! `SHIDO_KATAGO` names its command and `SHIDO_KATAGO_MODEL` its network; else that
//! test says SKIPPED.

#![cfg(unix)]

use std::io::Write;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use shido_engine::katago::{KataGo, KataGoError, KataGoSettings};
use shido_engine::outside::ProcessSettings;
use shido_engine::{Analyst, Limits};
use shido_go::gtp::parse_vertex;
use shido_go::{Move, Position, Rules, Size};
use shido_search::{ForBlack, ForMover, Points, WinRate};

const VERSION: &str = r#"printf '{"id":"%s","version":"1.16.4"}\n' "$id""#;
/// What a good program says, from Black's side, after `"isDuringSearch":`.
const BODY: &str = r#","turnNumber":1,"moveInfos":[{"move":"C3","visits":9,"winrate":0.25,"scoreLead":-3.5,"scoreStdev":5,"prior":0.5,"lcb":0.375,"pv":["C3","B2"]}],"rootInfo":{"visits":10,"winrate":0.375,"scoreLead":-3,"rawWinrate":0.5}}"#;

fn answer(during: bool) -> String {
    format!(r#"printf '{{"id":"%s","isDuringSearch":{during}%s\n' "$id" '{BODY}'"#)
}

/// Answers `query_version` with `version`, runs `body` for a question and `end` for
/// a terminate; `$id` is the id and `$line` the line.
fn program(version: &str, body: &str, end: &str) -> KataGoSettings {
    let script = format!(
        r#"while read -r line; do
             case $line in
               *'"action":"terminate"'*) {end};;
               *) id=$(printf '%s' "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
                  case $line in
                    *query_version*) {version};;
                    *) {body};;
                  esac;;
             esac
           done"#
    );
    KataGoSettings {
        process: ProcessSettings {
            start_timeout: Duration::from_secs(20),
            timeout: Duration::from_millis(1500),
            ..ProcessSettings::default()
        },
        ..KataGoSettings::new(shell_words::join(["sh", "-c", &script]))
    }
}

fn start(body: &str) -> KataGo {
    KataGo::start(program(VERSION, body, ":")).unwrap()
}

/// A game of one move, White to play.
fn position() -> Position {
    let size = Size::square(5).unwrap();
    let mut position = Position::new(size, Rules::CHINESE, 7.0);
    position.play(parse_vertex("D4", size).unwrap()).unwrap();
    position
}

#[track_caller]
fn check_failure(body: &str, expect: &str) {
    let mut katago = start(body);
    let analysis = katago.analyze(&position(), &Limits::visits(10));
    assert_eq!(analysis.visits, 0);
    let failure = katago.failure().unwrap();
    assert!(failure.contains(expect), "{failure}");
}

#[track_caller]
fn check_start(settings: KataGoSettings, expect: &[&str]) {
    let error = KataGo::start(settings).err().unwrap().to_string();
    for part in expect {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_good_program_is_understood() {
    let mut katago = start(&answer(false));
    assert_eq!((katago.name(), katago.version()), ("katago", "1.16.4"));
    for _ in 0..3 {
        let analysis = katago.analyze(&position(), &Limits::visits(10));
        assert_eq!(katago.failure(), None);
        assert_eq!(analysis.visits, 10);
        assert_eq!(analysis.win_rate, ForBlack(WinRate(0.375)));
        let best = analysis.best().unwrap();
        assert_eq!(best.win_rate, ForMover(WinRate(0.75)));
        assert_eq!(best.lower_bound, ForMover(WinRate(0.625)));
        assert_eq!(best.lead, ForMover(Points(3.5)));
        assert_eq!(best.line.len(), 2);
        assert!(analysis.raw.is_none(), "there was no policy");
    }
    let even = katago.policy(&position());
    assert_eq!(even.len(), 26);
    assert!((even.iter().sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn reports_are_passed_on_and_other_lines_passed_over() {
    let during = answer(true);
    let noise = r#"echo 'some log'; echo '{"id":"another","error":"not ours"}'"#;
    let warn = r#"printf '{"id":"%s","field":"x","warning":"unused"}\n' "$id""#;
    let last = answer(false);
    let mut katago = start(&format!("{noise}; {warn}; {during}; {during}; {last}"));
    let mut reports = 0;
    let every = Duration::from_millis(10);
    let analysis = katago.watch(&position(), &Limits::visits(10), every, &mut |it| {
        assert_eq!(it.visits, 10);
        reports += 1;
    });
    assert_eq!((reports, analysis.visits), (2, 10));
}

#[test]
fn a_raised_flag_ends_the_search() {
    let settings = program(VERSION, ":", &answer(false));
    let mut katago = KataGo::start(settings).unwrap();
    let limits = Limits::default();
    let stop = limits.stop.clone();
    let waker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        stop.raise();
    });
    let analysis = katago.analyze(&position(), &limits);
    waker.join().unwrap();
    assert_eq!((katago.failure(), analysis.visits), (None, 10));
}

#[test]
fn a_crash_is_followed_by_one_more_try() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("crashed");
    let mark = shell_words::quote(mark.to_str().unwrap()).into_owned();
    let good = answer(false);
    let body = format!("if [ -e {mark} ]; then {good}; else : > {mark}; exit 3; fi");
    let mut katago = start(&body);
    let analysis = katago.analyze(&position(), &Limits::visits(10));
    assert_eq!((katago.failure(), analysis.visits), (None, 10));
    let bad = "echo 'out of memory' >&2; exit 3";
    let why = "the engine ended during `analysis` (exit status: 3): out of memory";
    check_failure(bad, why);
}

#[test]
fn a_hang_ends_at_the_time_limit() {
    check_failure("sleep 60", "did not answer `analysis` within 1.5s");
}

#[test]
fn nonsense_is_no_answer() {
    check_failure("while :; do echo nonsense; done", "are no JSON objects");
    let empty = r#"printf '{"id":"%s","isDuringSearch":false}\n' "$id""#;
    check_failure(empty, "it has no rootInfo");
    let wrong = r#"printf '{"id":"%s","rootInfo":{"visits":"many"}}\n' "$id""#;
    check_failure(wrong, "badly");
    let short = r#"printf '{"id":"%s","ownership":[1],"rootInfo":{"visits":1,"winrate":0,"scoreLead":0}}\n' "$id""#;
    check_failure(short, "its ownership has 1 values, not 25");
}

#[test]
fn a_refusal_leaves_it_running() {
    let refuse = r#"printf '{"id":"%s","field":"komi","error":"too much"}\n' "$id""#;
    let good = answer(false);
    let body = format!("case $line in *'\"komi\":7.0'*) {good};; *) {refuse};; esac");
    let mut katago = start(&body);
    let mut dear = position();
    dear.set_komi(100.0);
    katago.analyze(&dear, &Limits::visits(1));
    let expect = "KataGo refused komi: \"too much\"";
    assert_eq!(katago.failure().as_deref(), Some(expect));
    assert_eq!(katago.analyze(&position(), &Limits::visits(1)).visits, 10);
}

#[test]
fn what_is_missing_is_named_with_its_flag() {
    let missing = PathBuf::from("/no/such/file");
    check_start(
        KataGoSettings::new("/no/such/katago"),
        &["/no/such/katago", "--katago"],
    );
    check_start(KataGoSettings::new(""), &["empty"]);
    let settings = KataGoSettings {
        model: Some(missing.clone()),
        ..KataGoSettings::new("sh")
    };
    check_start(settings, &["network /no/such/file", "--net"]);
    let settings = KataGoSettings {
        config: Some(missing),
        ..KataGoSettings::new("sh")
    };
    check_start(
        settings,
        &["configuration /no/such/file", "--katago-config"],
    );
    check_start(
        KataGoSettings::new("false"),
        &["ended during `query_version`"],
    );
}

#[test]
fn an_old_program_is_refused() {
    let version = r#"printf '{"id":"%s","version":"1.4.5"}\n' "$id""#;
    let error = KataGo::start(program(version, ":", ":")).err().unwrap();
    assert!(matches!(error, KataGoError::Version { .. }), "{error}");
    check_start(program(version, ":", ":"), &["1.4.5", "1.9"]);
    // Before 1.6 there was no such action.
    let version = r#"echo '{"error":"action must be terminate"}'"#;
    check_start(program(version, ":", ":"), &["action must be terminate"]);
}

#[test]
fn a_configuration_of_ours_is_written_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    let quoted = shell_words::quote(seen.to_str().unwrap()).into_owned();
    let version = format!("shift; echo \"$2\" > {quoted}; {VERSION}");
    // The words after the script are the arguments: analysis -config FILE …
    let mut settings = program(&version, ":", ":");
    settings.command.push_str(" sh");
    let katago = KataGo::start(settings).unwrap();
    let config = PathBuf::from(std::fs::read_to_string(&seen).unwrap().trim());
    let text = std::fs::read_to_string(&config).unwrap();
    assert!(text.contains("numAnalysisThreads = 1"), "{text}");
    drop(katago);
    assert!(!config.exists());
}

#[test]
fn a_real_katago_agrees_with_itself() {
    let Ok(command) = std::env::var("SHIDO_KATAGO") else {
        // Not `eprintln`, which the harness swallows when the test passes.
        let _ = writeln!(std::io::stderr(), "SKIPPED: SHIDO_KATAGO names no KataGo");
        return;
    };
    let settings = KataGoSettings {
        model: std::env::var_os("SHIDO_KATAGO_MODEL").map(PathBuf::from),
        threads: 2,
        ..KataGoSettings::new(command)
    };
    let mut katago = KataGo::start(settings).unwrap();
    let position = Position::new(Size::S9, Rules::TROMP_TAYLOR, 7.0);
    let analysis = katago.analyze(&position, &Limits::visits(20));
    assert_eq!(katago.failure(), None);
    assert!(analysis.visits >= 20);
    let raw = analysis.raw.as_ref().expect("it has a network");
    assert_eq!(raw.policy.to_vec(), katago.policy(&position));
    assert!(analysis.best().is_some_and(|it| it.mv != Move::Pass));
    assert_eq!(analysis.ownership.len(), 81);
}
