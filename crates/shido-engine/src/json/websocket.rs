//! The protocol over WebSocket: a query a text message, a response a text message.
//!
//! For KaTrain's remote engine and for pages. A page of another site must not
//! reach a server on this machine through its visitor's browser, so a foreign
//! `Origin` is refused. Programs that are no browser send none, or, as KaTrain's
//! library does, the address they were given: `http://HOST:PORT`. That is the server's
//! own origin, and lets them in where HOST is a number, `localhost` or a name of the
//! house; under a name of the public DNS it must be allowed by name.
//!
//! Two threads serve a client, one each way, over one socket: whole frames are
//! written under a lock, because the reading side answers pings by itself.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::{HeaderValue, StatusCode, header};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::outbox::Inbox;
use super::server::{AnalysisServer, Client};

/// The time a client has to shake hands, and to take a frame.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who may connect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenSettings {
    /// Origins allowed besides this machine's own, e.g. `https://example.org`.
    pub origins: Vec<String>,
    /// Clients at the same time.
    pub max_clients: usize,
}

impl Default for ListenSettings {
    fn default() -> ListenSettings {
        ListenSettings {
            origins: Vec::new(),
            max_clients: 64,
        }
    }
}

/// A socket that waits for clients.
pub struct Listener {
    socket: TcpListener,
    settings: Arc<ListenSettings>,
}

impl Listener {
    /// Listens at an address such as `127.0.0.1:8511`.
    pub fn bind(address: impl ToSocketAddrs, settings: ListenSettings) -> io::Result<Listener> {
        Ok(Listener {
            socket: TcpListener::bind(address)?,
            settings: Arc::new(settings),
        })
    }

    /// Returns the address, with the port the system chose if none was given.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Serves clients until the socket fails.
    pub fn run(&self, server: &Arc<AnalysisServer>) -> io::Result<()> {
        let clients = Arc::new(AtomicUsize::new(0));
        loop {
            let stream = match self.socket.accept() {
                Ok((stream, _)) => stream,
                Err(error) if is_passing(&error) => continue,
                Err(error) => return Err(error),
            };
            if clients.load(Ordering::Relaxed) >= self.settings.max_clients {
                tracing::warn!(
                    "a client was turned away: {} are here",
                    clients.load(Ordering::Relaxed)
                );
                continue;
            }
            clients.fetch_add(1, Ordering::Relaxed);
            let (server, settings) = (server.clone(), self.settings.clone());
            let clients = clients.clone();
            std::thread::spawn(move || {
                if let Err(error) = attend(stream, &server, &settings) {
                    tracing::debug!("a client was lost: {error}");
                }
                clients.fetch_sub(1, Ordering::Relaxed);
            });
        }
    }
}

/// Returns whether the next client may do better.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}

/// Serves one client to its end.
fn attend(stream: TcpStream, server: &AnalysisServer, settings: &ListenSettings) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let limit = server.settings().max_bytes;
    let config = WebSocketConfig::default()
        .max_message_size(Some(limit))
        .max_frame_size(Some(limit));
    let line = Line::over(stream);
    let writing = line.twin()?;
    let gate = Gate { settings };
    let reading = tungstenite::accept_hdr_with_config(line, gate, Some(config))
        .map_err(|error| io::Error::other(error.to_string()))?;
    reading.get_ref().stream.set_read_timeout(None)?;
    let writing = WebSocket::from_raw_socket(writing, Role::Server, Some(config));
    let (client, inbox) = server.client();
    let writer = std::thread::spawn(move || write(writing, &inbox));
    let last = read(reading, &client);
    client.abandon();
    client.wait();
    // Its senders gone, the writer ends.
    drop(client);
    let writing = writer.join();
    let writing = writing.map_err(|_| io::Error::other("the writing thread broke"))?;
    part(writing, last);
    Ok(())
}

/// Reads to the end; returns why it was us who ended it, if it was.
fn read(mut socket: WebSocket<Line>, client: &Client) -> Option<CloseFrame> {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => text.lines().for_each(|line| client.line(line)),
            Ok(Message::Binary(bytes)) => {
                let text = String::from_utf8_lossy(&bytes);
                text.lines().for_each(|line| client.line(line));
            }
            Ok(_) => {}
            Err(Error::Capacity(_)) => {
                client.line_too_long();
                // The rest of the message cannot be told from the next.
                return Some(CloseFrame {
                    code: CloseCode::Size,
                    reason: "the message is too long".into(),
                });
            }
            Err(_) => return None,
        }
    }
}

fn write(mut socket: WebSocket<Line>, inbox: &Inbox) -> WebSocket<Line> {
    while let Some(line) = inbox.take() {
        if socket.send(Message::text(line)).is_err() {
            inbox.close();
            // The reader must not wait for a client that takes nothing.
            let _ = socket.get_ref().stream.shutdown(Shutdown::Both);
            break;
        }
    }
    socket
}

/// Says the last word and lets it arrive: a socket closed with bytes unread would
/// take back what was written.
fn part(mut socket: WebSocket<Line>, last: Option<CloseFrame>) {
    let Some(frame) = last else {
        return;
    };
    let said = socket.close(Some(frame)).and_then(|()| socket.flush());
    let stream = &mut socket.get_mut().stream;
    let ready = stream.shutdown(Shutdown::Write).is_ok()
        && stream
            .set_read_timeout(Some(Duration::from_secs(1)))
            .is_ok();
    if said.is_ok() && ready {
        let until = Instant::now() + PATIENCE;
        let mut rest = [0; 4096];
        while Instant::now() < until && matches!(stream.read(&mut rest), Ok(1..)) {}
    }
}

