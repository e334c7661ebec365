//! Levels as they are offered, and the one that follows the student.
//!
//! The rule is the coach's; this file reads the results it follows and shows where
//! they lead.

use shido_coach::{AutoLevel, AutoLevelRule, Level, StudentGame};
use shido_engine::level::LevelChoice;
use shido_go::{Rank, Size};

use crate::error::ApiError;
use crate::store::{Store, StoredResult};
use crate::wire::{AutoLevelView, LevelOffer, LevelStep, Outcome};

/// The level that follows the student, as it is asked for.
pub(crate) const AUTO: &str = "auto";
/// The results that are followed.
const FOLLOWED: u32 = 200;
/// The games that are shown.
const SHOWN: usize = 20;
/// How many ranks a player of a KGS rank is above it on Fox (HI24, §5.1).
const FOX_ABOVE_KGS: i32 = 3;

/// Returns the levels offered: the one that follows, then all ranks, the weakest first.
pub(crate) fn offers() -> Vec<LevelOffer> {
    let auto = LevelOffer {
        id: AUTO.to_owned(),
        fox: None,
        default: true,
    };
    let rank = |level: Level| LevelOffer {
        id: level.to_string(),
        fox: Some(fox(level).to_string()),
        default: false,
    };
    std::iter::once(auto)
        .chain(Level::all().map(rank))
        .collect()
}

/// Returns about the same rank on the Fox server.
fn fox(level: Level) -> Rank {
    let steps = level.steps() + FOX_ABOVE_KGS;
    if steps < 0 {
        Rank::Kyu(steps.unsigned_abs() as u8)
    } else {
        Rank::Dan(steps as u8 + 1)
    }
}

/// Returns the level that follows the student, and the games it follows.
pub(crate) async fn follow(store: &Store) -> Result<AutoLevelView, ApiError> {
    let results = store.results(FOLLOWED).await?;
    Ok(view(&results))
}

/// Returns the level before anything is known of the student.
pub(crate) fn first() -> Level {
    let auto: LevelChoice = AUTO.parse().expect("it is a level that can be chosen");
    auto.now()
}

fn view(results: &[StoredResult]) -> AutoLevelView {
    let rule = AutoLevelRule::default();
    let played = |it: &StoredResult| it.level.parse::<Level>().ok();
    // Who chose a level for the first game knows about what they play.
    let start = results.iter().find_map(played).unwrap_or_else(first);
    let mut belief = AutoLevel::new(start, &rule);
    let mut games = Vec::new();
    for it in results {
        let Some(level) = played(it) else {
            continue;
        };
        belief = belief.after(&student_game(it, level), &rule);
        games.push(LevelStep {
            game: it.game.clone(),
            finished_ms: it.finished_ms,
            level: it.level.clone(),
            outcome: it.outcome,
            after: belief.level().to_string(),
        });
    }
    games.reverse();
    games.truncate(SHOWN);
    AutoLevelView {
        level: belief.level().to_string(),
        games,
    }
}

/// Returns a result as the coach's rule takes it.
fn student_game(it: &StoredResult, level: Level) -> StudentGame {
    let outcome = match (it.margin, it.outcome) {
        (Some(margin), _) => shido_coach::Outcome::Margin(margin as f32),
        (None, Outcome::Drawn) => shido_coach::Outcome::Margin(0.0),
        (None, outcome) => shido_coach::Outcome::Resigned {
            won: outcome == Outcome::Won,
        },
    };
    StudentGame {
        level,
        size: Size::square(it.size as usize).unwrap_or(Size::S19),
        stones: i16::try_from(it.stones).unwrap_or_default(),
        outcome,
        mean_loss: it.loss.map(|it| it as f32),
        moves: it.judged as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(level: &str, outcome: Outcome) -> StoredResult {
        StoredResult {
            game: "0".repeat(32),
            finished_ms: 0,
            level: level.to_owned(),
            partner: "natural".to_owned(),
            size: 9,
            stones: 0,
            moves: 60,
            outcome,
            margin: None,
            loss: None,
            judged: 0,
        }
    }

    fn level(results: &[StoredResult]) -> Level {
        view(results).level.parse().unwrap()
    }

    #[test]
    fn the_level_follows_results_from_the_first_one_on() {
        assert_eq!(level(&[]), first());
        let won = result("15k", Outcome::Won);
        let lost = result("15k", Outcome::Lost);
        let start = "15k".parse().unwrap();
        assert!(level(std::slice::from_ref(&won)) > start);
        assert!(level(std::slice::from_ref(&lost)) < start);
        let both = view(&[won, lost]);
        assert_eq!(both.games.len(), 2);
        // The latest first.
        assert_eq!(both.games[0].outcome, Outcome::Lost);
        assert_eq!(both.games[0].after, both.level);
        // What another version wrote is passed over.
        assert_eq!(level(&[result("9p", Outcome::Won)]), first());
    }

    #[test]
    fn ranks_are_told_on_fox_as_the_paper_has_them() {
        let offers = offers();
        assert_eq!((offers.len(), &*offers[0].id), (37, "auto"));
        for (kgs, fox) in [
            ("8k", "5k"),
            ("3k", "1d"),
            ("2d", "5d"),
            ("30k", "27k"),
            ("6d", "9d"),
        ] {
            let offer = offers.iter().find(|it| it.id == kgs).unwrap();
            assert_eq!(offer.fox.as_deref(), Some(fox));
        }
    }
}
