//! Names of games and records that nobody can guess.

/// Returns 128 random bits as 32 hexadecimal digits.
pub(crate) fn fresh() -> String {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    format!("{:032x}", u128::from_be_bytes(bytes))
}

/// Returns a number from 0 to 1, for what is drawn by lot.
pub(crate) fn chance() -> f32 {
    let mut bytes = [0u8; 2];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    f32::from(u16::from_le_bytes(bytes)) / f32::from(u16::MAX)
}

/// Returns a number that goes with a name, for what is drawn in a game: a game that is
/// resumed goes on as it would have.
pub(crate) fn seed(id: &str) -> u64 {
    let digits = id.get(..16).unwrap_or_default();
    u64::from_str_radix(digits, 16).unwrap_or(0)
}

/// Returns whether a text may be the name of something.
pub(crate) fn is_plausible(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|it| it.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_plausible() {
        let (a, b) = (fresh(), fresh());
        assert!(is_plausible(&a) && is_plausible(&b) && a != b);
        assert!(!is_plausible("../../etc/passwd") && !is_plausible(""));
        assert_ne!(seed(&a), seed(&b));
        assert_eq!(seed("00000000000000ff0123"), 255);
        assert!((0.0..=1.0).contains(&chance()));
    }
}
