//! From an analysis to what is done: a stone, a pass or resignation.
//!
//! A search ranks moves; it does not know manners. Here a player passes when the
//! game is over, does not pass while that would lose what is won, resigns only
//! when that is polite, and never fills its own eyes. Pure: equal analyses give
//! equal decisions.
//!
//! Passing by one's own judgment is checked by a second analysis, of the
//! position after the pass, because the map of the first takes every answer that
//! is still needed for granted. So is a pass after the opponent's, which ends the game:
//! the count that the first map promises may need a move that is then not played.
//! [`DecideSettings::wants_pass_checked`] says when.

use shido_coach::play::moves_made;
use shido_go::gtp::Reply;
use shido_go::{Color, Move, Point, PointSet, Position, Scoring};
use shido_search::{Analysis, Candidate};

use crate::settle::Settlement;

/// How to decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecideSettings {
    /// Win rate below which a game is hopeless; 0 never to resign.
    pub resign_below: f32,
    /// Points that a player must be behind as well. A network that learned from a stronger
    /// one is sure of the result long before it could hold on to such a lead itself.
    pub resign_behind: f32,
    /// Further points for each empty point of the board, where mistakes can still be made.
    pub resign_behind_per_empty: f32,
    /// Own moves in a row that must be hopeless, this one included.
    pub resign_after: usize,
    /// Share of the board's points that must have been played before resigning.
    pub resign_not_before: f32,
    /// Ownership from which a point is taken as settled.
    pub sure: f32,
    /// Win rate that a pass, or a move in place of an eye filled, may cost.
    pub tolerance: f32,
    /// Points that a pass may cost, which a decided game's win rates do not tell; as much as
    /// two searches may be apart.
    pub pass_loss: f32,
    /// Share of the board's points that must have been played before passing, while there is
    /// a sensible move: winning because a student passed by mistake is no game.
    pub pass_not_before: f32,
    /// Whether a won count is reason enough to pass after the opponent; if not, the pass must
    /// cost nothing either. Who passes by mistake wants to play on.
    pub pass_when_won: bool,
}

impl Default for DecideSettings {
    fn default() -> DecideSettings {
        DecideSettings {
            resign_below: 0.05,
            resign_behind: 5.0,
            resign_behind_per_empty: 0.1,
            resign_after: 3,
            resign_not_before: 0.2,
            sure: 0.7,
            tolerance: 0.05,
            pass_loss: 2.0,
            pass_not_before: 0.3,
            pass_when_won: true,
        }
    }
}

impl DecideSettings {
    /// Returns settings under which every game is played to its end.
    pub fn never_resign() -> DecideSettings {
        DecideSettings {
            resign_below: 0.0,
            ..DecideSettings::default()
        }
    }

    /// Returns whether the player to move has no hope; three such moves make it resign.
    pub fn is_hopeless(&self, position: &Position, analysis: &Analysis) -> bool {
        let played = position.moves().len() as f32;
        let enough = played >= self.resign_not_before * position.size().area() as f32;
        let empty = position.board().empty_count() as f32;
        let behind = self.resign_behind + self.resign_behind_per_empty * empty;
        let lost = |it: &Candidate| it.win_rate.0.0 < self.resign_below && it.lead.0.0 < -behind;
        enough && analysis.best().is_some_and(lost)
    }

    /// Returns whether a pass may be right, so that it should be checked by an
    /// analysis of the position after it.
    pub fn wants_pass_checked(&self, position: &Position, analysis: &Analysis) -> bool {
        // Where the search itself passes, that is played.
        analysis.best().is_some_and(|it| !it.mv.is_pass()) && self.may_be_over(position, analysis)
    }

    /// Returns whether the game may be over, so that whoever does not play the search's move
    /// should have a pass checked, also where it is the search's.
    pub fn may_be_over(&self, position: &Position, analysis: &Analysis) -> bool {
        let by_agreement = position.rules().ends_by_agreement();
        if by_agreement && Judge::new(position, analysis, self).wins_by_passing() {
            return true;
        }
        let board = position.board();
        let settled = Settlement::new(board, &analysis.ownership);
        // Early on a settled board only says who wins: White against nine stones has to play.
        self.is_late(position)
            && by_agreement
            && settled.is_settled(self.sure, position.rules().scoring == Scoring::Area)
    }

