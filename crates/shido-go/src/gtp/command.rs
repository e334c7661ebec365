//! Commands: `[id] name [arguments]`, one to a line.

use std::fmt;

use super::clean;

/// One command line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    /// The number the response must carry, if the controller gave one.
    pub id: Option<u32>,
    /// The name of the command, such as `genmove`.
    pub name: String,
    /// Everything after the name, without surrounding spaces.
    pub arguments: String,
}

/// The line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct CommandError {
    /// The number to answer with, where the line had a readable one.
    pub id: Option<u32>,
    /// What is wrong.
    pub fault: CommandFault,
}

/// What is wrong with a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandFault {
    /// There is a number and nothing else.
    #[error("the line has a number but no command")]
    NoName,
    /// The number does not fit the protocol.
    #[error("`{0}` is too large for a command number")]
    NumberTooLarge(String),
}

impl Command {
    /// The largest command number of the protocol.
    pub const MAX_ID: u32 = i32::MAX as u32;

    /// Returns a command without a number.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Command {
        Command {
            id: None,
            name: name.into(),
            arguments: arguments.into(),
        }
    }

    /// Returns the same command with a number.
    pub fn with_id(self, id: u32) -> Command {
        Command {
            id: Some(id),
            ..self
        }
    }

    /// Reads one line; `None` when it holds nothing but spaces or a comment.
    ///
    /// ```
    /// use shido_go::gtp::Command;
    ///
    /// let command = Command::parse("7 play\tblack Q16 # a corner").unwrap().unwrap();
    /// assert_eq!(command, Command::new("play", "black Q16").with_id(7));
    /// assert!(Command::parse("  # nothing to do").unwrap().is_none());
    /// ```
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let line = clean(line);
        let text = line.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            return Ok(None);
        }
        let (first, rest) = split_word(text);
        let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, (name, arguments)) = if is_number {
            (Some(read_id(first)?), split_word(rest))
        } else {
            (None, (first, rest))
        };
        if name.is_empty() {
            let fault = CommandFault::NoName;
            return Err(CommandError { id, fault });
        }
        Ok(Some(Command {
            id,
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        }))
    }

    /// Returns the arguments one by one.
    pub fn words(&self) -> impl Iterator<Item = &str> + Clone {
        self.arguments.split_ascii_whitespace()
    }
}

impl fmt::Display for Command {
    /// Writes the line without its newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        f.write_str(&self.name)?;
        if !self.arguments.is_empty() {
            write!(f, " {}", self.arguments)?;
        }
        Ok(())
    }
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_once(' ')
        .map_or((text, ""), |(word, rest)| (word, rest.trim()))
}

fn read_id(digits: &str) -> Result<u32, CommandError> {
    digits
        .parse()
        .ok()
        .filter(|&id| id <= Command::MAX_ID)
        .ok_or_else(|| CommandError {
            id: None,
            fault: CommandFault::NumberTooLarge(digits.to_owned()),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let found = match Command::parse(line) {
            Ok(Some(c)) => format!("{:?} {} [{}]", c.id, c.name, c.arguments),
            Ok(None) => "nothing".to_owned(),
            Err(error) => format!("{:?} {error}", error.id),
        };
        assert_eq!(found, expect);
    }

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        check("boardsize 19", "None boardsize [19]");
        check(" 12  play  b   D4 \r\n", "Some(12) play [b   D4]");
        check("1\tgenmove\twhite", "Some(1) genmove [white]");
        check("name#comment", "None name []");
        check("na\u{7}me", "None name []");
        check("", "nothing");
        check(" \t\r", "nothing");
        check("# 3 quit", "nothing");
        check("5", "Some(5) the line has a number but no command");
        check("2147483647 quit", "Some(2147483647) quit []");
        check(
            "2147483648 quit",
            "None `2147483648` is too large for a command number",
        );
        check("-3 quit", "None -3 [quit]");
        check(
            r#"kata-set-rules {"ko": "SIMPLE"}"#,
            r#"None kata-set-rules [{"ko": "SIMPLE"}]"#,
        );
    }

    #[test]
    fn a_written_command_is_read_back() {
        for command in [
            Command::new("quit", ""),
            Command::new("play", "W pass").with_id(0),
            Command::new("time_left", "b 10 0").with_id(Command::MAX_ID),
        ] {
            let read = Command::parse(&command.to_string());
            assert_eq!(read, Ok(Some(command)));
        }
    }

    #[test]
    fn words_are_split_at_any_run_of_spaces() {
        let command = Command::parse("play  b    D4").unwrap().unwrap();
        assert_eq!(command.words().collect::<Vec<_>>(), ["b", "D4"]);
    }
}
