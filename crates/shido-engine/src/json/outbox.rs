//! The lines on their way to a client.
//!
//! A client that does not read must not fill the memory: reports during a search
//! are dropped while many lines wait; last words are kept, and their number is
//! bounded by the positions a client may have waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::Value;

/// Lines waiting, beyond which reports during a search are dropped.
const CROWDED: usize = 64;

/// Where responses are put; clones share it.
#[derive(Clone)]
pub(super) struct Outbox {
    lines: Sender<String>,
    waiting: Arc<AtomicUsize>,
    closed: Arc<AtomicBool>,
}

/// Where responses come out, in order.
pub(super) struct Inbox {
    lines: Receiver<String>,
    waiting: Arc<AtomicUsize>,
    closed: Arc<AtomicBool>,
}

pub(super) fn outbox() -> (Outbox, Inbox) {
    let (sender, receiver) = channel();
    let outbox = Outbox {
        lines: sender,
        waiting: Arc::default(),
        closed: Arc::default(),
    };
    let inbox = Inbox {
        lines: receiver,
        waiting: outbox.waiting.clone(),
        closed: outbox.closed.clone(),
    };
    (outbox, inbox)
}

impl Outbox {
    /// Sends a line that must arrive.
    pub(super) fn send(&self, value: &Value) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // A client that has gone wants no more lines.
        let _ = self.lines.send(value.to_string());
    }

    /// Returns whether a line that may be dropped should be.
    pub(super) fn is_crowded(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= CROWDED
    }

    /// Returns whether the client has gone.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

impl Inbox {
    /// Waits for a line; `None` when there will be no more.
    pub(super) fn take(&self) -> Option<String> {
        let line = self.lines.recv().ok()?;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(line)
    }

    /// Tells the senders that nobody reads any more.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}
