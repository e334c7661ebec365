//! Endgame control: natural moves that leave the score in a small range (SF21, §7).
//!
//! In an endgame half a point decides, so win rates jump and control by them fails.
//! This counts points instead. It takes over from any partner when the game is quiet
//! and close ([`EndgameSettings::starts`]) and stays in charge to the end.
//!
//! All candidates share a first look, which is short. The most preferred are looked at
//! again before one of them is played: a few simulations may not see a refutation.

use serde::{Deserialize, Serialize};
use shido_go::{Move, Size};
use shido_search::Analysis;

use super::error::{SettingsError, count_within, within};
use super::model::MoveModel;
use super::progress::moves_made;
use super::sanity::Screen;
use super::search::natural_answers;
use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::table::{Row, best_lead, rows};
use super::turn::Turn;
use super::why::{Note, Rule, SetAside};

/// When an endgame has begun.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EndgameStart {
    /// The lead of either side must be below this.
    pub lead: f32,
    /// The standard deviation of the score must be below this.
    pub deviation: f32,
    /// What a pass loses must be below this.
    pub pass_loss: f32,
}

impl EndgameStart {
    const fn new(lead: f32, deviation: f32, pass_loss: f32) -> EndgameStart {
        EndgameStart {
            lead,
            deviation,
            pass_loss,
        }
    }

    fn check(&self) -> Result<(), SettingsError> {
        within("endgame.start-*.lead", self.lead, 0.0, 1000.0)?;
        within("endgame.start-*.deviation", self.deviation, 0.0, 1000.0)?;
        within("endgame.start-*.pass-loss", self.pass_loss, 0.0, 1000.0)
    }
}

/// How to play an endgame. All values are the paper's where it gives one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EndgameSettings {
    /// The most likely moves that are looked at (20).
    pub candidates: u64,
    /// Probability from which the likeliest move is played at once (0.9).
    pub obvious_from: f32,
    /// Probability below which a move is never played (0.01); a pass has as much where no
    /// model knows passes.
    pub unnatural_below: f32,
    /// Points from which a loss is too much (5).
    pub max_loss: f32,
    /// The partner's lead that is aimed for: at least (−10).
    pub range_low: f32,
    /// And at most (−4).
    pub range_high: f32,
    /// Discount for each point outside the range (`γ`, 5).
    pub discount: f32,
    /// Whose probabilities count.
    pub model: MoveModel,
    /// Simulations, shared by the candidates; the paper needs none.
    pub simulations: u64,
    /// Simulations that the move played must have, if it is not obvious.
    pub min_visits: u64,
    /// Moves, as a share of the board's points, before which no endgame is looked for.
    pub not_before: f32,
    /// The start on boards up to 10 lines; numbers of ours.
    pub start_9: EndgameStart,
    /// The start on boards of 11 to 15 lines.
    pub start_13: EndgameStart,
    /// The start on larger boards.
    pub start_19: EndgameStart,
}

impl Default for EndgameSettings {
    fn default() -> EndgameSettings {
        EndgameSettings {
            candidates: 20,
            obvious_from: 0.9,
            unnatural_below: 0.01,
            max_loss: 5.0,
            range_low: -10.0,
            range_high: -4.0,
            discount: 5.0,
            model: MoveModel::Engine,
            simulations: 200,
            min_visits: 60,
            not_before: 0.35,
            start_9: EndgameStart::new(4.0, 8.0, 7.0),
            start_13: EndgameStart::new(5.0, 10.0, 7.0),
            start_19: EndgameStart::new(12.0, 10.0, 5.0),
        }
    }
}

