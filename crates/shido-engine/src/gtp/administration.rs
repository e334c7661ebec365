//! Commands about the engine itself.

use super::args::Args;
use super::session::Session;
use super::table::{Answer, COMMANDS, find};

pub(super) fn protocol_version(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok("2".to_owned())
}

pub(super) fn name(session: &mut Session, _: &Args<'_>) -> Answer {
    Ok(session.settings.name.clone())
}

pub(super) fn version(session: &mut Session, _: &Args<'_>) -> Answer {
    Ok(session.settings.version.clone())
}

pub(super) fn known_command(_: &mut Session, args: &Args<'_>) -> Answer {
    let known = args
        .words()
        .first()
        .is_some_and(|name| find(name).is_some());
    Ok(known.to_string())
}

pub(super) fn list_commands(_: &mut Session, _: &Args<'_>) -> Answer {
    let names: Vec<_> = COMMANDS.iter().map(|&(name, _)| name).collect();
    Ok(names.join("\n"))
}

/// The loop ends after the answer.
pub(super) fn quit(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok(String::new())
}

/// Any line stops an analysis, this one too; there is nothing else to stop.
pub(super) fn stop(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok(String::new())
}

pub(super) fn clear_cache(session: &mut Session, _: &Args<'_>) -> Answer {
    session.analyst.forget();
    Ok(String::new())
}

/// The game has ended on the server; `clear_board` will follow.
pub(super) fn kgs_game_over(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok(String::new())
}

/// Seconds of processor time that the program has used.
#[cfg(unix)]
pub(super) fn cputime(_: &mut Session, _: &Args<'_>) -> Answer {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9;
    Ok(format!("{seconds:.3}"))
}

#[cfg(not(unix))]
pub(super) fn cputime(_: &mut Session, _: &Args<'_>) -> Answer {
    Err("the processor time is not known on this system".to_owned())
}
