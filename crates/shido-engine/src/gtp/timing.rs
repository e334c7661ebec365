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

/// `KIND ...` as KGS and KataGo write it.
pub(super) fn named_time_settings(session: &mut Session, args: &Args<'_>) -> Answer {
    let control = read(args)?;
    set(session, control)
}

/// Reads a kind and its numbers, none of a kind of overtime as KataGo does; Fischer's clocks
/// are KataGo's alone.
fn read(args: &Args<'_>) -> Result<TimeControl, String> {
    let kind = args.word(0, "the kind of time control")?;
    let main = || args.agreed_seconds(1, "the main time");
    let period = || args.agreed_seconds(2, "the overtime");
    Ok(match kind.to_ascii_lowercase().as_str() {
        "none" => TimeControl::Unlimited,
        "absolute" => TimeControl::Absolute { main: main()? },
        "byoyomi" => {
            let (main, period) = (main()?, period()?);
            match args.parse(3, "a number of periods")? {
                0 => TimeControl::Absolute { main },
                periods => TimeControl::ByoYomi {
                    main,
                    period,
                    periods,
                },
            }
        }
        "canadian" => {
            let (main, period) = (main()?, period()?);
            TimeControl::from_gtp(main, period, args.parse(3, "a number of stones")?)
        }
        "fischer" => TimeControl::Fischer {
            main: main()?,
            increment: args.agreed_seconds(2, "the increment")?,
            cap: None,
            longest: None,
        },
        "fischer-capped" => TimeControl::Fischer {
            main: main()?,
            increment: args.agreed_seconds(2, "the increment")?,
            cap: limit(args, 3, "the most time on the clock")?,
            longest: limit(args, 4, "the most time for a move")?,
        },
        _ => return Err(format!("unknown time control `{kind}`")),
    })
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

#[cfg(test)]
mod tests {
    use shido_go::gtp::Command;

    use super::*;

    #[track_caller]
    fn check(line: &str, expect: TimeControl) {
        let command = Command::parse(&format!("kgs-time_settings {line}"));
        let command = command.unwrap().expect("it is a command");
        assert_eq!(read(&Args::new(&command)), Ok(expect), "{line}");
    }

    #[test]
    fn kinds_are_read_in_any_case_and_without_overtime() {
        let seconds = Duration::from_secs;
        let (main, period) = (seconds(600), seconds(30));
        let absolute = TimeControl::Absolute { main };
        check("NONE", TimeControl::Unlimited);
        check("Absolute 600", absolute);
        let periods = TimeControl::ByoYomi {
            main,
            period,
            periods: 5,
        };
        check("ByoYomi 600 30 5", periods);
        check("byoyomi 600 30 0", absolute);
        check("byoyomi 600 0 0", absolute);
        let stones = TimeControl::Canadian {
            main,
            period,
            stones: 5,
        };
        check("canadian 600 30 5", stones);
        check("canadian 600 0 0", absolute);
        // As in `time_settings`, a period for no stones says that there is no limit.
        check("canadian 600 30 0", TimeControl::Unlimited);
    }
}
