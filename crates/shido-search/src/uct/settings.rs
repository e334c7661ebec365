//! How the classic search weighs what it knows.

use shido_go::Size;
use shido_patterns::model::is_small;

/// The classic search's settings. The defaults are what the program ships.
#[derive(Debug, Clone, PartialEq)]
pub struct UctSettings {
    /// Threads that grow the tree together.
    pub threads: usize,
    /// Where the random numbers start; equal seeds and one thread give equal searches.
    pub seed: u64,
    /// Bytes the tree may take.
    pub memory: usize,
    /// Coefficient of UCB1's exploration term (FT20, Eq. 2.1).
    pub exploration: f32,
    /// What small and large boards need differently; by the size of the board if none.
    pub tuning: Option<Tuning>,
    /// Visits after which a node's second-likeliest move is looked at (progressive widening).
    /// People mostly answer where the last stone is; the largest move may be elsewhere and
    /// its prior small.
    pub widening_base: f32,
    /// How many times longer the wait for each further move is.
    pub widening_growth: f32,
    /// Visits a leaf needs before it gets children.
    pub expand_after: u32,
    /// Children kept at a node, the likeliest first.
    pub max_children: usize,
    /// Share of a value that is the score instead of the result.
    pub score_share: f32,
    /// Prior of a pass.
    pub pass_prior: f32,
    /// Whether a search ends when no other move can overtake the best one.
    pub stop_when_decided: bool,
}

impl Default for UctSettings {
    fn default() -> UctSettings {
        UctSettings {
            threads: 1,
            seed: 0,
            memory: 256 << 20,
            exploration: 0.0,
            tuning: None,
            widening_base: 3.0,
            widening_growth: 1.1,
            expand_after: 2,
            max_children: 120,
            score_share: 0.3,
            pass_prior: 0.002,
            stop_when_decided: false,
        }
    }
}

/// What the classic search weighs differently on small and on large boards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// Coefficient of the exploration term that follows the prior.
    pub prior_exploration: f32,
    /// Power that flattens (below 1) or sharpens the prior.
    pub prior_power: f32,
    /// Visits at which a move's own results weigh as much as its RAVE results.
    pub rave_equivalence: f32,
    /// How far into a playout RAVE looks: so many stones for each point of the board.
    /// What is played late says little about now, the more so the smaller the board.
    pub rave_reach: f32,
}

impl Tuning {
    /// For [small](is_small) boards; found by games on 9×9.
    pub const SMALL: Tuning = Tuning {
        prior_exploration: 0.6,
        prior_power: 1.25,
        rave_equivalence: 1000.0,
        rave_reach: 0.5,
    };
    /// For larger boards; found by positions and games on 19×19. A playout ends before
    /// RAVE's reach does.
    pub const LARGE: Tuning = Tuning {
        prior_exploration: 0.7,
        prior_power: 1.0,
        rave_equivalence: 1500.0,
        rave_reach: 3.0,
    };
    /// Returns what the program ships for a board.
    pub fn of(size: Size) -> Tuning {
        if is_small(size) {
            Tuning::SMALL
        } else {
            Tuning::LARGE
        }
    }
}

/// A setting the search cannot work with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// No thread would search.
    #[error("threads must be at least 1")]
    NoThreads,
    /// The tree would not hold a root and its moves.
    #[error("{0} bytes are too few for a tree: give it at least {1}")]
    TooLittleMemory(usize, usize),
    /// Widening would never or always widen.
    #[error("widening_base must be positive and widening_growth above 1, are {0} and {1}")]
    Widening(f32, f32),
    /// A coefficient is negative or not a number.
    #[error("{0} must be a number that is not negative, is {1}")]
    Coefficient(&'static str, f32),
}

impl UctSettings {
    /// The smallest tree that makes sense.
    pub const MIN_MEMORY: usize = 1 << 20;

    /// Returns how many of a node's moves are looked at after so many visits: the wait
    /// for the (k+1)-th is `widening_base · widening_growth^(k−1)` visits.
    pub(super) fn width(&self, visits: f32) -> usize {
        let waits = 1.0 + visits * (self.widening_growth - 1.0) / self.widening_base;
        1 + (waits.ln() / self.widening_growth.ln()) as usize
    }

    /// Returns what holds on a board.
    pub fn tuning(&self, size: Size) -> Tuning {
        self.tuning.unwrap_or_else(|| Tuning::of(size))
    }

    /// Says what is wrong with the settings, if anything is.
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.threads == 0 {
            return Err(SettingsError::NoThreads);
        }
        if self.memory < UctSettings::MIN_MEMORY {
            return Err(SettingsError::TooLittleMemory(
                self.memory,
                UctSettings::MIN_MEMORY,
            ));
        }
        if !(self.widening_base > 0.0 && self.widening_growth > 1.0) {
            return Err(SettingsError::Widening(
                self.widening_base,
                self.widening_growth,
            ));
        }
        let own = [
            ("exploration", self.exploration),
            ("score_share", self.score_share),
            ("pass_prior", self.pass_prior),
        ];
        let tuned = self.tuning.iter().flat_map(|tuning| {
            [
                ("prior_exploration", tuning.prior_exploration),
                ("prior_power", tuning.prior_power),
                ("rave_equivalence", tuning.rave_equivalence),
                ("rave_reach", tuning.rave_reach),
            ]
        });
        for (name, value) in own.into_iter().chain(tuned) {
            if !(value.is_finite() && value >= 0.0) {
                return Err(SettingsError::Coefficient(name, value));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_let_in_one_by_one() {
        let settings = UctSettings {
            widening_base: 40.0,
            widening_growth: 1.4,
            ..UctSettings::default()
        };
        // Waits of 40, 56 and 78.4 visits.
        let widths = [0.0, 39.0, 41.0, 95.0, 97.0, 174.0, 175.0].map(|n| settings.width(n));
        assert_eq!(widths, [1, 1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn small_and_large_boards_are_tuned_apart() {
        let settings = UctSettings::default();
        assert_eq!(settings.tuning(Size::S9), Tuning::SMALL);
        assert_eq!(settings.tuning(Size::S13), Tuning::LARGE);
        let flat = Tuning {
            prior_power: 0.5,
            ..Tuning::SMALL
        };
        let told = UctSettings {
            tuning: Some(flat),
            ..UctSettings::default()
        };
        assert_eq!(told.tuning(Size::S19), flat);
    }
}
