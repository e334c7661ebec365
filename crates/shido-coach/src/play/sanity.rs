//! What no partner plays, however weak it is meant to be.
//!
//! It does not fill its own eyes, does not put a big group into atari as no beginner
//! of some weeks would, does not play inside settled territory, and does not pass
//! while there is something to play for. Every partner's candidates go through the
//! [`Screen`] first. When nothing is left, the mildest concern is overlooked, and on
//! a full board the partner passes.
//!
//! Whether the game is over is decided by whoever drives the partner, with an
//! analysis made for that question; this only keeps a policy from absurd moves.

use serde::{Deserialize, Serialize};
use shido_go::{Board, Cell, Color, Move, Owners, Point};

use super::error::{SettingsError, count_within, within};
use super::ladder::{LadderGuard, Threat};
use super::step::View;
use super::why::SetAside;

/// What counts as absurd.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sanity {
    /// Whether moves are screened at all; off for tables of a paper.
    pub enabled: bool,
    /// Stones from which putting oneself into atari is absurd.
    pub self_atari_stones: u64,
    /// Probability of the analyst's move model that excuses it: some such moves kill.
    pub excused_from: f32,
    /// Ownership from which a point and all around it are settled.
    pub settled_from: f32,
    /// Share of the board that must be occupied before a pass is thought of.
    pub pass_not_before: f32,
    /// Points that a pass may lose.
    pub pass_loss: f32,
}

impl Default for Sanity {
    fn default() -> Sanity {
        Sanity {
            enabled: true,
            self_atari_stones: 4,
            excused_from: 0.1,
            settled_from: 0.95,
            pass_not_before: 0.3,
            pass_loss: 0.5,
        }
    }
}

impl Sanity {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count_within("sanity.self-atari-stones", self.self_atari_stones, 1, 1000)?;
        within("sanity.excused-from", self.excused_from, 0.0, 1.0)?;
        within("sanity.settled-from", self.settled_from, 0.5, 1.0)?;
        within("sanity.pass-not-before", self.pass_not_before, 0.0, 1.0)?;
        within("sanity.pass-loss", self.pass_loss, 0.0, 100.0)
    }

    /// Returns whether enough is on the board for a pass to be an end and not a whim.
    pub(super) fn is_late(&self, board: &Board) -> bool {
        let (area, empty) = (board.size().area(), board.empty_count());
        (area - empty) as f32 >= self.pass_not_before * area as f32
    }
}

/// Looks at the moves of one turn.
pub(super) struct Screen<'a> {
    view: &'a View<'a>,
    sanity: Sanity,
    color: Color,
    alive: Owners,
    /// For each point 1 Black's, −1 White's; empty if no answer has it.
    ownership: &'a [f32],
    /// The ladder to answer, unless every answer is too dear.
    threat: Option<Threat>,
}

impl<'a> Screen<'a> {
    pub(super) fn new(view: &'a View<'a>, sanity: Sanity, guard: LadderGuard) -> Screen<'a> {
        let position = view.position;
        let area = position.size().area();
        let ownership = view.answers.iter().rev().map(|it| it.ownership.as_slice());
        let ownership = ownership.into_iter().find(|it| it.len() == area);
        let mut screen = Screen {
            view,
            sanity,
            color: position.to_move(),
            alive: position.board().pass_alive(position.rules().suicide),
            ownership: ownership.unwrap_or(&[]),
            threat: None,
        };
        // An answer that is absurd itself is none.
        screen.threat = guard.threat(position).and_then(|mut threat| {
            threat.moves.retain(|&mv| screen.concern(mv).is_none());
            (!threat.moves.is_empty()).then_some(threat)
        });
        screen
    }

    /// Returns the moves that answer a ladder; empty if there is none to answer.
    pub(super) fn ladder_answers(&self) -> &[Move] {
        self.threat.as_ref().map_or(&[], |it| it.moves.as_slice())
    }

    /// Leaves the ladder alone from now on.
    pub(super) fn drop_ladder(&mut self) {
        self.threat = None;
    }

    /// Returns why a legal move should not be played, if there is a reason.
    ///
    /// A pass is judged by [`Screen::pass_concern`], which needs its price.
    pub(super) fn concern(&self, mv: Move) -> Option<SetAside> {
        let point = mv.point()?;
        if self.sanity.enabled {
            if self.view.position.board().is_eye(self.color, point) {
                return Some(SetAside::OwnEye);
            }
            if self.is_big_self_atari(point) && !self.is_excused(mv) {
                return Some(SetAside::SelfAtari);
            }
            if self.is_settled(point) {
                return Some(SetAside::Settled);
            }
        }
        self.ladder_concern(mv)
    }

    /// Returns why the pass should not be played, its loss being known or not.
    pub(super) fn pass_concern(&self, loss: Option<f32>) -> Option<SetAside> {
        if self.sanity.enabled {
            let cheap = match loss {
                Some(loss) => loss <= self.sanity.pass_loss,
                None => self.view.naturalness(Move::Pass) > 0.5,
            };
            if !cheap || !self.may_pass() {
                return Some(SetAside::EarlyPass);
            }
        }
        self.ladder_concern(Move::Pass)
    }

    /// Returns whether the board is full enough to pass when nothing else is left.
    pub(super) fn may_pass(&self) -> bool {
        self.sanity.is_late(self.view.position.board())
    }

    fn ladder_concern(&self, mv: Move) -> Option<SetAside> {
        let threat = self.threat.as_ref()?;
        (!threat.is_answered_by(mv)).then_some(SetAside::IgnoresLadder)
    }

    fn is_excused(&self, mv: Move) -> bool {
        self.view.engine_prior(mv) >= self.sanity.excused_from
    }

    /// Returns whether a stone leaves many own stones with one liberty, taking nothing.
    fn is_big_self_atari(&self, point: Point) -> bool {
        let board = self.view.position.board();
        let room = point
            .neighbors()
            .into_iter()
            .filter(|&it| board.is_empty(it));
        if room.count() >= 2 {
            return false;
        }
        let mut after = board.clone();
        after.play(self.color, point);
        if after.stone(point).is_none() {
            return true;
        }
        after.captured().len() == 0
            && after.atari(point).is_some()
            && after.chain_len(point) as u64 >= self.sanity.self_atari_stones
    }

    /// Returns whether a point and all around it belong to one side for good.
    fn is_settled(&self, point: Point) -> bool {
        if self.alive.of(point).is_some() {
            return true;
        }
        if self.ownership.is_empty() {
            return false;
        }
        let board = self.view.position.board();
        let size = board.size();
        let own = |it: Point| self.ownership[size.index_of(it)];
        let side = own(point).signum();
        let around = point.neighbors().into_iter().chain(point.diagonals());
        around
            .chain([point])
            .filter(|&it| board.cell(it) != Cell::Edge)
            .all(|it| own(it) * side >= self.sanity.settled_from)
    }
}

