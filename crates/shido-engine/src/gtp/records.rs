//! Commands that read and write game records.

use shido_go::gtp::Reply;
use shido_go::{Game, GameInfo, Position, Recorder, sgf};

use super::args::Args;
use super::partner::text_of;
use super::session::Session;
use super::table::Answer;

/// Loads the main line of the first game in a file, up to before a given move.
pub(super) fn loadsgf(session: &mut Session, args: &Args<'_>) -> Answer {
    let (path, before) = file_and_move(args)?;
    let bytes = std::fs::read(path).map_err(|error| format!("cannot load file: {error}"))?;
    let position = read_game(bytes, before, &session.position)?;
    session.check_size(position.size())?;
    session.start(position);
    Ok(String::new())
}

/// The file's name may have spaces; a number at the end is the move.
fn file_and_move<'a>(args: &Args<'a>) -> Result<(&'a str, Option<usize>), String> {
    args.word(0, "a file name")?;
    let words = args.words();
    if let [_, .., last] = words
        && let Ok(number) = last.parse::<usize>()
    {
        return Ok((
            args.text[..args.text.len() - last.len()].trim_end(),
            Some(number),
        ));
    }
    Ok((args.text, None))
}

/// Replays a record; rules and komi that it does not name are the current ones.
fn read_game(bytes: Vec<u8>, before: Option<usize>, now: &Position) -> Result<Position, String> {
    let file = sgf::read(bytes);
    let tree = file.collection.games().next();
    let tree = tree.ok_or("cannot load file: it holds no game")?;
    let game = Game::from_tree(tree).map_err(|error| format!("cannot load file: {error}"))?;
    let mut replay = game.replay();
    let moves = before.map_or(usize::MAX, |number| number.saturating_sub(1));
    for _ in 0..moves {
        if replay.advance().is_none() {
            break;
        }
    }
    let mut position = replay.position().clone();
    if game.rules.is_none() {
        position.set_rules(*now.rules());
    }
    if game.komi.is_none() {
        position.set_komi(now.komi());
    }
    Ok(position)
}

/// Writes the game to a file, or as the answer, which a dash asks for too.
pub(super) fn printsgf(session: &mut Session, args: &Args<'_>) -> Answer {
    let bytes = record_of(session).finish().write();
    if matches!(args.text.trim(), "" | "-") {
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    std::fs::write(args.text, bytes).map_err(|error| format!("cannot write file: {error}"))?;
    Ok(String::new())
}

/// Records the game, with how our moves came about if that is wanted.
fn record_of(session: &Session) -> Recorder {
    let position = &session.position;
    let mut record = Recorder::of_start(position, &GameInfo::default());
    for (number, &played) in position.moves().iter().enumerate() {
        record.play(played);
        let told = session.told.iter().find(|it| it.after == number);
        let told = told.filter(|it| session.comments && it.reply == Reply::Move(played.mv));
        if let Some(told) = told {
            record.comment(&text_of(told, session));
        }
    }
    record
}
