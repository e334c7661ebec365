//! From packed games to shards of positions.
//!
//! Games are split by their fingerprint, so that the same game is held out whatever
//! else is read. They are shuffled, dealt out to shards, and the positions of a
//! shard are shuffled again. Shards do not depend on the number of threads.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use shido_go::{Ko, Move, Position, Rules, Scoring};
use shido_net::{Encoder, InputSettings};

use super::record::{self, RECORD};
use super::shard::{self, About};
use super::{PackedGame, PackedGames, ReadError};
use crate::in_parallel::in_parallel;

/// Which positions to write, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodeSettings {
    /// The share of a game's positions to take, 0 to 1.
    pub share: f64,
    /// The share of games that are shown with other rules and another komi; what
    /// became of them is then unknown. For a teacher to label.
    pub varied: f64,
    /// About how many positions a shard holds.
    pub shard: usize,
    /// One game in so many is for validation.
    pub valid_one_in: u64,
    /// Decides everything random.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// The program's commit, for the header.
    pub commit: String,
    /// The command, for the header.
    pub command: String,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Positions for training and validation.
    pub positions: [usize; 2],
    /// Games for training and validation.
    pub games: [usize; 2],
    /// Shards.
    pub shards: usize,
}

/// Why no shards were written.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// A packed file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A shard cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is nothing to write.
    #[error("there is no position in the packed games")]
    Nothing,
}

const SPLITS: [&str; 2] = ["train", "valid"];

/// One shard to be written.
struct Job<'a> {
    split: usize,
    number: usize,
    games: Vec<(u32, &'a PackedGame)>,
}

/// Encodes packed games into shards in a folder.
///
/// `on_shard` hears of each shard that is done, how many there are, and its positions.
pub fn encode(
    files: &[PathBuf],
    out: &Path,
    settings: &EncodeSettings,
    on_shard: &(dyn Fn(usize, usize, usize) + Sync),
) -> Result<Encoded, EncodeError> {
    let mut games = Vec::new();
    for file in files {
        for game in PackedGames::open(file)? {
            games.push(game?);
        }
    }
    std::fs::create_dir_all(out).map_err(|error| EncodeError::Write {
        path: out.to_owned(),
        error,
    })?;
    let jobs = deal(&games, settings);
    let done = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let made = in_parallel(&jobs, settings.threads, Encoder::new, |encoder, _, job| {
        // Where one shard cannot be written, the next cannot either.
        if failed.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let positions = job.run(encoder, out, settings);
        match &positions {
            Ok(it) => on_shard(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len(), *it),
            Err(_) => failed.store(true, Ordering::Relaxed),
        }
        positions
    });
    let mut total = Encoded::default();
    for (job, positions) in jobs.iter().zip(made) {
        let positions = positions?;
        total.positions[job.split] += positions;
        total.games[job.split] += job.games.len();
        total.shards += usize::from(positions > 0);
    }
    if total.shards == 0 {
        return Err(EncodeError::Nothing);
    }
    Ok(total)
}

/// Splits the games, shuffles them, and deals them out to shards.
fn deal<'a>(games: &'a [PackedGame], settings: &EncodeSettings) -> Vec<Job<'a>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut order: Vec<_> = (0u32..).zip(games).collect();
    shuffle(&mut order, &mut rng);
    let (valid, train): (Vec<_>, Vec<_>) = order
        .into_iter()
        .partition(|(_, game)| game.fingerprint().is_multiple_of(settings.valid_one_in));
    let mut jobs = Vec::new();
    for (split, games) in [train, valid].into_iter().enumerate() {
        let mut number = 0;
        let mut hand = Vec::new();
        let mut expected = 0.0;
        for game in games {
            expected += game.1.len() as f64 * settings.share;
            hand.push(game);
            if expected >= settings.shard as f64 {
                jobs.push(Job {
                    split,
                    number,
                    games: std::mem::take(&mut hand),
                });
                number += 1;
                expected = 0.0;
            }
        }
        if !hand.is_empty() {
            jobs.push(Job {
                split,
                number,
                games: hand,
            });
        }
    }
    jobs
}

