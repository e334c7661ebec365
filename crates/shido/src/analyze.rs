//! `shido analyze`: KataGo's JSON analysis protocol, for KaTrain and others.
//!
//! The protocol is in [`shido_engine::json`]; this file turns flags into an engine
//! and settings. Nothing but responses is written to stdout. Programs that start
//! `katago analysis -model FILE -config FILE …` can start shido in its place: the
//! name `analysis` and KataGo's flags with one dash are understood too.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::ValueEnum;
use shido_engine::json::{
    AnalysisServer, AnalystSource, ConfigLine, ListenSettings, Listener, NativeSource, People,
    Perspective, QuerySettings, ServerSettings, read_config, read_overrides,
};
use shido_engine::native::LONGEST_SIDE;
use shido_engine::{Analyst, Classic, NativeSettings};
use shido_go::Size;
use shido_search::puct::PuctSettings;
use shido_search::uct::{Knowledge, UctSettings};

use crate::BadUsage;
use crate::neural::NetArgs;
use crate::partner::human_net;
use crate::stdout::Stdout;

/// Answer KataGo's JSON analysis queries on stdin and stdout, or over WebSocket.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What thinks.
    #[arg(long, value_enum, default_value_t = Engine::Native)]
    engine: Engine,

    #[command(flatten)]
    net: NetArgs,

    /// A network that knows what people play, in KataGo's format (humanv0 works), for
    /// queries that name a `humanSLProfile`; `none` for none; the program's own unless given.
    #[arg(long, value_name = "FILE", visible_alias = "human-model")]
    human_net: Option<PathBuf>,

    /// KataGo's configuration file; settings without a meaning here are passed over.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Settings over those of the file, as in `maxVisits=100,reportAnalysisWinratesAs=BLACK`.
    #[arg(long, value_name = "NAME=VALUE,…")]
    override_config: Vec<String>,

    /// Visits for a position unless its query says otherwise; 500 if the settings do not say.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    visits: Option<u64>,

    /// Positions to search at the same time; at most two, and a core each, unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    analysis_threads: Option<u16>,

    /// Threads to search each position with; the cores shared out unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Memory for each tree, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 128)]
    memory: usize,

    /// Where the random numbers of every search start.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Serve WebSocket clients at this address instead of stdin; a port alone means this
    /// machine only.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,

    /// Let pages of this origin connect, e.g. `https://example.org`; only with --listen.
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    allow_origin: Vec<String>,

    /// When stdin ends, drop what waits instead of finishing it.
    #[arg(long)]
    quit_without_waiting: bool,
}

/// What thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// PUCT on a network.
    Native,
    /// UCT with RAVE over Bradley–Terry playouts; needs no network.
    Classic,
}

/// KataGo's flags, which have one dash.
const KATAGO_FLAGS: [&str; 7] = [
    "model",
    "human-model",
    "human-net",
    "config",
    "override-config",
    "analysis-threads",
    "quit-without-waiting",
];

/// Returns the command line with KataGo's flags written as ours.
pub(crate) fn with_two_dashes(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    // Flags of the whole program, such as -v, may come before the command.
    let is_flag = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with('-'));
    let at = 1 + words.iter().skip(1).take_while(|it| is_flag(it)).count();
    let command = words.get(at);
    if command.is_some_and(|word| word == "analysis" || word == "analyze") {
        for word in words.iter_mut().skip(at + 1) {
            let flag = word.to_str().and_then(|word| word.strip_prefix('-'));
            if let Some(flag) = flag.filter(|flag| KATAGO_FLAGS.contains(flag)) {
                *word = format!("--{flag}").into();
            }
        }
    }
    words
}

