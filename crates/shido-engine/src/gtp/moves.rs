//! Commands that play: the opponent's moves, ours, and takebacks.

use std::time::{Duration, Instant};

use shido_go::gtp::Reply;
use shido_go::{Color, Move, Position};
use shido_search::Analysis;

use super::args::Args;
use super::partner::Told;
use super::session::Session;
use super::stream::Stream;
use super::table::Answer;
use crate::partner::{Turn, Watcher};
use crate::{SearchOptions, StopFlag};

/// What KataGo answers in place of a move when a search was given up.
pub(super) const CANCELLED: &str = "cancelled";

pub(super) fn play(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let mv = args.vertex(1, session.position.size())?;
    let played = session.position.play_as(color, mv);
    played.map_err(|error| format!("illegal move: {}", error.why))?;
    session.count_handicap();
    Ok(String::new())
}

pub(super) fn undo(session: &mut Session, _: &Args<'_>) -> Answer {
    let undone = session.position.undo();
    undone.ok_or("cannot undo")?;
    let left = session.position.moves().len();
    session.told.retain(|it| it.after < left);
    if let Some(partner) = &mut session.partner {
        partner.take_back(left);
    }
    session.count_handicap();
    Ok(String::new())
}

pub(super) fn genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let reply = choose(session, color, Search::default())?;
    play_reply(session, color, reply);
    Ok(reply.display(session.position.size()).to_string())
}

/// Chooses like `genmove` and plays nothing.
pub(super) fn reg_genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let reply = choose(session, color, Search::default())?;
    take_back_choice(session);
    Ok(reply.display(session.position.size()).to_string())
}

/// The same, given up as soon as anything comes in.
pub(super) fn search_cancellable(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    let color = args.color(0)?;
    let stop = stream.stop_flag();
    let search = Search {
        stop: stop.clone(),
        ..Search::default()
    };
    let reply = choose(session, color, search)?;
    take_back_choice(session);
    if stop.is_raised() {
        session.told.pop();
        stream.answer(CANCELLED);
    } else {
        stream.answer(&reply.display(session.position.size()).to_string());
    }
    Ok(())
}

/// Takes a choice that was asked for and is not played for no move of the game.
pub(super) fn take_back_choice(session: &mut Session) {
    if let Some(partner) = &mut session.partner {
        partner.take_back(session.position.moves().len());
    }
    if let Some(told) = session.told.last_mut() {
        told.is_hint = true;
    }
}

/// Like `genmove`, but captures all dead stones before it passes.
pub(super) fn genmove_cleanup(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let search = Search {
        cleanup: true,
        ..Search::default()
    };
    let reply = choose(session, color, search)?;
    play_reply(session, color, reply);
    Ok(reply.display(session.position.size()).to_string())
}

/// Plays what was chosen; a resignation leaves the board as it is.
pub(super) fn play_reply(session: &mut Session, color: Color, reply: Reply) {
    if let Reply::Move(mv) = reply {
        let played = session.position.play_as(color, mv);
        played.expect("only legal moves are chosen");
        session.count_handicap();
    }
}

/// How to choose a move.
#[derive(Default)]
pub(super) struct Search<'a> {
    /// Whether dead stones must come off before a pass.
    pub(super) cleanup: bool,
    /// Who wants to see the analysis grow.
    pub(super) reports: Option<Reports<'a>>,
    /// What ends the search early.
    pub(super) stop: StopFlag,
    /// What is asked of the search beyond its end.
    pub(super) options: SearchOptions,
    /// Which moves may be chosen; all if `None`.
    pub(super) admits: Option<&'a dyn Fn(Move) -> bool>,
}

/// How often to report a search, and to whom.
pub(super) struct Reports<'a> {
    pub(super) every: Duration,
    pub(super) to: &'a mut dyn FnMut(&Analysis),
}

/// Searches by the clock of `color`, decides, and stops the clock; fails if the engine
/// is another program that did.
pub(super) fn choose(
    session: &mut Session,
    color: Color,
    search: Search<'_>,
) -> Result<Reply, String> {
    let begun = Instant::now();
    session.learn_from_game();
    let position = session.position_for(color);
    let mut told = if session.partner.is_some() && !search.cleanup {
        by_partner(session, &position, search)
    } else {
        by_analyst(session, &position, search)
    };
    if let Some(why) = session.analyst.failure() {
        // An answer to a command is one line.
        return Err(why.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    session.clocks[color.index()].spend(begun.elapsed());
    if let Reply::Move(mv) = told.reply
        && !session.position.is_legal(color, mv)
    {
        // A game resumed after two passes has forgotten what superko forbids.
        told.reply = Reply::Move(Move::Pass);
        told.record = None;
    }
    let reply = told.reply;
    session.told.retain(|it| it.after < told.after);
    session.told.push(told);
    Ok(reply)
}

/// Lets the partner choose.
fn by_partner(session: &mut Session, position: &Position, search: Search<'_>) -> Told {
    let mut limits = session.partner_limits(position.to_move());
    (limits.options, limits.stop) = (search.options, search.stop);
    let turn = Turn {
        admits: search.admits,
        watcher: search
            .reports
            .map(|Reports { every, to }| Watcher { every, report: to }),
        ..Turn::new(position, &limits)
    };
    let Session {
        partner, analyst, ..
    } = session;
    let partner = partner.as_mut().expect("there is one");
    let chosen = partner.choose(&mut **analyst, turn);
    Told {
        after: session.position.moves().len(),
        color: position.to_move(),
        reply: chosen.reply,
        why: chosen.why,
        record: chosen.record,
        is_hint: false,
    }
}

/// Plays what the analyst finds.
fn by_analyst(session: &mut Session, position: &Position, search: Search<'_>) -> Told {
    let mut limits = session.limits(position.to_move());
    (limits.options, limits.stop) = (search.options, search.stop);
    let Session {
        chooser, analyst, ..
    } = session;
    let mut analysis = match search.reports {
        Some(Reports { every, to }) => {
            let mut told = false;
            let mut report = |it: &Analysis| {
                told = true;
                to(it);
            };
            let analysis = analyst.watch(position, &limits, every, &mut report);
            if !told {
                // It ended before the first report was due.
                to(&analysis);
            }
            analysis
        }
        None => analyst.analyze(position, &limits),
    };
    if let Some(admits) = search.admits {
        analysis.candidates.retain(|it| admits(it.mv));
    }
    let cleanup = search.cleanup;
    let chosen = chooser.choose(&mut **analyst, position, analysis, &limits, cleanup);
    Told {
        after: session.position.moves().len(),
        color: position.to_move(),
        reply: chosen.decision.reply,
        why: chosen.decision.why,
        record: None,
        is_hint: false,
    }
}
