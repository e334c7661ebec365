//! Every plane and global of the inputs, on small boards that show one thing each.
//!
//! A picture of a plane has `x` where it says yes.

use shido_go::{
    Board, Color, Diagram, HandicapBonus, Ko, Position, Rules, Scoring, Size, Tax, gtp,
};
use shido_net::{Encoder, InputSettings, Inputs, Plane};

fn settings() -> InputSettings {
    InputSettings::default()
}

fn encode(position: &Position) -> Inputs {
    Encoder::new().encode(position, &settings())
}

fn set_up(picture: &str, to_move: Color, rules: Rules) -> Position {
    let board = Diagram::parse(picture).unwrap().board;
    Position::from_board(board, to_move, rules, 0.0)
}

/// Plays vertices, the players taking turns.
fn play(position: &mut Position, moves: &str) {
    for vertex in moves.split_whitespace() {
        let mv = gtp::parse_vertex(vertex, position.size()).unwrap();
        position.play(mv).unwrap();
    }
}

fn picture(plane: &Plane, size: Size) -> String {
    let mut rows = String::new();
    for y in 0..size.height() {
        for x in 0..size.width() {
            rows.push(if plane.get(y * size.width() + x) {
                'x'
            } else {
                '.'
            });
        }
        rows.push('\n');
    }
    rows
}

#[track_caller]
fn check(inputs: &Inputs, plane: usize, expect: &str) {
    let rows = expect.split_whitespace();
    let expect: String = rows.flat_map(|row| [row, "\n"]).collect();
    assert_eq!(
        picture(&inputs.planes[plane], inputs.size),
        expect,
        "plane {plane}"
    );
}

#[track_caller]
fn check_empty(inputs: &Inputs, planes: impl IntoIterator<Item = usize>) {
    for plane in planes {
        assert_eq!(inputs.planes[plane], Plane::default(), "plane {plane}");
    }
}

#[test]
fn stones_are_own_and_the_opponents() {
    let text = "
        X . . O
        . O . .
        . . X X
    ";
    let black = encode(&set_up(text, Color::Black, Rules::CHINESE));
    check(&black, 0, "xxxx xxxx xxxx");
    check(&black, 1, "x... .... ..xx");
    check(&black, 2, "...x .x.. ....");
    let white = encode(&set_up(text, Color::White, Rules::CHINESE));
    assert_eq!(white.planes[1], black.planes[2]);
    assert_eq!(white.planes[2], black.planes[1]);
    check_empty(&white, [7, 8, 20, 21]);
}

#[test]
fn chains_with_one_two_and_three_liberties_are_marked() {
    let inputs = encode(&set_up(
        "
        X O . . .
        . X O . .
        . X O . .
        . X O O .
        . . X . O
        ",
        Color::Black,
        Rules::CHINESE,
    ));
    check(&inputs, 3, "xx... ..... ..... ..... .....");
    check(&inputs, 4, "..... ..... ..... ..... ..x.x");
    check(&inputs, 5, "..... ..... ..... ..... .....");
    let inputs = encode(&set_up(
        "
        . X .
        . . .
        X X .
        ",
        Color::White,
        Rules::CHINESE,
    ));
    check(&inputs, 5, ".x. ... xx.");
}

#[test]
fn simple_ko_bans_one_point_for_a_turn() {
    let mut position = set_up(
        "
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
        ",
        Color::White,
        Rules::CHINESE,
    );
    play(&mut position, "B4");
    check(&encode(&position), 6, "..... ..x.. ..... ..... .....");
    play(&mut position, "A1 E1");
    check_empty(&encode(&position), [6]);
}

/// Two kos that White can take; when both have changed hands twice the position is back.
fn two_kos(rules: Rules) -> Position {
    set_up(
        "
        . X O . . . X O .
        X . X O . X . X O
        . X O . . . X O .
        . . . . . . . . .
        . . . . . . . . .
        ",
        Color::White,
        rules,
    )
}

