//! Reads game records of every kind into packed games.
//!
//! A game is cut at its first illegal move, at stones set up in mid-game and where
//! a color moves twice; what is then shorter than [`SHORTEST`] moves is left out.
//! A game that was seen before, in any orientation, is left out too.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use shido_go::{Color, Game, GameResult, Move, Player, Position, Rules, Size, WinBy, sgf};
use shido_patterns::policy::Policy;

use super::packed::{UNCOUNTED_WIN, write_move, write_point};
use super::{PackedGame, Source, dead};
use crate::in_parallel::in_parallel;
use crate::patterns::games::{GamesError, Kind, find_sources};

/// Games with fewer moves teach nothing.
pub const SHORTEST: usize = 10;
/// The longest side that networks take.
const LONGEST: usize = 19;
/// Files read at a time between two writes.
const BATCH: usize = 512;

/// What packing found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackReport {
    /// Games written.
    pub games: usize,
    /// Their moves.
    pub moves: usize,
    /// Games counted whose dead stones were found.
    pub counted: usize,
    /// Games counted in all.
    pub countable: usize,
    /// Games seen before.
    pub repeated: usize,
    /// Games too short, on too big a board, or unreadable.
    pub unusable: usize,
}

/// Reads the games of folders and files and writes them, one a line.
///
/// `on_file` hears of each file that is done and how many there are.
pub fn pack(
    inputs: &[(Source, PathBuf)],
    threads: usize,
    out: &mut dyn Write,
    on_file: &(dyn Fn(usize, usize) + Sync),
) -> Result<PackReport, GamesError> {
    let policy = Policy::embedded();
    let mut report = PackReport::default();
    let mut seen = HashSet::new();
    read_all(
        inputs,
        (threads, Some(&policy)),
        on_file,
        |games, unusable| {
            report.unusable += unusable;
            let mut games = games.into_iter();
            games.try_for_each(|game| report.take(&game, &mut seen, out))
        },
    )?;
    if report.games == 0 {
        return Err(GamesError::Nothing);
    }
    Ok(report)
}

/// Reads the games of folders and files, each once, without looking for dead stones.
///
/// `on_file` hears of each file that is done and how many there are.
pub fn read_records(
    inputs: &[(Source, PathBuf)],
    threads: usize,
    on_file: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<PackedGame>, GamesError> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    read_all(inputs, (threads, None), on_file, |games, _| {
        all.extend(games.into_iter().filter(|it| seen.insert(it.fingerprint())));
        Ok(())
    })?;
    Ok(all)
}

/// Reads every file and hands its games over with the number of those unusable, in order.
fn read_all(
    inputs: &[(Source, PathBuf)],
    (threads, policy): (usize, Option<&Policy>),
    on_file: &(dyn Fn(usize, usize) + Sync),
    mut take: impl FnMut(Vec<PackedGame>, usize) -> io::Result<()>,
) -> Result<(), GamesError> {
    let mut work = Vec::new();
    let mut results = HashMap::new();
    for (source, path) in inputs {
        for file in find_sources(std::slice::from_ref(path))? {
            work.push((*source, file));
        }
        read_indices(path, &mut results)?;
    }
    let done = AtomicUsize::new(0);
    for batch in work.chunks(BATCH) {
        let found = in_parallel(
            batch,
            threads,
            || (),
            |(), _, (source, file)| {
                let games = read(*source, &file.path, file.kind, &results, policy);
                on_file(done.fetch_add(1, Ordering::Relaxed) + 1, work.len());
                games
            },
        );
        for ((_, file), games) in batch.iter().zip(found) {
            let taken = games.and_then(|(games, unusable)| take(games, unusable));
            taken.map_err(|error| GamesError::Io {
                path: file.path.clone(),
                error,
            })?;
        }
    }
    Ok(())
}

/// The games of a file, and how many could not be used.
type Read = io::Result<(Vec<PackedGame>, usize)>;

impl PackReport {
    fn take(
        &mut self,
        game: &PackedGame,
        seen: &mut HashSet<u64>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !seen.insert(game.fingerprint()) {
            self.repeated += 1;
            return Ok(());
        }
        self.games += 1;
        self.moves += game.len();
        self.countable += usize::from(game.counted);
        self.counted += usize::from(game.dead.is_some());
        serde_json::to_writer(&mut *out, game)?;
        out.write_all(b"\n")
    }
}

