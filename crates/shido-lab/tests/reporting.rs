//! Reports and reviews of small experiments.

use std::collections::BTreeMap;
use std::path::Path;

use shido_coach::Calibration;
use shido_engine::StopFlag;
use shido_go::Color;
use shido_lab::ledger;
use shido_lab::provenance::Provenance;
use shido_lab::report::{Games, Report};
use shido_lab::review::{Review, review};
use shido_lab::runner::{RunSettings, run};
use shido_lab::schedule::Selection;
use shido_lab::spec::Spec;

const TEXT: &str = r#"
name = "small"
title = "A <small> experiment"
seed = 4
[game]
board = 5
[players.a]
kind = "random"
[players.b]
kind = "random"
[players.judge]
kind = "classic"
playouts = 30
gammas = "even"
priors = "none"
memory_mib = 16
[[pairings]]
players = ["a", "b"]
games = 6
[review]
analyst = "judge"
[report]
measures = ["ratings", "length", "margin", "center-moves", "quality"]
[[report.tables]]
title = "Figure 1"
source = "PD10, Figure 1"
opponent = "b"
rows = ["a"]
columns = ["mle", "win_rate"]
figures = "figures.json"
[report.tables.paper]
a = { mle = -5.5, win_rate = 0.34 }
"#;

fn jobs(jobs: usize) -> RunSettings {
    RunSettings {
        jobs: Some(jobs),
        games: Selection::ALL,
        begin_within: None,
        provenance: Provenance::of_commit("test").unwrap(),
        stop: StopFlag::new(),
    }
}

fn played(dir: &Path) -> Spec {
    let mut spec = Spec::parse(TEXT, "small.toml").unwrap();
    dir.clone_into(&mut spec.base);
    let settings = jobs(2);
    run((&spec, TEXT), dir, &settings, &mut |_| {}).unwrap();
    spec
}

fn reviews(spec: &Spec, dir: &Path) -> BTreeMap<String, Review> {
    let games = Games::read(dir, spec).unwrap().games;
    review(spec, dir, &games, &StopFlag::new(), &|| {}).unwrap()
}

#[test]
fn every_number_has_its_n_and_the_paper_stands_beside_ours() {
    let dir = tempfile::tempdir().unwrap();
    let spec = played(dir.path());
    let figures = r#"{"a": {"mle": {"value": -4.25, "low": -4.5, "high": -4.0, "n": 77}}}"#;
    std::fs::write(dir.path().join("figures.json"), figures).unwrap();
    let reviews = reviews(&spec, dir.path());
    assert_eq!(reviews.len(), 6);
    let games = Games::read(dir.path(), &spec).unwrap();
    let report = Report::of(&spec, &games, &reviews).unwrap();
    for table in &report.tables {
        for row in &table.rows {
            assert_eq!(row.len(), table.head.len(), "{}", table.title);
        }
    }
    let figure = &report.tables[1];
    assert_eq!(figure.rows[0][1], "-5.5");
    assert_eq!(figure.rows[0][2], "-4.2500 [-4.5000, -4.0000], n = 77");
    assert_eq!(figure.rows[0][3], "34.0 %");
    assert!(figure.rows[0][4].ends_with("], n = 6"), "{:?}", figure.rows);
    let quality = report
        .tables
        .iter()
        .find(|it| it.title.starts_with("Quality"))
        .unwrap();
    let chosen: usize = games.games.iter().map(|it| it.moves.len()).sum();
    let counted: usize = quality
        .rows
        .iter()
        .map(|row| {
            row[1]
                .rsplit_once("n = ")
                .unwrap()
                .1
                .parse::<usize>()
                .unwrap()
        })
        .sum();
    assert_eq!(counted, chosen, "every move was judged once");
    let files = report.write(dir.path(), &games).unwrap();
    let html = files.iter().find(|it| it.ends_with("report.html")).unwrap();
    let html = std::fs::read_to_string(html).unwrap();
    assert!(html.contains("<h1>A &lt;small&gt; experiment</h1>"));
    assert_eq!(html.matches("<svg").count(), report.plots.len());
}

