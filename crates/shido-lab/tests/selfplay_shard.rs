//! A searched game of our own becomes, byte for byte, the shard that the trainer's tests read.
//!
//! `train/tests/selfplay.jsonl` is the game, `selfplay.pos` the shard; what the shard means
//! is checked there (`test_selfplay.py`). `UPDATE_SHARD=1` writes it anew.

use std::fs;
use std::path::Path;

use shido_lab::dataset::{EncodeSettings, PackedGames, encode};

#[test]
fn the_trainers_shard_of_self_play_is_what_encode_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../train/tests");
    let packed = folder.join("selfplay.jsonl");
    let game = PackedGames::open(&packed).unwrap().next().unwrap().unwrap();
    assert!(game.counted && game.search(game.len() - 1).is_some());

    let settings = EncodeSettings {
        share: 0.25,
        varied: 0.0,
        shard: 1000,
        valid_one_in: u64::MAX,
        seed: 1,
        threads: 1,
        commit: "test".to_owned(),
        command: "test".to_owned(),
    };
    let out = tempfile::tempdir().unwrap();
    encode(&[packed], out.path(), &settings, &|_, _, _| ()).unwrap();
    let made = fs::read(out.path().join("train-0000.pos")).unwrap();
    let kept = folder.join("selfplay.pos");
    if std::env::var_os("UPDATE_SHARD").is_some() {
        fs::write(&kept, &made).unwrap();
    }
    assert!(
        fs::read(kept).unwrap() == made,
        "the shard is another: see this test"
    );
}
