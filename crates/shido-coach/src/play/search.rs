//! What the partners that search the whole position have in common.

use shido_go::Move;

use super::sanity::Screen;
use super::settings::PartnerSettings;
use super::step::{Ask, View, Work};
use super::table::{Row, rows};

/// The share of the simulations that each answer to a ladder gets when the search
/// looked at none.
const LADDER_SHARE: u64 = 10;
/// The most noise that a wide look may have; what a search takes.
pub(super) const MOST_NOISE: f32 = 5.0;
/// The most answers to a ladder that are searched.
const LADDER_ANSWERS: usize = 4;

/// The fewest visits that a move is trusted with, however few simulations there are: a single
/// one is what the network says of it and no more.
const LEAST_VISITS: f32 = 2.0;

/// Returns the visits below which a move is not trusted: a paper's floor, scaled from
/// the paper's simulations to ours, or to what a clock left of them.
pub(super) fn floor_of(visits: f32, of: f32, simulations: u64, view: &View<'_>) -> f32 {
    let made = view.answers.first().map_or(0, |it| it.visits);
    let made = if made == 0 { simulations } else { made };
    (visits * simulations.min(made) as f32 / of).max(LEAST_VISITS)
}

/// Returns the rows of a search of the whole position, or what to ask for next: the
/// search, and then the answers to a ladder that it overlooked.
pub(super) fn whole_search(
    settings: &PartnerSettings,
    view: &View<'_>,
    ask: Ask,
) -> Result<Vec<Row>, Ask> {
    if view.answers.is_empty() {
        return Err(ask);
    }
    let rows = rows(view);
    if view.answers.len() > 1 {
        return Ok(rows);
    }
    let screen = Screen::new(view, settings.sanity, settings.ladder);
    let answers = natural_answers(&screen, view);
    let each = (settings.simulations / LADDER_SHARE).max(1);
    let known = |mv: &Move| rows.iter().any(|it| it.mv == *mv && it.visits >= each);
    if answers.is_empty() || answers.iter().any(known) {
        return Ok(rows);
    }
    let work = Work::Each(answers.into_iter().map(|mv| (mv, each)).collect());
    Err(Ask { work, ..ask })
}

/// Returns the most natural answers to a ladder, if there is one to answer.
pub(super) fn natural_answers(screen: &Screen<'_>, view: &View<'_>) -> Vec<Move> {
    let mut answers = screen.ladder_answers().to_vec();
    let likely = |mv: Move| view.naturalness(mv).max(view.engine_prior(mv));
    answers.sort_by(|&a, &b| likely(b).total_cmp(&likely(a)));
    answers.truncate(LADDER_ANSWERS);
    answers
}