impl EndgameSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count_within("endgame.candidates", self.candidates, 1, 400)?;
        within("endgame.obvious-from", self.obvious_from, 0.0, 1.0)?;
        within("endgame.unnatural-below", self.unnatural_below, 0.0, 1.0)?;
        within("endgame.max-loss", self.max_loss, 0.0, 1000.0)?;
        within("endgame.range-high", self.range_high, -1000.0, 1000.0)?;
        within(
            "endgame.range-low",
            self.range_low,
            -1000.0,
            self.range_high,
        )?;
        within("endgame.discount", self.discount, 1.0, 1000.0)?;
        count_within("endgame.simulations", self.simulations, 1, 10_000_000)?;
        count_within("endgame.min-visits", self.min_visits, 1, 10_000_000)?;
        within("endgame.not-before", self.not_before, 0.0, 1.0)?;
        self.start_9.check()?;
        self.start_13.check()?;
        self.start_19.check()
    }

    /// Returns the preference for a move of some probability after which the partner
    /// leads by so much (SF21, Alg. 1).
    pub fn preference(&self, probability: f32, lead: f32) -> f64 {
        let outside = (self.range_low - lead).max(lead - self.range_high).max(0.0);
        f64::from(probability) / f64::from(self.discount).powf(outside.into())
    }

    /// Returns whether a position is an endgame (SF21, §7.4): about even, quiet, and
    /// without big moves.
    pub fn starts(&self, size: Size, best_lead: f32, pass_lead: f32, deviation: f32) -> bool {
        let start = match size.width().max(size.height()) {
            ..=10 => self.start_9,
            11..=15 => self.start_13,
            _ => self.start_19,
        };
        best_lead.abs() < start.lead
            && deviation < start.deviation
            && best_lead - pass_lead < start.pass_loss
    }

    /// Returns whether it is time to look for an endgame.
    fn is_time(&self, view: &View<'_>) -> bool {
        view.in_endgame
            || moves_made(view.position) >= self.not_before * view.position.size().area() as f32
    }

    /// Returns how likely a move is.
    ///
    /// Where the model does not know passes, the other one tells how likely a pass is. Where
    /// neither does, it comes after all natural moves and before those that are not.
    fn likelihood(&self, view: &View<'_>, mv: Move) -> f32 {
        if mv.is_pass() && !self.model.knows_passes(view) {
            return view.pass_likelihood().unwrap_or(self.unnatural_below);
        }
        self.model.probability(view, mv)
    }

    /// Returns the likeliest legal moves, the answers to a ladder, and the pass, which shows
    /// what moves are worth.
    fn moves(&self, settings: &PartnerSettings, view: &View<'_>) -> Vec<Move> {
        let likely = |mv: Move| self.likelihood(view, mv);
        let mut moves: Vec<Move> = view.position.legal_moves().collect();
        moves.sort_by(|&a, &b| likely(b).total_cmp(&likely(a)));
        moves.truncate(self.candidates as usize);
        let screen = Screen::new(view, settings.sanity, settings.ladder);
        for mv in natural_answers(&screen, view)
            .into_iter()
            .chain([Move::Pass])
        {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        moves
    }

    fn ask(&self, settings: &PartnerSettings, view: &View<'_>) -> Ask {
        let moves = self.moves(settings, view);
        let each = (self.simulations / moves.len() as u64).max(1);
        Ask::plain(Work::Each(moves.into_iter().map(|mv| (mv, each)).collect()))
    }

    /// Returns whether this is in charge, or takes over now.
    fn is_in_charge(
        &self,
        settings: &PartnerSettings,
        view: &View<'_>,
        answer: &Analysis,
        rows: &[Row],
    ) -> bool {
        let screen = Screen::new(view, settings.sanity, settings.ladder);
        let best = best_lead(rows.iter().filter(|it| screen.counts(it.mv)));
        let pass = rows.iter().find(|it| it.mv.is_pass());
        // A pass that is said to be better than all stones is not believed.
        let pass = pass.filter(|it| best.is_some_and(|best| it.lead <= best));
        let (Some(best), Some(pass)) = (best, pass) else {
            return view.in_endgame && !rows.is_empty();
        };
        let known = |deviation: f32| deviation.is_finite() && deviation > 0.0;
        let of_best = rows
            .iter()
            .find(|it| it.lead == best)
            .and_then(|it| answer.candidate(it.mv))
            .map_or(0.0, |it| it.score_deviation.0);
        // The root's is that of a mixture: every candidate had as many visits, bad ones too.
        let deviation = [of_best, answer.score_deviation.0];
        let deviation = deviation.into_iter().find(|&it| known(it));
        let deviation = deviation.unwrap_or(f32::INFINITY);
        view.in_endgame || self.starts(view.position.size(), best, pass.lead, deviation)
    }
}

/// What endgame control says about a turn.
pub(super) enum Handover {
    /// It asks or plays.
    Step(Step),
    /// It is not its turn; so many answers were its own.
    Back(usize),
}

/// Looks whether it is an endgame, and plays if so.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>) -> Handover {
    let Some(endgame) = settings.endgame.as_ref().filter(|it| it.is_time(view)) else {
        return Handover::Back(0);
    };
    let Some(answer) = view.answers.first() else {
        return Handover::Step(Step::Ask(endgame.ask(settings, view)));
    };
    let first = &View {
        answers: &view.answers[..1],
        ..*view
    };
    if !endgame.is_in_charge(settings, first, answer, &rows(first)) {
        return Handover::Back(1);
    }
    let mut rows = rows(view);
    for row in &mut rows {
        row.naturalness = endgame.likelihood(view, row.mv);
    }
    Handover::Step(choose(endgame, settings, view, rows))
}