impl Job<'_> {
    /// Writes the shard; returns its number of positions.
    fn run(
        &self,
        encoder: &mut Encoder,
        out: &Path,
        settings: &EncodeSettings,
    ) -> Result<usize, EncodeError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(
            settings.seed ^ (self.split as u64) << 40 ^ (self.number as u64 + 1) << 8,
        );
        let mut records = Vec::with_capacity(settings.shard * RECORD * 9 / 8);
        let mut sources = BTreeMap::new();
        for &(id, game) in &self.games {
            let before = records.len();
            write_game(id, game, encoder, settings, &mut rng, &mut records);
            *sources.entry(game.source.to_string()).or_default() +=
                (records.len() - before) / RECORD;
        }
        if records.is_empty() {
            return Ok(0);
        }
        shuffle_records(&mut records, &mut rng);
        let about = About {
            split: SPLITS[self.split],
            sources,
            games: self.games.len(),
            commit: &settings.commit,
            command: &settings.command,
            seed: settings.seed,
            inputs: 7,
        };
        let path = out.join(format!("{}-{:04}.pos", SPLITS[self.split], self.number));
        shard::write(&path, &about, &records)
            .map_err(|error| EncodeError::Write { path, error })?;
        Ok(records.len() / RECORD)
    }
}

/// Appends the chosen positions of a game.
fn write_game(
    id: u32,
    game: &PackedGame,
    encoder: &mut Encoder,
    settings: &EncodeSettings,
    rng: &mut Xoshiro256PlusPlus,
    records: &mut Vec<u8>,
) {
    let (Ok(mut position), Ok(moves)) = (game.start(), game.moves()) else {
        return;
    };
    let owners = game.dead_stones().and_then(|dead| {
        let last = last_position(&position, &moves)?;
        Some(last.board().without(&dead).owners(last.rules()))
    });
    let varied = unit(rng) < settings.varied;
    if varied {
        vary(&mut position, rng);
    }
    let inputs = InputSettings::default();
    for (ply, &mv) in moves.iter().enumerate() {
        if unit(rng) < settings.share {
            let facts = record::Facts {
                mover: position.to_move(),
                owners: owners.as_ref().filter(|_| !varied),
                game: id,
                ply,
                moves: moves.len(),
                played: Some(mv),
                reply: moves.get(ply + 1).copied(),
                search: game.search(ply).filter(|_| !varied),
                black_score: game.result.filter(|_| game.counted && !varied),
                black_result: game.result.filter(|_| !varied),
                ranks: game.ranks,
                source: game.source.code(),
                time: game.time,
                program: game.program,
            };
            record::write(&encoder.encode(&position, &inputs), &facts, records);
        }
        if position.play(mv).is_err() {
            return;
        }
    }
}

fn last_position(start: &Position, moves: &[Move]) -> Option<Position> {
    let mut position = start.clone();
    for &mv in moves {
        position.play(mv).ok()?;
    }
    Some(position)
}

/// Changes rules and komi to what people seldom play.
fn vary(position: &mut Position, rng: &mut Xoshiro256PlusPlus) {
    let named = Rules::NAMED[below(rng, Rules::NAMED.len())].1;
    let mut rules = named;
    // A superko that the game did not have could forbid a move that was played.
    rules.ko = if position.rules().ko == Ko::Simple {
        Ko::Simple
    } else {
        named.ko
    };
    position.set_rules(rules);
    let spread = if below(rng, 4) == 0 { 40.0 } else { 8.0 };
    let usual = match rules.scoring {
        Scoring::Area => 7.0,
        Scoring::Territory => 6.0,
    };
    let komi = usual + spread * (2.0 * unit(rng) - 1.0);
    position.set_komi((2.0 * komi).round() as f32 / 2.0);
}

