//! Two rounds of halving: every natural move gets simulations of its own
//! (HI24, Alg. 2 and 3).
//!
//! An ordinary search spends next to nothing on moves that are natural but lose a
//! little. Here the candidates (25 moves of the human model, 5 of the engine's, the
//! pass) share half of the simulations evenly, the four with the highest scores share
//! the rest. If these turn out worse than what was dropped, all are searched alike.
//!
//! The score is the caller's: sharp for `halving`, smooth for `natural`.

use serde::{Deserialize, Serialize};
use shido_go::Move;
use shido_search::{ForMover, Points};

use super::error::{SettingsError, count_within, within};
use super::sanity::Screen;
use super::search::natural_answers;
use super::settings::PartnerSettings;
use super::step::{Ask, Step, View, Work};
use super::table::{Row, rows, top};
use super::turn::{Considered, Turn};
use super::why::{Note, Rule, SetAside};

/// How candidates are found and searched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct HalvingSettings {
    /// Discount per point of error of the sharp score (`γ`, 0.4).
    pub discount: f32,
    /// Candidates from the human move model (25).
    pub from_human: u64,
    /// Candidates from the engine's move model (5).
    pub from_engine: u64,
    /// Candidates in the second round (4).
    pub remain: u64,
    /// Simulations that a candidate has in the first round at least (`N₁` ≥ 10).
    pub min_first: u64,
}

impl Default for HalvingSettings {
    fn default() -> HalvingSettings {
        HalvingSettings {
            discount: 0.4,
            from_human: 25,
            from_engine: 5,
            remain: 4,
            min_first: 10,
        }
    }
}

impl HalvingSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("gamma (halving.discount)", self.discount, 0.0, 1.0)?;
        count_within("halving.from-human", self.from_human, 1, 400)?;
        count_within("halving.from-engine", self.from_engine, 0, 400)?;
        count_within("halving.remain", self.remain, 1, 400)?;
        count_within("halving.min-first", self.min_first, 1, 100_000)
    }
}

/// The simulations of each round for each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget {
    /// Simulations in all (`N_sim`), raised if the first round needs it.
    total: u64,
    /// For each candidate in the first round (`N₁`).
    first: u64,
    candidates: u64,
}

impl Budget {
    fn new(simulations: u64, candidates: usize, min_first: u64) -> Budget {
        let candidates = candidates.max(1) as u64;
        let total = simulations.max(2 * min_first * candidates);
        Budget {
            total,
            first: total / 2 / candidates,
            candidates,
        }
    }

    /// Returns the further simulations of each that remains (`N₂`).
    fn second(&self, remaining: usize) -> u64 {
        (self.total - self.first * self.candidates) / remaining.max(1) as u64
    }
}

/// Takes the next step with the sharp score (HI24, P5).
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>) -> Step {
    let control = &settings.control;
    let discount = settings.halving.discount;
    let aim = Aim {
        score: &|natural, loss, target| control.sharp_score(natural, loss, target, discount),
        keeps: &|_| false,
        spares: 0.0,
    };
    step_by(settings, view, aim, &mut |turn| {
        turn.play_highest(Rule::HalvingScore)
    })
}

/// What the rounds are played for.
#[derive(Clone, Copy)]
pub(super) struct Aim<'a> {
    /// What a move is worth, by its naturalness, its loss and the target loss.
    pub(super) score: &'a dyn Fn(f32, f32, Points) -> f32,
    /// Whether a move of such naturalness reaches the last round whatever its score.
    pub(super) keeps: &'a dyn Fn(f32) -> bool,
    /// Share of people's moves that must be left when those that lose too much are set aside;
    /// otherwise none is.
    pub(super) spares: f32,
}

