//! Tactical facts about a move: self-atari, and answers to the last move.
//!
//! Both the training features and the playouts read these, so that a playout
//! draws by the features that were fitted. Everything is constant
//! time or a walk along one chain; nothing allocates.

use shido_go::{Board, Cell, Color, Contacts, Point};

/// Returns the liberties a stone of `color` on an empty point would leave its chain,
/// as contacts: empty means suicide, a single point means self-atari.
///
/// A captured neighbor counts as the liberty it becomes.
#[inline]
pub fn contacts_after(board: &Board, color: Color, point: Point) -> Contacts {
    let mut contacts = Contacts::default();
    let mut heads = [None; 4];
    for (i, neighbor) in point.neighbors().into_iter().enumerate() {
        let cell = board.cell(neighbor);
        if cell == Cell::Empty {
            contacts.add(neighbor);
        } else if cell == Cell::from(color) {
            let head = board.head(neighbor);
            if !heads[..i].contains(&Some(head)) {
                contacts.merge(board.contacts(head));
            }
            heads[i] = Some(head);
        } else if cell == Cell::from(!color) && board.contacts(neighbor).is_single() {
            contacts.add(neighbor);
        }
    }
    // Every own stone next to the point counted it as a liberty.
    for _ in heads.iter().flatten() {
        contacts.remove(point);
    }
    contacts
}

/// Returns whether the stone would put its own chain into atari (PD10, individual 3).
#[inline]
pub fn is_self_atari(board: &Board, color: Color, point: Point) -> bool {
    let around = point.neighbors();
    let open = around.iter().filter(|&&it| board.is_empty(it)).count();
    // Two empty neighbors are two liberties; most moves are settled here.
    open < 2 && contacts_after(board, color, point).is_single()
}

/// Classes of self-atari by the stones at stake: 2, 3 to 5 (what may fill an eye space), more.
///
/// A lone stone's self-atari shows in its surroundings
/// ([`crate::surroundings::Surroundings::is_lone_self_atari`]) and has no class.
pub const SELF_ATARIS: usize = 3;

/// Returns the class of a self-atari of two stones or more.
#[inline]
pub fn self_atari_class(board: &Board, color: Color, point: Point) -> Option<usize> {
    if !is_self_atari(board, color, point) {
        return None;
    }
    let mut stones = 1;
    let around = point.neighbors();
    for (i, &neighbor) in around.iter().enumerate() {
        let own = |it: Point| board.stone(it) == Some(color);
        let again = |it: &Point| own(*it) && board.head(*it) == board.head(neighbor);
        if own(neighbor) && !around[..i].iter().any(again) {
            stones += board.chain_len(neighbor);
        }
    }
    match stones {
        1 => None,
        2 => Some(0),
        3..=5 => Some(1),
        _ => Some(2),
    }
}

/// Returns the liberties of a chain that has exactly two.
#[inline]
pub fn two_liberties(board: &Board, stone: Point) -> Option<[Point; 2]> {
    let (mut first, mut second) = (None, None);
    for stone in board.chain(stone) {
        for point in stone.neighbors() {
            if board.is_empty(point) && first != Some(point) && second != Some(point) {
                if first.is_none() {
                    first = Some(point);
                } else if second.is_none() {
                    second = Some(point);
                } else {
                    return None;
                }
            }
        }
    }
    Some([first?, second?])
}

/// Why a capture matters, the most specific first (PD10, individuals 2.1 to 2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Capture {
    /// Takes a chain that touches an own chain put into atari by the last move (2.1).
    Rescue = 0,
    /// Takes the stone just played (2.2).
    LastMove = 1,
    /// Takes a chain that could connect to the stone just played (2.3).
    Connection = 2,
    /// Takes something (2.4).
    Any = 3,
}

/// The points where the last move asks for an answer, few enough for an array.
#[derive(Debug, Clone, Copy)]
pub struct Answers {
    extensions: [Option<Point>; 4],
    captures: [(Option<Point>, Capture); Self::CAPTURES],
    count: usize,
}

/// The points around chains that the last move left with two liberties.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pressure {
    defenses: [Option<Point>; 8],
    attacks: [Option<Point>; 2],
}

impl Pressure {
    /// Reads where `mover` can add to an own chain next to `last` that has two liberties,
    /// and where it can put the chain of `last` into atari.
    pub fn of(board: &Board, mover: Color, last: Option<Point>) -> Pressure {
        let mut pressure = Pressure::default();
        let Some(last) = last.filter(|&last| board.stone(last) == Some(!mover)) else {
            return pressure;
        };
        let mut count = 0;
        for neighbor in last.neighbors() {
            if board.stone(neighbor) == Some(mover)
                && let Some(liberties) = two_liberties(board, neighbor)
            {
                for liberty in liberties {
                    if !pressure.defenses[..count].contains(&Some(liberty)) {
                        pressure.defenses[count] = Some(liberty);
                        count += 1;
                    }
                }
            }
        }
        if let Some(liberties) = two_liberties(board, last) {
            pressure.attacks = liberties.map(Some);
        }
        pressure
    }

