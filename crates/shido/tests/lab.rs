//! `shido lab` and `shido match` as real processes: killed, starved of disk, parted.
//!
//! The smoke experiment needs GNU Go (Debian's `gnugo`); without it that test says
//! SKIPPED, except where `CI=true`, where it fails.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use shido_lab::ledger;
use shido_lab::line::{GameLine, Line};

fn spec(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("lab").join(name)
}

/// Debian keeps games where not every PATH leads.
fn path_with_games() -> OsString {
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    path.push(":/usr/games");
    path
}

fn shido() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shido"));
    command.env("PATH", path_with_games());
    command
}

fn lab_run(spec: &Path, out: &Path) -> Command {
    let mut command = shido();
    command.args(["lab", "run", "--commit", "test", "--out"]);
    command.arg(out).arg(spec);
    command
}

#[track_caller]
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Returns the games by name, without their times.
fn games(dir: &Path) -> BTreeMap<String, GameLine> {
    let lines = ledger::read(dir).unwrap_or_default();
    let games = lines.into_iter().filter_map(|line| match line {
        Line::Game(game) => Some((game.game.clone(), game.without_times())),
        Line::Void(_) => None,
    });
    games.collect()
}

/// Writes the report and returns its files, times aside.
fn report(dir: &Path) -> BTreeMap<String, String> {
    succeed(shido().args(["lab", "report"]).arg(dir));
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let ending = path.extension().and_then(|it| it.to_str()).unwrap_or("");
        if name != "times.md" && ["md", "html", "svg"].contains(&ending) {
            files.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    files
}

fn gnugo_is_missing() -> bool {
    let found = Command::new("gnugo")
        .env("PATH", path_with_games())
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if found.is_ok() {
        return false;
    }
    assert!(
        std::env::var_os("CI").is_none_or(|it| it != "true"),
        "this test needs gnugo"
    );
    // Not `eprintln`, which the harness swallows when the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED: this test needs gnugo");
    true
}

#[test]
fn a_killed_run_gives_the_same_report_as_one_that_was_not() {
    if gnugo_is_missing() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (whole, killed) = (dir.path().join("whole"), dir.path().join("killed"));
    let smoke = spec("smoke.toml");
    succeed(&mut lab_run(&smoke, &whole));
    assert_eq!(games(&whole).len(), 12);
    for game in games(&whole).values() {
        for seat in [&game.black, &game.white] {
            // Our engines say which models they played with; GNU Go has none.
            let models: Vec<&str> = seat.hashes.keys().map(String::as_str).collect();
            let ours: &[&str] = &["gammas", "priors"];
            assert_eq!(models, if seat.name == "gnugo" { &[] } else { ours });
        }
    }

    let mut run = lab_run(&smoke, &killed);
    let mut child = run.stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while games(&killed).len() < 5 && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_mins(10), "no games");
        thread::sleep(Duration::from_millis(5));
    }
    // On Unix this is SIGKILL: the run gets no chance to tidy up.
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = games(&killed).len();
    assert!((5..12).contains(&kept), "{kept} games were kept");

    let output = succeed(&mut lab_run(&smoke, &killed));
    assert!(output.starts_with("12 of 12 games"), "{output}");
    assert_eq!(games(&whole), games(&killed));
    let (ours, theirs) = (report(&whole), report(&killed));
    assert!(ours.contains_key("report.md") && ours.contains_key("results.svg"));
    assert_eq!(ours, theirs);
}

#[test]
fn a_full_disk_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (starved, whole) = (dir.path().join("starved"), dir.path().join("whole"));
    // A limit on the size of files stands in for the disk's end: writes fail half way.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_shido"))
        .args(["lab", "run", "--commit", "test", "--out"])
        .arg(&starved)
        .arg(spec("random.toml"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("the disk is full"),
        "{}",
        said(&output)
    );
    let kept = games(&starved).len();
    assert!(kept < 200, "the limit was not felt");
    succeed(&mut lab_run(&spec("random.toml"), &starved));
    succeed(&mut lab_run(&spec("random.toml"), &whole));
    assert_eq!(games(&starved), games(&whole));
}

