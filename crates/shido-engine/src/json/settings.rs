//! What a server or one query can be told by the names of KataGo's configuration.
//!
//! The server itself follows the names listed here; every other name is handed on
//! to the engine, which says whether it follows it.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use shido_go::Color;

/// Whose side the numbers of a response are seen from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Perspective {
    /// Always Black's, as in KataGo's example configuration.
    #[default]
    Black,
    /// Always White's.
    White,
    /// The side of the player to move.
    SideToMove,
}

impl Perspective {
    /// Returns the color that sees, `mover` being the player to move.
    pub fn color(self, mover: Color) -> Color {
        match self {
            Perspective::Black => Color::Black,
            Perspective::White => Color::White,
            Perspective::SideToMove => mover,
        }
    }
}

impl FromStr for Perspective {
    type Err = String;

    fn from_str(text: &str) -> Result<Perspective, String> {
        match text.to_ascii_uppercase().as_str() {
            "BLACK" | "B" => Ok(Perspective::Black),
            "WHITE" | "W" => Ok(Perspective::White),
            "SIDETOMOVE" | "SIDE_TO_MOVE" => Ok(Perspective::SideToMove),
            _ => Err(format!("`{text}` is not BLACK, WHITE or SIDETOMOVE")),
        }
    }
}

/// What holds for a query unless it says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct QuerySettings {
    /// `reportAnalysisWinratesAs`.
    pub perspective: Perspective,
    /// `maxVisits`.
    pub max_visits: Option<u64>,
    /// `maxPlayouts`.
    pub max_playouts: Option<u64>,
    /// `maxTime`, in seconds.
    pub max_time: Option<Duration>,
    /// `analysisPVLen`: moves of a continuation after its first.
    pub line_length: usize,
    /// `assumeMultipleStartingBlackMovesAreHandicap`.
    pub black_moves_are_handicap: bool,
    /// `warnUnusedFields`.
    pub warn_unused: bool,
    /// `rootPolicyTemperature`.
    pub root_policy_temperature: Option<f32>,
    /// `rootFpuReductionMax`.
    pub root_fpu_reduction_max: Option<f32>,
    /// Every other setting, for the engine.
    pub engine: BTreeMap<String, String>,
}

impl QuerySettings {
    /// The visits of a search that nobody limits, as in KataGo's example configuration.
    pub const MAX_VISITS: u64 = 500;
    /// The usual `analysisPVLen`.
    pub const LINE_LENGTH: usize = 15;

    /// Takes a setting by KataGo's name, or says what is wrong with its value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "reportAnalysisWinratesAs" => self.perspective = value.parse()?,
            "maxVisits" => self.max_visits = Some(whole(name, value)?),
            "maxPlayouts" => self.max_playouts = Some(whole(name, value)?),
            "maxTime" => self.max_time = Some(seconds(value)?),
            "analysisPVLen" => self.line_length = whole(name, value)?.min(1000) as usize,
            "assumeMultipleStartingBlackMovesAreHandicap" => {
                self.black_moves_are_handicap = truth(name, value)?;
            }
            "warnUnusedFields" => self.warn_unused = truth(name, value)?,
            "rootPolicyTemperature" => {
                self.root_policy_temperature = Some(between(name, value, 0.01, 100.0)?);
            }
            "rootFpuReductionMax" => {
                self.root_fpu_reduction_max = Some(between(name, value, 0.0, 2.0)?);
            }
            _ => {
                self.engine.insert(name.to_owned(), value.to_owned());
            }
        }
        Ok(())
    }
}

impl Default for QuerySettings {
    fn default() -> QuerySettings {
        QuerySettings {
            perspective: Perspective::default(),
            max_visits: Some(QuerySettings::MAX_VISITS),
            max_playouts: None,
            max_time: None,
            line_length: QuerySettings::LINE_LENGTH,
            black_moves_are_handicap: true,
            warn_unused: true,
            root_policy_temperature: None,
            root_fpu_reduction_max: None,
            engine: BTreeMap::new(),
        }
    }
}

fn whole(name: &str, value: &str) -> Result<u64, String> {
    let number = value.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("{name} must be an integer above 0, is `{value}`"))
}

fn between(name: &str, value: &str, low: f32, high: f32) -> Result<f32, String> {
    let number = value.parse().ok();
    let number = number.filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("{name} must be from {low} to {high}, is `{value}`"))
}

fn truth(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "y" => Ok(true),
        "false" | "0" | "no" | "n" => Ok(false),
        _ => Err(format!("{name} must be true or false, is `{value}`")),
    }
}

fn seconds(value: &str) -> Result<Duration, String> {
    let number: Option<f64> = value.parse().ok();
    match number {
        // KataGo says "never" by an enormous number.
        Some(number) if number > 1e-9 => Ok(Duration::from_secs_f64(number.min(1e9))),
        _ => Err(format!("maxTime must be seconds above 0, is `{value}`")),
    }
}

/// What a server is allowed and how it presents itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSettings {
    /// What it answers to `query_version`.
    pub version: String,
    /// Positions searched at the same time.
    pub workers: usize,
    /// What holds for a query unless it says otherwise.
    pub query: QuerySettings,
    /// The longest side of a board.
    pub max_side: usize,
    /// Positions that may wait; further ones are refused.
    pub max_waiting: usize,
    /// Bytes a query may have.
    pub max_bytes: usize,
    /// Where the random numbers of every search start.
    pub seed: u64,
    /// On the end of the input, drop what waits instead of finishing it.
    pub quit_without_waiting: bool,
}

impl ServerSettings {
    /// The KataGo whose protocol this is; clients compare the numbers, people see the rest.
    pub const VERSION: &str = concat!("1.17.2+shido.", env!("CARGO_PKG_VERSION"));
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        ServerSettings {
            version: ServerSettings::VERSION.to_owned(),
            workers: 1,
            query: QuerySettings::default(),
            max_side: 19,
            max_waiting: 20_000,
            max_bytes: 4 << 20,
            seed: 0,
            quit_without_waiting: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_taken_refused_or_left_to_the_engine() {
        let mut settings = QuerySettings::default();
        settings
            .set("reportAnalysisWinratesAs", "sidetomove")
            .unwrap();
        settings.set("maxTime", "1e30").unwrap();
        settings.set("wideRootNoise", "0.04").unwrap();
        assert_eq!(settings.perspective, Perspective::SideToMove);
        assert_eq!(settings.engine["wideRootNoise"], "0.04");
        for (name, value) in [
            ("maxVisits", "0"),
            ("maxTime", "-1"),
            ("maxTime", "NaN"),
            ("rootPolicyTemperature", "0"),
            ("warnUnusedFields", "perhaps"),
            ("reportAnalysisWinratesAs", "GREEN"),
        ] {
            assert!(settings.set(name, value).is_err(), "{name} {value}");
        }
    }
}
