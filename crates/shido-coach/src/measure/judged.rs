//! One move of a game, with what its judges said.

use shido_go::{Move, Position};

/// Probability above which a move is expected of everybody (HI24, §5.2).
pub const IGNORED_ABOVE: f32 = 0.9;
/// Probability below which a move is unlikely (HI24, §5.3).
pub const UNLIKELY_BELOW: f32 = 0.01;

/// A move and its judgment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedMove {
    /// The number of the move in the game, from 1.
    pub number: usize,
    /// The distance from the previous move, if both are stones.
    pub distance: Option<f64>,
    /// How likely people play it (`p′`).
    pub naturalness: f32,
    /// How likely people play the move they like best here.
    pub most_natural: f32,
    /// How likely the engine's model plays it, if it was asked.
    pub prior: Option<f32>,
    /// The points it gave away, if it was judged (`a_max − a`).
    pub loss: Option<f32>,
}

impl JudgedMove {
    /// Judges a move by two move models (row by row, then the pass) and an analysis.
    pub fn new(
        position: &Position,
        mv: Move,
        human: &[f32],
        prior: Option<&[f32]>,
        loss: Option<f32>,
    ) -> JudgedMove {
        let size = position.size();
        let at = mv.point().map_or(size.area(), |point| size.index_of(point));
        let previous = position.last_move().and_then(|last| last.mv.point());
        let distance = previous.zip(mv.point()).map(|(a, b)| a.distance(b));
        let of = |model: &[f32]| model.get(at).copied().unwrap_or(0.0);
        JudgedMove {
            number: position.moves().len() + 1,
            distance,
            naturalness: of(human),
            most_natural: human.iter().copied().fold(0.0, f32::max),
            prior: prior.map(of),
            loss,
        }
    }

    /// Returns whether everybody would have played another move (HI24, §5.2).
    pub fn ignores_the_obvious(&self) -> bool {
        self.most_natural > IGNORED_ABOVE && self.naturalness < self.most_natural
    }

    /// Returns whether a person would find it odd, as far as a model can tell: nearly
    /// nobody plays it, or everybody plays another. Stands for the unnatural moves that
    /// people marked in (SF21, §5.2).
    pub fn is_unnatural(&self) -> bool {
        self.naturalness < UNLIKELY_BELOW || self.ignores_the_obvious()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Rules, Size, gtp};

    #[test]
    fn a_move_is_judged_by_what_it_might_have_been() {
        let read = |vertex| gtp::parse_vertex(vertex, Size::S9).unwrap();
        let mut position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
        position.play(read("E5")).unwrap();
        let mut human = vec![0.0; 82];
        // C7 and G3, by row and column from the top left.
        human[2 * 9 + 2] = 0.92;
        human[6 * 9 + 6] = 0.08;
        let judge = |vertex| JudgedMove::new(&position, read(vertex), &human, None, Some(1.5));
        let c7 = judge("C7");
        assert_eq!(c7.number, 2);
        assert!((c7.distance.unwrap() - 8.0f64.sqrt()).abs() < 1e-9);
        assert!(!c7.ignores_the_obvious() && !c7.is_unnatural());
        let g3 = judge("G3");
        assert_eq!((g3.naturalness, g3.most_natural), (0.08, 0.92));
        assert!(g3.ignores_the_obvious() && g3.is_unnatural());
        let pass = judge("pass");
        assert_eq!(pass.distance, None);
        human[2 * 9 + 2] = 0.5;
        let odd = JudgedMove::new(&position, read("A1"), &human, Some(&human), None);
        assert!(!odd.ignores_the_obvious() && odd.is_unnatural());
        assert_eq!(odd.prior, Some(0.0));
    }
}
