//! How the neural search weighs what it is told.
//!
//! The defaults are KataGo's unless a field says otherwise: those of its games in
//! [`PuctSettings::default`], those of its analyses in [`PuctSettings::analysis`].
//! What a style or a partner changes beyond numbers is in [`super::Hooks`].

/// The neural search's settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PuctSettings {
    /// What an evaluation is worth.
    pub utility: UtilitySettings,
    /// Which move a visit goes to.
    pub exploration: ExplorationSettings,
    /// How much each evaluation counts in an average.
    pub weights: WeightSettings,
    /// What is different at the root.
    pub root: RootSettings,
    /// Which move is played.
    pub choice: ChoiceSettings,
    /// What is kept and reported.
    pub report: ReportSettings,
    /// Points added to the komi for the evaluator's eyes; a positive number makes the
    /// search think White stands better. Reported scores are by the true komi.
    pub komi_offset: f32,
    /// Where the random numbers start; equal seeds and one request at a time give
    /// equal searches.
    pub seed: u64,
}

/// What an evaluation is worth: the result, and a little for the score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UtilitySettings {
    /// Utility of a win; a loss is its negative.
    pub win_loss: f32,
    /// The most that the score can add, seen from an even game.
    pub static_score: f32,
    /// The most that the score can add, seen from what is expected at the root.
    pub dynamic_score: f32,
    /// How far the center of the dynamic part is drawn from the expected score to zero.
    pub center_zero_weight: f32,
    /// Width of the dynamic part, in roots of the board's area.
    pub center_scale: f32,
    /// Utility of a game without result, for Black.
    pub no_result: f32,
}

impl Default for UtilitySettings {
    fn default() -> UtilitySettings {
        UtilitySettings {
            win_loss: 1.0,
            static_score: 0.1,
            dynamic_score: 0.3,
            center_zero_weight: 0.2,
            center_scale: 0.75,
            no_result: 0.0,
        }
    }
}

/// Which move a visit goes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExplorationSettings {
    /// The exploration coefficient.
    pub coefficient: f32,
    /// What is added to it for each factor *e* of visits beyond `base`.
    pub log: f32,
    /// Visits at which that growth sets in.
    pub base: f32,
    /// The utility's standard deviation that leaves the coefficient as it is.
    pub deviation_prior: f32,
    /// Visits that the prior deviation counts as.
    pub deviation_prior_weight: f32,
    /// How much an observed deviation scales the coefficient, 0 not at all.
    pub deviation_scale: f32,
    /// How much worse than its parent an unvisited move is taken to be when all likely
    /// moves have been visited (first-play urgency).
    pub first_play_reduction: f32,
    /// The same at the root.
    pub root_first_play_reduction: f32,
    /// Power of the visited moves' share of the policy with which the parent's average
    /// replaces its evaluation in first-play urgency.
    pub first_play_power: f32,
    /// Lost visits that a request in flight counts as.
    pub virtual_loss: f32,
}

impl Default for ExplorationSettings {
    fn default() -> ExplorationSettings {
        ExplorationSettings {
            coefficient: 1.0,
            log: 0.45,
            base: 500.0,
            deviation_prior: 0.4,
            deviation_prior_weight: 2.0,
            deviation_scale: 0.85,
            first_play_reduction: 0.2,
            root_first_play_reduction: 0.1,
            first_play_power: 2.0,
            virtual_loss: 1.0,
        }
    }
}

/// How much each evaluation counts in an average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightSettings {
    /// Power of the chance that a move is the best with which its weight is scaled.
    pub value_exponent: f32,
    /// Utility by which a move must be worse than likelier ones for weight beyond twice
    /// its share of the policy to be taken off by a factor *e*; `None` takes nothing off.
    pub noise_pruning: Option<f32>,
    /// How evaluations that say how sure they are are weighed; `None` weighs all alike.
    pub uncertainty: Option<UncertaintySettings>,
    /// How errors seen in a local shape correct evaluations there; `None` leaves them.
    /// KataGo corrects them; on a tree that brings our results no nearer to its own.
    pub bias: Option<BiasSettings>,
}

/// How errors seen in a local shape correct evaluations there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BiasSettings {
    /// The part of the mean error that is corrected.
    pub factor: f32,
    /// Power of a subtree's weight that its error counts with.
    pub weight_exponent: f32,
}

impl Default for BiasSettings {
    fn default() -> BiasSettings {
        BiasSettings {
            factor: 0.45,
            weight_exponent: 0.85,
        }
    }
}

impl Default for WeightSettings {
    fn default() -> WeightSettings {
        WeightSettings {
            value_exponent: 0.25,
            noise_pruning: Some(0.15),
            uncertainty: Some(UncertaintySettings::default()),
            bias: None,
        }
    }
}

/// How evaluations that say how sure they are are weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UncertaintySettings {
    /// The error at which an evaluation counts about once.
    pub coefficient: f32,
    /// Power of the error.
    pub exponent: f32,
    /// What an evaluation without error counts.
    pub max_weight: f32,
}