/// Returns a number from 0 to under 1.
pub(super) fn unit(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a number under `limit`.
pub(super) fn below(rng: &mut Xoshiro256PlusPlus, limit: usize) -> usize {
    (unit(rng) * limit as f64) as usize
}

fn shuffle<T>(items: &mut [T], rng: &mut Xoshiro256PlusPlus) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(rng, i + 1));
    }
}

fn shuffle_records(records: &mut [u8], rng: &mut Xoshiro256PlusPlus) {
    for i in (1..records.len() / RECORD).rev() {
        let j = below(rng, i + 1);
        if i != j {
            let (front, back) = records.split_at_mut(i * RECORD);
            front[j * RECORD..(j + 1) * RECORD].swap_with_slice(&mut back[..RECORD]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(threads: usize) -> EncodeSettings {
        EncodeSettings {
            share: 0.5,
            varied: 0.5,
            shard: 40,
            valid_one_in: 3,
            seed: 5,
            threads,
            commit: "c".to_owned(),
            command: "test".to_owned(),
        }
    }

    fn games() -> String {
        let points: Vec<String> = (0..80)
            .map(|i| format!("{}{}", letter(i % 9), letter(i / 9)))
            .collect();
        let mut text = String::new();
        for turn in 0..12 {
            let mut moves = points.clone();
            moves.rotate_left(7 * turn);
            let game = PackedGame::on_nine(moves[..30].concat());
            text.push_str(&serde_json::to_string(&game).unwrap());
            text.push('\n');
        }
        text
    }

    fn letter(i: usize) -> char {
        char::from(b'a' + i as u8)
    }

    #[test]
    fn shards_do_not_depend_on_threads_and_splits_share_no_game() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.jsonl");
        std::fs::write(&file, games()).unwrap();
        let read = |threads: usize| {
            let out = folder.path().join(threads.to_string());
            let made = encode(
                std::slice::from_ref(&file),
                &out,
                &settings(threads),
                &|_, _, _| (),
            );
            let made = made.unwrap();
            let mut names: Vec<_> = std::fs::read_dir(&out)
                .unwrap()
                .map(|it| it.unwrap().path())
                .collect();
            names.sort();
            let bytes: Vec<_> = names.iter().map(|it| std::fs::read(it).unwrap()).collect();
            (made, bytes)
        };
        let (made, one) = read(1);
        assert_eq!((made.clone(), one.clone()), read(3));
        assert_eq!(made.games.iter().sum::<usize>(), 12);
        assert!(made.games[1] > 0 && made.positions[0] > 50, "{made:?}");
        let ids = |bytes: &[u8]| {
            let first = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
            let ids = bytes[first..].chunks_exact(RECORD);
            ids.map(|it| u32::from_le_bytes(it[1308..1312].try_into().unwrap()))
                .collect::<std::collections::BTreeSet<_>>()
        };
        let is_train = |bytes: &&Vec<u8>| String::from_utf8_lossy(&bytes[32..64]).contains("train");
        let (train, valid): (Vec<_>, Vec<_>) = one.iter().partition(is_train);
        let all = |shards: &[&Vec<u8>]| {
            shards
                .iter()
                .flat_map(|it| ids(it))
                .collect::<std::collections::BTreeSet<_>>()
        };
        assert!(all(&train).is_disjoint(&all(&valid)));
    }

    #[test]
    fn a_shard_that_cannot_be_written_ends_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.jsonl");
        std::fs::write(&file, games()).unwrap();
        let out = folder.path().join("out");
        // A folder stands where the first shard is to be written.
        std::fs::create_dir_all(out.join("train-0000.pos.part")).unwrap();
        let done = AtomicUsize::new(0);
        let on_shard = |_, _, _| _ = done.fetch_add(1, Ordering::Relaxed);
        let error = encode(&[file], &out, &settings(1), &on_shard).unwrap_err();
        assert!(error.to_string().contains("train-0000.pos"), "{error}");
        assert_eq!(done.into_inner(), 0, "shards after the first were left out");
    }
}
