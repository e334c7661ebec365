//! Which moves a search may not look at, and how deep that holds.

use shido_go::{Color, GRID, Move};

/// A wish about the moves of one color.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// The moves.
    pub moves: Vec<Move>,
    /// Whether these are avoided, or all others.
    pub wish: Wish,
    /// Moves from the root on for which it holds; 1 is the root's moves alone.
    pub until_depth: u32,
}

/// What is wished about moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Look at others.
    Avoid,
    /// Look at no others.
    Allow,
}

/// All wishes, as depths by color and move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Restrictions {
    /// The depth from which a move is free; empty if all are.
    free_from: [Vec<u32>; 2],
}

impl Restrictions {
    pub(super) fn new(wishes: &[Restriction]) -> Restrictions {
        let mut restrictions = Restrictions::default();
        for wish in wishes {
            let table = &mut restrictions.free_from[wish.color.index()];
            table.resize(GRID, 0);
            let depth = wish.until_depth;
            match wish.wish {
                Wish::Avoid => {
                    for &mv in &wish.moves {
                        table[index(mv)] = table[index(mv)].max(depth);
                    }
                }
                Wish::Allow => {
                    let mut allowed = vec![false; GRID];
                    for &mv in &wish.moves {
                        allowed[index(mv)] = true;
                    }
                    for (free, allowed) in table.iter_mut().zip(allowed) {
                        if !allowed {
                            *free = (*free).max(depth);
                        }
                    }
                }
            }
        }
        restrictions
    }

    /// Returns whether a move may be looked at `depth` moves below the root.
    #[inline]
    pub(super) fn allow(&self, color: Color, mv: Move, depth: usize) -> bool {
        let table = &self.free_from[color.index()];
        table.is_empty() || depth >= table[index(mv)] as usize
    }
}

/// Index 0 is no point, so it is the pass.
fn index(mv: Move) -> usize {
    mv.point().map_or(0, shido_go::Point::index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    fn at(x: usize, y: usize) -> Move {
        Move::Play(Size::S9.point(x, y).expect("on the board"))
    }

    #[test]
    fn wishes_hold_for_a_color_and_a_depth() {
        let restrictions = Restrictions::new(&[
            Restriction {
                color: Color::Black,
                moves: vec![at(2, 2), Move::Pass],
                wish: Wish::Avoid,
                until_depth: 3,
            },
            Restriction {
                color: Color::White,
                moves: vec![at(4, 4)],
                wish: Wish::Allow,
                until_depth: 2,
            },
        ]);
        let allow = |color, mv, depth| restrictions.allow(color, mv, depth);
        assert!(!allow(Color::Black, at(2, 2), 2) && allow(Color::Black, at(2, 2), 4));
        assert!(!allow(Color::Black, Move::Pass, 0));
        assert!(allow(Color::Black, at(4, 4), 0));
        assert!(allow(Color::White, at(4, 4), 1));
        assert!(!allow(Color::White, at(2, 2), 1) && allow(Color::White, at(2, 2), 3));
        assert!(Restrictions::default().allow(Color::White, at(0, 0), 0));
    }
}
