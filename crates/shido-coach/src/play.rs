//! Partners: who plays with the student, and why each move.
//!
//! A partner is a [`Policy`]: shown a [`View`] it asks for simulations ([`Ask`]) or
//! plays ([`Choice`]). [`PartnerSettings`] say which partner and how;
//! [`PartnerPolicy`] is the partner. One policy per file:
//!
//! | name | file | from |
//! |---|---|---|
//! | `strong` | `strong.rs` | |
//! | `human` | `human.rs` | HI24 §5.1, P2 |
//!
//! ```
//! use rand_xoshiro::Xoshiro256PlusPlus;
//! use rand_xoshiro::rand_core::SeedableRng;
//! use shido_coach::play::{PartnerKind, PartnerPolicy, PartnerSettings, Policy, Step, View};
//! use shido_go::{Position, Rules, Size, gtp};
//!
//! let mut settings = PartnerSettings::new(PartnerKind::Human);
//! settings.set("human.look", "0")?;
//! let partner = PartnerPolicy::new(settings)?;
//!
//! // People play on the middle point here.
//! let position = Position::new(Size::S9, Rules::JAPANESE, 6.5);
//! let mut human = vec![0.0; 82];
//! human[40] = 1.0;
//! let view = View {
//!     position: &position,
//!     human: &human,
//!     prior: &human,
//!     answers: &[],
//!     in_endgame: false,
//! };
//! let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
//! let Step::Play(choice) = partner.step(&view, &mut rng) else {
//!     panic!("this partner does not search");
//! };
//! assert_eq!(gtp::format_vertex(choice.mv, Size::S9), "E5");
//! println!("{}", choice.record);
//! # Ok::<(), shido_coach::play::SettingsError>(())
//! ```

mod error;
mod human;
mod kind;
mod ladder;
mod partner;
mod random;
mod sanity;
mod settings;
mod step;
mod strong;
mod table;
#[cfg(test)]
mod tests;
mod turn;
mod why;

pub use error::SettingsError;
pub use human::HumanSettings;
pub use kind::PartnerKind;
pub use ladder::LadderGuard;
pub use partner::PartnerPolicy;
pub use sanity::Sanity;
pub use settings::PartnerSettings;
pub use step::{Ask, Choice, Policy, Step, View, Work};
pub use table::merged;
pub use why::{ConsideredMove, Note, Rule, SetAside, WhyRecord};