#[test]
fn parts_are_merged_into_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let random = spec("random.toml");
    for part in ["1/3", "2/3", "3/3"] {
        succeed(lab_run(&random, &at(&part.replace('/', "-"))).args(["--part", part]));
    }
    let mut merge = shido();
    merge.args(["lab", "merge", "--out"]).arg(at("merged"));
    merge.args([at("1-3"), at("2-3"), at("3-3")]);
    assert!(succeed(&mut merge).starts_with("200 games in "));
    succeed(&mut lab_run(&random, &at("whole")));
    assert_eq!(report(&at("merged")), report(&at("whole")));
    assert!(at("merged").join("sgf/one.other.0200.sgf").exists());
}

/// Games that are kept with the sources go on where they stopped, also by a spec that has grown.
#[test]
fn packed_games_are_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let text = fs::read_to_string(spec("random.toml")).unwrap();
    // The parts lie below their spec, so that its paths hold wherever both are.
    let (few, grown) = (at("few.toml"), at("grown.toml"));
    fs::write(&few, text.replace("games = 200", "games = 60")).unwrap();
    fs::write(&grown, text).unwrap();
    succeed(&mut lab_run(&few, &at("few")));
    let pack = |from: &Path| {
        let mut pack = shido();
        pack.args(["lab", "merge", "--pack", "--out"]);
        succeed(pack.arg(at("kept")).arg(from))
    };
    let parts = || {
        let mut names: Vec<String> = fs::read_dir(at("kept"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "lock")
            .collect();
        names.sort();
        names
    };
    assert!(pack(&at("few")).starts_with("60 games in "));
    assert_eq!(parts(), ["ledger-1.jsonl.gz", "spec-folder", "spec.toml"]);
    let mut merge = shido();
    merge
        .args(["lab", "merge", "--out"])
        .args([at("all"), at("kept")]);
    assert!(succeed(&mut merge).starts_with("60 games in "));
    succeed(&mut lab_run(&grown, &at("all")));
    succeed(&mut lab_run(&grown, &at("whole")));
    assert_eq!(games(&at("all")), games(&at("whole")));
    assert_eq!(games(&at("all")).len(), 200);

    assert!(pack(&at("all")).starts_with("200 games in "));
    let both = [
        "ledger-1.jsonl.gz",
        "ledger-2.jsonl.gz",
        "spec-folder",
        "spec.toml",
    ];
    assert_eq!(parts(), both);
    assert_eq!(games(&at("kept")), games(&at("whole")));
    pack(&at("all"));
    assert_eq!(parts(), both, "nothing is kept twice");
}

#[test]
fn a_changed_spec_is_refused_with_the_change() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    succeed(&mut lab_run(&spec("random.toml"), &out));
    let text = fs::read_to_string(spec("random.toml")).unwrap();
    let changed = dir.path().join("changed.toml");
    fs::write(&changed, text.replace("komi = 7.5", "komi = 6.5")).unwrap();
    let output = lab_run(&changed, &out).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("game.komi was 7.5, is 6.5"));
    fs::write(&changed, text.replace("games = 200", "games = -1")).unwrap();
    let output = lab_run(&changed, &out).output().unwrap();
    let fault = "changed.toml:19: pairings[0].games: must be at least 1, is -1";
    assert!(said(&output).contains(fault), "{}", said(&output));
}

#[test]
fn every_spec_of_the_repository_can_be_read() {
    let listed = succeed(shido().args(["lab", "list"]).arg(spec("")));
    for name in ["smoke", "random", "pd10", "pd10-19"] {
        let line = listed
            .lines()
            .find(|line| line.contains(&format!("/{name}.toml: ")));
        assert!(line.is_some_and(|it| it.ends_with(" games)")), "{listed}");
    }
    assert_eq!(
        listed.matches(".toml:").count(),
        listed.matches(" games)").count()
    );
}