/// Answers queries until the input ends, or for ever over WebSocket.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let (settings, threads) = settings(args)?;
    let source = source(args, threads)?;
    let server = AnalysisServer::start(settings, source).map_err(BadUsage)?;
    match &args.listen {
        None => {
            tracing::info!("ready");
            server.serve(std::io::stdin(), out)?;
        }
        Some(address) => listen(args, address, server)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn listen(args: &Args, address: &str, server: AnalysisServer) -> anyhow::Result<()> {
    let address = match address.parse::<u16>() {
        Ok(port) => format!("127.0.0.1:{port}"),
        Err(_) => address.to_owned(),
    };
    let settings = ListenSettings {
        origins: args.allow_origin.clone(),
        ..ListenSettings::default()
    };
    let listener = Listener::bind(&address, settings)
        .with_context(|| format!("cannot listen at {address}"))?;
    eprintln!("shido: serving at ws://{}", listener.address()?);
    listener.run(&Arc::new(server))?;
    Ok(())
}

fn source(args: &Args, threads: usize) -> anyhow::Result<Arc<dyn AnalystSource>> {
    match args.engine {
        Engine::Native => native(args, threads),
        Engine::Classic => classic(args, threads),
    }
}

fn native(args: &Args, threads: usize) -> anyhow::Result<Arc<dyn AnalystSource>> {
    let mut puct = PuctSettings::analysis();
    puct.seed = args.seed;
    puct.report.memory = args.memory.saturating_mul(1 << 20);
    // The first move and fifteen more, as KataGo tells them.
    puct.report.line = QuerySettings::LINE_LENGTH + 1;
    puct.check().map_err(|error| BadUsage(error.to_string()))?;
    let settings = NativeSettings {
        puct,
        threads,
        ..args.net.settings(None)
    };
    let network = args.net.open()?;
    let people = People::open(&human_net(args.human_net.as_ref()), args.net.cpu())?;
    let source = NativeSource::new(network, settings, args.net.cache_bytes());
    Ok(Arc::new(source.with_people(people)))
}

fn classic(args: &Args, threads: usize) -> anyhow::Result<Arc<dyn AnalystSource>> {
    for path in [&args.net.net, &args.human_net].into_iter().flatten() {
        tracing::warn!("the classic engine does not use {}", path.display());
    }
    let settings = UctSettings {
        threads,
        seed: args.seed,
        memory: args.memory.saturating_mul(1 << 20),
        ..UctSettings::default()
    };
    settings
        .check()
        .map_err(|error| BadUsage(error.to_string()))?;
    let knowledge = Knowledge::shipped();
    Ok(Arc::new(move || {
        let classic = Classic::new(settings.clone(), knowledge.clone());
        let boxed = |it| Box::new(it) as Box<dyn Analyst>;
        classic.map(boxed).map_err(|error| error.to_string())
    }))
}

/// Returns the server's settings and the threads of each search.
fn settings(args: &Args) -> anyhow::Result<(ServerSettings, usize)> {
    let mut settings = ServerSettings {
        seed: args.seed,
        max_waiting: match &args.listen {
            // A script may write all it has and then read.
            None => usize::MAX,
            Some(_) => ServerSettings::default().max_waiting,
        },
        quit_without_waiting: args.quit_without_waiting,
        max_side: match args.engine {
            Engine::Native => LONGEST_SIDE,
            Engine::Classic => Size::MAX,
        },
        ..ServerSettings::default()
    };
    let mut told = Told::default();
    if let Some(path) = &args.config {
        // What a configuration of KataGo's means that does not say.
        settings.query.perspective = Perspective::SideToMove;
        for (name, value) in config_file(path, &mut Vec::new())? {
            told.take(&mut settings, &name, &value)
                .map_err(|why| BadUsage(format!("{}: {why}", path.display())))?;
        }
    }
    for text in &args.override_config {
        let bad = |why| BadUsage(format!("--override-config: {why}"));
        for (name, value) in read_overrides(text).map_err(bad)? {
            told.take(&mut settings, &name, &value).map_err(bad)?;
        }
    }
    settings.query.max_visits = args.visits.or(settings.query.max_visits);
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (workers, threads) = told.share(args, cores);
    settings.workers = workers;
    Ok((settings, threads))
}

/// Reads a configuration with the files that it includes, each of them once, so that
/// none includes itself.
fn config_file(path: &Path, seen: &mut Vec<PathBuf>) -> anyhow::Result<Vec<(String, String)>> {
    // A pipe has no other name than the one given.
    let plain = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    anyhow::ensure!(
        !seen.contains(&plain),
        "{} is included twice",
        path.display()
    );
    seen.push(plain);
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = read_config(&text);
    let lines = lines.map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?;
    let mut settings = Vec::new();
    for line in lines {
        match line {
            ConfigLine::Setting { name, value } => settings.push((name, value)),
            ConfigLine::Include(file) => {
                let inner = path.parent().unwrap_or(Path::new("")).join(&file);
                let inner = config_file(&inner, seen);
                settings.extend(inner.with_context(|| format!("{}", path.display()))?);
            }
        }
    }
    Ok(settings)
}

/// What a configuration says about threads.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    analysis: Option<usize>,
    search: Option<usize>,
}

