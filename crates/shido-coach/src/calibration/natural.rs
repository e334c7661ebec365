//! What a level is for the default partner.
//!
//! Three settings make it: the rank of the people it plays like, which is the level; the
//! points it gives away in an even game (`β`); and how freely it draws its moves
//! ([`crate::play::NaturalSettings::variety`]). People of a rank do not play their likeliest
//! move each time, so levels draw as people do, dan levels a little less.
//!
//! The lead at which the target stops growing (`α`) is the paper's 25 points, and grows
//! with `β` where that is more than the paper's, so that a lead is given back in as many
//! moves as there. With 25 points and a `β` of 9 it was gone in three, and a partner that
//! was behind played far better than people do: games of the weakest levels were decided
//! by chance, whatever their `β`. What keeps a move that nobody plays comparable (`ε`)
//! falls in the same measure: it must not be played for its loss alone.
//!
//! The numbers were fitted to games of levels with each other and with GNU Go 3.8 level 10,
//! and to what people of each rank lose in positions of their own games that are close
//! (`docs/experiments/levels.md`). They hold for the networks of that time;
//! for others they are a guess.

use shido_go::Size;

use crate::Level;
use crate::play::{PartnerKind, PartnerSettings};

/// A level whose numbers are set; between two of them `β` goes evenly by its logarithm,
/// variety evenly.
struct Anchor {
    /// Steps from 1d.
    at: i32,
    /// `β` on 9×9, 13×13 and 19×19.
    even_loss: [f32; 3],
    variety: f32,
}

const ANCHORS: [Anchor; 4] = [
    Anchor {
        at: -30,
        even_loss: [11.0, 8.5, 8.5],
        variety: 1.25,
    },
    Anchor {
        at: -20,
        even_loss: [6.3, 5.4, 4.8],
        variety: 1.0,
    },
    Anchor {
        at: -8,
        even_loss: [3.0, 3.0, 2.8],
        variety: 1.0,
    },
    Anchor {
        at: 5,
        even_loss: [1.15, 1.4, 1.4],
        variety: 0.7,
    },
];

/// `β` of the paper's partner for 3k (HI24, Table 2), whose `α` is [`PartnerSettings`]' own.
const PAPERS_EVEN_LOSS: f32 = 3.2;

/// Simulations for a move; what levels are worth was measured with as many.
const SIMULATIONS: u64 = 600;

/// Sets a level on a partner with the papers' settings.
pub(super) fn set(settings: &mut PartnerSettings, size: Size, level: Level) {
    let board = match super::nearest_board(size) {
        9 => 0,
        13 => 1,
        _ => 2,
    };
    let steps = level.steps();
    let above = ANCHORS.iter().position(|it| it.at >= steps);
    let above = above.unwrap_or(ANCHORS.len() - 1).max(1);
    let [low, high] = [&ANCHORS[above - 1], &ANCHORS[above]];
    let share = (steps - low.at) as f32 / (high.at - low.at) as f32;
    let [from, to] = [low, high].map(|it| it.even_loss[board]);
    let even_loss = from * (to / from).powf(share);
    let more = (even_loss / PAPERS_EVEN_LOSS).max(1.0);
    settings.control.lead_range *= more;
    settings.control.floor /= more;
    settings.control.even_loss = even_loss;
    settings.simulations = SIMULATIONS;
    settings.natural.variety = low.variety + (high.variety - low.variety) * share;
}

/// Returns how far a level is behind when it has nothing more to give (`α`).
pub(super) fn lead_range(size: Size, level: Level) -> f32 {
    let mut settings = PartnerSettings::new(PartnerKind::Natural);
    set(&mut settings, size, level);
    settings.control.lead_range
}

#[cfg(test)]
mod tests {
    use shido_search::{ForMover, Points};

    use super::*;

    fn at(size: Size, level: Level) -> PartnerSettings {
        let mut settings = PartnerSettings::new(PartnerKind::Natural);
        set(&mut settings, size, level);
        settings
    }

    #[test]
    fn each_weaker_level_gives_away_more() {
        for size in [Size::S9, Size::S13, Size::S19] {
            let all: Vec<_> = Level::all().map(|it| at(size, it)).collect();
            let beta = |it: &PartnerSettings| it.control.even_loss;
            assert!(all.is_sorted_by(|a, b| beta(a) > beta(b)));
            let variety = |it: &PartnerSettings| it.natural.variety;
            assert!(all.is_sorted_by(|a, b| variety(a) >= variety(b)));
            assert!(all.iter().all(|it| it.check().is_ok() && variety(it) > 0.0));
        }
    }

    #[test]
    fn anchors_are_met() {
        for anchor in &ANCHORS {
            let found = at(Size::S13, Level::from_steps(anchor.at));
            assert!((found.control.even_loss - anchor.even_loss[1]).abs() < 1e-5);
            assert!((found.natural.variety - anchor.variety).abs() < 1e-5);
        }
    }

    /// The points that a level gives back of each point it leads by.
    #[test]
    fn no_level_gives_a_lead_back_faster_than_the_paper() {
        let paper = PartnerSettings::new(PartnerKind::Natural)
            .control
            .lead_range;
        let given_back = |it: PartnerSettings| {
            let target = |lead| it.control.target_loss(ForMover(Points(lead))).0;
            target(1.0) - target(0.0)
        };
        for size in [Size::S9, Size::S13, Size::S19] {
            for level in Level::all() {
                let share = given_back(at(size, level));
                assert!(share < PAPERS_EVEN_LOSS / paper + 1e-4, "{level}: {share}");
            }
            assert_eq!(at(size, Level::STRONGEST).control.lead_range, paper);
        }
        let weakest = at(Size::S19, Level::WEAKEST).control.lead_range;
        assert!((weakest - 25.0 * 8.5 / 3.2).abs() < 1e-3);
    }

    /// A move that nobody plays must not beat a natural one for its loss alone.
    #[test]
    fn at_the_weakest_level_natural_moves_still_win() {
        for size in [Size::S9, Size::S13, Size::S19] {
            let control = at(size, Level::WEAKEST).control;
            let target = control.target_loss(ForMover(Points(0.0)));
            let score = |natural, loss| control.smooth_score(natural, loss, target, 2.0);
            assert!(score(0.1, 0.0) > score(0.0, target.0));
            assert!(score(0.05, 2.0) > score(0.0, target.0));
        }
    }
}
