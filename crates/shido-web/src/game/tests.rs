//! The state machine of a game, without a server.

use std::time::Duration;

use shido_go::gtp::Reply;
use shido_search::Analysis;

use super::*;
use crate::wire::{ClockSettings, GameSettings, Pace};

fn game(clock: Option<ClockSettings>) -> GameState {
    let settings = GameSettings {
        size: 9,
        rules: "chinese".to_owned(),
        komi: 7.5,
        handicap: 0,
        your_color: crate::wire::Color::Black,
        partner: "classic".to_owned(),
        strength: None,
        level: None,
        auto: false,
        style: None,
        pace: Pace::Quick,
        clock,
        your_name: String::new(),
    };
    GameState::new(StoredGame {
        id: "0".repeat(32),
        created_ms: 0,
        updated_ms: 0,
        settings,
        phase: Phase::Playing,
        result: None,
        dead: None,
        undos: 0,
        moves: Vec::new(),
    })
    .unwrap()
}

fn thought(vertex: &str, hopeless: bool) -> Thought {
    Thought {
        reply: Reply::parse(vertex, Size::S9).unwrap(),
        reason: Reason::Search,
        hopeless,
        engine: "test".to_owned(),
        analysis: Analysis::unknown(Color::White),
        choice: None,
        time: Duration::ZERO,
    }
}

const AT_ONCE: Duration = Duration::ZERO;

#[test]
fn a_game_replays_from_what_is_kept() {
    let mut state = game(None);
    state.play_student("E5", 0, AT_ONCE).unwrap();
    state.play_partner(&thought("C3", false), AT_ONCE).unwrap();
    let again = GameState::new(state.stored.clone()).unwrap();
    assert_eq!(again.position().hash(), state.position().hash());
    let mut broken = state.stored;
    broken.moves[1].mv = "E5".to_owned();
    assert!(GameState::new(broken).is_err());
}

#[test]
fn hopeless_moves_in_a_row_are_counted_from_the_records() {
    let mut state = game(None);
    let turns = [("A1", false), ("A2", true), ("A3", true)];
    for (i, (mv, hopeless)) in turns.into_iter().enumerate() {
        let student = format!("J{}", i + 1);
        state.play_student(&student, 2 * i, AT_ONCE).unwrap();
        state.play_partner(&thought(mv, hopeless), AT_ONCE).unwrap();
    }
    state.play_student("J9", 6, AT_ONCE).unwrap();
    assert_eq!(state.turn().hopeless_before, 2);
}

#[test]
fn clocks_are_kept_with_the_moves_and_taken_back_with_them() {
    let clock = ClockSettings::Absolute { main_s: 60 };
    let mut state = game(Some(clock));
    let seconds = Duration::from_secs;
    state.play_student("E5", 0, seconds(10)).unwrap();
    state
        .play_partner(&thought("C3", false), seconds(5))
        .unwrap();
    assert_eq!(state.until_flag(), Some(seconds(50)));
    assert!(state.turn().time.is_some());
    state.undo(2).unwrap();
    assert_eq!(state.until_flag(), Some(seconds(60)));
    state.play_student("E5", 0, seconds(61)).unwrap();
    assert_eq!(state.stored.result.as_deref(), Some("W+T"));
    assert!(
        state.stored.moves.is_empty(),
        "a move after the flag is none"
    );
}

#[test]
fn a_flag_falls_in_the_middle_of_a_turn() {
    let mut state = game(Some(ClockSettings::Absolute { main_s: 60 }));
    assert!(!state.fall_flag(Duration::from_secs(59)));
    assert!(state.fall_flag(Duration::from_mins(1)));
    assert_eq!(state.stored.phase, Phase::Finished);
    assert!(!state.fall_flag(Duration::from_secs(99)), "it falls once");
}

#[test]
fn a_student_may_resign_at_the_partners_turn() {
    let mut state = game(None);
    state.play_student("E5", 0, AT_ONCE).unwrap();
    assert!(state.is_partners_turn());
    state.play_student("resign", 0, AT_ONCE).unwrap();
    assert_eq!(state.stored.result.as_deref(), Some("W+R"));
}

/// A teaching partner's record: its best lead, and what the move it played gave away.
fn record(vertex: &str, lead: f32, loss: f32) -> WhyRecord {
    serde_json::from_value(serde_json::json!({
        "partner": "natural", "played": vertex, "rule": "natural-score", "notes": [],
        "lead": lead, "target_loss": 1.0, "simulations": 10,
        "candidates": [{ "move": vertex, "visits": 10, "lead": lead - loss, "loss": loss,
            "win_rate": 0.5, "naturalness": 0.2, "score": 0.1, "set_aside": null }],
    }))
    .unwrap()
}

