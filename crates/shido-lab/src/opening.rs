//! How games begin: an empty board, moves drawn at random, or moves of records.
//!
//! Records are read once, before the first game. Only their moves are used; the
//! board, rules and komi are the spec's.

use std::path::PathBuf;

use shido_engine::player::{Player, RandomPlayer};
use shido_go::gtp::Reply;
use shido_go::{Game, Move, Position, sgf};

use crate::schedule::Opened;
use crate::spec::{Opening, Spec};

/// An opening cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("opening.files: cannot read {path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        cause: std::io::Error,
    },
    /// The file does not hold a game that fits.
    #[error("opening.files: {path}: {why}")]
    Record {
        /// The file.
        path: PathBuf,
        /// Why it does not fit.
        why: String,
    },
}

/// The openings of a spec, ready to play.
pub(crate) struct Openings {
    empty: Position,
    random_moves: usize,
    recorded: Vec<Position>,
}

impl Openings {
    /// Reads what the spec names.
    pub(crate) fn of(spec: &Spec) -> Result<Openings, OpeningError> {
        let game = &spec.game;
        let mut openings = Openings {
            empty: Position::new(game.board, game.rules.rules(), game.komi),
            random_moves: 0,
            recorded: Vec::new(),
        };
        match &spec.opening {
            Opening::None => {}
            Opening::Random { moves } => openings.random_moves = *moves,
            Opening::Sgf { files, moves } => {
                for file in files {
                    let path = spec.path(file);
                    let bytes = std::fs::read(&path).map_err(|cause| OpeningError::File {
                        path: path.clone(),
                        cause,
                    })?;
                    let position = first_moves(&openings.empty, bytes, *moves)
                        .and_then(|position| still_to_play(position, game.move_limit))
                        .map_err(|why| OpeningError::Record { path, why })?;
                    openings.recorded.push(position);
                }
            }
        }
        Ok(openings)
    }

    /// Returns the position a game begins from, with the moves that led there.
    pub(crate) fn position(&self, opened: Opened) -> Position {
        if !self.recorded.is_empty() {
            return self.recorded[opened.number % self.recorded.len()].clone();
        }
        let mut position = self.empty.clone();
        let mut player = RandomPlayer::new(opened.seed);
        for _ in 0..self.random_moves {
            let reply = player.genmove(&position).map(|choice| choice.reply);
            // A tiny board may run out of moves.
            let Ok(Reply::Move(mv @ Move::Play(_))) = reply else {
                break;
            };
            position.play(mv).expect("a random player plays legally");
        }
        position
    }
}

fn still_to_play(position: Position, move_limit: usize) -> Result<Position, String> {
    if position.is_over() {
        return Err("its moves end the game: leave the last passes out".to_owned());
    }
    if position.moves().len() >= move_limit {
        return Err(format!(
            "it has no fewer moves than the limit of {move_limit}"
        ));
    }
    Ok(position)
}

/// Plays the first moves of a record, or all.
fn first_moves(empty: &Position, bytes: Vec<u8>, moves: Option<usize>) -> Result<Position, String> {
    let reading = sgf::read(bytes);
    let tree = reading
        .collection
        .games()
        .next()
        .ok_or("it holds no game")?;
    let game = Game::from_tree(tree).map_err(|error| error.to_string())?;
    if game.size != empty.size() {
        return Err(format!(
            "its board is {} and the spec's {}",
            game.size,
            empty.size()
        ));
    }
    if let Some(moves) = moves
        && game.moves().count() < moves
    {
        return Err(format!("it has fewer than {moves} moves"));
    }
    let mut position = empty.clone();
    for record in game.moves().take(moves.unwrap_or(usize::MAX)) {
        if record.color != position.to_move() {
            return Err("its opening does not alternate, beginning with Black".to_owned());
        }
        position
            .play(record.mv)
            .map_err(|illegal| illegal.to_string())?;
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(opening: &str) -> Result<Openings, OpeningError> {
        let text = format!(
            "name = 'x'\nseed = 3\n[players.a]\nkind = 'random'\n\
             [players.b]\nkind = 'random'\n[round_robin]\ngames = 4\n[opening]\n{opening}\n"
        );
        Openings::of(&Spec::parse(&text, "x.toml").unwrap())
    }

    fn moves(position: &Position) -> Vec<Move> {
        position.moves().iter().map(|it| it.mv).collect()
    }

    #[test]
    fn a_random_opening_depends_on_its_seed_alone() {
        let openings = openings("kind = 'random'\nmoves = 6").unwrap();
        let at = |number, seed| moves(&openings.position(Opened { number, seed }));
        assert_eq!(at(0, 1), at(5, 1));
        assert_ne!(at(0, 1), at(0, 2));
        assert_eq!(at(0, 1).len(), 6);
    }

    #[test]
    fn records_take_turns() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let one = write("1.sgf", "(;SZ[9];B[ee];W[cc];B[gg])");
        let two = write("2.sgf", "(;SZ[9];B[dd];W[ff];B[fd])");
        let openings = openings(&format!(
            "kind = 'sgf'\nmoves = 2\nfiles = ['{one}', '{two}']"
        ))
        .unwrap();
        let at = |number| moves(&openings.position(Opened { number, seed: 0 }));
        assert_eq!(at(0).len(), 2);
        assert_eq!(at(0), at(2));
        assert_ne!(at(0), at(1));
    }

    #[test]
    fn a_whole_record_is_an_opening_unless_it_ends_the_game() {
        let dir = tempfile::tempdir().unwrap();
        let write = |text: &str| {
            let path = dir.path().join("1.sgf");
            std::fs::write(&path, text).unwrap();
            let files = format!("files = ['{}']", path.display());
            openings(&format!("kind = 'sgf'\n{files}\n[game]\nmove_limit = 8"))
        };
        let five = "B[ee];W[cc];B[gg];W[cg];B[gc]";
        let found = write(&format!("(;SZ[9];{five})")).unwrap();
        let position = found.position(Opened { number: 0, seed: 0 });
        assert_eq!(moves(&position).len(), 5);
        let refused = |text: &str| write(text).err().unwrap().to_string();
        let over = refused(&format!("(;SZ[9];{five};W[];B[])"));
        assert!(over.contains("end the game"), "{over}");
        let long = refused(&format!("(;SZ[9];{five};W[ec];B[eg];W[ce])"));
        assert!(long.contains("the limit of 8"), "{long}");
    }

    /// What the specs of this project name is there (SF21, §7.4), ten and three states.
    #[test]
    fn our_own_specs_have_their_openings() {
        let lab = concat!(env!("CARGO_MANIFEST_DIR"), "/../../lab");
        let mut recorded = Vec::new();
        for entry in std::fs::read_dir(lab).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == "toml") {
                let (spec, _) = Spec::read(&path).unwrap();
                recorded.push(Openings::of(&spec).unwrap().recorded.len());
            }
        }
        recorded.sort_unstable();
        assert_eq!(recorded[recorded.len() - 3..], [0, 3, 10]);
    }

    #[test]
    fn a_record_that_does_not_fit_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("19.sgf");
        std::fs::write(&path, "(;SZ[19];B[dd];W[pp])").unwrap();
        let path = path.display();
        let Err(error) = openings(&format!("kind = 'sgf'\nmoves = 2\nfiles = ['{path}']")) else {
            panic!("a 19×19 record opened a 9×9 game");
        };
        assert!(error.to_string().contains("its board is 19×19"), "{error}");
        assert!(openings("kind = 'sgf'\nmoves = 2\nfiles = ['none.sgf']").is_err());
    }
}