/// Asks round by round, then plays one of the moves that are left, scored, by `play`.
pub(super) fn step_by(
    settings: &PartnerSettings,
    view: &View<'_>,
    aim: Aim<'_>,
    play: &mut dyn FnMut(Turn<'_>) -> Step,
) -> Step {
    let halving = &settings.halving;
    let offset = settings.handicap.allowance(view.position);
    let first = candidates(settings, view);
    let budget = Budget::new(settings.simulations, first.len(), halving.min_first);
    let ask = |moves: Vec<Move>, each: u64| {
        let work = Work::Each(moves.into_iter().map(|mv| (mv, each)).collect());
        Step::Ask(Ask::plain(work).with_komi_offset(offset))
    };
    if view.answers.is_empty() {
        return ask(first, budget.first);
    }
    let after_first = View {
        answers: &view.answers[..1],
        ..*view
    };
    let round1 = scored(settings, &after_first, offset, aim);
    let second = promising(&round1, halving.remain, aim);
    let each = budget.first + budget.second(second.len());
    if view.answers.len() == 1 && !second.is_empty() {
        return ask(second, each);
    }
    let mut turn = scored(settings, view, offset, aim);
    if budget.total > settings.simulations {
        turn.notes.push(Note::SimulationsRaised);
    }
    if view.answers.len() > 2 {
        turn.notes.push(Note::ExtraSimulations);
        // A draw is from as many as ever; the highest score is among them.
        let last = promising(&turn, halving.remain, aim);
        turn.set_aside(SetAside::NotPromising, |row| !last.contains(&row.mv));
        return play(turn);
    }
    let in_second = |mv: Move| second.contains(&mv);
    // Only the moves of the second round have new scores (HI24, Alg. 2, line 16): what was
    // dropped is compared by what it was worth when it was. Where all of the second round
    // are out, what was dropped may have lost too much beside a lead that was none.
    let best = best_of(&turn, in_second);
    let rest: Vec<Move> = (first.into_iter()).filter(|&mv| !in_second(mv)).collect();
    let unstable = best == f32::NEG_INFINITY || best < best_of(&round1, |mv| !in_second(mv));
    if unstable && !rest.is_empty() && !second.is_empty() {
        return ask(rest, each);
    }
    // None of these had the highest score, or there would have been another round.
    turn.set_aside(SetAside::NotPromising, |row| !in_second(row.mv));
    play(turn)
}

/// Returns the candidates of the first round (`M₀`).
fn candidates(settings: &PartnerSettings, view: &View<'_>) -> Vec<Move> {
    // Answers would change what is sane, and the first round has none.
    let view = View {
        answers: &[],
        ..*view
    };
    let screen = Screen::new(&view, settings.sanity, settings.ladder);
    let is_sane = |mv: &Move| {
        let concern = screen.concern(*mv, None);
        concern.is_none_or(|why| matches!(why, SetAside::IgnoresLadder | SetAside::EarlyPass))
    };
    let legal: Vec<Move> = view.position.legal_moves().filter(is_sane).collect();
    let halving = &settings.halving;
    let (from_human, from_engine) = (halving.from_human as usize, halving.from_engine as usize);
    let mut moves = top(&legal, from_human, |mv| view.naturalness(mv));
    let mut add = |more: Vec<Move>| {
        for mv in more {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    };
    add(top(&legal, from_engine, |mv| view.engine_prior(mv)));
    add(natural_answers(&screen, &view));
    add(vec![Move::Pass]);
    if moves.len() == 1 {
        // Neither model knows a stone to play.
        moves.extend(legal.iter().filter(|mv| !mv.is_pass()).take(from_human));
    }
    moves
}

/// Scores all candidates by what is known so far (HI24, Alg. 3).
fn scored<'a>(
    settings: &PartnerSettings,
    view: &'a View<'a>,
    offset: f32,
    aim: Aim<'_>,
) -> Turn<'a> {
    let mut turn = Turn::new(view, settings, rows(view));
    let best = turn.best.unwrap_or(0.0);
    turn.given(0.0, offset);
    let target = turn.aim(settings, ForMover(Points(best)));
    let loss = |row: &Row| best - row.lead;
    let too_much = |row: &Row| loss(row) > settings.control.max_loss;
    let people = |it: &Considered| it.row.naturalness;
    let all: f32 = turn.open().map(people).sum();
    let left: f32 = (turn.open().filter(|it| !too_much(&it.row)).map(people)).sum();
    if left >= aim.spares * all {
        turn.set_aside(SetAside::LosesTooMuch, too_much);
    }
    turn.score(|row| (aim.score)(row.naturalness, loss(row), target));
    turn
}

/// Returns the moves for the second round (`M₁`): those with the highest scores, what is
/// kept whatever its score before them.
fn promising(turn: &Turn<'_>, remain: u64, aim: Aim<'_>) -> Vec<Move> {
    let kept = |it: &Considered| (aim.keeps)(it.row.naturalness);
    let mut open: Vec<&Considered> = turn.open().collect();
    open.sort_by(|a, b| kept(b).cmp(&kept(a)).then(b.score.total_cmp(&a.score)));
    open.truncate(remain as usize);
    open.into_iter().map(|it| it.row.mv).collect()
}

/// Returns the highest score among some of the moves; below all if none is open.
fn best_of(turn: &Turn<'_>, among: impl Fn(Move) -> bool) -> f32 {
    let open = turn.open().filter(|it| among(it.row.mv));
    open.map(|it| it.score).fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of sequential halving (HI24, §4.1, Fig. 6), and the usual case.
    #[test]
    fn simulations_are_halved() {
        let budget = Budget::new(1000, 4, 10);
        assert_eq!((budget.first, budget.second(2)), (125, 250));
        let budget = Budget::new(1000, 26, 10);
        assert_eq!((budget.first, budget.second(4)), (19, 126));
        assert!(budget.first * 26 + budget.second(4) * 4 <= budget.total);
    }

    #[test]
    fn the_first_round_is_never_too_short() {
        for candidates in 1..=40 {
            for simulations in [1, 100, 519, 520, 600, 1000] {
                let budget = Budget::new(simulations, candidates, 10);
                assert!(budget.first >= 10);
                assert!(budget.total >= 20 * candidates as u64);
                assert!(budget.total == simulations || budget.total == 20 * candidates as u64);
            }
        }
    }
}
