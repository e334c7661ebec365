//! The Bradley–Terry move model: which moves people play, as a product of gammas.
//!
//! A move is a team of individuals (features); it wins against the other legal
//! moves with probability proportional to the product of its members' gammas
//! (PD10, §2.1; FT20, App. B). [`mm`] fits gammas and knows no Go; [`feature_set`]
//! says what a set of individuals is; [`pd10`], [`playout_set`] and [`large`] are
//! three such sets; [`playout`] samples whole games from a [`policy::Policy`], and
//! [`balance`] moves gammas until those games end as they should.

pub mod balance;
pub mod feature_set;
pub mod large;
pub mod mm;
pub mod model;
pub mod pd10;
pub mod playout;
pub mod playout_set;
pub mod policy;
pub mod shape;
pub mod surroundings;
pub mod tactics;
