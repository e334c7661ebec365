//! A position as a network sees it (KataGo's inputs, version 7).
//!
//! All planes are yes or no for each point, so they are kept as bits: small to
//! store and cache, quick to turn and to sum over.

use shido_go::Size;

/// Planes of the version-7 inputs.
pub const PLANES: usize = 22;
/// Global numbers of the version-7 inputs.
pub const GLOBALS: usize = 19;
/// Numbers that describe a player to a human-imitation net.
pub const META_CHANNELS: usize = 192;

/// The longest side a network takes.
const LONGEST: usize = 19;
const WORDS: usize = (LONGEST * LONGEST).div_ceil(64);

/// A yes or no for each point, row by row from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Plane([u64; WORDS]);

impl Plane {
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
