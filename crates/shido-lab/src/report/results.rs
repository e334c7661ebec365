//! Who won how often: one row a pairing, and what went wrong.

use shido_go::Color;

use super::{Games, Plot, PlotRow, Table};
use crate::line::{End, GameLine};
use crate::spec::{Pairing, Spec};
use crate::stats::Estimate;
use crate::stats::wilson::wilson;

/// Returns the games of a pairing.
pub(super) fn of_pairing<'g>(
    games: &'g Games,
    first: &str,
    second: &str,
) -> impl Iterator<Item = &'g GameLine> + Clone {
    let names = [first.to_owned(), second.to_owned()];
    games.games.iter().filter(move |game| {
        let (black, white) = (&game.black.name, &game.white.name);
        [black, white] == [&names[0], &names[1]] || [black, white] == [&names[1], &names[0]]
    })
}

/// Returns how often a player won, a draw being half a win.
pub(super) fn win_rate<'g>(player: &str, games: impl Iterator<Item = &'g GameLine>) -> Estimate {
    let points: Vec<f64> = games.filter_map(|game| game.points_of(player)).collect();
    wilson(points.iter().sum(), points.len() as u64)
}

pub(super) fn table(spec: &Spec, games: &Games) -> Table {
    Table {
        title: "Results".to_owned(),
        head: [
            "players",
            "games",
            "won by the first",
            "as Black",
            "as White",
            "resigned",
            "forfeited",
            "at the limit",
            "disputed",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: spec.pairings.iter().map(|it| row(it, games)).collect(),
        note: "Won: 95 % Wilson intervals, a draw is half a win. Forfeited: by an illegal move \
               or by an engine that failed every time. At the limit: scored as they stood after \
               the most moves allowed. Disputed: a player's own count differs from the referee's."
            .to_owned(),
    }
}

fn row(pairing: &Pairing, games: &Games) -> Vec<String> {
    let played = of_pairing(games, &pairing.first, &pairing.second);
    let n = played.clone().count();
    let with = |color: Color| {
        let seat = |game: &&GameLine| match color {
            Color::Black => game.black.name == pairing.first,
            Color::White => game.white.name == pairing.first,
        };
        win_rate(&pairing.first, played.clone().filter(seat)).percent()
    };
    let count = |property: &dyn Fn(&GameLine) -> bool| {
        let found = played.clone().filter(|game| property(game)).count();
        format!("{found} of {n}")
    };
    let end_is = |ends: &'static [End]| move |game: &GameLine| ends.contains(&game.outcome.end);
    vec![
        format!("{} – {}", pairing.first, pairing.second),
        format!("{n} of {}", pairing.games),
        win_rate(&pairing.first, played.clone())
            .percent()
            .to_string(),
        with(Color::Black).to_string(),
        with(Color::White).to_string(),
        count(&end_is(&[End::Resignation])),
        count(&end_is(&[End::IllegalMove, End::Failure])),
        count(&end_is(&[End::MoveLimit])),
        count(&|game| game.outcome.disputed),
    ]
}

pub(super) fn plot(spec: &Spec, games: &Games) -> Plot {
    let rows = spec.pairings.iter().map(|pairing| {
        let played = of_pairing(games, &pairing.first, &pairing.second);
        PlotRow {
            label: format!("{} – {}", pairing.first, pairing.second),
            ours: win_rate(&pairing.first, played).map(|it| 100.0 * it),
            paper: None,
        }
    });
    Plot {
        name: "results".to_owned(),
        title: "Games won by the first player".to_owned(),
        axis: "won, %".to_owned(),
        range: (0.0, 100.0),
        rows: rows.collect(),
    }
}

/// Lists failures, forfeits and disputes, if there were any.
pub(super) fn incidents(games: &Games) -> Option<Table> {
    let mut rows = Vec::new();
    for void in &games.voids {
        let what = format!("void: {} {}", void.by, void.failure);
        rows.push(vec![void.game.clone(), what, void.why.clone()]);
    }
    for game in &games.games {
        let outcome = &game.outcome;
        if let Some(why) = &outcome.why {
            rows.push(vec![game.game.clone(), game.result(), why.clone()]);
        }
        if outcome.disputed {
            let said = |it: &Option<String>| it.clone().unwrap_or_else(|| "nothing".to_owned());
            let why = format!(
                "{} says {}, {} says {}",
                game.black.name,
                said(&outcome.opinions.black),
                game.white.name,
                said(&outcome.opinions.white)
            );
            rows.push(vec![
                game.game.clone(),
                format!("{}, disputed", game.result()),
                why,
            ]);
        }
    }
    (!rows.is_empty()).then(|| Table {
        title: "What went wrong".to_owned(),
        head: ["game", "what", "why"].map(str::to_owned).to_vec(),
        rows,
        note: String::new(),
    })
}
