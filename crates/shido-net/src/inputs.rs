//! A position as a network sees it (KataGo's inputs, version 7).
//!
//! All planes are yes or no for each point, so they are kept as bits: small to
//! store and cache, quick to turn and to sum over.
//!
//! | plane | yes where |
//! |---|---|
//! | 0 | the board is |
//! | 1, 2 | the player to move, the opponent has a stone |
//! | 3, 4, 5 | a stone's chain has 1, 2, 3 liberties |
//! | 6 | ko or superko forbids to play |
//! | 7, 8 | nothing: the encore, and a plane without use |
//! | 9 to 13 | the latest move was, the one before it, and so on |
//! | 14, 15, 16 | a stone can be caught in a ladder now, one turn ago, two turns ago |
//! | 17 | a move catches an opposing chain in a ladder |
//! | 18, 19 | the player to move, the opponent owns the point as it stands |
//! | 20, 21 | nothing: the encore |
//!
//! | global | what |
//! |---|---|
//! | 0 to 4 | the latest move was a pass, the one before it, and so on |
//! | 5 | komi for the player to move, in 20 points |
//! | 6, 7 | superko; 0.5 positional, −0.5 situational |
//! | 8 | suicide is allowed |
//! | 9 | territory counts |
//! | 10, 11 | seki is taxed; groups are |
//! | 12, 13 | nothing: the encore |
//! | 14 | a pass would end the game, or the phase before the encore |
//! | 15, 16 | playout doubling advantage: there is one; half of it |
//! | 17 | the button is there |
//! | 18 | how near a drawable komi is ([`Encoder`] makes a wave of it) |
//!
//! The encore is KataGo's way of playing territory games out; a
//! [`shido_go::Position`] never enters it.

mod area;
mod bans;
mod encoder;
mod key;
mod ladders;
mod outline;
mod phase;
mod settings;
mod turn;

use shido_go::Size;

pub use encoder::Encoder;
pub use key::InputKey;
pub use settings::InputSettings;

/// Planes of the version-7 inputs.
pub const PLANES: usize = 22;
/// Global numbers of the version-7 inputs.
pub const GLOBALS: usize = 19;
/// Numbers that describe a player to a human-imitation net.
pub const META_CHANNELS: usize = 192;

/// The longest side a network takes.
pub(crate) const LONGEST: usize = 19;
const WORDS: usize = (LONGEST * LONGEST).div_ceil(64);

/// A yes or no for each point, row by row from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Plane([u64; WORDS]);

impl Plane {
    /// Returns the plane that says yes at the first `count` indices.
    pub fn full(count: usize) -> Plane {
        let mut plane = Plane::default();
        for (i, word) in plane.0.iter_mut().enumerate() {
            *word = match count.saturating_sub(64 * i) {
                left @ 0..64 => (1 << left) - 1,
                _ => u64::MAX,
            };
        }
        plane
    }

    /// Says yes at an index.
    #[inline]
    pub fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Returns whether it is yes at an index.
    #[inline]
    pub fn get(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    /// Returns the indices that are yes, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors((bits != 0).then_some(bits), |&rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| word * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// Returns the bits, the first point lowest.
    pub fn words(&self) -> &[u64; WORDS] {
        &self.0
    }
}

/// One position as a network sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Inputs {
    /// The board; at most 19 in each direction. Plane 0, the points on the board, is full.
    pub size: Size,
    /// The planes.
    pub planes: [Plane; PLANES],
    /// The globals.
    pub globals: [f32; GLOBALS],
    /// The description of the player for a human-imitation net.
    pub meta: Option<Box<[f32; META_CHANNELS]>>,
}
