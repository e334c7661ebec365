//! Each game of a ledger as an SGF file, for people to look at.
//!
//! The files can be made again from the ledger at any time, so they are written
//! without care for crashes, and hold nothing that the ledger does not.

use std::path::{Path, PathBuf};

use shido_go::{GameInfo, Player, Recorder};

use crate::ledger::{LedgerError, io_error};
use crate::line::{GameLine, SeatLine};

/// Returns where a game's file lies.
pub(crate) fn path(dir: &Path, game: &GameLine) -> PathBuf {
    dir.join("sgf").join(format!("{}.sgf", game.game))
}

/// Writes a game's file.
pub(crate) fn write(dir: &Path, game: &GameLine) -> Result<(), LedgerError> {
    let path = path(dir, game);
    std::fs::write(&path, bytes(game)).map_err(io_error(&path, "write it"))
}

fn bytes(game: &GameLine) -> Vec<u8> {
    let info = GameInfo {
        black: player(&game.black),
        white: player(&game.white),
        result: game.result(),
        event: game.game.clone(),
        rules_text: game.rules.clone(),
        application: format!("shido:{}", game.commit),
        ..GameInfo::default()
    };
    let (start, moves) = match (game.start_position(), game.position()) {
        (Ok(start), Ok(end)) => (start, end.moves().to_vec()),
        // A line that cannot be played through has no record; `lab report` says why.
        _ => return Vec::new(),
    };
    let mut recorder = Recorder::of_start(&start, &info);
    for (played, line) in moves.into_iter().zip(&game.moves) {
        recorder.play(played);
        let mut notes = Vec::new();
        notes.extend(
            line.win_rate
                .map(|it| format!("Black wins {:.1} %", 100.0 * it)),
        );
        notes.extend(line.lead.map(|it| format!("Black leads by {it:.1}")));
        notes.extend(line.playouts.map(|it| format!("{it} playouts")));
        if !notes.is_empty() {
            recorder.comment(&notes.join(", "));
        }
    }
    recorder.finish().write()
}

fn player(seat: &SeatLine) -> Player {
    Player {
        name: seat.name.clone(),
        ..Player::default()
    }
}