#[test]
fn superko_bans_what_would_repeat_a_position() {
    let ban = "......... .......x. ......... ......... .........";
    for (rules, banned) in [
        (Rules::CHINESE_OGS, true),
        (Rules::AGA, true),
        (Rules::CHINESE, false),
    ] {
        let mut position = two_kos(rules);
        play(&mut position, "B4 pass G4");
        check(&encode(&position), 6, ban);
        play(&mut position, "C4 pass");
        // Black would bring the start back by retaking the other ko too.
        if banned {
            check(&encode(&position), 6, ban);
        } else {
            check_empty(&encode(&position), [6]);
        }
    }
}

#[test]
fn the_latest_five_moves_are_shown() {
    let mut position = Position::new(Size::new(4, 3).unwrap(), Rules::JAPANESE, 0.0);
    play(&mut position, "A3 B3 C3 pass A2 B2 C2");
    let inputs = encode(&position);
    check(&inputs, 9, ".... ..x. ....");
    check(&inputs, 10, ".... .x.. ....");
    check(&inputs, 11, ".... x... ....");
    check_empty(&inputs, [12]);
    check(&inputs, 13, "..x. .... ....");
    assert_eq!(inputs.globals[..5], [0.0, 0.0, 0.0, 1.0, 0.0]);
    let few = InputSettings {
        max_history: 2,
        ..settings()
    };
    let inputs = Encoder::new().encode(&position, &few);
    check(&inputs, 10, ".... .x.. ....");
    check_empty(&inputs, 11..=13);
    assert_eq!(inputs.globals[..5], [0.0; 5]);
}

#[test]
fn history_ends_where_players_did_not_take_turns() {
    let size = Size::square(4).unwrap();
    let mut position = Position::new(size, Rules::CHINESE, 0.0);
    let at = |vertex| gtp::parse_vertex(vertex, size).unwrap();
    position.play_as(Color::Black, at("A1")).unwrap();
    position.play_as(Color::Black, at("B2")).unwrap();
    position.play_as(Color::White, at("C3")).unwrap();
    let inputs = encode(&position);
    check(&inputs, 9, ".... ..x. .... ....");
    check(&inputs, 10, ".... .... .x.. ....");
    check_empty(&inputs, [11]);
    // Out of turn nothing is shown at all.
    position.set_to_move(Color::White);
    check_empty(&encode(&position), 9..=13);
}

#[test]
fn ladders_are_shown_now_and_as_they_were() {
    let mut position = set_up(
        "
        . . . . . . .
        . . . . . . .
        . . . . X . .
        . . . X O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        ",
        Color::Black,
        Rules::CHINESE,
    );
    play(&mut position, "F3 A4 E3");
    let inputs = encode(&position);
    let lone = "....... ....... ....... ....x.. ....... ....... .......";
    check(&inputs, 14, lone);
    check(&inputs, 15, lone);
    check(&inputs, 16, lone);
    let mut earlier = position.clone();
    earlier.undo();
    earlier.undo();
    let inputs = encode(&earlier);
    check(&inputs, 14, lone);
    check_empty(&inputs, [15]);
    // Only one turn is known, so two turns ago looks like one turn ago.
    check_empty(&inputs, [16]);
}

#[test]
fn working_ladder_moves_are_those_against_the_opponent() {
    let text = "
        . . . . . . .
        . . . . . . .
        . . . . X . .
        . . . X O . .
        . . . . . X .
        . . . . . . .
        . . . . . . .
    ";
    let attacker = encode(&set_up(text, Color::Black, Rules::CHINESE));
    check(
        &attacker,
        17,
        "....... ....... ....... .....x. ....x.. ....... .......",
    );
    let owner = encode(&set_up(text, Color::White, Rules::CHINESE));
    check(
        &owner,
        14,
        "....... ....... ....... ....x.. ....... ....... .......",
    );
    check_empty(&owner, [17]);
}

/// Black lives with two eyes and holds a dead stone; White's chain at the right
/// surrounds three points.
const AREA: &str = "
    . X . X . O .
    X X X X . O .
    . O X . . O .
    X X X . . O O
