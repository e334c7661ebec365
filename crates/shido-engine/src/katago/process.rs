//! The process: started, asked, stopped, given up.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shido_search::Analysis;

use super::query::Question;
use super::response::Response;
use super::{KataGoError, KataGoSettings};
use crate::Limits;
use crate::outside::{EngineFailure, Fault, Running};

/// The oldest KataGo that says all we need.
const LEAST: (&str, [u32; 2]) = ("1.9", [1, 9]);
/// How often the stop flag is looked at.
const GLANCE: Duration = Duration::from_millis(10);
/// Lines that are not JSON a process may print between two that are.
const PATIENCE: usize = 200;

/// A KataGo that runs, or ran.
pub(super) struct Process {
    settings: KataGoSettings,
    words: Vec<String>,
    running: Option<Running>,
    version: String,
    /// The configuration we wrote, removed with this value.
    _config: Option<OwnConfig>,
}

impl Process {
    /// Starts the program and waits until it answers.
    pub(super) fn start(settings: KataGoSettings) -> Result<Process, KataGoError> {
        check_files(&settings)?;
        let own = match settings.config {
            Some(_) => None,
            None => Some(OwnConfig::write(&settings).map_err(KataGoError::Config)?),
        };
        let words = words(&settings, own.as_ref())?;
        let mut process = Process {
            settings,
            words,
            running: None,
            version: String::new(),
            _config: own,
        };
        process.restart()?;
        Ok(process)
    }

    pub(super) fn version(&self) -> &str {
        &self.version
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Ends the process if it runs, and starts it anew.
    pub(super) fn restart(&mut self) -> Result<(), KataGoError> {
        self.running = None;
        let running = Running::spawn(&self.words, &self.settings.process)
            .map_err(|source| KataGoError::NotStarted { source })?;
        self.running = Some(running);
        let answer = self.version_answer()?;
        let said = answer.get("version").and_then(Value::as_str);
        let said = said.map_or_else(|| answer.to_string(), str::to_owned);
        if !is_new_enough(&said) {
            self.running = None;
            return Err(KataGoError::Version {
                found: said,
                least: LEAST.0,
            });
        }
        self.version = said;
        Ok(())
    }

    fn version_answer(&mut self) -> Result<Value, EngineFailure> {
        let limit = self.settings.process.start_timeout;
        let deadline = Instant::now() + limit;
        let request = json!({"id": "shido-version", "action": "query_version"});
        let answer = self.exchange(&request, |running| next_json(running, deadline));
        answer.map_err(|fault| self.give_up(fault, "query_version", limit))
    }

    fn exchange<T>(
        &mut self,
        request: &Value,
        read: impl FnOnce(&mut Running) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let running = self.running.as_mut().ok_or(Fault::Ended)?;
        running.write_line(&request.to_string())?;
        read(running)
    }

    /// Ends the process after a fault.
    fn give_up(&mut self, fault: Fault, asked: &str, after: Duration) -> EngineFailure {
        let running = self.running.take();
        running.map_or(EngineFailure::NotRunning, |mut running| {
            running.explain(fault, asked.to_owned(), after, &self.settings.process)
        })
    }

    /// Asks a question; a failure that leaves the process running is a refusal.
    pub(super) fn ask(
        &mut self,
        question: &Question<'_>,
        limits: &Limits,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, String> {
        let silence = self.settings.process.timeout;
        let asked = self.exchange(&question.to_json(), |running| {
            let mut exchange = Exchange {
                running,
                question,
                silence,
                ended: false,
            };
            exchange.follow(limits, report)
        });
        match asked {
            Ok(answer) => answer,
            Err(fault) => Err(self.give_up(fault, "analysis", silence).to_string()),
        }
    }
}

/// One question under way.
struct Exchange<'a> {
    running: &'a mut Running,
    question: &'a Question<'a>,
    /// The longest time without a line.
    silence: Duration,
    /// Whether KataGo was told to stop.
    ended: bool,
}

impl Exchange<'_> {
    /// Reads until the last word on the question; the inner error is a refusal.
    fn follow(
        &mut self,
        limits: &Limits,
        report: &mut dyn FnMut(&Analysis),
    ) -> Result<Result<Analysis, String>, Fault> {
        let mut deadline = Instant::now() + self.silence;
        loop {
            if limits.stop.is_raised() && !self.ended {
                self.ended = true;
                let id = &self.question.id;
                let end = json!({"id": "shido-end", "action": "terminate", "terminateId": id});
                self.running.write_line(&end.to_string())?;
            }
            let glance = deadline.min(Instant::now() + GLANCE);
            let value = match next_json(self.running, glance) {
                Ok(value) => value,
                Err(Fault::Late) if Instant::now() < deadline => continue,
                Err(fault) => return Err(fault),
            };
            deadline = Instant::now() + self.silence;
            if value.get("id").and_then(Value::as_str) != Some(&self.question.id) {
                // The echo of a terminate, or the rest of an earlier question.
                continue;
            }
            if let Some(warning) = value.get("warning") {
                tracing::warn!("KataGo warns: {warning} ({})", value["field"]);
                continue;
            }
            if let Some(error) = value.get("error") {
                let field = value["field"].as_str().unwrap_or("the query");
                return Ok(Err(format!("KataGo refused {field}: {error}")));
            }
            let nonsense = |why: String| Fault::Nonsense(why);
            let response: Response =
                serde_json::from_value(value).map_err(|error| nonsense(error.to_string()))?;
            let during = response.is_during_search;
            let analysis = response
                .analysis(self.question.position)
                .map_err(nonsense)?;
            if !during {
                return Ok(Ok(analysis));
            }
            if self.question.every.is_some() {
                report(&analysis);
            }
        }
    }
}

