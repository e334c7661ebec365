//! Commands that set the board up, and the one that shows it.

use shido_go::gtp::{format_vertex, parse_vertex};
use shido_go::{Board, Color, Move, Point, Position, Size, handicap};

use super::args::Args;
use super::session::Session;
use super::table::Answer;

/// The largest komi taken; beyond it lies certainly a mistake.
const KOMI_LIMIT: f32 = 1000.0;

pub(super) fn boardsize(session: &mut Session, args: &Args<'_>) -> Answer {
    let side: usize = args.parse(0, "a board size")?;
    // Some controllers send both sides to this command as well.
    let height = match args.words().len() {
        1 => side,
        _ => args.parse(1, "a board size")?,
    };
    resize(session, side, height)
}

pub(super) fn rectangular_boardsize(session: &mut Session, args: &Args<'_>) -> Answer {
    let width = args.parse(0, "a width")?;
    resize(session, width, args.parse(1, "a height")?)
}

fn resize(session: &mut Session, width: usize, height: usize) -> Answer {
    let size = Size::new(width, height).map_err(|error| format!("unacceptable size: {error}"))?;
    session.check_size(size)?;
    empty_board(session, size);
    Ok(String::new())
}

pub(super) fn clear_board(session: &mut Session, _: &Args<'_>) -> Answer {
    empty_board(session, session.position.size());
    Ok(String::new())
}

/// Rules and komi outlast a game, as the protocol says of komi.
fn empty_board(session: &mut Session, size: Size) {
    let (rules, komi) = (*session.position.rules(), session.position.komi());
    session.start(Position::new(size, rules, komi));
}

pub(super) fn komi(session: &mut Session, args: &Args<'_>) -> Answer {
    let komi: f32 = args.parse(0, "a komi")?;
    // A NaN is in no range.
    if !(-KOMI_LIMIT..=KOMI_LIMIT).contains(&komi) {
        return Err(format!("syntax error: `{komi}` is not a komi"));
    }
    if session.position.is_over() {
        // A controller that is about to begin another game.
        session.komi_at_end.get_or_insert(session.position.komi());
    }
    session.position.set_komi(komi);
    Ok(String::new())
}

pub(super) fn get_komi(session: &mut Session, _: &Args<'_>) -> Answer {
    Ok(session.position.komi().to_string())
}

/// `COLOR VERTEX COLOR VERTEX …`: these stones alone, Black to move, nothing before.
pub(super) fn set_position(session: &mut Session, args: &Args<'_>) -> Answer {
    let size = session.position.size();
    let mut board = Board::new(size);
    for at in (0..args.words().len()).step_by(2) {
        let color = args.color(at)?;
        let vertex = args.words().get(at + 1).copied().unwrap_or_default();
        match args.vertex(at + 1, size)? {
            Move::Play(point) if board.is_empty(point) => board.place(color, point),
            Move::Play(_) => return Err(format!("bad vertex list: `{vertex}` comes twice")),
            Move::Pass => return Err("bad vertex list: a pass is no stone".to_owned()),
        }
    }
    match board.remove_dead() {
        0 => {}
        dead => {
            return Err(format!("illegal position: {dead} stones without a liberty"));
        }
    }
    let stones = handicap::given(&board, &[]);
    let (rules, komi) = (*session.position.rules(), session.position.komi());
    let mut position = Position::from_board(board, Color::Black, rules, komi);
    position.set_handicap(stones);
    session.start(position);
    Ok(String::new())
}

pub(super) fn fixed_handicap(session: &mut Session, args: &Args<'_>) -> Answer {
    let stones = args.parse(0, "a number of stones")?;
    let places = handicap::fixed(session.position.size(), stones);
    let places = places.map_err(|error| format!("invalid number of stones: {error}"))?;
    place_handicap(session, &places)
}

pub(super) fn place_free_handicap(session: &mut Session, args: &Args<'_>) -> Answer {
    let stones = args.parse(0, "a number of stones")?;
    let places = handicap::free(session.position.size(), stones);
    let places = places.map_err(|error| format!("invalid number of stones: {error}"))?;
    place_handicap(session, &places)
}

pub(super) fn set_free_handicap(session: &mut Session, args: &Args<'_>) -> Answer {
    let size = session.position.size();
    let mut places = Vec::new();
    for &word in args.words() {
        match parse_vertex(word, size) {
            Ok(Move::Play(point)) if !places.contains(&point) => places.push(point),
            Ok(Move::Play(_)) => return Err(format!("bad vertex list: `{word}` comes twice")),
            Ok(Move::Pass) => return Err("bad vertex list: a pass is no stone".to_owned()),
            Err(error) => return Err(format!("bad vertex list: {error}")),
        }
    }
    if !(2..=handicap::max_free(size)).contains(&places.len()) {
        return Err(format!("bad vertex list: {} stones", places.len()));
    }
    place_handicap(session, &places).map(|_| String::new())
}

fn place_handicap(session: &mut Session, places: &[Point]) -> Answer {
    let (old, size) = (&session.position, session.position.size());
    if old.board().empty_count() != size.area() || !old.moves().is_empty() {
        return Err("board not empty".to_owned());
    }
    let mut board = Board::new(size);
    for &point in places {
        board.place(Color::Black, point);
    }
    let mut position = Position::from_board(board, Color::White, *old.rules(), old.komi());
    position.set_handicap(places.len());
    session.start(position);
    let vertices = places.iter().map(|&it| format_vertex(Move::Play(it), size));
    Ok(vertices.collect::<Vec<_>>().join(" "))
}

pub(super) fn showboard(session: &mut Session, _: &Args<'_>) -> Answer {
    let position = &session.position;
    let board = position.board();
    let last = position.last_move().and_then(|played| played.mv.point());
    Ok(format!(
        "move {}, {} to play, komi {}, {} rules\n{}\nprisoners: Black has taken {}, White {}",
        position.moves().len() + 1,
        position.to_move(),
        position.komi(),
        position.rules(),
        board.diagram(last),
        board.prisoners(Color::Black),
        board.prisoners(Color::White),
    ))
}
