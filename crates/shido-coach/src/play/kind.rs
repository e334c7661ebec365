//! The partners by name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::SettingsError;

/// How a partner chooses its moves.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum PartnerKind {
    /// The analyst's best move.
    Strong,
    /// A draw from the human move model (HI24, §5.1, P2).
    Human,
    /// A draw by visits (HI24, §5.1, P3).
    Softmax,
    /// Two roles: target loss and naturalness over one search (HI24, Alg. 1).
    Roles,
    /// The same over two rounds of halving (HI24, Alg. 2, P5).
    Halving,
    /// Halving with the smooth score (HI24, Eq. 3, P6); the default.
    #[default]
    Natural,
    /// The win rate nearest to one half (SF21, §5.2).
    Naive,
    /// Position control with methods A, B and C (SF21, §4.1 to §4.3).
    Gentle,
    /// Position control with method A alone (SF21, §5.1).
    GentleA,
}

impl PartnerKind {
    /// All kinds.
    pub const ALL: [PartnerKind; 9] = [
        PartnerKind::Strong,
        PartnerKind::Human,
        PartnerKind::Softmax,
        PartnerKind::Roles,
        PartnerKind::Halving,
        PartnerKind::Natural,
        PartnerKind::Naive,
        PartnerKind::Gentle,
        PartnerKind::GentleA,
    ];

    /// Returns the name as users write it.
    pub fn name(self) -> &'static str {
        match self {
            PartnerKind::Strong => "strong",
            PartnerKind::Human => "human",
            PartnerKind::Softmax => "softmax",
            PartnerKind::Roles => "roles",
            PartnerKind::Halving => "halving",
            PartnerKind::Natural => "natural",
            PartnerKind::Naive => "naive",
            PartnerKind::Gentle => "gentle",
            PartnerKind::GentleA => "gentle-a",
        }
    }

    /// Returns whether it aims to lose so many points with a move (HI24, Eq. 1).
    pub fn controls_advantage(self) -> bool {
        matches!(
            self,
            PartnerKind::Roles | PartnerKind::Halving | PartnerKind::Natural
        )
    }

    /// Returns whether a level changes how it plays.
    pub fn has_levels(self) -> bool {
        !matches!(self, PartnerKind::Strong | PartnerKind::Naive)
    }
}

impl fmt::Display for PartnerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PartnerKind {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<PartnerKind, SettingsError> {
        let wanted = text.trim().to_ascii_lowercase().replace('_', "-");
        let found = PartnerKind::ALL.into_iter().find(|it| it.name() == wanted);
        found.ok_or_else(|| SettingsError::UnknownPartner(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike() {
        for kind in PartnerKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
        }
        assert_eq!("Gentle_A".parse(), Ok(PartnerKind::GentleA));
    }

    #[test]
    fn an_unknown_partner_is_refused_with_the_known_ones() {
        let error = "sensei".parse::<PartnerKind>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no partner `sensei`: choose strong, human, softmax, roles, halving, \
             natural, naive, gentle or gentle-a"
        );
    }
}