/// From here on passing is better, on a board that is full enough.
pub(super) const GRAVE: u8 = 2;

/// How grave a concern is; the mildest is overlooked first. A policy's own are mildest.
pub(super) fn gravity(why: SetAside) -> u8 {
    match why {
        SetAside::IgnoresLadder => 1,
        SetAside::Settled => GRAVE,
        SetAside::SelfAtari => 3,
        SetAside::EarlyPass => 4,
        SetAside::OwnEye => 5,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shido_go::{Diagram, Position, Rules, gtp};
    use shido_search::Analysis;

    #[track_caller]
    fn check(picture: &str, ownership: Option<f32>, cases: &[(&str, Option<SetAside>)]) {
        let board = Diagram::parse(picture).unwrap().board;
        let size = board.size();
        let position = Position::from_board(board, Color::Black, Rules::JAPANESE, 6.5);
        let answers: Vec<_> = ownership
            .map(|all| Analysis {
                ownership: vec![all; size.area()],
                ..Analysis::unknown(Color::Black)
            })
            .into_iter()
            .collect();
        let view = View {
            position: &position,
            human: &[],
            prior: &[],
            answers: &answers,
            in_endgame: false,
        };
        let screen = Screen::new(&view, Sanity::default(), LadderGuard::default());
        for &(vertex, expect) in cases {
            let mv = gtp::parse_vertex(vertex, size).unwrap();
            let found = match mv {
                Move::Pass => screen.pass_concern(Some(0.0)),
                Move::Play(_) => screen.concern(mv),
            };
            assert_eq!(found, expect, "{vertex}");
        }
    }

    #[test]
    fn an_own_eye_is_not_filled() {
        check(
            ". X . X O . .
             X X X X O . .
             O O O O O . .
             . . . . . . .",
            None,
            &[
                ("A4", Some(SetAside::OwnEye)),
                ("C4", Some(SetAside::OwnEye)),
                ("B1", None),
                ("pass", None),
            ],
        );
    }

    #[test]
    fn a_big_group_is_not_put_into_atari_but_a_throw_in_is_allowed() {
        check(
            "X X X . . O .
             O O O X . O .
             . . O O . O .
             . . . O O O .
             . O . . . . .",
            None,
            // E4 joins D4 only; D5 joins four stones that then have one liberty.
            &[("E5", None), ("E3", None), ("A1", None)],
        );
        check(
            "X X X . O .
             O O O O O .
             . . . . . .",
            None,
            &[("D3", Some(SetAside::SelfAtari)), ("B1", None)],
        );
    }

    #[test]
    fn settled_territory_is_left_alone() {
        let open = ". . . . . . . . .\n".repeat(9);
        check(&open, Some(0.99), &[("E5", Some(SetAside::Settled))]);
        check(&open, Some(-0.99), &[("E5", Some(SetAside::Settled))]);
        check(&open, Some(0.5), &[("E5", None)]);
        check(&open, None, &[("E5", None)]);
    }

    #[test]
    fn an_early_pass_is_no_move() {
        let open = ". . . . .\n".repeat(5);
        check(&open, None, &[("pass", Some(SetAside::EarlyPass))]);
    }
}
