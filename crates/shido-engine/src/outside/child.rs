//! A child process and its pipes, whatever it speaks.
//!
//! It leads a process group of its own, which dies with this value, so that the
//! children of wrapper scripts die too. Nothing here waits without a limit.

use std::io::Write;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::pipes::{Output, Tail, read_lines};
use super::{EngineFailure, ProcessSettings};

/// What went wrong while a question was under way.
#[derive(Debug)]
pub(crate) enum Fault {
    Ended,
    Late,
    TooMuch,
    Nonsense(String),
}

/// The live process and its pipes.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: Receiver<Output>,
    stderr: Tail,
}

impl Running {
    /// Starts a program; `words` are not empty.
    pub(crate) fn spawn(
        words: &[String],
        settings: &ProcessSettings,
    ) -> Result<Running, EngineFailure> {
        let (program, arguments) = words.split_first().expect("checked when it was split");
        let mut command = std::process::Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|source| EngineFailure::NotStarted {
                program: program.clone(),
                source,
            })?;
        let stdout = child.stdout.take().expect("it was piped");
        let stderr = child.stderr.take().expect("it was piped");
        Ok(Running {
            stdin: child.stdin.take().expect("it was piped"),
            stdout: read_lines(stdout, settings.response_bytes),
            stderr: Tail::follow(stderr, settings.stderr_bytes),
            child,
        })
    }

    /// Sends a line.
    ///
    /// One question is under way at a time and the pipe holds many times its
    /// length, so writing cannot block.
    pub(crate) fn write_line(&mut self, line: &str) -> Result<(), Fault> {
        writeln!(self.stdin, "{line}")
            .and_then(|()| self.stdin.flush())
            .map_err(|_| Fault::Ended)
    }

    /// Waits for a line.
    pub(crate) fn read_line(&mut self, deadline: Instant) -> Result<String, Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.stdout.recv_timeout(left) {
            Ok(Output::Line(line)) => Ok(line),
            Ok(Output::TooLong) => Err(Fault::TooMuch),
            Ok(Output::End) | Err(RecvTimeoutError::Disconnected) => Err(Fault::Ended),
            Err(RecvTimeoutError::Timeout) => Err(Fault::Late),
        }
    }

    /// Returns the last it wrote to standard error.
    pub(crate) fn last_words(&self) -> String {
        self.stderr.text()
    }

    /// Turns a fault into the failure to answer `command`.
    pub(crate) fn explain(
        &mut self,
        fault: Fault,
        command: String,
        after: Duration,
        settings: &ProcessSettings,
    ) -> EngineFailure {
        let ended = match fault {
            Fault::Ended => self.wait(Duration::from_secs(1)),
            _ => None,
        };
        let stderr_tail = self.stderr.text();
        match (fault, ended) {
            (Fault::Ended, Some(status)) => EngineFailure::Crashed {
                command,
                status,
                stderr_tail,
            },
            (Fault::Ended, None) => EngineFailure::HungUp {
                command,
                stderr_tail,
            },
            (Fault::Late, _) => EngineFailure::TimedOut {
                command,
                after,
                stderr_tail,
            },
            (Fault::TooMuch, _) => EngineFailure::Flooded {
                command,
                limit: settings.response_bytes,
            },
            (Fault::Nonsense(why), _) => EngineFailure::BadResponse { command, why },
        }
    }

    /// Waits a moment for the process to end by itself.
    pub(crate) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // Its last words may still be on their way to the tail.
                    thread::sleep(Duration::from_millis(20));
                    return Some(status);
                }
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Ends a process that leads a group of its own, and its children.
pub(crate) fn end_with_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
            // An error means that nobody is left to be killed.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    // Both fail only if the process is gone already.
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for Running {
    fn drop(&mut self) {
        end_with_group(&mut self.child);
    }
}
