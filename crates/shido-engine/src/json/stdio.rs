//! The protocol over two pipes, a line each way.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;

use super::server::{AnalysisServer, Client};

impl AnalysisServer {
    /// Answers the queries of `input` on `output` until the input ends and all is
    /// answered, or until nobody reads the output.
    pub fn serve(
        &self,
        input: impl Read + Send + 'static,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let (client, inbox) = self.client();
        let client = Arc::new(client);
        let (limit, hurry) = (
            self.settings().max_bytes,
            self.settings().quit_without_waiting,
        );
        let reading = client.clone();
        // Not joined: it may wait for a line that never comes when the output is gone.
        std::thread::spawn(move || read(input, limit, hurry, &reading));
        let ours = Arc::downgrade(&client);
        drop(client);
        while let Some(line) = inbox.take() {
            let written = output
                .write_all(line.as_bytes())
                .and_then(|()| output.write_all(b"\n"))
                .and_then(|()| output.flush());
            if let Err(error) = written {
                inbox.close();
                if let Some(client) = ours.upgrade() {
                    client.abandon();
                }
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Reads to the end and waits for the answers; then the client is dropped, and
/// with its last sender the writer ends.
fn read(input: impl Read, limit: usize, hurry: bool, client: &Client) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    while let Ok(Some(whole)) = next_line(&mut input, limit, &mut line) {
        if whole {
            client.line(&String::from_utf8_lossy(&line));
        } else {
            client.line_too_long();
        }
    }
    if hurry {
        client.abandon();
    }
    client.wait();
}

/// Reads a line of at most `limit` bytes; `false` if it was longer and has been
/// skipped, `None` at the end.
fn next_line(
    input: &mut impl BufRead,
    limit: usize,
    line: &mut Vec<u8>,
) -> io::Result<Option<bool>> {
    line.clear();
    let mut whole = true;
    let mut any = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(any.then_some(whole));
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |at| at + 1);
        let text = &chunk[..end.unwrap_or(chunk.len())];
        if line.len() + text.len() <= limit {
            line.extend_from_slice(text);
        } else {
            whole = false;
        }
        input.consume(used);
        if end.is_some() {
            return Ok(Some(whole));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_too_long_is_skipped_whole() {
        let mut input = BufReader::with_capacity(4, &b"ab\n0123456789\ncd"[..]);
        let mut line = Vec::new();
        let mut next = || {
            let whole = next_line(&mut input, 8, &mut line).unwrap();
            whole.map(|whole| (whole, String::from_utf8(line.clone()).unwrap()))
        };
        assert_eq!(next(), Some((true, "ab".to_owned())));
        assert!(matches!(next(), Some((false, _))));
        assert_eq!(next(), Some((true, "cd".to_owned())));
        assert_eq!(next(), None);
    }
}
