//! Makes inputs from positions.

use shido_go::{Board, Color, Move, Point, Position, Scoring, Size, Tax};

use super::area::{Area, area};
use super::ladders::{LadderBook, color_index};
use super::outline::Outline;
use super::{GLOBALS, InputKey, InputSettings, Inputs, LONGEST, PLANES, Plane};

/// Komi beyond the board's area is cut at so many points.
const KOMI_ROOM: f32 = 20.0;

/// Makes inputs, with working memory of its own: one for each thread.
pub struct Encoder {
    ladders: LadderBook,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder::new()
    }
}

impl Encoder {
    /// Returns an encoder.
    pub fn new() -> Encoder {
        Encoder {
            ladders: LadderBook::new(),
        }
    }

    /// Forgets the ladders it keeps of boards it has seen, so that speed can be measured.
    pub fn forget(&mut self) {
        self.ladders.forget();
    }

    /// Returns what identifies the inputs of a position, at a small part of their cost.
    ///
    /// Not affected by [`Inputs::meta`], which the caller adds.
    pub fn key(position: &Position, settings: &InputSettings) -> InputKey {
        Outline::new(position, settings).key(settings)
    }

    /// Returns a position as a network sees it.
    ///
    /// # Panics
    ///
    /// If a side of the board is longer than 19.
    pub fn encode(&mut self, position: &Position, settings: &InputSettings) -> Inputs {
        let size = position.size();
        assert!(
            size.width().max(size.height()) <= LONGEST,
            "networks take boards up to 19×19, not {size}"
        );
        let outline = Outline::new(position, settings);
        let mut inputs = Inputs {
            size,
            planes: [Plane::default(); PLANES],
            globals: [0.0; GLOBALS],
            meta: None,
        };
        let planes = &mut inputs.planes;
        planes[0] = Plane::full(size.area());
        set_stones(position.board(), outline.mover, planes);
        planes[6] = outline.banned;
        let loses = set_area(position.board(), &outline, settings, planes);
        let (turns, hidden) = shown_turns(&outline, settings, loses);
        set_history(&outline, turns, &mut inputs);
        self.set_ladders(position, &outline, turns, &mut inputs.planes);
        set_globals(&outline, settings, hidden, &mut inputs.globals);
        inputs
    }

    /// Planes 14 to 17.
    fn set_ladders(
        &mut self,
        position: &Position,
        outline: &Outline,
        turns: usize,
        planes: &mut [Plane; PLANES],
    ) {
        for ago in 0..3 {
            let board = outline.board(ago).filter(|_| ago <= turns);
            let Some(board) = board else {
                // Boards that are not shown look like the oldest that is.
                planes[14 + ago] = planes[13 + ago];
                continue;
            };
            let ladders = self.ladders.ladders(position, ago, board);
            planes[14 + ago] = ladders.caught;
            if ago == 0 {
                planes[17] = ladders.attacks[color_index(!outline.mover)];
            }
        }
    }
}

/// Planes 1 to 5: stones, and chains with few liberties.
fn set_stones(board: &Board, mover: Color, planes: &mut [Plane; PLANES]) {
    let size = board.size();
    for (i, point) in size.points().enumerate() {
        let Some(color) = board.stone(point) else {
            continue;
        };
        planes[if color == mover { 1 } else { 2 }].set(i);
        if board.head(point) != point {
            continue;
        }
        let liberties = liberties(board, point);
        if liberties <= 3 {
            let plane = &mut planes[2 + liberties];
            board.chain(point).for_each(|p| plane.set(size.index_of(p)));
        }
    }
}

/// Returns the liberties of a chain, 1 to 4; 4 means that or more.
fn liberties(board: &Board, stone: Point) -> usize {
    if board.atari(stone).is_some() {
        return 1;
    }
    let mut found = [stone; 4];
    let mut count = 0;
    for stone in board.chain(stone) {
        for point in stone.neighbors() {
            if board.is_empty(point) && !found[..count].contains(&point) {
                found[count] = point;
                count += 1;
                if count == found.len() {
                    return count;
                }
            }
        }
    }
    count.max(1)
}