#[test]
fn a_match_prints_its_table() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = shido();
    command.args(["match", "random", "random", "--games", "4", "--board", "5"]);
    command.args(["--commit", "test", "--out"]).arg(dir.path());
    let table = succeed(&mut command);
    assert!(table.contains("| first – second | 4 of 4 |"), "{table}");
    let output = shido()
        .args(["match", "classic:x", "random"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_network_that_the_review_misses_is_known_before_the_games() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("review.toml");
    let text = r#"
        name = "review"
        seed = 7
        [game]
        board = 5
        [players.a]
        kind = "random"
        [players.b]
        kind = "random"
        [players.judge]
        kind = "native"
        net = "embedded"
        visits = 1
        [[pairings]]
        players = ["a", "b"]
        games = 2
        [review]
        analyst = "judge"
        second_human_net = "missing.bin.gz"
    "#;
    fs::write(&file, text).unwrap();
    let output = lab_run(&file, &dir.path().join("out")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("missing.bin.gz"),
        "{}",
        said(&output)
    );
    assert!(!dir.path().join("out/ledger.jsonl").exists());
}

/// Two games of a small search, with `evaluator` in place of this process if there is one.
fn evaluated(dir: &Path, name: &str, evaluator: Option<&str>) -> Output {
    let file = dir.join("evaluator.toml");
    let text = r#"
        name = "evaluator"
        title = "A network computed elsewhere"
        seed = 7
        [game]
        board = 7
        rules = "chinese"
        komi = 9.5
        move_limit = 20
        [referee]
        kind = "tromp-taylor"
        [players.a]
        kind = "native"
        net = "embedded"
        visits = 8
        [players.b]
        kind = "native"
        net = "embedded"
        visits = 4
        [[pairings]]
        players = ["a", "b"]
        games = 2
    "#;
    fs::write(&file, text).unwrap();
    let mut command = lab_run(&file, &dir.join(name));
    if let Some(evaluator) = evaluator {
        command.args(["--evaluator", evaluator, "--jobs", "2"]);
    }
    command.output().unwrap()
}

#[test]
fn a_network_computed_by_another_process_plays_the_same_games() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let shido = env!("CARGO_BIN_EXE_shido");
    let serve = format!("'{shido}' net serve");
    // The second one ends in the midst of an answer; the rest is computed here.
    let failing = format!(
        "sh -c 'exec 3>&1 4<&0 >/dev/null; \
         \"{shido}\" net serve \"$0\" <&4 3>&- | dd bs=1 count=30000 >&3 2>/dev/null & \
         exec 3>&-; wait'"
    );
    for (name, evaluator) in [
        ("here", None),
        ("away", Some(&serve)),
        ("half", Some(&failing)),
    ] {
        let output = evaluated(dir, name, evaluator.map(String::as_str));
        assert!(output.status.success(), "{}", said(&output));
        let warned = said(&output).contains("the evaluator failed");
        assert_eq!(warned, name == "half", "{}", said(&output));
        let found = games(&dir.join(name));
        assert_eq!(found.len(), 2);
        // What computed the network is in no spec but in the ledger.
        let by = &found.values().next().unwrap().black.settings["evaluator"];
        let (cpu, command) = (by["cpu"].as_str(), by["command"].as_str());
        assert_eq!(
            (cpu.is_some(), command),
            (name == "here", evaluator.map(|it| &**it))
        );
        let moves = |of: &BTreeMap<String, GameLine>| -> Vec<String> {
            let all = of.values().flat_map(|game| &game.moves);
            all.map(|it| it.mv.clone()).collect()
        };
        assert_eq!(moves(&found), moves(&games(&dir.join("here"))), "{name}");
    }
    // The same games, had another kind of processor computed them, are no contradiction.
    let (here, there) = (dir.join("here"), dir.join("there"));
    fs::create_dir(&there).unwrap();
    for entry in fs::read_dir(&here).unwrap() {
        let from = entry.unwrap().path();
        if from.is_file() {
            let text = fs::read_to_string(&from).unwrap();
            let text = text.replace("\"cpu\":\"", "\"cpu\":\"not ");
            fs::write(there.join(from.file_name().unwrap()), text).unwrap();
        }
    }
    assert_ne!(games(&here), games(&there));
    let mut command = Command::new(shido);
    command
        .args(["lab", "merge", "--out"])
        .arg(dir.join("both"));
    let output = command.args([&here, &there]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(games(&dir.join("both")), games(&here));
}

#[test]
fn an_evaluator_that_is_none_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let shido = env!("CARGO_BIN_EXE_shido");
    let another = format!("sh -c '\"{shido}\" net serve shido-human'");
    for (evaluator, why) in [
        ("/nowhere/evaluator", "No such file"),
        ("true", "it ended before it was ready"),
        ("sh -c 'echo Hello to you, dear player'", "does not begin"),
        (&another, "it computes another network"),
        ("'", "quote"),
    ] {
        let output = evaluated(dir.path(), "refused", Some(evaluator));
        assert_eq!(output.status.code(), Some(1), "{evaluator}");
        let said = said(&output);
        assert!(said.contains(why), "{evaluator}: {said}");
        assert!(games(&dir.path().join("refused")).is_empty());
    }
}
