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
use shido_go::{Cell, Color, Move, Owners, Point, Position};

use super::error::{SettingsError, count_within, within};
use super::ladder::{LadderGuard, Threat};
use super::progress::moves_made;
use super::step::View;
use super::table::{Row, top};
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
    /// Probability of people from which a move in settled territory is an answer there, as
    /// long as no pass is thought of.
    pub answered_from: f32,
    /// Moves, as a share of the board's points, before which no pass is thought of.
    pub pass_not_before: f32,
    /// Points that a pass may lose.
    pub pass_loss: f32,
    /// Probability, of people or of the analyst's move model, from which a pass is thought
    /// of: networks have seen few passes on an open board and misjudge what follows. Where
    /// neither model knows passes ([`View::human_knows_passes`]), none is judged by it.
    pub pass_from: f32,
    /// Share of the points whose owner may be open for a pass to be thought of: a student who
    /// passes in a fight is not passed after, however usual that is.
    pub pass_open: f32,
}

impl Default for Sanity {
    fn default() -> Sanity {
        Sanity {
            enabled: true,
            self_atari_stones: 4,
            excused_from: 0.1,
            settled_from: 0.95,
            answered_from: 0.5,
            pass_not_before: 0.3,
            pass_loss: 0.5,
            pass_from: 0.05,
            pass_open: 0.15,
        }
    }
}

impl Sanity {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        count_within("sanity.self-atari-stones", self.self_atari_stones, 1, 1000)?;
        within("sanity.excused-from", self.excused_from, 0.0, 1.0)?;
        within("sanity.settled-from", self.settled_from, 0.5, 1.0)?;
        within("sanity.answered-from", self.answered_from, 0.0, 1.0)?;
        within("sanity.pass-not-before", self.pass_not_before, 0.0, 1.0)?;
        within("sanity.pass-loss", self.pass_loss, 0.0, 100.0)?;
        within("sanity.pass-from", self.pass_from, 0.0, 1.0)?;
        within("sanity.pass-open", self.pass_open, 0.0, 1.0)
    }

    /// Returns whether enough was played for a pass to be an end and not a whim.
    pub(super) fn is_late(&self, position: &Position) -> bool {
        moves_made(position) >= self.pass_not_before * position.size().area() as f32
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
    prices: Prices,
}

