//! What was done: the facts at the head of a report.

use std::collections::BTreeMap;

use super::Games;
use crate::line::{GameLine, SeatLine};
use crate::review::Review;
use crate::spec::{Opening, PlayerSpec, Referee, Spec};

/// Returns the pairs of name and value at the head of a report.
pub(super) fn of(
    spec: &Spec,
    games: &Games,
    reviews: &BTreeMap<String, Review>,
) -> Vec<(String, String)> {
    let game = &spec.game;
    let planned: usize = spec.pairings.iter().map(|it| it.games).sum();
    let opening = match &spec.opening {
        Opening::None => "the empty board".to_owned(),
        Opening::Random { moves } => format!("{moves} random moves, the same for both colors"),
        Opening::Sgf { files, moves } => {
            let moves = moves.map_or("all".to_owned(), |it| it.to_string());
            format!("{moves} moves of {} records", files.len())
        }
    };
    let referee = match &spec.referee {
        Referee::TrompTaylor => "every stone on the board counts as alive".to_owned(),
        Referee::Players => "the players where they agree, else the board as it stands".to_owned(),
        Referee::Engine { command, .. } => format!("`{command}` names the dead stones"),
    };
    let recorded = games.games.iter().filter(|it| is_record(spec, it)).count();
    let played = format!("{} of {planned} planned", games.games.len() - recorded);
    let played = match recorded {
        0 => played,
        records => format!("{played}, and {records} records"),
    };
    let mut facts = vec![
        ("Experiment".to_owned(), spec.name.clone()),
        ("Games".to_owned(), played),
        ("Board".to_owned(), game.board.to_string()),
        (
            "Rules".to_owned(),
            format!("{}, komi {}", game.rules.name(), game.komi),
        ),
        ("Opening".to_owned(), opening),
        ("Referee".to_owned(), referee),
        ("Seed".to_owned(), spec.seed.to_string()),
        (
            "Commit".to_owned(),
            distinct(games.games.iter().map(|it| it.commit.as_str())),
        ),
    ];
    let searched = |game: &GameLine| {
        let seats = [&game.black, &game.white];
        let by = |seat: &&SeatLine| evaluator_of(&seat.settings["evaluator"]);
        seats.iter().find_map(by)
    };
    let by = computed_by(games.games.iter().map(searched));
    facts.extend(by.map(|it| ("Networks of searches".to_owned(), it)));
    let judged = |review: &Review| evaluator_of(&review.evaluator);
    let by = computed_by(reviews.values().map(judged));
    facts.extend(by.map(|it| ("Networks of reviews".to_owned(), it)));
    for (name, player) in &spec.players {
        facts.push((format!("Player {name}"), player_fact(name, player, games)));
    }
    facts
}

/// Returns the command line that computed a network, or the kind of processor, if it is known.
fn evaluator_of(evaluator: &serde_json::Value) -> Option<String> {
    let command = evaluator["command"].as_str();
    let command = command.map(|it| format!("`{}`", it.trim()));
    command.or_else(|| evaluator["cpu"].as_str().map(str::to_owned))
}

/// Says what computed networks, and in how many games; none if it is not known.
fn computed_by(games: impl Iterator<Item = Option<String>>) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for by in games {
        all += 1;
        if let Some(by) = by {
            *counts.entry(by).or_default() += 1;
        }
    }
    let said: Vec<String> = counts
        .iter()
        .map(|(by, n)| format!("{by} in {n} of {all} games"))
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// Returns whether a game was played elsewhere.
fn is_record(spec: &Spec, game: &GameLine) -> bool {
    let player = spec.players.get(&game.black.name);
    matches!(player, Some(PlayerSpec::Sgf { .. }))
}

fn player_fact(name: &str, player: &PlayerSpec, games: &Games) -> String {
    let seats = games
        .games
        .iter()
        .flat_map(|game| [&game.black, &game.white])
        .filter(|seat| seat.name == name);
    let settings = serde_json::to_string(player).expect("settings have text keys");
    let mut fact = match player {
        PlayerSpec::Sgf { .. } => format!("`{settings}`"),
        _ => format!(
            "{}, `{settings}`",
            distinct(seats.clone().map(|it| it.program.as_str()))
        ),
    };
    let hashes: Vec<&str> = seats
        .filter(|_| !matches!(player, PlayerSpec::Sgf { .. }))
        .flat_map(|seat| seat.hashes.values().map(String::as_str))
        .collect();
    if !hashes.is_empty() {
        fact.push_str(", ");
        fact.push_str(&distinct(hashes.into_iter()));
    }
    fact
}

/// Returns the different texts, sorted, with commas between.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    texts.sort_unstable();
    texts.dedup();
    if texts.is_empty() {
        "none yet".to_owned()
    } else {
        texts.join(", ")
    }
}
