//! From what is written to what is meant: defaults, ranges, and which keys go together.
//!
//! A fault carries the key it is about; the caller knows the line.

use std::collections::BTreeMap;

use shido_engine::native::LONGEST_SIDE;
use shido_go::Size;

use super::raw::{
    RawBoard, RawFailures, RawGame, RawOpening, RawPairing, RawPlayer, RawReferee, RawReport,
    RawRoundRobin, RawSpec, RawTable,
};
use super::{
    ClassicSpec, Failures, GameSpec, GtpSpec, Measure, NativeSpec, Opening, Pairing, PlayerSpec,
    Referee, ReportSpec, RuleSet, Spec, TableSpec, Then,
};

mod partner;

use partner::check_review;

/// A key with an impossible value.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) key: String,
    pub(super) message: String,
}

fn fault<T>(key: impl Into<String>, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        key: key.into(),
        message: message.into(),
    })
}

type Players = BTreeMap<String, PlayerSpec>;

/// Gives a spec its meaning, or says which key has none.
pub(super) fn check(raw: RawSpec) -> Result<Spec, Fault> {
    check_name("name", &raw.name)?;
    let game = check_game(raw.game)?;
    let mut players = Players::new();
    for (name, player) in raw.players {
        let key = format!("players.{name}");
        check_name(&key, &name)?;
        players.insert(name, check_player(&key, player)?);
    }
    let has_net = |player: &PlayerSpec| match player {
        PlayerSpec::Native(_) => true,
        PlayerSpec::Partner(partner) => partner.net.is_some(),
        _ => false,
    };
    let side = game.board.width().max(game.board.height());
    if side > LONGEST_SIDE && players.values().any(has_net) {
        return fault(
            "game.board",
            format!("networks take boards up to {LONGEST_SIDE}×{LONGEST_SIDE}"),
        );
    }
    let pairings = check_pairings(&players, raw.round_robin, raw.pairings)?;
    let records = players
        .values()
        .any(|player| matches!(player, PlayerSpec::Sgf { .. }));
    if pairings.is_empty() && !records {
        return fault(
            "pairings",
            "nobody plays: write [[pairings]] or [round_robin]",
        );
    }
    let review = raw
        .review
        .map(|it| check_review(&players, it))
        .transpose()?;
    let report = check_report(&players, raw.report, review.is_some())?;
    Ok(Spec {
        title: raw.title.unwrap_or_else(|| raw.name.clone()),
        name: raw.name,
        seed: raw.seed,
        opening: check_opening(raw.opening, game.move_limit)?,
        game,
        referee: check_referee(raw.referee)?,
        players,
        pairings,
        failures: check_failures(&raw.failures)?,
        review,
        report,
        base: std::path::PathBuf::new(),
        evaluator: None,
    })
}

/// Names become parts of file names and of game ids.
fn check_name(key: &str, name: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return fault(
            key,
            format!("`{name}` must be made of lower case letters, digits and dashes"),
        );
    }
    Ok(())
}

fn at_least(key: &str, value: Option<i64>, least: i64, default: i64) -> Result<usize, Fault> {
    let value = value.unwrap_or(default);
    if value < least {
        return fault(key, format!("must be at least {least}, is {value}"));
    }
    Ok(value as usize)
}

fn seconds(key: &str, value: Option<f64>, default: f64) -> Result<f64, Fault> {
    let value = value.unwrap_or(default);
    if value.is_finite() && value > 0.0 && value <= 1e6 {
        Ok(value)
    } else {
        fault(
            key,
            format!("must be a time in seconds above 0, is {value}"),
        )
    }
}

fn check_game(raw: RawGame) -> Result<GameSpec, Fault> {
    let board = match raw.board {
        None => Ok(Size::S9),
        Some(RawBoard::Side(side)) => Size::square(usize::try_from(side).unwrap_or(0)),
        Some(RawBoard::Text(text)) => text.parse(),
    }
    .or_else(|error| fault("game.board", error.to_string()))?;
    let rules = raw.rules.as_deref().unwrap_or("chinese");
    let Some(rules) = RuleSet::named(rules) else {
        return fault(
            "game.rules",
            format!("`{rules}` is not one of chinese, tromp-taylor, japanese"),
        );
    };
    let komi = raw.komi.unwrap_or(7.5);
    if !komi.is_finite() || komi.abs() > board.area() as f32 || (komi * 2.0).fract() != 0.0 {
        return fault(
            "game.komi",
            format!(
                "must be whole or half points of at most {}, is {komi}",
                board.area()
            ),
        );
    }
    let default = 3 * board.area() as i64;
    Ok(GameSpec {
        move_limit: at_least("game.move_limit", raw.move_limit, 1, default)?,
        board,
        rules,
        komi,
    })
}

