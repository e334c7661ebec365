//! The ledger of an experiment: a folder that a killed run leaves whole.
//!
//! `ledger.jsonl` holds one [`Line`] a finished or void game. A line counts once
//! it is on the disk; a line that was being written when the run died is cut off
//! when the folder is opened again, and its game is played again. `spec.toml` is
//! the spec as it was last run; a run with a spec that says otherwise of the games that are
//! here is refused. `spec-folder` is where it
//! lay, since its paths are relative to that. `lock` is locked
//! while a run writes here, by the operating system, so that no dead run holds it.
//! `sgf/` can always be made again from the ledger and is not synced.
//!
//! A folder that is kept with the sources has its lines in `ledger-1.jsonl.gz`,
//! `ledger-2.jsonl.gz`, … instead ([`crate::merge::pack`]), which are read and never changed;
//! nothing is played there.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::line::Line;
use crate::spec::{Spec, SpecError};

/// The file of the lines.
pub const LEDGER: &str = "ledger.jsonl";
/// The file of the spec.
pub const SPEC: &str = "spec.toml";
/// The file that says which folder the spec's paths start from.
const SPEC_FOLDER: &str = "spec-folder";
const LOCK: &str = "lock";

/// The folder cannot be used, or a line could not be kept.
///
/// A cause is part of the message and not a source, which would be printed twice.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Something about the files.
    #[error("{path}: cannot {what}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// What the operating system says.
        cause: io::Error,
    },
    /// The disk is full.
    #[error(
        "{path}: the disk is full ({cause}); the {kept} games before are safe: \
         make room and give the same command again"
    )]
    Full {
        /// The ledger.
        path: PathBuf,
        /// How many lines are safe.
        kept: usize,
        /// What the operating system says.
        cause: io::Error,
    },
    /// Another run is at work.
    #[error("{0}: another run is writing here; wait for it or choose another folder")]
    Locked(PathBuf),
    /// There is no ledger.
    #[error("{0}: no ledger here; `shido lab run` writes one")]
    Absent(PathBuf),
    /// Games are kept here in parts, and something would be written beside them.
    #[error(
        "{0}: games are kept here in parts, to which only `shido lab merge --pack` adds; \
         `shido lab merge --out OTHER {0}` makes a ledger of them"
    )]
    Kept(PathBuf),
    /// A part is missing between others.
    #[error("{0}: it is missing, and there are later parts")]
    MissingPart(PathBuf),
    /// Two lines of one game.
    #[error("{path}: game {game} is there twice")]
    Twice {
        /// Where it is the second time.
        path: PathBuf,
        /// The game.
        game: String,
    },
    /// Kept games are not below the folder from which their spec's paths start.
    #[error(
        "{dir}: keep games below the folder of their spec, from which its paths start ({}), \
         or name a spec that lies above with --spec",
        base.display()
    )]
    NotBelow {
        /// The folder.
        dir: PathBuf,
        /// Where the spec lay.
        base: PathBuf,
    },
    /// A line before the last makes no sense.
    #[error("{path}:{line}: not a line of a ledger: {why}")]
    Corrupt {
        /// The ledger.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The spec is not the one that the games were played by.
    #[error(
        "{dir}: its games were played by another spec; use another folder, or undo: {}",
        changes.join("; ")
    )]
    OtherSpec {
        /// The folder.
        dir: PathBuf,
        /// What is different.
        changes: Vec<String>,
    },
    /// The spec in the folder cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// A folder that is being written to.
#[derive(Debug)]
pub struct Ledger {
    dir: PathBuf,
    file: File,
    /// Bytes that are whole lines, on the disk.
    safe: u64,
    lines: usize,
    /// Held for its lock.
    _lock: File,
}

