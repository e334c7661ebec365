//! Whole runs: the same games however they are run, parted, stopped or resumed.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use shido_engine::StopFlag;
use shido_lab::ledger;
use shido_lab::line::{GameLine, Line};
use shido_lab::provenance::Provenance;
use shido_lab::report::{Games, Report};
use shido_lab::runner::{Event, RunSettings, Summary, run};
use shido_lab::schedule::Part;
use shido_lab::schedule::Selection;
use shido_lab::spec::Spec;

const TEXT: &str = r#"
name = "random"
seed = 11
[game]
board = 7
[opening]
kind = "random"
moves = 4
[players.a]
kind = "random"
[players.b]
kind = "random"
[players.c]
kind = "random"
[round_robin]
games = 6
"#;

fn settings(jobs: usize, part: &str) -> RunSettings {
    RunSettings {
        jobs: Some(jobs),
        games: Selection {
            part: part.parse().unwrap(),
            ..Selection::ALL
        },
        begin_within: None,
        provenance: Provenance::of_commit("test").unwrap(),
        stop: StopFlag::new(),
    }
}

fn play(dir: &Path, settings: &RunSettings, watch: &mut dyn FnMut(Event<'_>)) -> Summary {
    play_spec(TEXT, dir, settings, watch)
}

fn play_spec(
    text: &str,
    dir: &Path,
    settings: &RunSettings,
    watch: &mut dyn FnMut(Event<'_>),
) -> Summary {
    let spec = Spec::parse(text, "random.toml").unwrap();
    run((&spec, text), dir, settings, watch).unwrap()
}

/// Returns the games by name, without their times.
fn games(dir: &Path) -> BTreeMap<String, GameLine> {
    ledger::read(dir)
        .unwrap()
        .into_iter()
        .filter_map(|line| match line {
            Line::Game(game) => Some((game.game.clone(), game.without_times())),
            Line::Void(_) => None,
        })
        .collect()
}

#[test]
fn the_same_games_on_one_thread_and_on_many() {
    let dir = tempfile::tempdir().unwrap();
    let (one, many) = (dir.path().join("one"), dir.path().join("many"));
    let summary = play(&one, &settings(1, "1/1"), &mut |_| {});
    assert_eq!((summary.finished, summary.total), (18, 18));
    play(&many, &settings(8, "1/1"), &mut |_| {});
    assert_eq!(games(&one).len(), 18);
    assert_eq!(games(&one), games(&many));
}

#[test]
fn games_of_a_pair_share_the_opening_and_change_colors() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), &settings(2, "1/1"), &mut |_| {});
    let games = games(dir.path());
    let opening = |name: &str| -> Vec<String> {
        let moves = &games[name].moves[..games[name].opening];
        moves.iter().map(|it| it.mv.clone()).collect()
    };
    assert_eq!(opening("a.b.0001").len(), 4);
    assert_eq!(opening("a.b.0001"), opening("a.b.0002"));
    assert_eq!(opening("a.b.0001"), opening("b.c.0001"));
    assert_ne!(opening("a.b.0001"), opening("a.b.0003"));
    assert_eq!(games["a.b.0001"].black.name, "a");
    assert_eq!(games["a.b.0002"].black.name, "b");
    assert_ne!(games["a.b.0001"].moves, games["a.c.0001"].moves);
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    // The writer syncs games in batches and tells of them afterwards: enough games that
    // many are left when the stop is seen.
    let text = TEXT.replace("games = 6", "games = 1000");
    let (whole, halves) = (dir.path().join("whole"), dir.path().join("halves"));
    play_spec(&text, &whole, &settings(2, "1/1"), &mut |_| {});
    let first = settings(2, "1/1");
    let mut seen = 0;
    let summary = play_spec(&text, &halves, &first, &mut |event| {
        if let Event::Game(_) = event {
            seen += 1;
            if seen == 5 {
                first.stop.raise();
            }
        }
    });
    assert!(summary.stopped && (5..3000).contains(&summary.finished));
    let kept = summary.finished;
    let mut before = 0;
    let summary = play_spec(&text, &halves, &settings(2, "1/1"), &mut |event| {
        if let Event::Begin { before: games, .. } = event {
            before = games.len();
        }
    });
    assert_eq!((before, summary.finished), (kept, 3000));
    assert_eq!(games(&whole), games(&halves));
}

