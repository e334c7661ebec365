//! A GTP engine as a child process, seen from the controller's side.
//!
//! An engine may hang, crash, flood its output or speak nonsense at any time.
//! Each of these ends the process and comes back as one precise
//! [`EngineFailure`]; nothing here waits without a limit or keeps unbounded
//! output. The process and its pipes are in `child.rs`.
//!
//! It does not know the game: which commands to send is the caller's business.

use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use shido_go::gtp::{Command, Response, ResponseReader};

use super::child::{Fault, Running};

/// What an engine process is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessSettings {
    /// Time to answer each command of the handshake; loading a network takes long.
    pub start_timeout: Duration,
    /// Time to answer any other command.
    pub timeout: Duration,
    /// Bytes that one response may have.
    pub response_bytes: usize,
    /// Bytes of standard error kept for failure messages.
    pub stderr_bytes: usize,
}

impl Default for ProcessSettings {
    fn default() -> ProcessSettings {
        ProcessSettings {
            start_timeout: Duration::from_mins(1),
            timeout: Duration::from_mins(2),
            response_bytes: 1 << 20,
            stderr_bytes: 4096,
        }
    }
}

/// Why an engine did not do what it was told.
///
/// After all but [`EngineFailure::Refused`] the process is gone; see [`GtpProcess::restart`].
#[derive(Debug, thiserror::Error)]
pub enum EngineFailure {
    /// The command line cannot be split into words, or has none.
    #[error("`{line}` is not a command line: {why}")]
    BadCommandLine {
        /// The line as given.
        line: String,
        /// What is wrong with it.
        why: String,
    },
    /// The program could not be started.
    #[error("cannot start `{program}`: {source}")]
    NotStarted {
        /// The first word of the command line.
        program: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// The process ended.
    #[error(
        "the engine ended during `{command}` ({status}){}",
        after_colon(stderr_tail)
    )]
    Crashed {
        /// The command it should have answered.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// The last it wrote to standard error.
        stderr_tail: String,
    },
    /// The process closed its output but did not end.
    #[error(
        "the engine closed its output during `{command}`{}",
        after_colon(stderr_tail)
    )]
    HungUp {
        /// The command it should have answered.
        command: String,
        /// The last it wrote to standard error.
        stderr_tail: String,
    },
    /// There was no whole answer in time.
    #[error(
        "the engine did not answer `{command}` within {after:?}{}",
        after_colon(stderr_tail)
    )]
    TimedOut {
        /// The command it should have answered.
        command: String,
        /// How long it had.
        after: Duration,
        /// The last it wrote to standard error.
        stderr_tail: String,
    },
    /// The answer was too long.
    #[error("the engine answered `{command}` with more than {limit} bytes")]
    Flooded {
        /// The command it answered.
        command: String,
        /// The most it was allowed.
        limit: usize,
    },
    /// The answer is not GTP, or not an answer to this command.
    #[error("the engine answered `{command}` badly: {why}")]
    BadResponse {
        /// The command it answered.
        command: String,
        /// What is wrong.
        why: String,
    },
    /// The engine answered that it cannot or will not; it still runs.
    #[error("the engine refused `{command}`: {message}")]
    Refused {
        /// The command it refused.
        command: String,
        /// What it said.
        message: String,
    },
    /// The process ended after an earlier failure.
    #[error("the engine is not running: it failed earlier or was told to quit")]
    NotRunning,
}

impl EngineFailure {
    /// Returns whether the process is gone.
    pub fn is_fatal(&self) -> bool {
        !matches!(self, EngineFailure::Refused { .. })
    }

    /// Returns the failure of an answer that makes no sense.
    pub fn bad_response(command: &Command, why: impl Into<String>) -> EngineFailure {
        EngineFailure::BadResponse {
            command: command.to_string(),
            why: why.into(),
        }
    }
}

fn after_colon(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}

/// A running GTP engine.
#[derive(Debug)]
pub struct GtpProcess {
    words: Vec<String>,
    settings: ProcessSettings,
    running: Option<Running>,
    name: String,
    version: String,
    commands: Vec<String>,
    next_id: u32,
}

