//! Less control in the opening, where odd moves show most (what SF21, §5.3.2 left open).
//!
//! The points to give away (or `c` of `gentle`) are multiplied by a factor that
//! grows from [`OpeningEase::start`] at the first move to 1.

use serde::{Deserialize, Serialize};
use shido_go::Position;

use super::error::{SettingsError, within};
use super::progress::moves_made;

/// How control sets in.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OpeningEase {
    /// Whether the opening is eased; off for tables of a paper.
    pub enabled: bool,
    /// The factor at the first move.
    pub start: f32,
    /// Moves, as a share of the board's points, after which control is full: 0.12 are 43
    /// moves on 19×19, 20 on 13×13 and 10 on 9×9.
    pub until: f32,
}

impl Default for OpeningEase {
    fn default() -> OpeningEase {
        OpeningEase {
            enabled: true,
            start: 0.2,
            until: 0.12,
        }
    }
}

impl OpeningEase {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        within("opening.start", self.start, 0.0, 1.0)?;
        within("opening.until", self.until, 0.0, 1.0)
    }

    /// Returns the factor on control in a position.
    pub(super) fn factor(&self, position: &Position) -> f32 {
        let length = self.until * position.size().area() as f32;
        let played = moves_made(position);
        if !self.enabled || played >= length {
            return 1.0;
        }
        self.start + (1.0 - self.start) * played / length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Move, Rules, Size};

    #[test]
    fn control_grows_over_the_opening() {
        let ease = OpeningEase::default();
        let mut position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        assert_eq!(ease.factor(&position), 0.2);
        let mut last = 0.0;
        for (point, _) in Size::S9.points().step_by(7).zip(0..10) {
            let factor = ease.factor(&position);
            assert!(factor > last && factor < 1.0, "{factor}");
            last = factor;
            position.play(Move::Play(point)).unwrap();
        }
        assert_eq!(ease.factor(&position), 1.0);
        let off = OpeningEase {
            enabled: false,
            ..ease
        };
        let start = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        assert_eq!(off.factor(&start), 1.0);
    }
}
