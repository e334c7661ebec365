//! Any sequence of moves and undos leaves a board whose incremental fields
//! equal what is found from the stones alone, and no chain without a liberty.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shido_go::{Ko, Move, Position, Rules, Size};

fuzz_target!(|bytes: &[u8]| {
    let [shape, rules, moves @ ..] = bytes else {
        return;
    };
    let (width, height) = (2 + usize::from(shape % 6), 2 + usize::from(shape / 6 % 6));
    let size = Size::new(width, height).expect("2 to 7 lines are a board");
    let rules = Rules {
        ko: [Ko::Simple, Ko::Positional, Ko::Situational][usize::from(rules % 3)],
        suicide: rules & 0x80 != 0,
        ..Rules::default()
    };
    let mut position = Position::new(size, rules, 7.5);
    for &byte in moves {
        // 0 to 48 play somewhere; of the rest, odd bytes pass and even ones undo.
        let mv = size.points().nth(usize::from(byte)).map(Move::Play);
        match mv.or((byte % 2 == 1).then_some(Move::Pass)) {
            Some(mv) => _ = position.play(mv),
            None => _ = position.undo(),
        }
        let (board, fresh) = (position.board(), position.board().recomputed());
        assert!(*board == fresh, "stones, ko, prisoners and hash");
        assert_eq!(board.empty_count(), fresh.empty_count());
        for stone in size.points().filter(|&point| board.stone(point).is_some()) {
            assert_eq!(board.contacts(stone), fresh.contacts(stone));
            assert_eq!(board.chain_len(stone), fresh.chain_len(stone));
            assert!(!board.liberties(stone).is_empty());
        }
    }
});
