//! Settings for a level where nothing was measured with these networks.
//!
//! The default partner has numbers of its own ([`super::natural`]). The strengths of the
//! others are those that the paper needed for even games against GNU Go (8k) and Pachi at
//! 3k and 2d (HI24, Tables 1 to 3), continued in straight lines. Below 8k the line is
//! flatter: the paper's model of people knew strong players only, ours plays as people of
//! the rank do, who give away enough by themselves, and a target that few of their moves
//! meet would make the odd ones win. The slope there, the strengths of SF21's partners and
//! the factors for small boards are our guesses. They give some order of levels and no
//! more.
//!
//! Whatever the partner, a level resigns no earlier than the default one would: games of
//! weak players turn when strong ones would have given up.

use shido_go::Size;

use crate::Level;
use crate::play::{PartnerKind, PartnerSettings};

/// Strengths at 8k, 3k and 2d.
struct Anchors([f32; 3]);

/// The anchors' distances from 1d.
const AT: [i32; 3] = [-8, -3, 1];

impl Anchors {
    /// Returns the strength at a level: straight lines through the anchors, a flatter one
    /// below the first.
    fn at(&self, level: Level) -> f32 {
        let steps = level.steps();
        let i = usize::from(steps > AT[1]);
        let share = (steps - AT[i]) as f32 / (AT[i + 1] - AT[i]) as f32;
        let share = if share < 0.0 { share * FLATTER } else { share };
        self.0[i] + (self.0[i + 1] - self.0[i]) * share
    }
}

/// How much of the slope is left below 8k.
const FLATTER: f32 = 0.35;

/// The most points that are given away in an even game.
const MOST_LOSS: f32 = 8.0;
/// The fewest.
const LEAST_LOSS: f32 = 0.5;

/// Returns a guess.
pub(super) fn settings(kind: PartnerKind, size: Size, level: Level) -> PartnerSettings {
    let mut settings = PartnerSettings::new(kind);
    settings.rank = level.rank();
    // A game on a small board has fewer moves and less to lose by each.
    let scale = match super::nearest_board(size) {
        9 => 0.6,
        13 => 0.8,
        _ => 1.0,
    };
    let even_loss = |anchors: Anchors| {
        let loss = anchors.at(level) * scale;
        loss.clamp(LEAST_LOSS, MOST_LOSS)
    };
    if kind != PartnerKind::Natural {
        settings.control.lead_range *= scale;
    }
    if kind.has_levels() {
        let behind = super::natural::lead_range(size, level);
        settings.resign = settings.resign.after_giving(behind);
    }
    match kind {
        // People of the rank, as they are.
        PartnerKind::Human | PartnerKind::Strong | PartnerKind::Naive => {}
        // The paper has 0.65 at 8k, which cannot be if −0.5 is 3k; taken as −0.65.
        PartnerKind::Softmax => {
            let exponent = Anchors([-0.65, -0.5, 1.0]).at(level);
            settings.softmax.exponent = exponent.clamp(-1.5, 3.0);
        }
        PartnerKind::Roles => settings.control.even_loss = even_loss(Anchors([6.0, 3.0, 2.0])),
        PartnerKind::Halving => {
            settings.control.even_loss = even_loss(Anchors([3.65, 2.95, 2.3]));
        }
        PartnerKind::Natural => super::natural::set(&mut settings, size, level),
        PartnerKind::Gentle => settings.gentle.gentleness = gentleness(level, 2.5),
        PartnerKind::GentleA => settings.gentle_a.gentleness = gentleness(level, 1.5),
    }
    settings
}

/// Returns `c`: the paper's value at 3k, a tenth of it more for each rank below.
fn gentleness(level: Level, at_3k: f32) -> f32 {
    let below = (AT[1] - level.steps()) as f32;
    (at_3k * (1.0 + 0.1 * below)).clamp(0.25, 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_strengths_are_met() {
        let beta = |kind, level: &str| {
            let level = level.parse().unwrap();
            settings(kind, Size::S19, level).control.even_loss
        };
        for (kind, expect) in [
            (PartnerKind::Roles, [6.0, 3.0, 2.0]),
            (PartnerKind::Halving, [3.65, 2.95, 2.3]),
        ] {
            for (level, expect) in ["8k", "3k", "2d"].into_iter().zip(expect) {
                assert!((beta(kind, level) - expect).abs() < 1e-5, "{kind} {level}");
            }
        }
    }

    /// A weak partner plays on where a strong one gives up; one without a level does as ever.
    #[test]
    fn weak_levels_of_all_partners_resign_late() {
        let kinds = PartnerKind::ALL.into_iter();
        for kind in kinds.filter(|it| it.has_levels()) {
            let behind = |size, level: &str| {
                let level = level.parse().unwrap();
                settings(kind, size, level).resign_rule().behind
            };
            assert!(behind(Size::S19, "30k") > 60.0, "{kind}");
            assert!(behind(Size::S9, "30k") > 81.0, "{kind}");
            assert_eq!(behind(Size::S19, "6d"), 25.0, "{kind}");
            for size in [Size::S9, Size::S13, Size::S19] {
                let all: Vec<_> = Level::all().map(|it| it.to_string()).collect();
                assert!(all.is_sorted_by(|a, b| behind(size, a) >= behind(size, b)));
            }
            let papers = PartnerSettings::new(kind).resign_rule();
            assert_eq!(papers, crate::play::ResignRule::default(), "{kind}");
        }
    }

    #[test]
    fn every_level_can_be_played_and_weaker_ones_give_away_more() {
        for size in [Size::S9, Size::S13, Size::S19] {
            for kind in PartnerKind::ALL {
                let all: Vec<_> = Level::all().map(|it| settings(kind, size, it)).collect();
                assert!(all.iter().all(|it| it.check().is_ok()));
                let beta = |it: &PartnerSettings| it.control.even_loss;
                let c = |it: &PartnerSettings| it.gentle.gentleness;
                assert!(all.is_sorted_by(|a, b| beta(a) >= beta(b) && c(a) >= c(b)));
            }
        }
    }
}
