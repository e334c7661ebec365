//! The analysis protocol with the neural search on a tiny random network.

mod analysis;

use std::sync::Arc;

use analysis::Served;
use serde_json::{Value, json};
use shido_engine::json::{NativeSource, ServerSettings};
use shido_engine::{NativeSettings, Network};
use shido_net::{CpuChoice, CpuPath, tiny};
use shido_search::puct::PuctSettings;

fn start() -> Served {
    let model = tiny::Plan::new(14).build();
    let network = Network::new(model, CpuChoice::Only(CpuPath::Plain)).unwrap();
    let settings = NativeSettings {
        puct: PuctSettings::analysis(),
        ..NativeSettings::default()
    };
    let source = NativeSource::new(Arc::new(network), settings, 1 << 20);
    Served::start(ServerSettings::default(), source)
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
            "overrideSettings": {
                "reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 8.0,
            },
        }),
    ));
    let answers = served.finish();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let answer = &answers[0];
    assert_eq!(answer["rootInfo"]["visits"], 30);
    assert_eq!(length(&answer["ownership"]), Some(25));
    assert_eq!(length(&answer["policy"]), Some(26));
    assert_eq!(answer["policy"][12], -1.0, "there is a stone");
    for info in answer["moveInfos"].as_array().unwrap() {
        assert_eq!(length(&info["ownership"]), Some(25), "{info}");
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