";

#[test]
fn area_is_every_stone_and_what_one_color_surrounds() {
    let inputs = encode(&set_up(AREA, Color::Black, Rules::CHINESE));
    check(&inputs, 18, "xxxx... xxxx... xxx.... xxx....");
    check(&inputs, 19, ".....xx .....xx .....xx .....xx");
    let inputs = encode(&set_up(AREA, Color::White, Rules::CHINESE));
    check(&inputs, 19, "xxxx... xxxx... xxx.... xxx....");
}

#[test]
fn a_tax_takes_territory_of_areas_beside_neutral_points() {
    let rules = Rules {
        tax: Tax::Seki,
        ..Rules::CHINESE
    };
    // Both areas touch the open points between them, so only stones are left.
    let inputs = encode(&set_up(AREA, Color::Black, rules));
    check(&inputs, 18, ".x.x... xxxx... ..x.... xxx....");
    check(&inputs, 19, ".....x. .....x. .....x. .....xx");
    let closed = "
        . X . X O . .
        X X X X O O O
        . X X O O . O
        X X . X O O O
    ";
    // One point is neutral still, beside Black and White.
    let inputs = encode(&set_up(closed, Color::Black, rules));
    assert!(!inputs.planes[18].get(0) && inputs.planes[18].get(1));
    let full = "
        . X . X O . .
        X X X X O O O
        . X X O O . O
        X X X O O O O
    ";
    let inputs = encode(&set_up(full, Color::Black, rules));
    check(&inputs, 18, "xxxx... xxxx... xxx.... xxx....");
    check(&inputs, 19, "....xxx ....xxx ...xxxx ...xxxx");
}

#[test]
fn territory_scoring_shows_no_area() {
    check_empty(
        &encode(&set_up(AREA, Color::Black, Rules::JAPANESE)),
        [18, 19],
    );
}

#[test]
fn suicide_changes_who_lives_where_a_network_wants_it() {
    // The white stones in the corner could vanish by suicide and leave room.
    let text = "
        O O X . X . .
        O . X X X . .
        X X X . . . .
        . . . . . . .
    ";
    let area = |suicide| {
        let like = InputSettings {
            pass_alive_under_suicide: suicide,
            ..settings()
        };
        let position = set_up(text, Color::Black, Rules::CHINESE);
        Encoder::new().encode(&position, &like).planes[18]
    };
    assert!(area(false).get(0));
    assert!(!area(true).get(0));
}

#[track_caller]
fn check_komi(position: &Position, expect: f32) {
    let found = 20.0 * encode(position).globals[5];
    assert!((found - expect).abs() < 1e-5, "{found} is not {expect}");
}

#[test]
fn komi_is_that_of_the_player_to_move() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.5);
    check_komi(&position, -7.5);
    play(&mut position, "E5");
    check_komi(&position, 7.5);
    position.set_komi(500.0);
    check_komi(&position, 101.0);
    position.set_komi(-500.0);
    check_komi(&position, -101.0);
}

#[test]
fn komi_holds_the_bonus_for_handicap_stones() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 0.5);
    position.set_handicap(4);
    check_komi(&position, -4.5);
    position.set_rules(Rules::AGA);
    check_komi(&position, -3.5);
    position.set_rules(Rules {
        handicap_bonus: HandicapBonus::Zero,
        ..Rules::CHINESE
    });
    check_komi(&position, -0.5);
}

#[test]
fn territory_scoring_counts_the_stones_played() {
    let mut position = set_up(
        "
        X X .
        . . .
        . . O
        ",
        Color::Black,
        Rules::JAPANESE,
    );
    position.set_komi(6.5);
    check_komi(&position, -7.5);
    play(&mut position, "C3");
    check_komi(&position, 8.5);
    play(&mut position, "pass B2");
    check_komi(&position, 9.5);
}

