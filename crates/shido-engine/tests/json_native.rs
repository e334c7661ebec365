//! The analysis protocol with the neural search on a tiny random network.

mod analysis;

use std::sync::Arc;

use analysis::Served;
use serde_json::{Value, json};
use shido_engine::json::{NativeSource, People, ServerSettings};
use shido_engine::native::{EvaluationCache, Native};
use shido_engine::{Analyst, NativeSettings, Network};
use shido_net::{CpuChoice, CpuPath, tiny};
use shido_search::puct::{Hooks, PuctSettings};

fn tiny(plan: &tiny::Plan) -> Arc<Network> {
    let network = Network::new(plan.build(), CpuChoice::Only(CpuPath::Plain));
    Arc::new(network.unwrap())
}

fn start() -> Served {
    start_with(None, &[])
}

/// A server with a human network beside its own, and settings as a configuration has them.
fn start_with(people: Option<People>, config: &[(&str, &str)]) -> Served {
    let settings = NativeSettings {
        puct: PuctSettings::analysis(),
        ..NativeSettings::default()
    };
    let source = NativeSource::new(tiny(&tiny::Plan::new(14)), settings, 1 << 20);
    let mut server = ServerSettings::default();
    for (name, value) in config {
        server.query.set(name, value).unwrap();
    }
    Served::start(server, source.with_people(people))
}

/// A network that knows ranks.
fn people() -> People {
    let plan = tiny::Plan {
        meta: true,
        ..tiny::Plan::new(17)
    };
    People::of_network(tiny(&plan))
}

fn query(id: &str, rest: &Value) -> String {
    let mut query = json!({
        "id": id, "moves": [["B", "C3"]], "rules": "japanese", "komi": 6.5, "boardXSize": 5,
        "boardYSize": 5, "maxVisits": 30,
    });
    for (name, value) in rest.as_object().unwrap() {
        query[name] = value.clone();
    }
    query.to_string()
}

fn length(value: &Value) -> Option<usize> {
    value.as_array().map(Vec::len)
}

#[test]
fn katrain_gets_all_it_asks_for_and_no_warning() {
    let mut served = start();
    served.send(&query(
        "QUERY:1",
        &json!({
            "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true,
            "includeNoResultValue": true,
            "overrideSettings": {
                "reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 8.0,
            },
        }),
    ));
    let answers = served.finish();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let answer = &answers[0];
    assert_eq!(answer["rootInfo"]["visits"], 30);
    // A center stone leaves a symmetric board, on which most moves were not searched.
    let weight = |it: &Value| it["weight"].as_f64().unwrap();
    let infos = answer["moveInfos"].as_array().unwrap();
    let searched = infos.iter().filter(|it| it.get("isSymmetryOf").is_none());
    let below: f64 = searched.map(weight).sum();
    let root = weight(&answer["rootInfo"]);
    // The root's own evaluation weighs what its network is sure of; some of what the
    // moves got may not count.
    assert!((0.9 * below..below + 2.0).contains(&root), "{root} {below}");
    for pair in infos.windows(2) {
        let value = |it: &Value| it["playSelectionValue"].as_f64().unwrap();
        assert!(value(&pair[0]) >= value(&pair[1]), "{pair:?}");
    }
    assert_eq!(length(&answer["ownership"]), Some(25));
    assert_eq!(length(&answer["policy"]), Some(26));
    assert_eq!(answer["policy"][12], -1.0, "there is a stone");
    for info in answer["moveInfos"].as_array().unwrap() {
        assert_eq!(length(&info["ownership"]), Some(25), "{info}");
        let chance = info["noResultValue"].as_f64();
        assert!(chance.is_some_and(|it| (0.0..=1.0).contains(&it)), "{info}");
    }
    for name in ["rawWinrate", "rawLead", "rawStWrError", "rawVarTimeLeft"] {
        assert!(answer["rootInfo"][name].is_number(), "{name}");
    }
}

