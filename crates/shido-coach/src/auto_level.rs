//! The level that follows the student.
//!
//! What is believed of the student is a rank with a deviation, a normal
//! distribution. A game tells two things: its result, less so when it was close, and
//! what the student's moves lost on average. Each moves the belief as far as the belief
//! is unsure and the observation is telling (a step of Newton's method for the result,
//! as rating systems take it; a Kalman step for the loss). The deviation never falls
//! to nothing, because students improve.
//!
//! A student who always wins climbs, one who always loses falls, and close games
//! change little.

use serde::{Deserialize, Serialize};
use shido_go::Size;

use crate::Level;

/// How the level follows. The numbers are ours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AutoLevelRule {
    /// Deviation of a student nothing is known of, in ranks.
    pub first_deviation: f32,
    /// Deviation below which it does not fall.
    pub least_deviation: f32,
    /// Deviation that each game adds, because students change.
    pub drift: f32,
    /// Ranks of difference that make odds of e : 1.
    pub result_scale: f32,
    /// Points of a margin on 19×19 that tells about three quarters of what a resignation does.
    pub margin_scale: f32,
    /// Points that a 1d loses with a move on 19×19 on average.
    pub loss_of_1d: f32,
    /// Ranks by which that grows e-fold.
    pub loss_scale: f32,
    /// Deviation of the rank that the losses of [`AutoLevelRule::loss_moves`] moves tell.
    pub loss_deviation: f32,
    /// The moves of a usual game.
    pub loss_moves: f32,
    /// Power of a board's side by which points grow: there is less to lose on a small one.
    pub board_power: f32,
    /// The most ranks that one game moves the level by.
    pub max_step: f32,
    /// The usual komi of an even game.
    pub even_komi: f32,
    /// The usual komi of a game with handicap stones.
    pub handicap_komi: f32,
    /// Points on 19×19 that a komi may be away from the usual one: what a stone is worth.
    pub komi_margin: f32,
}

impl Default for AutoLevelRule {
    fn default() -> AutoLevelRule {
        AutoLevelRule {
            first_deviation: 5.0,
            least_deviation: 1.2,
            drift: 0.3,
            result_scale: 2.0,
            margin_scale: 20.0,
            loss_of_1d: 1.6,
            loss_scale: 18.0,
            loss_deviation: 8.0,
            loss_moves: 100.0,
            board_power: 0.7,
            max_step: 3.0,
            even_komi: 7.0,
            handicap_komi: 0.5,
            komi_margin: 14.0,
        }
    }
}

/// How a game with a partner went, from the student's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudentGame {
    /// The partner's level.
    pub level: Level,
    /// The board.
    pub size: Size,
    /// Handicap stones the student had; negative if the student gave them.
    pub stones: i16,
    /// Who won, and by how much if it was counted.
    pub outcome: Outcome,
    /// The points the student's moves lost on average, if they were judged.
    pub mean_loss: Option<f32>,
    /// How many moves that is.
    pub moves: usize,
}

/// A result, from the student's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// Counted; negative if the student lost.
    Margin(f32),
    /// The partner resigned, or the student did.
    Resigned {
        /// Whether the student won.
        won: bool,
    },
    /// Broken off; says nothing.
    Unfinished,
}

impl StudentGame {
    /// Returns the rank that a student without the handicap would play evenly against:
    /// below the partner's by the stones the student had, above it by those the student gave.
    /// A stone is a rank on 19×19, the first half of one, and more where `points` are
    /// worth more ([`AutoLevelRule::points_on`]).
    fn opposition(&self, points: f32) -> f32 {
        let stones = f32::from(self.stones);
        let ranks = stones - 0.5 * f32::from(self.stones.signum());
        self.level.steps() as f32 - ranks / points
    }
}

/// What is believed of a student.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AutoLevel {
    /// The rank, in steps from 1d.
    pub estimate: f32,
    /// How unsure that is, in ranks.
    pub deviation: f32,
    /// Games it rests on.
    pub games: u32,
}

impl AutoLevel {
    /// Returns the belief before any game, from what the student says.
    pub fn new(start: Level, rule: &AutoLevelRule) -> AutoLevel {
        AutoLevel {
            estimate: start.steps() as f32,
            deviation: rule.first_deviation,
            games: 0,
        }
    }

    /// Returns the level to play at.
    pub fn level(&self) -> Level {
        Level::from_steps(self.estimate.round() as i32)
    }

