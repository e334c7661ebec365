//! The server: clients' lines in, responses out, searches in between.
//!
//! It knows nothing of pipes and sockets: [`super::stdio`] and
//! [`super::websocket`] carry the lines. Each client has its own queries; what
//! one terminates or names is no business of another.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use serde_json::{Map, Value, json};

use super::fields::{Complaint, Fields};
use super::outbox::{Inbox, Outbox, outbox};
use super::query::{Query, Understood};
use super::queue::{Job, Queue, Which};
use super::respond::nothing;
use super::settings::ServerSettings;
use super::source::AnalystSource;
use super::worker::Worker;
use crate::{SearchOptions, StopFlag};

/// Answers queries of KataGo's JSON analysis protocol.
pub struct AnalysisServer {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    settings: ServerSettings,
    source: Arc<dyn AnalystSource>,
    queue: Queue,
    clients: AtomicU64,
}

impl AnalysisServer {
    /// Starts the workers, or says why there is no analyst for one.
    ///
    /// Settings for the engine that it does not follow are dropped with a note in the log.
    pub fn start(
        mut settings: ServerSettings,
        source: Arc<dyn AnalystSource>,
    ) -> Result<AnalysisServer, String> {
        drop_unfollowed(&mut settings, source.as_ref())?;
        let queue = Queue::default();
        let mut workers = Vec::new();
        for _ in 0..settings.workers.max(1) {
            let worker = Worker {
                queue: queue.clone(),
                source: source.clone(),
                analyst: source.make()?,
                seed: settings.seed,
            };
            workers.push(std::thread::spawn(move || worker.run()));
        }
        let shared = Shared {
            settings,
            source,
            queue,
            clients: AtomicU64::new(0),
        };
        Ok(AnalysisServer {
            shared: Arc::new(shared),
            workers,
        })
    }

    /// Returns the settings in force.
    pub fn settings(&self) -> &ServerSettings {
        &self.shared.settings
    }

    /// Welcomes a client.
    pub(super) fn client(&self) -> (Client, Inbox) {
        let (outbox, inbox) = outbox();
        let client = Client {
            number: self.shared.clients.fetch_add(1, Ordering::Relaxed),
            shared: self.shared.clone(),
            outbox,
        };
        (client, inbox)
    }
}

impl Drop for AnalysisServer {
    fn drop(&mut self) {
        self.shared.queue.close();
        for worker in self.workers.drain(..) {
            // A worker catches what its searches throw.
            let _ = worker.join();
        }
    }
}

fn drop_unfollowed(
    settings: &mut ServerSettings,
    source: &dyn AnalystSource,
) -> Result<(), String> {
    let options = SearchOptions {
        settings: settings.query.engine.clone(),
        ..SearchOptions::default()
    };
    for name in source.check(&options)? {
        tracing::info!("the setting {name} has no meaning for this engine");
        settings.query.engine.remove(&name);
    }
    Ok(())
}

/// One that asks.
pub(super) struct Client {
    number: u64,
    shared: Arc<Shared>,
    outbox: Outbox,
}

