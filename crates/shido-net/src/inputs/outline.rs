//! Everything about a position that its inputs depend on besides the stones.
//!
//! An outline costs far less than the planes, and with the hashes of the boards it
//! determines them: equal outlines and boards give equal inputs. That makes it the
//! key of an evaluation cache as well.

use shido_go::{Color, Move, Played, Point, Position, Rules, Scoring, Size};

use super::bans::banned;
use super::key::{InputKey, Mixer};
use super::phase::Phase;
use super::{InputSettings, Plane};

/// Moves of history a network sees.
pub(super) const TURNS: usize = 5;

/// What the inputs are made of, stones apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outline {
    pub size: Size,
    pub mover: Color,
    pub rules: Rules,
    /// Points the player to move starts ahead with.
    pub self_komi: f32,
    pub phase: Phase,
    pub has_button: bool,
    /// The latest moves, newest first, as far as the players took turns.
    pub turns: [Option<Move>; TURNS],
    /// Where ko and superko forbid to play.
    pub banned: Plane,
    /// Hashes of the stones now and as many turns ago as count, up to two; simple kos then.
    boards: [Option<(u64, Option<Point>)>; 3],
}

impl Outline {
    pub(super) fn new(position: &Position, settings: &InputSettings) -> Outline {
        let rules = *position.rules();
        let phase = Phase::of(position);
        let turns = turns(position, settings);
        let shown = turns.iter().flatten().count();
        let mut hashes = position.hashes_before().rev();
        let now = (position.board().hash(), position.board().ko());
        let mut boards = [Some(now), None, None];
        for (ago, board) in boards.iter_mut().enumerate().skip(1).take(shown) {
            *board = hashes.next().map(|hash| (hash, position.ko_ago(ago)));
        }
        Outline {
            size: position.size(),
            mover: position.to_move(),
            rules,
            self_komi: self_komi(position, &phase, settings),
            phase,
            has_button: phase.has_button(rules),
            turns,
            banned: banned(position, phase.button_taken),
            boards,
        }
    }

    /// Returns the hash of the stones so many turns ago and the point that simple ko
    /// banned then, if that board is shown.
    pub(super) fn board(&self, turns: usize) -> Option<(u64, Option<Point>)> {
        self.boards[turns]
    }

    /// Returns what identifies the inputs under some settings.
    pub(super) fn key(&self, settings: &InputSettings) -> InputKey {
        let mut mixer = Mixer::new();
        for board in self.boards {
            let (hash, ko) = board.unwrap_or((0, None));
            mixer.add(hash);
            mixer.add(point_code(ko) << 1 | u64::from(board.is_some()));
        }
        for turn in self.turns {
            mixer.add(match turn {
                None => 0,
                Some(Move::Pass) => 1,
                Some(Move::Play(point)) => 1 + point.index() as u64,
            });
        }
        for &word in self.banned.words() {
            mixer.add(word);
        }
        let phase = &self.phase;
        let flags = [
            self.mover == Color::White,
            phase.over,
            phase.pass_ends_stage,
            phase.pass_ends_game,
            phase.friendly,
            self.has_button,
            self.rules.suicide,
            settings.conservative_pass,
            settings.passing_hacks,
            settings.pass_alive_under_suicide,
        ];
        let flags = flags
            .iter()
            .fold(0, |bits, &flag| bits << 1 | u64::from(flag));
        let choices = [
            self.rules.ko as u64,
            self.rules.scoring as u64,
            self.rules.tax as u64,
            self.size.width() as u64,
            self.size.height() as u64,
        ];
        mixer.add(
            choices
                .iter()
                .fold(flags, |bits, &choice| bits << 5 | choice),
        );
        mixer.add(
            u64::from(self.self_komi.to_bits()) << 32
                | u64::from(settings.playout_doubling_advantage.to_bits()),
        );
        mixer.finish()
    }
}

fn point_code(point: Option<Point>) -> u64 {
    point.map_or(0, |point| point.index() as u64)
}

/// Returns the latest moves, newest first, as long as the players took turns.
fn turns(position: &Position, settings: &InputSettings) -> [Option<Move>; TURNS] {
    let mut turns = [None; TURNS];
    let mut color = !position.to_move();
    let latest = position.moves().iter().rev().take(settings.max_history);
    for (turn, played) in turns.iter_mut().zip(latest) {
        if played.color != color {
            break;
        }
        *turn = Some(played.mv);
        color = !color;
    }
    turns
}

/// Returns the points the player to move starts ahead with: komi, White's bonus for
/// handicap stones, and under territory scoring a point for each stone the opponent
/// has played more, so that area counting gives the right difference.
fn self_komi(position: &Position, phase: &Phase, settings: &InputSettings) -> f32 {
    let rules = position.rules();
    let bonus = rules.handicap_bonus.points(position.handicap()) as f32;
    let mut white = position.komi() + bonus + phase.button_points(position.moves());
    if rules.scoring == Scoring::Territory {
        white += stones_played(position) as f32;
    }
    // Where a draw is possible its worth shifts the komi.
    if (position.komi().fract() == 0.0) != rules.button {
        white += settings.draw_wins_for_white - 0.5;
    }
    match position.to_move() {
        Color::White => white,
        Color::Black => -white,
    }
}

/// Returns the stones Black has played less those White has, the starting ones included.
fn stones_played(position: &Position) -> i32 {
    let start = position.start();
    let lost = start.prisoners(Color::White) as i32 - start.prisoners(Color::Black) as i32;
    let played: i32 = position
        .moves()
        .iter()
        .map(|&Played { color, mv }| match (color, mv) {
            (_, Move::Pass) => 0,
            (Color::Black, _) => 1,
            (Color::White, _) => -1,
        })
        .sum();
    start.stone_lead() + lost + played
}