#[test]
fn one_visit_is_the_networks_own_word_and_the_same_each_time() {
    let mut served = start();
    let rest = json!({"maxVisits": 1, "includePolicy": true});
    served.send(&query("a", &rest));
    served.send(&query("between", &json!({"maxVisits": 50})));
    served.send(&query("a", &rest));
    let answers = served.finish();
    assert_eq!(answers[0], answers[2]);
    let root = &answers[0]["rootInfo"];
    assert_eq!(root["visits"], 1);
    let (one, raw) = (root["winrate"].as_f64(), root["rawWinrate"].as_f64());
    assert!((one.unwrap() - raw.unwrap()).abs() < 1e-6, "{root}");
}

/// What was evaluated for one query serves the next, and its answer is the same.
#[test]
fn evaluations_are_kept_between_queries() {
    let settings = NativeSettings {
        puct: PuctSettings::analysis(),
        ..NativeSettings::default()
    };
    let network = tiny(&tiny::Plan::new(14));
    let cache = Arc::new(EvaluationCache::new(1 << 20));
    let shared = cache.clone();
    let make = move || -> Result<Box<dyn Analyst>, String> {
        let hooks = Hooks::default();
        let native = Native::with(network.clone(), settings.clone(), shared.clone(), hooks);
        Ok(Box::new(native.map_err(|error| error.to_string())?))
    };
    let mut served = Served::start(ServerSettings::default(), make);
    let rest = json!({"maxVisits": 60, "includeOwnership": true, "boardXSize": 9, "boardYSize": 9});
    served.send(&query("a", &rest));
    let first = served.next();
    let (asked, known) = cache.asked_and_known();
    served.send(&query("a", &rest));
    assert_eq!(served.next(), first);
    let (asked_again, known_again) = cache.asked_and_known();
    assert_eq!(asked_again - asked, known_again - known, "all are known");
    assert!(asked_again > asked);
}

/// Noise has a switch and two numbers, which do not touch each other.
#[test]
fn noise_is_there_only_when_it_is_switched_on() {
    let mut served = start();
    let mut prior = |settings: Value| {
        served.send(&query("a", &json!({"overrideSettings": settings})));
        let answer = served.next();
        let infos = answer["moveInfos"].as_array().unwrap().clone();
        let mut priors: Vec<_> = infos.iter().map(|it| it["prior"].to_string()).collect();
        priors.sort();
        priors
    };
    let plain = prior(json!({}));
    assert_eq!(
        prior(json!({"rootDirichletNoiseTotalConcentration": 5.0})),
        plain
    );
    let none = json!({"rootNoiseEnabled": true, "rootDirichletNoiseWeight": 0.0});
    assert_eq!(prior(none), plain);
    assert_ne!(prior(json!({"rootNoiseEnabled": true})), plain);
}

#[test]
fn moves_are_avoided_and_allowed_in_the_search_itself() {
    let mut served = start();
    let allow = json!([{"player": "W", "moves": ["B2", "D4"], "untilDepth": 1}]);
    served.send(&query("allow", &json!({"allowMoves": allow})));
    let answer = served.next();
    let infos = answer["moveInfos"].as_array().unwrap();
    let visits: u64 = infos.iter().map(|it| it["visits"].as_u64().unwrap()).sum();
    assert_eq!(visits, 29, "all but the root's own visit went to them");
    assert!(
        infos
            .iter()
            .all(|it| it["move"] == "B2" || it["move"] == "D4")
    );
}

