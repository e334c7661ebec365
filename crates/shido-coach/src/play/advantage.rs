//! Advantage control: how much of a lead to give back, and which move does it.
//!
//! Follows (HI24, Eq. 1 to 3). The target loss grows with the lead; a move is worth
//! its naturalness, discounted by how far its loss is from the target: sharply
//! ([`AdvantageControl::sharp_score`], Eq. 2) or smoothly, and less so the larger the
//! target is ([`AdvantageControl::smooth_score`], Eq. 3).
//!
//! Invariant: nothing here searches or draws random numbers, so a choice can be
//! replayed from the analysis and the settings alone.

use serde::{Deserialize, Serialize};
use shido_search::{ForMover, Points};

use super::error::{SettingsError, within};

/// What the partner aims for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AdvantageControl {
    /// Lead at which the target loss stops growing (`α`, 25 points).
    pub lead_range: f32,
    /// Target loss in an even game (`β`); the knob for the student's level.
    pub even_loss: f32,
    /// Loss from which a move is not considered at all (20 points).
    pub max_loss: f32,
    /// Keeps a move of no naturalness comparable (`ε`, 0.001).
    pub floor: f32,
}

impl Default for AdvantageControl {
    fn default() -> AdvantageControl {
        AdvantageControl {
            lead_range: 25.0,
            even_loss: 3.2,
            max_loss: 20.0,
            floor: 0.001,
        }
    }
}

impl AdvantageControl {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("alpha (control.lead-range)", self.lead_range, 0.1, 1000.0)?;
        within("beta (control.even-loss)", self.even_loss, 0.0, 100.0)?;
        within("control.max-loss", self.max_loss, 0.0, 1000.0)?;
        within("epsilon (control.floor)", self.floor, 0.0, 1.0)
    }

    /// Returns the points the partner should give away now (HI24, Eq. 1).
    pub fn target_loss(&self, best_lead: ForMover<Points>) -> Points {
        let share = (1.0 + best_lead.0.0 / self.lead_range).clamp(0.0, 2.0);
        Points(self.even_loss * share)
    }

    /// Returns how good a move is for teaching, the loss being near the target or
    /// not (HI24, Eq. 2); `discount` is `γ`.
    pub fn sharp_score(&self, naturalness: f32, loss: f32, target: Points, discount: f32) -> f32 {
        let error = (loss - target.0).abs();
        (naturalness + self.floor) * discount.powf(error)
    }

    /// Returns how good a move is for teaching, a wide target being missed more
    /// easily (HI24, Eq. 3); `steepness` is `τ`.
    pub fn smooth_score(&self, naturalness: f32, loss: f32, target: Points, steepness: f32) -> f32 {
        let error = loss - target.0;
        (naturalness + self.floor) / (error * error / (target.0 + 1.0) + 1.0).powf(steepness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: f32, expect: &str) {
        assert_eq!(format!("{found:.1e}"), expect);
    }

    const CONTROL: AdvantageControl = AdvantageControl {
        lead_range: 25.0,
        even_loss: 3.0,
        max_loss: 20.0,
        floor: 0.001,
    };

    /// (HI24, Eq. 1 and Fig. 2a).
    #[test]
    fn the_target_grows_with_the_lead() {
        let target = |lead| CONTROL.target_loss(ForMover(Points(lead))).0;
        assert_eq!(target(-40.0), 0.0);
        assert_eq!(target(-25.0), 0.0);
        assert_eq!(target(-12.5), 1.5);
        assert_eq!(target(0.0), 3.0);
        assert_eq!(target(25.0), 6.0);
        assert_eq!(target(27.93), 6.0);
    }

    /// The moves C6 and A7, C5 and P6 (HI24, §3.2 and Fig. 5).
    #[test]
    fn the_sharp_score_sacrifices_naturalness() {
        let target = CONTROL.target_loss(ForMover(Points(27.93)));
        let score = |p, loss| CONTROL.sharp_score(p, loss, target, 0.4);
        check(score(0.642, 0.0), "2.6e-3");
        check(score(0.198, 1.54), "3.3e-3");
        check(score(0.952, 17.39), "2.8e-5");
        check(score(0.00007, 3.58), "1.2e-4");
    }

    /// The same moves (HI24, §4.2).
    #[test]
    fn the_smooth_score_does_not() {
        let target = CONTROL.target_loss(ForMover(Points(27.93)));
        let score = |p, loss| CONTROL.smooth_score(p, loss, target, 2.0);
        check(score(0.642, 0.0), "1.7e-2");
        check(score(0.198, 1.54), "1.3e-2");
        check(score(0.952, 17.39), "2.5e-3");
        check(score(0.00007, 3.58), "3.2e-4");
    }

    /// An error of 2 is big for a target of 2 and moderate for 8 (HI24, §3.2).
    #[test]
    fn a_low_target_is_narrower() {
        let share = |target: f32| {
            let score = |loss| CONTROL.smooth_score(0.5, loss, Points(target), 2.0);
            score(target + 2.0) / score(target)
        };
        assert!(share(2.0) < share(8.0));
    }
}
