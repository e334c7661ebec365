//! What can be wrong with a network file, and where.

/// A file that is not a network, or not a whole one, or not one we know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} ({}byte {offset})", place(.path))]
pub struct ModelError {
    /// What is wrong.
    pub problem: Problem,
    /// Where in the network, outermost first, e.g. `block 3 (rconv4)`, `conv2`.
    pub path: Vec<String>,
    /// Where in the file, counted after unpacking.
    pub offset: u64,
}

/// What is wrong with a network file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// The packing is damaged or cut off.
    #[error("the gzip data is damaged: {0}")]
    Gzip(String),
    /// Unpacked, it is larger than any network we would compute.
    #[error("the file unpacks to more than {limit} bytes")]
    TooLarge {
        /// The most we read.
        limit: u64,
    },
    /// The file ends in the middle.
    #[error("the file ends where {expected} should be")]
    Ended {
        /// What was missing.
        expected: &'static str,
    },
    /// Something else is written there.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What should be there.
        expected: &'static str,
        /// What is.
        found: String,
    },
    /// A word of another dialect.
    #[error("unknown {what} `{found}`")]
    Unknown {
        /// What kind of word.
        what: &'static str,
        /// The word.
        found: String,
    },
    /// The format's version is not one of ours.
    #[error(
        "model version {found} is not one of {} to {}",
        super::OLDEST,
        super::NEWEST
    )]
    Version {
        /// The version.
        found: u64,
    },
    /// A number is out of range.
    #[error("{what} is {found}, not {least} to {most}")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The least it may be.
        least: u64,
        /// The most it may be.
        most: u64,
    },
    /// Two numbers that must agree do not.
    #[error("{what}: {found}, but {expected} would fit")]
    Mismatch {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: u64,
        /// What it has to be.
        expected: u64,
    },
    /// A number breaks a rule of its own.
    #[error("{what} is {found}, but must be {rule}")]
    Rule {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: String,
        /// What it has to be.
        rule: &'static str,
    },
    /// A weight is infinite or no number.
    #[error("weight {index} is not finite")]
    NotFinite {
        /// Which of the layer's weights.
        index: usize,
    },
    /// The network is complete and the file goes on.
    #[error("something is left after the network's end")]
    LeftOver,
}

fn place(path: &[String]) -> String {
    let end = if path.is_empty() { "" } else { ", " };
    path.join(", ") + end
}
