//! How well a model predicts the moves of recorded games.
//!
//! The mean log evidence and its variance are those of (PD10, §2.3 and Fig. 1):
//! over all legal moves of every position in which a stone was played. A move is
//! *top-k* when fewer than k moves are likelier; moves that are exactly as likely
//! share the places in between.

use std::thread;

use shido_go::{Color, Move, Rank};
use shido_patterns::feature_set::{FeatureSet, Teams};
use shido_patterns::mm::LogEvidence;
use shido_patterns::model::{Model, ModelError};

use super::games::PlayedGame;
use super::positions::{Step, walk};

/// The measures over some moves.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measure {
    /// Number of moves, mean log evidence and variance.
    pub evidence: LogEvidence,
    top_1: f64,
    top_5: f64,
}

impl Measure {
    /// Returns the share of moves that the model thought likeliest.
    pub fn top_1(&self) -> f64 {
        self.top_1 / self.evidence.n().max(1) as f64
    }

    /// Returns the share of moves among the model's five likeliest.
    pub fn top_5(&self) -> f64 {
        self.top_5 / self.evidence.n().max(1) as f64
    }

    pub(crate) fn add(&mut self, guess: &Guess) {
        self.evidence.add(guess.probability);
        self.top_1 += guess.within(1);
        self.top_5 += guess.within(5);
    }

    pub(crate) fn merge(&mut self, other: &Measure) {
        self.evidence.merge(&other.evidence);
        self.top_1 += other.top_1;
        self.top_5 += other.top_5;
    }
}

/// What the model said about one move that was played.
pub(crate) struct Guess {
    pub(crate) probability: f64,
    likelier: usize,
    /// Moves exactly as likely, itself too.
    equal: usize,
}

impl Guess {
    pub(crate) fn new(teams: &Teams, played: usize, weights: &[f32]) -> Guess {
        let scores: Vec<f64> = teams
            .iter()
            .map(|team| team.iter().map(|&it| f64::from(weights[it as usize])).sum())
            .collect();
        Guess::of_scores(&scores, played)
    }

    /// Takes the logarithms of moves' chances, up to a constant, and which was played.
    pub(crate) fn of_scores(scores: &[f64], played: usize) -> Guess {
        let own = scores[played];
        let sum: f64 = scores.iter().map(|it| (it - own).exp()).sum();
        Guess {
            probability: 1.0 / sum,
            likelier: scores.iter().filter(|&&it| it > own).count(),
            equal: scores.iter().filter(|&&it| it == own).count(),
        }
    }

    /// Returns the chance to be among the first `k` when equals are put in random order.
    fn within(&self, k: usize) -> f64 {
        let places = k.saturating_sub(self.likelier) as f64;
        (places / self.equal as f64).min(1.0)
    }
}

/// Parts of a game by moves played, scaled to the board: a ninth, four ninths, all.
pub const PHASES: [&str; 3] = ["opening", "middle game", "endgame"];

pub(crate) fn phase(number: usize, area: usize) -> usize {
    usize::from(number * 9 >= area) + usize::from(number * 9 >= 4 * area)
}

/// Classes of players.
pub const RANKS: [&str; 8] = [
    "no rank",
    "30k–20k",
    "19k–10k",
    "9k–1k",
    "1d–3d",
    "4d–6d",
    "7d–9d",
    "1p–9p",
];

fn rank_class(rank: Option<Rank>) -> usize {
    match rank {
        None => 0,
        Some(Rank::Kyu(20..)) => 1,
        Some(Rank::Kyu(10..)) => 2,
        Some(Rank::Kyu(_)) => 3,
        Some(Rank::Dan(..=3)) => 4,
        Some(Rank::Dan(..=6)) => 5,
        Some(Rank::Dan(_)) => 6,
        Some(Rank::Pro(_)) => 7,
    }
}

/// What was measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evaluation {
    /// Over all moves.
    pub all: Measure,
    /// If every legal move were equally likely (PD10, Fig. 1, first row).
    pub even: LogEvidence,
    /// By [`PHASES`].
    pub by_phase: [Measure; PHASES.len()],
    /// By [`RANKS`], the class of the player who moved.
    pub by_rank: [Measure; RANKS.len()],
    /// Games seen.
    pub games: usize,
}

impl Evaluation {
    fn merge(&mut self, other: &Evaluation) {
        self.all.merge(&other.all);
        self.even.merge(&other.even);
        for (mine, theirs) in self.by_phase.iter_mut().zip(&other.by_phase) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.by_rank.iter_mut().zip(&other.by_rank) {
            mine.merge(theirs);
        }
        self.games += other.games;
    }
}

