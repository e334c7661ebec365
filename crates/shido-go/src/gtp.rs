//! The text of the Go Text Protocol, version 2, for both sides of the wire.
//!
//! A controller writes [`Command`]s and reads [`Response`]s, an engine the other
//! way round; both write and read vertices such as `Q16`. Text only: which
//! commands exist and what they do is the engine's business, and reading from a
//! pipe is the caller's.
//!
//! Invariant: what these types write, they read back unchanged.

mod command;
mod response;
mod vertex;

pub use command::{Command, CommandError, CommandFault};
pub use response::{Response, ResponseError, ResponseReader};
pub(crate) use vertex::COLUMNS;
pub use vertex::{Reply, VertexError, format_vertex, parse_vertex};

/// Drops control characters and turns tabs into spaces, as the protocol asks of every line.
fn clean(line: &str) -> String {
    line.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect()
}