    /// Returns the belief after a game.
    pub fn after(&self, game: &StudentGame, rule: &AutoLevelRule) -> AutoLevel {
        let mut belief = Belief {
            mean: self.estimate,
            variance: self.deviation.powi(2) + rule.drift.powi(2),
        };
        let mut counts = false;
        let points = rule.points_on(game.size);
        if let Some(score) = rule.score(game.outcome, points) {
            belief.see_result(score, game.opposition(points), rule.result_scale);
            counts = true;
        }
        let judged = game.mean_loss.filter(|it| it.is_finite() && game.moves > 0);
        if let Some(loss) = judged {
            let deviation = rule.loss_deviation / (game.moves as f32 / rule.loss_moves).sqrt();
            belief.see_rank(rule.rank_of_loss(loss / points), deviation.powi(2));
            counts = true;
        }
        if !counts {
            return *self;
        }
        let step = (belief.mean - self.estimate).clamp(-rule.max_step, rule.max_step);
        let (weakest, strongest) = (Level::WEAKEST.steps(), Level::STRONGEST.steps());
        AutoLevel {
            estimate: (self.estimate + step).clamp(weakest as f32, strongest as f32),
            deviation: belief.variance.sqrt().max(rule.least_deviation),
            games: self.games.saturating_add(1),
        }
    }
}

impl AutoLevelRule {
    /// Returns whether a game with such a komi says anything of the student's level. One that
    /// is away from the usual komi by more than a stone is worth is a handicap of its own,
    /// which no count of stones tells; `stones` are as in [`StudentGame::stones`].
    pub fn is_usual_komi(&self, komi: f32, stones: i16, size: Size) -> bool {
        let usual = match stones {
            0 => self.even_komi,
            _ => self.handicap_komi,
        };
        (komi - usual).abs() <= self.komi_margin * self.points_on(size)
    }

    /// Returns what a point of 19×19 is on a board.
    fn points_on(&self, size: Size) -> f32 {
        let side = (size.area() as f32).sqrt();
        (side / 19.0).powf(self.board_power)
    }

    /// Returns how much of a win a result is, 0 to 1; `None` if there is no result.
    fn score(&self, outcome: Outcome, points: f32) -> Option<f32> {
        match outcome {
            Outcome::Margin(margin) if margin.is_finite() => {
                Some(0.5 + 0.5 * (margin / (self.margin_scale * points)).tanh())
            }
            Outcome::Resigned { won } => Some(f32::from(u8::from(won))),
            Outcome::Margin(_) | Outcome::Unfinished => None,
        }
    }

    /// Returns the rank whose players lose so much on average on 19×19.
    fn rank_of_loss(&self, mean_loss: f32) -> f32 {
        let rank = -self.loss_scale * (mean_loss.max(0.05) / self.loss_of_1d).ln();
        rank.clamp(-40.0, 15.0)
    }
}

/// A normal distribution over ranks.
struct Belief {
    mean: f32,
    variance: f32,
}

impl Belief {
    /// Learns from a score against a rank.
    fn see_result(&mut self, score: f32, against: f32, scale: f32) {
        let expected = 1.0 / (1.0 + (-(self.mean - against) / scale).exp());
        let slope = (score - expected) / scale;
        let information = expected * (1.0 - expected) / scale.powi(2);
        self.variance /= 1.0 + self.variance * information;
        self.mean += self.variance * slope;
    }

