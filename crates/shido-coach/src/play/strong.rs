//! The strongest move, as the analyst sees it.

use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::table::rows;
use super::turn::Turn;
use super::why::Rule;

/// Searches once and plays the analyst's first move that fills no own eye.
///
/// Nothing else is screened: this partner shows what the analyst would do.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>) -> Step {
    let offset = settings.handicap.allowance(view.position);
    if view.answers.is_empty() {
        let ask = Ask::plain(Work::Whole(settings.simulations));
        return Step::Ask(ask.with_komi_offset(offset));
    }
    let rows = rows(view);
    let mut turn = Turn::unscreened(view, settings, rows);
    let first = turn.open().next().map(|it| it.row.mv);
    turn.given(0.0, offset);
    turn.score(|row| row.win_rate);
    match first {
        Some(mv) => turn.play(mv, Rule::BestMove),
        None => turn.play_last_resort(),
    }
}
