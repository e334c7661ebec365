//! Live analysis: `lz-analyze`, `kata-analyze`, their `genmove_analyze`, and KataGo's searches
//! for a move that is not played.
//!
//! `[color] [interval] key value …`, the interval in hundredths of a second.
//! An analysis goes on until any line comes in; a `genmove` is not disturbed.
//!
//! `avoid` and `allow` select among the moves that are reported and chosen; a search
//! that can leave moves out does not look at them either.

use std::time::Duration;

use shido_go::gtp::parse_vertex;
use shido_go::{Color, Move, Position, Size};

use super::args::Args;
use super::info_lines::{Format, LineOptions};
use super::moves::{CANCELLED, Reports, Search, choose, play_reply, take_back_choice};
use super::partner::info_of;
use super::session::Session;
use super::stream::Stream;
use crate::{Avoid, Limits, SearchOptions, StopFlag};

/// How often to report when nobody says.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);
/// The shortest interval; faster reports would only be a load.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

pub(super) fn lz_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    analyze(session, args, stream, Format::LeelaZero)
}

pub(super) fn kata_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    analyze(session, args, stream, Format::KataGo)
}

/// `analyze` without a prefix.
pub(super) fn sabaki_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    analyze(session, args, stream, Format::Sabaki)
}

pub(super) fn lz_genmove_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    genmove_analyze(session, args, stream, Genmove::PLAY_AS_LEELA_ZERO)
}

pub(super) fn kata_genmove_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    genmove_analyze(session, args, stream, Genmove::PLAY)
}

/// `genmove_analyze` without a prefix.
pub(super) fn sabaki_genmove_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    genmove_analyze(session, args, stream, Genmove::PLAY_AS_SABAKI)
}

/// Chooses a move and does not play it.
pub(super) fn search_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    genmove_analyze(session, args, stream, Genmove::SEARCH)
}

/// The same, given up as soon as anything comes in.
pub(super) fn search_analyze_cancellable(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
) -> Result<(), String> {
    genmove_analyze(session, args, stream, Genmove::SEARCH_CANCELLABLE)
}

/// What becomes of a move that is chosen while it is reported.
#[derive(Debug, Clone, Copy)]
struct Genmove {
    format: Format,
    plays: bool,
    is_cancellable: bool,
}

impl Genmove {
    const PLAY: Genmove = Genmove {
        format: Format::KataGo,
        plays: true,
        is_cancellable: false,
    };
    const PLAY_AS_LEELA_ZERO: Genmove = Genmove {
        format: Format::LeelaZero,
        ..Genmove::PLAY
    };
    const PLAY_AS_SABAKI: Genmove = Genmove {
        format: Format::Sabaki,
        ..Genmove::PLAY
    };
    const SEARCH: Genmove = Genmove {
        plays: false,
        ..Genmove::PLAY
    };
    const SEARCH_CANCELLABLE: Genmove = Genmove {
        is_cancellable: true,
        ..Genmove::SEARCH
    };
}

/// Reports until a line comes in.
fn analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
    format: Format,
) -> Result<(), String> {
    let question = Question::read(session, args, format)?;
    let position = session.position_for(question.color);
    let size = position.size();
    stream.begin();
    let stop = stream.stop_flag();
    let mut options = question.search.clone();
    options.settings.clone_from(&session.analysis_settings);
    let limits = Limits {
        stop: stop.clone(),
        options,
        ..Limits::default()
    };
    let mut report = |analysis: &_| {
        tell(stream, &question.options.line(analysis, size));
        if !stream.is_open() {
            stop.raise();
        }
    };
    let analyst = &mut session.analyst;
    let last = analyst.watch(&position, &limits, question.interval, &mut report);
    if !limits.stop.is_raised() {
        // The search has nothing left to do; the analysis still stands until a line comes.
        report(&last);
    }
    if stream.is_open() {
        stream.wait_for_input();
    }
    Ok(())
}

/// Reports while it searches for a move, and plays it where that is asked for.
fn genmove_analyze(
    session: &mut Session,
    args: &Args<'_>,
    stream: &mut Stream<'_>,
    how: Genmove,
) -> Result<(), String> {
    let question = Question::read(session, args, how.format)?;
    let size = session.position.size();
    let stop = if how.is_cancellable {
        stream.stop_flag()
    } else {
        StopFlag::new()
    };
    stream.begin();
    let mut report = |analysis: &_| tell(stream, &question.options.line(analysis, size));
    let search = Search {
        reports: Some(Reports {
            every: question.interval,
            to: &mut report,
        }),
        admits: Some(&|mv| question.options.admits(mv)),
        stop: stop.clone(),
        options: question.search.clone(),
        cleanup: false,
    };
    let reply = choose(session, question.color, search)?;
    if stop.is_raised() {
        take_back_choice(session);
        session.told.pop();
        stream.line(&format!("play {CANCELLED}"));
        return Ok(());
    }
    // A partner's move need not be the search's: the last line is as the partner saw them.
    let record = session.told.last().and_then(|it| it.record.as_ref());
    if let Some(record) = record {
        tell(stream, &info_of(record, how.format));
    }
    if how.plays {
        play_reply(session, question.color, reply);
    } else {
        take_back_choice(session);
    }
    stream.line(&format!("play {}", reply.display(size)));
    Ok(())
}

/// Writes a line of an analysis; one without a move would end the answer.
fn tell(stream: &mut Stream<'_>, line: &str) {
    if !line.is_empty() {
        stream.line(line);
    }
}

/// What is asked for.
struct Question {
    color: Color,
    interval: Duration,
    options: LineOptions,
    /// What the search must do for it.
    search: SearchOptions,
}

