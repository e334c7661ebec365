//! Game records for training: SGF files, and text files with one game a line.
//!
//! A line holds `id<TAB>;B[pd];W[dd]…`, an even game on 19×19; the id may be
//! missing. Games are kept small (two bytes a point), because tens of thousands
//! are held at once. A record is taken up to its first illegal move; setup in the
//! middle of a game ends it too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shido_go::{Board, Color, Game, Move, Point, Rank, Size, sgf};
use thiserror::Error;

/// Games with fewer moves teach nothing.
const SHORTEST: usize = 10;

/// A file that may hold games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameSource {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sgf,
    Lines,
}

/// Why games cannot be read.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The file system says no.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is neither kind.
    #[error("{} holds no games: neither SGF nor lines such as `id<TAB>;B[pd];W[dd]`", .0.display())]
    Unknown(PathBuf),
    /// There is nothing to read.
    #[error("there is no game in the given files and folders")]
    Nothing,
}

/// What was played in one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// The board.
    pub size: Size,
    /// Stones on the board before the first move.
    pub setup: Vec<(Color, Point)>,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
    /// The players' ranks, Black's first.
    pub ranks: [Option<Rank>; 2],
    /// Whether the game is kept from training, for measuring.
    pub held_out: bool,
}

/// One game in so many is held out of training (PD10, §3.1).
pub const HOLD_OUT: usize = 10;

/// Reads all games of files and folders and holds every tenth out: of each folder by
/// itself, so that it holds out the same games whatever else is read, and of files
/// that are named one after the other as if they lay in one folder.
///
/// `on_file` hears of each file that is done and how many there are.
pub fn read_games(
    paths: &[PathBuf],
    mut on_file: impl FnMut(usize, usize),
) -> Result<Vec<PlayedGame>, GamesError> {
    let groups: Vec<_> = paths
        .chunk_by(|a, b| !a.is_dir() && !b.is_dir())
        .map(find_sources)
        .collect::<Result<_, _>>()?;
    let files = groups.iter().map(Vec::len).sum();
    let mut all = Vec::new();
    let mut done = 0;
    for sources in groups {
        let first = all.len();
        for source in sources {
            all.extend(source.read()?);
            done += 1;
            on_file(done, files);
        }
        for (i, game) in all[first..].iter_mut().enumerate() {
            game.held_out = i % HOLD_OUT == HOLD_OUT - 1;
        }
    }
    if all.is_empty() {
        return Err(GamesError::Nothing);
    }
    Ok(all)
}

/// Returns the files that paths mean: files as given; of folders, at any depth and in
/// order of their names, those that hold games.
pub(crate) fn find_sources(paths: &[PathBuf]) -> Result<Vec<GameSource>, GamesError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            search(path, &mut found)?;
        } else {
            let source = GameSource::open(path)?;
            found.push(source.ok_or_else(|| GamesError::Unknown(path.clone()))?);
        }
    }
    if found.is_empty() {
        return Err(GamesError::Nothing);
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<GameSource>) -> Result<(), GamesError> {
    let io = |error| GamesError::Io {
        path: folder.to_owned(),
        error,
    };
    let mut paths = fs::read_dir(folder)
        .map_err(io)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(io)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            search(&path, found)?;
        } else {
            found.extend(GameSource::open(&path)?);
        }
    }
    Ok(())
}

impl GameSource {
    /// Looks at a file; none when it holds no games.
    fn open(path: &Path) -> Result<Option<GameSource>, GamesError> {
        let source = |kind| {
            Some(GameSource {
                path: path.to_owned(),
                kind,
            })
        };
        if path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("sgf"))
        {
            return Ok(source(Kind::Sgf));
        }
        let start = read_start(path).map_err(|error| GamesError::Io {
            path: path.to_owned(),
            error,
        })?;
        let line = start.split(|&it| it == b'\n').next().unwrap_or_default();
        Ok(source(Kind::Lines).filter(|_| moves_of_line(line).is_some()))
    }

    /// Reads the games; what is no game or too short is left out.
    fn read(&self) -> Result<Vec<PlayedGame>, GamesError> {
        let bytes = fs::read(&self.path).map_err(|error| GamesError::Io {
            path: self.path.clone(),
            error,
        })?;
        let games: Vec<PlayedGame> = match self.kind {
            Kind::Sgf => {
                let file = sgf::read(bytes);
                let games = file.collection.games();
                games
                    .filter_map(|it| Some(from_game(&Game::from_tree(it).ok()?)))
                    .collect()
            }
            Kind::Lines => bytes
                .split(|&it| it == b'\n')
                .filter_map(from_line)
                .collect(),
        };
        let long = games.into_iter().filter(|it| it.moves.len() >= SHORTEST);
        Ok(long.collect())
    }
}