#[test]
fn a_draw_may_be_worth_something_to_white() {
    let generous = InputSettings {
        draw_wins_for_white: 0.75,
        ..settings()
    };
    let komi = |komi, rules| {
        let position = Position::new(Size::S9, rules, komi);
        20.0 * Encoder::new().encode(&position, &generous).globals[5]
    };
    assert!((komi(7.0, Rules::CHINESE) + 7.25).abs() < 1e-5);
    assert!((komi(7.5, Rules::CHINESE) + 7.5).abs() < 1e-5);
    // The button moves the draws to the half points.
    assert!((komi(7.0, Rules::AGA_BUTTON) + 7.0).abs() < 1e-5);
    assert!((komi(7.5, Rules::AGA_BUTTON) + 7.75).abs() < 1e-5);
}

#[test]
fn rules_are_flags() {
    let globals = |rules| {
        let inputs = encode(&Position::new(Size::S9, rules, 7.0));
        <[f32; 6]>::try_from(&inputs.globals[6..12]).unwrap()
    };
    assert_eq!(globals(Rules::CHINESE), [0.0; 6]);
    assert_eq!(globals(Rules::TROMP_TAYLOR), [1.0, 0.5, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(globals(Rules::AGA), [1.0, -0.5, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(globals(Rules::JAPANESE), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    let taxed = Rules {
        ko: Ko::Simple,
        scoring: Scoring::Area,
        tax: Tax::All,
        ..Rules::CHINESE
    };
    assert_eq!(globals(taxed), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn the_parity_wave_rises_where_a_draw_is_possible() {
    let wave = |side: usize, komi: f32| {
        let position = Position::new(Size::square(side).unwrap(), Rules::CHINESE, -komi);
        encode(&position).globals[18]
    };
    // On an odd board Black's lead is odd.
    assert_eq!(
        [1.0, 1.5, 2.0, 2.5, 3.0].map(|komi| wave(9, komi)),
        [0.0, 0.5, 0.0, -0.5, 0.0]
    );
    assert_eq!(
        [-1.0, -1.5, -7.0].map(|komi| wave(9, komi)),
        [0.0, -0.5, 0.0]
    );
    assert_eq!(
        [0.0, 0.25, 1.0, -0.5].map(|komi| wave(8, komi)),
        [0.0, 0.25, 0.0, -0.5]
    );
    let territory = Position::new(Size::S9, Rules::JAPANESE, 6.5);
    assert_eq!(encode(&territory).globals[18], 0.0);
}

#[test]
fn playout_doublings_are_told_when_there_are_any() {
    let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    assert_eq!(encode(&position).globals[15..17], [0.0, 0.0]);
    let strong = InputSettings {
        playout_doubling_advantage: -1.5,
        ..settings()
    };
    let inputs = Encoder::new().encode(&position, &strong);
    assert_eq!(inputs.globals[15..17], [1.0, -0.75]);
}

/// A finished game of one point each way, the player to move ahead or behind by komi.
fn after_a_pass(rules: Rules, komi: f32) -> Position {
    let mut position = set_up(
        "
        . X O .
        X X O O
        . X O .
        X X O O
        ",
        Color::Black,
        rules,
    );
    position.set_komi(komi);
    play(&mut position, "pass");
    position
}

#[test]
fn a_pass_that_ends_the_game_is_shown_to_the_winner() {
    let told = |position: &Position, settings: &InputSettings| {
        let globals = Encoder::new().encode(position, settings).globals;
        assert_eq!(globals[0], globals[14], "the pass before goes with it");
        globals[14] == 1.0
    };
    let strict = Rules::TROMP_TAYLOR;
    assert!(told(&after_a_pass(strict, 0.5), &settings()));
    assert!(!told(&after_a_pass(strict, -0.5), &settings()));
    let plain = InputSettings {
        passing_hacks: false,
        ..settings()
    };
    assert!(told(&after_a_pass(strict, -0.5), &plain));
    let careful = InputSettings {
        conservative_pass: true,
        ..settings()
    };
    assert!(!told(&after_a_pass(strict, 0.5), &careful));
    // Friends do not end a game by a mere pass; territory games have an encore.
    assert!(!told(&after_a_pass(Rules::CHINESE, 0.5), &settings()));
    assert!(told(&after_a_pass(Rules::JAPANESE, -0.5), &careful));
    assert!(!told(&Position::new(Size::S9, strict, 0.5), &plain));
}

#[test]
fn a_finished_game_shows_its_last_move_only() {
    let mut position = after_a_pass(Rules::JAPANESE, 0.5);
    play(&mut position, "pass");
    let inputs = encode(&position);
    assert_eq!(inputs.globals[..2], [1.0, 0.0]);
    assert_eq!(inputs.globals[14], 1.0);
}

#[test]
fn the_first_pass_takes_the_button() {
    let rules = Rules {
        friendly_pass: false,
        ..Rules::AGA_BUTTON
    };
    let mut position = Position::new(Size::S9, rules, 6.0);
    assert_eq!(encode(&position).globals[17], 1.0);
    play(&mut position, "pass");
    let inputs = encode(&position);
    assert_eq!((inputs.globals[17], inputs.globals[14]), (0.0, 0.0));
    check_komi(&position, 5.5);
    // Only the pass after it can be answered by one that ends the game.
    play(&mut position, "pass");
    let plain = InputSettings {
        passing_hacks: false,
        ..settings()
    };
    assert_eq!(Encoder::new().encode(&position, &plain).globals[14], 1.0);
}

#[test]
fn under_simple_ko_passing_twice_in_one_situation_ends_the_game() {
    let rules = Rules {
        friendly_pass: false,
        ..Rules::CHINESE
    };
    let mut position = two_kos(rules);
    let told = |position: &Position| {
        let plain = InputSettings {
            passing_hacks: false,
            ..settings()
        };
        Encoder::new().encode(position, &plain).globals[14] == 1.0
    };
    // Both kos are taken and retaken, so that Black meets one situation twice.
    play(&mut position, "B4 pass G4 C4 pass H4");
    assert!(!told(&position));
    play(&mut position, "B4");
    assert!(told(&position));
}

#[test]
fn keys_tell_positions_apart_as_their_inputs_do() {
    let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
    let key = |position: &Position| Encoder::key(position, &settings());
    let mut keys = vec![key(&position)];
    play(&mut position, "E5");
    keys.push(key(&position));
    let mut other = position.clone();
    other.set_komi(6.5);
    keys.push(key(&other));
    other.set_to_move(Color::Black);
    keys.push(key(&other));
    position.set_rules(Rules::AGA);
    keys.push(key(&position));
    let careful = InputSettings {
        conservative_pass: true,
        ..settings()
    };
    keys.push(Encoder::key(&position, &careful));
    keys.push(keys[0].with([1]));
    let count = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), count);
    // Six moves back nobody remembers.
    let reach = |moves: &str| {
        let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
        play(&mut position, moves);
        (key(&position), encode(&position))
    };
    let one = reach("A1 B1 C1 D1 E1 F1 G1 H1");
    let two = reach("C1 B1 A1 D1 E1 F1 G1 H1");
    assert_eq!(one, two);
    assert_ne!(one.0, reach("A1 B1 C1 D1 E1 H1 G1 F1").0);
}

#[test]
#[should_panic(expected = "up to 19×19")]
fn larger_boards_are_refused() {
    encode(&Position::new(
        Size::square(20).unwrap(),
        Rules::CHINESE,
        7.0,
    ));
}

#[test]
fn planes_count_their_points() {
    let empty = Board::new(Size::S19);
    let inputs = encode(&Position::from_board(
        empty,
        Color::Black,
        Rules::CHINESE,
        7.5,
    ));
    assert_eq!(inputs.planes[0].iter().count(), 361);
    assert_eq!(Plane::full(64).iter().count(), 64);
    assert_eq!(Plane::full(65).iter().last(), Some(64));
    assert_eq!(Plane::full(0), Plane::default());
}