    /// Returns whether enough was played for a pass to be an end and not a whim.
    fn is_late(&self, position: &Position) -> bool {
        moves_made(position) >= self.pass_not_before * position.size().area() as f32
    }
}

/// What is known beside the analysis.
#[derive(Debug, Clone, Copy, Default)]
pub struct Situation<'a> {
    /// The player's latest moves in a row that were hopeless before this one.
    pub hopeless_before: usize,
    /// Whether dead stones must be captured before passing (`kgs-genmove_cleanup`).
    pub cleanup: bool,
    /// An analysis of the position after a pass, if it was asked for.
    pub after_pass: Option<&'a Analysis>,
}

/// Why something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The search wants it.
    Search,
    /// The opponent passed and the count is won.
    OpponentPassed,
    /// Everything is settled; no move gains anything.
    Settled,
    /// There is no sensible move.
    NoMove,
    /// Dead stones must come off.
    Cleanup,
    /// The game is lost.
    Hopeless,
}

impl Why {
    /// Returns the reason in a word.
    pub fn word(self) -> &'static str {
        match self {
            Why::Search => "search",
            Why::OpponentPassed => "opponent-passed",
            Why::Settled => "settled",
            Why::NoMove => "no-move",
            Why::Cleanup => "cleanup",
            Why::Hopeless => "hopeless",
        }
    }
}

/// What is done and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// A stone, a pass or resignation.
    pub reply: Reply,
    /// Why.
    pub why: Why,
}

impl Decision {
    /// The game is given up.
    pub const RESIGN: Decision = Decision {
        reply: Reply::Resign,
        why: Why::Hopeless,
    };

    fn of(mv: Move, why: Why) -> Decision {
        let reply = Reply::Move(mv);
        Decision { reply, why }
    }
}

/// Decides for the player to move.
pub fn decide(
    position: &Position,
    analysis: &Analysis,
    situation: Situation<'_>,
    settings: &DecideSettings,
) -> Decision {
    let judge = Judge::new(position, analysis, settings);
    if situation.cleanup {
        return judge.clean_up();
    }
    decide_end(position, analysis, situation, settings).unwrap_or_else(|| judge.best_move())
}

/// Decides whether the player to move resigns or ends the game with a pass; `None` to
/// play on, with whatever move the player likes.
pub fn decide_end(
    position: &Position,
    analysis: &Analysis,
    situation: Situation<'_>,
    settings: &DecideSettings,
) -> Option<Decision> {
    let judge = Judge::new(position, analysis, settings);
    let hopeless = settings.is_hopeless(position, analysis);
    if hopeless && situation.hopeless_before + 1 >= settings.resign_after {
        return Some(Decision::RESIGN);
    }
    let after = situation.after_pass;
    let still_won = after.is_none_or(|it| {
        judge.wins_after(it) && (settings.pass_when_won || judge.pass_gives_little(it))
    });
    if judge.wins_by_passing() && still_won {
        return Some(Decision::of(Move::Pass, Why::OpponentPassed));
    }
    let free = after.is_some_and(|it| judge.pass_is_free(it));
    free.then(|| Decision::of(Move::Pass, Why::Settled))
}

/// Returns whether a pass of the player to move loses nothing by the rules alone.
///
/// Where dead stones stay on the board, a pass before they are taken gives them away.
pub fn may_pass(position: &Position, analysis: &Analysis, settings: &DecideSettings) -> bool {
    Judge::new(position, analysis, settings).may_pass()
}

struct Judge<'a> {
    position: &'a Position,
    analysis: &'a Analysis,
    settings: &'a DecideSettings,
    color: Color,
}

