//! A response written line by line while a command is still at work.

use std::io::{self, Write};

use super::inputs::Inputs;
use crate::StopFlag;

/// Writes the response of a long command as it comes.
///
/// Until [`Stream::begin`] nothing is written, so that bad arguments can still be refused.
pub(super) struct Stream<'a> {
    id: Option<u32>,
    output: &'a mut dyn Write,
    inputs: &'a mut Inputs,
    begun: bool,
    written: io::Result<()>,
}

impl<'a> Stream<'a> {
    pub(super) fn new(
        id: Option<u32>,
        output: &'a mut dyn Write,
        inputs: &'a mut Inputs,
    ) -> Stream<'a> {
        Stream {
            id,
            output,
            inputs,
            begun: false,
            written: Ok(()),
        }
    }

    /// Says that the command has been understood.
    pub(super) fn begin(&mut self) {
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        self.begun = true;
        self.line(&format!("={id}"));
    }

    /// Answers in one line, like a command that takes no time.
    pub(super) fn answer(&mut self, text: &str) {
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        self.begun = true;
        self.line(&format!("={id} {text}"));
    }

    /// Writes one line at once; after a failure nothing more is written.
    pub(super) fn line(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = writeln!(self.output, "{text}").and_then(|()| self.output.flush());
        }
    }

    /// Returns whether the other side can still be written to.
    pub(super) fn is_open(&self) -> bool {
        self.written.is_ok()
    }

    /// Returns a flag that any further input raises.
    pub(super) fn stop_flag(&self) -> StopFlag {
        self.inputs.stop_flag()
    }

    /// Waits for further input.
    pub(super) fn wait_for_input(&mut self) {
        self.inputs.wait();
    }

    /// Ends the response; returns whether there was one, or why it could not be written.
    pub(super) fn finish(mut self) -> io::Result<bool> {
        if self.begun {
            self.line("");
        }
        self.written.map(|()| self.begun)
    }
}
