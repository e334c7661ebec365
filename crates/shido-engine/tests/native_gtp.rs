//! GTP commands about networks, on a tiny network of random weights.
//!
//! What the network says depends on its weights, so numbers with a point are masked.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;
use shido_engine::gtp::{GtpServer, GtpSettings};
use shido_engine::native::LONGEST_SIDE;
use shido_engine::{Analyst, Limits, Native, NativeSettings, Network, SearchOptions};
use shido_go::{Position, Rules, Size};
use shido_net::{CpuChoice, CpuPath, tiny};
use shido_search::Analysis;

fn native(plan: &tiny::Plan) -> Native {
    let network = Network::new(plan.build(), CpuChoice::Only(CpuPath::Plain)).unwrap();
    Native::new(Arc::new(network), NativeSettings::default(), 1 << 20).unwrap()
}

/// Sends lines and returns all that comes back.
fn answers(lines: &'static str) -> String {
    answers_of(native(&tiny::Plan::new(14)), lines)
}

fn answers_of(analyst: impl Analyst + 'static, lines: &'static str) -> String {
    let settings = GtpSettings {
        visits: Some(30),
        max_side: LONGEST_SIDE,
        size: Size::new(3, 2).unwrap(),
        rules: Rules::CHINESE,
        ..GtpSettings::default()
    };
    let mut output = Vec::new();
    let mut server = GtpServer::new(Box::new(analyst), settings);
    server.run(lines.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// Writes `#` for every number with a decimal point, and for the words of a row one space.
fn masked(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let words = line.split_whitespace().map(|word| {
            let number = word.contains('.') && word.parse::<f64>().is_ok();
            if number { "#" } else { word }
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(lines: &'static str, expect: &str) {
    let expect: Vec<_> = expect.lines().map(str::trim).collect();
    assert_eq!(masked(&answers(lines)).trim(), expect.join("\n").trim());
}

#[test]
fn raw_outputs_are_told_for_a_symmetry() {
    check(
        "play b B1\nkata-raw-nn 3\n",
        "=

         = symmetry 3
         whiteWin #
         whiteLoss #
         noResult #
         whiteLead #
         whiteScoreSelfplay #
         whiteScoreSelfplaySq #
         varTimeLeft #
         shorttermWinlossError #
         shorttermScoreError #
         policy
         # # #
         # NAN #
         policyPass #
         whiteOwnership
         # # #
         # # #",
    );
    let all = answers("boardsize 4\nkata-raw-nn w all 0.5\n");
    assert_eq!(all.matches("symmetry").count(), 8);
    let rectangle = answers("kata-raw-nn all\n");
    assert_eq!(rectangle.matches("symmetry").count(), 4);
}

#[test]
fn raw_outputs_are_from_whites_side() {
    let value = |text: &str, name: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let text = answers("kata-raw-nn 0\n");
    let sum = value(&text, "whiteWin") + value(&text, "whiteLoss") + value(&text, "noResult");
    assert!((sum - 1.0).abs() < 1e-5, "{text}");
    let white = answers("kata-raw-nn w 0\n");
    assert_ne!(value(&white, "whiteWin"), value(&text, "whiteWin"));
}

#[test]
fn a_time_may_be_longer_than_any_clock_can_tell() {
    let text = answers(
        "kata-set-param maxTime 5e19
         kata-set-param maxTime 1e19
         genmove b
         kata-genmove_analyze w 1e21
         kata-search_analyze b 1e30
         time_settings 0 1 1
         time_left b 1e19 1
         genmove b
         9 name
        ",
    );
    assert!(
        text.contains("play ") && text.contains("=9 shido"),
        "{text}"
    );
    assert!(!text.contains('?'), "{text}");
}

#[test]
fn a_heatmap_is_in_thousandths() {
    let text = answers("heatmap\n");
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[2].starts_with("pass: ") && rows[3].starts_with("winrate: 0."));
    let numbers = format!("{} {} {}", &rows[0][1..], rows[1], &rows[2][6..]);
    let sum: i32 = numbers
        .split_whitespace()
        .map(|it| it.parse::<i32>().unwrap())
        .sum();
    assert!((sum - 1000).abs() <= 4, "{text}");
}

#[test]
fn networks_are_named() {
    let text = answers("kata-get-models\n");
    let json: serde_json::Value = serde_json::from_str(text[2..].trim()).unwrap();
    assert_eq!(json[0]["version"], 14);
    assert_eq!(json[0]["usesHumanSLProfile"], false);
    assert_eq!(json[1]["usesHumanSLProfile"], true);
}

#[test]
fn parameters_are_listed_told_and_changed() {
    check(
        "kata-get-param maxVisits
         kata-set-param maxVisits 12
         kata-get-param maxVisits
         kata-set-param maxTime 2.5
         kata-get-param maxPlayouts
         kata-set-param wideRootNoise 0.5
         kata-set-params {\"useLcbForSelection\": false, \"maxVisits\": 7}
         kata-get-param useLcbForSelection
         kata-get-param maxVisits
         kata-set-param maxVisits 0
         kata-set-param wideRootNoise wide
         kata-get-param nonsense
         kata-set-param nonsense 1
         kata-set-params 5
         ",
        "= 30

         =

         = 12

         =

         = 1125899906842624

         =

         =

         = false

         = 7

         ? maxVisits: `0` is not a whole number above 0

         ? wideRootNoise: `wide` is not a number

         ? invalid parameter: nonsense

         ? there is no parameter `nonsense`

         ? syntax error: not a JSON object: invalid type: integer `5`, expected a map at line 1 column 1",
    );
    let text = answers("kata-list-params\n");
    assert!(text.contains(" maxVisits ") && text.contains("cpuctExploration "));
    let all = answers("kata-get-params\n");
    let json: serde_json::Value = serde_json::from_str(all[2..].trim()).unwrap();
    for (name, expect) in [
        ("maxVisits", json!(30)),
        ("maxPlayouts", json!(1_u64 << 50)),
        ("maxTime", json!(1e20)),
        ("wideRootNoise", json!(0)),
        ("cpuctExploration", json!(1)),
        ("numSearchThreads", json!(1)),
        ("playoutDoublingAdvantage", json!(0)),
        ("playoutDoublingAdvantagePla", json!("E")),
        ("useLcbForSelection", json!(true)),
        ("antiMirror", json!(false)),
        ("humanSLProfile", json!("")),
    ] {
        assert_eq!(json[name], expect, "{name}");
    }
    // All of it can be sent back.
    let lines = format!("kata-set-params {json}\nkata-get-params\n");
    let back = answers(lines.leak());
    assert_eq!(back, format!("=\n\n{all}"));
}

#[test]
fn settings_are_changed_together_or_not_at_all() {
    for (bad, why) in [
        (
            r#"{"maxVisits": 7, "wideRootNoise": "wide"}"#,
            "`wide` is not a number",
        ),
        (
            r#"{"cpuctExploration": 2, "nonsense": 1}"#,
            "there is no parameter `nonsense`",
        ),
        (
            r#"{"cpuctExploration": 2, "maxVisits": 0}"#,
            "is not a whole number above 0",
        ),
        (
            r#"{"cpuctExploration": 2, "wideRootNoise": -1}"#,
            "wideRootNoise",
        ),
        (
            r#"{"maxVisits": 7, "numSearchThreads": 0}"#,
            "numSearchThreads",
        ),
        (
            r#"{"maxVisits": 7, "playoutDoublingAdvantage": 4}"#,
            "playoutDoublingAdvantage",
        ),
        (
            r#"{"cpuctExploration": 2, "genmoveAntiMirror": true}"#,
            "only false is supported",
        ),
        (
            r#"{"analysisWideRootNoise": 1, "analysisIgnorePreRootHistory": 5}"#,
            "true or false",
        ),
    ] {
        let lines = format!("kata-get-params\nkata-set-params {bad}\nkata-get-params\n");
        let text = answers(lines.leak());
        let parts: Vec<_> = text.split("\n\n").collect();
        assert!(
            parts[1].starts_with("? ") && parts[1].contains(why),
            "{text}"
        );
        assert_eq!(parts[0], parts[2], "{bad}");
    }
}

/// Keeps the settings that each search is asked for; looks until it is told to stop.
struct Recording {
    inner: Native,
    asked: Arc<Mutex<Vec<BTreeMap<String, String>>>>,
    waits: bool,
}

impl Recording {
    fn search(&mut self, position: &Position, limits: &Limits) -> Analysis {
        let asked = limits.options.settings.clone();
        self.asked.lock().unwrap().push(asked);
        while self.waits && !limits.stop.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
        self.inner.analyze(position, limits)
    }
}

impl Analyst for Recording {
    fn name(&self) -> &'static str {
        "recording"
    }

    fn analyze(&mut self, position: &Position, limits: &Limits) -> Analysis {
        self.search(position, limits)
    }

    fn watch(
        &mut self,
        position: &Position,
        limits: &Limits,
        _: Duration,
        _: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        self.search(position, limits)
    }

    fn policy(&mut self, position: &Position) -> Vec<f32> {
        self.inner.policy(position)
    }

    fn forget(&mut self) {}

    fn check_options(&self, options: &SearchOptions) -> Result<Vec<String>, String> {
        self.inner.check_options(options)
    }

    fn parameters(&self) -> Vec<&'static str> {
        self.inner.parameters()
    }

    fn parameter(&self, name: &str) -> Option<String> {
        self.inner.parameter(name)
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.inner.set_parameter(name, value)
    }
}

/// Returns what comes back, and the settings that each search was asked for.
fn recorded(waits: bool, lines: &'static str) -> (String, Vec<BTreeMap<String, String>>) {
    let asked = Arc::default();
    let recording = Recording {
        inner: native(&tiny::Plan::new(14)),
        asked: Arc::clone(&asked),
        waits,
    };
    let text = answers_of(recording, lines);
    let asked = asked.lock().unwrap().clone();
    (text, asked)
}

#[test]
fn an_analysis_has_settings_of_its_own() {
    let (text, asked) = recorded(
        false,
        "kata-get-param analysisWideRootNoise\n\
         kata-set-param wideRootNoise 0.125\n\
         kata-get-param analysisWideRootNoise\n\
         kata-set-param analysisWideRootNoise 0.25\n\
         kata-set-param analysisIgnorePreRootHistory true\n\
         kata-get-param analysisWideRootNoise\n\
         kata-get-param wideRootNoise\n\
         kata-get-param analysisIgnorePreRootHistory\n\
         kata-get-param ignorePreRootHistory\n\
         kata-analyze b 10\n\
         genmove b\n",
    );
    let found: Vec<_> = text.split("\n\n").map(str::trim).collect();
    let expect = [
        "= 0", "=", "= 0.125", "=", "=", "= 0.25", "= 0.125", "= true", "= false",
    ];
    assert_eq!(found[..9], expect);
    let wanted = [("ignorePreRootHistory", "true"), ("wideRootNoise", "0.25")];
    let wanted = wanted.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(asked[0], BTreeMap::from(wanted), "the analysis");
    assert!(
        asked.len() > 1 && asked[1..].iter().all(BTreeMap::is_empty),
        "{asked:?}"
    );
}

/// The line after it ends the search; nothing is played, and nothing is told of it.
#[test]
fn a_search_is_given_up_when_a_line_comes() {
    let (text, _) = recorded(
        true,
        "kata-search_cancellable b\nshowboard\n7 kata-search_analyze_cancellable b 5\n\
         shido-why\nkata-search_cancellable b\n",
    );
    assert!(
        text.starts_with("= cancelled\n\n= move 1, Black to play"),
        "{text}"
    );
    assert!(
        text.contains("\nplay cancelled\n\n? no move has been chosen yet\n"),
        "{text}"
    );
    // The end of the input ends it too.
    assert!(text.ends_with("\n\n= cancelled\n\n"), "{text}");
}

#[test]
fn a_network_that_imitates_people_follows_the_profile() {
    let plan = tiny::Plan {
        meta: true,
        ..tiny::Plan::new(17)
    };
    let said = |profile: &str| {
        let lines = format!("kata-set-param humanSLProfile {profile}\nkata-raw-nn 0\n");
        answers_of(native(&plan), lines.leak())
    };
    assert_ne!(said("rank_20k"), said("rank_9d"));
    let listed = answers_of(native(&plan), "kata-list-params\n");
    assert_eq!(listed.matches("humanSLProfile").count(), 1, "{listed}");
}

#[test]
fn boards_larger_than_networks_take_are_refused() {
    check(
        "boardsize 20\nboardsize 19\n",
        "? unacceptable size: the engine takes boards up to 19×19

         =",
    );
}

#[test]
fn moves_are_played_and_analyses_have_every_field() {
    let text = answers(
        "boardsize 5\ngenmove b\nkata-genmove_analyze w 1 rootInfo true ownership true \
         ownershipStdev true movesOwnership true pvVisits true pvEdgeVisits true\nshowboard\n",
    );
    assert!(text.contains("play "), "{text}");
    assert_eq!(text.matches('?').count(), 0, "{text}");
    assert!(text.contains("move 3, Black to play"), "{text}");
    let root = text.split("rootInfo ").nth(1).expect("it was asked for");
    for name in [
        "weight",
        "rawStWrError",
        "rawStScoreError",
        "rawVarTimeLeft",
    ] {
        let value = root.split_whitespace().skip_while(|it| *it != name).nth(1);
        let number = value.and_then(|it| it.parse::<f64>().ok());
        assert!(number.is_some_and(f64::is_finite), "{name}: {root}");
    }
}

/// The search ends long before a report is due.
#[test]
fn a_move_with_analysis_is_told_of_at_least_once() {
    for commands in [
        "boardsize 5\nlz-genmove_analyze b 6000\n",
        "boardsize 5\nkata-genmove_analyze b 6000\n",
        "boardsize 5\nshido-set partner natural\nlz-genmove_analyze b 6000\n",
        "boardsize 5\nshido-set partner natural\nkata-genmove_analyze b 6000\n",
    ] {
        let text = answers(commands);
        assert!(text.contains("info move"), "{text}");
        assert!(text.contains("\nplay "), "{text}");
    }
}

#[test]
fn without_a_symmetry_or_with_a_wrong_one_it_says_so() {
    check(
        "kata-raw-nn\nkata-raw-nn 8\nkata-raw-nn 0 2\n",
        "? syntax error: a symmetry is missing

         ? syntax error: `8` is not a symmetry: 0 to 7 or all

         ? syntax error: `2` is not an optimism from 0 to 1",
    );
}

#[test]
fn the_human_network_is_asked_for_a_profile() {
    let text = answers(
        "kata-get-param humanSLProfile\n\
         kata-raw-human-nn 0\n\
         kata-set-param humanSLProfile 8k\n\
         kata-set-param humanSLProfile rank_12k_2d\n\
         kata-get-param humanSLProfile\n\
         kata-set-param humanSLProfile\n\
         kata-get-param humanSLProfile\n",
    );
    let found: Vec<_> = text.split("\n\n").map(str::trim).collect();
    let expect = [
        "=",
        "? whom to imitate is not known: kata-set-param humanSLProfile rank_5k",
        "? unknown profile `8k`: use rank_5k, preaz_5k, rank_5k_3d or proyear_1950, for example",
        "=",
        "= rank_12k_2d",
        "=",
        "=",
        "",
    ];
    assert_eq!(found, expect);
    let [weak, strong] = [
        answers("kata-set-param humanSLProfile rank_20k\nkata-raw-human-nn 0\n"),
        answers("kata-set-param humanSLProfile rank_9d\nkata-raw-human-nn 0\n"),
    ];
    assert_ne!(weak, strong);
    let expect = "=

        = symmetry 0
        whiteWin #
        whiteLoss #
        noResult #
        whiteScore #
        whiteScoreSq #
        shorttermWinlossError #
        shorttermScoreError #
        policy
        # # #
        # # #
        policyPass #
        whiteOwnership
        # # #
        # # #";
    let expect: Vec<_> = expect.lines().map(str::trim).collect();
    assert_eq!(masked(&weak).trim(), expect.join("\n"));
}
