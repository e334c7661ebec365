//! The seam between a partner and its engine: what it sees, asks for and plays.
//!
//! A policy keeps nothing between steps. It is shown the same position again with
//! one more answer each time, so a move can be replayed from the answers, the
//! settings and the seed. Every policy asks a few times at most, whatever it is
//! answered, and then plays a legal move.

use std::fmt;
use std::sync::Arc;

use rand_xoshiro::rand_core::RngCore;
use shido_go::{Move, Position};
use shido_search::Analysis;
use shido_search::puct::PriorWeights;

use super::why::WhyRecord;

/// What a policy sees at its turn.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The position; the partner is the player to move.
    pub position: &'a Position,
    /// How likely a human of [`super::PartnerSettings::rank`] plays each move: row by
    /// row from the top left, then the pass; sums to 1 (`π_human`).
    pub human: &'a [f32],
    /// The analyst's own move model before any search, laid out alike (`π_engine`).
    pub prior: &'a [f32],
    /// Whether `human` tells how likely a pass is. The Bradley–Terry model does not: it
    /// gives a pass a constant, by which none can be judged.
    pub human_knows_passes: bool,
    /// Whether `prior` does.
    pub prior_knows_passes: bool,
    /// The answers to the asks so far, oldest first.
    pub answers: &'a [Analysis],
    /// Whether endgame control chose an earlier move of this game
    /// ([`WhyRecord::is_endgame`]); it stays in charge.
    pub in_endgame: bool,
}

impl<'a> View<'a> {
    /// Returns how likely a human plays a move; 0 where nothing is known.
    pub fn naturalness(&self, mv: Move) -> f32 {
        probability(self.human, self.position, mv)
    }

    /// Returns how likely the analyst's model plays a move; 0 where nothing is known.
    pub fn engine_prior(&self, mv: Move) -> f32 {
        probability(self.prior, self.position, mv)
    }

    /// Returns how likely a pass is, by whichever model that knows finds it likelier;
    /// `None` if none knows.
    pub(super) fn pass_likelihood(&self) -> Option<f32> {
        let human = (self.human_knows_passes).then(|| self.naturalness(Move::Pass));
        let prior = (self.prior_knows_passes).then(|| self.engine_prior(Move::Pass));
        human.into_iter().chain(prior).max_by(f32::total_cmp)
    }

    /// Returns the view without its first answers.
    pub(super) fn skip(self, answers: usize) -> View<'a> {
        View {
            answers: self.answers.get(answers..).unwrap_or(&[]),
            ..self
        }
    }
}

/// Looks a move up in a vector over points and the pass.
///
/// A vector of another length, a negative number and a number that is none say nothing.
fn probability(vector: &[f32], position: &Position, mv: Move) -> f32 {
    let size = position.size();
    if vector.len() != size.area() + 1 {
        return 0.0;
    }
    let at = mv.point().map_or(size.area(), |point| size.index_of(point));
    let found = vector[at];
    if found.is_finite() {
        found.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Chooses moves in steps.
pub trait Policy: Send + Sync {
    /// Returns what is wanted next: more simulations, or a move to play.
    fn step(&self, view: &View<'_>, rng: &mut dyn RngCore) -> Step;
}

/// One step of a policy.
#[derive(Debug, Clone)]
pub enum Step {
    /// Search, then show the position again with the answer.
    Ask(Ask),
    /// Play.
    Play(Choice),
}

/// A move and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The move; legal in the position that was shown.
    pub mv: Move,
    /// Why this one.
    pub record: WhyRecord,
}

/// A wish for simulations.
#[derive(Clone)]
pub struct Ask {
    /// How many, and on what.
    pub work: Work,
    /// Points that the search gives to the player to move beyond the real count
    /// (optimistic komi). The answer reports win rates and leads with them, as the
    /// search saw them; the policy takes them off where it needs the real lead.
    pub komi_offset: f32,
    /// The exploration coefficient, if not the analyst's own.
    pub exploration: Option<f32>,
    /// How much wider the root is looked at than the policy says, if not as the analyst does.
    pub wide_noise: Option<f32>,
    /// Factors on the policy at every position of the search, if any. An analyst
    /// that can weigh the root's moves alone does that.
    pub prior_weights: Option<Arc<dyn PriorWeights>>,
}

/// How simulations are spread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// One search of the position with this many simulations.
    Whole(u64),
    /// A subtree of its own for each of these moves. The number is the simulations
    /// that the move must have had in all, earlier asks of this turn included, and
    /// the answer reports each move's statistics over all of them. An analyst that
    /// begins anew each time makes the difference and joins the two with
    /// [`super::merged`].
    Each(Vec<(Move, u64)>),
}

impl Work {
    /// Returns the simulations that a move must have had in all; 0 if it is not asked for.
    pub fn wanted(&self, mv: Move) -> u64 {
        match self {
            Work::Whole(_) => 0,
            Work::Each(each) => each.iter().find(|it| it.0 == mv).map_or(0, |it| it.1),
        }
    }
}

impl Ask {
    /// Returns a plain wish, without offset, exploration, noise or weights.
    pub fn plain(work: Work) -> Ask {
        Ask {
            work,
            komi_offset: 0.0,
            exploration: None,
            wide_noise: None,
            prior_weights: None,
        }
    }

    /// Returns the wish with points given to the player to move.
    pub fn with_komi_offset(self, komi_offset: f32) -> Ask {
        Ask {
            komi_offset,
            ..self
        }
    }
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("work", &self.work)
            .field("komi_offset", &self.komi_offset)
            .field("exploration", &self.exploration)
            .field("wide_noise", &self.wide_noise)
            .field("prior_weights", &self.prior_weights.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Rules, Size};

    #[test]
    fn odd_vectors_say_nothing() {
        let position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        let mut human = vec![0.0; 82];
        human[0] = f32::NAN;
        human[1] = -1.0;
        human[81] = 0.5;
        let view = View {
            position: &position,
            human: &human,
            prior: &[1.0],
            human_knows_passes: true,
            prior_knows_passes: true,
            answers: &[],
            in_endgame: false,
        };
        let at = |x| Move::Play(Size::S9.point(x, 0).unwrap());
        assert_eq!(view.naturalness(at(0)), 0.0);
        assert_eq!(view.naturalness(at(1)), 0.0);
        assert_eq!(view.naturalness(Move::Pass), 0.5);
        assert_eq!(view.engine_prior(at(0)), 0.0);
    }

    #[test]
    fn a_pass_is_judged_by_the_models_that_know_passes() {
        let position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        let mut human = vec![0.0; 82];
        let mut prior = human.clone();
        (human[81], prior[81]) = (0.3, 0.4);
        for (human_knows_passes, prior_knows_passes, expect) in [
            (true, true, Some(0.4)),
            (true, false, Some(0.3)),
            (false, true, Some(0.4)),
            (false, false, None),
        ] {
            let view = View {
                position: &position,
                human: &human,
                prior: &prior,
                human_knows_passes,
                prior_knows_passes,
                answers: &[],
                in_endgame: false,
            };
            assert_eq!(view.pass_likelihood(), expect);
        }
    }

    #[test]
    fn work_names_the_total_of_a_move() {
        let work = Work::Each(vec![(Move::Pass, 7)]);
        assert_eq!(work.wanted(Move::Pass), 7);
        assert_eq!(Work::Whole(5).wanted(Move::Pass), 0);
    }
}
