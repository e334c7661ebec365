//! Which positions to measure a level at: spread over games and over each game's moves.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use shido_coach::Level;
use shido_go::{Color, Move};

use super::Settings;
use crate::dataset::PackedGame;
use crate::dataset::source::rank_of_code;
use crate::schedule::derive;
use crate::stats::bootstrap::below;

/// A position of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// Which game.
    pub game: usize,
    /// The moves before it.
    pub ply: usize,
}

/// Chooses positions in which a person of about the level's rank played a stone.
///
/// Each player gives one position before any gives a second. Games of programs do not
/// count.
pub fn choose(games: &[PackedGame], level: Level, settings: &Settings) -> Vec<Chosen> {
    let seed = derive(settings.seed, &format!("positions {level}"));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut players = players(games, level, settings);
    shuffle(&mut players, &mut rng);
    for plies in &mut players {
        shuffle(plies, &mut rng);
    }
    let longest = players.iter().map(Vec::len).max().unwrap_or(0);
    let rounds = (0..longest).flat_map(|i| players.iter().filter_map(move |it| it.get(i)));
    rounds.take(settings.positions).copied().collect()
}

/// Returns the positions of each player of the rank.
fn players(games: &[PackedGame], level: Level, settings: &Settings) -> Vec<Vec<Chosen>> {
    let is_near = |code: u8| {
        let steps = rank_of_code(code).steps_from_1d() - level.steps();
        steps.abs() <= i32::from(settings.near)
    };
    let of_people = |it: &PackedGame| !it.program && it.size == [settings.board; 2];
    let mut found = Vec::new();
    for (game, it) in games.iter().enumerate().filter(|it| of_people(it.1)) {
        let moves = it.moves().unwrap_or_default();
        for color in Color::BOTH {
            if !it.ranks[color.index()].is_some_and(is_near) {
                continue;
            }
            let first = usize::from(color != it.first());
            let plies = (first..moves.len()).step_by(2);
            let stones = plies.filter(|&ply| matches!(moves[ply], Move::Play(_)));
            found.push(stones.map(|ply| Chosen { game, ply }).collect());
        }
    }
    found
}

fn shuffle<T>(items: &mut [T], rng: &mut Xoshiro256PlusPlus) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(rng, i + 1));
    }
}
