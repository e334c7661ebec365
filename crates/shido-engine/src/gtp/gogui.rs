//! Maps for GoGui's analyze window.

use std::fmt::Write as _;

use shido_go::Size;
use shido_go::gtp::format_vertex;
use shido_search::Analysis;

use super::args::Args;
use super::session::Session;
use super::table::Answer;

/// Candidates that `shido-best_moves` labels.
const LABELS: usize = 8;

/// `type/label/command`, one to a line.
pub(super) fn analyze_commands(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok("dboard/Ownership/shido-ownership\n\
        dboard/Move priors/shido-priors\n\
        gfx/Best moves/shido-best_moves\n\
        string/Why this move/shido-why"
        .to_owned())
}

/// Who will own each point: 1 Black, −1 White.
pub(super) fn ownership(session: &mut Session, _: &Args<'_>) -> Answer {
    let analysis = session.judgment();
    Ok(board_of(&analysis.ownership, session.position.size()))
}

/// What the move model thinks of each point, the likeliest as 1.
pub(super) fn priors(session: &mut Session, _: &Args<'_>) -> Answer {
    let position = session.position_for(session.position.to_move());
    let mut policy = session.analyst.policy(&position);
    policy.truncate(position.size().area());
    let most = policy.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    for value in &mut policy {
        *value /= most;
    }
    Ok(board_of(&policy, position.size()))
}

/// Win rates of the best moves in percent, and the expected line.
pub(super) fn best_moves(session: &mut Session, _: &Args<'_>) -> Answer {
    let analysis = session.judgment();
    Ok(graphics(&analysis, session.position.size()))
}

fn board_of(values: &[f32], size: Size) -> String {
    let rows = values.chunks(size.width()).map(|row| {
        let row = row.iter().map(|value| format!("{value:.3}"));
        row.collect::<Vec<_>>().join(" ")
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn graphics(analysis: &Analysis, size: Size) -> String {
    let mut text = String::from("LABEL");
    let played = analysis.candidates.iter().filter(|it| !it.mv.is_pass());
    for it in played.take(LABELS) {
        let percent = 100.0 * it.win_rate.0.0;
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {percent:.0}", format_vertex(it.mv, size));
    }
    if let Some(best) = analysis.best() {
        text.push_str("\nVAR");
        let mut color = analysis.to_move;
        for &mv in &best.line {
            let letter = color.letter().to_ascii_lowercase();
            let _ = write!(text, " {letter} {}", format_vertex(mv, size));
            color = !color;
        }
    }
    let rate = 100.0 * analysis.win_rate.as_seen_by(analysis.to_move).0;
    let lead = analysis.lead.as_seen_by(analysis.to_move).0;
    let mover = analysis.to_move;
    let _ = write!(
        text,
        "\nTEXT {mover}: {rate:.1} %, {lead:+.1} points, {} playouts",
        analysis.playouts
    );
    text
}
