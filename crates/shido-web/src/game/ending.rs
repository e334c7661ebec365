//! How a game ended, as far as the student's level is concerned.
//!
//! The student's loss is read off the partner's own records: from one of its turns to
//! the next its best lead rises by what the student gave away and falls by what it
//! gave away itself. No search of its own is needed for that.

use shido_coach::AutoLevelRule;
use shido_go::{Color, GameResult, WinBy};

use super::GameState;
use crate::store::{StoredMove, StoredResult};
use crate::wire::{Outcome, Phase};

/// The part of the board's points that must have been played for a result to say anything.
const LEAST_PLAYED: usize = 8;

impl GameState {
    /// Returns what a finished game at a level says about the student; `None` if it is
    /// not finished, has no level, was over before it began, or had a komi that decided it.
    pub(crate) fn ending(&self) -> Option<StoredResult> {
        let stored = &self.stored;
        let settings = &stored.settings;
        let level = settings.level.clone()?;
        let result: GameResult = stored.result.as_deref()?.parse().ok()?;
        if stored.phase != Phase::Finished || stored.moves.len() < self.least_moves() {
            return None;
        }
        let stones = self.student_stones();
        let usual = AutoLevelRule::default();
        if !usual.is_usual_komi(settings.komi, stones, self.position.size()) {
            return None;
        }
        let losses = self.student_losses();
        let winner = result.winner();
        let won = winner == Some(self.student());
        let margin = match result {
            GameResult::Win {
                by: WinBy::Points(points),
                ..
            } => Some(if won { points } else { -points }),
            GameResult::Draw => Some(0.0),
            _ => None,
        };
        Some(StoredResult {
            game: stored.id.clone(),
            finished_ms: stored.updated_ms,
            level,
            partner: settings.partner.clone(),
            size: settings.size as u32,
            stones: stones.into(),
            moves: stored.moves.len() as u32,
            outcome: match winner {
                None => Outcome::Drawn,
                Some(_) if won => Outcome::Won,
                Some(_) => Outcome::Lost,
            },
            margin: margin.map(f64::from),
            loss: losses.mean,
            judged: losses.count,
        })
    }

    /// Returns the handicap stones the student had, or gave: then negative.
    fn student_stones(&self) -> i16 {
        let stones = i16::try_from(self.stored.settings.handicap).unwrap_or(i16::MAX);
        match self.student() {
            Color::Black => stones,
            Color::White => -stones,
        }
    }

    fn least_moves(&self) -> usize {
        self.position.size().area() / LEAST_PLAYED
    }

    /// Returns what the student's moves gave away, as the partner saw it.
    fn student_losses(&self) -> Losses {
        let moves = self.stored.moves.iter().enumerate();
        let turns: Vec<_> = moves.filter_map(|(i, it)| Some((i, seen(it)?))).collect();
        // A turn without a record, such as a pass, leaves two moves of the student's between.
        let neighbors = turns.windows(2).filter(|two| two[1].0 == two[0].0 + 2);
        let losses = neighbors.map(|two| {
            let expected = two[0].1.best_lead - two[0].1.given;
            f64::from(two[1].1.best_lead - expected)
        });
        let losses: Vec<f64> = losses.collect();
        let count = losses.len();
        Losses {
            mean: (count > 0).then(|| (losses.iter().sum::<f64>() / count as f64).max(0.0)),
            count: count as u32,
        }
    }
}

/// What a student's moves gave away.
struct Losses {
    mean: Option<f64>,
    count: u32,
}

/// How a partner saw the game at one of its turns, in points for itself.
struct Seen {
    best_lead: f32,
    /// What its own move gave away.
    given: f32,
}

fn seen(it: &StoredMove) -> Option<Seen> {
    let record = it.record.as_ref()?;
    Some(Seen {
        best_lead: record.lead?.0.0,
        given: record.played_move()?.loss?,
    })
}
