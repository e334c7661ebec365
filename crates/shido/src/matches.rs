//! `shido match`: a plain match between two players, without a spec file.
//!
//! It writes the spec of the match and runs it as the lab would, so a match is
//! kept, resumed and reported like any experiment.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use shido_coach::Level;
use shido_coach::play::PartnerKind;
use shido_lab::report::{Games, Report};
use shido_lab::runner::RunSettings;
use shido_lab::schedule::Selection;
use shido_lab::spec::Spec;

use crate::stdout::Stdout;
use crate::{BadUsage, lab};

/// Play a match between two players.
///
/// A player is `random`, `classic`, `classic:2000` for 2,000 playouts a move, a teaching
/// partner such as `natural` or `natural:8k` at a level, or the command line of any GTP
/// engine.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One player; Black in the first game.
    first: String,
    /// The other player.
    second: String,
    /// How many games; colors change every game.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The board's side.
    #[arg(long, default_value_t = 9)]
    board: u32,
    /// What White gets for moving second.
    #[arg(long, default_value_t = 7.5)]
    komi: f32,
    /// chinese, tromp-taylor or japanese.
    #[arg(long, default_value = "chinese")]
    rules: String,
    /// A GTP engine that names the dead stones at the end; otherwise under Japanese rules the
    /// players do, under the others every stone on the board is alive.
    #[arg(long)]
    referee: Option<String>,
    /// What all randomness is derived from.
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Games at a time; by default as many as the machine has cores for.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// The folder to keep the games in; a match can go on there.
    #[arg(long, default_value = "match")]
    out: PathBuf,
    /// The commit to write into the ledger, for a program that does not know its own.
    #[arg(long)]
    commit: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, out: &mut Stdout) -> anyhow::Result<ExitCode> {
    let text = spec_text(args)?;
    let spec = Spec::parse(&text, "the match").map_err(|error| BadUsage(error.to_string()))?;
    let settings = RunSettings {
        jobs: args.jobs.map(|jobs| jobs as usize),
        games: Selection::ALL,
        begin_within: None,
        provenance: lab::provenance(args.commit.as_deref())?,
        stop: lab::stop_on_interrupt()?,
    };
    let summary = lab::play((&spec, &text), &args.out, &settings)?;
    let games = Games::read(&args.out, &spec)?;
    let report = Report::of(&spec, &games, &std::collections::BTreeMap::new())?;
    report.write(&args.out, &games)?;
    write!(out, "{}", report.to_markdown())?;
    let whole = summary.finished == summary.total;
    Ok(if whole {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[derive(Serialize)]
struct MatchSpec<'a> {
    name: &'a str,
    title: String,
    seed: u32,
    game: MatchGame<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    referee: Option<MatchReferee<'a>>,
    players: MatchPlayers<'a>,
    pairings: [MatchPairing; 1],
}

#[derive(Serialize)]
struct MatchGame<'a> {
    board: u32,
    komi: f32,
    rules: &'a str,
}

#[derive(Serialize)]
struct MatchReferee<'a> {
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
}

#[derive(Serialize)]
struct MatchPlayers<'a> {
    first: MatchPlayer<'a>,
    second: MatchPlayer<'a>,
}

#[derive(Serialize, Default)]
struct MatchPlayer<'a> {
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<&'static str>,
}

#[derive(Serialize)]
struct MatchPairing {
    players: [&'static str; 2],
    games: u32,
}

/// Returns who names the dead stones: the engine that was given, or by territory the
/// players, who leave them on the board; by area every stone counts as alive.
fn referee(args: &Args) -> Option<MatchReferee<'_>> {
    let command = args.referee.as_deref();
    let kind = match command {
        Some(_) => "engine",
        None if args.rules == "japanese" => "players",
        None => return None,
    };
    Some(MatchReferee { kind, command })
}

/// Writes the match as a spec.
fn spec_text(args: &Args) -> anyhow::Result<String> {
    let spec = MatchSpec {
        name: "match",
        title: format!("{} – {}", args.first, args.second),
        seed: args.seed,
        game: MatchGame {
            board: args.board,
            komi: args.komi,
            rules: &args.rules,
        },
        referee: referee(args),
        players: MatchPlayers {
            first: player(&args.first)?,
            second: player(&args.second)?,
        },
        pairings: [MatchPairing {
            players: ["first", "second"],
            games: args.games,
        }],
    };
    Ok(toml::to_string(&spec)?)
}

fn player(text: &str) -> Result<MatchPlayer<'_>, BadUsage> {
    let text = text.trim();
    let (name, detail) = match text.split_once(':') {
        Some((name, detail)) => (name, Some(detail)),
        None => (text, None),
    };
    if let Ok(kind) = name.parse::<PartnerKind>() {
        return partner(kind, detail);
    }
    match (name, detail) {
        ("random", None) => Ok(MatchPlayer {
            kind: "random",
            ..MatchPlayer::default()
        }),
        ("classic", detail) => Ok(MatchPlayer {
            kind: "classic",
            playouts: detail.map(|it| playouts(it, text)).transpose()?,
            ..MatchPlayer::default()
        }),
        _ => Ok(MatchPlayer {
            kind: "gtp",
            command: Some(text),
            ..MatchPlayer::default()
        }),
    }
}

fn playouts(number: &str, text: &str) -> Result<u32, BadUsage> {
    let bad = |_| {
        BadUsage(format!(
            "`{number}` in `{text}` is not a number of playouts"
        ))
    };
    number.parse().map_err(bad)
}

/// Returns a partner; it thinks with the program's own network.
fn partner(kind: PartnerKind, level: Option<&str>) -> Result<MatchPlayer<'static>, BadUsage> {
    let level = level.map(str::parse::<Level>).transpose();
    let level = level.map_err(|error| BadUsage(error.to_string()))?;
    Ok(MatchPlayer {
        kind: "partner",
        partner: Some(kind.name()),
        level: level.map(|it| it.to_string()),
        net: Some("embedded"),
        ..MatchPlayer::default()
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn players_agree_on_dead_stones_under_japanese_rules() {
        let text = |words: &[&str]| {
            let words = ["match", "random", "random"].iter().chain(words);
            spec_text(&Command::parse_from(words).args).unwrap()
        };
        assert!(!text(&[]).contains("[referee]"));
        assert!(text(&["--rules", "japanese"]).contains("kind = \"players\""));
        let told = text(&["--rules", "japanese", "--referee", "gnugo --mode gtp"]);
        assert!(told.contains("command = \"gnugo --mode gtp\""));
    }

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn players_are_read() {
        assert_eq!(player("random").unwrap().kind, "random");
        let classic = player("classic:2000").unwrap();
        assert_eq!((classic.kind, classic.playouts), ("classic", Some(2000)));
        let gnugo = player("gnugo --mode gtp").unwrap();
        assert_eq!(
            (gnugo.kind, gnugo.command),
            ("gtp", Some("gnugo --mode gtp"))
        );
        assert!(player("classic:many").is_err());
        let natural = player("natural:8k").unwrap();
        assert_eq!(
            (natural.kind, natural.partner),
            ("partner", Some("natural"))
        );
        assert_eq!(natural.level.as_deref(), Some("8k"));
        assert_eq!(player("gentle-a").unwrap().level, None);
        assert!(player("natural:31k").is_err());
    }
}
