//! Training data for `train/`: from game records to shards of positions.
//!
//! Two steps, because they may happen on two machines. [`pack`](mod@pack) reads records of
//! every kind once and keeps what training needs, one game a line, deduplicated.
//! [`encode`](mod@encode) plays packed games through and writes positions in the very inputs
//! that `shido-net` gives a network. [`play`](mod@play) makes games of its own, on boards and
//! komis that people seldom play, by the move model or by networks. The file format is specified in `train/FORMAT.md`.

pub mod dead;
pub mod encode;
pub mod model_mover;
pub mod net_mover;
pub mod pack;
pub mod packed;
pub mod play;
mod record;
pub mod search;
mod shard;
pub mod source;

pub use encode::{EncodeSettings, Encoded, encode};
pub use model_mover::ModelMover;
pub use net_mover::NetMover;
pub use pack::{PackReport, pack, read_records};
pub use packed::{PackedGame, PackedGames, ReadError};
pub use play::{Mover, PlayReport, PlaySettings, play};
pub use search::PackedSearch;
pub use source::Source;
