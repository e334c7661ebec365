//! The program as its users meet it: what it prints and its exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn shido(args: &[&str]) -> Output {
    shido_with(args, "")
}

fn shido_with(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shido"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with this test");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A command that reads nothing may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("its output can be read")
}

/// Runs `shido` and compares its exit code and a piece of what it prints.
#[track_caller]
fn check(args: &[&str], code: i32, stdout: &str, stderr: &str) {
    let output = shido(args);
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
    assert!(out.contains(stdout), "{args:?} wrote on stdout:\n{out}");
    assert!(err.contains(stderr), "{args:?} wrote on stderr:\n{err}");
}

#[test]
fn help_and_version_succeed() {
    check(&["--help"], 0, "Usage: shido", "");
    let version = format!("shido {}", env!("CARGO_PKG_VERSION"));
    check(&["--version"], 0, &version, "");
}

#[test]
fn bad_usage_is_two_and_says_what_was_wrong() {
    check(&["frobnicate"], 2, "", "frobnicate");
    check(&["--frobnicate"], 2, "", "--frobnicate");
    check(&["bench", "--section", "nothing"], 2, "", "nothing");
    check(&["bench", "--seconds", "0"], 2, "", "from 0.001 to 3600");
}

#[test]
fn bad_partners_and_levels_are_refused_with_what_there_is() {
    let classic = |flags: &[&'static str]| [&["gtp", "--engine", "classic"], flags].concat();
    let refused = |flags: &[&'static str], why| check(&classic(flags), 2, "", why);
    refused(&["--level", "31k"], "30k to 1k, 1d to 6d or auto");
    refused(&["--partner", "sensei"], "choose strong, human");
    refused(&["--set", "beta=-1"], "allowed is 0 to 100");
    refused(&["--set", "beta"], "NAME=VALUE");
    refused(&["--student", "60k"], "60k");
    refused(
        &["--partner", "strong", "--level", "8k"],
        "leave --level out",
    );
    refused(&["--level", "8k", "--human-net", "no.bin.gz"], "no.bin.gz");
    refused(&["--human-net", "no.bin.gz"], "no such file");
    let good = classic(&[
        "--partner",
        "natural",
        "--level",
        "8k",
        "--human-net",
        "none",
    ]);
    check(&good, 0, "", "");
}

#[test]
fn a_search_that_ends_for_want_of_memory_says_so() {
    let said = |memory: &str| {
        let flags = ["--threads", "1", "--visits", "3000", "--memory", memory];
        let commands = "boardsize 9\nreg_genmove b\nreg_genmove b\n";
        let output = shido_with(&[&["gtp"], &flags[..]].concat(), commands);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        messages.matches("tree is full").count()
    };
    assert_eq!(said("1"), 1, "once, however often it happens");
    assert_eq!(said("64"), 0);
}

#[test]
fn bench_measures_every_board() {
    let quick = ["bench", "--seconds", "0.001"];
    check(&quick, 0, "19×19", "");
    let output = shido(&[&quick[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["boards"], serde_json::json!([9, 13, 19]));
    for section in report["sections"].as_array().expect("a list of sections") {
        for figure in section["figures"].as_array().expect("a list of figures") {
            let speeds = figure["speeds"].as_array().expect("a list of speeds");
            assert_eq!(speeds.len(), 3, "{figure}");
            for speed in speeds.iter().filter(|speed| !speed.is_null()) {
                assert!(speed["best"].as_f64() >= speed["median"].as_f64());
                assert!(speed["median"].as_f64() > Some(0.0), "{figure}");
            }
        }
    }
}

#[test]
fn sgf_check_fails_on_errors_only() {
    let folder = tempfile::tempdir().expect("a folder of our own");
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        path.to_str().expect("an ASCII name").to_owned()
    };
    let good = path("good.sgf", "(;SZ[9];B[ee];W[dd])");
    let odd = path("odd.sgf", "(;SZ[9];B[ee];W[ee])");
    let bad = path("bad.sgf", "no game");
    let check_files = |files: &[&str], code, stdout: &str| {
        check(&[&["sgf", "check"], files].concat(), code, stdout, "");
    };
    check_files(&[&good], 0, "1 files, 1 games, 0 warnings, 0 errors\n");
    check_files(&[&odd], 0, "1 files, 1 games, 1 warnings, 0 errors\n");
    check_files(&[&odd], 0, "odd.sgf: warning: byte ");
    check_files(&[&good, &bad], 1, "bad.sgf: error: byte 0: ");
    check_files(&["--json", &good], 0, "\"games\":1");
    check_files(&["no-such-file.sgf"], 1, "no-such-file.sgf: error: ");
    check(&["sgf", "check"], 2, "", "PATH");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shido"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .args(["bench", "--seconds", "0.001"])
        .spawn()
        .expect("the binary was built with this test");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn net_info_tells_a_network_or_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().expect("a folder of our own");
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("the folder is writable");
        path.to_str().expect("an ASCII name").to_owned()
    };
    let network = shido_net::tiny::Plan::new(15).build().to_bytes();
    let good = path("good.bin", &network);
    let cut = path("cut.bin", &network[..network.len() / 2]);
    check(
        &["net", "info", &good],
        0,
        "name       tiny-v15-c13-s15\n",
        "",
    );
    check(
        &["net", "info", &good],
        0,
        "1 ordinary, 1 global pooling",
        "",
    );
    let output = shido(&["net", "info", "--json", &good]);
    let info: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(info["version"], 15);
    assert_eq!(info["policies"], 2);
    assert_eq!(info["bytes"], network.len());
    assert_eq!(info["blocks"][1]["kind"], "global pooling");
    check(
        &["net", "info", &cut],
        1,
        "",
        "cut.bin: the file ends where",
    );
    check(&["net", "info", "no-such-file"], 1, "", "no-such-file: ");
    check(&["net", "info"], 0, "# shido-human\n", "");
}

#[test]
fn net_evaluate_measures_a_net_or_the_move_model() {
    let folder = tempfile::tempdir().expect("a folder of our own");
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("the folder is writable");
        path.to_str().expect("an ASCII name").to_owned()
    };
    let net = path(
        "net.bin",
        &shido_net::tiny::Plan::new(15).build().to_bytes(),
    );
    let record = "(;GM[1]SZ[9]KM[6.5]BR[12k]WR[2d]RE[B+3.5];B[ee];W[ce];B[gc];W[cc];B[gg]\
                  ;W[cg];B[ge];W[ec];B[eg];W[fb];B[gb];W[fc])";
    let games = path("game.sgf", record.as_bytes());
    let run = ["net", "evaluate", "--threads", "1", "--games", &games];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    check(&with(&["--pattern"]), 0, "| 15k–11k | 6 |", "");
    let own = [&run[..], &["--net", &net]].concat();
    check(&own, 0, "| 1d–8d | 6 |", "");
    check(&own, 0, "mean error of 12 scores", "");
    check(&with(&["--rank", "31k"]), 2, "", "a rank from 30k to 9d");
    check(
        &with(&["--pattern", "--estimate-ranks"]),
        2,
        "",
        "human-imitation net",
    );
    let unranked = [&own[..], &["--estimate-ranks"]].concat();
    check(&unranked, 2, "", "takes no ranks");
}

#[test]
fn partner_evaluate_measures_levels_beside_people() {
    let folder = tempfile::tempdir().expect("a folder of our own");
    let games = folder.path().join("game.sgf");
    let record = "(;GM[1]SZ[9]KM[6.5]BR[12k]WR[2d];B[ee];W[ce];B[gc];W[cc];B[gg];W[cg]\
                  ;B[ge];W[ec];B[eg];W[fb];B[gb];W[fc])";
    std::fs::write(&games, record).expect("the folder is writable");
    let games = games.to_str().expect("an ASCII name");
    let run = ["partner", "evaluate", "--commit", "test", "--games", games];
    let quick = ["--sims", "4", "--judge-visits", "2", "--positions", "2"];
    let with = |more: &[&'static str]| [&run[..], &quick, &["--board", "9"], more].concat();
    check(&with(&["--levels", "12k,2d"]), 0, "| 12k | 2 | 1 | ", "");
    let output = shido(&with(&["--levels", "2d", "--json"]));
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(line["commit"], "test");
    assert_eq!(line["settings"]["seed"], 1);
    assert_eq!(line["report"]["level"], "2d");
    assert_eq!(line["report"]["people"]["loss"]["n"], 2);
    assert_eq!(
        line["nets"]["judge"]["hash"],
        line["nets"]["engine"]["hash"]
    );
    check(&with(&["--levels", "31k"]), 2, "", "30k to 1k or 1d to 6d");
    check(
        &with(&["--partner", "sensei"]),
        2,
        "",
        "choose strong, human",
    );
    check(&with(&["--set", "beta=-1"]), 2, "", "allowed is 0 to 100");
    check(&with(&["--levels", "25k"]), 1, "", "has a rank within 1 of");
    let none = [&run[..], &["--positions", "0"]].concat();
    check(&none, 2, "", "from 1 on");
    check(&with(&["--close=-1"]), 2, "", "write 0 to 1000");
    let elsewhere = [&run[..], &["--board", "13"]].concat();
    check(&elsewhere, 1, "", "these are on 9×9");
    let odd = [&run[..], &["--board", "11"]].concat();
    check(&odd, 2, "", "write 9, 13 or 19");
}
