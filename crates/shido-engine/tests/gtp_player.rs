//! GNU Go as a player: two of them finish a game, and takebacks are followed.

#![cfg(unix)]

mod gnugo;

use shido_engine::outside::{EngineFailure, ProcessSettings};
use shido_engine::player::{GtpPlayer, Player, RandomPlayer};
use shido_go::gtp::{Reply, parse_vertex};
use shido_go::{Board, Color, Position, Rules, Size};

/// Returns GNU Go; without it the test is skipped, which CI does not allow.
fn gnu_go() -> Option<GtpPlayer> {
    let program = gnugo::find()?;
    let line = format!("{program} --mode gtp --level 1 --chinese-rules");
    Some(GtpPlayer::start(&line, ProcessSettings::default()).unwrap())
}

#[test]
fn gnu_go_beats_a_random_player() {
    let Some(mut gnu_go) = gnu_go() else { return };
    let mut random = RandomPlayer::new(1);
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.5);
    gnu_go.new_game(&position, 1).unwrap();
    let mut resigned = false;
    while !position.is_over() && !resigned {
        assert!(position.moves().len() < 500);
        let choice = match position.to_move() {
            Color::Black => gnu_go.genmove(&position).unwrap(),
            Color::White => random.genmove(&position).unwrap(),
        };
        match choice.reply {
            Reply::Move(mv) => position.play(mv).unwrap(),
            Reply::Resign => resigned = true,
        }
    }
    assert!(!resigned);
    let score = gnu_go.final_score(&position).unwrap().unwrap();
    assert!(score.0.0 > 20.0, "{score:?}");
    assert!(gnu_go.dead_stones(&position).unwrap().is_some());
}

#[test]
fn a_takeback_and_a_handicap_are_followed() {
    let Some(mut gnu_go) = gnu_go() else { return };
    let mut board = Board::new(Size::S9);
    let at = |text: &str| parse_vertex(text, Size::S9).unwrap();
    for stone in ["C3", "G7"] {
        board.place(Color::Black, at(stone).point().unwrap());
    }
    let mut position = Position::from_board(board, Color::White, Rules::CHINESE, 0.5);
    gnu_go.new_game(&position, 1).unwrap();
    position.play(at("E5")).unwrap();
    gnu_go.genmove(&position).unwrap();
    position.undo();
    position.play(at("C7")).unwrap();
    let Reply::Move(mv) = gnu_go.genmove(&position).unwrap().reply else {
        panic!("nobody resigns at move two");
    };
    position.play(mv).unwrap();
    let stones = |color| {
        let list = gnu_go_list(&mut gnu_go, color);
        list.split_whitespace().count()
    };
    let mut stones = stones;
    assert_eq!((stones("black"), stones("white")), (3, 1));
}

fn gnu_go_list(gnu_go: &mut GtpPlayer, color: &str) -> String {
    let command = shido_go::gtp::Command::new("list_stones", color);
    gnu_go.process().ask(&command).unwrap()
}

#[test]
fn a_move_that_is_no_vertex_is_a_bad_response() {
    let script = r#"while read -r id name rest; do
        case $name in
            genmove) printf '=%s Z99\n\n' "$id";;
            *) printf '=%s 1\n\n' "$id";;
        esac
    done"#;
    let line = shell_words::join(["sh", "-c", script]);
    let mut player = GtpPlayer::start(&line, ProcessSettings::default()).unwrap();
    let position = Position::new(Size::S9, Rules::CHINESE, 7.5);
    let failure = player.genmove(&position).unwrap_err();
    assert!(
        matches!(failure, EngineFailure::BadResponse { .. }),
        "{failure}"
    );
}
