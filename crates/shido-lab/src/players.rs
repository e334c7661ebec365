//! From a spec's player to one that plays, and what identifies it.
//!
//! Each worker builds players of its own. What a player is made from (program,
//! settings, hashes of files) goes into every ledger line; files are hashed once,
//! before the first game, so a missing one is an error and not a void game.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use shido_engine::decide::DecideSettings;
use shido_engine::nets::{self, Embedded};
use shido_engine::outside::{EngineFailure, ProcessSettings};
use shido_engine::player::{AnalystPlayer, Choice, GtpPlayer, Player, RandomPlayer};
use shido_engine::{Analyst, Limits, StopFlag};
use shido_go::gtp::Command;
use shido_go::{PointSet, Position};
use shido_patterns::model::{SHIPPED_LARGE, shipped_playout};
use shido_search::{ForBlack, Points};

use crate::classic::{self, ClassicError};
use crate::native::{self, EMBEDDED, NativeError};
use crate::partner::{self, PartnerError};
use crate::provenance::{hash_bytes, hash_file};
use crate::spec::{GtpSpec, PlayerSpec, Spec};

/// What stands for the game's seed in commands.
const SEED: &str = "{seed}";

/// A player of the spec cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Its file cannot be read.
    #[error("players.{player}: {cause}")]
    File {
        /// The player.
        player: String,
        /// Which, and why.
        cause: Unreadable,
    },
    /// Its network does not make an engine.
    #[error("players.{player}: {cause}")]
    Native {
        /// The player.
        player: String,
        /// What is wrong.
        cause: Box<NativeError>,
    },
    /// Its settings or networks do not make a partner.
    #[error("players.{player}: {cause}")]
    Partner {
        /// The player.
        player: String,
        /// What is wrong.
        cause: Box<PartnerError>,
    },
    /// Its settings do not make an engine.
    #[error("players.{player}: {cause}")]
    Classic {
        /// The player.
        player: String,
        /// What is wrong.
        cause: ClassicError,
    },
    /// Its engine cannot be started at all.
    #[error("players.{player}: {cause}")]
    Engine {
        /// The player.
        player: String,
        /// What the engine's side says.
        cause: EngineFailure,
    },
    /// The engine that names the dead stones cannot be started at all.
    #[error("referee: {0}")]
    Referee(EngineFailure),
}

/// Returns the hashes of the files each player plays with.
pub fn hashes(spec: &Spec) -> Result<BTreeMap<String, BTreeMap<String, String>>, PlayerError> {
    let of = |name: &String| Ok((name.clone(), hashes_of(spec, name)?));
    spec.players.keys().map(of).collect()
}

/// Returns the hashes of the files a player plays with.
pub(crate) fn hashes_of(spec: &Spec, name: &str) -> Result<BTreeMap<String, String>, PlayerError> {
    let mut hashes = BTreeMap::new();
    let mut insert = |key: &str, hash: String| hashes.insert(key.to_owned(), hash);
    let file = |cause: Unreadable| PlayerError::File {
        player: name.to_owned(),
        cause,
    };
    match &spec.players[name] {
        PlayerSpec::Native(native) => {
            insert(
                "net",
                net_hash(spec, &native.net, &nets::EVAL).map_err(file)?,
            );
        }
        PlayerSpec::Partner(partner) => {
            if let Some(net) = &partner.net {
                insert("net", net_hash(spec, net, &nets::EVAL).map_err(file)?);
            } else {
                insert("gammas", hash_bytes(shipped_playout(spec.game.board)));
                insert("priors", hash_bytes(SHIPPED_LARGE));
            }
            if partner.human_net != partner::MOVE_MODEL {
                let hash = net_hash(spec, &partner.human_net, &nets::HUMAN);
                insert("human_net", hash.map_err(file)?);
            }
        }
        PlayerSpec::Classic(classic) => {
            match classic.gammas.as_str() {
                "even" => None,
                "shipped" => insert("gammas", hash_bytes(shipped_playout(spec.game.board))),
                path => insert("gammas", hash_of(spec, path).map_err(file)?),
            };
            if classic.priors == "shipped" {
                insert("priors", hash_bytes(SHIPPED_LARGE));
            }
        }
        _ => {}
    }
    Ok(hashes)
}

/// A file that a player or a judge needs and that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {cause}", path.display())]
pub struct Unreadable {
    path: PathBuf,
    cause: std::io::Error,
}