/// Planes 18 and 19 under area scoring; says whether the player to move would not
/// win if the game ended as it stands. Territory is shown in the encore only, which
/// a [`Position`] does not play.
fn set_area(
    board: &Board,
    outline: &Outline,
    settings: &InputSettings,
    planes: &mut [Plane; PLANES],
) -> bool {
    if outline.rules.scoring == Scoring::Territory {
        return false;
    }
    let suicide = outline.rules.suicide || settings.pass_alive_under_suicide;
    let Area { owners, group_lead } = area(board, outline.rules.tax, suicide);
    let mut lead = owners.black_lead();
    if outline.rules.tax == Tax::All {
        lead -= 2 * group_lead;
    }
    let size = board.size();
    for (plane, color) in [(18, outline.mover), (19, !outline.mover)] {
        for point in owners.points(color).iter() {
            planes[plane].set(size.index_of(point));
        }
    }
    let own_lead = match outline.mover {
        Color::Black => lead,
        Color::White => -lead,
    };
    own_lead as f32 + outline.self_komi <= 0.0
}

/// Returns how many moves of history are shown, and whether the end of the game is hidden.
fn shown_turns(outline: &Outline, settings: &InputSettings, loses: bool) -> (usize, bool) {
    let phase = &outline.phase;
    let turns = outline.turns.iter().flatten().count();
    let hide = settings.conservative_pass || phase.friendly || settings.passing_hacks && loses;
    if phase.pass_ends_game && hide {
        (0, true)
    } else if phase.over {
        (turns.min(1), false)
    } else {
        (turns, false)
    }
}

/// Planes 9 to 13 and globals 0 to 4: the latest moves.
fn set_history(outline: &Outline, turns: usize, inputs: &mut Inputs) {
    for (i, mv) in outline.turns.iter().flatten().take(turns).enumerate() {
        match *mv {
            Move::Pass => inputs.globals[i] = 1.0,
            Move::Play(point) => inputs.planes[9 + i].set(inputs.size.index_of(point)),
        }
    }
}

/// Globals 5 to 18.
fn set_globals(
    outline: &Outline,
    settings: &InputSettings,
    hidden: bool,
    globals: &mut [f32; GLOBALS],
) {
    use shido_go::Ko;
    let on = |yes: bool| f32::from(u8::from(yes));
    let rules = &outline.rules;
    let most = outline.size.area() as f32 + KOMI_ROOM;
    let komi = outline.self_komi.clamp(-most, most);
    globals[5] = komi / 20.0;
    globals[6] = on(rules.ko != Ko::Simple);
    globals[7] = match rules.ko {
        Ko::Simple => 0.0,
        Ko::Positional => 0.5,
        Ko::Situational => -0.5,
    };
    globals[8] = on(rules.suicide);
    globals[9] = on(rules.scoring == Scoring::Territory);
    globals[10] = on(rules.tax != Tax::None);
    globals[11] = on(rules.tax == Tax::All);
    // 12 and 13 tell of the encore, which a position does not play.
    globals[14] = on(outline.phase.pass_ends_stage && !hidden);
    if settings.playout_doubling_advantage != 0.0 {
        globals[15] = 1.0;
        globals[16] = 0.5 * settings.playout_doubling_advantage;
    }
    globals[17] = on(outline.has_button);
    if rules.scoring == Scoring::Area {
        globals[18] = parity_wave(komi, outline.size);
    }
}

/// Returns how much the next half point of komi is worth: a wave of period 2 that
/// rises through 0 at the komis that can make a draw, from −0.5 to 0.5.
fn parity_wave(komi: f32, size: Size) -> f32 {
    let drawable = (size.area() % 2) as f32;
    let above = (komi - drawable).rem_euclid(2.0);
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}
