//! What a network says before anyone has interpreted it: logits and raw heads.

/// The bare outputs for one position, from the side of the player to move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outputs {
    /// For each policy channel: a logit for each point, row by row, then the pass.
    pub policy: Vec<f32>,
    /// Logits of win, loss and no result.
    pub value: [f32; 3],
    /// The score head: mean, deviation, lead, variance time, and from version 9 the
    /// short-term errors of value and score; the file's units, no multiplier.
    pub scores: [f32; 6],
    /// For each point, row by row: before the tanh.
    pub ownership: Vec<f32>,
}