impl<'a> Judge<'a> {
    fn new(
        position: &'a Position,
        analysis: &'a Analysis,
        settings: &'a DecideSettings,
    ) -> Judge<'a> {
        Judge {
            position,
            analysis,
            settings,
            color: position.to_move(),
        }
    }

    fn may_pass(&self) -> bool {
        self.is_late() && (self.position.rules().ends_by_agreement() || self.lead_if_over() > 0.0)
    }

    fn settlement(&self) -> Settlement<'_> {
        self.settlement_by(self.analysis)
    }

    fn settlement_by(&self, analysis: &'a Analysis) -> Settlement<'a> {
        Settlement::new(self.position.board(), &analysis.ownership)
    }

    /// Returns whether the opponent has passed and the count is ours however
    /// the doubtful points fall.
    fn wins_by_passing(&self) -> bool {
        let passed = self
            .position
            .last_move()
            .is_some_and(|last| last.mv.is_pass() && last.color != self.color);
        passed && self.is_late() && self.lead_if_over() > 0.0
    }

    /// Returns whether the count is won by what is seen when the opponent is to move, too.
    fn wins_after(&self, after: &'a Analysis) -> bool {
        !self.position.rules().ends_by_agreement() || self.lead_by(&self.settlement_by(after)) > 0.0
    }

    fn is_late(&self) -> bool {
        self.settings.is_late(self.position)
    }

    /// Returns the lead if the game ended now and all that is not settled were the opponent's.
    fn lead_if_over(&self) -> f32 {
        if !self.position.rules().ends_by_agreement() {
            return self.position.score(&PointSet::new()).lead(self.color);
        }
        self.lead_by(&self.settlement())
    }

    fn lead_by(&self, settled: &Settlement<'_>) -> f32 {
        let rules = self.position.rules();
        let at_risk = settled.at_risk(rules, self.color, self.settings.sure);
        let lead = self.position.score(&settled.dead()).lead(self.color);
        lead - at_risk as f32
    }

    /// Returns whether nothing of ours is lost when the opponent moves after a pass.
    fn pass_is_free(&self, after: &Analysis) -> bool {
        let board = self.position.board();
        let (now, then) = (self.settlement(), self.settlement_by(after));
        let sure = self.settings.sure;
        let kept = board.size().points().all(|point| {
            now.owned_by(self.color, point) < sure || then.owned_by(self.color, point) >= sure / 2.0
        });
        let best = self.analysis.best().map_or(0.0, |it| it.win_rate.0.0);
        let rate = after.win_rate.as_seen_by(self.color).0;
        kept && rate >= best - self.settings.tolerance && self.pass_gives_little(after)
    }

    /// Returns whether a pass gives no more points away than two searches may be apart.
    fn pass_gives_little(&self, after: &Analysis) -> bool {
        let lead = |it: &Analysis| it.lead.as_seen_by(self.color).0;
        // Not the mean of the search, which tried worse moves too.
        let best = self.analysis.best();
        let best = best.map_or(lead(self.analysis), |it| it.lead.0.0);
        best - lead(after) <= self.settings.pass_loss
    }

    /// Returns the best move that is legal and fills no eye.
    fn best_move(&self) -> Decision {
        let Some(best) = self.analysis.best() else {
            return Decision::of(Move::Pass, Why::NoMove);
        };
        let may_pass = self.may_pass();
        let good_enough = best.win_rate.0.0 - 2.0 * self.settings.tolerance;
        let choice = self.analysis.candidates.iter().find(|it| match it.mv {
            Move::Pass => may_pass,
            // A much worse move is no substitute for a pass, unless passing loses.
            Move::Play(_) => self.is_sane(it) && (!may_pass || it.win_rate.0.0 >= good_enough),
        });
        match choice {
            Some(choice) => Decision::of(choice.mv, Why::Search),
            None => Decision::of(Move::Pass, Why::NoMove),
        }
    }

    fn is_sane(&self, candidate: &Candidate) -> bool {
        candidate
            .mv
            .point()
            .is_some_and(|point| self.may_play(point))
    }

    fn may_play(&self, point: Point) -> bool {
        self.position.is_legal(self.color, Move::Play(point))
            && !self.position.board().is_eye(self.color, point)
    }

    /// Captures what is dead; passes when nothing of the opponent's is.
    fn clean_up(&self) -> Decision {
        let board = self.position.board();
        let mut targets = PointSet::new();
        for stone in self.settlement().dead_of(!self.color).iter() {
            for liberty in board.liberties(stone).iter() {
                targets.insert(liberty);
            }
        }
        let wanted = |point: Point| targets.contains(point) && self.may_play(point);
        let searched = self.analysis.candidates.iter();
        let from_search = searched
            .filter_map(|it| it.mv.point())
            .find(|&point| wanted(point));
        let from_board = || targets.iter().find(|&point| wanted(point));
        match from_search.or_else(from_board) {
            Some(point) => Decision::of(Move::Play(point), Why::Cleanup),
            None if targets.is_empty() => Decision::of(Move::Pass, Why::Settled),
            None => self.best_move(),
        }
    }
}

#[cfg(test)]
mod tests {
    use shido_go::{Board, Diagram, Rules, gtp};
    use shido_search::{ForBlack, ForMover, Points, WinRate};

