//! The lines that come in, read by a thread so that a new one can stop a search.
//!
//! Invariant: between [`Inputs::stop_flag`] and the next [`Inputs::next`] the
//! flag is raised if and only if something has come in. The counter is what
//! makes that hold when a line comes just as the flag is lowered: both sides
//! change it in one atomic step, the reader before it raises, the server after
//! it lowers.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::StopFlag;

/// Bytes a line may have; the longest commands are a few hundred.
pub(super) const LINE_LIMIT: usize = 1 << 16;

/// Lines that may wait; a controller that sends more waits itself.
const QUEUE: usize = 1024;

/// What came in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line without its newline, invalid UTF-8 replaced.
    Line(String),
    /// A line that was too long to be kept.
    TooLong,
    /// The controller is gone.
    End,
}

/// The lines that come in.
pub(super) struct Inputs {
    receiver: Receiver<Input>,
    peeked: Option<Input>,
    waiting: Arc<AtomicUsize>,
    stop: StopFlag,
}

impl Inputs {
    /// Starts reading. The thread ends with the input, or at the first line
    /// after these inputs are dropped.
    pub(super) fn read(input: impl Read + Send + 'static) -> Inputs {
        let (sender, receiver) = sync_channel(QUEUE);
        let waiting = Arc::new(AtomicUsize::new(0));
        let stop = StopFlag::new();
        let reader = Reader {
            sender,
            waiting: Arc::clone(&waiting),
            stop: stop.clone(),
        };
        thread::spawn(move || reader.run(BufReader::new(input)));
        Inputs {
            receiver,
            peeked: None,
            waiting,
            stop,
        }
    }

    /// Waits for the next line and takes it.
    pub(super) fn next(&mut self) -> Input {
        let input = match self.peeked.take() {
            Some(input) => input,
            None => self.receiver.recv().unwrap_or(Input::End),
        };
        if input != Input::End {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
        }
        input
    }

    /// Returns a flag that is raised as soon as anything comes in.
    pub(super) fn stop_flag(&self) -> StopFlag {
        self.stop.lower();
        // Adding nothing, rather than loading, orders this after the lowering.
        if self.waiting.fetch_add(0, Ordering::AcqRel) > 0 {
            self.stop.raise();
        }
        self.stop.clone()
    }

    /// Waits until something has come in, and leaves it there.
    pub(super) fn wait(&mut self) {
        if self.peeked.is_none() {
            self.peeked = Some(self.receiver.recv().unwrap_or(Input::End));
        }
    }
}

struct Reader {
    sender: SyncSender<Input>,
    waiting: Arc<AtomicUsize>,
    stop: StopFlag,
}

impl Reader {
    fn run(&self, mut input: impl BufRead) {
        loop {
            let next = read_line(&mut input);
            let last = next == Input::End;
            // The end is never taken off the count: it stops all later searches too.
            self.waiting.fetch_add(1, Ordering::AcqRel);
            self.stop.raise();
            if self.sender.send(next).is_err() || last {
                return;
            }
        }
    }
}

fn read_line(input: &mut impl BufRead) -> Input {
    let mut line = Vec::new();
    let read = input.take(LINE_LIMIT as u64).read_until(b'\n', &mut line);
    match read {
        Ok(0) | Err(_) => Input::End,
        Ok(LINE_LIMIT) if !line.ends_with(b"\n") => skip_line(input),
        Ok(_) => {
            let text = String::from_utf8_lossy(&line);
            Input::Line(text.trim_end_matches(['\n', '\r']).to_owned())
        }
    }
}

/// Reads on to the end of the line without keeping it.
fn skip_line(input: &mut impl BufRead) -> Input {
    match input.skip_until(b'\n') {
        Ok(_) => Input::TooLong,
        Err(_) => Input::End,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &'static [u8]) -> Vec<Input> {
        let mut inputs = Inputs::read(text);
        let mut found = Vec::new();
        while found.last() != Some(&Input::End) {
            found.push(inputs.next());
        }
        found
    }

    #[test]
    fn lines_come_one_by_one() {
        let line = |text: &str| Input::Line(text.to_owned());
        let expect = [line("name"), line(""), line("a\u{fffd}"), Input::End];
        assert_eq!(all(b"name\r\n\na\xff"), expect);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let long: &'static [u8] = vec![b'x'; 3 * LINE_LIMIT].leak();
        assert_eq!(all(long), [Input::TooLong, Input::End]);
        let mut text = vec![b'x'; LINE_LIMIT];
        text.extend(b"\nname\n");
        let expect = [Input::TooLong, Input::Line("name".to_owned()), Input::End];
        assert_eq!(all(text.leak()), expect);
    }

    #[test]
    fn the_flag_is_raised_while_something_waits() {
        let mut inputs = Inputs::read(&b"a\n"[..]);
        inputs.wait();
        assert!(inputs.stop_flag().is_raised());
        assert_eq!(inputs.next(), Input::Line("a".to_owned()));
        assert_eq!(inputs.next(), Input::End);
        assert!(inputs.stop_flag().is_raised());
    }
}
