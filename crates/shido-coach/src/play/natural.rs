//! The default partner: halving with the smooth score (HI24, §4.2, P6).
//!
//! The paper plays the highest score. People do not play alike twice: with some
//! [`NaturalSettings::variety`] the move is drawn by its score from those that reached the
//! last round, so that a game is not the same again and bad moves come as they do to
//! people, at times.
//!
//! A weak level's target is high, and the score then holds it against a move that it loses
//! nothing. But a capture that all beginners see is no place for a mistake: what is
//! obvious is drawn at least as often as people play it. And where nearly all that people
//! would play loses more than the paper allows, because it is refuted as only strong players
//! can, none of it is set aside: what would be left are moves that nobody plays.

use rand_xoshiro::rand_core::RngCore;
use serde::{Deserialize, Serialize};

use super::error::{SettingsError, within};
use super::halving::{self, Aim};
use super::settings::PartnerSettings;
use super::step::{Step, View};
use super::why::Rule;

/// What the smooth score adds to the settings of halving.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NaturalSettings {
    /// How steeply the score falls with the error (`τ`, 2).
    pub steepness: f32,
    /// How freely a move is drawn: a score counts as its power of 1 / `variety`. With 0, the
    /// paper's way, the highest score is played.
    pub variety: f32,
    /// Naturalness from which a move is obvious: where moves are drawn it reaches the last
    /// round, and is played at least as often as people play it. 1 for none.
    pub obvious_from: f32,
    /// Share of people's moves that must be left, where moves are drawn, when those that lose
    /// too much are set aside (`max-loss`); otherwise none is. 0 to set them aside always.
    pub spared: f32,
}

impl Default for NaturalSettings {
    fn default() -> NaturalSettings {
        NaturalSettings {
            steepness: 2.0,
            variety: 0.0,
            obvious_from: 0.7,
            spared: 0.2,
        }
    }
}

impl NaturalSettings {
    pub(super) fn check(self) -> Result<(), SettingsError> {
        within("tau (natural.steepness)", self.steepness, 0.0, 100.0)?;
        within("natural.variety", self.variety, 0.0, 10.0)?;
        // Two moves cannot both be above one half.
        within("natural.obvious-from", self.obvious_from, 0.5, 1.0)?;
        within("natural.spared", self.spared, 0.0, 1.0)
    }

    /// Returns whether a move may not be passed over.
    fn is_obvious(self, naturalness: f32) -> bool {
        self.variety > 0.0 && naturalness > self.obvious_from
    }
}

/// Takes the next step of halving with the smooth score.
pub(super) fn step(settings: &PartnerSettings, view: &View<'_>, rng: &mut dyn RngCore) -> Step {
    let control = &settings.control;
    let natural = settings.natural;
    let is_obvious = |naturalness| natural.is_obvious(naturalness);
    let aim = Aim {
        score: &|p, loss, target| control.smooth_score(p, loss, target, natural.steepness),
        keeps: &is_obvious,
        spares: if natural.variety > 0.0 {
            natural.spared
        } else {
            0.0
        },
    };
    halving::step_by(settings, view, aim, &mut |turn| {
        turn.play_drawn(Rule::NaturalScore, natural.variety, &is_obvious, rng)
    })
}
