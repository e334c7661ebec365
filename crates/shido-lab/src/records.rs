//! Games that were played elsewhere, taken into the ledger to be measured.
//!
//! A spec's player of kind `sgf` names files and folders; each SGF in them gives
//! one line, named after its place in the sorted list. A record is taken up to
//! its first illegal move.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use shido_go::gtp::format_vertex;
use shido_go::{Color, Game, GameResult, Move, Position, sgf};

use crate::line::{End, GameLine, MoveLine, Opinions, Outcome, SeatLine, StartLine, Times};
use crate::provenance::{Provenance, hash_file};
use crate::spec::{PlayerSpec, RuleSet, Spec};

/// A record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file or folder cannot be read.
    #[error("players.{player}.files: cannot read {path}: {cause}")]
    File {
        /// The player.
        player: String,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        cause: io::Error,
    },
    /// The file holds no game.
    #[error("players.{player}.files: {path}: {why}")]
    NoGame {
        /// The player.
        player: String,
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

/// Reads the recorded games of a spec.
pub(crate) fn read(spec: &Spec, provenance: &Provenance) -> Result<Vec<GameLine>, RecordError> {
    let mut games = Vec::new();
    for (name, player) in &spec.players {
        let PlayerSpec::Sgf {
            files,
            games: limit,
        } = player
        else {
            continue;
        };
        let cannot = |path: PathBuf| {
            let player = name.clone();
            move |cause| RecordError::File {
                player,
                path,
                cause,
            }
        };
        let mut paths = Vec::new();
        for file in files {
            let path = spec.path(file);
            collect(&path, &mut paths).map_err(cannot(path))?;
        }
        paths.sort();
        for (i, path) in paths.into_iter().take(*limit).enumerate() {
            let bytes = std::fs::read(&path).map_err(cannot(path.clone()))?;
            let hash = hash_file(&path).map_err(cannot(path.clone()))?;
            let mut game = line(&bytes).map_err(|why| RecordError::NoGame {
                player: name.clone(),
                path,
                why,
            })?;
            game.game = format!("{name}.{:04}", i + 1);
            provenance.commit().clone_into(&mut game.commit);
            game.seed = spec.seed;
            for seat in [&mut game.black, &mut game.white] {
                name.clone_into(&mut seat.name);
                seat.settings = serde_json::to_value(player).expect("settings have text keys");
                seat.hashes = BTreeMap::from([("sgf".to_owned(), hash.clone())]);
            }
            games.push(game);
        }
    }
    Ok(games)
}

/// Lists a file, or the SGF files under a folder.
fn collect(path: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        // So that a missing file is an error here and not an empty list.
        std::fs::metadata(path)?;
        into.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        let inner = entry?.path();
        let is_sgf = inner
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("sgf"));
        if inner.is_dir() || is_sgf {
            collect(&inner, into)?;
        }
    }
    Ok(())
}

fn line(bytes: &[u8]) -> Result<GameLine, String> {
    let reading = sgf::read(bytes);
    let tree = reading
        .collection
        .games()
        .next()
        .ok_or("it holds no game")?;
    let game = Game::from_tree(tree).map_err(|error| error.to_string())?;
    let start = game.replay().position().clone();
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut why = None;
    for record in game.moves() {
        let by = (record.color != position.to_move()).then_some(record.color);
        if let Err(illegal) = position.play_as(record.color, record.mv) {
            why = Some(format!("cut off at move {}: {illegal}", moves.len() + 1));
            break;
        }
        moves.push(MoveLine {
            by,
            ..MoveLine::bare(format_vertex(record.mv, game.size))
        });
    }
    let result: Option<GameResult> = game.info.result.parse().ok();
    let seat = |color| SeatLine {
        name: String::new(),
        program: person(&game, color),
        settings: serde_json::Value::Null,
        hashes: BTreeMap::new(),
    };
    let rules = [RuleSet::Chinese, RuleSet::TrompTaylor, RuleSet::Japanese]
        .into_iter()
        .find(|it| it.rules() == *start.rules())
        .unwrap_or(RuleSet::Chinese);
    Ok(GameLine {
        game: String::new(),
        commit: String::new(),
        seed: 0,
        black: seat(Color::Black),
        white: seat(Color::White),
        board: format!("{}x{}", game.size.width(), game.size.height()),
        rules: rules.name().to_owned(),
        komi: game.komi(),
        start: start_line(&start),
        opening: 0,
        voids: 0,
        outcome: Outcome {
            winner: result.and_then(GameResult::winner),
            end: End::Record,
            margin: result
                .and_then(GameResult::score)
                .map(|it| it.lead(Color::Black)),
            why,
            opinions: Opinions::default(),
            disputed: false,
            dead: Vec::new(),
        },
        moves,
        times: Times::default(),
    })
}

fn person(game: &Game, color: Color) -> String {
    let player = game.player(color);
    format!("{} {}", player.name, player.rank_text)
        .trim()
        .to_owned()
}

fn start_line(start: &Position) -> Option<StartLine> {
    let size = start.size();
    let stones = |color| -> Vec<String> {
        size.points()
            .filter(|&point| start.board().stone(point) == Some(color))
            .map(|point| format_vertex(Move::Play(point), size))
            .collect()
    };
    let (black, white) = (stones(Color::Black), stones(Color::White));
    let plain = black.is_empty() && white.is_empty() && start.to_move() == Color::Black;
    (!plain).then(|| StartLine {
        black,
        white,
        to_move: start.to_move(),
        handicap: start.handicap(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_with_handicap_can_be_played_through() {
        let text =
            b"(;SZ[9]KM[0.5]HA[2]AB[cc][gg]RU[Japanese]RE[W+3.5]PB[Ann]BR[9k];W[ee];B[ec];W[])";
        let game = line(text).unwrap();
        assert_eq!(game.black.program, "Ann 9k");
        assert_eq!(game.result(), "W+3.5");
        let position = game.position().unwrap();
        assert_eq!(position.moves().len(), 3);
        assert_eq!(position.handicap(), 2);
        assert_eq!(position.komi(), 0.5);
    }

    #[test]
    fn a_record_ends_before_its_first_illegal_move() {
        let game = line(b"(;SZ[9];B[ee];W[ee];B[cc])").unwrap();
        assert_eq!(game.moves.len(), 1);
        let why = game.outcome.why.unwrap();
        assert!(why.starts_with("cut off at move 2: "), "{why}");
    }
}
