//! A file of positions: header, then records (`train/FORMAT.md`).
//!
//! Written under another name and renamed when whole, so that a shard that is
//! there is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

use super::record::RECORD;

const MAGIC: &[u8; 8] = b"SHIDOPOS";
const VERSION: u32 = 1;
/// Records begin at a multiple of this.
const ALIGNMENT: usize = 64;
/// Bytes before the JSON text.
const FIXED: usize = 32;

/// What a shard says of itself.
#[derive(Debug, Clone, Serialize)]
pub(super) struct About<'a> {
    pub(super) split: &'a str,
    pub(super) sources: std::collections::BTreeMap<String, usize>,
    pub(super) games: usize,
    pub(super) commit: &'a str,
    pub(super) command: &'a str,
    pub(super) seed: u64,
    pub(super) inputs: u32,
}

/// Writes records as a shard.
pub(super) fn write(path: &Path, about: &About<'_>, records: &[u8]) -> io::Result<()> {
    assert!(records.len().is_multiple_of(RECORD), "whole records");
    let text = serde_json::to_vec(about)?;
    let first = (FIXED + text.len()).next_multiple_of(ALIGNMENT);
    let half = path.with_extension("pos.part");
    let mut file = BufWriter::new(File::create(&half)?);
    file.write_all(MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    file.write_all(&(RECORD as u32).to_le_bytes())?;
    file.write_all(&((records.len() / RECORD) as u64).to_le_bytes())?;
    file.write_all(&(first as u32).to_le_bytes())?;
    file.write_all(&(text.len() as u32).to_le_bytes())?;
    file.write_all(&text)?;
    file.write_all(&vec![0; first - FIXED - text.len()])?;
    file.write_all(records)?;
    file.into_inner()?.sync_all()?;
    fs::rename(&half, path)
}
