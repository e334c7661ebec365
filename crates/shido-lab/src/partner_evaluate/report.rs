//! What was measured of a level: people's moves and the partner's, side by side.

use std::collections::BTreeMap;

use serde::Serialize;
use shido_coach::play::PartnerSettings;
use shido_coach::{Level, Provenance};

use super::judge::Judged;
use crate::review::LEAST;
use crate::stats::bootstrap::{Bootstrap, Total};
use crate::stats::naturalness::naturalness;
use crate::stats::record::{shares, totals};
use crate::stats::{Estimate, MoveRecord};

/// A chance below which few people play a move (HI24, §5.3).
const UNLIKELY: f64 = 0.01;
/// Losses that are much for a move; more than the second is a blunder (HI24, §5.3).
const MUCH: [f64; 2] = [5.0, 15.0];

/// Moves of people or of the partner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// Points lost a move.
    pub loss: Estimate,
    /// The median of that.
    pub median_loss: f64,
    /// The share of moves that lose more than 5 points.
    pub over_5: Estimate,
    /// The share of moves that lose more than 15 points.
    pub over_15: Estimate,
    /// The arithmetic mean of the chances that people of the rank make the moves.
    pub arithmetic: Estimate,
    /// The geometric mean of these chances.
    pub geometric: Estimate,
    /// The share of moves that are people's likeliest.
    pub likeliest: Estimate,
    /// The share of moves with a chance under 1 %.
    pub unlikely: Estimate,
    /// The share of moves made where another had a chance of more than 90 %.
    pub neglected: Estimate,
    /// The distance from the opponent's last move, in lines.
    pub distance: Estimate,
}

/// Positions of which the mover is behind, about even, or ahead.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByLead {
    /// Which.
    pub name: &'static str,
    /// Points people lost a move.
    pub people: Estimate,
    /// Points the partner lost.
    pub partner: Estimate,
    /// How much more the partner lost.
    pub difference: Estimate,
}

/// A level beside people of its rank.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelReport {
    /// The level.
    pub level: Level,
    /// Games that the positions are from.
    pub games: usize,
    /// Positions compared.
    pub positions: usize,
    /// Positions left out because the partner would have resigned.
    pub resigned: usize,
    /// How the partner played.
    pub settings: PartnerSettings,
    /// How sure it is that this is its level.
    pub provenance: Provenance,
    /// The points it wanted to give away.
    pub target: Estimate,
    /// The points it thought it gave away.
    pub own_loss: Estimate,
    /// People's moves.
    pub people: Side,
    /// The partner's.
    pub partner: Side,
    /// How much more the partner lost a move.
    pub difference: Estimate,
    /// The share of positions at which both played the same.
    pub same: Estimate,
    /// Losses by the lead.
    pub by_lead: [ByLead; 3],
    /// The positions themselves.
    pub judged: Vec<Judged>,
}

impl LevelReport {
    pub(super) fn of(
        level: Level,
        (settings, provenance): (PartnerSettings, Provenance),
        judged: Vec<Judged>,
        close: f64,
    ) -> LevelReport {
        let mut games: BTreeMap<usize, Vec<Both<'_>>> = BTreeMap::new();
        for it in &judged {
            if let Some(both) = Both::of(it) {
                games.entry(it.game).or_default().push(both);
            }
        }
        let games: Vec<Vec<Both<'_>>> = games.into_values().collect();
        let positions = games.iter().map(Vec::len).sum();
        let bands: [(&str, &dyn Fn(f64) -> bool); 3] = [
            ("behind", &|lead| lead < -close),
            ("close", &|lead| lead.abs() <= close),
            ("ahead", &|lead| lead > close),
        ];
        LevelReport {
            level,
            games: games.len(),
            positions,
            resigned: judged.iter().filter(|it| it.partner.is_none()).count(),
            settings,
            provenance,
            target: mean(&games, |it| it.judged.target.map(f64::from)),
            own_loss: mean(&games, |it| it.judged.own_loss.map(f64::from)),
            people: Side::of(&games, |it| it.person),
            partner: Side::of(&games, |it| it.partner),
            difference: mean(&games, |it| Some(it.difference())),
            same: mean(&games, |it| Some(f64::from(u8::from(it.is_same())))),
            by_lead: bands.map(|(name, of)| ByLead::of(name, &games, of)),
            judged,
        }
    }
}

/// A position with both moves.
#[derive(Clone, Copy)]
struct Both<'a> {
    judged: &'a Judged,
    person: MoveRecord,
    partner: MoveRecord,
}

impl Both<'_> {
    fn of(judged: &Judged) -> Option<Both<'_>> {
        let likely = |it: MoveRecord| MoveRecord {
            naturalness: it.naturalness.max(LEAST),
            ..it
        };
        Some(Both {
            judged,
            person: likely(judged.person),
            partner: likely(judged.partner?),
        })
    }

    fn difference(&self) -> f64 {
        self.partner.loss - self.person.loss
    }

    fn is_same(&self) -> bool {
        self.judged.chosen.as_ref() == Some(&self.judged.played)
    }
}

impl Side {
    fn of(games: &[Vec<Both<'_>>], record: impl Fn(&Both<'_>) -> MoveRecord) -> Side {
        let records = |game: &Vec<Both<'_>>| game.iter().map(&record).collect();
        let games: Vec<Vec<MoveRecord>> = games.iter().map(records).collect();
        let bootstrap = Bootstrap::default();
        let share = |of: &dyn Fn(&MoveRecord) -> bool| bootstrap.mean(&shares(&games, of));
        let natural = naturalness(&games, &bootstrap);
        let [over_5, over_15] = MUCH.map(|much| share(&|it| it.loss > much));
        Side {
            loss: bootstrap.mean(&totals(&games, |it| Some(it.loss))),
            median_loss: median(games.iter().flatten().map(|it| it.loss).collect()),
            over_5,
            over_15,
            arithmetic: natural.arithmetic,
            geometric: natural.geometric,
            likeliest: share(&|it| it.naturalness >= it.best_naturalness),
            unlikely: share(&|it| it.naturalness < UNLIKELY),
            neglected: natural.neglected,
            distance: natural.distance,
        }
    }
}

impl ByLead {
    fn of(name: &'static str, games: &[Vec<Both<'_>>], of: &dyn Fn(f64) -> bool) -> ByLead {
        let loss = |loss: &dyn Fn(&Both<'_>) -> f64| {
            mean(games, |it| of(it.judged.lead).then(|| loss(it)))
        };
        ByLead {
            name,
            people: loss(&|it| it.person.loss),
            partner: loss(&|it| it.partner.loss),
            difference: loss(&|it| it.difference()),
        }
    }
}

/// Returns the mean of a value over positions, with an interval from resampling games.
fn mean(games: &[Vec<Both<'_>>], value: impl Fn(&Both<'_>) -> Option<f64>) -> Estimate {
    let total = |game: &Vec<Both<'_>>| game.iter().filter_map(&value).collect();
    let totals: Vec<Total> = games.iter().map(total).collect();
    Bootstrap::default().mean(&totals)
}

/// Returns the median, that of an even number halfway; of nothing, no number.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        it if it.is_multiple_of(2) => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}