impl GtpProcess {
    /// Starts a program and asks its name, version and commands.
    ///
    /// The line is split into words as a shell would, but no shell runs it.
    pub fn start(line: &str, settings: ProcessSettings) -> Result<GtpProcess, EngineFailure> {
        let bad = |why: String| EngineFailure::BadCommandLine {
            line: line.to_owned(),
            why,
        };
        let words = shell_words::split(line).map_err(|error| bad(error.to_string()))?;
        if words.is_empty() {
            return Err(bad("it is empty".to_owned()));
        }
        let mut process = GtpProcess {
            words,
            settings,
            running: None,
            name: String::new(),
            version: String::new(),
            commands: Vec::new(),
            next_id: 1,
        };
        process.restart()?;
        Ok(process)
    }

    /// Ends the process if it runs, and starts it anew.
    pub fn restart(&mut self) -> Result<(), EngineFailure> {
        self.running = None;
        self.running = Some(Running::spawn(&self.words, &self.settings)?);
        let limit = self.settings.start_timeout;
        let mut ask = |name: &str| self.ask_within(&Command::new(name, ""), limit);
        let (name, version) = (ask("name")?, ask("version")?);
        let commands = ask("list_commands")?;
        self.name = name;
        self.version = version;
        self.commands = commands
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect();
        Ok(())
    }

    /// Returns what the engine calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the engine's version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns whether the engine has a command.
    pub fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|it| it == command)
    }

    /// Returns whether the process has not failed yet.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the last the engine wrote to standard error.
    pub fn stderr_tail(&self) -> String {
        self.running
            .as_ref()
            .map(Running::last_words)
            .unwrap_or_default()
    }

    /// Sends a command and returns the answer, a refusal being a failure.
    pub fn ask(&mut self, command: &Command) -> Result<String, EngineFailure> {
        self.ask_within(command, self.settings.timeout)
    }

    /// Sends a command that may take up to `limit`; see [`GtpProcess::ask`].
    pub fn ask_within(
        &mut self,
        command: &Command,
        limit: Duration,
    ) -> Result<String, EngineFailure> {
        let command = Command {
            id: Some(self.next_id),
            ..command.clone()
        };
        self.next_id = self.next_id % Command::MAX_ID + 1;
        let running = self.running.as_mut().ok_or(EngineFailure::NotRunning)?;
        match exchange(running, &command, limit, self.settings.response_bytes) {
            Ok(response) => response.outcome.map_err(|message| EngineFailure::Refused {
                command: bare(&command),
                message,
            }),
            Err(fault) => {
                let failure = running.explain(fault, bare(&command), limit, &self.settings);
                self.running = None;
                Err(failure)
            }
        }
    }

    /// Tells the engine to quit and gives it a moment to do so.
    pub fn quit(&mut self) {
        // Whatever it answers, it is ended.
        let _ = self.ask_within(&Command::new("quit", ""), Duration::from_secs(1));
        if let Some(mut running) = self.running.take() {
            running.wait(Duration::from_secs(1));
        }
    }
}

/// Returns the command as the caller wrote it, without our number.
fn bare(command: &Command) -> String {
    Command {
        id: None,
        ..command.clone()
    }
    .to_string()
}

/// Writes a command and gathers its response.
fn exchange(
    running: &mut Running,
    command: &Command,
    limit: Duration,
    response_bytes: usize,
) -> Result<Response, Fault> {
    let deadline = Instant::now() + limit;
    running.write_line(&command.to_string())?;
    let mut reader = ResponseReader::default();
    let mut bytes = 0;
    loop {
        let line = running.read_line(deadline)?;
        bytes += line.len() + 1;
        if bytes > response_bytes {
            return Err(Fault::TooMuch);
        }
        let whole = reader
            .push_line(&line)
            .map_err(|error| Fault::Nonsense(error.to_string()))?;
        if let Some(response) = whole {
            return check_id(command, response);
        }
    }
}

fn check_id(command: &Command, response: Response) -> Result<Response, Fault> {
    if response.id == command.id {
        return Ok(response);
    }
    let show = |id: Option<u32>| id.map_or("no number".to_owned(), |id| format!("number {id}"));
    Err(Fault::Nonsense(format!(
        "the answer has {}, the command had {}",
        show(response.id),
        show(command.id)
    )))
}
