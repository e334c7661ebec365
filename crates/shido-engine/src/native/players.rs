//! What a search tells the network of those who play: who is the stronger, whom to imitate.
//!
//! Networks that were trained on games between unequal searches are told how many doublings of
//! playouts the player to move has over the opponent; KataGo calls it
//! `playoutDoublingAdvantage`. Every position is told of it from its own mover's side. What was
//! evaluated for other players is of no use to a tree.

use shido_go::Color;
use shido_net::Profile;

use super::{NativeSettings, Network};

/// A player who is taken to search more than the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlayoutAdvantage {
    /// Doublings of playouts the player has over the opponent; negative for fewer.
    pub doublings: f32,
    /// Who; `None` for the player to move where a search begins.
    pub player: Option<Color>,
}

impl PlayoutAdvantage {
    /// Returns the doublings that Black has over White in a search that `mover` begins.
    fn of_black(self, mover: Color) -> f32 {
        // Adding zero makes −0 plain: it would be another position to the cache.
        match self.player.unwrap_or(mover) {
            Color::Black => 0.0 + self.doublings,
            Color::White => 0.0 - self.doublings,
        }
    }

    /// Returns the doublings that the player who begins a search has.
    pub(super) fn of_beginner(self, mover: Color) -> f32 {
        of_mover(self.of_black(mover), mover)
    }
}

fn of_mover(of_black: f32, mover: Color) -> f32 {
    match mover {
        Color::Black => of_black,
        Color::White => 0.0 - of_black,
    }
}

/// Who plays in one search.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Players {
    black_advantage: f32,
    /// Whom the network imitates, if it can.
    pub(super) profile: Option<Profile>,
}

impl Players {
    /// Returns who plays in a search that `mover` begins.
    pub(super) fn new(settings: &NativeSettings, network: &Network, mover: Color) -> Players {
        Players {
            black_advantage: settings.advantage.of_black(mover),
            profile: network.profile(settings.profile),
        }
    }

    /// Returns the doublings of playouts that the player to move has.
    pub(super) fn advantage(&self, mover: Color) -> f32 {
        of_mover(self.black_advantage, mover)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_is_seen_from_each_side() {
        let of = |player, beginner| {
            let advantage = PlayoutAdvantage {
                doublings: 2.0,
                player,
            };
            let black_advantage = advantage.of_black(beginner);
            let players = Players {
                black_advantage,
                ..Players::default()
            };
            let sides = [Color::Black, Color::White].map(|it| players.advantage(it));
            assert_eq!(sides[beginner.index()], advantage.of_beginner(beginner));
            sides
        };
        let (black, white) = (Color::Black, Color::White);
        for (player, beginner, expect) in [
            (Some(black), black, [2.0, -2.0]),
            (Some(black), white, [2.0, -2.0]),
            (Some(white), black, [-2.0, 2.0]),
            (None, black, [2.0, -2.0]),
            (None, white, [-2.0, 2.0]),
        ] {
            assert_eq!(of(player, beginner), expect, "{player:?} {beginner}");
        }
    }

    #[test]
    fn no_advantage_is_plain_zero() {
        for doublings in [0.0, -0.0] {
            for player in [Some(Color::Black), Some(Color::White), None] {
                let advantage = PlayoutAdvantage { doublings, player };
                for mover in Color::BOTH {
                    let told = advantage.of_beginner(mover);
                    assert_eq!(told.to_bits(), 0.0_f32.to_bits(), "{player:?} {mover}");
                }
            }
        }
    }
}