fn check_opening(raw: Option<RawOpening>, move_limit: usize) -> Result<Opening, Fault> {
    let Some(raw) = raw else {
        return Ok(Opening::None);
    };
    let all = raw.kind == "sgf" && raw.moves.is_none();
    let moves = at_least("opening.moves", raw.moves, 1, 4)?;
    if moves >= move_limit {
        return fault(
            "opening.moves",
            format!("must be under the move limit of {move_limit}, is {moves}"),
        );
    }
    match (raw.kind.as_str(), raw.files) {
        ("random", None) => Ok(Opening::Random { moves }),
        ("random", Some(_)) => fault("opening.files", "a random opening has no files"),
        ("sgf", Some(files)) if !files.is_empty() => Ok(Opening::Sgf {
            files,
            moves: (!all).then_some(moves),
        }),
        ("sgf", _) => fault("opening.files", "name at least one SGF file"),
        (other, _) => fault(
            "opening.kind",
            format!("`{other}` is not one of random, sgf"),
        ),
    }
}

fn check_referee(raw: Option<RawReferee>) -> Result<Referee, Fault> {
    let Some(raw) = raw else {
        return Ok(Referee::TrompTaylor);
    };
    let timeout_s = seconds("referee.timeout_s", raw.timeout_s, 60.0)?;
    match (raw.kind.as_str(), raw.command) {
        ("engine", Some(command)) => {
            check_command("referee.command", &command)?;
            Ok(Referee::Engine { command, timeout_s })
        }
        ("engine", None) => fault("referee.command", "an engine needs a command"),
        ("tromp-taylor" | "players", Some(_)) => {
            fault("referee.command", "only an engine has a command")
        }
        ("tromp-taylor", None) => Ok(Referee::TrompTaylor),
        ("players", None) => Ok(Referee::Players),
        (other, _) => fault(
            "referee.kind",
            format!("`{other}` is not one of tromp-taylor, players, engine"),
        ),
    }
}

fn check_command(key: &str, command: &str) -> Result<(), Fault> {
    if command.trim().is_empty() {
        return fault(key, "is empty");
    }
    Ok(())
}

fn check_player(key: &str, raw: RawPlayer) -> Result<PlayerSpec, Fault> {
    check_keys_of_kind(key, &raw)?;
    let sub = |name: &str| format!("{key}.{name}");
    Ok(match raw.kind.as_str() {
        "classic" => PlayerSpec::Classic(check_classic(key, raw)?),
        "native" => PlayerSpec::Native(check_native(key, raw)?),
        "partner" => PlayerSpec::Partner(partner::check_partner(key, raw)?),
        "gtp" => {
            let Some(command) = raw.command else {
                return fault(sub("command"), "a gtp player needs a command");
            };
            check_command(&sub("command"), &command)?;
            PlayerSpec::Gtp(GtpSpec {
                command,
                before_game: raw.before_game.unwrap_or_default(),
                start_timeout_s: seconds(&sub("start_timeout_s"), raw.start_timeout_s, 30.0)?,
                move_timeout_s: seconds(&sub("move_timeout_s"), raw.move_timeout_s, 120.0)?,
            })
        }
        "random" => PlayerSpec::Random,
        _ => match raw.files {
            Some(files) if !files.is_empty() => PlayerSpec::Sgf {
                files,
                games: at_least(&sub("games"), raw.games, 1, i64::from(i32::MAX))?,
            },
            _ => return fault(sub("files"), "name at least one SGF file or folder"),
        },
    })
}

fn check_classic(key: &str, raw: RawPlayer) -> Result<ClassicSpec, Fault> {
    let sub = |name: &str| format!("{key}.{name}");
    let resign_below = check_resign_below(key, &raw)?;
    let gammas = raw.gammas.unwrap_or_else(|| "shipped".to_owned());
    if gammas.trim().is_empty() {
        return fault(sub("gammas"), "write shipped, even, or a file");
    }
    let priors = raw.priors.unwrap_or_else(|| "shipped".to_owned());
    if !matches!(priors.as_str(), "shipped" | "none") {
        return fault(
            sub("priors"),
            format!("`{priors}` is not one of shipped, none"),
        );
    }
    Ok(ClassicSpec {
        playouts: at_least(&sub("playouts"), raw.playouts, 1, 1000)? as u64,
        threads: at_least(&sub("threads"), raw.threads, 1, 1)?,
        memory_mib: at_least(&sub("memory_mib"), raw.memory_mib, 1, 256)?,
        gammas,
        priors,
        resign_below,
    })
}

