//! KataGo's JSON analysis protocol, the server's side of it.
//!
//! A client sends queries, one JSON object a line, in any number; answers come as
//! they are ready. docs/protocol.md shows the lines. Start with [`AnalysisServer`];
//! [`Query`] is one line understood, [`AnalystSource`] is where the engine comes in.
//!
//! Invariants: every position asked about gets exactly one answer whose
//! `isDuringSearch` is false (unless its client is gone), and equal queries get
//! equal answers as far as the engine is deterministic.

mod config;
mod fields;
mod game;
mod hashes;
mod native_source;
mod outbox;
mod people;
mod query;
mod queue;
mod respond;
mod server;
mod settings;
mod source;
mod stdio;
mod websocket;
mod worker;

pub use config::{ConfigLine, read_config, read_overrides};
pub use fields::Complaint;
pub use native_source::NativeSource;
pub use people::People;
pub use query::{During, Query, Turn, Understood, Wanted};
pub use server::AnalysisServer;
pub use settings::{Perspective, QuerySettings, ServerSettings};
pub use source::{AnalystSource, ModelInfo};
pub use websocket::{ListenSettings, Listener};