/// Returns the hash of a network by its name in the spec, `own` if it is the program's.
pub(crate) fn net_hash(spec: &Spec, net: &str, own: &Embedded) -> Result<String, Unreadable> {
    match net {
        EMBEDDED => Ok(own.hash()),
        file => hash_of(spec, file),
    }
}

fn hash_of(spec: &Spec, file: &str) -> Result<String, Unreadable> {
    let path = spec.path(file);
    hash_file(&path).map_err(|cause| Unreadable { path, cause })
}

/// Makes a player; one of ours ends its search early when `stop` is raised.
pub fn build(spec: &Spec, name: &str, stop: &StopFlag) -> Result<Box<dyn Player>, PlayerError> {
    match &spec.players[name] {
        PlayerSpec::Gtp(gtp) => Ok(Box::new(Outside::new(gtp.clone()))),
        PlayerSpec::Classic(settings) => {
            let analyst = classic::build(spec, settings).map_err(|cause| PlayerError::Classic {
                player: name.to_owned(),
                cause,
            })?;
            let limits = Limits::playouts(settings.playouts);
            Ok(seat(Box::new(analyst), limits, settings.resign_below, stop))
        }
        PlayerSpec::Native(settings) => {
            let analyst = native::build(spec, settings).map_err(|cause| PlayerError::Native {
                player: name.to_owned(),
                cause: Box::new(cause),
            })?;
            let limits = Limits::visits(settings.visits);
            Ok(seat(Box::new(analyst), limits, settings.resign_below, stop))
        }
        PlayerSpec::Partner(settings) => {
            let made =
                partner::build(spec, settings, stop).map_err(|cause| PlayerError::Partner {
                    player: name.to_owned(),
                    cause: Box::new(cause),
                })?;
            Ok(Box::new(made))
        }
        // A set of records is refused a seat when the spec is read.
        PlayerSpec::Random | PlayerSpec::Sgf { .. } => Ok(Box::new(RandomPlayer::new(0))),
    }
}

/// Gives an analyst of ours a seat.
fn seat(
    analyst: Box<dyn Analyst>,
    limits: Limits,
    resign_below: f64,
    stop: &StopFlag,
) -> Box<dyn Player> {
    let limits = Limits {
        stop: stop.clone(),
        ..limits
    };
    let decide = DecideSettings {
        resign_below: resign_below as f32,
        ..DecideSettings::default()
    };
    Box::new(AnalystPlayer::new(analyst, limits, decide))
}

/// A GTP engine that gets the game's seed, and a new process where it needs one.
struct Outside {
    spec: GtpSpec,
    engine: Option<GtpPlayer>,
    name: String,
    version: String,
}

impl Outside {
    fn new(spec: GtpSpec) -> Outside {
        Outside {
            name: spec.command.clone(),
            version: String::new(),
            spec,
            engine: None,
        }
    }

    /// Returns a running engine; one whose command line has a seed is always new.
    fn ready(&mut self, seed: u64) -> Result<&mut GtpPlayer, EngineFailure> {
        let running = self
            .engine
            .as_mut()
            .is_some_and(|engine| engine.process().is_running());
        if !running || self.spec.command.contains(SEED) {
            self.engine = None;
            let line = self.spec.command.replace(SEED, &seed.to_string());
            let settings = ProcessSettings {
                start_timeout: Duration::from_secs_f64(self.spec.start_timeout_s),
                timeout: Duration::from_secs_f64(self.spec.move_timeout_s),
                ..ProcessSettings::default()
            };
            let engine = GtpPlayer::start(&line, settings)?;
            engine.name().clone_into(&mut self.name);
            engine.version().clone_into(&mut self.version);
            self.engine = Some(engine);
        }
        Ok(self.engine.as_mut().expect("it was just started"))
    }

    fn engine(&mut self) -> Result<&mut GtpPlayer, EngineFailure> {
        self.engine.as_mut().ok_or(EngineFailure::NotRunning)
    }
}

impl Player for Outside {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn new_game(&mut self, position: &Position, seed: u64) -> Result<(), EngineFailure> {
        let commands = self.spec.before_game.clone();
        let engine = self.ready(seed)?;
        for line in commands {
            let line = line.replace(SEED, &seed.to_string());
            let (name, arguments) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            engine.process().ask(&Command::new(name, arguments))?;
        }
        engine.new_game(position, seed)
    }

    fn genmove(&mut self, position: &Position) -> Result<Choice, EngineFailure> {
        self.engine()?.genmove(position)
    }