impl Default for UncertaintySettings {
    fn default() -> UncertaintySettings {
        UncertaintySettings {
            coefficient: 0.25,
            exponent: 1.0,
            max_weight: 8.0,
        }
    }
}

/// What is different at the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootSettings {
    /// Noise on the policy, for self-play.
    pub noise: RootNoise,
    /// Flattens the policy (above 1) or sharpens it.
    pub temperature: Temperature,
    /// Random bonuses that make the search look at more moves.
    pub wide_noise: f32,
    /// Points by which moves that only prolong the game are held back, so that equal
    /// moves are played in an order people find natural.
    pub ending_bonus: f32,
    /// Symmetries averaged for the root's evaluation, 1 to 8.
    pub symmetries: u8,
    /// What is simplified at the root.
    pub rules: RootRules,
}

/// What is simplified at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootRules {
    /// Whether only one of several mirrored moves on a symmetric board is searched.
    pub prune_symmetric: bool,
    /// Whether a pass at the root never ends the game.
    pub conservative_pass: bool,
    /// Whether the evaluator is told nothing of the moves before the root.
    pub ignore_history: bool,
}

impl Default for RootSettings {
    fn default() -> RootSettings {
        RootSettings {
            noise: RootNoise::default(),
            temperature: Temperature::constant(1.0),
            wide_noise: 0.0,
            ending_bonus: 0.5,
            symmetries: 1,
            rules: RootRules {
                prune_symmetric: true,
                conservative_pass: true,
                ignore_history: false,
            },
        }
    }
}

/// Dirichlet noise on the root's policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootNoise {
    /// Whether there is any.
    pub enabled: bool,
    /// The sum of the distribution's parameters over all moves.
    pub concentration: f32,
    /// The noise's share of the new policy.
    pub weight: f32,
}

impl Default for RootNoise {
    fn default() -> RootNoise {
        RootNoise {
            enabled: false,
            concentration: 10.83,
            weight: 0.25,
        }
    }
}

/// A temperature that goes from one value to another as a game goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temperature {
    /// At the first move.
    pub early: f32,
    /// In the end.
    pub late: f32,
    /// Moves on 19×19 in which half of the way is gone; fewer on smaller boards.
    pub half_life: f32,
}

impl Temperature {
    /// Returns a temperature that never changes.
    pub const fn constant(temperature: f32) -> Temperature {
        Temperature {
            early: temperature,
            late: temperature,
            half_life: 19.0,
        }
    }

    /// Returns the temperature after so many moves.
    pub fn after(&self, moves: usize, size: shido_go::Size) -> f32 {
        let half_lives = moves as f32 / self.half_life * 19.0 / (size.area() as f32).sqrt();
        self.late + (self.early - self.late) * 0.5f32.powf(half_lives)
    }
}

/// Which move is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoiceSettings {
    /// Standard errors between a move's utility and its lower bound; `None` chooses by
    /// weight alone.
    pub lower_bound: Option<f32>,
    /// Share of the most visited move's weight that a move needs to be chosen for its
    /// lower bound.
    pub min_share: f32,
}

impl Default for ChoiceSettings {
    fn default() -> ChoiceSettings {
        ChoiceSettings {
            lower_bound: Some(5.0),
            min_share: 0.15,
        }
    }
}

/// What is kept and reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportSettings {
    /// Bytes the tree may take; a full tree stops the search.
    pub memory: usize,
    /// Moves shown of an expected continuation.
    pub line: usize,
    /// What is known of each point.
    pub ownership: Ownership,
    /// Whether each evaluation is turned by a symmetry drawn at random.
    pub random_symmetry: bool,
}

/// What a search keeps and reports of who owns each point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ownership {
    /// Nothing but the root's evaluation.
    None,
    /// The average over the tree.
    Root,
    /// The average after each candidate as well.
    Candidates,
}

impl Default for ReportSettings {
    fn default() -> ReportSettings {
        ReportSettings {
            memory: 1 << 30,
            line: 15,
            ownership: Ownership::Root,
            random_symmetry: false,
        }
    }
}