#[test]
fn a_finished_game_at_a_level_says_what_the_student_lost() {
    let mut state = game(None);
    state.stored.settings.level = Some("15k".to_owned());
    // The partner sees its lead rise by what the student gives away, here 3 and 1 points,
    // and fall by what it gives away itself.
    let turns = [("C3", 2.0, 1.0), ("C4", 4.0, 2.0), ("C5", 3.0, 0.0)];
    for (i, (vertex, lead, loss)) in turns.into_iter().enumerate() {
        state
            .play_student(&format!("E{}", i + 3), 2 * i, AT_ONCE)
            .unwrap();
        let thought = Thought {
            choice: Some(record(vertex, lead, loss)),
            ..thought(vertex, false)
        };
        state.play_partner(&thought, AT_ONCE).unwrap();
    }
    // The next turn of the partner's knows its own records.
    assert_eq!(state.turn().records.len(), 3);
    assert_eq!(state.turn().records[1].0, 3);
    assert_eq!(state.ending(), None, "it goes on");
    state.play_student("resign", 6, AT_ONCE).unwrap();
    assert_eq!(state.ending(), None, "it was too short to say anything");

    state.stored.moves.pop();
    state.stored.phase = Phase::Playing;
    for (i, column) in ["G", "H"].iter().enumerate() {
        let after = 6 + 2 * i;
        let vertex = format!("{column}3");
        state.play_student(&vertex, after, AT_ONCE).unwrap();
        let answer = format!("{column}7");
        // Before the last turn with a record is one without: what two moves of the student's
        // gave away is not known of either.
        let thought = Thought {
            choice: (i == 1).then(|| record(&answer, 20.0, 0.0)),
            ..thought(&answer, false)
        };
        state.play_partner(&thought, AT_ONCE).unwrap();
    }
    state.play_student("resign", 10, AT_ONCE).unwrap();
    let ending = state.ending().unwrap();
    assert_eq!(
        (ending.level.as_str(), ending.outcome, ending.margin),
        ("15k", crate::wire::Outcome::Lost, None)
    );
    assert_eq!((ending.loss, ending.judged), (Some(2.0), 2));
    state.stored.settings.level = None;
    assert_eq!(state.ending(), None, "no level, nothing to follow");
}

/// A game that the student resigned after some moves, as White or Black.
fn resigned(handicap: usize, komi: f32, color: crate::wire::Color) -> GameState {
    let mut state = game(None);
    state.stored.settings.level = Some("15k".to_owned());
    state.stored.settings.handicap = handicap;
    state.stored.settings.komi = komi;
    state.stored.settings.your_color = color;
    let mut state = GameState::new(state.stored).unwrap();
    for row in 1..=6 {
        let partner = |state: &mut GameState| {
            let thought = thought(&format!("B{row}"), false);
            state.play_partner(&thought, AT_ONCE).unwrap();
        };
        let starts = state.is_partners_turn();
        if starts {
            partner(&mut state);
        }
        let after = state.stored.moves.len();
        let vertex = format!("H{row}");
        state.play_student(&vertex, after, AT_ONCE).unwrap();
        if !starts {
            partner(&mut state);
        }
    }
    let after = state.stored.moves.len();
    state.play_student("resign", after, AT_ONCE).unwrap();
    state
}

#[test]
fn stones_count_for_the_student_or_against() {
    use crate::wire::Color;
    for (handicap, color, expect) in [
        (0, Color::White, 0),
        (4, Color::Black, 4),
        (4, Color::White, -4),
    ] {
        let ending = resigned(handicap, 0.5, color).ending().unwrap();
        assert_eq!(ending.stones, expect);
    }
}

#[test]
fn a_game_that_its_komi_decides_says_nothing() {
    use crate::wire::Color;
    for (komi, says) in [(7.5, true), (0.5, true), (-50.0, false), (30.0, false)] {
        let ending = resigned(0, komi, Color::Black).ending();
        assert_eq!(ending.is_some(), says, "{komi}");
    }
}

#[test]
fn a_count_says_by_how_much() {
    let mut state = game(None);
    state.stored.settings.level = Some("15k".to_owned());
    for i in 0..5 {
        let row = i + 3;
        state
            .play_student(&format!("E{row}"), 2 * i, AT_ONCE)
            .unwrap();
        let answer = thought(&format!("C{row}"), false);
        state.play_partner(&answer, AT_ONCE).unwrap();
    }
    state.play_student("pass", 10, AT_ONCE).unwrap();
    state
        .play_partner(&thought("pass", false), AT_ONCE)
        .unwrap();
    state.propose_dead(&Analysis::unknown(Color::Black));
    state.agree(12).unwrap();
    let ending = state.ending().unwrap();
    let result = state.stored.result.as_deref().unwrap();
    let (winner, points) = result.split_at(2);
    let points: f64 = points.parse().unwrap();
    let margin = if winner == "B+" { points } else { -points };
    assert_eq!(ending.margin, Some(margin), "{result}");
    assert_eq!((ending.moves, ending.loss), (12, None));
}
