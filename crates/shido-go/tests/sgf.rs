//! SGF files of every quality: samples with their findings, laws, and hostile bytes.
//!
//! Each `sgf/*.sgf` is a hand-made file; the `.txt` beside it holds what reading
//! and replaying it says: the games with their size and number of moves, then
//! every warning and error. To accept a change run with `UPDATE_SGF_SAMPLES=1`
//! and read the difference.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use shido_go::sgf::{self, Collection, NodeId};
use shido_go::{Board, Game, Position, Recorder, Size};

/// Everything that reading says about a file.
fn findings(bytes: &[u8]) -> String {
    let reading = sgf::read(bytes);
    let mut out = format!("charset {}\n", reading.collection.charset().name());
    for warning in reading.warnings.listed() {
        writeln!(out, "{warning}").unwrap();
    }
    for tree in reading.collection.games() {
        match Game::from_tree(tree) {
            Ok(game) => {
                let moves = game.moves().count();
                let (black, white) = (&game.info.black, &game.info.white);
                writeln!(
                    out,
                    "game {}, komi {}, {moves} moves, `{}` {:?} against `{}` {:?}",
                    game.size,
                    game.komi(),
                    black.name,
                    black.rank,
                    white.name,
                    white.rank,
                )
                .unwrap();
                let (position, replayed) = game.replay().finish();
                for warning in game.warnings.listed().iter().chain(replayed.listed()) {
                    writeln!(out, "  {warning}").unwrap();
                }
                writeln!(out, "  {} stones", stones(position.board())).unwrap();
            }
            Err(error) => writeln!(out, "error {error}").unwrap(),
        }
    }
    out
}

fn stones(board: &Board) -> usize {
    board.size().area() - board.empty_count()
}

#[test]
fn samples_say_what_they_always_said() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sgf");
    let update = std::env::var_os("UPDATE_SGF_SAMPLES").is_some();
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "sgf") {
            continue;
        }
        seen += 1;
        let found = findings(&fs::read(&path).unwrap());
        let expected = path.with_extension("txt");
        if update {
            fs::write(&expected, &found).unwrap();
        }
        let expected = fs::read_to_string(&expected).unwrap();
        assert_eq!(found, expected, "{}", path.display());
    }
    assert!(seen >= 20, "only {seen} samples found");
}

/// Reads a file in every way there is and checks what must hold of any bytes.
fn check_any(bytes: &[u8]) {
    let reading = sgf::read(bytes);
    for warning in reading.warnings.listed() {
        // UTF-16 grows when it is translated.
        assert!(warning.at <= 2 * bytes.len());
    }
    let written = reading.collection.write();
    let again = sgf::read_as(written, reading.collection.charset());
    assert!(again.collection == reading.collection);
    // What is written is sound, except for oddities that were kept on purpose.
    for warning in again.warnings.listed() {
        let kept = [
            "twice in a node",
            "no uppercase letter",
            "no game in the file",
        ];
        assert!(
            kept.iter().any(|what| warning.what.contains(what)),
            "{warning}"
        );
    }
    for tree in reading.collection.games() {
        if let Ok(game) = Game::from_tree(tree) {
            let (position, _) = game.replay().finish();
            assert_eq!(
                position.board().hash(),
                position.board().recomputed().hash()
            );
        }
    }
}

#[test]
fn hostile_files_are_read_in_bounded_time() {
    let long = 1_000_000;
    check_any("(;".repeat(long).as_bytes());
    check_any("(".repeat(long).as_bytes());
    check_any(")".repeat(long).as_bytes());
    check_any(";".repeat(long).as_bytes());
    check_any("[".repeat(long).as_bytes());
    check_any("(;B[aa])".repeat(long / 100).as_bytes());
    check_any(format!("({}", ";B[aa];W[bb]".repeat(long / 10)).as_bytes());
    check_any(format!("(;{}", "AB[aa]".repeat(long / 10)).as_bytes());
    check_any(format!("(;RU[NZ]{}", ";B[aa];B[bb];AE[aa:bb]".repeat(long / 10)).as_bytes());
    check_any(format!("(;{}", "(;)A[]".repeat(long / 10)).as_bytes());
    check_any(format!("(;C[{}", "x".repeat(long)).as_bytes());
    check_any(format!("(;{}[x]", "A".repeat(long)).as_bytes());
    check_any(&vec![0xff; long]);
    check_any(&vec![b'\\'; long]);
}

