//! Any line is read as an analysis query without a panic; of one that is understood
//! every position asked about can be made.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use shido_engine::json::{Query, QuerySettings};

fuzz_target!(|line: &str| {
    let Ok(Value::Object(object)) = serde_json::from_str(line) else {
        return;
    };
    let settings = QuerySettings::default();
    let Ok(understood) = Query::read("id", &object, &settings, 19) else {
        return;
    };
    let query = understood.query;
    for turn in &query.turns {
        let position = query
            .position(turn.number)
            .expect("it was checked when read");
        assert!(!position.is_over());
    }
});
