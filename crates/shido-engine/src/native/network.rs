//! A network file, read and packed for this processor, shared by all that search with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::away::{Away, PATIENCE};
use super::wire::Greeting;
use crate::json::ModelInfo;
use crate::nets::Embedded;
use sha2::{Digest, Sha256};
use shido_net::{CpuChoice, CpuError, Engine, Forward, Judge, Model, ModelError, Profile};

/// How the names begin that `train/` gives to human networks.
const BY_RANK: &str = "shido-human";

/// A network that is ready to evaluate positions.
#[derive(Debug)]
pub struct Network {
    /// Where it came from, for people.
    pub file: String,
    /// What its maker called it.
    pub name: String,
    /// The version of its format.
    pub version: u32,
    /// SHA-256 of the file, in hexadecimal; empty if it is not from a file.
    pub hash: String,
    /// Whether it wants a description of the player it should imitate.
    pub imitates_people: bool,
    /// Whether it was trained with nothing but ranks said of players, as ours are. What
    /// a profile says of their time would be noise to it.
    pub knows_ranks_alone: bool,
    /// Whether it judges life as if suicide were allowed.
    pub pass_alive_under_suicide: bool,
    pub(super) engine: Engine,
    pub(super) judge: Judge,
    policies: usize,
    /// What computes it in place of this processor.
    away: Option<Away>,
}

/// A network cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        cause: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Written {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        cause: std::io::Error,
    },
    /// The file is no network.
    #[error("{}: {cause}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: ModelError,
    },
    /// This processor cannot compute it as asked.
    #[error(transparent)]
    Cpu(#[from] CpuError),
    /// The process that should compute it does not.
    #[error("the evaluator `{command}` cannot be used: {cause}")]
    Evaluator {
        /// Its command line.
        command: String,
        /// What went wrong.
        cause: std::io::Error,
    },
}

impl Network {
    /// Reads a network file and packs it for the processor.
    pub fn open(path: &Path, cpu: CpuChoice) -> Result<Network, NetworkError> {
        let bytes = std::fs::read(path).map_err(|cause| NetworkError::File {
            path: path.to_owned(),
            cause,
        })?;
        let model = Model::read(&bytes).map_err(|cause| NetworkError::Model {
            path: path.to_owned(),
            cause,
        })?;
        let mut network = Network::new(model, cpu)?;
        network.file = path.display().to_string();
        network.hash = format!("{:x}", Sha256::digest(&bytes));
        Ok(network)
    }

    /// Packs a network that is part of the program.
    pub fn embedded(net: &Embedded, cpu: CpuChoice) -> Result<Network, NetworkError> {
        let mut network = Network::of(&net.model(), cpu)?;
        net.name.clone_into(&mut network.file);
        network.hash = net.hash();
        Ok(network)
    }

    /// Packs a network for the processor.
    pub fn new(model: Model, cpu: CpuChoice) -> Result<Network, NetworkError> {
        Network::of(&Arc::new(model), cpu)
    }

    fn of(model: &Arc<Model>, cpu: CpuChoice) -> Result<Network, NetworkError> {
        let judge = Judge::new(model);
        let engine = Engine::new(Arc::clone(model), cpu)?;
        for warning in engine.warnings() {
            tracing::warn!("{warning}");
        }
        Ok(Network {
            file: model.name.clone(),
            name: model.name.clone(),
            version: model.version,
            hash: String::new(),
            imitates_people: model.trunk.meta_encoder.is_some(),
            knows_ranks_alone: model.name.starts_with(BY_RANK),
            pass_alive_under_suicide: model.prefers_pass_alive_under_suicide,
            engine,
            judge,
            policies: model.policy.p2_conv.outputs,
            away: None,
        })
    }

    /// Returns what it can be told of whom to imitate.
    pub(crate) fn profile(&self, asked: Option<Profile>) -> Option<Profile> {
        let profile = asked.filter(|_| self.imitates_people)?;
        Some(if self.knows_ranks_alone {
            profile.by_rank_alone()
        } else {
            profile
        })
    }

    /// Has a process compute the network from now on.
    ///
    /// `command` is a command line to which the network's file is added; `file` holds
    /// this very network. The process says which outputs its network has; others than
    /// this one's are refused.
    pub fn compute_by(&mut self, command: &str, file: &Path) -> Result<(), NetworkError> {
        let failed = |cause| NetworkError::Evaluator {
            command: command.to_owned(),
            cause,
        };
        let words = shell_words::split(command);
        let mut words = words.map_err(|error| failed(std::io::Error::other(error)))?;
        words.push(file.display().to_string());
        let away = Away::start(&words, self.greeting(), PATIENCE).map_err(failed)?;
        self.away = Some(away);
        Ok(())
    }

    /// Makes a pass for one thread.
    pub(super) fn forward(&self) -> Box<dyn Forward> {
        let here = self.engine.forward();
        match &self.away {
            Some(away) => away.forward(here),
            None => here,
        }
    }

    /// Returns what a process that computes it has to say of it.
    pub(super) fn greeting(&self) -> Greeting {
        Greeting {
            policies: self.policies,
            has_meta: self.imitates_people,
        }
    }

    /// Describes it as KataGo's protocols do.
    pub fn info(&self) -> ModelInfo {
        ModelInfo {
            name: self.file.clone(),
            internal_name: self.name.clone(),
            version: self.version,
            max_batch_size: super::MOST_AT_ONCE,
            uses_human_profile: self.imitates_people,
            uses_half_precision: self.cpu() == "amx",
        }
    }

    /// Returns how it is computed in a word, e.g. `avx512`.
    pub fn cpu(&self) -> &'static str {
        match &self.away {
            Some(_) => "evaluator",
            None => self.engine.name(),
        }
    }
}
