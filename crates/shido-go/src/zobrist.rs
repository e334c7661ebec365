//! Keys for hashing positions.
//!
//! The keys are computed at compile time from a fixed seed, so that equal boards
//! have equal hashes in every run and on every machine.

use crate::point::GRID;

const fn mix(mut z: u64) -> u64 {
    // SplitMix64's finalizer.
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn table(seed: u64) -> [[u64; GRID]; 2] {
    let mut keys = [[0; GRID]; 2];
    let mut state = seed;
    let mut color = 0;
    while color < 2 {
        let mut i = 0;
        while i < GRID {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            keys[color][i] = mix(state);
            i += 1;
        }
        color += 1;
    }
    keys
}

/// Key of a stone, by color and point index.
pub(crate) static STONE: [[u64; GRID]; 2] = table(0x7368_6964_6f67_6f31);
/// Key of a ko ban, by point index (first row); the second row is spare.
pub(crate) static KO: [[u64; GRID]; 2] = table(0x6b6f_6b6f_6b6f_6b6f);
/// Added when White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = mix(0x7475_726e);
