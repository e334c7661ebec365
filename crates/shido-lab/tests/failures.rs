//! Every failure of docs/failures.md, made by an engine that fails that way, with
//! the ledger lines it leaves. The engines are shell scripts of a few lines.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shido_engine::StopFlag;
use shido_go::Color;
use shido_lab::ledger;
use shido_lab::line::{End, GameLine, Line, VoidLine};
use shido_lab::merge::merge;
use shido_lab::provenance::Provenance;
use shido_lab::runner::{RunError, RunSettings, Summary, run};
use shido_lab::schedule::Selection;
use shido_lab::spec::Spec;

/// Calls every game a draw.
const SCORE: &str = "echo \"=$id 0\"";

/// Writes an engine that does `genmove` and `score` when asked for a move and a score.
fn engine(dir: &Path, genmove: &str, score: &str) -> PathBuf {
    let script = format!(
        r#"#!/bin/sh
while read -r id command arguments; do
  case "$command" in
    name) echo "=$id fake" ;;
    version) echo "=$id 1.0" ;;
    list_commands) printf '=%s genmove\nfinal_score\n' "$id" ;;
    genmove) {genmove} ;;
    final_score) {score} ;;
    *) echo "=$id" ;;
  esac
  echo
done
"#
    );
    let path = dir.join("engine.sh");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn hangs(engine: &Path) -> bool {
    fs::read_to_string(engine).is_ok_and(|script| script.contains("sleep"))
}

/// Runs one game of the engine, Black, against a random player.
fn play(dir: &Path, engine: &Path, extra: &str) -> Result<Summary, RunError> {
    let text = format!(
        r#"
name = "failures"
seed = 5
[game]
board = 9
[players.fake]
kind = "gtp"
command = "{}"
move_timeout_s = {}
[players.random]
kind = "random"
[[pairings]]
players = ["fake", "random"]
games = 1
{extra}
"#,
        engine.display(),
        // Long, but for the engine that is meant to run out of it.
        if hangs(engine) { 0.3 } else { 30.0 }
    );
    let spec = Spec::parse(&text, "failures.toml").unwrap();
    let settings = RunSettings {
        jobs: Some(1),
        games: Selection::ALL,
        begin_within: None,
        provenance: Provenance::of_commit("test").unwrap(),
        stop: StopFlag::new(),
    };
    run((&spec, &text), &dir.join("out"), &settings, &mut |_| {})
}

fn lines(dir: &Path) -> (Vec<VoidLine>, Vec<GameLine>) {
    let (mut voids, mut games) = (Vec::new(), Vec::new());
    for line in ledger::read(&dir.join("out")).unwrap() {
        match line {
            Line::Void(void) => voids.push(void),
            Line::Game(game) => games.push(*game),
        }
    }
    (voids, games)
}

/// An engine that fails at every move: void, replayed once, void, forfeited.
#[track_caller]
fn check_void_then_forfeit(genmove: &str, failure: &str, why: &str) {
    let dir = tempfile::tempdir().unwrap();
    let engine = engine(dir.path(), genmove, SCORE);
    let summary = play(dir.path(), &engine, "[failures]\nreplays = 1").unwrap();
    assert_eq!((summary.finished, summary.voids), (1, 2));
    let (voids, games) = lines(dir.path());
    assert_eq!(voids.len(), 2);
    for void in &voids {
        assert_eq!(
            (void.by.as_str(), void.failure.as_str()),
            ("fake", failure),
            "{void:?}"
        );
        assert!(void.why.contains(why), "{}", void.why);
        assert_eq!(void.commit, "test");
    }
    let [game] = &games[..] else {
        panic!("{games:?}")
    };
    assert_eq!(game.outcome.end, End::Failure);
    assert_eq!(game.outcome.winner, Some(Color::White));
    assert_eq!(game.result(), "W+F");
    let said = game.outcome.why.as_deref().unwrap();
    assert!(said.starts_with("fake: ") && said.contains(why), "{said}");
}

#[test]
fn an_engine_that_hangs() {
    check_void_then_forfeit("sleep 1000", "timed-out", "did not answer `genmove B`");
}

#[test]
fn an_engine_that_crashes() {
    check_void_then_forfeit("echo 'out of luck' >&2; exit 3", "crashed", "out of luck");
}

#[test]
fn an_engine_that_floods_its_output() {
    check_void_then_forfeit("echo \"=$id A1\"; yes A1", "flooded", "bytes");
}

#[test]
fn an_engine_that_talks_nonsense() {
    check_void_then_forfeit("echo \"=$id Z99\"", "bad-response", "Z99");
}

#[test]
fn an_engine_that_plays_illegally_loses_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let engine = engine(dir.path(), "echo \"=$id A1\"", SCORE);
    let summary = play(dir.path(), &engine, "").unwrap();
    assert_eq!((summary.finished, summary.voids), (1, 0));
    let (voids, games) = lines(dir.path());
    assert!(voids.is_empty());
    let game = &games[0];
    assert_eq!(game.outcome.end, End::IllegalMove);
    assert_eq!(game.result(), "W+F");
    let why = game.outcome.why.as_deref().unwrap();
    assert!(why.starts_with("fake played A1 at move 3: "), "{why}");
    assert_eq!(
        game.moves.len(),
        2,
        "the illegal move is not one of the moves"
    );
    assert!(dir.path().join("out/sgf/fake.random.0001.sgf").exists());
}