#[test]
fn a_report_does_not_depend_on_the_order_of_the_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let spec = played(dir.path());
    let mut lines = ledger::read(dir.path()).unwrap();
    let none = BTreeMap::new();
    let straight = Report::of(&spec, &Games::of(lines.clone(), &spec), &none).unwrap();
    lines.reverse();
    let reversed = Report::of(&spec, &Games::of(lines, &spec), &none).unwrap();
    assert_eq!(straight, reversed);
}

#[test]
fn a_report_of_no_games_has_no_numbers() {
    let spec = Spec::parse(TEXT, "small.toml").unwrap();
    let report = Report::of(&spec, &Games::default(), &BTreeMap::new()).unwrap();
    assert_eq!(report.tables[0].rows[0][2], "none, n = 0");
}

#[test]
fn a_game_is_reviewed_once_and_again_when_it_changed() {
    let dir = tempfile::tempdir().unwrap();
    let spec = played(dir.path());
    let first = reviews(&spec, dir.path());
    let path = dir.path().join("reviews/a.b.0001.json");
    let mut marked: Review = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    marked.judged[0].naturalness = 77.0;
    std::fs::write(&path, serde_json::to_vec(&marked).unwrap()).unwrap();
    let second = reviews(&spec, dir.path());
    assert_eq!(second["a.b.0001"], marked, "it comes from the file");
    assert_eq!(second["a.b.0002"], first["a.b.0002"]);
    marked.moves[0] = "pass".to_owned();
    std::fs::write(&path, serde_json::to_vec(&marked).unwrap()).unwrap();
    let third = reviews(&spec, dir.path());
    assert_eq!(
        third["a.b.0001"], first["a.b.0001"],
        "it is judged anew, equally"
    );
}

#[test]
fn a_second_opinion_does_not_ask_the_first_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = played(dir.path());
    reviews(&spec, dir.path());
    let path = dir.path().join("reviews/a.b.0001.json");
    let mut marked: Review = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    // Judged with the help of another machine, which is not here any more.
    marked.evaluator = serde_json::json!({"command": "elsewhere"});
    marked.judged[0].naturalness = 77.0;
    std::fs::write(&path, serde_json::to_vec(&marked).unwrap()).unwrap();
    spec.review.as_mut().unwrap().second_human_net = Some("none".to_owned());
    let asked = &reviews(&spec, dir.path())["a.b.0001"];
    assert_eq!(asked.evaluator["command"], "elsewhere");
    assert_eq!(asked.judged[0].naturalness, 77.0);
    let said = |it: &shido_lab::review::ReviewedMove| {
        it.second_naturalness
            .is_some_and(|p| (0.0..=1.0).contains(&p))
    };
    assert!(asked.judged.iter().all(said));
    let again = &reviews(&spec, dir.path());
    assert_eq!(&again["a.b.0001"], asked, "it comes from the file");
    let games = Games::read(dir.path(), &spec).unwrap();
    let facts = Report::of(&spec, &games, again).unwrap().facts;
    let said = facts.iter().find(|it| it.0 == "Networks of reviews");
    assert_eq!(said.unwrap().1, "`elsewhere` in 1 of 6 games");
    spec.review.as_mut().unwrap().second_human_net = None;
    let alone = &reviews(&spec, dir.path())["a.b.0001"];
    assert_eq!(
        alone.judged, marked.judged,
        "nobody is quoted who is not asked"
    );
}

#[test]
fn a_second_opinion_that_is_stopped_leaves_whole_reviews() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = played(dir.path());
    let first = reviews(&spec, dir.path());
    spec.review.as_mut().unwrap().second_human_net = Some("none".to_owned());
    let games = Games::read(dir.path(), &spec).unwrap().games;
    let read = |name: &str| -> Review {
        let path = dir.path().join(format!("reviews/{name}.json"));
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
    };
    // Stopped again and again, wherever it is: after one game, others are under way.
    for _ in 0..6 {
        let stop = StopFlag::new();
        let found = review(&spec, dir.path(), &games, &stop, &|| stop.raise()).unwrap();
        for (name, before) in &first {
            let now = read(name);
            let asked = now.judged.iter().all(|it| it.second_naturalness.is_some());
            if now != *before {
                assert!(asked, "{name} is half asked");
            }
            if let Some(it) = found.get(name) {
                assert_eq!(it, &now, "what is told is what is kept");
            }
        }
    }
    let last = reviews(&spec, dir.path());
    let asked = |it: &Review| it.judged.iter().all(|it| it.second_naturalness.is_some());
    assert!(last.len() == 6 && last.values().all(asked));
}

