//! Standard output that may be closed by its reader.
//!
//! `shido … | head` closes the pipe early; that is no failure. A closed output
//! is still an error for the writer, so that the work stops at once, and
//! [`Stdout::is_closed`] tells `main` that this error needs no report. Any other
//! broken pipe (to an engine, say) stays a failure.

use std::io::{self, BufWriter, Write};

/// Buffered standard output that remembers whether its reader has gone.
#[derive(Debug)]
pub(crate) struct Stdout<W: Write = io::Stdout> {
    inner: BufWriter<W>,
    closed: bool,
}

impl Stdout {
    /// Opens the standard output of this process.
    pub(crate) fn new() -> Stdout {
        Stdout::over(io::stdout())
    }
}

impl<W: Write> Stdout<W> {
    fn over(inner: W) -> Stdout<W> {
        Stdout {
            inner: BufWriter::new(inner),
            closed: false,
        }
    }

    /// Returns whether the reader has gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result {
            self.closed |= error.kind() == io::ErrorKind::BrokenPipe;
        }
        result
    }
}

impl<W: Write> Write for Stdout<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let result = self.inner.write(buf);
        self.note(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.inner.flush();
        self.note(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails(io::ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[track_caller]
    fn check(kind: io::ErrorKind, closed: bool) {
        let mut out = Stdout::over(Fails(kind));
        assert!(out.write_all(b"text").is_ok(), "still in the buffer");
        assert!(out.flush().is_err());
        assert_eq!(out.is_closed(), closed);
    }

    #[test]
    fn only_a_broken_pipe_closes_the_output() {
        check(io::ErrorKind::BrokenPipe, true);
        check(io::ErrorKind::StorageFull, false);
    }
}