#[test]
fn when_the_time_is_up_no_game_begins() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings(2, "1/1");
    settings.begin_within = Some(Duration::ZERO);
    let summary = play(dir.path(), &settings, &mut |_| {});
    assert_eq!((summary.finished, summary.total), (0, 18));
    assert!(!summary.stopped && !summary.halted);
    settings.begin_within = Some(Duration::from_hours(1));
    let summary = play(dir.path(), &settings, &mut |_| {});
    assert_eq!((summary.finished, summary.total), (18, 18));
}

#[test]
fn parts_make_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    play(&whole, &settings(2, "1/1"), &mut |_| {});
    let mut parts = BTreeMap::new();
    for part in ["1/4", "2/4", "3/4", "4/4"] {
        let out = dir.path().join(part.replace('/', "-"));
        play(&out, &settings(2, part), &mut |_| {});
        parts.extend(games(&out));
    }
    assert_eq!(games(&whole), parts);
}

#[test]
fn lost_sgfs_come_back() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), &settings(2, "1/1"), &mut |_| {});
    let path = dir.path().join("sgf/a.b.0001.sgf");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("PB[a]") && text.contains("PW[b]"), "{text}");
    std::fs::remove_file(&path).unwrap();
    play(dir.path(), &settings(2, "1/1"), &mut |_| {});
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn recorded_games_are_taken_in_once() {
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("records");
    std::fs::create_dir(&records).unwrap();
    std::fs::write(records.join("1.sgf"), "(;SZ[9]RE[B+R];B[ee];W[cc])").unwrap();
    std::fs::write(records.join("2.sgf"), "(;SZ[9]RE[W+2.5];B[ee];W[gg])").unwrap();
    let text = format!(
        "name = 'humans'\nseed = 1\n[players.humans]\nkind = 'sgf'\nfiles = ['{}']\n\
         [players.a]\nkind = 'random'\n\
         [report]\nmeasures = ['length']\n\
         [[report.tables]]\ntitle = 'Table 7'\nsource = 'HI24, Table 7'\nopponent = 'a'\n\
         rows = ['humans']\ncolumns = ['close_end']\n",
        records.display()
    );
    let spec = Spec::parse(&text, "humans.toml").unwrap();
    let out = dir.path().join("out");
    for _ in 0..2 {
        run((&spec, &text), &out, &settings(1, "1/1"), &mut |_| {}).unwrap();
    }
    let games = games(&out);
    assert_eq!(games.len(), 2);
    assert_eq!(games["humans.0001"].result(), "B+R");
    assert_eq!(games["humans.0002"].result(), "W+2.5");
    assert!(games["humans.0001"].black.hashes["sgf"].starts_with("sha256:"));
    assert_eq!(Part::WHOLE.to_string(), "1/1");
    let read = Games::read(&out, &spec).unwrap();
    let report = Report::of(&spec, &read, &BTreeMap::new()).unwrap();
    let said = report.facts.iter().find(|it| it.0 == "Games").unwrap();
    assert_eq!(said.1, "0 of 0 planned, and 2 records");
    let lengths = report
        .tables
        .iter()
        .find(|it| it.title.starts_with("Length"));
    let length = &lengths.unwrap().rows[0][1];
    assert!(length.ends_with("n = 2"), "a game, not a side: {length}");
    let tables = report.tables.iter();
    let [table] = tables
        .filter(|it| it.title == "Table 7")
        .collect::<Vec<_>>()[..]
    else {
        panic!("one table has that title")
    };
    let close = table.rows[0].last().unwrap();
    assert!(close.ends_with("n = 1"), "one of them was counted: {close}");
}
