//! The two pipes that come back from an engine, each emptied by a thread of its own.
//!
//! Invariant: memory stays bounded whatever the engine prints. Standard output
//! waits in a short queue (a full queue stops the engine, as a full pipe would),
//! a single line may not exceed its limit, and of standard error only the tail
//! is kept.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Lines that may wait unread.
const QUEUE: usize = 64;

/// What came from standard output.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// A line without its newline, invalid UTF-8 replaced.
    Line(String),
    /// A line went past the limit; nothing more will be read.
    TooLong,
    /// The engine closed the pipe.
    End,
}

/// Reads lines of at most `limit` bytes until the end or until the receiver is dropped.
pub(super) fn read_lines(pipe: impl Read + Send + 'static, limit: usize) -> Receiver<Output> {
    let (sender, receiver) = sync_channel(QUEUE);
    thread::spawn(move || send_lines(pipe, limit, &sender));
    receiver
}

fn send_lines(pipe: impl Read, limit: usize, sender: &SyncSender<Output>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut pipe)
            .take(limit as u64 + 1)
            .read_until(b'\n', &mut line);
        let ended = line.last() == Some(&b'\n');
        let output = match read {
            Ok(1..) if ended || line.len() <= limit => {
                let text = String::from_utf8_lossy(&line);
                Output::Line(text.trim_end_matches(['\n', '\r']).to_owned())
            }
            Ok(1..) => Output::TooLong,
            Ok(0) | Err(_) => Output::End,
        };
        let last = !matches!(output, Output::Line(_));
        if sender.send(output).is_err() || last {
            return;
        }
    }
}

/// The latest bytes of standard error; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Keeps the last `limit` bytes of a pipe.
    pub(super) fn follow(mut pipe: impl Read + Send + 'static, limit: usize) -> Tail {
        let tail = Tail::default();
        let kept = tail.clone();
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut chunk) {
                kept.push(&chunk[..count], limit);
            }
        });
        tail
    }

    fn push(&self, bytes: &[u8], limit: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let surplus = kept.len().saturating_sub(limit);
        kept.drain(..surplus);
    }

    /// Returns the bytes kept as text, without surrounding space.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &'static str, expect: &[Output]) {
        let found: Vec<_> = read_lines(text.as_bytes(), 8).iter().collect();
        assert_eq!(found, expect);
    }

    fn line(text: &str) -> Output {
        Output::Line(text.to_owned())
    }

    #[test]
    fn lines_are_cut_at_newlines_and_limited() {
        check("", &[Output::End]);
        check("a\r\n\nb", &[line("a"), line(""), line("b"), Output::End]);
        check("12345678\n", &[line("12345678"), Output::End]);
        check("a\n123456789\nb", &[line("a"), Output::TooLong]);
    }

    #[test]
    fn the_tail_keeps_the_end_alone() {
        let tail = Tail::default();
        tail.push(b"hello ", 8);
        tail.push(b"world", 8);
        assert_eq!(tail.text(), "lo world");
    }
}