fn check_native(key: &str, raw: RawPlayer) -> Result<NativeSpec, Fault> {
    let sub = |name: &str| format!("{key}.{name}");
    let resign_below = check_resign_below(key, &raw)?;
    let net = raw.net.filter(|net| !net.trim().is_empty());
    let Some(net) = net else {
        return fault(sub("net"), "a native player needs a network file");
    };
    Ok(NativeSpec {
        visits: at_least(&sub("visits"), raw.visits, 1, 100)? as u64,
        threads: at_least(&sub("threads"), raw.threads, 1, 1)?,
        memory_mib: at_least(&sub("memory_mib"), raw.memory_mib, 1, 256)?,
        net,
        resign_below,
    })
}

fn check_resign_below(key: &str, raw: &RawPlayer) -> Result<f64, Fault> {
    let resign_below = raw.resign_below.unwrap_or(0.05);
    if !(0.0..0.5).contains(&resign_below) {
        return fault(
            format!("{key}.resign_below"),
            format!("must be from 0 to under 0.5, is {resign_below}"),
        );
    }
    Ok(resign_below)
}

/// The kinds of players.
const KINDS: [&str; 6] = ["classic", "native", "partner", "gtp", "random", "sgf"];
/// The kinds of players that are engines of this program.
const OURS: &str = "classic or native or partner";

/// Refuses keys that are known, but mean nothing to this kind of player.
fn check_keys_of_kind(key: &str, raw: &RawPlayer) -> Result<(), Fault> {
    let written = [
        ("playouts", "classic", raw.playouts.is_some()),
        ("threads", OURS, raw.threads.is_some()),
        ("gammas", "classic", raw.gammas.is_some()),
        ("priors", "classic", raw.priors.is_some()),
        ("memory_mib", OURS, raw.memory_mib.is_some()),
        (
            "resign_below",
            "classic or native",
            raw.resign_below.is_some(),
        ),
        ("net", "native or partner", raw.net.is_some()),
        ("partner", "partner", raw.partner.is_some()),
        ("level", "partner", raw.level.is_some()),
        ("human_net", "partner", raw.human_net.is_some()),
        ("student", "partner", raw.student.is_some()),
        ("settings", "partner", raw.settings.is_some()),
        ("visits", "native", raw.visits.is_some()),
        ("command", "gtp", raw.command.is_some()),
        ("before_game", "gtp", raw.before_game.is_some()),
        ("start_timeout_s", "gtp", raw.start_timeout_s.is_some()),
        ("move_timeout_s", "gtp", raw.move_timeout_s.is_some()),
        ("files", "sgf", raw.files.is_some()),
        ("games", "sgf", raw.games.is_some()),
    ];
    let kind = raw.kind.as_str();
    if !KINDS.contains(&kind) {
        return fault(
            format!("{key}.kind"),
            format!("`{kind}` is not one of {}", KINDS.join(", ")),
        );
    }
    for (name, owner, is_written) in written {
        if is_written && !owner.split(" or ").any(|owner| owner == kind) {
            return fault(
                format!("{key}.{name}"),
                format!("only a {owner} player has this key, and this one is {kind}"),
            );
        }
    }
    Ok(())
}

fn check_pairings(
    players: &Players,
    round_robin: Option<RawRoundRobin>,
    raw: Vec<RawPairing>,
) -> Result<Vec<Pairing>, Fault> {
    let mut pairings: Vec<Pairing> = Vec::new();
    if let Some(robin) = round_robin {
        let games = at_least("round_robin.games", Some(robin.games), 1, 1)?;
        let names = robin.players.unwrap_or_else(|| {
            players
                .iter()
                .filter(|(_, player)| !matches!(player, PlayerSpec::Sgf { .. }))
                .map(|(name, _)| name.clone())
                .collect()
        });
        if names.len() < 2 {
            return fault("round_robin.players", "at least two must play");
        }
        for (i, first) in names.iter().enumerate() {
            check_seat("round_robin.players", players, first)?;
            for second in &names[i + 1..] {
                let pairing = Pairing {
                    first: first.clone(),
                    second: second.clone(),
                    games,
                    keep_colors: false,
                };
                add_pairing("round_robin.players", &mut pairings, pairing)?;
            }
        }
    }
    for (i, pair) in raw.into_iter().enumerate() {
        let key = format!("pairings[{i}].players");
        let Ok([first, second]) = <[String; 2]>::try_from(pair.players) else {
            return fault(key, "name two players");
        };
        check_seat(&key, players, &first)?;
        check_seat(&key, players, &second)?;
        let games = at_least(&format!("pairings[{i}].games"), Some(pair.games), 1, 1)?;
        let pairing = Pairing {
            first,
            second,
            games,
            keep_colors: pair.keep_colors,
        };
        add_pairing(&key, &mut pairings, pairing)?;
    }
    Ok(pairings)
}

