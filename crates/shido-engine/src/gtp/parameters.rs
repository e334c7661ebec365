//! Settings by KataGo's names: listed, asked for and changed between searches.
//!
//! How long a move may take, and whom the human network imitates, is the session's; the
//! rest is the analyst's.

use std::time::Duration;

use serde_json::{Map, Value};

use super::args::Args;
use super::session::Session;
use super::table::Answer;
use crate::human::{PROFILE, read_profile};

/// The word for no limit.
const NO_LIMIT: &str = "unlimited";

/// The session's own settings.
const OWN: [&str; 4] = [PROFILE, "maxPlayouts", "maxTime", "maxVisits"];

/// Names every setting in one line.
pub(super) fn kata_list_params(session: &mut Session, _: &Args<'_>) -> Answer {
    Ok(names(session).join(" "))
}

/// Tells one setting.
pub(super) fn kata_get_param(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0, "a parameter")?;
    value(session, name).ok_or_else(|| format!("invalid parameter: {name}"))
}

/// Tells every setting as JSON.
pub(super) fn kata_get_params(session: &mut Session, _: &Args<'_>) -> Answer {
    let mut all = Map::new();
    for name in names(session) {
        let value = value(session, name).unwrap_or_default();
        all.insert(name.to_owned(), Value::String(value));
    }
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
    set(session, name, value)?;
    Ok(String::new())
}

/// Changes the settings that a JSON object names.
pub(super) fn kata_set_params(session: &mut Session, args: &Args<'_>) -> Answer {
    let object: Map<String, Value> = serde_json::from_str(args.text)
        .map_err(|error| format!("syntax error: not a JSON object: {error}"))?;
    for (name, value) in object {
        let text = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        set(session, &name, &text)?;
    }
    Ok(String::new())
}

fn names(session: &Session) -> Vec<&'static str> {
    let mut names = session.analyst.parameters();
    names.extend(OWN);
    names.sort_unstable();
    names
}

fn value(session: &Session, name: &str) -> Option<String> {
    let settings = &session.settings;
    let limit = |value: Option<u64>| value.map_or(NO_LIMIT.to_owned(), |it| it.to_string());
    match name {
        "maxPlayouts" => Some(limit(settings.playouts)),
        "maxVisits" => Some(limit(settings.visits)),
        "maxTime" => Some(match settings.time {
            Some(time) => time.as_secs_f64().to_string(),
            None => NO_LIMIT.to_owned(),
        }),
        PROFILE => Some(session.profile.map_or(String::new(), |it| it.to_string())),
        _ => session.analyst.parameter(name),
    }
}

fn set(session: &mut Session, name: &str, value: &str) -> Result<(), String> {
    let bad = || format!("{name}: `{value}` is not a number above 0");
    let count = || match value {
        NO_LIMIT => Ok(None),
        _ => value
            .parse()
            .ok()
            .filter(|&it: &u64| it > 0)
            .map(Some)
            .ok_or_else(bad),
    };
    match name {
        "maxPlayouts" => session.settings.playouts = count()?,
        "maxVisits" => session.settings.visits = count()?,
        "maxTime" if value == NO_LIMIT => session.settings.time = None,
        "maxTime" => session.settings.time = Some(time(value).ok_or_else(bad)?),
        PROFILE => session.profile = read_profile(value).map_err(|error| error.to_string())?,
        _ => session.analyst.set_parameter(name, value)?,
    }
    Ok(())
}

/// Reads a time in seconds.
fn time(value: &str) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(value.parse().ok()?).ok()?;
    (!time.is_zero()).then_some(time)
}