impl Question {
    fn read(session: &mut Session, args: &Args<'_>, format: Format) -> Result<Question, String> {
        let mut words = args.words().iter().copied().peekable();
        let mut question = Question {
            color: session.position.to_move(),
            interval: DEFAULT_INTERVAL,
            options: LineOptions::new(format),
            search: SearchOptions::default(),
        };
        if let Some(color) = words.peek().and_then(|word| word.parse().ok()) {
            question.color = color;
            words.next();
        }
        if words.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            question.interval = interval(words.next())?;
        }
        let size = session.position.size();
        while let Some(key) = words.next() {
            question.read_pair(key, &mut words, size)?;
        }
        if question.options.min_moves > 0 {
            let position = session.position_for(question.color);
            question.options.fill = likeliest(&session.analyst.policy(&position), &position);
        }
        Ok(question)
    }

    fn read_pair<'a>(
        &mut self,
        key: &str,
        words: &mut impl Iterator<Item = &'a str>,
        size: Size,
    ) -> Result<(), String> {
        let (options, search) = (&mut self.options, &mut self.search);
        match key {
            "interval" => self.interval = interval(words.next())?,
            "minmoves" => options.min_moves = number(words.next(), key)?,
            "maxmoves" => options.max_moves = Some(number(words.next(), key)?),
            "ownership" => options.ownership = truth(words.next(), key)?,
            "ownershipStdev" => {
                options.ownership_deviation = truth(words.next(), key)?;
                search.ownership_deviation = options.ownership_deviation;
            }
            "movesOwnership" => {
                options.moves_ownership = truth(words.next(), key)?;
                search.moves_ownership = options.moves_ownership;
            }
            "movesOwnershipStdev" => {
                options.moves_ownership_deviation = truth(words.next(), key)?;
                search.moves_ownership_deviation = options.moves_ownership_deviation;
            }
            "pvVisits" => {
                options.line_visits = truth(words.next(), key)?;
                search.line_visits |= options.line_visits;
            }
            "pvEdgeVisits" => {
                options.line_edge_visits = truth(words.next(), key)?;
                search.line_visits |= options.line_edge_visits;
            }
            "rootInfo" => options.root_info = truth(words.next(), key)?,
            "noResultValue" => {
                options.no_result = truth(words.next(), key)?;
                search.no_result = options.no_result;
            }
            "avoid" | "allow" => {
                let restriction = Restriction::read(words, key, size)?;
                search.avoid.push(restriction.avoided(key, size));
                if restriction.color == self.color && key == "avoid" {
                    options.avoid.extend(restriction.moves);
                } else if restriction.color == self.color {
                    options.allow = Some(restriction.moves);
                }
            }
            _ => return Err(format!("syntax error: unknown key `{key}`")),
        }
        Ok(())
    }
}

/// `COLOR VERTEX,VERTEX,… DEPTH` after `avoid` or `allow`.
struct Restriction {
    color: Color,
    moves: Vec<Move>,
    depth: u32,
}

impl Restriction {
    fn read<'a>(
        words: &mut impl Iterator<Item = &'a str>,
        key: &str,
        size: Size,
    ) -> Result<Restriction, String> {
        let missing = || format!("syntax error: {key} takes a color, vertices and a depth");
        let color = words.next().ok_or_else(missing)?;
        let vertices = words.next().ok_or_else(missing)?;
        let depth = number(words.next(), key)?;
        if depth == 0 {
            return Err(format!(
                "syntax error: the depth of {key} must be at least 1"
            ));
        }
        let color = color.parse().map_err(|error| format!("{error}"))?;
        let moves: Result<Vec<_>, _> = vertices
            .split(',')
            .filter(|vertex| !vertex.is_empty())
            .map(|vertex| parse_vertex(vertex, size))
            .collect();
        let moves = moves.map_err(|error| format!("invalid color or coordinate: {error}"))?;
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        Ok(Restriction {
            color,
            moves,
            depth,
        })
    }

    /// Returns what the search should not look at.
    fn avoided(&self, key: &str, size: Size) -> Avoid {
        let every = size.points().map(Move::Play).chain([Move::Pass]);
        let moves = match key {
            "avoid" => self.moves.clone(),
            _ => every.filter(|mv| !self.moves.contains(mv)).collect(),
        };
        Avoid {
            color: self.color,
            moves,
            until_depth: self.depth,
        }
    }
}

fn interval(word: Option<&str>) -> Result<Duration, String> {
    let bad = || "syntax error: the interval is a number of hundredths of a second".to_owned();
    let hundredths: f64 = word.and_then(|it| it.parse().ok()).ok_or_else(bad)?;
    match Duration::try_from_secs_f64(hundredths / 100.0) {
        Ok(interval) => Ok(interval.max(SHORTEST_INTERVAL)),
        // Longer than any duration.
        Err(_) if hundredths > 0.0 => Ok(Duration::MAX),
        Err(_) => Err(bad()),
    }
}

fn number(word: Option<&str>, key: &str) -> Result<usize, String> {
    word.and_then(|it| it.parse().ok())
        .ok_or_else(|| format!("syntax error: {key} takes a number"))
}

fn truth(word: Option<&str>, key: &str) -> Result<bool, String> {
    let word = word.map(str::to_ascii_lowercase);
    match word.as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(format!("syntax error: {key} takes true or false")),
    }
}

/// Returns the legal moves, likeliest first.
fn likeliest(policy: &[f32], position: &Position) -> Vec<(Move, f32)> {
    let size = position.size();
    let index = |mv: Move| mv.point().map_or(size.area(), |point| size.index_of(point));
    let prior = |mv| policy.get(index(mv)).copied().unwrap_or(0.0);
    let mut moves: Vec<_> = position.legal_moves().map(|mv| (mv, prior(mv))).collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    moves
}