/// Reads enough of a file to see its first moves.
fn read_start(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut start = Vec::new();
    fs::File::open(path)?.take(4096).read_to_end(&mut start)?;
    Ok(start)
}

fn from_game(game: &Game) -> PlayedGame {
    let replay = game.replay();
    let board = replay.position().board();
    let setup = game.size.points();
    let setup = setup.filter_map(|it| Some((board.stone(it)?, it)));
    PlayedGame {
        size: game.size,
        setup: setup.collect(),
        moves: game.moves().map(|it| (it.color, it.mv)).collect(),
        ranks: Color::BOTH.map(|it| game.player(it).rank),
        held_out: false,
    }
}

/// Returns the part of a line that holds moves.
fn moves_of_line(line: &[u8]) -> Option<&[u8]> {
    let start = line.iter().position(|&it| it == b';')?;
    let before = &line[..start];
    let is_id = before
        .iter()
        .all(|it| it.is_ascii_alphanumeric() || it.is_ascii_whitespace());
    let moves = &line[start..];
    (is_id && matches!(moves.get(..3), Some(b";B[" | b";W["))).then_some(moves)
}

fn from_line(line: &[u8]) -> Option<PlayedGame> {
    let size = Size::S19;
    let mut moves = Vec::new();
    for text in moves_of_line(line)?.split(|&it| it == b';').skip(1) {
        let color = match text.first()? {
            b'B' => Color::Black,
            b'W' => Color::White,
            _ => return None,
        };
        let mv = match text.get(1..)?.trim_ascii_end() {
            b"[]" => Move::Pass,
            [b'[', x @ b'a'..=b's', y @ b'a'..=b's', b']'] => {
                Move::from(size.point(usize::from(x - b'a'), usize::from(y - b'a')))
            }
            _ => return None,
        };
        moves.push((color, mv));
    }
    Some(PlayedGame {
        size,
        setup: Vec::new(),
        moves,
        ranks: [None; 2],
        held_out: false,
    })
}

impl PlayedGame {
    /// Returns the board before the first move.
    pub fn start(&self) -> Board {
        let mut board = Board::new(self.size);
        for &(color, point) in &self.setup {
            board.place(color, point);
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_records_become_games() {
        let folder = tempfile::tempdir().unwrap();
        let line = "7\t;B[pd];W[dd];B[pq];W[dq];B[do];W[co];B[dp];W[cp];B[eq];W[]\r\nnonsense\n";
        fs::write(folder.path().join("2008-01"), line).unwrap();
        fs::write(folder.path().join("index"), "7\t2008\tsomeone\n").unwrap();
        let record =
            "(;SZ[9]AB[aa]BR[3k];W[bb];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh];B[ii];W[ab];B[])";
        fs::write(folder.path().join("z.sgf"), record).unwrap();
        let sources = find_sources(&[folder.path().to_owned()]).unwrap();
        assert_eq!(sources.len(), 2, "the index holds no games");
        let [lines, sgf] = [0, 1].map(|i| sources[i].read().unwrap());
        assert_eq!((lines.len(), lines[0].moves.len()), (1, 10));
        assert_eq!(lines[0].moves[9], (Color::White, Move::Pass));
        assert_eq!((sgf[0].setup.len(), sgf[0].moves.len()), (1, 10));
        assert_eq!(sgf[0].ranks, [Some(Rank::Kyu(3)), None]);
    }

    #[test]
    fn every_tenth_game_of_a_folder_and_of_a_run_of_files_is_held_out() {
        let folder = tempfile::tempdir().unwrap();
        let line = ";B[pd];W[dd];B[pq];W[dq];B[do];W[co];B[dp];W[cp];B[eq];W[]\n";
        let [a, b] = ["a", "b"].map(|it| folder.path().join(it));
        fs::write(&a, line.repeat(23)).unwrap();
        fs::write(&b, line.repeat(9)).unwrap();
        let held = |paths: &[PathBuf]| {
            let games = read_games(paths, |_, _| ()).unwrap();
            let held = (0..games.len()).filter(|&it| games[it].held_out);
            held.collect::<Vec<_>>()
        };
        let whole = folder.path().to_owned();
        assert_eq!(held(&[a.clone(), b.clone()]), [9, 19, 29]);
        assert_eq!(
            held(&[a, whole.clone(), b]),
            [9, 19, 23 + 9, 23 + 19, 23 + 29]
        );
        assert_eq!(held(&[whole.clone(), whole]), [9, 19, 29, 41, 51, 61]);
    }

    #[test]
    fn a_file_without_games_is_an_error_when_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, "hello").unwrap();
        let error = find_sources(&[path]).unwrap_err().to_string();
        assert!(error.contains("notes.txt holds no games"), "{error}");
        assert!(matches!(
            find_sources(&[folder.path().to_owned()]),
            Err(GamesError::Nothing)
        ));
    }
}