impl Client {
    /// Takes one line.
    pub(super) fn line(&self, line: &str) {
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let object = match serde_json::from_str(line) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return self.refuse(None, &Complaint::general("The line is not an object")),
            Err(error) => {
                let shown: String = line.chars().take(200).collect();
                let message = format!("{error} - could not parse input line as json: {shown}");
                return self.refuse(None, &Complaint::general(message));
            }
        };
        let Some(id) = object.get("id").and_then(Value::as_str).map(str::to_owned) else {
            let message = "A query must have an \"id\" that is a string";
            return self.refuse(None, &Complaint::general(message));
        };
        let action = object.get("action").and_then(Value::as_str);
        let done = match action.map(str::to_owned) {
            Some(action) => self.act(&action, object),
            None => self.ask(&id, &object),
        };
        if let Err(complaint) = done {
            self.refuse(Some(&id), &complaint);
        }
    }

    /// Refuses a line that is longer than is read.
    pub(super) fn line_too_long(&self) {
        let limit = self.shared.settings.max_bytes;
        let message = format!("The line has more than {limit} bytes");
        self.refuse(None, &Complaint::general(message));
    }

    /// Ends everything of this client; nobody waits for an answer.
    pub(super) fn abandon(&self) {
        self.shared.queue.end(&self.which(None, None));
    }

    /// Waits until everything this client asked is answered.
    pub(super) fn wait(&self) {
        self.shared.queue.wait_for(self.number);
    }

    fn refuse(&self, id: Option<&str>, complaint: &Complaint) {
        tracing::debug!("refused: {complaint:?}");
        self.outbox.send(&complaint.to_json("error", id));
    }

    fn which<'a>(&self, id: Option<&'a str>, turns: Option<&'a [i64]>) -> Which<'a> {
        Which {
            client: self.number,
            id,
            turns,
        }
    }

    /// Does what is not a search; the answer repeats the request.
    fn act(&self, action: &str, mut request: Map<String, Value>) -> Result<(), Complaint> {
        let source = &self.shared.source;
        match action {
            "query_version" => {
                let version = &self.shared.settings.version;
                request.insert("version".to_owned(), json!(version));
                request.insert("git_hash".to_owned(), json!("<omitted>"));
            }
            "query_models" => {
                let models = source.models();
                let models = models.iter().map(super::ModelInfo::to_json).collect();
                request.insert("models".to_owned(), Value::Array(models));
            }
            "clear_cache" => source.clear_cache(),
            "terminate" => {
                let what = "A terminate action must have a string \"terminateId\"";
                let id = request.get("terminateId").and_then(Value::as_str);
                let id = id.ok_or_else(|| Complaint::about("terminateId", what))?;
                self.terminate(Some(id), &request)?;
            }
            "terminate_all" => self.terminate(None, &request)?,
            _ => {
                let what = "Must be query_version, query_models, clear_cache, terminate \
                            or terminate_all";
                return Err(Complaint::about("action", what));
            }
        }
        self.outbox.send(&Value::Object(request));
        Ok(())
    }

    fn terminate(&self, id: Option<&str>, request: &Map<String, Value>) -> Result<(), Complaint> {
        let what = "Must be an array of integers, the turns to terminate";
        let turns = Fields(request).integers("turnNumbers", what)?;
        let ended = self.shared.queue.end(&self.which(id, turns.as_deref()));
        for job in ended {
            self.outbox.send(&nothing(&job.query.id, job.turn));
        }
        Ok(())
    }

    /// Puts a question into the queue.
    fn ask(&self, id: &str, object: &Map<String, Value>) -> Result<(), Complaint> {
        let settings = &self.shared.settings;
        let understood = Query::read(id, object, &settings.query, settings.max_side)?;
        let Understood { query, warnings } = understood;
        let allows = object.contains_key("allowMoves");
        let unfollowed = self.unfollowed(&query, allows)?;
        let query = Arc::new(query);
        let job = |turn| Job {
            query: query.clone(),
            turn,
            stop: StopFlag::new(),
            client: self.number,
            outbox: self.outbox.clone(),
        };
        let jobs = query.turns.iter();
        let jobs = jobs.map(|turn| (turn.priority, job(turn.number))).collect();
        // Warnings come before any answer.
        for warning in warnings.iter().chain(&unfollowed) {
            self.outbox.send(&warning.to_json("warning", Some(id)));
        }
        if self.shared.queue.push(jobs, settings.max_waiting) {
            return Ok(());
        }
        let limit = settings.max_waiting;
        let what = format!("More than {limit} positions would wait; ask again later");
        Err(Complaint::about("analyzeTurns", what))
    }

    /// Returns warnings for what the engine will not do; `allows` tells which of its
    /// two names the moves to avoid were asked for by.
    fn unfollowed(&self, query: &Query, allows: bool) -> Result<Vec<Complaint>, Complaint> {
        let bad = |why: String| {
            let what = format!("Could not set settings: {why}");
            Complaint::about("overrideSettings", what)
        };
        let names = self.shared.source.check(&query.options).map_err(bad)?;
        let (settings, fields): (Vec<_>, Vec<_>) = names
            .into_iter()
            .partition(|name| query.options.settings.contains_key(name));
        let mut warnings = Vec::new();
        for field in fields {
            warnings.push(match field.as_str() {
                "avoidMoves" => {
                    let name = if allows { "allowMoves" } else { "avoidMoves" };
                    let what = "This engine searches other moves all the same; they are \
                                left out of its answer";
                    Complaint::about(name, what)
                }
                _ => Complaint::about(&field, "This engine does not do this"),
            });
        }
        if !settings.is_empty() {
            let what = format!("This engine does not follow: {}", settings.join(","));
            warnings.push(Complaint::about("overrideSettings", what));
        }
        Ok(warnings)
    }
}
