//! How long the games took: the one table that differs from machine to machine.

use std::collections::BTreeMap;

use super::{Games, Table};
use crate::line::End;
use crate::stats::bootstrap::{Bootstrap, Total};

pub(super) fn table(games: &Games) -> Table {
    let mut thought: BTreeMap<&str, Vec<Total>> = BTreeMap::new();
    let played = || {
        games
            .games
            .iter()
            .filter(|it| it.outcome.end != End::Record)
    };
    for game in played() {
        let first = game.start.as_ref().map_or(0, |it| it.to_move.index());
        for (seat, parity) in [(&game.black, first), (&game.white, 1 - first)] {
            let mine = game.moves.iter().skip(parity).step_by(2);
            let total: Total = mine.filter_map(|it| it.ms).collect();
            thought.entry(&seat.name).or_default().push(total);
        }
    }
    let bootstrap = Bootstrap::default();
    let mut rows: Vec<Vec<String>> = thought
        .into_iter()
        .map(|(name, totals)| {
            let mean = bootstrap.mean(&totals);
            vec![format!("{name}, milliseconds a move"), mean.to_string()]
        })
        .collect();
    let games: Vec<Total> = played()
        .map(|it| std::iter::once(it.times.total_s).collect())
        .collect();
    rows.push(vec![
        "all, seconds a game".to_owned(),
        bootstrap.mean(&games).to_string(),
    ]);
    Table {
        title: "Times".to_owned(),
        head: ["what", "mean"].map(str::to_owned).to_vec(),
        rows,
        note: "On the machines that played the games. 95 % bootstrap intervals over games; \
               n counts moves or games."
            .to_owned(),
    }
}