impl Ledger {
    /// Opens a folder for a run of this spec, and returns what was played before.
    pub fn open(dir: &Path, spec: &Spec, text: &str) -> Result<(Ledger, Vec<Line>), LedgerError> {
        if !packed_files(dir)?.is_empty() {
            return Err(LedgerError::Kept(dir.to_owned()));
        }
        fs::create_dir_all(dir.join("sgf")).map_err(io_error(dir, "make the folder"))?;
        let lock = lock(dir)?;
        let path = dir.join(LEDGER);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io_error(&path, "open it"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(io_error(&path, "read it"))?;
        let (lines, safe) = parse(&path, &bytes)?;
        keep_spec(dir, spec, text, &lines)?;
        file.set_len(safe)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .and_then(|_| file.sync_all())
            .map_err(io_error(&path, "cut off a torn line"))?;
        sync_folder(dir)?;
        let ledger = Ledger {
            dir: dir.to_owned(),
            file,
            safe,
            lines: lines.len(),
            _lock: lock,
        };
        Ok((ledger, lines))
    }

    /// Adds lines; when this returns, they are on the disk.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), LedgerError> {
        let mut bytes = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut bytes, line).expect("lines have text keys");
            bytes.push(b'\n');
        }
        let written = self
            .file
            .write_all(&bytes)
            .and_then(|()| self.file.sync_data());
        if let Err(cause) = written {
            // What was half written must not stand before the next line.
            let _ = self.file.set_len(self.safe);
            let _ = self.file.seek(SeekFrom::Start(self.safe));
            return Err(self.write_error(cause));
        }
        self.safe += bytes.len() as u64;
        self.lines += lines.len();
        Ok(())
    }

    /// Returns the folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn write_error(&self, cause: io::Error) -> LedgerError {
        let path = self.dir.join(LEDGER);
        match cause.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => LedgerError::Full {
                path,
                kept: self.lines,
                cause,
            },
            _ => LedgerError::Io {
                path,
                what: "write it",
                cause,
            },
        }
    }
}

/// Reads the lines of a folder, a torn last line left out.
pub fn read(dir: &Path) -> Result<Vec<Line>, LedgerError> {
    let path = dir.join(LEDGER);
    let packed = packed_files(dir)?;
    if !packed.is_empty() {
        if path.exists() {
            return Err(LedgerError::Kept(dir.to_owned()));
        }
        return read_packed(&packed);
    }
    match fs::read(&path) {
        Ok(bytes) => Ok(parse(&path, &bytes)?.0),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            Err(LedgerError::Absent(dir.to_owned()))
        }
        Err(cause) => Err(io_error(&path, "read it")(cause)),
    }
}

/// Reads the lines of parts, in each of which are other games.
fn read_packed(parts: &[PathBuf]) -> Result<Vec<Line>, LedgerError> {
    let mut lines = Vec::new();
    let mut games = BTreeSet::new();
    for path in parts {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| MultiGzDecoder::new(file).read_to_end(&mut bytes))
            .map_err(io_error(path, "read it"))?;
        for line in parse(path, &bytes)?.0 {
            if let Line::Game(game) = &line
                && !games.insert(game.game.clone())
            {
                return Err(LedgerError::Twice {
                    path: path.clone(),
                    game: game.game.clone(),
                });
            }
            lines.push(line);
        }
    }
    Ok(lines)
}

/// Returns the packed parts of a folder, in order.
fn packed_files(dir: &Path) -> Result<Vec<PathBuf>, LedgerError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(io_error(dir, "list it")(cause)),
    };
    let mut numbers = BTreeSet::new();
    for entry in entries {
        let name = entry.map_err(io_error(dir, "list it"))?.file_name();
        let number = name.to_str().and_then(|it| {
            let number = it.strip_prefix("ledger-")?.strip_suffix(".jsonl.gz")?;
            number.parse::<usize>().ok()
        });
        numbers.extend(number);
    }
    let parts = (1..).zip(numbers).map(|(expected, number)| {
        let path = packed_file(dir, expected);
        if number == expected {
            Ok(path)
        } else {
            Err(LedgerError::MissingPart(path))
        }
    });
    parts.collect()
}

fn packed_file(dir: &Path, number: usize) -> PathBuf {
    dir.join(format!("ledger-{number}.jsonl.gz"))
}

/// A folder of packed parts to which one may be added.
pub(crate) struct Kept {
    dir: PathBuf,
    parts: usize,
    /// Held for its lock.
    _lock: File,
}

impl Kept {
    /// Opens a folder, and returns the lines of its parts.
    pub(crate) fn open(dir: &Path) -> Result<(Kept, Vec<Line>), LedgerError> {
        fs::create_dir_all(dir).map_err(io_error(dir, "make the folder"))?;
        let lock = lock(dir)?;
        if dir.join(LEDGER).exists() {
            return Err(LedgerError::Kept(dir.to_owned()));
        }
        let parts = packed_files(dir)?;
        let kept = Kept {
            dir: dir.to_owned(),
            parts: parts.len(),
            _lock: lock,
        };
        Ok((kept, read_packed(&parts)?))
    }

