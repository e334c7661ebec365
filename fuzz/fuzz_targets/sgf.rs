//! Any bytes are read as SGF without a panic; what was read is written and read
//! back the same; and every game in it can be replayed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shido_go::{Game, sgf};

fuzz_target!(|bytes: &[u8]| {
    let first = sgf::read(bytes).collection;
    let again = sgf::read_as(first.write(), first.charset());
    assert!(again.collection == first, "write∘read is the identity");
    for tree in first.games() {
        if let Ok(game) = Game::from_tree(tree) {
            game.replay().finish();
        }
    }
});
