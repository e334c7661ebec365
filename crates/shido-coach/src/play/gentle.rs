//! Position control by win rates: give way when ahead, but naturally
//! (SF21, §4.1 to §4.3).
//!
//! Four cases by the best win rate `w₁` and the second `w₂`: one clearly best move is
//! played; a losing partner plays its best; in an even game the most natural good move
//! is played; a winning partner plays the move with the lowest `w − αp` among those
//! that are not too bad for how natural they are. Method A searches bad moves more and
//! leaves those with few visits out; method B prefers moves near the opponent's;
//! method C is the term `αp`.
//!
//! The paper gives no numbers for the first three cases: those here are ours.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::distance::DistanceWeights;
use super::error::{SettingsError, within};
use super::model::MoveModel;
use super::search::{floor_of, whole_search};
use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::table::{Row, highest};
use super::turn::Turn;
use super::why::{Note, Rule, SetAside};
use shido_search::puct::PriorWeights;

/// How to control the position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GentleSettings {
    /// How much worse a move may be (`c`, 2.5).
    pub gentleness: f32,
    /// What naturalness is worth in win rate (`α`, 0.25); 0 without method C.
    pub natural_worth: f32,
    /// Whether moves near the opponent's are preferred (method B).
    pub near: bool,
    /// The weights of method B.
    pub distance_weights: DistanceWeights,
    /// The exploration coefficient of the search (10).
    pub exploration: f32,
    /// Visits, of 16,000, below which a move is left out (100).
    pub min_visits: f32,
    /// Whose probabilities say how natural a move is.
    pub model: MoveModel,
    /// Win rate by which the best move must lead the second to be played at once.
    pub clear_margin: f32,
    /// Win rate of the best move below which the partner is losing.
    pub losing_below: f32,
    /// Win rate of the best move above which the partner gives way (0.55).
    pub winning_above: f32,
    /// Win rate that a move may lose in an even game.
    pub even_drop: f32,
}

/// The simulations that [`GentleSettings::min_visits`] are out of.
const OF_SIMULATIONS: f32 = 16_000.0;

/// The four conditions: the loss of win rate, to be multiplied by `c`, and the
/// probability a move must have for it (SF21, §4.3).
const CONDITIONS: [(f32, f32); 4] = [(0.03, 0.05), (0.04, 0.10), (0.06, 0.20), (0.08, 0.40)];

impl Default for GentleSettings {
    fn default() -> GentleSettings {
        GentleSettings {
            gentleness: 2.5,
            natural_worth: 0.25,
            near: true,
            distance_weights: DistanceWeights::default(),
            exploration: 10.0,
            min_visits: 100.0,
            model: MoveModel::Engine,
            clear_margin: 0.2,
            losing_below: 0.45,
            winning_above: 0.55,
            even_drop: 0.05,
        }
    }
}

impl GentleSettings {
    /// Returns the older method: `c` 1.5, without methods B and C (SF21, §5.1).
    pub fn method_a() -> GentleSettings {
        GentleSettings {
            gentleness: 1.5,
            natural_worth: 0.0,
            near: false,
            ..GentleSettings::default()
        }
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("c (gentle.gentleness)", self.gentleness, 0.0, 30.0)?;
        within("gentle.natural-worth", self.natural_worth, 0.0, 10.0)?;
        self.distance_weights.check()?;
        within("gentle.exploration", self.exploration, 0.0, 1000.0)?;
        within("gentle.min-visits", self.min_visits, 0.0, OF_SIMULATIONS)?;
        within("gentle.clear-margin", self.clear_margin, 0.0, 1.0)?;
        within("gentle.losing-below", self.losing_below, 0.0, 1.0)?;
        within("gentle.winning-above", self.winning_above, 0.0, 1.0)?;
        within("gentle.even-drop", self.even_drop, 0.0, 1.0)
    }

    /// Returns a move's win rate less what its naturalness is worth (`w′ = w − αp`).
    pub fn discounted(&self, win_rate: f32, probability: f32) -> f32 {
        win_rate - self.natural_worth * probability
    }

    /// Returns whether a move that loses so much win rate is natural enough to be
    /// played on purpose; `ease` multiplies `c`.
    fn is_acceptable(&self, drop: f32, probability: f32, ease: f32) -> bool {
        CONDITIONS
            .iter()
            .any(|&(lost, likely)| drop < lost * self.gentleness * ease && probability > likely)
    }
}

