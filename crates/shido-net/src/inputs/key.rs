//! A short name for the inputs of a position, for caches.

/// Identifies inputs; different inputs have different keys but for a chance of about 2⁻⁶⁴.
///
/// It is made before the inputs, from the hashes of the boards they show (64 bits
/// each) and everything else they depend on, so that a cache hit costs no encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputKey(u128);

impl InputKey {
    /// Returns the bits.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns the key of these inputs together with something else, such as the
    /// symmetry they are turned by or the description of a player.
    pub fn with(self, more: impl IntoIterator<Item = u64>) -> InputKey {
        let mut mixer = Mixer {
            lanes: [(self.0 >> 64) as u64, self.0 as u64],
        };
        for word in more {
            mixer.add(word);
        }
        mixer.finish()
    }
}

/// Mixes words into a key: two multiplicative hashes side by side.
pub(super) struct Mixer {
    lanes: [u64; 2],
}

impl Mixer {
    pub(super) fn new() -> Mixer {
        Mixer {
            lanes: [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344],
        }
    }

    #[inline]
    pub(super) fn add(&mut self, word: u64) {
        const ODD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
        for (lane, odd) in self.lanes.iter_mut().zip(ODD) {
            let product = u128::from(*lane ^ word) * u128::from(odd);
            *lane = (product as u64 ^ (product >> 64) as u64).rotate_left(23);
            // A word that cancels the lane must not leave it at zero.
            *lane = lane.wrapping_add(odd);
        }
    }

    pub(super) fn finish(mut self) -> InputKey {
        self.add(0x5eed);
        InputKey(u128::from(self.lanes[0]) << 64 | u128::from(self.lanes[1]))
    }
}