    /// Learns from a rank that was seen with a variance.
    fn see_rank(&mut self, rank: f32, variance: f32) {
        let gain = self.variance / (self.variance + variance);
        self.mean += gain * (rank - self.mean);
        self.variance *= 1.0 - gain;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays games at the level that is followed; returns the levels.
    fn follow(start: &str, games: usize, outcome: impl Fn(usize, Level) -> Outcome) -> Vec<Level> {
        let rule = AutoLevelRule::default();
        let mut auto = AutoLevel::new(start.parse().unwrap(), &rule);
        let mut levels = vec![auto.level()];
        for i in 0..games {
            let game = StudentGame {
                level: auto.level(),
                size: Size::S19,
                stones: 0,
                outcome: outcome(i, auto.level()),
                mean_loss: None,
                moves: 0,
            };
            auto = auto.after(&game, &rule);
            levels.push(auto.level());
        }
        levels
    }

    #[test]
    fn who_always_wins_climbs_and_who_always_loses_falls() {
        let up = follow("15k", 40, |_, _| Outcome::Resigned { won: true });
        assert!(up.is_sorted());
        assert_eq!(up.last(), Some(&Level::STRONGEST));
        let down = follow("15k", 40, |_, _| Outcome::Margin(-30.0));
        assert!(down.is_sorted_by(|a, b| a >= b));
        assert_eq!(down.last(), Some(&Level::WEAKEST));
    }

    #[test]
    fn close_games_stay() {
        let levels = follow("8k", 30, |i, _| {
            Outcome::Margin(if i % 2 == 0 { 3.5 } else { -3.5 })
        });
        let far = |level: &Level| (level.steps() + 8).abs();
        assert!(levels.iter().all(|it| far(it) <= 1), "{levels:?}");
    }

    #[test]
    fn a_student_of_some_rank_is_found() {
        // A 4k wins by what the ranks say, and resigns lost games.
        let levels = follow("20k", 40, |_, level| {
            Outcome::Margin(10.0 * (-4 - level.steps()) as f32)
        });
        let last = levels.last().unwrap().steps();
        assert!((-6..=-2).contains(&last), "{levels:?}");
    }

    fn game(outcome: Outcome, mean_loss: Option<f32>) -> StudentGame {
        StudentGame {
            level: "8k".parse().unwrap(),
            size: Size::S19,
            stones: 0,
            outcome,
            mean_loss,
            moves: 100,
        }
    }

    #[test]
    fn good_moves_raise_and_bad_moves_lower() {
        let rule = AutoLevelRule::default();
        let auto = AutoLevel::new("8k".parse().unwrap(), &rule);
        let after = |loss| auto.after(&game(Outcome::Margin(0.0), Some(loss)), &rule);
        assert!(after(1.0).estimate > -7.0);
        assert!(after(8.0).estimate < -9.0);
        // What an 8k usually loses changes nothing.
        let usual = rule.loss_of_1d * (8.0f32 / rule.loss_scale).exp();
        assert!((after(usual).estimate + 8.0).abs() < 1e-3);
        // One game does not throw anybody far.
        let lost = game(Outcome::Resigned { won: false }, Some(50.0));
        assert!(auto.after(&lost, &rule).estimate >= -11.0);
    }

    /// What is little on 19×19 is much on 9×9, in losses and in margins.
    #[test]
    fn points_weigh_more_on_a_small_board() {
        let rule = AutoLevelRule::default();
        let auto = AutoLevel::new("8k".parse().unwrap(), &rule);
        let on = |size, margin, loss| {
            let game = game(Outcome::Margin(margin), loss);
            auto.after(&StudentGame { size, ..game }, &rule).estimate
        };
        assert!(on(Size::S9, 0.0, Some(2.5)) < on(Size::S13, 0.0, Some(2.5)));
        assert!(on(Size::S13, 0.0, Some(2.5)) < on(Size::S19, 0.0, Some(2.5)));
        assert!(on(Size::S9, 5.0, None) > on(Size::S19, 5.0, None));
        // An 8k's usual loss there changes nothing there.
        let usual = rule.loss_of_1d * (8.0f32 / rule.loss_scale).exp() * rule.points_on(Size::S9);
        assert!((on(Size::S9, 0.0, Some(usual)) + 8.0).abs() < 1e-3);
    }

    #[test]
    fn a_handicap_counts_and_a_game_broken_off_does_not() {
        let rule = AutoLevelRule::default();
        let auto = AutoLevel::new("8k".parse().unwrap(), &rule);
        let won = game(Outcome::Resigned { won: true }, None);
        let with_stones = StudentGame { stones: 4, ..won };
        let rise = |game| auto.after(&game, &rule).estimate;
        assert!(rise(won) > rise(with_stones));
        // A stone is worth more on a small board.
        let small = StudentGame {
            size: Size::S9,
            ..with_stones
        };
        assert!(rise(with_stones) > rise(small));
        assert_eq!(auto.after(&game(Outcome::Unfinished, None), &rule), auto);
        let odd = game(Outcome::Margin(f32::NAN), Some(f32::NAN));
        assert_eq!(auto.after(&odd, &rule), auto);
    }

    /// Who gives stones plays a stronger opponent, by as much as who takes them plays a weaker one.
    #[test]
    fn stones_that_the_student_gives_count_too() {
        let rule = AutoLevelRule::default();
        let auto = AutoLevel::new("8k".parse().unwrap(), &rule);
        let moved = |stones, margin| {
            let even = game(Outcome::Margin(margin), None);
            auto.after(&StudentGame { stones, ..even }, &rule).estimate + 8.0
        };
        assert!(moved(-6, -3.0) > 0.0, "a small loss is a success then");
        assert!(moved(0, -3.0) < 0.0);
        for (stones, margin) in [(2, 10.0), (6, -3.0), (9, 40.0)] {
            let (had, given) = (moved(stones, margin), moved(-stones, -margin));
            assert!((had + given).abs() < 1e-4, "{had} {given}");
        }
    }

    #[test]
    fn a_komi_far_from_the_usual_one_says_nothing() {
        let rule = AutoLevelRule::default();
        let check = |size, stones, komi, expect| {
            let found = rule.is_usual_komi(komi, stones, size);
            assert_eq!(found, expect, "komi {komi}, {stones} stones on {size}");
        };
        for size in [Size::S9, Size::S13, Size::S19] {
            for komi in [0.0, 0.5, 5.5, 7.5, 8.5] {
                check(size, 0, komi, true);
            }
            for komi in [-50.0, -12.5, 30.0, f32::NAN] {
                check(size, 0, komi, false);
                check(size, -6, komi - 6.0, false);
            }
            check(size, 4, 0.5, true);
            check(size, -4, 7.5, true);
        }
        check(Size::S19, 0, -6.5, true);
        check(Size::S9, 0, -6.5, false);
    }

    #[test]
    fn the_belief_grows_surer_but_never_stiff() {
        let rule = AutoLevelRule::default();
        let mut auto = AutoLevel::new("8k".parse().unwrap(), &rule);
        let mut last = auto.deviation;
        for _ in 0..50 {
            auto = auto.after(&game(Outcome::Margin(0.0), Some(2.5)), &rule);
            assert!(auto.deviation <= last);
            last = auto.deviation;
        }
        assert!(last >= rule.least_deviation && last < 2.0);
    }
}