    use super::*;

    /// A settled 5×5 board: Black has 13 points of area, White 12.
    const END: &str = "
        . X O . .
        X X O O .
        . X X O O
        . . X O .
        . . X O .";

    fn position(picture: &str, rules: Rules, komi: f32) -> Position {
        let board = Diagram::parse(picture).unwrap().board;
        Position::from_board(board, Color::Black, rules, komi)
    }

    /// An analysis for Black of moves with their win rates, and the area as ownership.
    fn analysis(position: &Position, moves: &[(&str, f32)]) -> Analysis {
        let candidate = |&(vertex, rate): &(&str, f32)| {
            let mv = gtp::parse_vertex(vertex, position.size()).unwrap();
            Candidate {
                mv,
                visits: 100,
                win_rate: ForMover(WinRate(rate)),
                lower_bound: ForMover(WinRate(rate)),
                lead: ForMover(Points(0.0)),
                score_deviation: Points(0.0),
                prior: 0.1,
                ..Candidate::unknown(mv)
            }
        };
        let area = position.board().area();
        let owner = |point| match area.of(point) {
            Some(Color::Black) => 0.95,
            Some(Color::White) => -0.95,
            None => 0.0,
        };
        Analysis {
            to_move: position.to_move(),
            visits: 1000,
            playouts: 1000,
            win_rate: ForBlack(WinRate(moves.first().map_or(0.5, |it| it.1))),
            lead: ForBlack(Points(0.0)),
            score_deviation: Points(0.0),
            ownership: position.size().points().map(owner).collect(),
            candidates: moves.iter().map(candidate).collect(),
            ..Analysis::unknown(position.to_move())
        }
    }

    #[track_caller]
    fn check(position: &Position, it: &Analysis, situation: Situation<'_>, expect: &str) {
        let settings = DecideSettings::default();
        let Decision { reply, why } = decide(position, it, situation, &settings);
        let found = format!("{} {}", reply.display(position.size()), why.word());
        assert_eq!(found, expect);
    }

    /// Checks a decision that follows from the analysis alone.
    #[track_caller]
    fn check_plain(position: &Position, moves: &[(&str, f32)], expect: &str) {
        let it = analysis(position, moves);
        check(position, &it, Situation::default(), expect);
    }

    #[test]
    fn the_search_is_followed() {
        let empty = Position::new(shido_go::Size::S9, Rules::CHINESE, 7.5);
        check_plain(&empty, &[("E5", 0.5), ("D4", 0.49)], "E5 search");
        let end = position(END, Rules::CHINESE, 0.5);
        check_plain(&end, &[("pass", 0.5), ("A1", 0.4)], "pass search");
        check_plain(&empty, &[], "pass no-move");
    }

    #[test]
    fn own_eyes_stay_open_and_illegal_moves_unplayed() {
        let end = position(END, Rules::CHINESE, 0.5);
        let moves = [("A5", 0.6), ("C5", 0.6), ("A1", 0.58), ("pass", 0.55)];
        check_plain(&end, &moves, "A1 search");
        // What is left is much worse than an eye filled would be: better to pass.
        let moves = [("A5", 0.6), ("E3", 0.1)];
        check_plain(&end, &moves, "pass no-move");
    }

    #[test]
    fn a_pass_is_answered_when_the_count_is_won() {
        let moves = [("A1", 0.9), ("pass", 0.1)];
        for (komi, expect) in [(0.5, "pass opponent-passed"), (1.5, "A1 search")] {
            for rules in [Rules::CHINESE, Rules::TROMP_TAYLOR] {
                let mut end = position(END, rules, komi);
                end.play_as(Color::White, Move::Pass).unwrap();
                check_plain(&end, &moves, expect);
            }
        }
    }

    #[test]
    fn an_early_pass_is_a_mistake_to_play_on_after() {
        let mut open = Position::new(shido_go::Size::S9, Rules::CHINESE, 0.5);
        check_plain(&open, &[("pass", 0.5), ("D4", 0.4)], "D4 search");
        open.play(Move::Play(shido_go::Size::S9.point(4, 4).unwrap()))
            .unwrap();
        open.play(Move::Pass).unwrap();
        // Black would win the count at once.
        check_plain(&open, &[("C3", 0.9), ("pass", 0.9)], "C3 search");
        check_plain(&open, &[("pass", 0.9)], "pass no-move");
    }

