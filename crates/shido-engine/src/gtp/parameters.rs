//! Settings by KataGo's names: listed, asked for and changed between searches.
//!
//! How long a move may take, and whom the human network imitates, is the session's, and so
//! are the two settings that an analysis may have others of than a move; the rest is the
//! analyst's. Several changes are made together or not at all.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};
use shido_net::Profile;

use super::args::Args;
use super::session::Session;
use super::table::Answer;
use crate::SearchOptions;
use crate::human::{PROFILE, read_profile};

/// A word for no limit.
const NO_LIMIT: &str = "unlimited";
/// KataGo's numbers for no limit.
const MOST_VISITS: u64 = 1 << 50;
const MOST_SECONDS: f64 = 1e20;

/// The session's own settings.
const OWN: [&str; 6] = [
    "antiMirror",
    "genmoveAntiMirror",
    PROFILE,
    "maxPlayouts",
    "maxTime",
    "maxVisits",
];

/// Settings of an analysis alone, and the analyst's name for each. Until one is set, an
/// analysis goes by what holds for moves.
const OF_ANALYSIS: [(&str, &str); 2] = [
    ("analysisIgnorePreRootHistory", "ignorePreRootHistory"),
    ("analysisWideRootNoise", "wideRootNoise"),
];

/// Names every setting in one line.
pub(super) fn kata_list_params(session: &mut Session, _: &Args<'_>) -> Answer {
    Ok(names(session).join(" "))
}

/// Tells one setting.
pub(super) fn kata_get_param(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0, "a parameter")?;
    match value(session, name) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Ok(other.to_string()),
        None => Err(format!("invalid parameter: {name}")),
    }
}

/// Tells every setting as JSON.
pub(super) fn kata_get_params(session: &mut Session, _: &Args<'_>) -> Answer {
    let told = |name: &str| (name.to_owned(), value(session, name).unwrap_or_default());
    let all: Map<String, Value> = names(session).into_iter().map(told).collect();
    Ok(Value::Object(all).to_string())
}

/// Changes one setting.
pub(super) fn kata_set_param(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0, "a parameter")?;
    let value = match args.words().get(1) {
        // KataGo's clients name nobody by nothing at all.
        None if name == PROFILE => "",
        _ => args.word(1, "a value")?,
    };
    set_all(session, &[(name.to_owned(), value.to_owned())])
}

/// Changes the settings that a JSON object names.
pub(super) fn kata_set_params(session: &mut Session, args: &Args<'_>) -> Answer {
    let object: Map<String, Value> = serde_json::from_str(args.text)
        .map_err(|error| format!("syntax error: not a JSON object: {error}"))?;
    let text = |value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let pairs = object.into_iter().map(|(name, value)| (name, text(value)));
    set_all(session, &pairs.collect::<Vec<_>>())
}

fn names(session: &Session) -> Vec<&'static str> {
    let mut names = session.analyst.parameters();
    let known = |name: &str| names.contains(&name);
    let of_analysis = OF_ANALYSIS.into_iter().filter(|it| known(it.1));
    let of_analysis: Vec<_> = of_analysis.map(|it| it.0).collect();
    names.extend(of_analysis);
    names.extend(OWN);
    names.sort_unstable();
    // A network that imitates people has a profile too.
    names.dedup();
    names
}

fn value(session: &Session, name: &str) -> Option<Value> {
    let settings = &session.settings;
    Some(match name {
        "antiMirror" | "genmoveAntiMirror" => json!(false),
        "maxPlayouts" => json!(settings.playouts.unwrap_or(MOST_VISITS)),
        "maxVisits" => json!(settings.visits.unwrap_or(MOST_VISITS)),
        "maxTime" => json!(settings.time.map_or(MOST_SECONDS, |it| it.as_secs_f64())),
        PROFILE => json!(session.profile.map_or(String::new(), |it| it.to_string())),
        _ => {
            let own = OF_ANALYSIS.iter().find(|it| it.0 == name).map(|it| it.1);
            let set = own.and_then(|own| session.analysis_settings.get(own).cloned());
            plain(set.or_else(|| session.analyst.parameter(own.unwrap_or(name)))?)
        }
    })
}

/// Returns a number or a truth as what it is; all else is text.
fn plain(text: String) -> Value {
    let read = serde_json::from_str(&text).ok();
    let read = read.filter(|it: &Value| it.is_number() || it.is_boolean());
    read.unwrap_or(Value::String(text))
}