#[test]
fn a_long_game_is_cut_and_says_so() {
    let text = format!("(;SZ[9]{})", ";B[];W[]".repeat(Game::MAX_STEPS));
    let reading = sgf::read(text);
    let game = Game::from_tree(reading.collection.games().next().unwrap()).unwrap();
    assert_eq!(game.moves().count(), Game::MAX_STEPS);
    assert_eq!(
        game.warnings.listed()[0].what,
        "the game has over 10000 moves"
    );
}

#[test]
fn every_truncation_of_a_file_is_read() {
    let whole = "(;FF[4]SZ[9]C[ä \\] 手];B[ee](;W[dd]C[x])(;W[ff];B[tt]))".as_bytes();
    for end in 0..=whole.len() {
        check_any(&whole[..end]);
    }
}

/// A tree as proptest makes it: for each node a parent among the earlier ones and properties.
fn trees() -> impl Strategy<Value = Collection> {
    let property = ("[A-Z]{1,4}", prop::collection::vec(any::<String>(), 0..3));
    let node = (
        any::<prop::sample::Index>(),
        prop::collection::vec(property, 0..4),
    );
    prop::collection::vec(node, 1..40).prop_map(|nodes| {
        let mut collection = Collection::new();
        let mut ids: Vec<NodeId> = vec![collection.add_game()];
        for (parent, properties) in nodes {
            let node = collection.add_child(*parent.get(&ids));
            for (name, values) in &properties {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                collection.add(node, name, &values);
            }
            ids.push(node);
        }
        collection
    })
}

/// Bytes that look like SGF often enough to get past the first token.
fn sgf_like() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "(",
        ")",
        ";",
        "[",
        "]",
        "\\",
        "(;",
        "B[",
        "W[",
        "aa",
        "bb",
        "tt",
        "AB[",
        "AE[",
        "aa:cc",
        "SZ[",
        "9",
        "19:13",
        "26",
        "CA[",
        "UTF-8",
        "GBK",
        "Shift_JIS",
        "KM[",
        "6.5",
        "HA[",
        "PL[",
        "]B[cc]",
        "]W[dd]",
        "Comment[",
        "\n",
        "\r",
        " ",
        "é",
        "手",
    ]);
    let piece = prop_oneof![
        8 => pieces.prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn writing_then_reading_is_the_identity(tree in trees()) {
        let again = sgf::read(tree.write()).collection;
        prop_assert!(again == tree);
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check_any(&bytes);
    }

    #[test]
    fn anything_like_sgf_is_read(bytes in sgf_like()) {
        check_any(&bytes);
    }

    #[test]
    fn damaged_files_are_read(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = b"(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]AB[cc:dd]PL[W]\
            ;W[ee];B[fe](;W[ed]C[a\\]b];B[])(;W[tt]LB[aa:x]))".to_vec();
        let at = at.index(bytes.len());
        if cut { bytes.remove(at); } else { bytes[at] = byte; }
        check_any(&bytes);
    }

    #[test]
    fn recorded_positions_replay_to_themselves(choices in prop::collection::vec(any::<u16>(), 0..120)) {
        let mut position = Position::new(Size::S9, shido_go::Rules::TROMP_TAYLOR, 7.0);
        for choice in choices {
            let legal: Vec<_> = position.legal_moves().collect();
            position.play(legal[usize::from(choice) % legal.len()]).unwrap();
        }
        let info = shido_go::GameInfo { result: "B+R".into(), ..Default::default() };
        let reading = sgf::read(Recorder::of_position(&position, &info).finish().write());
        prop_assert!(reading.warnings.is_empty());
        let game = Game::from_tree(reading.collection.games().next().unwrap()).unwrap();
        prop_assert_eq!(game.rules, Some(shido_go::Rules::TROMP_TAYLOR));
        prop_assert_eq!(game.info.winner(), Some(shido_go::Color::Black));
        let (replayed, warnings) = game.replay().finish();
        prop_assert!(game.warnings.is_empty() && warnings.is_empty());
        prop_assert_eq!(replayed.moves(), position.moves());
        prop_assert_eq!(replayed.hash(), position.hash());
    }
}
