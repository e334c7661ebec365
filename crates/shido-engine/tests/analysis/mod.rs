//! A server in a thread, spoken to over real pipes.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use shido_engine::json::{AnalysisServer, AnalystSource, ServerSettings};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server and the lines it has written.
pub(crate) struct Served {
    pub(crate) input: Option<PipeWriter>,
    lines: Receiver<Value>,
    server: Option<JoinHandle<std::io::Result<()>>>,
}

impl Served {
    pub(crate) fn start(settings: ServerSettings, source: impl AnalystSource + 'static) -> Served {
        let (server, output) = Served::unread(settings, source);
        server.reading(output)
    }

    /// Starts a server whose output is left to the caller.
    pub(crate) fn unread(
        settings: ServerSettings,
        source: impl AnalystSource + 'static,
    ) -> (Served, PipeReader) {
        let (reader, input) = std::io::pipe().unwrap();
        let (output, mut writer) = std::io::pipe().unwrap();
        let server = AnalysisServer::start(settings, Arc::new(source)).unwrap();
        let server = thread::spawn(move || server.serve(reader, &mut writer));
        let (_, lines) = channel();
        let served = Served {
            input: Some(input),
            lines,
            server: Some(server),
        };
        (served, output)
    }

    fn reading(mut self, output: PipeReader) -> Served {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let value = serde_json::from_str(&line).expect("every line is JSON");
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        self.lines = lines;
        self
    }

    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{line}").unwrap();
    }

    #[track_caller]
    pub(crate) fn next(&self) -> Value {
        self.lines
            .recv_timeout(PATIENCE)
            .expect("an answer in time")
    }

    /// Returns what comes within a moment.
    pub(crate) fn soon(&self) -> Option<Value> {
        self.lines.recv_timeout(Duration::from_millis(300)).ok()
    }

    /// Ends the input and returns the rest of the answers.
    pub(crate) fn finish(mut self) -> Vec<Value> {
        self.input = None;
        let rest: Vec<_> = self.lines.iter().collect();
        self.join().unwrap();
        rest
    }

    pub(crate) fn join(&mut self) -> std::io::Result<()> {
        self.server.take().expect("joined once").join().unwrap()
    }
}
