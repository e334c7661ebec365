//! The closed groups of the large feature set: tactics, places and distances of a move.
//!
//! Each group is a small table over a few coarse facts; a move has at most one
//! individual of each. What a chain can still do is told by its liberties, before
//! and after the move; only ladders are read.

use shido_go::{Board, Cell, LadderReader, Point};

use super::rings::ring_distance;
use super::survey::Survey;
use crate::feature_set::{Group, Turn};

macro_rules! groups {
    ($($name:ident = $size:expr, $text:literal;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Kind { $($name,)* }
        const SIZES: &[u32] = &[$($size,)*];
        const NAMES: &[&str] = &[$($text,)*];
    };
}

groups! {
    Capture = 64, "capture: stones, rescue, last stone, liberties left";
    Escape = 160, "escape from atari: stones, liberties, by the last move, with a capture, caught";
    Atari = 96, "atari: stones, last stone, own liberties, double, a ladder";
    SelfAtari = 96, "self-atari: stones, capture, before, liberties of the neighbor";
    Press = 48, "three liberties become two: stones, last stone, own liberties";
    Lean = 16, "four liberties become three: stones, last stone";
    BraceTwo = 64, "own chain of two liberties: stones, liberties, touched by the last move";
    BraceThree = 64, "own chain of three liberties: the same";
    Join = 80, "own and opposing chains touched, liberties";
    Answer = 40, "liberty of the last stone's chain: liberties, stones, contact";
    Ko = 8, "ko";
    Place = 2 * 8 * 55, "place: board, phase, lines";
    Distance = 18 * 18, "distances to the last two stones";
    Recent = 8 * 8 * 18, "urgency, phase, distance to the last stone";
    Near = 9 * 9 * 6, "nearest own and opposing stone, line";
    Eye = 1, "own eye";
    Pass = 2 * 8, "pass instead of any move: after a pass, phase";
}

const fn base(kind: Kind) -> u32 {
    let mut sum = 0;
    let mut i = 0;
    while i < kind as usize {
        sum += SIZES[i];
        i += 1;
    }
    sum
}

/// How many individuals the closed groups have together.
pub(crate) const CLOSED: u32 = base(Kind::Pass) + 16;

/// Returns the closed groups in order.
pub(crate) fn closed_groups() -> impl Iterator<Item = Group> {
    NAMES
        .iter()
        .zip(SIZES)
        .map(|(&name, &size)| Group { name, size })
}

/// Returns the individual of a pass, which stands against all moves together.
pub(crate) fn pass(board: &Board, after_pass: bool) -> u32 {
    let area = board.size().area();
    let phase = phase((area - board.empty_count()) * 16 / area);
    base(Kind::Pass) + 8 * u32::from(after_pass) + phase as u32
}

/// Up to four chain heads, each once.
#[derive(Clone, Copy)]
struct Heads {
    heads: [Point; 4],
    len: usize,
}

impl Heads {
    fn new(filler: Point) -> Heads {
        Heads {
            heads: [filler; 4],
            len: 0,
        }
    }

    #[inline]
    fn add(&mut self, head: Point) {
        if !self.as_slice().contains(&head) {
            self.heads[self.len] = head;
            self.len += 1;
        }
    }

    #[inline]
    fn as_slice(&self) -> &[Point] {
        &self.heads[..self.len]
    }
}

/// What holds for all moves of a position.
pub(crate) struct Context {
    /// Head of the chain of the opponent's last stone.
    last_head: Option<Point>,
    /// Own chains the last stone touches.
    touched: Heads,
    /// How much the last stone asks for an answer.
    urgency: usize,
    phase: usize,
    board_class: usize,
}

impl Context {
    pub(crate) fn new(turn: &Turn<'_>, survey: &Survey) -> Context {
        let board = turn.board;
        let filler = Point::from_index(1);
        let mut touched = Heads::new(filler);
        let last = turn.last[0].filter(|&it| board.stone(it) == Some(!turn.mover));
        for neighbor in last.into_iter().flat_map(Point::neighbors) {
            if board.stone(neighbor) == Some(turn.mover) {
                touched.add(board.head(neighbor));
            }
        }
        Context {
            last_head: last.map(|it| board.head(it)),
            urgency: last.map_or(0, |it| urgency(board, survey, it, &touched)),
            touched,
            phase: phase(survey.filled),
            board_class: usize::from(board.size().area() > 150),
        }
    }
}

/// Classes of what the last stone does: threatens to take much or little, can be
/// taken, leaves two liberties, touches stones of both sides, of its own, of none.
fn urgency(board: &Board, survey: &Survey, last: Point, touched: &Heads) -> usize {
    let weakest = touched
        .as_slice()
        .iter()
        .map(|&it| survey.liberties(it))
        .min();
    let in_atari = |it: &&Point| survey.liberties(**it) == 1;
    let threatened = touched.as_slice().iter().filter(in_atari);
    let threatened: usize = threatened.map(|&it| board.chain_len(it)).sum();
    match (threatened, weakest) {
        (3.., _) => 1,
        (1.., _) => 2,
        _ if survey.liberties(board.head(last)) == 1 => 3,
        (_, Some(2)) => 4,
        (_, Some(_)) => 5,
        _ if board.chain_len(last) > 1 => 6,
        _ => 7,
    }
}

/// Returns the phase of the game by sixteenths of the board filled.
fn phase(filled: usize) -> usize {
    match filled {
        0 => 0,
        1 => 1,
        2 => 2,
        3 | 4 => 3,
        5 | 6 => 4,
        7 | 8 => 5,
        9 | 10 => 6,
        _ => 7,
    }
}

/// Classes of chain lengths: 1, 2, 3 to 5, more.
#[inline]
fn bulk(stones: usize) -> usize {
    match stones {
        0 | 1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

/// What a move does to the chains around it.
struct Contact {
    own: Heads,
    other: Heads,
    taken: Heads,
    taken_stones: usize,
    own_stones: usize,
    liberties: usize,
}

impl Contact {
    fn new(board: &Board, survey: &mut Survey, point: Point) -> Contact {
        let mut own = Heads::new(point);
        let mut other = Heads::new(point);
        let mut taken = Heads::new(point);
        for neighbor in point.neighbors() {
            let cell = board.cell(neighbor);
            if cell == Cell::from(survey.mover) {
                own.add(board.head(neighbor));
            } else if cell == Cell::from(!survey.mover) {
                let head = board.head(neighbor);
                other.add(head);
                if survey.liberties(head) == 1 {
                    taken.add(head);
                }
            }
        }
        let stones = |heads: &Heads| heads.as_slice().iter().map(|&it| board.chain_len(it)).sum();
        let chains = (own.as_slice(), taken.as_slice());
        Contact {
            liberties: survey.liberties_after(board, point, chains, 5),
            taken_stones: stones(&taken),
            own_stones: stones(&own),
            own,
            other,
            taken,
        }
    }
}

/// Names the individuals of the closed groups for one move.
pub(crate) fn describe(
    turn: &Turn<'_>,
    context: &Context,
    survey: &mut Survey,
    point: Point,
    mut individual: impl FnMut(u32),
) {
    let mut add = |kind: Kind, index: usize| {
        debug_assert!(index < SIZES[kind as usize] as usize, "{kind:?} {index}");
        individual(base(kind) + index as u32);
    };
    place(turn, context, survey, point, &mut add);
    if survey.near(point).into_iter().all(|it| it > 1) {
        // Far from all stones there is nothing tactical.
        return;
    }
    let contact = Contact::new(turn.board, survey, point);
    attack(turn.board, context, survey, (point, &contact), &mut add);
    defend(turn.board, context, survey, &contact, &mut add);
    let (own, other) = (contact.own.len.min(3), contact.other.len.min(3));
    add(
        Kind::Join,
        (own * 4 + other) * 5 + contact.liberties.clamp(1, 5) - 1,
    );
    ko(turn, survey, &contact, point, &mut add);
}

fn place(
    turn: &Turn<'_>,
    context: &Context,
    survey: &Survey,
    point: Point,
    add: &mut impl FnMut(Kind, usize),
) {
    let size = turn.board.size();
    let x = point.x().min(size.width() - 1 - point.x()).min(9);
    let y = point.y().min(size.height() - 1 - point.y()).min(9);
    let (low, high) = (x.min(y), x.max(y));
    let orbit = high * (high + 1) / 2 + low;
    add(
        Kind::Place,
        (context.board_class * 8 + context.phase) * 55 + orbit,
    );
    let [last, before] = turn
        .last
        .map(|it| it.map_or(0, |it| ring_distance(it, point).clamp(1, 17)));
    add(Kind::Distance, last * 18 + before);
    let moment = context.urgency * 8 + context.phase;
    add(Kind::Recent, moment * 18 + last);
    let [own, other] = survey.near(point).map(|it| it.min(9) - 1);
    add(Kind::Near, (own * 9 + other) * 6 + low.min(5));
}

fn attack(
    board: &Board,
    context: &Context,
    survey: &Survey,
    (point, contact): (Point, &Contact),
    add: &mut impl FnMut(Kind, usize),
) {
    let is_last = |head: Point| usize::from(context.last_head == Some(head));
    if contact.taken.len > 0 {
        let taken = contact.taken.as_slice();
        let rescue = usize::from(taken.iter().any(|&it| survey.is_hunter(it)));
        let last = taken.iter().map(|&it| is_last(it)).max().unwrap_or(0);
        let left = contact.liberties.clamp(1, 4) - 1;
        add(
            Kind::Capture,
            ((bulk(contact.taken_stones) * 2 + rescue) * 2 + last) * 4 + left,
        );
    }
    // The largest chain of each number of liberties speaks for its kind.
    let mut largest = [None; 5];
    let mut ataris = 0;
    for &head in contact.other.as_slice() {
        let liberties = survey.liberties(head);
        ataris += usize::from(liberties == 2);
        if (2..=4).contains(&liberties) {
            let chain = Some((board.chain_len(head), is_last(head)));
            largest[liberties] = largest[liberties].max(chain);
        }
    }
    let left = contact.liberties.clamp(1, 5) - 1;
    if let Some((stones, last)) = largest[2] {
        let double = usize::from(ataris > 1);
        let works = catches(board, survey, point, contact.other.as_slice());
        add(
            Kind::Atari,
            (((bulk(stones) * 2 + last) * 3 + left.min(2)) * 2 + double) * 2 + usize::from(works),
        );
    }
    if let Some((stones, last)) = largest[3] {
        add(Kind::Press, (bulk(stones) * 2 + last) * 5 + left);
    }
    if let Some((stones, last)) = largest[4] {
        add(Kind::Lean, bulk(stones) * 2 + last);
    }
    let others = contact.other.as_slice();
    if let Some(head) = context.last_head.filter(|it| others.contains(it)) {
        let liberties = survey.liberties(head).clamp(1, 5) - 1;
        let touches = usize::from(contact.own.len > 0);
        add(
            Kind::Answer,
            (liberties * 4 + bulk(board.chain_len(head))) * 2 + touches,
        );
    }
}

/// Returns whether an atari on `point` catches one of the chains of two liberties in a ladder.
fn catches(board: &Board, survey: &Survey, point: Point, chains: &[Point]) -> bool {
    let mut after = board.clone();
    after.play(survey.mover, point);
    let mut reader = LadderReader::new(&after);
    let mut chains = chains.iter().filter(|&&it| survey.liberties(it) == 2);
    chains.any(|&it| reader.is_caught(it))
}

fn defend(
    board: &Board,
    context: &Context,
    survey: &Survey,
    contact: &Contact,
    add: &mut impl FnMut(Kind, usize),
) {
    let touched = |head: Point| usize::from(context.touched.as_slice().contains(&head));
    let mut largest = [None; 4];
    for &head in contact.own.as_slice() {
        let liberties = survey.liberties(head);
        if liberties < 4 {
            let chain = Some((board.chain_len(head), touched(head)));
            largest[liberties] = largest[liberties].max(chain);
        }
    }
    let takes = usize::from(contact.taken.len > 0);
    let left = contact.liberties.clamp(1, 5) - 1;
    if let Some((stones, touched)) = largest[1] {
        let caught = usize::from(contact.liberties == 2 && stay_caught(board, survey, contact));
        add(
            Kind::Escape,
            (((bulk(stones) * 5 + left) * 2 + touched) * 2 + takes) * 2 + caught,
        );
    }
    if let Some((stones, touched)) = largest[2] {
        add(Kind::BraceTwo, (bulk(stones) * 5 + left) * 2 + touched);
    }
    if let Some((stones, touched)) = largest[3] {
        add(Kind::BraceThree, (bulk(stones) * 5 + left) * 2 + touched);
    }
    if contact.liberties == 1 {
        let before = usize::from(largest[1].is_some());
        let weakest = contact
            .other
            .as_slice()
            .iter()
            .map(|&it| survey.liberties(it));
        let weakest = weakest.min().unwrap_or(4).clamp(1, 4) - 1;
        add(
            Kind::SelfAtari,
            ((bulk(contact.own_stones + 1) * 2 + takes) * 2 + before) * 4 + weakest,
        );
    }
}

/// Returns whether an own chain in atari is lost in a ladder even if it runs.
fn stay_caught(board: &Board, survey: &Survey, contact: &Contact) -> bool {
    let mut reader = LadderReader::new(board);
    let mut chains = contact.own.as_slice().iter();
    chains.any(|&it| survey.liberties(it) == 1 && reader.is_caught(it))
}

fn ko(
    turn: &Turn<'_>,
    survey: &Survey,
    contact: &Contact,
    point: Point,
    add: &mut impl FnMut(Kind, usize),
) {
    let takes_one = contact.taken_stones == 1 && contact.liberties == 1;
    let gives_atari = contact
        .other
        .as_slice()
        .iter()
        .any(|&it| survey.liberties(it) == 2);
    if takes_one && contact.own.len == 0 {
        add(Kind::Ko, 0);
    } else if turn.board.ko().is_some() {
        let index = if contact.taken.len > 0 {
            1
        } else if gives_atari {
            2
        } else if contact.liberties == 1 {
            3
        } else {
            return;
        };
        add(Kind::Ko, index);
    } else if contact.other.len == 0 && is_eye(turn.board, survey, point) {
        add(Kind::Eye, 0);
    }
}

/// Returns whether a point is an eye of the mover that no diagonals make false.
pub(crate) fn is_eye(board: &Board, survey: &Survey, point: Point) -> bool {
    let own = Cell::from(survey.mover);
    let walled = point
        .neighbors()
        .into_iter()
        .all(|it| matches!(board.cell(it), Cell::Edge) || board.cell(it) == own);
    if !walled {
        return false;
    }
    let diagonals = point.diagonals().map(|it| board.cell(it));
    let hostile = diagonals
        .iter()
        .filter(|&&it| it == Cell::from(!survey.mover))
        .count();
    let border = usize::from(diagonals.contains(&Cell::Edge));
    hostile + border < 2
}