/// A setting the search cannot work with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// The tree would not hold a root and its moves.
    #[error("{0} bytes are too few for a tree: give it at least {1}")]
    TooLittleMemory(usize, usize),
    /// A number is negative or not a number.
    #[error("{0} must be a number that is not negative, is {1}")]
    Negative(&'static str, f32),
    /// A number is zero, negative or not a number.
    #[error("{0} must be a positive number, is {1}")]
    NotPositive(&'static str, f32),
    /// A number is not finite.
    #[error("{0} must be a number, is {1}")]
    NotFinite(&'static str, f32),
    /// A share is not between 0 and 1.
    #[error("{0} must be between 0 and 1, is {1}")]
    NotShare(&'static str, f32),
    /// More symmetries than there are, or none.
    #[error("1 to 8 symmetries can be averaged, not {0}")]
    Symmetries(u8),
}

impl PuctSettings {
    /// The smallest tree that makes sense.
    pub const MIN_MEMORY: usize = 1 << 20;

    /// Returns KataGo's settings for analysis: it looks at a few moves more and sees
    /// the position without the moves that led to it.
    pub fn analysis() -> PuctSettings {
        let mut settings = PuctSettings::default();
        settings.root.wide_noise = 0.04;
        settings.root.rules.ignore_history = true;
        settings
    }

    /// Says what is wrong with the settings, if anything is.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.report.memory < PuctSettings::MIN_MEMORY {
            return Err(SettingsError::TooLittleMemory(
                self.report.memory,
                PuctSettings::MIN_MEMORY,
            ));
        }
        if !(1..=8).contains(&self.root.symmetries) {
            return Err(SettingsError::Symmetries(self.root.symmetries));
        }
        self.check_signs()?;
        self.check_shares()?;
        for (name, value) in [
            ("komi_offset", self.komi_offset),
            ("no_result", self.utility.no_result),
            ("ending_bonus", self.root.ending_bonus),
        ] {
            if !value.is_finite() {
                return Err(SettingsError::NotFinite(name, value));
            }
        }
        Ok(())
    }

    fn check_signs(&self) -> Result<(), SettingsError> {
        let noise = self.root.noise;
        let uncertainty = self.weights.uncertainty.unwrap_or_default();
        let bias = self.weights.bias.unwrap_or_default();
        let PuctSettings {
            utility,
            exploration,
            weights,
            root,
            choice,
            ..
        } = self;
        for (name, value) in [
            ("win_loss", utility.win_loss),
            ("static_score", utility.static_score),
            ("dynamic_score", utility.dynamic_score),
            ("exploration coefficient", exploration.coefficient),
            ("exploration log", exploration.log),
            ("deviation_prior_weight", exploration.deviation_prior_weight),
            ("first_play_reduction", exploration.first_play_reduction),
            (
                "root_first_play_reduction",
                exploration.root_first_play_reduction,
            ),
            ("first_play_power", exploration.first_play_power),
            ("value_exponent", weights.value_exponent),
            ("uncertainty exponent", uncertainty.exponent),
            ("bias weight_exponent", bias.weight_exponent),
            ("wide_noise", root.wide_noise),
            ("lower_bound", choice.lower_bound.unwrap_or_default()),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(SettingsError::Negative(name, value));
            }
        }
        for (name, value) in [
            ("center_scale", utility.center_scale),
            ("exploration base", exploration.base),
            ("deviation_prior", exploration.deviation_prior),
            ("virtual_loss", exploration.virtual_loss),
            ("noise_pruning", weights.noise_pruning.unwrap_or(1.0)),
            ("uncertainty coefficient", uncertainty.coefficient),
            ("uncertainty max_weight", uncertainty.max_weight),
            ("noise concentration", noise.concentration),
            ("early temperature", root.temperature.early),
            ("late temperature", root.temperature.late),
            ("half_life", root.temperature.half_life),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(SettingsError::NotPositive(name, value));
            }
        }
        Ok(())
    }

    fn check_shares(&self) -> Result<(), SettingsError> {
        for (name, value) in [
            ("center_zero_weight", self.utility.center_zero_weight),
            ("deviation_scale", self.exploration.deviation_scale),
            ("min_share", self.choice.min_share),
            ("bias factor", self.weights.bias.unwrap_or_default().factor),
            ("noise weight", self.root.noise.weight),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(SettingsError::NotShare(name, value));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    #[test]
    fn shipped_settings_are_sound() {
        assert_eq!(PuctSettings::default().check(), Ok(()));
        assert_eq!(PuctSettings::analysis().check(), Ok(()));
    }

    #[test]
    fn unsound_settings_are_named() {
        let mut settings = PuctSettings::default();
        settings.exploration.coefficient = f32::NAN;
        let error = settings.check().expect_err("not a number");
        assert!(error.to_string().contains("exploration coefficient"));
        settings = PuctSettings::default();
        settings.choice.min_share = 1.5;
        assert_eq!(
            settings.check(),
            Err(SettingsError::NotShare("min_share", 1.5))
        );
        settings = PuctSettings::default();
        settings.report.memory = 7;
        assert!(settings.check().is_err());
        settings = PuctSettings::default();
        settings.root.symmetries = 9;
        assert_eq!(settings.check(), Err(SettingsError::Symmetries(9)));
    }

    #[test]
    fn a_temperature_cools_by_half_lives_sooner_on_small_boards() {
        let temperature = Temperature {
            early: 0.5,
            late: 0.1,
            half_life: 19.0,
        };
        assert_eq!(temperature.after(0, Size::S19), 0.5);
        assert!((temperature.after(19, Size::S19) - 0.3).abs() < 1e-6);
        assert!((temperature.after(9, Size::S9) - 0.3).abs() < 1e-6);
    }
}
