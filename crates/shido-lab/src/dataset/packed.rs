//! A game as training needs it: one line of JSON, small enough to send anywhere.
//!
//! Points are SGF's two letters, a pass is `--`. Colors alternate from `first`: a
//! record in which they do not is cut there, as it is at its first illegal move.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shido_go::{Board, Color, Move, Point, PointSet, Position, Rules, Size, Symmetry};
use thiserror::Error;

use super::{PackedSearch, Source};

/// What was played, by whom, and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedGame {
    /// Where it comes from.
    pub source: Source,
    /// Columns and rows.
    pub size: [usize; 2],
    /// The rules, in KataGo's names or short form.
    pub rules: String,
    /// Points White gets.
    pub komi: f32,
    /// Black's handicap stones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub handicap: usize,
    /// Ranks of Black and White, 30k = 0 to 9d = 38.
    pub ranks: [Option<u8>; 2],
    /// The time class of a shard, 0 if unknown.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub time: u8,
    /// Black's margin: 0 is a draw, ±0.0625 a win not by points; none if unknown.
    pub result: Option<f32>,
    /// Whether `result` is a number of points.
    #[serde(default, skip_serializing_if = "is_no")]
    pub counted: bool,
    /// Whether a player is a program.
    #[serde(default, skip_serializing_if = "is_no")]
    pub program: bool,
    /// Black's and White's stones before the first move.
    #[serde(default, skip_serializing_if = "are_empty")]
    pub setup: [String; 2],
    /// Whether White moves first.
    #[serde(default, skip_serializing_if = "is_no")]
    pub white_first: bool,
    /// The moves.
    pub moves: String,
    /// The dead stones at the end, if they are known: those with which the count is the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead: Option<String>,
    /// What a search said before each move, where one was made; empty if none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<Option<PackedSearch>>,
}

