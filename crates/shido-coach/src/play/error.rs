//! What can be wrong with settings; every message names what is allowed.

use super::kind::PartnerKind;

/// Settings that cannot be played with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// No partner has this name.
    #[error("there is no partner `{0}`: choose {kinds}", kinds = kinds())]
    UnknownPartner(String),
    /// No setting has this name.
    #[error("there is no setting `{name}`: choose one of {known}")]
    UnknownSetting {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A number outside its range.
    #[error("{name} cannot be {value}: allowed is {allowed}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// A value that the setting cannot hold at all.
    #[error("`{value}` does not fit the setting `{name}`: {why}")]
    Unreadable {
        /// The setting.
        name: String,
        /// What was given.
        value: String,
        /// What is wrong with it.
        why: String,
    },
}

/// Checks that a number lies in a range, both ends allowed.
pub(super) fn within(
    name: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), SettingsError> {
    if value >= least && value <= most {
        return Ok(());
    }
    Err(SettingsError::OutOfRange {
        name,
        value: value.to_string(),
        allowed: format!("{least} to {most}"),
    })
}

/// Checks that a count lies in a range, both ends allowed.
pub(super) fn count_within(
    name: &'static str,
    value: u64,
    least: u64,
    most: u64,
) -> Result<(), SettingsError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(SettingsError::OutOfRange {
        name,
        value: value.to_string(),
        allowed: format!("{least} to {most}"),
    })
}

fn kinds() -> String {
    let names: Vec<_> = PartnerKind::ALL.iter().map(|it| it.name()).collect();
    let (last, rest) = names.split_last().expect("there are partners");
    format!("{} or {last}", rest.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_its_range_is_named_with_the_range() {
        assert_eq!(within("beta", 3.2, 0.0, 100.0), Ok(()));
        let error = within("beta", -1.0, 0.0, 100.0).unwrap_err();
        assert_eq!(error.to_string(), "beta cannot be -1: allowed is 0 to 100");
        assert!(within("beta", f32::NAN, 0.0, 100.0).is_err());
        let error = count_within("simulations", 0, 1, 9).unwrap_err();
        assert_eq!(
            error.to_string(),
            "simulations cannot be 0: allowed is 1 to 9"
        );
    }
}