/// One pairing a pair of names, since game ids are made of them.
fn add_pairing(key: &str, pairings: &mut Vec<Pairing>, new: Pairing) -> Result<(), Fault> {
    if new.first == new.second {
        return fault(
            key,
            format!("{} cannot meet itself: give it a second name", new.first),
        );
    }
    let same = |old: &&Pairing| {
        (old.first == new.first && old.second == new.second)
            || (old.first == new.second && old.second == new.first)
    };
    if pairings.iter().any(|old| same(&old)) {
        return fault(
            key,
            format!("{} and {} are paired twice", new.first, new.second),
        );
    }
    pairings.push(new);
    Ok(())
}

fn check_seat(key: &str, players: &Players, name: &str) -> Result<(), Fault> {
    match players.get(name) {
        None => fault(key, format!("`{name}` is not a player of this spec")),
        Some(PlayerSpec::Sgf { .. }) => fault(
            key,
            format!("`{name}` is a set of recorded games and cannot play"),
        ),
        Some(_) => Ok(()),
    }
}

fn check_failures(raw: &RawFailures) -> Result<Failures, Fault> {
    Ok(Failures {
        replays: at_least("failures.replays", raw.replays, 0, 2)?,
        then: match raw.then.as_deref() {
            None | Some("forfeit") => Then::Forfeit,
            Some("halt") => Then::Halt,
            Some(other) => {
                return fault(
                    "failures.then",
                    format!("`{other}` is not one of forfeit, halt"),
                );
            }
        },
        halt_after: at_least("failures.halt_after", raw.halt_after, 1, 20)?,
    })
}

fn check_report(players: &Players, raw: RawReport, review: bool) -> Result<ReportSpec, Fault> {
    let mut measures = Vec::new();
    for (i, name) in raw.measures.iter().enumerate() {
        let key = format!("report.measures[{i}]");
        let Some(&(_, measure)) = Measure::NAMES.iter().find(|(known, _)| known == name) else {
            let known: Vec<&str> = Measure::NAMES.iter().map(|&(name, _)| name).collect();
            return fault(key, format!("`{name}` is not one of {}", known.join(", ")));
        };
        if measure == Measure::Quality && !review {
            return fault(key, "quality needs [review] with an analyst");
        }
        measures.push(measure);
    }
    let mut tables = Vec::new();
    for (i, table) in raw.tables.into_iter().enumerate() {
        tables.push(check_table(&format!("report.tables[{i}]"), players, table)?);
    }
    let fits = raw.fits.into_iter().enumerate();
    let fits = fits.map(|(i, fit)| partner::check_fit(&format!("report.fits[{i}]"), players, fit));
    let fits = fits.collect::<Result<_, _>>()?;
    Ok(ReportSpec {
        measures,
        tables,
        fits,
    })
}

fn check_table(key: &str, players: &Players, raw: RawTable) -> Result<TableSpec, Fault> {
    check_seat(&format!("{key}.opponent"), players, &raw.opponent)?;
    for (i, row) in raw.rows.iter().enumerate() {
        // Recorded games have measures too, if nobody's wins.
        if !matches!(players.get(row), Some(PlayerSpec::Sgf { .. })) {
            check_seat(&format!("{key}.rows[{i}]"), players, row)?;
        }
    }
    for (row, figures) in &raw.paper {
        if !raw.rows.contains(row) {
            return fault(
                format!("{key}.paper.{row}"),
                "is not one of the table's rows",
            );
        }
        if let Some(column) = figures.keys().find(|name| !raw.columns.contains(name)) {
            return fault(
                format!("{key}.paper.{row}.{column}"),
                "is not one of the table's columns",
            );
        }
    }
    Ok(TableSpec {
        title: raw.title,
        source: raw.source,
        opponent: raw.opponent,
        rows: raw.rows,
        columns: raw.columns,
        paper: raw.paper,
        figures: raw.figures,
    })
}
