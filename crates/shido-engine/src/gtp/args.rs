//! The arguments of a command, one reader per kind.

use std::str::FromStr;
use std::time::Duration;

use shido_go::gtp::{Command, parse_vertex};
use shido_go::{Color, Move, Size};

/// The words after a command's name.
#[derive(Debug, Clone)]
pub(super) struct Args<'a> {
    /// All of them as they were sent.
    pub(super) text: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Args<'a> {
    pub(super) fn new(command: &'a Command) -> Args<'a> {
        Args {
            text: &command.arguments,
            words: command.words().collect(),
        }
    }

    /// Returns the words.
    pub(super) fn words(&self) -> &[&'a str] {
        &self.words
    }

    /// Returns a word; `what` names it in the refusal when it is missing.
    pub(super) fn word(&self, at: usize, what: &str) -> Result<&'a str, String> {
        let word = self.words.get(at).copied();
        word.ok_or_else(|| format!("syntax error: {what} is missing"))
    }

    /// Reads a word that must be of some type.
    pub(super) fn parse<T: FromStr>(&self, at: usize, what: &str) -> Result<T, String> {
        let word = self.word(at, what)?;
        let bad = |_| format!("syntax error: `{word}` is not {what}");
        word.parse().map_err(bad)
    }

    /// Reads a color.
    pub(super) fn color(&self, at: usize) -> Result<Color, String> {
        let word = self.word(at, "a color")?;
        word.parse()
            .map_err(|error| format!("invalid color or coordinate: {error}"))
    }

    /// Reads a vertex of a board.
    pub(super) fn vertex(&self, at: usize, size: Size) -> Result<Move, String> {
        let word = self.word(at, "a vertex")?;
        parse_vertex(word, size).map_err(|error| format!("invalid color or coordinate: {error}"))
    }

    /// Reads the seconds of an agreement about time, whole or not and never negative.
    pub(super) fn agreed_seconds(&self, at: usize, what: &str) -> Result<Duration, String> {
        let seconds: f64 = self.parse(at, what)?;
        let bad = |_| format!("syntax error: `{seconds}` is not {what}");
        Duration::try_from_secs_f64(seconds).map_err(bad)
    }

    /// Reads what is on a clock in seconds, whole or not.
    pub(super) fn seconds(&self, at: usize, what: &str) -> Result<Duration, String> {
        let seconds: f64 = self.parse(at, what)?;
        let bad = |_| format!("syntax error: `{seconds}` is not {what}");
        // Some controllers send a clock that has run over as a negative time.
        Duration::try_from_secs_f64(seconds.max(0.0)).map_err(bad)
    }
}
