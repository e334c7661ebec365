//! `shido` and `shido serve`: the page, on this machine alone.
//!
//! The server is [`shido_web`]; this file finds the data folder, keeps the log,
//! says where the page is and opens the browser.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::Parser;
use shido_engine::Network;
use shido_net::CpuChoice;
use shido_web::partners::{ClassicSettings, House, NativeParts, People};
use shido_web::serve::{Bound, Settings};

use crate::log;
use crate::neural::NetArgs;
use crate::stdout::Stdout;
use crate::{BadUsage, args};

/// The port of the page, unless another is asked for.
const PORT: u16 = 8510;

/// Play in the browser; what `shido` alone does.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Port of the page on 127.0.0.1; the next free one is taken if it is in use.
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,

    /// Folder for games, records and the log.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,

    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,

    /// Threads the engine searches with; all cores unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// A network that knows what people play, in KataGo's format (humanv0 works), or
    /// `none` for the classic engine's move model; the program's own unless given.
    #[arg(long, value_name = "FILE")]
    human_net: Option<PathBuf>,

    #[command(flatten)]
    net: NetArgs,
}

impl Args {
    /// Returns what `shido serve` without a flag means.
    pub(crate) fn usual() -> Args {
        let typed = args::Args::parse_from(["shido", "serve"]);
        match typed.command {
            Some(args::Command::Serve(args)) => args,
            _ => unreachable!("that is the command it was given"),
        }
    }
}

/// Serves the page until Ctrl-C or a signal to stop.
pub(crate) fn run(args: &Args, verbose: u8, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let folder = match &args.data_dir {
        Some(folder) => folder.clone(),
        None => data_folder().ok_or_else(|| {
            anyhow!("there is no home folder to keep games in: give one with --data-dir")
        })?,
    };
    prepare(&folder)?;
    log_to(&folder, verbose)?;
    let settings = Settings {
        port: args.port,
        database: folder.join("shido.sqlite3"),
        house: house(args)?,
    };
    shido_web::serve::run(settings, |bound| announce(args, bound, &folder, out))?;
    writeln!(out, "stopped")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns who plays: the coach's partners, with a network that judges.
fn house(args: &Args) -> anyhow::Result<House> {
    let mut classic = ClassicSettings::default();
    if let Some(threads) = args.threads {
        classic.threads = usize::from(threads);
    }
    let people = Some(people(args)?);
    let parts = NativeParts {
        network: args.net.open()?,
        settings: args.net.settings(args.threads),
        cache_bytes: args.net.cache_bytes(),
    };
    House::native(parts, classic, people).map_err(|error| BadUsage(error.to_string()).into())
}

/// Returns who says what people play.
fn people(args: &Args) -> anyhow::Result<People> {
    let Some(path) = &args.human_net else {
        return Ok(People::Embedded(CpuChoice::Auto));
    };
    if path.as_os_str() == "none" {
        return Ok(People::MoveModel);
    }
    let network = Network::open(path, CpuChoice::Auto)?;
    Ok(People::Network(Arc::new(network)))
}

/// Makes the data folder and makes sure that it can be written.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    let why = || {
        let folder = folder.display();
        format!("cannot write to the data folder {folder}: choose another with --data-dir")
    };
    std::fs::create_dir_all(folder).with_context(why)?;
    let probe = folder.join(".writable");
    std::fs::write(&probe, b"").with_context(why)?;
    std::fs::remove_file(&probe).with_context(why)
}

fn log_to(folder: &Path, verbose: u8) -> anyhow::Result<()> {
    let path = folder.join("shido.log");
    let file = log::open(&path).with_context(|| format!("cannot write {}", path.display()))?;
    log::start(verbose, Some(file));
    // What goes wrong in a thread belongs in the log too.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        tracing::error!("{info}");
        usual(info);
    }));
    Ok(())
}

/// Says where the page is, and shows it on a desktop.
fn announce(args: &Args, bound: &Bound, folder: &Path, out: &mut Stdout) -> io::Result<()> {
    let url = format!("http://{}/", bound.address);
    tracing::info!("serving {url} with {}", folder.display());
    if bound.was_taken {
        let (wanted, port) = (args.port, bound.address.port());
        writeln!(out, "port {wanted} is taken; using {port}")?;
    }
    writeln!(out, "shido is at {url} (Ctrl-C stops it)")?;
    out.flush()?;
    if !args.no_open && io::stdout().is_terminal() && has_desktop() {
        open_browser(&url);
    }
    Ok(())
}

fn has_desktop() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    cfg!(any(target_os = "macos", windows)) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn open_browser(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    let quiet = command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Err(error) = quiet.spawn() {
        // The address is on the screen; a person can follow it.
        tracing::info!("no browser was opened: {error}");
    }
}

/// Returns the user's folder for this program's data.
fn data_folder() -> Option<PathBuf> {
    let absolute = |name| {
        let folder = PathBuf::from(std::env::var_os(name)?);
        folder.is_absolute().then_some(folder)
    };
    let base = if cfg!(windows) {
        absolute("APPDATA")?
    } else if cfg!(target_os = "macos") {
        std::env::home_dir()?.join("Library/Application Support")
    } else {
        match absolute("XDG_DATA_HOME") {
            Some(folder) => folder,
            None => std::env::home_dir()?.join(".local/share"),
        }
    };
    Some(base.join("shido"))
}
