//! The program under test, asked through its analysis protocol.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// What it thinks with.
pub(super) struct Nets<'a> {
    pub(super) net: &'a Path,
    /// `None` is the program's own.
    pub(super) human_net: Option<&'a Path>,
}

/// A running `shido analyze`.
pub(super) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts the program with its networks.
    pub(super) fn start(
        program: &Path,
        nets: &Nets<'_>,
        cpu: Option<&str>,
        settings: &str,
    ) -> Result<Engine> {
        let mut command = Command::new(program);
        command.arg("analyze").arg("--net").arg(nets.net);
        if let Some(path) = nets.human_net {
            command.arg("--human-net").arg(path);
        }
        command.args(["--override-config", settings]);
        // Threads that share a tree look at moves that one alone would not.
        command.args(["--threads", "1"]);
        if let Some(cpu) = cpu {
            command.args(["--cpu", cpu]);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        Ok(Engine {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("it was piped")),
            child,
        })
    }

    /// Asks whether the network computes with 16-bit numbers.
    pub(super) fn uses_half_precision(&mut self) -> Result<bool> {
        let input = self.input.as_mut().context("the input is closed")?;
        writeln!(
            input,
            "{}",
            json!({"id": "models", "action": "query_models"})
        )?;
        input.flush()?;
        let answer = self.line()?.context("the program ended at once")?;
        let half = &answer["models"][0]["usingFP16"];
        Ok(half.as_str() == Some("true"))
    }

    /// Asks everything at once; returns the answers in the order of the queries,
    /// whose ids are their places.
    pub(super) fn ask(&mut self, queries: Vec<Value>) -> Result<Vec<Value>> {
        let count = queries.len();
        let mut input = self.input.take().context("the input is closed")?;
        let writer = std::thread::spawn(move || {
            let mut lines = queries.iter();
            lines.try_for_each(|query| writeln!(input, "{query}"))
        });
        let mut answers: HashMap<usize, Value> = HashMap::new();
        while answers.len() < count {
            let Some(answer) = self.line()? else {
                bail!(
                    "the program ended after {} of {count} answers",
                    answers.len()
                );
            };
            if answer.get("warning").is_some() {
                eprintln!("{answer}");
                continue;
            }
            if answer.get("error").is_some() {
                bail!("{answer}");
            }
            let id = answer["id"].as_str().and_then(|id| id.parse().ok());
            answers.insert(id.context("an answer without a number")?, answer);
        }
        let written = writer.join();
        written.expect("writing does not panic")?;
        (0..count)
            .map(|i| {
                answers
                    .remove(&i)
                    .with_context(|| format!("no answer to {i}"))
            })
            .collect()
    }

    fn line(&mut self) -> Result<Option<Value>> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        serde_json::from_str(&line).map(Some).context(line)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may be at work still; there is nobody to tell if it cannot be ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
