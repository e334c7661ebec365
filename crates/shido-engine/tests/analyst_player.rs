//! An analyst as a player: a game comes to its end, with a record of each move.

mod scripted;

use scripted::Scripted;
use shido_engine::Limits;
use shido_engine::decide::DecideSettings;
use shido_engine::player::{AnalystPlayer, Player};
use shido_go::gtp::Reply;
use shido_go::{Color, Move, Position, Rules, Size};

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