    /// Writes lines as a new part, and the spec of all parts.
    pub(crate) fn add(
        &mut self,
        (spec, text): (&Spec, &str),
        lines: &[Line],
    ) -> Result<PathBuf, LedgerError> {
        let dir = &self.dir;
        let Some(up) = steps_up(dir, &spec.base) else {
            return Err(LedgerError::NotBelow {
                dir: dir.clone(),
                base: spec.base.clone(),
            });
        };
        // Without name and time: equal lines give equal files.
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        for line in lines {
            serde_json::to_writer(&mut packer, line).expect("lines have text keys");
            packer.write_all(b"\n").expect("memory takes everything");
        }
        let bytes = packer.finish().expect("memory takes everything");
        // A spec that has grown is that of the parts before too, so it may come first.
        write_whole(&dir.join(SPEC_FOLDER), up.as_bytes())?;
        write_whole(&dir.join(SPEC), text.as_bytes())?;
        let path = packed_file(dir, self.parts + 1);
        write_whole(&path, &bytes)?;
        sync_folder(dir)?;
        self.parts += 1;
        Ok(path)
    }
}

/// Returns the way from a folder to one above it, such as `../..`, which is the same wherever
/// the two are.
fn steps_up(dir: &Path, above: &Path) -> Option<String> {
    let whole = |path: &Path| fs::canonicalize(Path::new(".").join(path)).ok();
    let (dir, above) = (whole(dir)?, whole(above)?);
    let between = dir.strip_prefix(above).ok()?.components().count();
    Some(vec![".."; between].join("/"))
}

/// Reads the spec of a folder.
pub fn read_spec(dir: &Path) -> Result<(Spec, String), LedgerError> {
    if !dir.join(SPEC).exists() {
        return Err(LedgerError::Absent(dir.to_owned()));
    }
    let (mut spec, text) = Spec::read(&dir.join(SPEC))?;
    // A folder that came from another machine has no such place here.
    if let Ok(base) = fs::read_to_string(dir.join(SPEC_FOLDER))
        && dir.join(&base).is_dir()
    {
        spec.base = dir.join(base);
    }
    Ok((spec, text))
}

/// Returns the lines, and how many bytes they are without a torn end.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Vec<Line>, u64), LedgerError> {
    let mut lines = Vec::new();
    let mut start = 0;
    while let Some(length) = bytes[start..].iter().position(|&byte| byte == b'\n') {
        let line = serde_json::from_slice(&bytes[start..start + length]).map_err(|error| {
            LedgerError::Corrupt {
                path: path.to_owned(),
                line: lines.len() + 1,
                why: error.to_string(),
            }
        });
        let end = start + length + 1;
        match line {
            Ok(line) => lines.push(line),
            // A crash of the machine can leave a last line of the right length and wrong bytes.
            Err(_) if end == bytes.len() => break,
            Err(error) => return Err(error),
        }
        start = end;
    }
    Ok((lines, start as u64))
}

fn lock(dir: &Path) -> Result<File, LedgerError> {
    let path = dir.join(LOCK);
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(io_error(&path, "open it"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(LedgerError::Locked(dir.to_owned())),
        Err(TryLockError::Error(cause)) => Err(io_error(&path, "lock it")(cause)),
    }
}

/// Writes the spec down, if it says of the games that are there what the one before said.
fn keep_spec(dir: &Path, spec: &Spec, text: &str, lines: &[Line]) -> Result<(), LedgerError> {
    let path = dir.join(SPEC);
    if path.exists() {
        let games = lines.iter().map(Line::game);
        let changes = Spec::read(&path)?.0.differences(spec, games);
        if !changes.is_empty() {
            return Err(LedgerError::OtherSpec {
                dir: dir.to_owned(),
                changes,
            });
        }
    }
    // An empty folder is how a bare file name is relative to the current one.
    let base = fs::canonicalize(Path::new(".").join(&spec.base));
    if let Some(base) = base.ok().as_deref().and_then(Path::to_str) {
        write_whole(&dir.join(SPEC_FOLDER), base.as_bytes())?;
    }
    write_whole(&path, text.as_bytes())
}

/// Writes a file so that a crash leaves the old one or the new one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LedgerError> {
    let beside = path.with_extension("new");
    let write = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(|cause| {
        // The first error is the one to tell of.
        let _ = fs::remove_file(&beside);
        io_error(path, "write it")(cause)
    })
}

