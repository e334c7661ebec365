//! What a report can show beside win rates, player by player.

use std::collections::BTreeMap;

use shido_go::Color;

use super::results::of_pairing;
use super::{Games, Plot, PlotRow, ReportError, Table};
use crate::line::GameLine;
use crate::review::Review;
use crate::spec::Spec;
use crate::stats::bootstrap::{Bootstrap, Total};
use crate::stats::center::{OpeningMove, mean_center_moves, opening_length};
use crate::stats::closeness::{CLOSE, GameScore, closeness};
use crate::stats::estimate::Estimate;
use crate::stats::naturalness::naturalness;
use crate::stats::quality::{Thresholds, quality as quality_of};
use crate::stats::ratings::{Pairing, Rating, rate};
use crate::stats::record::MoveRecord;

type Shown = (Table, Option<Plot>);

/// Bradley–Terry ratings of all players, the first by name being 0.
pub(super) fn ratings(spec: &Spec, games: &Games) -> Shown {
    let names: Vec<&String> = spec
        .players
        .keys()
        .filter(|name| {
            let plays = |it: &crate::spec::Pairing| it.first == **name || it.second == **name;
            spec.pairings.iter().any(plays)
        })
        .collect();
    let number = |name: &String| names.iter().position(|it| *it == name);
    let pairings: Vec<Pairing> = spec
        .pairings
        .iter()
        .filter_map(|it| {
            let mut pairing = Pairing {
                player: number(&it.first)?,
                opponent: number(&it.second)?,
                wins: 0,
                draws: 0,
                losses: 0,
            };
            for game in of_pairing(games, &it.first, &it.second) {
                match game.points_of(&it.first) {
                    Some(1.0) => pairing.wins += 1,
                    Some(0.0) => pairing.losses += 1,
                    _ => pairing.draws += 1,
                }
            }
            Some(pairing)
        })
        .collect();
    // With few games yet there may be nothing to fit; the table says so.
    let (rated, why) = match rate(names.len(), &pairings, &Rating::default()) {
        Ok(rated) => (rated, String::new()),
        Err(error) => (
            vec![Estimate::NONE; names.len()],
            format!(" Nothing yet: {error}."),
        ),
    };
    let mut rows: Vec<(&String, Estimate)> = names.iter().copied().zip(rated).collect();
    rows.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let ends = rows.iter().flat_map(|(_, it)| [it.low, it.high]);
    // NaN, for a player without games, is neither the least nor the greatest.
    let (low, high) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), it| {
        (low.min(it), high.max(it))
    });
    let round = |it: f64| (it / 100.0).round() * 100.0;
    let plot = Plot {
        name: "ratings".to_owned(),
        title: "Ratings".to_owned(),
        axis: "Elo".to_owned(),
        range: (round(low - 50.0), round(high + 50.0)),
        rows: plot_rows(rows.iter().map(|(name, it)| ((*name).clone(), *it))),
    };
    let table = Table {
        title: "Ratings".to_owned(),
        head: ["player", "Elo"].map(str::to_owned).to_vec(),
        rows: rows
            .iter()
            .map(|(name, it)| vec![(*name).clone(), format!("{it:.0}")])
            .collect(),
        note: format!(
            "Bradley–Terry by MM (PD10, §2.1), {} being 0, with one virtual win and loss each; \
             95 % intervals of the difference to it; n counts games.{why}",
            names.first().map_or("nobody", |it| it.as_str())
        ),
    };
    (table, Some(plot))
}

/// Moves a game.
pub(super) fn length(spec: &Spec, games: &Games) -> Shown {
    let rows = by_player(spec, games, |played| {
        let totals = once_each(played).map(|(game, _)| Total {
            sum: game.moves.len() as f64,
            count: 1,
        });
        vec![
            Bootstrap::default()
                .mean(&totals.collect::<Vec<_>>())
                .to_string(),
        ]
    });
    let table = Table {
        title: "Length of games".to_owned(),
        head: ["player", "moves a game"].map(str::to_owned).to_vec(),
        rows,
        note: "95 % bootstrap intervals over games; n counts games.".to_owned(),
    };
    (table, None)
}

/// How close games were at their end.
pub(super) fn margin(spec: &Spec, games: &Games) -> Shown {
    let rows = by_player(spec, games, |played| {
        let scored = || {
            once_each(played).filter_map(|(game, color)| {
                let margin = f64::from(game.outcome.margin?);
                Some(if *color == Color::Black {
                    margin
                } else {
                    -margin
                })
            })
        };
        let totals: Vec<Total> = scored().map(|sum| Total { sum, count: 1 }).collect();
        let scores: Vec<GameScore> = scored()
            .map(|end| GameScore { middle: None, end })
            .collect();
        vec![
            Bootstrap::default().mean(&totals).to_string(),
            closeness(&scores).end.percent().to_string(),
        ]
    });
    let table = Table {
        title: "Margins".to_owned(),
        head: vec![
            "player".to_owned(),
            "points ahead at the end".to_owned(),
            format!("within {CLOSE} points"),
        ],
        rows,
        note: "Games that were scored. 95 % bootstrap and Wilson intervals; n counts games. \
               Within 10 points is close (HI24, §5)."
            .to_owned(),
    };
    (table, None)
}

