//! Where diagnostics go: stderr, and a file for a server.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// The size from which a log file is put aside when the program starts.
const LONG: u64 = 4 << 20;

/// Sends tracing events to stderr, as loud as `RUST_LOG` or else `--verbose` says,
/// and to a file if there is one.
pub(crate) fn start(verbose: u8, file: Option<File>) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_filter(filter);
    let file = file.map(|file| {
        fmt::layer()
            .with_writer(Mutex::new(file))
            .with_ansi(false)
            .with_filter(EnvFilter::new("info"))
    });
    tracing_subscriber::registry()
        .with(stderr)
        .with(file)
        .init();
}

/// Opens a log file to add to; a long one is put aside as `NAME.old` first.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path).is_ok_and(|it| it.len() > LONG) {
        std::fs::rename(path, path.with_extension("log.old"))?;
    }
    File::options().create(true).append(true).open(path)
}
