//! The page's server: a JSON API with event streams, storage, one engine for all games.
//!
//! Start with [`router`] and [`AppState`], then [`wire`] for what travels, then
//! `game` (what a game with a partner is, pure), `live` (games going on) and
//! `engine` (the queue before the engines). [`partners`] is the one place that
//! knows which engines there are; [`serve`] binds to this machine alone.
//!
//! The page's files are built from `ui/` and embedded by `build.rs`. Nothing of
//! Go happens in the browser: legality, captures and scores come from here.

mod clock;
mod connections;
mod engine;
mod error;
mod extract;
mod feed;
mod game;
mod guard;
mod id;
mod levels;
mod limits;
mod live;
mod page;
pub mod partners;
mod records;
mod routes;
pub mod serve;
mod state;
pub mod store;
pub mod wire;

pub use clock::Clocks;
pub use error::{ApiError, ErrorView};
pub use routes::{openapi, router};
pub use state::AppState;