/// Makes the names in a folder last.
fn sync_folder(dir: &Path) -> Result<(), LedgerError> {
    if cfg!(unix) {
        File::open(dir)
            .and_then(|folder| folder.sync_all())
            .map_err(io_error(dir, "sync the folder"))?;
    }
    Ok(())
}

pub(crate) fn io_error(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> LedgerError {
    let path = path.to_owned();
    move |cause| LedgerError::Io { path, what, cause }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::VoidLine;

    const TEXT: &str = "name = 'x'\nseed = 3\n[players.a]\nkind = 'random'\n\
        [players.b]\nkind = 'random'\n[round_robin]\ngames = 4\n";

    fn line(game: &str) -> Line {
        Line::Void(VoidLine {
            game: game.to_owned(),
            commit: "c".to_owned(),
            seed: 1,
            by: "a".to_owned(),
            failure: "crashed".to_owned(),
            why: "it fell".to_owned(),
            moves: vec!["E5".to_owned()],
        })
    }

    fn open(dir: &Path, text: &str) -> Result<(Ledger, Vec<Line>), LedgerError> {
        Ledger::open(dir, &Spec::parse(text, "x.toml").unwrap(), text)
    }

    #[test]
    fn lines_are_there_after_reopening() {
        let dir = tempfile::tempdir().unwrap();
        let (mut ledger, before) = open(dir.path(), TEXT).unwrap();
        assert!(before.is_empty());
        ledger.append(&[line("1"), line("2")]).unwrap();
        ledger.append(&[line("3")]).unwrap();
        drop(ledger);
        let (_, lines) = open(dir.path(), TEXT).unwrap();
        assert_eq!(lines, [line("1"), line("2"), line("3")]);
        assert_eq!(read(dir.path()).unwrap(), lines);
    }

    #[test]
    fn every_torn_end_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let (mut ledger, _) = open(dir.path(), TEXT).unwrap();
        ledger.append(&[line("1"), line("2")]).unwrap();
        drop(ledger);
        let path = dir.path().join(LEDGER);
        let whole = fs::read(&path).unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for end in first..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let (mut ledger, lines) = open(dir.path(), TEXT).unwrap();
            assert_eq!(lines, [line("1")]);
            ledger.append(&[line("2")]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn a_broken_line_in_the_middle_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let (mut ledger, _) = open(dir.path(), TEXT).unwrap();
        ledger.append(&[line("1")]).unwrap();
        drop(ledger);
        let path = dir.path().join(LEDGER);
        let good = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{good}nonsense\n{good}")).unwrap();
        let error = open(dir.path(), TEXT).unwrap_err().to_string();
        assert!(error.contains("ledger.jsonl:2: not a line"), "{error}");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            format!("{good}nonsense\n{good}"),
            "a ledger that is not understood is left alone"
        );
    }

    #[test]
    fn two_runs_cannot_share_a_folder() {
        let dir = tempfile::tempdir().unwrap();
        let first = open(dir.path(), TEXT).unwrap();
        assert!(matches!(
            open(dir.path(), TEXT),
            Err(LedgerError::Locked(_))
        ));
        drop(first);
        open(dir.path(), TEXT).unwrap();
    }

    #[test]
    fn another_spec_is_refused_and_the_change_named() {
        let dir = tempfile::tempdir().unwrap();
        let (mut ledger, _) = open(dir.path(), TEXT).unwrap();
        ledger.append(&[line("a.b.0001")]).unwrap();
        drop(ledger);
        let error = open(dir.path(), &TEXT.replace("seed = 3", "seed = 4")).unwrap_err();
        assert!(error.to_string().contains("seed was 3, is 4"), "{error}");
        open(dir.path(), &format!("title = 'new'\n{TEXT}")).unwrap();
        open(dir.path(), &TEXT.replace("games = 4", "games = 40")).unwrap();
    }

    #[test]
    fn paths_of_a_spec_start_where_it_lay() {
        let (specs, dir) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (mut spec, text) = (Spec::parse(TEXT, "a.toml").unwrap(), TEXT);
        spec.base = specs.path().to_owned();
        drop(Ledger::open(dir.path(), &spec, text).unwrap());
        let found = || read_spec(dir.path()).unwrap().0.path("a.bin.gz");
        let lay = specs.path().canonicalize().unwrap();
        assert_eq!(found(), lay.join("a.bin.gz"));
        // On another machine the files may lie beside the ledger.
        drop(specs);
        assert_eq!(found(), dir.path().join("a.bin.gz"));
    }

    /// Packs lines below a spec's folder.
    fn pack(home: &Path, lines: &[&[Line]]) -> PathBuf {
        let mut spec = Spec::parse(TEXT, "a.toml").unwrap();
        spec.base = home.join("lab");
        let dir = home.join("lab/played/x");
        for lines in lines {
            let (mut kept, _) = Kept::open(&dir).unwrap();
            kept.add((&spec, TEXT), lines).unwrap();
        }
        dir
    }

    #[test]
    fn packed_parts_are_read_in_order() {
        let home = tempfile::tempdir().unwrap();
        let dir = pack(home.path(), &[&[line("1"), line("2")], &[line("3")]]);
        assert_eq!(read(&dir).unwrap(), ["1", "2", "3"].map(line));
        assert_eq!(Kept::open(&dir).unwrap().1, ["1", "2", "3"].map(line));
        // Two packers join what they made.
        let (first, second) = (packed_file(&dir, 1), packed_file(&dir, 2));
        let joined = [fs::read(&first).unwrap(), fs::read(&second).unwrap()].concat();
        fs::remove_file(&second).unwrap();
        fs::write(&first, joined).unwrap();
        assert_eq!(read(&dir).unwrap(), ["1", "2", "3"].map(line));
    }

    #[test]
    fn a_part_that_is_broken_or_missing_is_named() {
        let home = tempfile::tempdir().unwrap();
        let dir = pack(home.path(), &[&[line("1")], &[line("2")], &[line("3")]]);
        let second = packed_file(&dir, 2);
        fs::write(&second, b"\x1f\x8bno").unwrap();
        let error = read(&dir).unwrap_err().to_string();
        assert!(
            error.contains("ledger-2.jsonl.gz: cannot read it"),
            "{error}"
        );
        fs::remove_file(&second).unwrap();
        let error = read(&dir).unwrap_err().to_string();
        assert!(
            error.contains("ledger-2.jsonl.gz: it is missing"),
            "{error}"
        );
        assert!(Kept::open(&dir).is_err());
    }

    #[test]
    fn nothing_is_played_where_games_are_kept() {
        let home = tempfile::tempdir().unwrap();
        let dir = pack(home.path(), &[&[line("1")]]);
        let refused = open(&dir, TEXT).unwrap_err().to_string();
        assert!(refused.contains("lab merge --out OTHER"), "{refused}");
        // Nor is anything kept where a run is.
        let run = home.path().join("lab/run");
        drop(open(&run, TEXT).unwrap());
        assert!(matches!(Kept::open(&run), Err(LedgerError::Kept(_))));
        fs::copy(packed_file(&dir, 1), packed_file(&run, 1)).unwrap();
        assert!(matches!(read(&run), Err(LedgerError::Kept(_))));
    }

    #[test]
    fn two_packers_cannot_share_a_folder() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("x");
        let first = Kept::open(&dir).unwrap();
        assert!(matches!(Kept::open(&dir), Err(LedgerError::Locked(_))));
        drop(first);
        Kept::open(&dir).unwrap();
    }

    #[test]
    fn a_packed_folder_is_found_below_its_spec_wherever_both_are() {
        let (home, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        pack(home.path(), &[&[line("1")]]);
        fs::rename(home.path().join("lab"), away.path().join("moved")).unwrap();
        fs::write(away.path().join("moved/a.bin.gz"), "net").unwrap();
        let moved = away.path().join("moved/played/x");
        let found = read_spec(&moved).unwrap().0.path("a.bin.gz");
        assert_eq!(fs::read(found).unwrap(), b"net");
    }

    #[test]
    fn games_are_kept_below_their_spec() {
        let (home, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut spec = Spec::parse(TEXT, "a.toml").unwrap();
        spec.base = home.path().to_owned();
        let (mut kept, _) = Kept::open(away.path()).unwrap();
        let error = kept.add((&spec, TEXT), &[line("1")]).unwrap_err();
        assert!(error.to_string().contains("with --spec"), "{error}");
        assert!(read(away.path()).is_err());
    }

    #[test]
    fn a_folder_without_a_ledger_says_so() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(read(dir.path()), Err(LedgerError::Absent(_))));
        assert!(matches!(read_spec(dir.path()), Err(LedgerError::Absent(_))));
    }
}