#[test]
fn another_search_judges_anew() {
    let dir = tempfile::tempdir().unwrap();
    let spec = played(dir.path());
    let first = reviews(&spec, dir.path());
    let path = dir.path().join("reviews/a.b.0001.json");
    let mut old: Review = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    old.analyst["search"] = "of an earlier program".into();
    old.judged[0].naturalness = 77.0;
    std::fs::write(&path, serde_json::to_vec(&old).unwrap()).unwrap();
    assert_eq!(reviews(&spec, dir.path())["a.b.0001"], first["a.b.0001"]);
}

#[test]
fn a_missing_human_network_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = played(dir.path());
    spec.review.as_mut().unwrap().second_human_net = Some("nowhere.bin.gz".to_owned());
    let games = Games::read(dir.path(), &spec).unwrap().games;
    let refused = review(&spec, dir.path(), &games, &StopFlag::new(), &|| {}).unwrap_err();
    let said = refused.to_string();
    assert!(
        said.starts_with("review: cannot read ") && said.contains("nowhere.bin.gz"),
        "{said}"
    );
}

#[test]
fn reviewing_stops_when_told() {
    let dir = tempfile::tempdir().unwrap();
    let spec = played(dir.path());
    let games = Games::read(dir.path(), &spec).unwrap().games;
    let stop = StopFlag::new();
    stop.raise();
    let found = review(&spec, dir.path(), &games, &stop, &|| {}).unwrap();
    assert!(found.is_empty());
}

const PARTNERS: &str = r#"
name = "partners"
seed = 4
[game]
board = 9
move_limit = 90
rules = "japanese"
komi = 0.5
[referee]
kind = "players"
[players.mild]
kind = "partner"
partner = "roles"
human_net = "none"
settings = { beta = 1, simulations = 40, "resign.enabled" = false }
[players.wild]
kind = "partner"
partner = "roles"
human_net = "none"
settings = { beta = 6, simulations = 40, "resign.enabled" = false }
[players.student]
kind = "random"
[players.judge]
kind = "classic"
playouts = 30
memory_mib = 16
[[pairings]]
players = ["student", "mild"]
games = 3
keep_colors = true
[[pairings]]
players = ["wild", "student"]
games = 2
[review]
analyst = "judge"
human_net = "none"
second_human_net = "none"
[[report.tables]]
title = "Table 4"
source = "HI24, Table 4"
opponent = "student"
rows = ["mild", "wild"]
columns = ["win_rate", "distance", "mean", "geometric", "ignored", "second_mean", "blunders", "unlikely", "mcc", "close_100", "close_end", "loss", "extra", "unnatural", "near", "below_5"]
[report.tables.paper]
mild = { ignored = 0.00152, mcc = 0.7 }
[[report.fits]]
title = "beta for half of the games"
setting = "beta"
players = ["mild", "wild"]
opponent = "student"
level = "20k"
"#;

