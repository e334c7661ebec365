//! SGF, file formats 1 to 4, in four layers, each ignorant of the next:
//!
//! 1. [`token`]: bytes become parentheses, semicolons, names and raw values;
//! 2. [`tree`] and [`mod@read`]: tokens become a [`Collection`] of nodes with raw properties;
//! 3. [`charset`] and [`value`]: raw values become text, points, moves and numbers;
//! 4. [`crate::Game`]: the main line becomes a game of Go that can be replayed.
//!
//! Reading cannot fail: it returns what it could read, and a [`Warning`] with a
//! byte offset for everything that it could not. Time and memory grow with the
//! length of the file only, however deep it is nested. Writing keeps every
//! property, known or not, so that `read(write(tree))` is `tree`.
//!
//! The crate `sgf-parse` 4.2 was judged first and does not fit: it takes decoded
//! text only, drops everything after the first fault without saying where it was,
//! converts legacy names for good, and its nested nodes overflow the stack when a
//! line of a million nodes is dropped.

pub mod charset;
pub mod read;
pub mod token;
pub mod tree;
pub mod value;
pub mod warning;
mod write;

pub use charset::Charset;
pub use read::{Reading, read, read_as};
pub use tree::{Collection, GameTree, Node, NodeId, Property, Value};
pub use warning::{Warning, Warnings};
