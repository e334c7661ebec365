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
//! | `softmax` | `softmax.rs` | HI24 §5.1, P3 |
//! | `roles` | `roles.rs` | HI24 Alg. 1, P4 |
//! | `halving` | `halving.rs` | HI24 Alg. 2 and 3, P5 |
//! | `natural` | `natural.rs` | HI24 Eq. 3, P6 |
//! | `naive` | `naive.rs` | SF21 §5.2 |
//! | `gentle`, `gentle-a` | `gentle.rs`, `distance.rs` | SF21 §4.1 to §4.3 |
//! | endgame control | `endgame.rs` | SF21 §7 |
//!
//! What all share: ladders are answered (`ladder.rs`), nothing absurd is played
//! (`sanity.rs`), control sets in slowly (`opening.rs`), a handicap is made up for
//! patiently (`handicap.rs`), and giving up comes late (`resign.rs`).
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
//!     human_knows_passes: true,
//!     prior_knows_passes: true,
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

mod advantage;
mod distance;
mod endgame;
mod error;
mod gentle;
mod halving;
mod handicap;
mod human;
mod kind;
mod ladder;
mod model;
mod naive;
mod natural;
mod opening;
mod partner;
mod progress;
mod random;
mod resign;
mod roles;
mod sanity;
mod search;
mod settings;
mod softmax;
mod step;
mod strong;
mod table;
#[cfg(test)]
mod tests;
mod turn;
mod why;

pub use advantage::AdvantageControl;
pub use distance::DistanceWeights;
pub use endgame::{EndgameSettings, EndgameStart};
pub use error::SettingsError;
pub use gentle::GentleSettings;
pub use halving::HalvingSettings;
pub use handicap::HandicapEase;
pub use human::HumanSettings;
pub use kind::PartnerKind;
pub use ladder::LadderGuard;
pub use model::MoveModel;
pub use natural::NaturalSettings;
pub use opening::OpeningEase;
pub use partner::PartnerPolicy;
pub use progress::moves_made;
pub use resign::{Outlook, ResignRule};
pub use roles::RolesSettings;
pub use sanity::Sanity;
pub use settings::PartnerSettings;
pub use softmax::SoftmaxSettings;
pub use step::{Ask, Choice, Policy, Step, View, Work};
pub use table::merged;
pub use why::{ConsideredMove, Note, Rule, SetAside, WhyRecord};
