//! Profiles are the numbers that the trainer shows a human net.
//!
//! `data/meta.txt` is what `train/shido_train/meta.py` prints for some players.

use shido_go::{Color, Size};
use shido_net::{META_CHANNELS, Profile};

#[test]
fn profiles_are_what_the_trainer_describes() {
    let cases = include_str!("data/meta.txt").lines();
    let mut seen = 0;
    for case in cases.filter(|it| !it.starts_with('#')) {
        let mut words = case.split(' ');
        let mut word = || words.next().expect("a case has ranks and a size");
        let (own, other, side) = (word(), word(), word());
        let mut expected = [0.0; META_CHANNELS];
        for word in words {
            let (channel, value) = word.split_once('=').expect("channel=value");
            let channel: usize = channel.parse().expect("a channel");
            expected[channel] = value.parse::<f32>().expect("a value");
        }
        let size = Size::square(side.parse().expect("a side")).expect("a size");
        // The same two players, whichever color the mover has.
        for (name, mover) in [
            (format!("rank_{own}_{other}"), Color::Black),
            (format!("rank_{other}_{own}"), Color::White),
        ] {
            let profile: Profile = name.parse().expect("a profile");
            let found = profile.channels(mover, size);
            for (channel, (found, expected)) in found.iter().zip(expected).enumerate() {
                let error = (found - expected).abs();
                assert!(
                    error < 1e-6,
                    "{name}, {side}, {channel}: {found} {expected}"
                );
            }
        }
        seen += 1;
    }
    assert_eq!(seen, 10);
}