/// A result that is a win, but not by points.
pub const UNCOUNTED_WIN: f32 = 0.0625;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(it: &usize) -> bool {
    *it == 0
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_nothing(it: &u8) -> bool {
    *it == 0
}
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_no(it: &bool) -> bool {
    !*it
}
fn are_empty(it: &[String; 2]) -> bool {
    it.iter().all(String::is_empty)
}

/// Why a packed game cannot be used.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file system says no.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line is not a game.
    #[error("{}, line {line}: {what}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

impl PackedGame {
    /// Returns an unranked game of people on 9×9 without a result, for tests.
    #[cfg(test)]
    pub(crate) fn on_nine(moves: String) -> PackedGame {
        PackedGame {
            source: Source::Other,
            size: [9, 9],
            rules: "chinese".to_owned(),
            komi: 7.0,
            handicap: 0,
            ranks: [None; 2],
            time: 0,
            result: None,
            counted: false,
            program: false,
            setup: Default::default(),
            white_first: false,
            moves,
            dead: None,
            searches: Vec::new(),
        }
    }

    /// Returns the position before the first move, or what is wrong with it.
    pub fn start(&self) -> Result<Position, String> {
        let size = Size::new(self.size[0], self.size[1]).map_err(|it| it.to_string())?;
        let rules: Rules = self.rules.parse().map_err(|it| format!("{it}"))?;
        let mut board = Board::new(size);
        for (color, stones) in Color::BOTH.into_iter().zip(&self.setup) {
            for mv in read_moves(stones, size)? {
                let point = mv.point().ok_or("a pass among the stones set up")?;
                if board.is_empty(point) {
                    board.place(color, point);
                }
            }
        }
        board.remove_dead();
        let mut position = Position::from_board(board, self.first(), rules, self.komi);
        position.set_handicap(self.handicap);
        Ok(position)
    }

    /// Returns who moves first.
    pub fn first(&self) -> Color {
        if self.white_first {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Returns the moves, or what is wrong with them.
    pub fn moves(&self) -> Result<Vec<Move>, String> {
        let size = Size::new(self.size[0], self.size[1]).map_err(|it| it.to_string())?;
        read_moves(&self.moves, size)
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.len() / 2
    }

    /// Returns whether nothing was played.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the dead stones at the end, if they are known.
    pub fn dead_stones(&self) -> Option<PointSet> {
        let size = Size::new(self.size[0], self.size[1]).ok()?;
        let moves = read_moves(self.dead.as_ref()?, size).ok()?;
        Some(moves.into_iter().filter_map(Move::point).collect())
    }

    /// Returns what a search said before a move, if one was made.
    pub fn search(&self, ply: usize) -> Option<&PackedSearch> {
        self.searches.get(ply)?.as_ref()
    }

    /// Returns a number that is the same for the same game, however it was turned.
    pub fn fingerprint(&self) -> u64 {
        let Ok(size) = Size::new(self.size[0], self.size[1]) else {
            return 0;
        };
        let texts = [&self.setup[0], &self.setup[1], &self.moves];
        let parts = texts.map(|it| read_moves(it, size).unwrap_or_default());
        let turned = |symmetry: Symmetry| {
            let mut hasher = Sha256::new();
            hasher.update([
                symmetry.size(size).width() as u8,
                u8::from(self.white_first),
            ]);
            for (i, part) in parts.iter().enumerate() {
                let mut letters: Vec<String> = part
                    .iter()
                    .map(|&mv| write_move(symmetry.apply(mv, size)))
                    .collect();
                if i < 2 {
                    letters.sort_unstable();
                }
                hasher.update(letters.concat());
                hasher.update([0]);
            }
            let bytes = hasher.finalize();
            u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
        };
        Symmetry::all().map(turned).min().expect("eight symmetries")
    }
}

/// Returns a move as two letters.
pub(super) fn write_move(mv: Move) -> String {
    match mv {
        Move::Pass => "--".to_owned(),
        Move::Play(point) => write_point(point),
    }
}

/// Returns a point as two letters.
pub(super) fn write_point(point: Point) -> String {
    let letter = |it: usize| char::from(b'a' + it as u8);
    [letter(point.x()), letter(point.y())].iter().collect()
}

/// Reads moves of two letters each, or says what is wrong with them.
pub(super) fn read_moves(text: &str, size: Size) -> Result<Vec<Move>, String> {
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(2) {
        return Err("a move is cut in half".to_owned());
    }
    let read = |pair: &[u8]| {
        if pair == b"--" {
            return Ok(Move::Pass);
        }
        let at = |it: u8| usize::from(it.wrapping_sub(b'a'));
        let point = size.point(at(pair[0]), at(pair[1]));
        point.map(Move::Play).ok_or_else(|| {
            let name = String::from_utf8_lossy(pair);
            format!("`{name}` is not a point of a {size} board")
        })
    };
    bytes.chunks_exact(2).map(read).collect()
}

/// The games of a packed file, gzip or plain.
pub struct PackedGames {
    path: PathBuf,
    lines: io::Lines<Box<dyn BufRead + Send>>,
    line: usize,
}

impl PackedGames {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<PackedGames, ReadError> {
        let io = |error| ReadError::Io {
            path: path.to_owned(),
            error,
        };
        let mut start = [0; 2];
        let read = File::open(path)
            .and_then(|mut file| file.read(&mut start))
            .map_err(io)?;
        let file = File::open(path).map_err(io)?;
        let reader: Box<dyn BufRead + Send> = if read == 2 && start == [0x1f, 0x8b] {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(BufReader::new(file))
        };
        Ok(PackedGames {
            path: path.to_owned(),
            lines: reader.lines(),
            line: 0,
        })
    }
}

impl Iterator for PackedGames {
    type Item = Result<PackedGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.lines.next()?;
        self.line += 1;
        let path = self.path.clone();
        let game = match text {
            Err(error) => Err(ReadError::Io { path, error }),
            Ok(text) => check_line(&text).map_err(|what| ReadError::Line {
                path,
                line: self.line,
                what,
            }),
        };
        Some(game)
    }
}

fn check_line(text: &str) -> Result<PackedGame, String> {
    let game: PackedGame = serde_json::from_str(text).map_err(|it| it.to_string())?;
    let start = game.start()?;
    game.moves()?;
    if !game.searches.is_empty() && game.searches.len() != game.len() {
        let counts = (game.searches.len(), game.len());
        return Err(format!("{} searches for {} moves", counts.0, counts.1));
    }
    for search in game.searches.iter().flatten() {
        search.check(start.size())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> PackedGame {
        PackedGame {
            source: Source::Kgs,
            size: [9, 9],
            rules: "japanese".to_owned(),
            komi: 6.5,
            handicap: 2,
            ranks: [Some(3), None],
            time: 0,
            result: Some(-2.5),
            counted: true,
            program: false,
            setup: ["ccgg".to_owned(), String::new()],
            white_first: true,
            moves: "eecg--gc".to_owned(),
            dead: None,
            searches: Vec::new(),
        }
    }

    fn searched() -> PackedGame {
        let search = PackedSearch {
            moves: "eecc--".to_owned(),
            visits: vec![6, 3, 1],
            win: 0.25,
            lead: -1.5,
        };
        PackedGame {
            searches: vec![Some(search), None, None, None],
            ..game()
        }
    }

    #[test]
    fn a_line_comes_back() {
        let text = serde_json::to_string(&game()).unwrap();
        assert!(
            !text.contains("searches"),
            "as before there were any: {text}"
        );
        assert_eq!(check_line(&text), Ok(game()));
        let text = serde_json::to_string(&searched()).unwrap();
        assert_eq!(check_line(&text), Ok(searched()));
        let start = game().start().unwrap();
        assert_eq!(start.to_move(), Color::White);
        assert_eq!(start.board().empty_count(), 79);
        assert_eq!(game().moves().unwrap().len(), 4);
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said() {
        let check = |change: &dyn Fn(&mut PackedGame), expect: &str| {
            let mut game = searched();
            change(&mut game);
            let text = serde_json::to_string(&game).unwrap();
            let error = check_line(&text).unwrap_err();
            assert!(error.contains(expect), "{error}");
        };
        check(&|it| it.moves = "zz".to_owned(), "`zz` is not a point");
        check(&|it| it.moves = "a".to_owned(), "cut in half");
        check(&|it| it.searches.truncate(3), "3 searches for 4 moves");
        let check_search = |change: &dyn Fn(&mut PackedSearch), expect: &str| {
            check(&|it| change(it.searches[0].as_mut().unwrap()), expect);
        };
        check_search(&|it| it.visits.truncate(2), "3 moves with 2 visits");
        check_search(&|it| it.visits = vec![0; 3], "without visits");
        check_search(&|it| it.moves = "eeccjj".to_owned(), "`jj` is not a point");
        check_search(&|it| it.win = 1.5, "win rate of 1.5");
        check(&|it| it.rules = "poker".to_owned(), "poker");
        check(&|it| it.size = [1, 1], "1×1");
        assert!(check_line("{}").is_err());
    }

    #[test]
    fn turned_games_have_one_fingerprint() {
        let mut turned = game();
        let size = Size::S9;
        let symmetry = Symmetry::from_bits(5).unwrap();
        let turn = |text: &str| {
            let moves = read_moves(text, size).unwrap();
            let turned = moves.iter().map(|&mv| write_move(symmetry.apply(mv, size)));
            turned.collect::<String>()
        };
        turned.moves = turn(&turned.moves);
        turned.setup[0] = turn(&turned.setup[0]);
        assert_ne!(turned.moves, game().moves);
        assert_eq!(turned.fingerprint(), game().fingerprint());
        turned.moves.push_str("ii");
        assert_ne!(turned.fingerprint(), game().fingerprint());
    }
}