    fn dead_stones(&mut self, position: &Position) -> Result<Option<PointSet>, EngineFailure> {
        self.engine()?.dead_stones(position)
    }

    fn final_score(
        &mut self,
        position: &Position,
    ) -> Result<Option<ForBlack<Points>>, EngineFailure> {
        self.engine()?.final_score(position)
    }

    fn restart(&mut self) -> Result<(), EngineFailure> {
        // The next game starts it, with that game's seed.
        self.engine = None;
        Ok(())
    }
}

/// Returns the word for a failure in the ledger.
pub(crate) fn failure_name(failure: &EngineFailure) -> &'static str {
    match failure {
        EngineFailure::BadCommandLine { .. } => "bad-command-line",
        EngineFailure::NotStarted { .. } => "not-started",
        EngineFailure::Crashed { .. } => "crashed",
        EngineFailure::HungUp { .. } => "hung-up",
        EngineFailure::TimedOut { .. } => "timed-out",
        EngineFailure::Flooded { .. } => "flooded",
        EngineFailure::BadResponse { .. } => "bad-response",
        EngineFailure::Refused { .. } => "refused",
        EngineFailure::NotRunning => "not-running",
    }
}

/// Returns whether trying again is pointless.
pub(crate) fn is_hopeless(failure: &EngineFailure) -> bool {
    matches!(
        failure,
        EngineFailure::BadCommandLine { .. } | EngineFailure::NotStarted { .. }
    )
}

#[cfg(test)]
mod tests {
    use shido_go::gtp::Reply;
    use shido_go::{Rules, Size};

    use super::*;

    const SPEC: &str = r#"
        name = "nets"
        seed = 1
        [game]
        board = 5
        [players.tiny]
        kind = "native"
        net = "tiny.bin.gz"
        visits = 8
        [players.random]
        kind = "random"
        [[pairings]]
        players = ["tiny", "random"]
        games = 2
    "#;

    #[test]
    fn a_native_player_plays_and_its_network_is_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let mut spec = Spec::parse(SPEC, "nets.toml").unwrap();
        spec.base = folder.path().to_owned();
        assert!(matches!(hashes(&spec), Err(PlayerError::File { .. })));
        let bytes = shido_net::tiny::Plan::new(14).build().to_bytes();
        std::fs::write(folder.path().join("tiny.bin.gz"), &bytes).unwrap();
        assert_eq!(hashes(&spec).unwrap()["tiny"]["net"], hash_bytes(&bytes));
        let mut player = build(&spec, "tiny", &StopFlag::new()).unwrap();
        let position = Position::new(Size::square(5).unwrap(), Rules::CHINESE, 7.5);
        player.new_game(&position, 1).unwrap();
        let choice = player.genmove(&position).unwrap();
        let Reply::Move(mv) = choice.reply else {
            panic!("nobody resigns at move one");
        };
        assert!(position.is_legal(position.to_move(), mv));
        assert_eq!(choice.record.playouts, Some(8));
        std::fs::write(folder.path().join("tiny.bin.gz"), "no network").unwrap();
        drop(player);
        let error = build(&spec, "tiny", &StopFlag::new()).err().unwrap();
        assert!(error.to_string().starts_with("players.tiny: "), "{error}");
    }

    #[test]
    fn a_partner_plays_by_its_level_and_says_how() {
        let text = r#"
            name = "partners"
            seed = 1
            [game]
            board = 7
            rules = "japanese"
            [players.natural]
            kind = "partner"
            partner = "natural"
            level = "12k"
            human_net = "none"
            settings = { simulations = 50 }
            [players.random]
            kind = "random"
            [[pairings]]
            players = ["natural", "random"]
            games = 2
        "#;
        let spec = Spec::parse(text, "partners.toml").unwrap();
        let hashes = hashes(&spec).unwrap();
        let names: Vec<_> = hashes["natural"].keys().map(String::as_str).collect();
        assert_eq!(names, ["gammas", "priors"]);
        let mut player = build(&spec, "natural", &StopFlag::new()).unwrap();
        let position = Position::new(spec.game.board, Rules::JAPANESE, 6.5);
        player.new_game(&position, 1).unwrap();
        let settings = player.settings().unwrap();
        assert_eq!(settings["rank"], "12k");
        assert_eq!(settings["simulations"], 50);
        let choice = player.genmove(&position).unwrap();
        let record = choice.record.partner.expect("the partner's own choice");
        assert_eq!(record.partner.name(), "natural");
    }
}
