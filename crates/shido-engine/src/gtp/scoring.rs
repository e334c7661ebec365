//! Commands about the end of a game: who won, which stones are dead.

use shido_go::gtp::format_vertex;
use shido_go::{Move, PointSet};

use super::args::Args;
use super::session::Session;
use super::table::Answer;
use crate::settle::{Settlement, Status};

/// Counts by the rules, the dead stones taken off where that is done.
pub(super) fn final_score(session: &mut Session, _: &Args<'_>) -> Answer {
    let as_it_stands = session.position.is_over() && !session.position.rules().ends_by_agreement();
    let dead = if as_it_stands {
        PointSet::new()
    } else {
        let analysis = session.judgment();
        Settlement::new(session.position.board(), &analysis.ownership).dead()
    };
    Ok(session.position.score(&dead).to_string())
}

/// Lists stones by status, one chain to a line.
pub(super) fn final_status_list(session: &mut Session, args: &Args<'_>) -> Answer {
    let status = match args.word(0, "a status")? {
        "alive" => Status::Alive,
        "seki" => Status::Seki,
        "dead" => Status::Dead,
        other => {
            return Err(format!(
                "syntax error: `{other}` is not alive, seki or dead"
            ));
        }
    };
    let analysis = session.judgment();
    let board = session.position.board();
    let chains = Settlement::new(board, &analysis.ownership).chains(status);
    let lines = chains.iter().map(|chain| {
        let vertices = chain
            .iter()
            .map(|&it| format_vertex(Move::Play(it), board.size()));
        vertices.collect::<Vec<_>>().join(" ")
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