/// What is known of a position's moves in points, as searched.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Prices {
    /// The lead with the best move.
    pub(super) best: Option<f32>,
    /// The lead after a pass.
    pub(super) pass: Option<f32>,
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
            prices: Prices::default(),
        };
        // An answer that is absurd itself is none; inside one's own area it may well be.
        let threat = guard.threat(position, &|| plausible(view));
        screen.threat = threat.and_then(|mut threat| {
            threat.moves.retain(|&mv| {
                let concern = screen.concern(mv, None);
                position.is_legal(screen.color, mv)
                    && concern.is_none_or(|why| why == SetAside::Settled)
            });
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

    /// Tells what moves are worth here.
    pub(super) fn with_prices(self, prices: Prices) -> Screen<'a> {
        Screen { prices, ..self }
    }

    /// Returns why a legal move should not be played, if there is a reason; `lead` is
    /// what was found after it, if it was searched.
    pub(super) fn concern(&self, mv: Move, lead: Option<f32>) -> Option<SetAside> {
        let Move::Play(point) = mv else {
            return self.pass_concern(lead);
        };
        if self.sanity.enabled {
            if self.view.position.board().is_eye(self.color, point) {
                return Some(SetAside::OwnEye);
            }
            if self.is_big_self_atari(point) && !self.is_excused(mv) {
                return Some(SetAside::SelfAtari);
            }
            let settled = self.alive.of(point).is_some()
                || self.is_settled(point) && self.is_pointless(mv, lead) && !self.is_answer(mv);
            if settled {
                return Some(SetAside::Settled);
            }
        }
        self.ladder_concern(mv)
    }

    fn pass_concern(&self, lead: Option<f32>) -> Option<SetAside> {
        if self.sanity.enabled {
            let cheap = match self.prices.best.zip(lead) {
                Some((best, lead)) => best - lead <= self.sanity.pass_loss,
                None => self.view.naturalness(Move::Pass) > 0.5,
            };
            if !cheap || !self.thinks_of_passing() {
                return Some(SetAside::EarlyPass);
            }
        }
        self.ladder_concern(Move::Pass)
    }

    /// Returns whether other moves are compared with what a search says of this one: not with
    /// a pass that is no idea at all.
    pub(super) fn counts(&self, mv: Move) -> bool {
        !mv.is_pass() || self.thinks_of_passing()
    }

    /// Returns whether a pass is an idea at all.
    fn thinks_of_passing(&self) -> bool {
        let likely = self.view.pass_likelihood();
        !self.sanity.enabled
            || self.may_pass()
                && likely.is_none_or(|it| it >= self.sanity.pass_from)
                && self.open_share() <= self.sanity.pass_open
    }

    /// Returns the share of the points whose owner is open; none by an answer without a map.
    fn open_share(&self) -> f32 {
        let open = self.ownership.iter().filter(|it| it.abs() < OPEN).count();
        open as f32 / self.ownership.len().max(1) as f32
    }

    /// Returns whether it is late enough to pass when nothing else is left.
    pub(super) fn may_pass(&self) -> bool {
        self.sanity.is_late(self.view.position)
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

    /// Returns whether a point and all around it belong to one side by the analysis.
    fn is_settled(&self, point: Point) -> bool {
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

    /// Returns whether a move gains nothing over a pass.
    ///
    /// A map of ownership takes every answer that is still needed for granted, so a
    /// move in settled territory may be needed all the same.
    fn is_pointless(&self, mv: Move, lead: Option<f32>) -> bool {
        let pass_loss = self.sanity.pass_loss;
        match (lead, self.prices.pass, self.prices.best) {
            (Some(lead), Some(pass), _) => lead <= pass + pass_loss,
            (Some(lead), None, Some(best)) => lead < best - pass_loss,
            _ => !self.is_excused(mv) && !self.is_near_the_latest(mv),
        }
    }

    /// Returns whether a searched move is worth less than a pass.
    pub(super) fn is_worse_than_a_pass(&self, row: &Row) -> bool {
        let worse = |pass: f32| row.lead <= pass - self.sanity.pass_loss;
        row.visits > 0 && self.prices.pass.is_some_and(worse)
    }

    /// Returns whether people answer the latest move so, while the game goes on.
    fn is_answer(&self, mv: Move) -> bool {
        self.view.naturalness(mv) >= self.sanity.answered_from && !self.thinks_of_passing()
    }

    /// Returns whether a move may be an answer to the latest one.
    fn is_near_the_latest(&self, mv: Move) -> bool {
        let last = self.view.position.last_move().and_then(|it| it.mv.point());
        let distance = last.zip(mv.point()).map(|(a, b)| a.distance(b));
        distance.is_some_and(|it| it <= ANSWER_WITHIN)
    }
}

/// Returns the moves that people, the engine or the search think of.
fn plausible(view: &View<'_>) -> Vec<Move> {
    let legal: Vec<Move> = view.position.legal_moves().collect();
    let mut moves = top(&legal, PLAUSIBLE, |mv| view.naturalness(mv));
    moves.extend(top(&legal, PLAUSIBLE, |mv| view.engine_prior(mv)));
    let searched = view.answers.iter().flat_map(|it| &it.candidates);
    moves.extend(searched.map(|it| it.mv).filter(|mv| legal.contains(mv)));
    moves
}

/// The moves of each model that are plausible.
const PLAUSIBLE: usize = 25;

/// Ownership below which a point's owner is open.
const OPEN: f32 = 0.5;

/// Lines within which a move may answer the latest one.
const ANSWER_WITHIN: f64 = 3.0;

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
    use shido_go::{Diagram, Rules, gtp};
    use shido_search::Analysis;

    /// Screens moves of Black's whose leads are given, or not searched.
    #[track_caller]
    fn check_leads(
        picture: &str,
        ownership: Option<f32>,
        prices: Prices,
        cases: &[(&str, Option<f32>, Option<SetAside>)],
    ) {
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
        // A pass is an idea.
        let mut prior = vec![0.0; size.area() + 1];
        prior[size.area()] = 0.2;
        let view = View {
            position: &position,
            human: &[],
            prior: &prior,
            human_knows_passes: true,
            prior_knows_passes: true,
            answers: &answers,
            in_endgame: false,
        };
        let screen = Screen::new(&view, Sanity::default(), LadderGuard::default());
        let screen = screen.with_prices(prices);
        for &(vertex, lead, expect) in cases {
            let mv = gtp::parse_vertex(vertex, size).unwrap();
            assert_eq!(screen.concern(mv, lead), expect, "{vertex}");
        }
    }

    #[track_caller]
    fn check(picture: &str, cases: &[(&str, Option<SetAside>)]) {
        let cases: Vec<_> = cases
            .iter()
            .map(|&(mv, expect)| (mv, None, expect))
            .collect();
        check_leads(picture, None, Prices::default(), &cases);
    }

    #[test]
    fn an_own_eye_is_not_filled() {
        check(
            ". X . X O . .
             X X X X O . .
             O O O O O . .
             . . . . . . .",
            &[
                ("A4", Some(SetAside::OwnEye)),
                ("C4", Some(SetAside::OwnEye)),
                ("B1", None),
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
            // E4 joins D4 only; D5 joins four stones that then have one liberty.
            &[("E5", None), ("E3", None), ("A1", None)],
        );
        check(
            "X X X . O .
             O O O O O .
             . . . . . .",
            &[("D3", Some(SetAside::SelfAtari)), ("B1", None)],
        );
    }

    #[test]
    fn what_gains_nothing_in_settled_territory_is_left_alone() {
        let open = ". . . . . . . . .\n".repeat(9);
        let prices = Prices {
            best: Some(6.0),
            pass: Some(1.0),
        };
        let settled = Some(SetAside::Settled);
        for owner in [0.99, -0.99] {
            let cases = [
                ("E5", None, settled),
                ("E5", Some(1.4), settled),
                // An answer that saves the territory.
                ("E5", Some(6.0), None),
            ];
            check_leads(&open, Some(owner), prices, &cases);
        }
        let no_pass = Prices {
            pass: None,
            ..prices
        };
        let cases = [("E5", Some(5.0), settled), ("E5", Some(5.6), None)];
        check_leads(&open, Some(0.99), no_pass, &cases);
        check_leads(&open, Some(0.5), prices, &[("E5", None, None)]);
        check_leads(&open, None, prices, &[("E5", None, None)]);
    }

    #[test]
    fn a_pass_must_be_cheap_and_late() {
        let early = Some(SetAside::EarlyPass);
        let prices = Prices {
            best: Some(6.0),
            pass: Some(5.7),
        };
        let open = ". . . . .\n".repeat(5);
        check_leads(&open, None, prices, &[("pass", Some(5.7), early)]);
        let full = ". X O . .\n".repeat(5);
        let cases = [
            ("pass", Some(5.7), None),
            ("pass", Some(5.4), early),
            ("pass", None, early),
        ];
        check_leads(&full, None, prices, &cases);
    }
}
