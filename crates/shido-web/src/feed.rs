//! Server-sent events from a channel.
//!
//! A feed holds what keeps its source alive; when the page goes away the feed is
//! dropped, and its source with it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

/// How often a silent stream shows that it lives, and learns whether its page does.
const BEAT: Duration = Duration::from_secs(10);
/// Events that wait for a slow page.
const ROOM: usize = 8;

/// A stream of events.
pub(crate) struct Feed {
    events: mpsc::Receiver<Event>,
    _permit: OwnedSemaphorePermit,
}

impl Stream for Feed {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|it| it.map(Ok))
    }
}

/// What a handler that streams answers with.
pub(crate) type Events = Sse<axum::response::sse::KeepAliveStream<Feed>>;

/// Opens a feed and the end that fills it.
pub(crate) fn open(permit: OwnedSemaphorePermit) -> (mpsc::Sender<Event>, Events) {
    let (sender, events) = mpsc::channel(ROOM);
    let feed = Feed {
        events,
        _permit: permit,
    };
    let events = Sse::new(feed).keep_alive(KeepAlive::new().interval(BEAT));
    (sender, events)
}

/// Returns an event with JSON data.
pub(crate) fn event(name: &'static str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).expect("plain data without odd keys");
    Event::default().event(name).data(data)
}

/// The event that says a stream has ended for good.
pub(crate) fn done() -> Event {
    Event::default().event("done").data("{}")
}
