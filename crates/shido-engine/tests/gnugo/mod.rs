//! Where GNU Go is, for the tests that need it.

use std::io::Write;
use std::path::Path;

/// Returns the program; without it the test is skipped, which CI does not allow.
pub(crate) fn find() -> Option<&'static str> {
    let found = ["/usr/games/gnugo", "/usr/bin/gnugo", "/usr/local/bin/gnugo"]
        .into_iter()
        .find(|path| Path::new(path).exists());
    if found.is_none() {
        let ci = std::env::var("CI");
        assert_ne!(ci.as_deref(), Ok("true"), "CI must have GNU Go");
        // Not `eprintln`, which the harness swallows when the test passes.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: GNU Go (Debian: gnugo) is not installed"
        );
    }
    found
}