fn read(
    source: Source,
    path: &Path,
    kind: Kind,
    results: &HashMap<String, String>,
    policy: Option<&Policy>,
) -> Read {
    let bytes = fs::read(path)?;
    let mut games = Vec::new();
    let mut unusable = 0;
    let mut take = |game: Option<PackedGame>| match game {
        Some(game) if game.len() >= SHORTEST => games.push(game),
        _ => unusable += 1,
    };
    match kind {
        Kind::Sgf => {
            let file = sgf::read(bytes);
            for tree in file.collection.games() {
                let game = Game::from_tree(tree).ok();
                take(game.and_then(|it| from_record(source, &it, policy)));
            }
        }
        Kind::Lines => {
            for line in bytes.split(|&it| it == b'\n').filter(|it| !it.is_empty()) {
                take(from_line(source, line, results, policy));
            }
        }
    }
    Ok((games, unusable))
}

/// The facts of a game beside its moves.
struct Facts {
    source: Source,
    players: [Player; 2],
    result: GameResult,
    main_time: Option<f64>,
    place: String,
}

fn from_record(source: Source, game: &Game, policy: Option<&Policy>) -> Option<PackedGame> {
    let facts = Facts {
        source,
        players: [game.info.black.clone(), game.info.white.clone()],
        result: game.info.result.parse().unwrap_or(GameResult::Unknown),
        main_time: game.info.main_time,
        place: game.info.place.clone(),
    };
    let replay = game.replay();
    let mut start = replay.position().clone();
    start.set_komi(sane_komi(source, game, start.board().empty_count()));
    if start.rules().friendly_pass || game.rules.is_none() {
        start.set_rules(game.rules.unwrap_or(Rules::JAPANESE));
    }
    let moves = game.moves().map(|it| (it.color, it.mv));
    packed(&facts, &start, moves, policy)
}

/// Returns the komi, repaired where a server writes it in units of its own.
///
/// Fox writes an even game's komi as 0, or in hundredths of stones or points.
fn sane_komi(source: Source, game: &Game, empty: usize) -> f32 {
    let written = game.komi();
    let even = game.handicap < 2 && empty == game.size.area();
    match written {
        375.0 => 7.5,
        it if it.abs() >= 100.0 => it / 100.0,
        0.0 if source == Source::Fox && even => 6.5,
        it => it,
    }
}

fn from_line(
    source: Source,
    line: &[u8],
    results: &HashMap<String, String>,
    policy: Option<&Policy>,
) -> Option<PackedGame> {
    let text = std::str::from_utf8(line).ok()?;
    let (id, moves) = text.split_once(';')?;
    let size = Size::S19;
    let mut played = Vec::new();
    for part in moves.trim_end().split(';') {
        let color = match part.as_bytes().first()? {
            b'B' => Color::Black,
            b'W' => Color::White,
            _ => return None,
        };
        let mv = match part.as_bytes().get(1..)? {
            b"[]" => Move::Pass,
            [b'[', x @ b'a'..=b's', y @ b'a'..=b's', b']'] => {
                Move::from(size.point(usize::from(x - b'a'), usize::from(y - b'a')))
            }
            _ => return None,
        };
        played.push((color, mv));
    }
    let result = results.get(id.trim()).map(String::as_str);
    let facts = Facts {
        source,
        players: Default::default(),
        result: result
            .and_then(|it| it.parse().ok())
            .unwrap_or(GameResult::Unknown),
        main_time: None,
        place: String::new(),
    };
    let start = Position::new(size, Rules::JAPANESE, 6.5);
    packed(&facts, &start, played.into_iter(), policy)
}

fn packed(
    facts: &Facts,
    start: &Position,
    moves: impl Iterator<Item = (Color, Move)>,
    policy: Option<&Policy>,
) -> Option<PackedGame> {
    let size = start.size();
    if size.width().max(size.height()) > LONGEST {
        return None;
    }
    let mut moves = moves.peekable();
    let mut position = start.clone();
    position.set_to_move(moves.peek()?.0);
    let first = position.to_move();
    let mut text = String::new();
    let mut whole = true;
    for (color, mv) in moves {
        if color != position.to_move() || position.is_over() || position.play(mv).is_err() {
            whole = false;
            break;
        }
        text.push_str(&write_move(mv));
    }
    let score = facts.result.score().filter(|_| whole);
    let stones = |color| {
        let own = |&it: &_| start.board().stone(it) == Some(color);
        size.points().filter(own).map(write_point).collect()
    };
    let dead = score
        .zip(policy)
        .and_then(|(score, policy)| dead::find_dead(&position, policy, score));
    Some(PackedGame {
        source: facts.source,
        size: [size.width(), size.height()],
        rules: position.rules().to_string(),
        komi: position.komi(),
        handicap: position.handicap(),
        ranks: [0, 1].map(|i| facts.source.rank_code(&facts.players[i])),
        time: time_class(facts.main_time),
        result: margin(facts.result),
        counted: score.is_some(),
        program: facts.place.contains("CGOS"),
        setup: Color::BOTH.map(stones),
        white_first: first == Color::White,
        moves: text,
        dead: dead.map(|it| it.iter().map(write_point).collect()),
        searches: Vec::new(),
    })
}

