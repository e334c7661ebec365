//! Engines that behave and engines that do not, each a real process.
//!
//! The misbehaving ones are scripts of `sh`. GNU Go is used where it is
//! installed (Debian: `gnugo`); without it that test says SKIPPED, except in CI.

#![cfg(unix)]

mod gnugo;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use shido_engine::outside::{EngineFailure, GtpProcess, ProcessSettings};
use shido_go::gtp::Command;

/// Answers the handshake, then runs `body` for every other command, whose
/// number is `$id`, name `$name` and arguments `$rest`.
fn engine(body: &str) -> String {
    let script = format!(
        r#"while read -r id name rest; do
             case $name in
               name) printf '=%s Script\n\n' "$id";;
               version) printf '=%s 1.0\n\n' "$id";;
               list_commands) printf '=%s name\nversion\ngenmove\n\n' "$id";;
               quit) printf '=%s\n\n' "$id"; exit 0;;
               *) {body};;
             esac
           done"#
    );
    shell_words::join(["sh", "-c", &script])
}

fn settings() -> ProcessSettings {
    ProcessSettings {
        timeout: Duration::from_millis(1500),
        response_bytes: 10_000,
        stderr_bytes: 64,
        ..ProcessSettings::default()
    }
}

fn start(body: &str) -> GtpProcess {
    GtpProcess::start(&engine(body), settings()).unwrap()
}

fn genmove(process: &mut GtpProcess) -> Result<String, EngineFailure> {
    process.ask(&Command::new("genmove", "b"))
}

#[track_caller]
fn check_failure(body: &str, expect: &str) {
    let mut process = start(body);
    let failure = genmove(&mut process).unwrap_err();
    assert_eq!(failure.to_string(), expect);
    assert_eq!(process.is_running(), !failure.is_fatal());
    if failure.is_fatal() {
        assert!(matches!(
            genmove(&mut process),
            Err(EngineFailure::NotRunning)
        ));
        process.restart().unwrap();
        assert_eq!(process.name(), "Script");
    }
}

#[test]
fn a_good_engine_is_asked_and_answers() {
    let mut process = start(r#"printf '=%s Q16\n\n' "$id""#);
    assert_eq!((process.name(), process.version()), ("Script", "1.0"));
    assert!(process.knows("genmove") && !process.knows("play"));
    for _ in 0..3 {
        assert_eq!(genmove(&mut process).unwrap(), "Q16");
    }
    process.quit();
    assert!(!process.is_running());
}

#[test]
fn a_refusal_leaves_the_engine_running() {
    let body = r#"printf '?%s unknown command\n\n' "$id""#;
    check_failure(body, "the engine refused `genmove b`: unknown command");
}

#[test]
fn a_crash_is_told_with_its_status_and_last_words() {
    check_failure(
        "echo 'out of ideas' >&2; exit 3",
        "the engine ended during `genmove b` (exit status: 3): out of ideas",
    );
    check_failure(
        "kill -SEGV $$",
        "the engine ended during `genmove b` (signal: 11 (SIGSEGV))",
    );
}

#[test]
fn only_the_tail_of_standard_error_is_kept() {
    let mut process =
        start("i=0; while [ $i -lt 5000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1");
    let Err(EngineFailure::Crashed { stderr_tail, .. }) = genmove(&mut process) else {
        panic!("it crashes");
    };
    assert!(stderr_tail.ends_with("line 4999"), "{stderr_tail}");
    assert!(stderr_tail.len() <= 64);
}

#[test]
fn a_closed_output_is_no_crash() {
    check_failure(
        "exec 1>&-; exec sleep 60",
        "the engine closed its output during `genmove b`",
    );
}

#[test]
fn a_hang_ends_at_the_time_limit() {
    check_failure(
        "sleep 60",
        "the engine did not answer `genmove b` within 1.5s",
    );
    check_failure(
        r#"printf '=%s Q16\n' "$id""#,
        "the engine did not answer `genmove b` within 1.5s",
    );
}

#[test]
fn a_flood_is_cut_off() {
    let expect = "the engine answered `genmove b` with more than 10000 bytes";
    check_failure(r#"printf '=%s\n' "$id"; yes"#, expect);
    check_failure(r"yes | tr -d '\n'", expect);
}

#[test]
fn garbage_is_named() {
    check_failure(
        r"printf 'hello\n\n'",
        "the engine answered `genmove b` badly: a response must begin with `=` or `?`, not `hello`",
    );
    check_failure(
        r"printf '=99 Q16\n\n'",
        "the engine answered `genmove b` badly: the answer has number 99, the command had number 4",
    );
    check_failure(
        r"printf '= Q16\n\n'",
        "the engine answered `genmove b` badly: the answer has no number, the command had number 4",
    );
}

#[test]
fn what_cannot_be_started_is_said() {
    let failure = GtpProcess::start("/no/such/engine --gtp", settings()).unwrap_err();
    let text = failure.to_string();
    assert!(
        text.starts_with("cannot start `/no/such/engine`: No such file"),
        "{text}"
    );
    for line in ["", "  ", "engine 'open quote"] {
        let failure = GtpProcess::start(line, settings()).unwrap_err();
        assert!(matches!(failure, EngineFailure::BadCommandLine { .. }));
    }
    let failure = GtpProcess::start("true", settings()).unwrap_err();
    assert!(
        matches!(failure, EngineFailure::Crashed { .. }),
        "{failure}"
    );
}

#[test]
fn the_children_of_an_engine_die_with_it() {
    let folder = std::env::temp_dir().join(format!("shido-children-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("pid");
    let mut process = start(&format!(
        r#"sleep 60 & echo $! > {}; printf '=%s pass\n\n' "$id""#,
        file.display()
    ));
    genmove(&mut process).unwrap();
    let pid = std::fs::read_to_string(&file).unwrap();
    let child = format!("/proc/{}/stat", pid.trim());
    assert!(Path::new(&child).exists());
    drop(process);
    // A killed child may stay for a while as a zombie of the process that adopted it.
    let dead = || std::fs::read_to_string(&child).map_or(true, |stat| stat.contains(") Z "));
    let deadline = Instant::now() + Duration::from_secs(10);
    while !dead() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    assert!(dead());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn gnu_go_answers() {
    let Some(program) = gnugo::find() else { return };
    let line = format!("{program} --mode gtp --level 1");
    let mut process = GtpProcess::start(&line, ProcessSettings::default()).unwrap();
    assert_eq!(process.name(), "GNU Go");
    assert_eq!(
        process.ask(&Command::new("protocol_version", "")).unwrap(),
        "2"
    );
    process.ask(&Command::new("boardsize", "9")).unwrap();
    let reply = genmove(&mut process).unwrap();
    assert!(shido_go::gtp::Reply::parse(&reply, shido_go::Size::S9).is_ok());
    let refused = process.ask(&Command::new("play", "w Z99")).unwrap_err();
    assert!(
        matches!(refused, EngineFailure::Refused { .. }),
        "{refused}"
    );
    process.quit();
}
