//! An analyst as a player: a game comes to its end, with a record of each move.

mod scripted;

use scripted::Scripted;
use shido_engine::Limits;
use shido_engine::decide::{DecideSettings, Decision};
use shido_engine::player::{AnalystPlayer, Chooser, Player};
use shido_go::gtp::Reply;
use shido_go::{Color, Move, Position, Rules, Size};
use shido_search::{Analysis, Candidate, ForMover, Points, WinRate};

fn player() -> AnalystPlayer {
    let settings = DecideSettings::default();
    AnalystPlayer::new(Box::new(Scripted), Limits::playouts(10), settings)
}

#[test]
fn a_game_ends_and_is_counted() {
    for rules in [Rules::CHINESE, Rules::JAPANESE, Rules::TROMP_TAYLOR] {
        let mut position = Position::new(Size::square(5).unwrap(), rules, 0.5);
        let mut player = player();
        player.new_game(&position, 1).unwrap();
        let mut last_reason = None;
        while !position.is_over() {
            assert!(position.moves().len() < 300, "{rules}: no end in sight");
            let choice = player.genmove(&position).unwrap();
            let Reply::Move(mv) = choice.reply else {
                panic!("nobody resigns at even chances");
            };
            assert_eq!(choice.record.playouts, Some(160));
            position.play(mv).unwrap();
            last_reason = choice.record.why;
        }
        assert!(last_reason.is_some());
        let dead = player.dead_stones(&position).unwrap().unwrap();
        let score = player.final_score(&position).unwrap().unwrap();
        assert_eq!(score.0.0, position.score(&dead).lead(Color::Black));
    }
}

#[test]
fn what_the_opponent_left_won_is_passed_out() {
    let size = Size::square(5).unwrap();
    let mut position = Position::new(size, Rules::CHINESE, 0.5);
    for y in 0..5 {
        for (x, color) in [(1, Color::Black), (2, Color::Black), (3, Color::White)] {
            let point = size.point(x, y).unwrap();
            position.play_as(color, Move::Play(point)).unwrap();
        }
    }
    let choose = |position: &Position| player().genmove(position).unwrap();
    // Nobody has passed yet: the pass is checked by a second look.
    let choice = choose(&position);
    assert_eq!(choice.reply, Reply::Move(Move::Pass));
    assert_eq!(choice.record.why, Some("settled"));
    position.play_as(Color::White, Move::Pass).unwrap();
    let choice = choose(&position);
    assert_eq!(choice.reply, Reply::Move(Move::Pass));
    assert_eq!(choice.record.why, Some("opponent-passed"));
}

/// Asked as often as anybody likes what it would play: only moves of the game count.
#[test]
fn hints_and_moves_taken_back_bring_no_resignation() {
    let size = Size::square(5).unwrap();
    let mut chooser = Chooser::new(DecideSettings::default());
    let mut resigns = |position: &Position| {
        let mv = position.legal_moves().next().unwrap();
        let analysis = Analysis {
            visits: 10,
            candidates: vec![Candidate {
                visits: 10,
                win_rate: ForMover(WinRate(0.001)),
                lead: ForMover(Points(-40.0)),
                ..Candidate::unknown(mv)
            }],
            ..Analysis::unknown(position.to_move())
        };
        let limits = Limits::playouts(10);
        let chosen = chooser.choose(&mut Scripted, position, analysis, &limits, false);
        chosen.decision == Decision::RESIGN
    };
    let mut position = Position::new(size, Rules::CHINESE, 0.5);
    for y in 0..4 {
        for (x, color) in [(1, Color::Black), (3, Color::White)] {
            let point = size.point(x, y).unwrap();
            position.play_as(color, Move::Play(point)).unwrap();
        }
    }
    for _ in 0..5 {
        assert!(!resigns(&position), "nothing was played in between");
    }
    let beginning = position.clone();
    for turn in 0..2 {
        let mv = position.legal_moves().next().unwrap();
        position.play(mv).unwrap();
        position.play(Move::Pass).unwrap();
        assert_eq!(resigns(&position), turn == 1, "turn {turn}");
    }
    assert!(!resigns(&beginning), "the moves since were taken back");
}