    /// Where White's wall is not closed more than half of the board is open: the count is
    /// won by komi, and yet nothing is over.
    #[test]
    fn a_pass_in_the_middle_of_a_game_is_no_end() {
        let closed = "
            . X O . . . .
            X X O . . O .
            . X O . . . .
            X X O . . . .
            . X O . O . .
            X X O . . . .
            . X O . . O .";
        let open = "
            . X O . . . .
            X X O . . O .
            . X O . . . .
            X X . . . . .
            . X . . O . .
            X X . . . . .
            . X . . . O .";
        for (picture, expect) in [(closed, "pass opponent-passed"), (open, "F7 search")] {
            let mut game = position(picture, Rules::JAPANESE, -21.5);
            game.play_as(Color::White, Move::Pass).unwrap();
            check_plain(&game, &[("F7", 0.6), ("pass", 0.5)], expect);
        }
    }

    /// Who lost every stone leaves few on the board; the game is over all the same.
    #[test]
    fn a_game_that_wiped_a_side_out_is_over() {
        let size = shido_go::Size::S9;
        let mut game = Position::from_board(Board::new(size), Color::White, Rules::JAPANESE, 6.5);
        for [lost, taker] in [[0, 1], [8, 7]] {
            for y in 0..9 {
                for x in [lost, taker] {
                    let point = size.point(x, y).unwrap();
                    game.play(Move::Play(point)).unwrap();
                }
            }
        }
        game.play(Move::Pass).unwrap();
        assert_eq!(game.board().empty_count(), 81 - 18);
        let mut it = analysis(&game, &[("E5", 0.99), ("pass", 0.99)]);
        it.ownership.fill(0.99);
        check(&game, &it, Situation::default(), "pass opponent-passed");
        assert!(DecideSettings::default().may_be_over(&game, &it));
    }

    #[test]
    fn doubtful_points_do_not_win_a_count() {
        let mut end = position(END, Rules::CHINESE, 0.5);
        end.play_as(Color::White, Move::Pass).unwrap();
        let mut it = analysis(&end, &[("A1", 0.9)]);
        it.ownership[20] = 0.5;
        check(&end, &it, Situation::default(), "A1 search");
    }

    #[test]
    fn a_dead_stone_matters_where_it_must_be_captured() {
        // White's stone at A3 is dead. With it on the board White is ahead.
        let picture = "
            . X O . .
            X X O O .
            O X X O O
            . . X O .
            . . X O .";
        let moves = [("pass", 0.9), ("A2", 0.85)];
        for (rules, expect) in [
            (Rules::CHINESE, "pass opponent-passed"),
            (Rules::TROMP_TAYLOR, "A2 search"),
        ] {
            let mut end = position(picture, rules, 0.5);
            end.play_as(Color::White, Move::Pass).unwrap();
            let mut it = analysis(&end, &moves);
            for at in [10, 15, 16, 20, 21] {
                it.ownership[at] = 0.95;
            }
            check(&end, &it, Situation::default(), expect);
        }
    }

    #[test]
    fn a_free_pass_is_taken_and_a_costly_one_is_not() {
        let end = position(END, Rules::JAPANESE, 0.5);
        let it = analysis(&end, &[("A1", 0.9)]);
        let settings = DecideSettings::default();
        assert!(settings.wants_pass_checked(&end, &it));
        let check_after = |after: &Analysis, expect| {
            let situation = Situation {
                after_pass: Some(after),
                ..Situation::default()
            };
            check(&end, &it, situation, expect);
        };
        let mut after = analysis(&end, &[("pass", 0.9)]);
        check_after(&after, "pass settled");
        after.ownership[20] = -0.9;
        check_after(&after, "A1 search");
        let poor = analysis(&end, &[("pass", 0.8)]);
        check_after(&poor, "A1 search");
        // The game is won however large the side is that the pass leaves open.
        for (lead, expect) in [(-1.5, "pass settled"), (-5.0, "A1 search")] {
            let mut after = analysis(&end, &[("pass", 0.9)]);
            after.lead = ForBlack(Points(lead));
            check_after(&after, expect);
        }
    }

