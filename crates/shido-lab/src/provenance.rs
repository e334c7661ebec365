//! Where a result comes from: the program's commit and the hashes of files it used.
//!
//! A result without these is not written, so a [`Provenance`] cannot be made
//! without a commit.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The program that made a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    commit: String,
}

/// The program does not know its commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this program was built outside a git checkout and does not know its commit, \
     without which no result is written: name it with --commit"
)]
pub struct UnknownCommit;

impl Provenance {
    /// Returns the commit this program was built from.
    pub fn of_this_build() -> Result<Provenance, UnknownCommit> {
        Provenance::of_commit(env!("SHIDO_COMMIT"))
    }

    /// Returns a commit named by the user.
    pub fn of_commit(commit: &str) -> Result<Provenance, UnknownCommit> {
        let commit = commit.trim();
        if commit.is_empty() {
            return Err(UnknownCommit);
        }
        Ok(Provenance {
            commit: commit.to_owned(),
        })
    }

    /// Returns the commit; `-dirty` at its end means uncommitted changes.
    pub fn commit(&self) -> &str {
        &self.commit
    }
}

/// Returns the SHA-256 of a file in hexadecimal.
pub fn hash_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return Ok(format!("sha256:{}", hex(&hasher.finalize())));
        }
        hasher.update(&buffer[..n]);
    }
}

/// Returns the SHA-256 of bytes in hexadecimal, as [`hash_file`] does for a file.
pub fn hash_bytes(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_commit_no_provenance() {
        assert_eq!(Provenance::of_commit(" \n"), Err(UnknownCommit));
        assert_eq!(Provenance::of_commit("abc\n").unwrap().commit(), "abc");
    }

    #[test]
    fn files_are_hashed_as_sha256sum_does() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(
            hash_file(&path).unwrap(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(hash_bytes(b"abc"), hash_file(&path).unwrap());
    }
}