/// Returns the rows of method A's search, their naturalness with method B's weights, or
/// what to ask for first.
pub(super) fn candidates(
    settings: &PartnerSettings,
    gentle: &GentleSettings,
    view: &View<'_>,
) -> Result<(Vec<Row>, f32), Ask> {
    let near = gentle.near;
    let weights = gentle.distance_weights;
    let offset = settings.handicap.allowance(view.position);
    let ask = Ask {
        exploration: Some(gentle.exploration),
        prior_weights: near.then(|| Arc::new(weights) as Arc<dyn PriorWeights>),
        ..Ask::plain(Work::Whole(settings.simulations)).with_komi_offset(offset)
    };
    let mut rows = whole_search(settings, view, ask)?;
    for row in &mut rows {
        let weight = if near {
            weights.weight(view.position, row.mv)
        } else {
            1.0
        };
        // Not renormalized: it may exceed 1 (SF21, Table 5).
        row.naturalness = gentle.model.probability(view, row.mv) * weight;
    }
    let floor = floor_of(
        gentle.min_visits,
        OF_SIMULATIONS,
        settings.simulations,
        view,
    );
    Ok((rows, floor))
}

/// Searches once and plays by the four cases.
pub(super) fn step(settings: &PartnerSettings, gentle: &GentleSettings, view: &View<'_>) -> Step {
    let (rows, floor) = match candidates(settings, gentle, view) {
        Ok(found) => found,
        Err(ask) => return Step::Ask(ask),
    };
    let mut turn = Turn::new(view, settings, rows);
    turn.given(0.0, settings.handicap.allowance(view.position));
    turn.set_aside(SetAside::FewVisits, |row| (row.visits as f32) < floor);
    let open: Vec<Row> = turn.open().map(|it| it.row).collect();
    let Some(first) = highest(&open, |row| row.win_rate).copied() else {
        turn.score(|row| row.win_rate);
        return turn.play_last_resort();
    };
    let ease = settings.opening.factor(view.position);
    let best = first.win_rate;
    let others = open.iter().filter(|row| row.mv != first.mv);
    let second = others.map(|row| row.win_rate).fold(0.0, f32::max);
    if best - second > gentle.clear_margin || open.len() == 1 {
        turn.score(|row| row.win_rate);
        return turn.play_highest(Rule::ClearBest);
    }
    if best < gentle.losing_below {
        turn.score(|row| row.win_rate);
        return turn.play_highest(Rule::Behind);
    }
    if best <= gentle.winning_above {
        turn.set_aside(SetAside::FailsConditions, |row| {
            best - row.win_rate > gentle.even_drop
        });
        turn.score(|row| row.naturalness);
        return turn.play_highest(Rule::MostNatural);
    }
    if ease < 1.0 {
        turn.notes.push(Note::OpeningEased);
    }
    turn.set_aside(SetAside::FailsConditions, |row| {
        let drop = best - row.win_rate;
        row.mv != first.mv && !gentle.is_acceptable(drop, row.naturalness, ease)
    });
    turn.score(|row| -gentle.discounted(row.win_rate, row.naturalness));
    turn.play_highest(Rule::GiveWay)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves D3 and L11 (SF21, §4.3 and Fig. 2).
    #[test]
    fn naturalness_is_worth_some_win_rate() {
        let gentle = GentleSettings {
            natural_worth: 0.1,
            ..GentleSettings::default()
        };
        let percent = |w, p| format!("{:.1}", 100.0 * gentle.discounted(w, p));
        assert_eq!(percent(0.697, 0.400), "65.7");
        assert_eq!(percent(0.690, 0.139), "67.6");
    }

    /// The candidates of Fig. 10 (SF21, Table 5): F8 fails the probability, E8 the win rate.
    #[test]
    fn a_move_must_be_natural_for_what_it_loses() {
        let gentle = GentleSettings::default();
        let accepts = |w: f32, p| gentle.is_acceptable(0.582 - w, p, 1.0);
        assert!(!accepts(0.572, 0.0445) && accepts(0.572, 0.0501));
        assert!(!accepts(0.352, 1.1176) && accepts(0.383, 1.1176));
        assert!(!accepts(0.384, 0.0043));
    }
}