    /// The opponent passed; the map takes a move for granted that a pass would not play.
    #[test]
    fn a_count_that_needs_another_move_is_not_won_by_passing() {
        let mut end = position(END, Rules::CHINESE, 0.5);
        end.play_as(Color::White, Move::Pass).unwrap();
        let it = analysis(&end, &[("A1", 0.9)]);
        let decided = |after: &Analysis, settings: &DecideSettings| {
            assert!(settings.may_be_over(&end, &it));
            let situation = Situation {
                after_pass: Some(after),
                ..Situation::default()
            };
            decide(&end, &it, situation, settings).why
        };
        let engine = DecideSettings::default();
        let partner = DecideSettings {
            pass_when_won: false,
            ..engine
        };
        let mut after = analysis(&end, &[("pass", 0.9)]);
        assert_eq!(decided(&after, &engine), Why::OpponentPassed);
        assert_eq!(decided(&after, &partner), Why::OpponentPassed);
        // Won by either map, and five points are given away.
        after.lead = ForBlack(Points(-5.0));
        assert_eq!(decided(&after, &engine), Why::OpponentPassed);
        assert_eq!(decided(&after, &partner), Why::Search);
        // A point of Black's falls if White moves next.
        let mut after = analysis(&end, &[("pass", 0.9)]);
        after.ownership[20] = -0.9;
        assert_eq!(decided(&after, &engine), Why::Search);
        assert_eq!(decided(&after, &partner), Why::Search);
    }

    #[test]
    fn a_pass_is_not_checked_while_points_are_open() {
        let settings = DecideSettings::default();
        // One neutral point: worth a point by area, nothing by territory.
        let picture = END
            .replacen(". X O", ". . O", 1)
            .replacen("X X O O", "X X X O", 1);
        for (rules, expect) in [(Rules::CHINESE, false), (Rules::JAPANESE, true)] {
            let end = position(&picture, rules, 0.5);
            let mut it = analysis(&end, &[("A1", 0.9)]);
            it.ownership[0] = 0.95;
            assert_eq!(settings.wants_pass_checked(&end, &it), expect);
        }
        let strict = position(END, Rules::TROMP_TAYLOR, 0.5);
        let it = analysis(&strict, &[("A1", 0.9)]);
        assert!(!settings.wants_pass_checked(&strict, &it));
    }

    #[test]
    fn resignation_needs_time_and_patience() {
        let mut end = position(END, Rules::CHINESE, 0.5);
        let hopeless = |hopeless_before| Situation {
            hopeless_before,
            ..Situation::default()
        };
        let behind = |end: &Position, points: f32| {
            let mut it = analysis(end, &[("A1", 0.01)]);
            it.candidates[0].lead = ForMover(Points(-points));
            it
        };
        let lost = |end: &Position| behind(end, 8.0);
        check(&end, &lost(&end), hopeless(9), "A1 search");
        for vertex in ["E5", "E1", "E2"] {
            let mv = gtp::parse_vertex(vertex, end.size()).unwrap();
            end.play_as(Color::White, mv).unwrap();
            end.play(Move::Pass).unwrap();
        }
        end.set_to_move(Color::Black);
        check(&end, &lost(&end), hopeless(1), "A1 search");
        check(&end, &lost(&end), hopeless(2), "resign hopeless");
        let mut fair = lost(&end);
        fair.candidates[0].win_rate = ForMover(WinRate(0.06));
        check(&end, &fair, hopeless(9), "A1 search");
        // Eight points of this board are empty.
        check(&end, &behind(&end, 5.7), hopeless(9), "A1 search");
        check(&end, &behind(&end, 5.9), hopeless(9), "resign hopeless");
        let settings = DecideSettings::never_resign();
        assert!(!settings.is_hopeless(&end, &lost(&end)));
    }

    #[test]
    fn cleaning_up_captures_before_it_passes() {
        let picture = END.replacen(". X X O O", "O X X O O", 1);
        let end = position(&picture, Rules::CHINESE, 0.5);
        let mut it = analysis(&end, &[("pass", 0.9), ("A1", 0.9), ("A2", 0.8)]);
        for at in [10, 15, 16, 20, 21] {
            it.ownership[at] = 0.95;
        }
        let cleanup = Situation {
            cleanup: true,
            ..Situation::default()
        };
        check(&end, &it, cleanup, "A2 cleanup");
        it.candidates.clear();
        check(&end, &it, cleanup, "A2 cleanup");
        let clean = position(END, Rules::CHINESE, 0.5);
        let it = analysis(&clean, &[("A1", 0.9)]);
        check(&clean, &it, cleanup, "pass settled");
    }
}
