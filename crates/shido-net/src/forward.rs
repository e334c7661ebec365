//! The seam between a network and whatever computes it.

use crate::{Inputs, Outputs};

/// Computes one network on one thread, with buffers of its own.
///
/// Every implementation agrees with the reference pass within a stated tolerance.
pub trait Forward: Send {
    /// Returns how it computes in a word, e.g. `reference`, `avx2`, `amx`.
    fn name(&self) -> &'static str;

    /// Evaluates positions, which may be of different sizes.
    ///
    /// Fills `outputs` in the order of `inputs`, reusing what they hold.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn run(&mut self, inputs: &[&Inputs], outputs: &mut [Outputs]);
}