/// One of two handles of a socket; a write is whole or fails.
struct Line {
    stream: TcpStream,
    turn: Arc<Mutex<()>>,
}

impl Line {
    fn over(stream: TcpStream) -> Line {
        Line {
            stream,
            turn: Arc::default(),
        }
    }

    fn twin(&self) -> io::Result<Line> {
        Ok(Line {
            stream: self.stream.try_clone()?,
            turn: self.turn.clone(),
        })
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Line {
    /// Tungstenite hands over whole frames; none of another thread may come between.
    fn write(&mut self, frames: &[u8]) -> io::Result<usize> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        self.stream.write_all(frames)?;
        Ok(frames.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Decides who comes in.
struct Gate<'a> {
    settings: &'a ListenSettings,
}

impl tungstenite::handshake::server::Callback for Gate<'_> {
    fn on_request(self, request: &Request, response: Response) -> Result<Response, ErrorResponse> {
        let header = |name: &str| {
            let value = request.headers().get(name);
            value.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let (origin, host) = (header("origin"), header("host"));
        if may_enter(origin.as_deref(), host.as_deref(), self.settings) {
            return Ok(response);
        }
        let origin = origin.unwrap_or_default();
        tracing::warn!("a page of {origin} was turned away; --allow-origin would let it in");
        Err(refusal(&origin))
    }
}

/// Says how the server could be told to let this origin in.
fn refusal(origin: &str) -> ErrorResponse {
    let body = format!("origin not allowed; to allow it: --allow-origin {origin}\n");
    let length = body.len();
    let mut refusal = ErrorResponse::new(Some(body));
    *refusal.status_mut() = StatusCode::FORBIDDEN;
    // Without its length, clients do not read the body.
    let headers = refusal.headers_mut();
    headers.insert(header::CONTENT_LENGTH, length.into());
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    refusal
}

/// A foreign name server can make a name of its own mean this machine, and a page under
/// that name then has the server's own origin. It cannot do so with a number, nor with a
/// name that it is not asked about; hence only with those does the own origin count.
fn may_enter(origin: Option<&str>, host: Option<&str>, settings: &ListenSettings) -> bool {
    let Some(origin) = origin else {
        return true;
    };
    if settings.origins.iter().any(|it| it == origin || it == "*") {
        return true;
    }
    let Some((_, own)) = origin.split_once("://") else {
        return false;
    };
    let from = bare_host(own);
    let number: Option<IpAddr> = from.parse().ok();
    let local = from == "localhost" || number.is_some_and(|it| it.is_loopback());
    let same = number.is_some() && host.map(bare_host) == Some(from);
    let same_name = host.is_some_and(|host| host.eq_ignore_ascii_case(own));
    local || same || same_name && is_of_the_house(from)
}

/// Returns whether the public DNS serves no such name: a single label, or what is kept for
/// local networks (RFC 6762, RFC 8375, and ICANN's `.internal`).
fn is_of_the_house(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    match name.split_once('.') {
        None => !name.is_empty(),
        Some((first, _)) => {
            let kept = [".local", ".home.arpa", ".internal"];
            !first.is_empty() && kept.iter().any(|end| name.ends_with(end))
        }
    }
}

/// Returns a host without its port and brackets.
fn bare_host(text: &str) -> &str {
    let text = text.split('/').next().unwrap_or_default();
    if let Some(rest) = text.strip_prefix('[') {
        return rest.split(']').next().unwrap_or_default();
    }
    text.rsplit_once(':').map_or(text, |(host, _)| host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(origin: Option<&str>, host: &str, expect: bool) {
        let settings = ListenSettings {
            origins: vec!["https://club.example".to_owned()],
            ..ListenSettings::default()
        };
        assert_eq!(may_enter(origin, Some(host), &settings), expect);
    }

    #[test]
    fn pages_of_other_sites_do_not_enter() {
        check(None, "127.0.0.1:8511", true);
        check(Some("http://127.0.0.1:8511"), "127.0.0.1:8511", true);
        check(Some("http://localhost:8510"), "localhost:8511", true);
        check(Some("http://[::1]:8510"), "[::1]:8511", true);
        check(Some("http://192.168.0.7:8511"), "192.168.0.7:8511", true);
        check(Some("https://club.example"), "127.0.0.1:8511", true);
        check(Some("https://evil.example"), "127.0.0.1:8511", false);
        check(Some("https://evil.example"), "evil.example", false);
        check(Some("http://evil.example:8511"), "evil.example:8511", false);
        check(Some("http://192.168.0.8"), "192.168.0.7:8511", false);
        check(Some("null"), "127.0.0.1:8511", false);
        check(Some("https://localhost.evil.example"), "127.0.0.1", false);
    }

    #[test]
    fn names_of_the_house_are_their_own_origin() {
        for name in ["nas", "Go-PC", "nas.local", "go.home.arpa", "a.b.internal"] {
            let host = format!("{name}:8511");
            check(Some(&format!("http://{name}:8511")), &host, true);
            check(
                Some(&format!("http://{name}:8511")),
                "127.0.0.1:8511",
                false,
            );
            check(Some(&format!("http://{name}:8080")), &host, false);
        }
        check(Some("http://NAS:8511"), "nas:8511", true);
        check(Some("https://nas.local"), "nas.local", true);
        for name in ["local.evil.example", "evillocal.example", ".local", "nas."] {
            check(Some(&format!("http://{name}")), name, false);
        }
        check(Some("http://"), "", false);
        check(Some("http://notlocal"), "nas", false);
    }
}
