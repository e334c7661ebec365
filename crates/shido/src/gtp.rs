//! `shido gtp`: an engine for Sabaki, GoGui, Lizzie, gtp2ogs and kgsGtp.
//!
//! The protocol is in [`shido_engine::gtp`]; this file turns flags into an
//! analyst and settings. Nothing but GTP is written to stdout.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use clap::ValueEnum;
use shido_engine::decide::DecideSettings;
use shido_engine::gtp::{GtpServer, GtpSettings};
use shido_engine::native::LONGEST_SIDE;
use shido_engine::{Analyst, Classic, Native};
use shido_go::{Rules, Size};
use shido_patterns::model::Model;
use shido_patterns::policy::Policy;
use shido_search::uct::{Knowledge, UctSettings};

use crate::BadUsage;
use crate::katago::KataGoArgs;
use crate::neural::NetArgs;
use crate::partner::PartnerArgs;
use crate::stdout::Stdout;

/// Play and analyze over the Go Text Protocol (GTP 2).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What thinks.
    #[arg(long, value_enum, default_value_t = Engine::Native)]
    engine: Engine,

    #[command(flatten)]
    net: NetArgs,

    #[command(flatten)]
    katago: KataGoArgs,

    #[command(flatten)]
    partner: PartnerArgs,

    /// Playouts for a move; if nothing limits it, 5000 of the classic engine and 500 of
    /// the others. A partner has its own number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,

    /// Visits for a move, those kept from the move before included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    visits: Option<u64>,

    /// Seconds for a move, beside whatever clock the controller sets.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,

    /// Threads to search with; all cores unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Where the random numbers start; one thread and a number of playouts then
    /// play the same game again. Without it a partner draws anew each time.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Memory for the tree, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: usize,

    /// Gammas of the playouts, as `shido patterns train` or `balance` writes them, instead of
    /// the program's own; they then give the tree's priors too.
    #[arg(long, value_name = "FILE")]
    gammas: Option<PathBuf>,

    /// Rules until the controller sets others, by name or in KataGo's forms.
    #[arg(long, value_name = "RULES", default_value_t = Rules::CHINESE)]
    rules: Rules,

    /// Board until the controller sets another, e.g. 9 or 19x13.
    #[arg(long, value_name = "SIZE", default_value = "19")]
    size: Size,

    /// Komi until the controller sets another.
    #[arg(
        long,
        value_name = "POINTS",
        default_value_t = 7.5,
        allow_negative_numbers = true
    )]
    komi: f32,

    /// Win rate below which to resign, if far behind in points too; 0 never to. A partner has a
    /// rule of its own (`--set resign.enabled=false`).
    #[arg(long, value_name = "RATE", default_value_t = DecideSettings::default().resign_below)]
    resign_below: f32,
}

/// What thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// UCT with RAVE over Bradley–Terry playouts; needs no network.
    Classic,
    /// The neural search on a network in KataGo's format.
    Native,
    /// A KataGo process, for those with a graphics card.
    Katago,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() => Ok(time),
        // Longer than any duration.
        Err(_) if number > 0.0 => Ok(Duration::MAX),
        _ => Err("must be more than 0".to_owned()),
    }
}

/// Speaks GTP until `quit` or the end of the input.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    let mut server = GtpServer::new(analyst(args)?, settings);
    if args.partner.wanted() {
        server.seat_partner().map_err(BadUsage)?;
    }
    server.run(std::io::stdin(), out)?;
    Ok(ExitCode::SUCCESS)
}

fn analyst(args: &Args) -> anyhow::Result<Box<dyn Analyst>> {
    match args.engine {
        Engine::Classic => Ok(Box::new(classic(args)?)),
        Engine::Native => Ok(Box::new(native(args)?)),
        Engine::Katago => {
            let net = args.net.net.as_deref();
            Ok(Box::new(args.katago.start(net, args.threads)?))
        }
    }
}

fn native(args: &Args) -> anyhow::Result<Native> {
    let mut settings = args.net.settings(args.threads);
    settings.puct.seed = args.seed.unwrap_or(0);
    settings.puct.report.memory = args.memory.saturating_mul(1 << 20);
    Native::new(args.net.open()?, settings, args.net.cache_bytes())
        .map_err(|error| BadUsage(error.to_string()).into())
}

fn classic(args: &Args) -> anyhow::Result<Classic> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let settings = UctSettings {
        threads: args.threads.map_or_else(cores, usize::from),
        seed: args.seed.unwrap_or(0),
        memory: args.memory.saturating_mul(1 << 20),
        // Playouts that cannot change the move are not played.
        stop_when_decided: true,
        ..UctSettings::default()
    };
    let knowledge = match &args.gammas {
        Some(path) => Knowledge::of_policy(read_policy(path)?),
        None => Knowledge::shipped(),
    };
    Classic::new(settings, knowledge).map_err(|error| BadUsage(error.to_string()).into())
}

fn read_policy(path: &Path) -> anyhow::Result<Policy> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let model = Model::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    Policy::from_model(&model).with_context(|| path.display().to_string())
}

/// Returns a seed that no start before had, and says it, so that a game can be repeated.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seed = now.map_or(0, |it| it.as_nanos() as u64);
    tracing::info!("the partner's draws begin with --seed {seed}");
    seed
}

fn settings(args: &Args) -> anyhow::Result<GtpSettings> {
    if !(0.0..=1.0).contains(&args.resign_below) {
        let why = format!(
            "--resign-below must be from 0 to 1, is {}",
            args.resign_below
        );
        return Err(BadUsage(why).into());
    }
    if !args.komi.is_finite() {
        return Err(BadUsage(format!("--komi must be a number, is {}", args.komi)).into());
    }
    let (default_playouts, max_side) = match args.engine {
        Engine::Classic => (5000, Size::MAX),
        Engine::Native | Engine::Katago => (500, LONGEST_SIDE),
    };
    if args.size.width().max(args.size.height()) > max_side {
        let why = format!("--size: networks take boards up to {max_side}×{max_side}");
        return Err(BadUsage(why).into());
    }
    let mut settings = GtpSettings {
        playouts: args.playouts,
        visits: args.visits,
        default_playouts,
        max_side,
        time: args.time,
        size: args.size,
        rules: args.rules,
        komi: args.komi,
        decide: DecideSettings {
            resign_below: args.resign_below,
            ..DecideSettings::default()
        },
        cpu: args.net.cpu(),
        seed: args.seed.unwrap_or_else(fresh_seed),
        ..GtpSettings::default()
    };
    args.partner.check()?;
    args.partner.fill(&mut settings);
    Ok(settings)
}