#[test]
fn settings_are_followed_refused_or_named() {
    let mut served = start();
    let settings = json!({"cpuctExploration": 2, "humanSLProfile": "rank_5k"});
    served.send(&query("named", &json!({"overrideSettings": settings})));
    let warning = served.next();
    assert_eq!(
        warning["warning"],
        "This engine does not follow: humanSLProfile"
    );
    assert_eq!(served.next()["id"], "named");
    let settings = json!({"cpuctExploration": "much"});
    served.send(&query("bad", &json!({"overrideSettings": settings})));
    let error = served.next();
    assert_eq!(error["field"], "overrideSettings");
    assert!(
        error["error"]
            .as_str()
            .unwrap()
            .contains("cpuctExploration")
    );
    served.send(r#"{"id":"m","action":"query_models"}"#);
    let models = served.next();
    assert_eq!(models["models"][0]["version"], 14);
    assert_eq!(models["models"][0]["usingFP16"], "false");
    assert_eq!(served.soon(), None);
}

/// As KaTrain's partner for handicap games asks.
#[test]
fn an_advantage_is_seen_from_the_side_of_each_position() {
    let mut served = start();
    let mut ask = |settings: Value, moves: Value, visits: u64| {
        let settings = json!({
            "overrideSettings": settings, "moves": moves, "maxVisits": visits,
            "includePolicy": true,
        });
        served.send(&query("a", &settings));
        let answer = served.next();
        assert!(answer.get("warning").is_none(), "{answer}");
        answer
    };
    let of = |points: f64, player: &str| {
        json!({
            "playoutDoublingAdvantage": points, "playoutDoublingAdvantagePla": player,
            "ignorePreRootHistory": false,
        })
    };
    let (one, two) = (json!([["B", "C3"]]), json!([["B", "C3"], ["W", "B2"]]));
    let plain = json!({"ignorePreRootHistory": false});
    for (moves, mover) in [(&one, "WHITE"), (&two, "BLACK")] {
        let mut ask = |settings| ask(settings, moves.clone(), 30);
        let black = ask(of(2.5, "BLACK"));
        assert_ne!(black["policy"], ask(plain.clone())["policy"]);
        assert_eq!(black, ask(of(-2.5, "WHITE")));
        let whoever = json!({"playoutDoublingAdvantage": 2.5, "ignorePreRootHistory": false});
        assert_eq!(ask(of(2.5, mover)), ask(whoever));
        assert_ne!(ask(of(2.5, "BLACK")), ask(of(2.5, "WHITE")));
    }
    // The one move that two visits look at is evaluated as when it is the root.
    let tree = ask(of(2.5, "BLACK"), one, 2);
    let looked = &tree["moveInfos"][0];
    let child = json!([["B", "C3"], ["W", looked["move"]]]);
    let root = ask(of(2.5, "BLACK"), child, 1);
    let (below, above) = (
        looked["winrate"].as_f64(),
        root["rootInfo"]["rawWinrate"].as_f64(),
    );
    assert!(
        (below.unwrap() - above.unwrap()).abs() < 1e-5,
        "{looked} {root}"
    );
}

#[test]
fn an_advantage_that_networks_never_saw_is_refused() {
    let mut served = start();
    for (name, value) in [
        ("playoutDoublingAdvantage", json!(3.5)),
        ("playoutDoublingAdvantagePla", json!("GREEN")),
    ] {
        served.send(&query("bad", &json!({"overrideSettings": {name: value}})));
        let error = served.next();
        assert_eq!(error["field"], "overrideSettings");
        assert!(error["error"].as_str().unwrap().contains(name), "{error}");
    }
    served.send(&query(
        "mirror",
        &json!({"overrideSettings": {"antiMirror": true}}),
    ));
    assert_eq!(
        served.next()["warning"],
        "This engine does not follow: antiMirror"
    );
}

/// A main network that imitates people needs no human network beside it.
#[test]
fn a_main_network_that_imitates_people_follows_the_profile() {
    let plan = tiny::Plan {
        meta: true,
        ..tiny::Plan::new(17)
    };
    let source = NativeSource::new(tiny(&plan), NativeSettings::default(), 1 << 20);
    let mut served = Served::start(ServerSettings::default(), source);
    let mut ask = |profile: &str| {
        served.send(&human(profile, profile, &json!({"includePolicy": true})));
        let answer = served.next();
        check_silent(&answer);
        answer
    };
    let (weak, strong) = (ask("rank_20k"), ask("rank_9d"));
    assert_ne!(weak["policy"], strong["policy"]);
    assert_ne!(weak["rootInfo"]["winrate"], strong["rootInfo"]["winrate"]);
    assert_eq!(ask("rank_20k")["moveInfos"], weak["moveInfos"]);
    served.send(&human("bad", "rank_31k", &json!({})));
    assert_eq!(served.next()["field"], "overrideSettings");
}

/// Every field that the human network fills.
const HUMAN_FIELDS: [&str; 5] = [
    "humanScoreMean",
    "humanScoreStdev",
    "humanStScoreError",
    "humanStWrError",
    "humanWinrate",
];

fn human(id: &str, profile: &str, rest: &Value) -> String {
    let mut rest = rest.clone();
    rest["overrideSettings"]["humanSLProfile"] = json!(profile);
    query(id, &rest)
}

/// Whether no answer tells anything of people.
#[track_caller]
fn check_silent(answer: &Value) {
    assert!(answer.get("rootInfo").is_some(), "{answer}");
    assert!(!answer.to_string().contains("human"), "{answer}");
}

#[test]
fn a_profile_gets_what_people_would_do_and_others_do_not() {
    let mut served = start_with(Some(people()), &[]);
    served.send(&human("a", "rank_8k", &json!({"includePolicy": true})));
    let answer = served.next();
    assert_eq!(length(&answer["humanPolicy"]), Some(26));
    assert_eq!(answer["humanPolicy"][12], -1.0, "there is a stone");
    let policy = answer["humanPolicy"].as_array().unwrap();
    let sum: f64 = policy.iter().map(|it| it.as_f64().unwrap().max(0.0)).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    for name in HUMAN_FIELDS {
        assert!(answer["rootInfo"][name].is_number(), "{name}");
    }
    // B5 is the second of the top row.
    let infos = answer["moveInfos"].as_array().unwrap();
    let prior = |mv: &str| {
        let info = infos.iter().find(|it| it["move"] == mv);
        info.map(|it| it["humanPrior"].clone())
    };
    let known: Vec<_> = [("B5", 1), ("A4", 5), ("pass", 25)]
        .into_iter()
        .filter_map(|(mv, place)| Some((prior(mv)?, policy[place].clone())))
        .collect();
    assert!(!known.is_empty(), "{infos:?}");
    assert!(known.iter().all(|(prior, policy)| prior == policy));
    served.send(&human("b", "rank_8k", &json!({})));
    let brief = served.next();
    assert!(brief.get("humanPolicy").is_none(), "not asked for");
    assert_eq!(
        brief["rootInfo"]["humanWinrate"],
        answer["rootInfo"]["humanWinrate"]
    );
    served.send(&query("c", &json!({"includePolicy": true})));
    check_silent(&served.next());
    served.send(&human("d", "_", &json!({"includePolicy": true})));
    check_silent(&served.next());
    assert_eq!(served.soon(), None);
}

#[test]
fn ranks_matter_and_the_search_does_not_feel_them() {
    let mut served = start_with(Some(people()), &[]);
    let ids = ["rank_20k", "rank_9d", "rank_20k_9d", "rank_9d_20k"];
    for name in ids.iter().chain(&["rank_20k"]) {
        served.send(&human(name, name, &json!({"includePolicy": true})));
    }
    let answers: Vec<Value> = (0..5).map(|_| served.next()).collect();
    for (i, answer) in answers[..4].iter().enumerate() {
        for other in &answers[i + 1..4] {
            assert_ne!(answer["humanPolicy"], other["humanPolicy"]);
        }
        assert_eq!(answer["policy"], answers[0]["policy"]);
        assert_eq!(
            answer["rootInfo"]["winrate"],
            answers[0]["rootInfo"]["winrate"]
        );
    }
    assert_eq!(answers[4], answers[0], "equal queries get equal answers");
}

#[test]
fn human_values_are_seen_from_the_side_that_is_asked_for() {
    let mut served = start_with(Some(people()), &[]);
    let mut ask = |side: &str| {
        let settings = json!({"overrideSettings": {"reportAnalysisWinratesAs": side}});
        served.send(&human(side, "rank_8k", &settings));
        served.next()["rootInfo"].clone()
    };
    // White is to move.
    let [black, white, mover] = ["BLACK", "WHITE", "SIDETOMOVE"].map(&mut ask);
    let number = |root: &Value, name: &str| root[name].as_f64().unwrap();
    let sum = number(&black, "humanWinrate") + number(&white, "humanWinrate");
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
    let sum = number(&black, "humanScoreMean") + number(&white, "humanScoreMean");
    assert!(sum.abs() < 1e-6, "{sum}");
    for name in HUMAN_FIELDS {
        assert_eq!(mover[name], white[name], "{name}");
    }
    for name in ["humanScoreStdev", "humanStScoreError", "humanStWrError"] {
        assert_eq!(black[name], white[name], "{name}");
    }
}

#[test]
fn a_profile_may_stand_in_the_configuration() {
    let mut served = start_with(Some(people()), &[("humanSLProfile", "preaz_5k")]);
    served.send(&query("config", &json!({})));
    assert!(served.next()["rootInfo"]["humanWinrate"].is_number());
    served.send(&human("nobody", "", &json!({})));
    check_silent(&served.next());
}

#[test]
fn wrong_profiles_are_refused_and_other_human_settings_named() {
    let mut served = start_with(Some(people()), &[]);
    served.send(&human("bad", "rank_31k", &json!({})));
    let error = served.next();
    assert_eq!(error["field"], "overrideSettings");
    let text = error["error"].as_str().unwrap();
    assert!(text.starts_with("Could not set settings: "), "{text}");
    assert!(text.contains("`31k` is not a rank"), "{text}");
    let settings = json!({"overrideSettings": {"humanSLRootExploreProbWeightless": 0.5}});
    served.send(&human("more", "rank_8k", &settings));
    assert_eq!(
        served.next()["warning"],
        "This engine does not follow: humanSLRootExploreProbWeightless"
    );
    assert!(served.next()["rootInfo"]["humanWinrate"].is_number());
    served.send(r#"{"id":"m","action":"query_models"}"#);
    let models = served.next()["models"].clone();
    let knows = |i: usize| &models[i]["usesHumanSLProfile"];
    assert_eq!((knows(0), knows(1)), (&json!(false), &json!(true)));
}

#[test]
fn a_human_network_without_ranks_speaks_of_every_position() {
    let plain = People::of_network(tiny(&tiny::Plan::new(15)));
    let mut served = start_with(Some(plain), &[]);
    served.send(&query("a", &json!({"includePolicy": true})));
    served.send(&human("b", "rank_8k", &json!({"includePolicy": true})));
    let (without, with) = (served.next(), served.next());
    assert_eq!(length(&without["humanPolicy"]), Some(26));
    assert_eq!(without["humanPolicy"], with["humanPolicy"]);
}

#[test]
fn reports_during_a_search_tell_of_people_too() {
    let mut served = start_with(Some(people()), &[]);
    let rest = json!({
        "maxVisits": 100_000, "reportDuringSearchEvery": 0.01, "includePolicy": true,
        "overrideSettings": {"maxTime": 0.5},
    });
    served.send(&human("a", "rank_8k", &rest));
    let answers = served.finish();
    assert!(answers.len() > 1, "{}", answers.len());
    for answer in &answers {
        assert_eq!(answer["humanPolicy"], answers[0]["humanPolicy"]);
        assert!(answer["humanPolicy"].is_array());
    }
}
