//! How near the end a game is: what passes and repetitions have done so far.
//!
//! The rules here are those the networks were trained by, which are finer than
//! those of [`Position`]: the pass that takes the button does not count towards
//! the end; under simple ko a player who passes twice in the same situation ends
//! the game, and a situation that comes back twice makes it void.

use shido_go::{Color, Ko, Move, Played, Position, Rules, Scoring};

/// What the passes and repetitions of a game amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub(super) struct Phase {
    /// Two passes or a repetition have ended the game.
    pub over: bool,
    /// A pass now would end the game, or the phase before the players agree on what is dead.
    pub pass_ends_stage: bool,
    /// A pass now would end the game for good.
    pub pass_ends_game: bool,
    /// That pass would be the second in a row, between players expected to agree.
    pub friendly: bool,
    /// Where in the moves the button was taken.
    pub button_taken: Option<usize>,
}

impl Phase {
    pub(super) fn of(position: &Position) -> Phase {
        let rules = position.rules();
        let moves = position.moves();
        let button_taken = rules
            .button
            .then(|| moves.iter().position(|played| played.mv.is_pass()))
            .flatten();
        let passes = ending_passes(moves, button_taken);
        let mover = position.to_move();
        let again =
            rules.ko == Ko::Simple && passed_before(position, button_taken, moves.len(), mover);
        let area = rules.scoring == Scoring::Area;
        let pass_ends_stage = passes >= 1 || again;
        Phase {
            over: ended(position, button_taken, passes) || is_void(position),
            pass_ends_stage,
            pass_ends_game: pass_ends_stage && area,
            friendly: rules.friendly_pass && area && passes == 1 && !again,
            button_taken,
        }
    }

    /// Returns White's half point for the button; negative if Black took it.
    pub(super) fn button_points(&self, moves: &[Played]) -> f32 {
        match self.button_taken.map(|at| moves[at].color) {
            Some(Color::White) => 0.5,
            Some(Color::Black) => -0.5,
            None => 0.0,
        }
    }

    /// Returns whether the button is still there to be taken.
    pub(super) fn has_button(&self, rules: Rules) -> bool {
        rules.button && self.button_taken.is_none()
    }
}

/// Returns the passes in a row at the end, without the one that took the button.
fn ending_passes(moves: &[Played], button_taken: Option<usize>) -> usize {
    let run = moves.iter().rev().take_while(|played| played.mv.is_pass());
    let run = run.count();
    let took = button_taken.is_some_and(|at| at + run >= moves.len());
    run - usize::from(took)
}

/// Returns whether `color` has passed before in the situation that move `at` met.
fn passed_before(
    position: &Position,
    button_taken: Option<usize>,
    at: usize,
    color: Color,
) -> bool {
    let first = button_taken.map_or(0, |taken| taken + 1);
    let moves = position.moves();
    let is_pass = |played: &Played| played.mv == Move::Pass && played.color == color;
    // Games without an earlier pass need no hashes.
    if first >= at || !moves[first..at].iter().any(is_pass) {
        return false;
    }
    let situation = position
        .hashes_before()
        .nth(at)
        .unwrap_or(position.board().hash());
    moves
        .iter()
        .zip(position.hashes_before())
        .take(at)
        .skip(first)
        .any(|(played, hash)| is_pass(played) && hash == situation)
}

/// Returns whether the latest move was the pass that ended the game.
fn ended(position: &Position, button_taken: Option<usize>, passes: usize) -> bool {
    let moves = position.moves();
    let Some(last) = moves.last().filter(|played| played.mv.is_pass()) else {
        return false;
    };
    let at = moves.len() - 1;
    passes >= 2
        || position.rules().ko == Ko::Simple
            && button_taken != Some(at)
            && passed_before(position, button_taken, at, last.color)
}

/// Returns whether the latest move made a situation come about for the third time
/// since the latest pass, which no rule of simple ko forbids.
fn is_void(position: &Position) -> bool {
    let moves = position.moves();
    let Some(last) = moves.last() else {
        return false;
    };
    if position.rules().ko != Ko::Simple || last.mv.is_pass() {
        return false;
    }
    let now = position.board().hash();
    let mut times = 1;
    // The situation before move `i` came about by move `i - 1`.
    for (i, hash) in position.hashes_before().enumerate().rev() {
        let cause = i.checked_sub(1).map(|earlier| moves[earlier]);
        let next = cause.map_or(position.first_to_move(), |played| !played.color);
        times += usize::from(hash == now && next == !last.color);
        if cause.is_some_and(|played| played.mv.is_pass()) {
            break;
        }
    }
    times >= 3
}