/// Returns Black's margin.
fn margin(result: GameResult) -> Option<f32> {
    match result {
        GameResult::Win { color, by } => {
            let margin = match by {
                WinBy::Points(points) => points,
                _ => UNCOUNTED_WIN,
            };
            Some(match color {
                Color::Black => margin,
                Color::White => -margin,
            })
        }
        GameResult::Draw => Some(0.0),
        GameResult::Void | GameResult::Unknown => None,
    }
}

/// Returns the time class of a shard: fast is under 20 minutes, slow an hour or more.
fn time_class(main_time: Option<f64>) -> u8 {
    match main_time {
        None => 0,
        Some(it) if it < 300.0 => 1,
        Some(it) if it < 1200.0 => 2,
        Some(it) if it < 3600.0 => 3,
        Some(_) => 4,
    }
}

/// Reads the results of lists that name games of line files, if there are any.
///
/// A line of such a list is tab-separated: the id first, the result in the ninth column.
fn read_indices(path: &Path, results: &mut HashMap<String, String>) -> Result<(), GamesError> {
    let io = |error| GamesError::Io {
        path: path.to_owned(),
        error,
    };
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(io)? {
            read_indices(&entry.map_err(io)?.path(), results)?;
        }
        return Ok(());
    }
    if path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("sgf"))
    {
        return Ok(());
    }
    let bytes = fs::read(path).map_err(io)?;
    for line in bytes.split(|&it| it == b'\n') {
        let mut fields = line.split(|&it| it == b'\t');
        let (Some(id), Some(result)) = (fields.next(), fields.nth(7)) else {
            return Ok(());
        };
        let text = |it| String::from_utf8_lossy(it).trim().to_owned();
        results.insert(text(id), text(result));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_lines_are_packed_once() {
        let folder = tempfile::tempdir().unwrap();
        let line = "7\t;B[pd];W[dd];B[pq];W[dq];B[do];W[co];B[dp];W[cp];B[eq];W[cn]\n";
        fs::write(folder.path().join("2008-01"), line).unwrap();
        fs::write(
            folder.path().join("index"),
            "7\t2008\ta\tb\t0\tc\td\t2\tB+Resign\t10\t30\n",
        )
        .unwrap();
        let record = "(;SZ[19]KM[650]BR[3d]WR[9d]RE[W+R];B[pd];W[dd];B[pq];W[dq];B[do];W[co];B[dp];W[cp];B[eq];W[cn])";
        fs::write(folder.path().join("a.sgf"), record).unwrap();
        fs::write(folder.path().join("short.sgf"), "(;SZ[9];B[aa])").unwrap();
        let inputs = [(Source::Fox, folder.path().to_owned())];
        let mut out = Vec::new();
        let report = pack(&inputs, 2, &mut out, &|_, _| ()).unwrap();
        assert_eq!((report.games, report.repeated, report.unusable), (1, 1, 1));
        let text = String::from_utf8(out).unwrap();
        let game: PackedGame = serde_json::from_str(text.trim_end()).unwrap();
        assert_eq!(game.len(), 10);
        assert_eq!(game.result.map(f32::abs), Some(UNCOUNTED_WIN));
    }

    #[test]
    fn an_odd_komi_is_repaired_and_a_second_move_of_a_color_ends_the_game() {
        let game = |text: &str| {
            let file = sgf::read(text.as_bytes().to_vec());
            let tree = file.collection.games().next().unwrap();
            let game = Game::from_tree(tree).unwrap();
            from_record(Source::Fox, &game, Some(&Policy::embedded())).unwrap()
        };
        assert_eq!(game("(;KM[375];B[pd];W[dd])").komi, 7.5);
        assert_eq!(game("(;KM[0]HA[0];B[pd];W[dd])").komi, 6.5);
        assert_eq!(game("(;KM[0]HA[2]AB[pd][dp];W[dd])").komi, 0.0);
        let cut = game("(;KM[6.5];B[pd];W[dd];W[dp];B[pp])");
        assert_eq!((cut.len(), cut.white_first), (2, false));
    }
}