/// A change that can be made.
enum Change {
    Playouts(Option<u64>),
    Visits(Option<u64>),
    Time(Option<Duration>),
    Profile(Option<Profile>),
    /// It is so already.
    Nothing,
    /// An analysis alone has another value of the analyst's setting.
    Analysis(&'static str),
    /// The analyst's own.
    Analyst,
}

/// Changes settings, or none of them and says why.
fn set_all(session: &mut Session, pairs: &[(String, String)]) -> Answer {
    let read = |(name, value): &(String, String)| Change::read(session, name, value);
    let changes: Vec<Change> = pairs.iter().map(read).collect::<Result<_, _>>()?;
    let (mut of_moves, mut of_analysis) = (BTreeMap::new(), BTreeMap::new());
    for (change, (name, value)) in changes.iter().zip(pairs) {
        match *change {
            Change::Analyst => of_moves.insert(name.clone(), value.clone()),
            Change::Analysis(own) => of_analysis.insert(own.to_owned(), value.clone()),
            _ => None,
        };
    }
    check(session, of_moves)?;
    check(session, of_analysis)?;
    for (change, (name, value)) in changes.iter().zip(pairs) {
        change.make(session, name, value)?;
    }
    Ok(String::new())
}

/// Says which of the analyst's settings cannot be had, if one cannot.
fn check(session: &Session, settings: BTreeMap<String, String>) -> Result<(), String> {
    let options = SearchOptions {
        settings,
        ..SearchOptions::default()
    };
    session.analyst.check_options(&options).map(|_| ())
}

impl Change {
    fn read(session: &Session, name: &str, value: &str) -> Result<Change, String> {
        Ok(match name {
            "maxPlayouts" => Change::Playouts(count(name, value)?),
            "maxVisits" => Change::Visits(count(name, value)?),
            "maxTime" => Change::Time(time(name, value)?),
            PROFILE => Change::Profile(read_profile(value).map_err(|error| error.to_string())?),
            "antiMirror" | "genmoveAntiMirror" => match value.to_ascii_lowercase().as_str() {
                "false" | "0" | "no" => Change::Nothing,
                _ => return Err(format!("{name}: only false is supported")),
            },
            _ => {
                let own = OF_ANALYSIS.iter().find(|it| it.0 == name).map(|it| it.1);
                if !session.analyst.parameters().contains(&own.unwrap_or(name)) {
                    return Err(format!("there is no parameter `{name}`"));
                }
                own.map_or(Change::Analyst, Change::Analysis)
            }
        })
    }

    fn make(&self, session: &mut Session, name: &str, value: &str) -> Result<(), String> {
        match *self {
            Change::Playouts(limit) => session.settings.playouts = limit,
            Change::Visits(limit) => session.settings.visits = limit,
            Change::Time(limit) => session.settings.time = limit,
            Change::Nothing => {}
            Change::Analysis(own) => {
                let settings = &mut session.analysis_settings;
                settings.insert(own.to_owned(), value.to_owned());
            }
            Change::Analyst => session.analyst.set_parameter(name, value)?,
            Change::Profile(profile) => {
                session.profile = profile;
                if session.analyst.parameters().contains(&PROFILE) {
                    session.analyst.set_parameter(name, value)?;
                }
            }
        }
        Ok(())
    }
}

/// Reads a number of visits or playouts, none if there is no limit.
fn count(name: &str, value: &str) -> Result<Option<u64>, String> {
    match value.parse() {
        _ if value == NO_LIMIT => Ok(None),
        Ok(MOST_VISITS..) => Ok(None),
        Ok(count @ 1..) => Ok(Some(count)),
        _ => Err(format!("{name}: `{value}` is not a whole number above 0")),
    }
}

/// Reads a time in seconds, none if there is no limit.
fn time(name: &str, value: &str) -> Result<Option<Duration>, String> {
    let seconds = match value {
        NO_LIMIT => MOST_SECONDS,
        _ => value.parse().unwrap_or(0.0),
    };
    if seconds >= MOST_SECONDS {
        return Ok(None);
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(Some(time)),
        // Longer than any duration.
        Err(_) if seconds > 0.0 => Ok(None),
        _ => Err(format!("{name}: `{value}` is not a number above 0")),
    }
}
