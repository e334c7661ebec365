//! Whose side a number is seen from, as a type.
//!
//! Every win rate and score that crosses a crate border is a [`ForBlack`] or a
//! [`ForMover`], so that a sign error does not compile.

use shido_go::Color;

/// A quantity that has an equivalent from the opponent's side.
pub trait Flip: Copy {
    /// Returns the same fact as the opponent sees it.
    fn flip(self) -> Self;
}

/// A probability of winning, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct WinRate(pub f32);

/// A number of points on the board.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Points(pub f32);

/// What a search maximizes: win or loss as ±1, and a little for the score.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Utility(pub f32);

impl Flip for Utility {
    #[inline]
    fn flip(self) -> Utility {
        Utility(-self.0)
    }
}

impl Flip for WinRate {
    #[inline]
    fn flip(self) -> WinRate {
        WinRate(1.0 - self.0)
    }
}

impl Flip for Points {
    #[inline]
    fn flip(self) -> Points {
        Points(-self.0)
    }
}

/// Seen from Black's side.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct ForBlack<T>(pub T);

/// Seen from the side of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct ForMover<T>(pub T);

impl<T: Flip> ForBlack<T> {
    /// Returns the value as `mover` sees it.
    #[inline]
    pub fn for_mover(self, mover: Color) -> ForMover<T> {
        ForMover(self.as_seen_by(mover))
    }

    /// Returns the bare value as a color sees it.
    #[inline]
    pub fn as_seen_by(self, color: Color) -> T {
        match color {
            Color::Black => self.0,
            Color::White => self.0.flip(),
        }
    }
}

impl<T: Flip> ForMover<T> {
    /// Returns the value as Black sees it, `mover` being the player to move.
    #[inline]
    pub fn for_black(self, mover: Color) -> ForBlack<T> {
        match mover {
            Color::Black => ForBlack(self.0),
            Color::White => ForBlack(self.0.flip()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_side_and_back_is_the_identity() {
        for color in Color::BOTH {
            let lead = ForBlack(Points(3.5));
            assert_eq!(lead.for_mover(color).for_black(color), lead);
        }
        assert_eq!(
            ForBlack(WinRate(0.75)).for_mover(Color::White),
            ForMover(WinRate(0.25))
        );
    }
}