#[test]
fn an_engine_that_disagrees_on_the_score() {
    let dir = tempfile::tempdir().unwrap();
    let engine = engine(dir.path(), "echo \"=$id pass\"", "echo \"=$id B+81\"");
    play(dir.path(), &engine, "[referee]\nkind = 'tromp-taylor'").unwrap();
    let (_, games) = lines(dir.path());
    let outcome = &games[0].outcome;
    assert_eq!(outcome.end, End::Passes);
    assert!(outcome.disputed);
    assert_eq!(outcome.opinions.black.as_deref(), Some("B+81"));
    assert_eq!(outcome.opinions.white, None);
    assert_eq!(outcome.winner, Some(Color::White), "the referee decides");
}

#[test]
fn an_engine_that_fails_when_asked_for_the_score_keeps_its_game() {
    let dir = tempfile::tempdir().unwrap();
    let engine = engine(dir.path(), "echo \"=$id pass\"", "exit 1");
    let summary = play(dir.path(), &engine, "").unwrap();
    assert_eq!((summary.finished, summary.voids), (1, 0));
    let (_, games) = lines(dir.path());
    assert_eq!(games[0].outcome.opinions.black, None);
    assert!(!games[0].outcome.disputed);
}

#[test]
fn an_engine_that_is_not_there_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let error = play(dir.path(), Path::new("/no/such/engine"), "").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("players.fake: cannot start `/no/such/engine`"),
        "{error}"
    );
    assert_eq!(lines(dir.path()), (vec![], vec![]));
}

#[test]
fn a_referee_that_is_not_there_ends_the_run_before_the_first_move() {
    let dir = tempfile::tempdir().unwrap();
    // Whoever is asked for a move leaves a mark.
    let mark = dir.path().join("asked");
    let genmove = format!("touch {}; echo \"=$id resign\"", mark.display());
    let engine = engine(dir.path(), &genmove, SCORE);
    let referee = "[referee]\nkind = 'engine'\ncommand = '/no/such/referee'";
    let error = play(dir.path(), &engine, referee).unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("referee: cannot start `/no/such/referee`"),
        "{said}"
    );
    assert!(!mark.exists());
    assert_eq!(lines(dir.path()), (vec![], vec![]));
}

#[test]
fn a_spec_may_halt_instead_of_forfeiting_and_a_later_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let failures = "[failures]\nreplays = 1\nthen = 'halt'";
    let bad = engine(dir.path(), "exit 1", SCORE);
    let summary = play(dir.path(), &bad, failures).unwrap();
    assert!(summary.halted);
    assert_eq!((summary.finished, summary.voids), (0, 2));
    let (voids, games) = lines(dir.path());
    assert_eq!((voids.len(), games.len()), (2, 0));
    engine(dir.path(), "echo \"=$id resign\"", SCORE);
    let summary = play(dir.path(), &bad, failures).unwrap();
    assert_eq!((summary.finished, summary.halted), (1, false));
    let (_, games) = lines(dir.path());
    assert_eq!(games[0].result(), "W+R");
    assert_eq!(games[0].voids, 2, "the line tells of the void games before");
}

#[test]
fn a_referee_that_fails_halts_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let engine = engine(dir.path(), "echo \"=$id pass\"", SCORE);
    let referee = format!(
        "[referee]\nkind = 'engine'\ncommand = '{}'\n[failures]\nreplays = 0",
        engine.display()
    );
    let summary = play(dir.path(), &engine, &referee).unwrap();
    assert!(summary.halted);
    let (voids, games) = lines(dir.path());
    assert_eq!(voids[0].by, "referee");
    assert_eq!(voids[0].failure, "refused");
    assert!(games.is_empty());
}

#[test]
fn a_game_that_is_stopped_while_it_is_counted_is_not_in_the_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("asked");
    let score = format!("touch {}; sleep 1; {SCORE}", mark.display());
    let engine = engine(dir.path(), "echo \"=$id pass\"", &score);
    let text = format!(
        "name = 'x'\nseed = 5\n[game]\nboard = 9\n[players.a]\nkind = 'gtp'\ncommand = '{0}'\n\
         [players.b]\nkind = 'gtp'\ncommand = '{0}'\n[[pairings]]\nplayers = ['a', 'b']\n\
         games = 1\n",
        engine.display()
    );
    let spec = Spec::parse(&text, "x.toml").unwrap();
    let stop = StopFlag::new();
    let settings = RunSettings {
        jobs: Some(1),
        games: Selection::ALL,
        begin_within: None,
        provenance: Provenance::of_commit("test").unwrap(),
        stop: stop.clone(),
    };
    let summary = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !mark.exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.raise();
        });
        let out = dir.path().join("out");
        run((&spec, &text), &out, &settings, &mut |_| {}).unwrap()
    });
    assert!(summary.stopped);
    assert_eq!(lines(dir.path()), (vec![], vec![]));
}

/// A game is played again with the same seed, so it may fail twice in the same way.
#[test]
fn a_game_that_was_void_twice_is_so_after_a_merge() {
    let dir = tempfile::tempdir().unwrap();
    let bad = engine(dir.path(), "exit 1", SCORE);
    play(dir.path(), &bad, "[failures]\nreplays = 1").unwrap();
    let (out, merged) = (dir.path().join("out"), dir.path().join("merged"));
    merge(&[out.clone(), out], None, &merged).unwrap();
    let voids = ledger::read(&merged).unwrap().into_iter();
    let voids = voids.filter(|it| matches!(it, Line::Void(_)));
    assert_eq!(voids.count(), 2);
}