/// Chooses among the candidates (SF21, Alg. 1).
fn choose(
    endgame: &EndgameSettings,
    settings: &PartnerSettings,
    view: &View<'_>,
    rows: Vec<Row>,
) -> Step {
    let mut turn = Turn::new(view, settings, rows);
    if !view.in_endgame {
        turn.notes.push(Note::EndgameStarted);
    }
    turn.score(|row| row.naturalness);
    let likeliest = |turn: &Turn<'_>| turn.open().map(|it| it.row.naturalness).fold(0.0, f32::max);
    if likeliest(&turn) > endgame.obvious_from {
        return turn.play_highest(Rule::EndgameObvious);
    }
    // Where nothing is natural, everything is as natural as anything else.
    let floor = endgame.unnatural_below.min(likeliest(&turn));
    turn.set_aside(SetAside::Unnatural, |row| row.naturalness < floor);
    let natural: Vec<Row> = turn.open().map(|it| it.row).collect();
    let best = best_lead(&natural).unwrap_or(0.0);
    turn.set_aside(SetAside::LosesTooMuch, |row| {
        row.lead < best - endgame.max_loss
    });
    turn.score(|row| endgame.preference(row.naturalness, row.lead) as f32);
    // Far outside the range all preferences vanish in single precision.
    let preference = |row: &Row| endgame.preference(row.naturalness, row.lead);
    let mut preferred: Vec<Row> = turn.open().map(|it| it.row).collect();
    preferred.sort_by(|a, b| preference(b).total_cmp(&preference(a)));
    let Some(choice) = preferred.first() else {
        return turn.play_last_resort();
    };
    if choice.visits >= endgame.min_visits || view.answers.len() > LOOKS {
        return turn.play(choice.mv, Rule::EndgamePreference);
    }
    let doubtful = preferred.iter().take(AGAIN);
    let again = doubtful.map(|it| (it.mv, endgame.min_visits.max(it.visits)));
    Step::Ask(Ask::plain(Work::Each(again.collect())))
}

/// The most preferred candidates that are looked at again.
const AGAIN: usize = 3;
/// How often that is done at most: where each of them fails the next ones are tried.
const LOOKS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidates of Fig. 10 with `γ` = 2 (SF21, Table 6, which truncates).
    #[test]
    fn preferences_are_the_papers() {
        let endgame = EndgameSettings {
            discount: 2.0,
            ..EndgameSettings::default()
        };
        let cases = [
            (0.4755, -1.234, 0.0699),
            (0.1410, 0.527, 0.0061),
            (0.1307, 0.605, 0.0053),
            (0.1094, 1.862, 0.0018),
        ];
        for (probability, lead, expect) in cases {
            let found = endgame.preference(probability, lead);
            assert!((found - expect).abs() < 1e-4, "{found} is not {expect}");
        }
    }

    #[test]
    fn inside_the_range_only_naturalness_counts() {
        let endgame = EndgameSettings::default();
        for lead in [-10.0, -7.0, -4.0] {
            assert!((endgame.preference(0.3, lead) - 0.3).abs() < 1e-6);
        }
        assert!((endgame.preference(0.3, -12.0) - 0.3 / 25.0).abs() < 1e-6);
        assert!((endgame.preference(0.3, -3.0) - 0.3 / 5.0).abs() < 1e-6);
    }

    /// The conditions of (SF21, §7.4).
    #[test]
    fn an_endgame_is_even_quiet_and_small() {
        let endgame = EndgameSettings::default();
        let starts = |size, lead, pass, deviation| endgame.starts(size, lead, pass, deviation);
        assert!(starts(Size::S13, 4.9, -2.0, 9.9));
        assert!(!starts(Size::S13, 5.0, -1.0, 9.9));
        assert!(!starts(Size::S13, 4.0, -3.0, 9.9));
        assert!(!starts(Size::S13, 4.0, 0.0, 10.0));
        assert!(starts(Size::S19, -11.9, -16.8, 9.9));
        assert!(!starts(Size::S19, 11.0, 6.0, 9.9));
        assert!(starts(Size::S9, 3.0, -3.0, 5.0));
    }
}
