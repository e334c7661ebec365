//! Which path to take: what a user may ask for, and what may come of it.

use std::fmt;
use std::str::FromStr;

/// What a user may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum CpuChoice {
    /// The fastest path that works here.
    #[default]
    Auto,
    /// A path by name.
    Only(CpuPath),
}

/// A way to compute on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CpuPath {
    /// Arrays of floats: every processor.
    Plain,
    /// AVX2 with fused multiply-add.
    Avx2,
    /// AVX-512 Foundation, Byte and Word, Doubleword and Quadword.
    Avx512,
    /// NEON of 64-bit ARM processors.
    Neon,
    /// AMX tiles of bf16, with AVX-512 for the rest.
    Amx,
    /// AMX tiles computed without AMX, for tests.
    #[cfg(test)]
    EmulatedTiles,
}

impl CpuPath {
    /// All paths a user may name, the slowest first.
    pub const ALL: [CpuPath; 5] = [
        CpuPath::Plain,
        CpuPath::Neon,
        CpuPath::Avx2,
        CpuPath::Avx512,
        CpuPath::Amx,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            CpuPath::Plain => "plain",
            CpuPath::Avx2 => "avx2",
            CpuPath::Avx512 => "avx512",
            CpuPath::Neon => "neon",
            CpuPath::Amx => "amx",
            #[cfg(test)]
            CpuPath::EmulatedTiles => "emulated tiles",
        }
    }

    /// Returns how far an output may be from the reference pass's, as a part of the
    /// largest output of its head or of 1, whichever is more.
    pub(super) fn tolerance(self) -> f32 {
        match self {
            // Rounding in another order; Winograd's transforms double it or so.
            CpuPath::Plain | CpuPath::Avx2 | CpuPath::Avx512 | CpuPath::Neon => 1e-3,
            // bf16 keeps eight bits of each factor.
            CpuPath::Amx => 6e-2,
            #[cfg(test)]
            CpuPath::EmulatedTiles => 6e-2,
        }
    }
}

impl fmt::Display for CpuPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for CpuChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpuChoice::Auto => f.write_str("auto"),
            CpuChoice::Only(path) => path.fmt(f),
        }
    }
}

impl FromStr for CpuChoice {
    type Err = CpuError;

    fn from_str(text: &str) -> Result<CpuChoice, CpuError> {
        if text == "auto" {
            return Ok(CpuChoice::Auto);
        }
        CpuPath::ALL
            .into_iter()
            .find(|path| path.name() == text)
            .map(CpuChoice::Only)
            .ok_or_else(|| CpuError::Unknown(text.to_owned()))
    }
}

/// Why there is no fast pass as asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CpuError {
    /// No path has this name.
    #[error("unknown CPU path '{0}': choose auto, plain, avx2, avx512, amx or neon")]
    Unknown(String),
    /// The processor, or the system, cannot do it.
    #[error("this machine cannot compute with {path}: {missing}; use --cpu auto")]
    Missing {
        /// What was asked for.
        path: CpuPath,
        /// What is missing.
        missing: &'static str,
    },
    /// The path disagrees with the reference pass.
    #[error(
        "{path} computes wrongly on this machine: {found} (off by {error:.1e}, allowed {allowed:.1e}); use --cpu plain and report it"
    )]
    Wrong {
        /// The path.
        path: CpuPath,
        /// Which output was wrong.
        found: &'static str,
        /// By how much, relative.
        error: f32,
        /// How much is allowed.
        allowed: f32,
    },
}

impl CpuError {
    pub(super) fn missing(path: CpuPath) -> CpuError {
        let missing = match path {
            CpuPath::Avx2 => "the processor has no AVX2 or no FMA",
            CpuPath::Avx512 => "the processor has no AVX-512",
            CpuPath::Neon => "the processor has no NEON",
            CpuPath::Amx => "the processor has no AMX for bf16, or the system does not permit it",
            CpuPath::Plain => "it is not built for this machine",
            #[cfg(test)]
            CpuPath::EmulatedTiles => "it is for tests",
        };
        CpuError::Missing { path, missing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike() {
        for text in ["auto", "plain", "avx2", "avx512", "amx", "neon"] {
            assert_eq!(text.parse::<CpuChoice>().unwrap().to_string(), text);
        }
        let error = "sse9".parse::<CpuChoice>().unwrap_err();
        assert!(error.to_string().contains("sse9"));
    }
}