/// Reads lines until one is an object; a few others may come between.
fn next_json(running: &mut Running, deadline: Instant) -> Result<Value, Fault> {
    for _ in 0..PATIENCE {
        let line = running.read_line(deadline)?;
        if let Ok(value @ Value::Object(_)) = serde_json::from_str(&line) {
            return Ok(value);
        }
        tracing::debug!("KataGo printed: {line}");
    }
    let what = format!("{PATIENCE} lines in a row are no JSON objects");
    Err(Fault::Nonsense(what))
}

fn check_files(settings: &KataGoSettings) -> Result<(), KataGoError> {
    for (what, path, flag) in [
        ("network", &settings.model, "--net"),
        ("human network", &settings.human_model, "--human-net"),
        ("configuration", &settings.config, "--katago-config"),
    ] {
        if let Some(path) = path.as_ref().filter(|path| !path.is_file()) {
            return Err(KataGoError::MissingFile {
                what,
                path: path.clone(),
                flag,
            });
        }
    }
    Ok(())
}

fn words(settings: &KataGoSettings, own: Option<&OwnConfig>) -> Result<Vec<String>, EngineFailure> {
    let bad = |why: String| EngineFailure::BadCommandLine {
        line: settings.command.clone(),
        why,
    };
    let mut words =
        shell_words::split(&settings.command).map_err(|error| bad(error.to_string()))?;
    if words.is_empty() {
        return Err(bad("it is empty".to_owned()));
    }
    words.push("analysis".to_owned());
    let mut add = |flag: &str, path: Option<&Path>| {
        if let Some(path) = path {
            words.push(flag.to_owned());
            words.push(path.to_string_lossy().into_owned());
        }
    };
    add("-model", settings.model.as_deref());
    add("-human-model", settings.human_model.as_deref());
    add(
        "-config",
        settings.config.as_deref().or(own.map(|it| it.0.as_path())),
    );
    if !settings.overrides.is_empty() {
        let pairs = settings.overrides.iter();
        let pairs: Vec<_> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        words.extend(["-override-config".to_owned(), pairs.join(",")]);
    }
    words.push("-quit-without-waiting".to_owned());
    Ok(words)
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split(['.', '-', '+']).map(|part| part.parse().ok());
    let mut next = || numbers.next().flatten();
    match (next(), next()) {
        (Some(major), Some(minor)) => [major, minor] >= LEAST.1,
        _ => false,
    }
}

/// A plain configuration, for those who have none.
struct OwnConfig(PathBuf);

impl OwnConfig {
    fn write(settings: &KataGoSettings) -> std::io::Result<OwnConfig> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("shido-katago-{}-{number}.cfg", process::id());
        let path = std::env::temp_dir().join(name);
        let threads = settings.threads.max(1);
        let text = format!(
            "# Written by shido and removed when it ends.\n\
             logToStderr = false\n\
             reportAnalysisWinratesAs = BLACK\n\
             maxVisits = 500\n\
             numAnalysisThreads = 1\n\
             numSearchThreadsPerAnalysisThread = {threads}\n\
             nnMaxBatchSize = {threads}\n"
        );
        fs::write(&path, text)?;
        Ok(OwnConfig(path))
    }
}

impl Drop for OwnConfig {
    fn drop(&mut self) {
        // A file left in the temporary folder does no harm.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for new in ["1.9", "1.16.4", "1.17.2+shido.0.1.0", "2.0", "1.10.0-beta"] {
            assert!(is_new_enough(new), "{new}");
        }
        for old in ["1.8.2", "0.99", "", "unknown", "1"] {
            assert!(!is_new_enough(old), "{old}");
        }
    }
}