/// Measures a model on games: every `stride`-th position, on `threads` threads.
///
/// `on_game` hears of each game that is done, from any thread. The result does not
/// depend on the number of threads but for rounding in the last digits.
pub fn evaluate(
    model: &Model,
    games: &[PlayedGame],
    (stride, threads): (usize, usize),
    on_game: impl Fn() + Sync,
) -> Result<Evaluation, ModelError> {
    let features = model.feature_set()?;
    let part = games.len().div_ceil(threads.max(1)).max(1);
    let parts = thread::scope(|scope| {
        let workers: Vec<_> = games
            .chunks(part)
            .map(|games| {
                let mut features = features.another();
                let on_game = &on_game;
                scope.spawn(move || {
                    let mut found = Evaluation::default();
                    for game in games {
                        measure(&mut *features, &model.weights, game, stride, &mut found);
                        found.games += 1;
                        on_game();
                    }
                    found
                })
            })
            .collect();
        let joined = workers.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .map(|it| it.expect("measuring does not panic"))
            .collect::<Vec<_>>()
    });
    let mut all = Evaluation::default();
    for part in &parts {
        all.merge(part);
    }
    Ok(all)
}

fn measure(
    features: &mut dyn FeatureSet,
    weights: &[f32],
    game: &PlayedGame,
    stride: usize,
    found: &mut Evaluation,
) {
    let mut teams = Teams::default();
    walk(game, |step| {
        let Step { turn, number, .. } = step;
        let Move::Play(point) = step.played else {
            return;
        };
        if !number.is_multiple_of(stride.max(1)) {
            return;
        }
        features.teams(turn, &mut teams);
        let Some(played) = teams.position(point) else {
            return;
        };
        let guess = Guess::new(&teams, played, weights);
        let rank = game.ranks[usize::from(turn.mover == Color::White)];
        found.all.add(&guess);
        found.even.add(1.0 / teams.len() as f64);
        found.by_phase[phase(*number, game.size.area())].add(&guess);
        found.by_rank[rank_class(rank)].add(&guess);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::Size;

    #[test]
    fn equals_share_the_places() {
        let guess = |likelier, equal| Guess {
            probability: 0.5,
            likelier,
            equal,
        };
        assert_eq!((guess(0, 1).within(1), guess(0, 4).within(1)), (1.0, 0.25));
        assert_eq!((guess(1, 1).within(1), guess(3, 4).within(5)), (0.0, 0.5));
        assert_eq!(guess(4, 1).within(5), 1.0);
    }

    #[test]
    fn phases_scale_with_the_board() {
        assert_eq!(
            [0, 40, 41, 160, 161].map(|it| phase(it, 361)),
            [0, 0, 1, 1, 2]
        );
        assert_eq!([8, 9, 35, 36].map(|it| phase(it, 81)), [0, 1, 1, 2]);
    }

    #[test]
    fn an_even_model_has_even_evidence() {
        let at = |i: usize| Move::Play(Size::S9.point(i % 9, i / 9).unwrap());
        let colors = [Color::Black, Color::White].into_iter().cycle();
        let game = PlayedGame {
            size: Size::S9,
            setup: Vec::new(),
            moves: colors.zip([40, 20, 60, 24].map(at)).collect(),
            ranks: [Some(Rank::Dan(2)), None],
            held_out: true,
        };
        let model = Model {
            features: "pd10".to_owned(),
            groups: [("extension", 1), ("capture", 4), ("self-atari", 1)]
                .into_iter()
                .chain([("contiguity", 1), ("shapes", 0)])
                .map(|(name, size)| (name.to_owned(), size))
                .collect(),
            tags: Vec::new(),
            weights: vec![0.0; 7],
        };
        let found = evaluate(&model, &[game.clone(), game], (1, 2), || ()).unwrap();
        assert_eq!((found.games, found.all.evidence.n()), (2, 8));
        let mean = -[81.0, 80.0, 79.0, 78.0].map(f64::ln).iter().sum::<f64>() / 4.0;
        assert!((found.all.evidence.mean() - mean).abs() < 1e-12);
        assert!((found.even.mean() - mean).abs() < 1e-12);
        assert!((found.all.top_1() - mean_share(1.0)).abs() < 1e-12);
        assert!((found.all.top_5() - mean_share(5.0)).abs() < 1e-12);
        assert_eq!(found.by_rank[4].evidence.n(), 4, "Black is 2d");
        assert_eq!(found.by_rank[0].evidence.n(), 4, "White has no rank");
    }

    fn mean_share(places: f64) -> f64 {
        [81.0, 80.0, 79.0, 78.0]
            .map(|it| places / it)
            .iter()
            .sum::<f64>()
            / 4.0
    }
}
