//! What a caller decides about the inputs; everything else follows from the position.

/// How a position is shown to a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InputSettings {
    /// Never shows that a pass would end the game. For the root of a search that
    /// must not count on the opponent's agreement (KataGo's `conservativePass`).
    pub conservative_pass: bool,
    /// Does not show it either where the player to move would not win by passing
    /// (KataGo's `enablePassingHacks`).
    pub passing_hacks: bool,
    /// The most moves of history shown; more than five are never shown.
    pub max_history: usize,
    /// How many doublings of playouts the player to move has over the opponent.
    pub playout_doubling_advantage: f32,
    /// How much of a win a draw is to White, 0 to 1.
    pub draw_wins_for_white: f32,
    /// Judges life as if suicide were allowed, as some networks were trained;
    /// see [`crate::Model::prefers_pass_alive_under_suicide`].
    pub pass_alive_under_suicide: bool,
}

impl Default for InputSettings {
    fn default() -> InputSettings {
        InputSettings {
            conservative_pass: false,
            passing_hacks: true,
            max_history: 5,
            playout_doubling_advantage: 0.0,
            draw_wins_for_white: 0.5,
            pass_alive_under_suicide: false,
        }
    }
}
