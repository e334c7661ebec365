//! Commands about the clock.

use std::time::Duration;

use super::args::Args;
use super::session::Session;
use super::table::Answer;
use crate::time::{Clock, TimeControl};

pub(super) fn time_settings(session: &mut Session, args: &Args<'_>) -> Answer {
    let main = args.seconds(0, "the main time")?;
    let period = args.seconds(1, "the overtime")?;
    let stones = args.parse(2, "a number of stones")?;
    set(session, TimeControl::from_gtp(main, period, stones))
}

/// `KIND ...` as KGS and KataGo write it; Fischer's clocks are KataGo's alone.
pub(super) fn named_time_settings(session: &mut Session, args: &Args<'_>) -> Answer {
    let kind = args.word(0, "the kind of time control")?;
    let main = || args.seconds(1, "the main time");
    let period = || args.seconds(2, "the overtime");
    let count = |what| {
        let count: u32 = args.parse(3, what)?;
        let none = || format!("syntax error: 0 is not {what}");
        (count > 0).then_some(count).ok_or_else(none)
    };
    let control = match kind {
        "none" => TimeControl::Unlimited,
        "absolute" => TimeControl::Absolute { main: main()? },
        "byoyomi" => TimeControl::ByoYomi {
            main: main()?,
            period: period()?,
            periods: count("a number of periods")?,
        },
        "canadian" => TimeControl::Canadian {
            main: main()?,
            period: period()?,
            stones: count("a number of stones")?,
        },
        "fischer" => TimeControl::Fischer {
            main: main()?,
            increment: args.seconds(2, "the increment")?,
            cap: None,
            longest: None,
        },
        "fischer-capped" => TimeControl::Fischer {
            main: main()?,
            increment: args.seconds(2, "the increment")?,
            cap: limit(args, 3, "the most time on the clock")?,
            longest: limit(args, 4, "the most time for a move")?,
        },
        _ => return Err(format!("unknown time control `{kind}`")),
    };
    set(session, control)
}

pub(super) fn list_time_settings(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok("none absolute byoyomi canadian fischer fischer-capped".to_owned())
}

/// Reads a time that is none if it is negative.
fn limit(args: &Args<'_>, at: usize, what: &str) -> Result<Option<Duration>, String> {
    let seconds: f64 = args.parse(at, what)?;
    if seconds < 0.0 {
        return Ok(None);
    }
    args.seconds(at, what).map(Some)
}

fn set(session: &mut Session, control: TimeControl) -> Answer {
    session.clocks = [Clock::new(control); 2];
    Ok(String::new())
}

pub(super) fn time_left(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let time = args.seconds(1, "a time")?;
    let stones = args.parse(2, "a number of stones")?;
    session.clocks[color.index()].set_left(time, stones);
    Ok(String::new())
}