impl Told {
    fn take(
        &mut self,
        settings: &mut ServerSettings,
        name: &str,
        value: &str,
    ) -> Result<(), String> {
        let count = || {
            let count = value.parse().ok().filter(|&count: &usize| count > 0);
            count.ok_or_else(|| format!("{name} must be an integer above 0, is `{value}`"))
        };
        match name {
            "numAnalysisThreads" => self.analysis = Some(count()?),
            "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => {
                self.search = Some(count()?);
            }
            _ => settings.query.set(name, value)?,
        }
        Ok(())
    }

    /// Returns the positions to search at once and the threads for each.
    ///
    /// A configuration is often made for a graphics card, which wants many threads
    /// to wait for it; a processor wants no more than it has cores. Flags are obeyed.
    fn share(&self, args: &Args, cores: usize) -> (usize, usize) {
        let by_config = self.analysis.map(|it| it.min(cores));
        let workers = args.analysis_threads.map(usize::from).or(by_config);
        let workers = workers.unwrap_or(cores.min(2));
        let share = (cores / workers).max(1);
        let by_config = self.search.map(|it| it.min(share));
        let threads = args.threads.map(usize::from).or(by_config);
        (workers, threads.unwrap_or(share))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &[&str]) -> Args {
        let program = ["shido", "analysis"].iter().chain(words);
        let mut words = with_two_dashes(program.map(OsString::from));
        words.remove(1);
        Only::parse_from(words).args
    }

    #[test]
    fn katagos_flags_are_understood_after_its_command_alone() {
        let words = ["shido", "analysis", "-config", "a.cfg", "-v", "-modelx"];
        let found = with_two_dashes(words.iter().map(OsString::from));
        let expect = ["shido", "analysis", "--config", "a.cfg", "-v", "-modelx"];
        assert_eq!(found, expect);
        let words = ["shido", "gtp", "-config"];
        let same = with_two_dashes(words.iter().map(OsString::from));
        assert_eq!(same, words);
    }

    #[test]
    fn the_human_network_has_two_names() {
        for flag in ["-human-model", "--human-model", "-human-net", "--human-net"] {
            let found = args(&[flag, "a.bin.gz"]).human_net;
            assert_eq!(found, Some(PathBuf::from("a.bin.gz")), "{flag}");
        }
    }

    #[test]
    fn threads_follow_flags_and_never_a_graphics_card() {
        let told = Told {
            analysis: Some(12),
            search: Some(8),
        };
        assert_eq!(told.share(&args(&[]), 4), (4, 1));
        assert_eq!(Told::default().share(&args(&[]), 8), (2, 4));
        assert_eq!(Told::default().share(&args(&[]), 1), (1, 1));
        let flags = args(&["-analysis-threads", "3", "--threads", "5"]);
        assert_eq!(told.share(&flags, 2), (3, 5));
    }

    #[test]
    fn a_silent_configuration_means_what_it_means_to_katago() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("analysis.cfg");
        let file = file.to_str().unwrap();
        let told = |text: &str, more: &[&str]| {
            std::fs::write(file, text).unwrap();
            let words: Vec<_> = ["-config", file].iter().chain(more).copied().collect();
            settings(&args(&words)).unwrap().0.query.perspective
        };
        assert_eq!(told("maxVisits = 5\n", &[]), Perspective::SideToMove);
        let white = "reportAnalysisWinratesAs = WHITE\n";
        assert_eq!(told(white, &[]), Perspective::White);
        let over = ["-override-config", "reportAnalysisWinratesAs=BLACK"];
        assert_eq!(told("", &over), Perspective::Black);
        let plain = settings(&args(&[])).unwrap().0.query.perspective;
        assert_eq!(plain, Perspective::Black);
    }

    #[test]
    fn files_include_others_beside_them_and_never_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        write("in/b.cfg", "@include c.cfg\nmaxTime = 2\n");
        write("in/c.cfg", "analysisPVLen = 3\nmaxTime = 9\n");
        let text = "maxVisits = 5\n@include in/b.cfg\nreportAnalysisWinratesAs = \"WHITE\" # w\n";
        let file = write("a.cfg", text);
        let (read, _) = settings(&args(&["-config", &file])).unwrap();
        let query = read.query;
        assert_eq!((query.max_visits, query.line_length), (Some(5), 3));
        assert_eq!(query.max_time, Some(std::time::Duration::from_secs(2)));
        assert_eq!(query.perspective, Perspective::White);
        for (text, expect) in [
            ("@include ../in/../a.cfg", "a.cfg is included twice"),
            ("@include none.cfg", "cannot read "),
            ("maxVisits", "b.cfg: line 1: "),
        ] {
            write("in/b.cfg", text);
            let error = settings(&args(&["-config", &file])).unwrap_err();
            assert!(format!("{error:#}").contains(expect), "{error:#}");
        }
    }

    #[test]
    fn overrides_come_over_the_file_and_flags_over_both() {
        let (settings, _) = settings(&args(&["-override-config", "maxVisits=7"])).unwrap();
        assert_eq!(settings.query.max_visits, Some(7));
        let flags = args(&["-override-config", "maxVisits=7", "--visits", "9"]);
        assert_eq!(super::settings(&flags).unwrap().0.query.max_visits, Some(9));
        let bad = super::settings(&args(&["-override-config", "maxVisits=0"])).unwrap_err();
        assert!(bad.is::<BadUsage>(), "{bad}");
    }
}
