//! A spec as it is written: every key that TOML may hold, before any meaning.
//!
//! Keys of all kinds of players stand side by side here, so that serde keeps
//! their places; [`super::check`] says which of them go together.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSpec {
    pub(super) name: String,
    #[serde(default)]
    pub(super) title: Option<String>,
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) game: RawGame,
    #[serde(default)]
    pub(super) opening: Option<RawOpening>,
    #[serde(default)]
    pub(super) referee: Option<RawReferee>,
    pub(super) players: BTreeMap<String, RawPlayer>,
    #[serde(default)]
    pub(super) round_robin: Option<RawRoundRobin>,
    #[serde(default)]
    pub(super) pairings: Vec<RawPairing>,
    #[serde(default)]
    pub(super) failures: RawFailures,
    #[serde(default)]
    pub(super) review: Option<RawReview>,
    #[serde(default)]
    pub(super) report: RawReport,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum RawBoard {
    Side(i64),
    Text(String),
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct RawGame {
    pub(super) board: Option<RawBoard>,
    pub(super) rules: Option<String>,
    pub(super) komi: Option<f32>,
    pub(super) move_limit: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOpening {
    pub(super) kind: String,
    pub(super) moves: Option<i64>,
    pub(super) files: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawReferee {
    pub(super) kind: String,
    pub(super) command: Option<String>,
    pub(super) timeout_s: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPlayer {
    pub(super) kind: String,
    // classic and native
    pub(super) threads: Option<i64>,
    pub(super) memory_mib: Option<i64>,
    pub(super) resign_below: Option<f64>,
    // classic
    pub(super) playouts: Option<i64>,
    pub(super) gammas: Option<String>,
    pub(super) priors: Option<String>,
    // native and partner
    pub(super) net: Option<String>,
    // native
    pub(super) visits: Option<i64>,
    // partner
    pub(super) partner: Option<String>,
    pub(super) level: Option<String>,
    pub(super) human_net: Option<String>,
    pub(super) student: Option<String>,
    pub(super) settings: Option<BTreeMap<String, toml::Value>>,
    // gtp
    pub(super) command: Option<String>,
    pub(super) before_game: Option<Vec<String>>,
    pub(super) start_timeout_s: Option<f64>,
    pub(super) move_timeout_s: Option<f64>,
    // sgf
    pub(super) files: Option<Vec<String>>,
    pub(super) games: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRoundRobin {
    pub(super) players: Option<Vec<String>>,
    pub(super) games: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPairing {
    pub(super) players: Vec<String>,
    pub(super) games: i64,
    #[serde(default)]
    pub(super) keep_colors: bool,
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFailures {
    pub(super) replays: Option<i64>,
    pub(super) then: Option<String>,
    pub(super) halt_after: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawReview {
    pub(super) analyst: String,
    pub(super) human_net: Option<String>,
    pub(super) rank: Option<String>,
    pub(super) second_human_net: Option<String>,
    pub(super) second_rank: Option<String>,
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct RawReport {
    #[serde(default)]
    pub(super) measures: Vec<String>,
    #[serde(default)]
    pub(super) tables: Vec<RawTable>,
    #[serde(default)]
    pub(super) fits: Vec<RawFit>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFit {
    pub(super) title: String,
    pub(super) setting: String,
    pub(super) players: Vec<String>,
    pub(super) opponent: String,
    pub(super) target: Option<f64>,
    pub(super) level: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTable {
    pub(super) title: String,
    pub(super) source: String,
    pub(super) opponent: String,
    pub(super) rows: Vec<String>,
    pub(super) columns: Vec<String>,
    #[serde(default)]
    pub(super) paper: BTreeMap<String, BTreeMap<String, f64>>,
    #[serde(default)]
    pub(super) figures: Option<String>,
}