    /// Returns the liberties of own chains under pressure.
    #[inline]
    pub fn defenses(&self) -> impl Iterator<Item = Point> + '_ {
        self.defenses.iter().map_while(|it| *it)
    }

    /// Returns the liberties of the last move's chain if it has two.
    #[inline]
    pub fn attacks(&self) -> impl Iterator<Item = Point> + '_ {
        self.attacks.iter().map_while(|it| *it)
    }
}

impl Answers {
    /// Rescues are looked for along chains; beyond this many the rest is left out.
    const CAPTURES: usize = 12;

    /// Reads what the stone the opponent of `mover` just put on `last` threatens and risks.
    pub fn to(board: &Board, mover: Color, last: Option<Point>) -> Answers {
        Answers::with(board, mover, last, |point| {
            captures_any(board, mover, point)
        })
    }

    /// The same, for a caller who knows faster where `mover` can capture.
    #[inline]
    pub fn with(
        board: &Board,
        mover: Color,
        last: Option<Point>,
        captures: impl Fn(Point) -> bool,
    ) -> Answers {
        let mut answers = Answers {
            extensions: [None; 4],
            captures: [(None, Capture::Any); Self::CAPTURES],
            count: 0,
        };
        let Some(last) = last else {
            return answers;
        };
        if board.stone(last) != Some(!mover) {
            return answers;
        }
        let around = last.neighbors();
        for (i, &neighbor) in around.iter().enumerate() {
            if board.stone(neighbor) == Some(mover)
                && let Some(liberty) = board.atari(neighbor)
            {
                answers.rescue(board, mover, neighbor);
                if escapes(board, mover, liberty) {
                    answers.extensions[i] = Some(liberty);
                }
            }
        }
        if let Some(liberty) = board.atari(last) {
            answers.add(liberty, Capture::LastMove);
        }
        for neighbor in around {
            if board.is_empty(neighbor)
                && captures(neighbor)
                && takes_other_than(board, mover, neighbor, last)
            {
                answers.add(neighbor, Capture::Connection);
            }
        }
        answers
    }

    /// Returns whether the last move asks for nothing here.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.extensions == [None; 4]
    }

    /// Returns whether the move saves a chain the last move put into atari, by
    /// gaining liberties (PD10, individual 1).
    #[inline]
    pub fn extends(&self, point: Point) -> bool {
        self.extensions.contains(&Some(point))
    }

    /// Returns the points where the move saves a chain, each once.
    pub fn extensions(&self) -> impl Iterator<Item = Point> + '_ {
        self.extensions
            .iter()
            .enumerate()
            .filter(|&(i, it)| !self.extensions[..i].contains(it))
            .filter_map(|(_, it)| *it)
    }

    /// Returns the level of a capture the last move makes special, if it is one.
    #[inline]
    pub fn capture(&self, point: Point) -> Option<Capture> {
        self.captures()
            .filter(|&(at, _)| at == point)
            .map(|(_, level)| level)
            .min()
    }

    /// Returns the special captures; a point may come with several levels.
    pub fn captures(&self) -> impl Iterator<Item = (Point, Capture)> + '_ {
        self.captures[..self.count]
            .iter()
            .filter_map(|&(at, level)| Some((at?, level)))
    }

    fn add(&mut self, point: Point, level: Capture) {
        if self.count < Self::CAPTURES {
            self.captures[self.count] = (Some(point), level);
            self.count += 1;
        }
    }

    /// Finds opposing chains in atari around an own chain in atari.
    fn rescue(&mut self, board: &Board, mover: Color, chain: Point) {
        for stone in board.chain(chain) {
            for neighbor in stone.neighbors() {
                if board.stone(neighbor) == Some(!mover)
                    && let Some(liberty) = board.atari(neighbor)
                {
                    self.add(liberty, Capture::Rescue);
                }
            }
        }
    }
}

/// Returns whether playing the last liberty of a chain in atari leaves more than it had.
#[inline]
fn escapes(board: &Board, mover: Color, liberty: Point) -> bool {
    let after = contacts_after(board, mover, liberty);
    !after.is_empty() && !after.is_single()
}

/// Returns whether a stone on `point` takes a chain that does not hold `last`.
fn takes_other_than(board: &Board, mover: Color, point: Point, last: Point) -> bool {
    point.neighbors().into_iter().any(|neighbor| {
        board.stone(neighbor) == Some(!mover)
            && board.contacts(neighbor).is_single()
            && board.head(neighbor) != board.head(last)
    })
}

/// Returns whether a stone of `mover` on an empty point takes anything.
#[inline]
pub fn captures_any(board: &Board, mover: Color, point: Point) -> bool {
    point.neighbors().into_iter().any(|neighbor| {
        board.stone(neighbor) == Some(!mover) && board.contacts(neighbor).is_single()
    })
}