#[test]
fn partners_are_measured_as_the_papers_measure() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = Spec::parse(PARTNERS, "partners.toml").unwrap();
    dir.path().clone_into(&mut spec.base);
    let settings = jobs(1);
    run((&spec, PARTNERS), dir.path(), &settings, &mut |_| {}).unwrap();
    let games = Games::read(dir.path(), &spec).unwrap();
    let mild = |it: &&shido_lab::line::GameLine| it.white.name == "mild";
    assert_eq!(
        games.games.iter().filter(mild).count(),
        3,
        "colors are kept"
    );
    let told = games.games.iter().flat_map(|it| &it.moves);
    let told: Vec<_> = told.filter_map(|it| it.partner.as_ref()).collect();
    assert!(told.len() > 10 && told.iter().any(|it| it.rule == "roles-score"));
    let played = &games.games[0].white.settings["played"];
    assert_eq!(played["control"]["even-loss"], 1.0, "{played}");
    let reviews = reviews(&spec, dir.path());
    let report = Report::of(&spec, &games, &reviews).unwrap();
    let table = report
        .tables
        .iter()
        .find(|it| it.title == "Table 4")
        .unwrap();
    let cell = |row: usize, column: &str| {
        let at = table.head.iter().position(|it| it == column).unwrap();
        table.rows[row][at].as_str()
    };
    assert_eq!(cell(0, "ignored, paper"), "0.152 %");
    assert_eq!(cell(0, "mcc, paper"), "0.7");
    assert_eq!(cell(0, "close_100, ours"), "—", "no game is that long");
    for column in [
        "distance",
        "mean",
        "geometric",
        "loss",
        "near",
        "unnatural",
        "extra",
    ] {
        let found = cell(1, &format!("{column}, ours"));
        assert!(found.contains(", n = "), "{column}: {found}");
    }
    assert_eq!(cell(0, "mean, ours"), cell(0, "second_mean, ours"));
    let fit = report
        .tables
        .iter()
        .find(|it| it.head[1] == "beta")
        .unwrap();
    assert_eq!(fit.rows.len(), 3);
    assert!(fit.rows[2][1].contains(", n = 5"), "{:?}", fit.rows);
    // What is found for a level can be put where the coach reads it.
    let mut decided = games.clone();
    for game in &mut decided.games {
        let mild = [&game.black, &game.white]
            .iter()
            .any(|it| it.name == "mild");
        let winner = if mild { "mild" } else { "student" };
        let black = game.black.name == winner;
        game.outcome.winner = Some(if black { Color::Black } else { Color::White });
    }
    let report = Report::of(&spec, &decided, &reviews).unwrap();
    let found = Calibration::parse(&report.calibration.unwrap()).unwrap();
    let table = &found.tables[0];
    let nets = (table.engine.as_str(), table.human.as_str());
    assert_eq!((nets, table.board), (("classic", "patterns"), 9));
    let row = &table.rows[0];
    assert_eq!(
        (row.level.to_string(), row.games),
        ("20k".to_owned(), Some(5))
    );
    assert!((1.0..=6.0).contains(&row.settings["beta"]), "{row:?}");
}

#[test]
fn levels_that_met_often_enough_are_measured() {
    let text = r#"
        name = "levels"
        title = "Levels"
        seed = 3
        [game]
        board = 9
        rules = "japanese"
        komi = 6.5
        move_limit = 6
        [players.weak]
        kind = "partner"
        partner = "natural"
        level = "20k"
        human_net = "none"
        settings = { simulations = 20, "natural.variety" = 1.07 }
        [players.other]
        kind = "partner"
        partner = "natural"
        level = "17k"
        human_net = "none"
        settings = { simulations = 20, beta = 4.4 }
        [[pairings]]
        players = ["other", "weak"]
        games = 2
    "#;
    let dir = tempfile::tempdir().unwrap();
    let spec = Spec::parse(text, "levels.toml").unwrap();
    let settings = jobs(1);
    run((&spec, text), dir.path(), &settings, &mut |_| {}).unwrap();
    let mut games = Games::read(dir.path(), &spec).unwrap();
    let found = |games: &Games| Report::of(&spec, games, &BTreeMap::new()).unwrap();
    assert_eq!(found(&games).calibration, None, "two games are too few");
    games.games = games.games.iter().cycle().take(40).cloned().collect();
    let text = found(&games).calibration.unwrap();
    let found = Calibration::parse(&text).unwrap();
    let table = &found.tables[0];
    assert_eq!((found.tables.len(), table.rows.len()), (1, 2));
    let [weak, other] = &table.rows[..] else {
        panic!("{text}");
    };
    assert_eq!(
        (weak.level.to_string(), weak.games),
        ("20k".into(), Some(40))
    );
    assert_eq!(weak.settings["natural.variety"], 1.07);
    assert_eq!(other.settings["beta"], 4.4);
    assert!(weak.settings["beta"] > 4.4);
}
