//! Laws of the board that must hold after any moves: what is kept incrementally
//! equals what is computed anew, `undo` undoes, and symmetry commutes with
//! everything.

use proptest::prelude::*;
use shido_go::{Board, Color, LadderReader, Move, PointSet, Position, Rules, Size, Symmetry};

/// Plays the `choice`-th legal move, counted round the empty points, if there is one.
fn random_move(board: &Board, color: Color, choice: usize) -> Option<shido_go::Point> {
    let empties = board.empty_count();
    (0..empties)
        .map(|i| board.nth_empty((choice + i) % empties))
        .find(|&point| board.is_legal(color, point))
}

fn sizes() -> impl Strategy<Value = Size> {
    (2usize..=7, 2usize..=7).prop_map(|(width, height)| Size::new(width, height).unwrap())
}

/// A board after some alternating random moves.
fn boards() -> impl Strategy<Value = Board> {
    (sizes(), prop::collection::vec(any::<u16>(), 0..150)).prop_map(|(size, choices)| {
        let mut board = Board::new(size);
        let mut color = Color::Black;
        for choice in choices {
            if let Some(point) = random_move(&board, color, usize::from(choice)) {
                board.play(color, point);
            }
            color = !color;
        }
        board
    })
}

/// Every field that can be seen from outside, compared with a board built from the stones.
fn assert_consistent(board: &Board) {
    let fresh = board.recomputed();
    assert_eq!(board, &fresh);
    let set = |board: &Board| board.empty_points().collect::<PointSet>();
    assert_eq!(set(board), set(&fresh));
    assert_eq!(board.empty_count(), fresh.empty_count());
    for point in board.size().points() {
        if board.stone(point).is_none() {
            continue;
        }
        assert!(!board.contacts(point).is_empty(), "no liberty: {board:?}");
        assert_eq!(board.contacts(point), fresh.contacts(point));
        assert_eq!(board.chain_len(point), fresh.chain_len(point));
        let chain: PointSet = board.chain(point).collect();
        assert_eq!(chain, fresh.chain(point).collect());
        assert_eq!(chain.len(), board.chain_len(point));
        assert!(chain.contains(board.head(point)));
        let liberties = board.liberties(point);
        assert_eq!(liberties, fresh.liberties(point));
        let only = (liberties.len() == 1).then(|| liberties.iter().next().unwrap());
        assert_eq!(board.atari(point), only);
        assert_eq!(board.count_liberties(point, 3), liberties.len().min(3));
        for stone in chain.iter() {
            assert_eq!(board.head(stone), board.head(point));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn incremental_equals_recomputed(board in boards()) {
        assert_consistent(&board);
    }

    #[test]
    fn undo_restores_the_board(
        board in boards(),
        choices in prop::collection::vec(any::<(u16, bool)>(), 0..60),
    ) {
        let mut played = board.clone();
        let mut undos = Vec::new();
        for (choice, black) in choices {
            // Any empty point: captures, suicides and out of turn.
            let empties = played.empty_count();
            if empties == 0 {
                break;
            }
            let point = played.nth_empty(usize::from(choice) % empties);
            let color = if black { Color::Black } else { Color::White };
            let before = played.clone();
            let foreseen = played.hash_after(color, point);
            undos.push((before, played.play_undoable(color, point)));
            prop_assert_eq!(played.hash(), foreseen);
            assert_consistent(&played);
        }
        while let Some((before, undo)) = undos.pop() {
            played.undo(&undo);
            prop_assert_eq!(&played, &before);
            assert_consistent(&played);
            let order = |board: &Board| board.empty_points().collect::<Vec<_>>();
            prop_assert_eq!(order(&played), order(&before));
        }
        prop_assert_eq!(played, board);
    }

    #[test]
    fn copying_equals_cloning(board in boards()) {
        let mut copy = Board::new(board.size());
        copy.play(Color::White, board.size().point(0, 0).unwrap());
        copy.copy_from(&board);
        prop_assert_eq!(&copy, &board);
        assert_consistent(&copy);
    }

    #[test]
    fn symmetry_commutes_with_play_score_life_and_ladders(
        board in boards(),
        choice in any::<u16>(),
        bits in 0u8..8,
    ) {
        let symmetry = Symmetry::from_bits(bits).unwrap();
        let size = board.size();
        let turned = symmetry.board(&board);
        prop_assert_eq!(&symmetry.inverse().board(&turned), &board);
        if let Some(point) = random_move(&board, Color::Black, usize::from(choice)) {
            let there = symmetry.point(point, size);
            let (mut a, mut b) = (board.clone(), turned.clone());
            a.play(Color::Black, point);
            b.play(Color::Black, there);
            prop_assert_eq!(symmetry.board(&a), b);
        }
        for rules in [Rules::CHINESE, Rules::JAPANESE, Rules::STONE_SCORING] {
            let score = |board: &Board| {
                let board = board.clone();
                Position::from_board(board, Color::Black, rules, 0.5).score(&PointSet::new())
            };
            prop_assert_eq!(score(&board), score(&turned));
        }
        let (life, there) = (board.pass_alive(false), turned.pass_alive(false));
        let (mut reader, mut reader_there) = (LadderReader::new(&board), LadderReader::new(&turned));
        for point in size.points() {
            let image = symmetry.point(point, size);
            prop_assert_eq!(life.of(point), there.of(image));
            prop_assert_eq!(board.is_eye(Color::White, point), turned.is_eye(Color::White, image));
            prop_assert_eq!(reader.is_caught(point), reader_there.is_caught(image));
            let moves: PointSet = reader.attacks(point).iter().map(|p| symmetry.point(p, size)).collect();
            prop_assert_eq!(moves, reader_there.attacks(image).iter().collect());
        }
        prop_assert_eq!(reader.board(), &board);
    }

    #[test]
    fn life_survives_any_attack(board in boards(), choices in prop::collection::vec(any::<u16>(), 80)) {
        // The owner passes; the other side plays anywhere legal.
        for owner in Color::BOTH {
            let safe = board.pass_alive(false);
            let mut attacked = board.clone();
            for &choice in &choices {
                attacked.clear_ko();
                if let Some(point) = random_move(&attacked, !owner, usize::from(choice)) {
                    attacked.play(!owner, point);
                }
            }
            for point in safe.points(owner).iter() {
                if board.stone(point) == Some(owner) {
                    prop_assert_eq!(attacked.stone(point), Some(owner));
                }
            }
        }
    }

    #[test]
    fn a_position_undoes_and_never_repeats(
        size in sizes(),
        choices in prop::collection::vec(any::<u16>(), 0..60),
        rules in prop::sample::select(Rules::NAMED.to_vec()),
    ) {
        let mut position = Position::new(size, rules.1, 7.5);
        let mut seen = vec![(position.board().hash(), position.to_move())];
        for choice in choices {
            let before = position.clone();
            let moves: Vec<Move> = position.legal_moves().collect();
            let mv = moves[usize::from(choice) % moves.len()];
            position.play(mv).unwrap();
            let mut back = position.clone();
            back.undo();
            prop_assert_eq!(back.board(), before.board());
            prop_assert_eq!(back.to_move(), before.to_move());
            prop_assert_eq!(back.passes(), before.passes());
            let now = (position.board().hash(), position.to_move());
            if !mv.is_pass() {
                match rules.1.ko {
                    shido_go::Ko::Positional => prop_assert!(seen.iter().all(|s| s.0 != now.0)),
                    shido_go::Ko::Situational => prop_assert!(!seen.contains(&now)),
                    shido_go::Ko::Simple => {
                        let two_ago = seen.len().checked_sub(2).map(|i| seen[i]);
                        prop_assert_ne!(two_ago, Some(now));
                    }
                }
            }
            seen.push(now);
        }
    }

    #[test]
    fn boards_of_earlier_turns_come_back(
        size in sizes(),
        choices in prop::collection::vec(any::<u16>(), 0..60),
        rules in prop::sample::select(Rules::NAMED.to_vec()),
    ) {
        let mut position = Position::new(size, rules.1, 7.5);
        let mut boards = vec![position.board().clone()];
        for choice in choices {
            let moves: Vec<Move> = position.legal_moves().collect();
            position.play(moves[usize::from(choice) % moves.len()]).unwrap();
            boards.push(position.board().clone());
        }
        let mut ago = Board::new(size);
        for (turns, board) in boards.iter().rev().enumerate().chain([(boards.len(), &boards[0])]) {
            position.board_ago(turns, &mut ago);
            prop_assert_eq!(&ago, board);
            prop_assert_eq!(position.ko_ago(turns), board.ko());
        }
        let hashes: Vec<u64> = boards[..boards.len() - 1].iter().map(Board::hash).collect();
        prop_assert_eq!(position.hashes_before().collect::<Vec<_>>(), hashes);
    }
}