/// Moves near the center in the opening (SF21, §6).
pub(super) fn center_moves(spec: &Spec, games: &Games) -> Result<Shown, ReportError> {
    let size = spec.game.board;
    let side = size.width().min(size.height()) as u8;
    let opening = opening_length(side).unwrap_or(size.area() / 4);
    let mut failed = None;
    let rows = by_player(spec, games, |played| {
        let mut openings = Vec::new();
        for (game, color) in played {
            match opening_moves(game, *color) {
                Ok(moves) => openings.push(moves),
                Err(error) => failed = Some(error),
            }
        }
        let mean = mean_center_moves(&openings, side, opening, &Bootstrap::default());
        vec![mean.to_string()]
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let table = Table {
        title: "Moves near the center".to_owned(),
        head: vec![
            "player".to_owned(),
            format!("on line 4 or above in the first {opening} moves"),
        ],
        rows,
        note: "As counted in (SF21, §6). 95 % bootstrap intervals over games; n counts games."
            .to_owned(),
    };
    Ok((table, None))
}

fn opening_moves(game: &GameLine, color: Color) -> Result<Vec<OpeningMove>, ReportError> {
    let position = game.position()?;
    let moves = position.moves().iter().enumerate().map(|(i, played)| {
        let point = played.mv.point();
        OpeningMove {
            measured: i >= game.opening && played.color == color,
            point: point.map(|it| (it.x() as u8, it.y() as u8)),
        }
    });
    Ok(moves.collect())
}

/// What the reviewing analyst says of each player's moves (HI24, §5).
pub(super) fn quality(
    spec: &Spec,
    games: &Games,
    reviews: &BTreeMap<String, Review>,
) -> Result<Shown, ReportError> {
    let mut failed = None;
    let bootstrap = Bootstrap::default();
    let rows = by_player(spec, games, |played| {
        let mut records: Vec<(&str, Vec<MoveRecord>)> = Vec::new();
        for (game, color) in played {
            let Some(review) = reviews.get(&game.game) else {
                continue;
            };
            match (review.records(game, *color), records.last_mut()) {
                // The other side of a recorded game; see `once_each`.
                (Ok(mut moves), Some((last, both))) if *last == game.game => {
                    both.append(&mut moves);
                }
                (Ok(moves), _) => records.push((&game.game, moves)),
                (Err(error), _) => failed = Some(error),
            }
        }
        let records: Vec<Vec<MoveRecord>> = records.into_iter().map(|it| it.1).collect();
        let losses: Vec<Total> = records
            .iter()
            .map(|game| game.iter().map(|it| it.loss).collect())
            .collect();
        let natural = naturalness(&records, &bootstrap);
        let good = quality_of(&records, &Thresholds::default(), &bootstrap);
        vec![
            bootstrap.mean(&losses).to_string(),
            format!("{:.2}", good.blunders.percent()),
            format!("{:.2}", good.unlikely.percent()),
            format!("{:.3}", natural.arithmetic),
            format!("{:.3}", natural.geometric),
            format!("{:.2}", natural.neglected.percent()),
            natural.distance.to_string(),
        ]
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    let table = Table {
        title: "Quality and naturalness of moves".to_owned(),
        head: [
            "player",
            "points lost a move",
            "blunders",
            "unlikely moves",
            "naturalness, mean",
            "naturalness, geometric mean",
            "obvious moves missed",
            "distance to the last move",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows,
        note: format!(
            "As {} sees the moves afterwards (HI24, §5); naturalness by {}. \
             95 % bootstrap intervals over games; n counts moves.",
            spec.review.as_ref().map_or("the analyst", |it| &it.analyst),
            witness(spec)
        ),
    };
    Ok((table, None))
}

/// Says who judged naturalness.
pub(super) fn witness(spec: &Spec) -> String {
    let review = spec.review.as_ref();
    match review.and_then(|it| Some((it.human_net.as_ref()?, it.rank))) {
        Some((net, rank)) => format!("the human network {net} asked for {rank}"),
        None => "its move model".to_owned(),
    }
}

/// Makes a row for each player from its games and the color it had.
fn by_player(
    spec: &Spec,
    games: &Games,
    mut cells: impl FnMut(&[(&GameLine, Color)]) -> Vec<String>,
) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for name in spec.players.keys() {
        let mut played: Vec<(&GameLine, Color)> = Vec::new();
        for game in &games.games {
            for (seat, color) in [(&game.black, Color::Black), (&game.white, Color::White)] {
                if seat.name == *name {
                    played.push((game, color));
                }
            }
        }
        if !played.is_empty() {
            let mut row = vec![name.clone()];
            row.extend(cells(&played));
            rows.push(row);
        }
    }
    rows
}

/// Returns each game once: of a recorded one both sides are the same player's, and what they did
/// depends on each other.
fn once_each<'a, 'b>(
    played: &'b [(&'a GameLine, Color)],
) -> impl Iterator<Item = &'b (&'a GameLine, Color)> {
    let chunks = played.chunk_by(|(one, _), (other, _)| one.game == other.game);
    chunks.map(|sides| &sides[0])
}

fn plot_rows(rows: impl Iterator<Item = (String, Estimate)>) -> Vec<PlotRow> {
    rows.map(|(label, ours)| PlotRow {
        label,
        ours,
        paper: None,
    })
    .collect()
}
