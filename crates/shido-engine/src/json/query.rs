//! One line of the protocol, read: an action, or a question about positions of a game.
//!
//! Reading never panics and does no work: a line is either understood, with
//! warnings, or answered by one [`Complaint`] in KataGo's form.

use std::time::Duration;

use serde_json::{Map, Value};
use shido_go::{Color, Move, Played, Point, Rules, RulesAndKomi, Scoring, Size};
use shido_search::Steering;

use super::fields::{Complaint, Fields};
use super::settings::{Perspective, QuerySettings};
use crate::{Avoid, SearchOptions};

/// The largest komi KataGo takes.
const KOMI_LIMIT: f64 = 400.0;
/// Every field of a query that has a meaning.
const KNOWN: [&str; 31] = [
    "id",
    "action",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "analysisPVLen",
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "priority",
    "priorities",
    "terminateId",
    "turnNumbers",
];

/// A question about positions of one game.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The client's name for it.
    pub id: String,
    /// The board.
    pub size: Size,
    /// Stones before the first move.
    pub stones: Vec<(Color, Point)>,
    /// The moves of the game.
    pub moves: Vec<Played>,
    /// Who moves first, if said.
    pub initial_player: Option<Color>,
    /// The rules.
    pub rules: Rules,
    /// The komi.
    pub komi: f32,
    /// Whether several black moves at the start count as handicap stones.
    pub black_moves_are_handicap: bool,
    /// Which positions to analyze, in the order of the game.
    pub turns: Vec<Turn>,
    /// Visits at which a search ends.
    pub max_visits: Option<u64>,
    /// Playouts after which a search ends.
    pub max_playouts: Option<u64>,
    /// Time after which a search ends.
    pub max_time: Option<Duration>,
    /// How to search.
    pub options: SearchOptions,
    /// What to tell.
    pub wanted: Wanted,
    /// When to report before the end, if ever.
    pub during: Option<During>,
}

/// A position of the game that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Moves before it.
    pub number: usize,
    /// The highest goes first.
    pub priority: i64,
}

/// What a response should hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Whose side its numbers are seen from.
    pub perspective: Perspective,
    /// Moves of a continuation after its first.
    pub line_length: usize,
    /// Whether it holds each point's owner.
    pub ownership: bool,
    /// Whether it holds the policy.
    pub policy: bool,
}

/// When to report before the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct During {
    /// The time of the first report.
    pub first: Duration,
    /// The time between two reports.
    pub every: Duration,
}

/// A question understood, and what of it is not followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// The question.
    pub query: Query,
    /// Fields that mean nothing.
    pub warnings: Vec<Complaint>,
}

impl Query {
    /// Reads the object of one line; `id` has been read before.
    pub fn read(
        id: &str,
        object: &Map<String, Value>,
        settings: &QuerySettings,
        max_side: usize,
    ) -> Result<Understood, Complaint> {
        let fields = Fields(object);
        let mut settings = settings.clone();
        let mut warnings = Vec::new();
        let size = size(fields, max_side)?;
        let stones = stones(fields, size)?;
        let moves = moves(fields, size)?;
        let initial_player = fields.color("initialPlayer")?;
        let turns = turns(fields, moves.len())?;
        let (rules, komi) = rules_and_komi(fields)?;
        override_settings(fields, &mut settings)?;
        let options = options(fields, size, &settings)?;
        let max_visits = fields.integer("maxVisits", (1, 1 << 50), "Must be from 1 to 2^50")?;
        let pv = fields.integer("analysisPVLen", (1, 1000), "Must be from 1 to 1000")?;
        let query = Query {
            id: id.to_owned(),
            size,
            stones,
            moves,
            initial_player,
            rules,
            komi,
            black_moves_are_handicap: settings.black_moves_are_handicap,
            turns,
            max_visits: max_visits.map(|it| it as u64).or(settings.max_visits),
            max_playouts: settings.max_playouts,
            max_time: settings.max_time,
            wanted: Wanted {
                perspective: settings.perspective,
                line_length: pv.map_or(settings.line_length, |it| it as usize),
                ownership: fields.boolean("includeOwnership")?,
                policy: fields.boolean("includePolicy")?,
            },
            during: during(fields)?,
            options,
        };
        let mut query = query;
        if query.wanted.line_length > QuerySettings::LINE_LENGTH {
            query.options.line_length = Some(query.wanted.line_length + 1);
        }
        // Illegal moves anywhere in the game are told at once.
        query.position(query.moves.len())?;
        if settings.warn_unused {
            warnings.extend(unused(object));
        }
        Ok(Understood { query, warnings })
    }
}

fn unused(object: &Map<String, Value>) -> impl Iterator<Item = Complaint> + '_ {
    let unknown = object.keys().filter(|key| !KNOWN.contains(&key.as_str()));
    unknown.map(|key| {
        let what = "This field has no meaning here, is it a typing error? \
                    (warnUnusedFields=false in the configuration ends this warning)";
        Complaint::about(key, what)
    })
}

fn size(fields: Fields<'_>, max_side: usize) -> Result<Size, Complaint> {
    let side = |field: &str| {
        let what = format!("Must provide an integer from {} to {max_side}", Size::MIN);
        let range = (Size::MIN as i64, max_side as i64);
        let number = fields.integer(field, range, &what)?;
        number.ok_or_else(|| Complaint::about(field, what))
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    Size::new(width as usize, height as usize)
        .map_err(|error| Complaint::about("boardXSize", error.to_string()))
}

fn stones(fields: Fields<'_>, size: Size) -> Result<Vec<(Color, Point)>, Complaint> {
    let field = "initialStones";
    let stones = fields.moves(field, size)?.unwrap_or_default();
    let stone = |(color, mv): (Color, Move)| match mv {
        Move::Play(point) => Ok((color, point)),
        Move::Pass => Err(Complaint::about(field, "A pass is no stone")),
    };
    stones.into_iter().map(stone).collect()
}

fn moves(fields: Fields<'_>, size: Size) -> Result<Vec<Played>, Complaint> {
    let missing = || Complaint::about("moves", "Must specify an array of [player,location] pairs");
    let moves = fields.moves("moves", size)?.ok_or_else(missing)?;
    let played = |(color, mv)| Played { color, mv };
    Ok(moves.into_iter().map(played).collect())
}

fn turns(fields: Fields<'_>, moves: usize) -> Result<Vec<Turn>, Complaint> {
    const LIMIT: i64 = (1 << 62) - 1;
    let what = "Must be a number between -2^62 and 2^62";
    let priority = fields.integer("priority", (-LIMIT, LIMIT), what)?;
    let priorities = fields.integers("priorities", "Must be an array of integers")?;
    let numbers = fields.integers("analyzeTurns", "Must be an array of integers")?;
    if priority.is_some() && priorities.is_some() {
        let what = "Cannot specify both priority and priorities";
        return Err(Complaint::about("priority", what));
    }
    if let Some(list) = &priorities {
        let same = numbers.as_ref().map(Vec::len) == Some(list.len());
        if !same {
            let what = "Must be of the same length as analyzeTurns";
            return Err(Complaint::about("priorities", what));
        }
        if let Some(bad) = list.iter().find(|it| !(-LIMIT..=LIMIT).contains(*it)) {
            let what = format!("Invalid priority: {bad}");
            return Err(Complaint::about("priorities", what));
        }
    }
    let numbers = numbers.unwrap_or_else(|| vec![moves as i64]);
    if numbers.is_empty() {
        let what = "Must name at least one turn";
        return Err(Complaint::about("analyzeTurns", what));
    }
    let mut turns: Vec<Turn> = Vec::new();
    for (i, &number) in numbers.iter().enumerate() {
        if !(0..=moves as i64).contains(&number) {
            let what = format!("Invalid turn number: {number}");
            return Err(Complaint::about("analyzeTurns", what));
        }
        let priority = match &priorities {
            Some(list) => list[i],
            None => priority.unwrap_or(0),
        };
        turns.push(Turn {
            number: number as usize,
            priority,
        });
    }
    // A turn named twice is analyzed once, with the last priority named.
    turns.reverse();
    turns.sort_by_key(|turn| turn.number);
    turns.dedup_by_key(|turn| turn.number);
    Ok(turns)
}

/// Reads the rules and the komi: the query's, else the one among the rules, else the usual.
fn rules_and_komi(fields: Fields<'_>) -> Result<(Rules, f32), Complaint> {
    let read = rules(fields)?;
    let rules = bonus(fields, read.rules)?;
    let what = "Must be an integer or half-integer from -400 to 400";
    let (field, komi) = match fields.number("komi", (-KOMI_LIMIT, KOMI_LIMIT), what)? {
        Some(komi) => ("komi", komi as f32),
        None => ("rules", read.komi.unwrap_or(usual_komi(rules))),
    };
    if f64::from(komi.abs()) <= KOMI_LIMIT && (2.0 * komi).fract() == 0.0 {
        return Ok((rules, komi));
    }
    let whose = if field == "komi" { "" } else { "Its komi: " };
    Err(Complaint::about(field, format!("{whose}{what}")))
}

fn usual_komi(rules: Rules) -> f32 {
    match rules.scoring {
        Scoring::Territory => 6.5,
        Scoring::Area if rules.button => 7.0,
        Scoring::Area => 7.5,
    }
}

fn rules(fields: Fields<'_>) -> Result<RulesAndKomi, Complaint> {
    let what = "Must specify rules by a name such as \"chinese\" or \"tromp-taylor\", \
                or by an object that says each rule";
    let text = match fields.value("rules") {
        Some(Value::String(text)) => text.clone(),
        Some(object @ Value::Object(_)) => object.to_string(),
        _ => return Err(Complaint::about("rules", what)),
    };
    let rules: Result<RulesAndKomi, _> = text.parse();
    rules.map_err(|error| Complaint::about("rules", format!("Could not parse rules: {error}")))
}

/// Takes the query's own bonus for handicap stones over that of its rules.
fn bonus(fields: Fields<'_>, rules: Rules) -> Result<Rules, Complaint> {
    match fields.value("whiteHandicapBonus") {
        None => Ok(rules),
        Some(Value::String(bonus)) => rules
            .with("whiteHandicapBonus", bonus)
            .map_err(|error| Complaint::about("whiteHandicapBonus", error.to_string())),
        Some(_) => Err(Complaint::about("whiteHandicapBonus", "Must be a string")),
    }
}

/// Takes the query's settings over those of the server.
fn override_settings(fields: Fields<'_>, settings: &mut QuerySettings) -> Result<(), Complaint> {
    let field = "overrideSettings";
    let object = match fields.value(field) {
        None => return Ok(()),
        Some(Value::Object(object)) => object,
        Some(_) => return Err(Complaint::about(field, "Must be an object")),
    };
    for (name, value) in object {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let bad = |why| Complaint::about(field, format!("Could not set settings: {why}"));
        settings.set(name, &text).map_err(bad)?;
    }
    Ok(())
}

fn options(
    fields: Fields<'_>,
    size: Size,
    settings: &QuerySettings,
) -> Result<SearchOptions, Complaint> {
    let number = |field, range: (f64, f64)| {
        let what = format!("Must be a number from {} to {}", range.0, range.1);
        let number = fields.number(field, range, &what)?;
        Ok::<_, Complaint>(number.map(|it| it as f32))
    };
    let temperature = number("rootPolicyTemperature", (0.01, 100.0))?;
    let reduction = number("rootFpuReductionMax", (0.0, 2.0))?;
    Ok(SearchOptions {
        avoid: avoid(fields, size)?,
        root_policy_temperature: temperature.or(settings.root_policy_temperature),
        root_fpu_reduction_max: reduction.or(settings.root_fpu_reduction_max),
        line_length: None,
        line_visits: fields.boolean("includePVVisits")?,
        no_result: fields.boolean("includeNoResultValue")?,
        moves_ownership: fields.boolean("includeMovesOwnership")?,
        ownership_deviation: fields.boolean("includeOwnershipStdev")?,
        moves_ownership_deviation: fields.boolean("includeMovesOwnershipStdev")?,
        settings: settings.engine.clone(),
        steering: Steering::default(),
    })
}

/// Reads which moves may not be tried; those alone allowed become all others avoided.
fn avoid(fields: Fields<'_>, size: Size) -> Result<Vec<Avoid>, Complaint> {
    let (field, allow) = match (fields.has("avoidMoves"), fields.has("allowMoves")) {
        (false, false) => return Ok(Vec::new()),
        (true, true) => {
            let what = "Cannot specify both allowMoves and avoidMoves";
            return Err(Complaint::about("allowMoves", what));
        }
        (true, false) => ("avoidMoves", false),
        (false, true) => ("allowMoves", true),
    };
    let bad = || {
        let what = "Must be a list of objects with the fields player, moves, untilDepth";
        Complaint::about(field, what)
    };
    let list = fields.value(field).and_then(Value::as_array);
    let mut avoid: Vec<Avoid> = Vec::new();
    for item in list.ok_or_else(bad)? {
        let item = Fields(item.as_object().ok_or_else(bad)?);
        let color = item.color("player")?.ok_or_else(bad)?;
        let depth = item.integer("untilDepth", (1, 1_000_000_000), "Must be above 0")?;
        let mut moves = item.vertices("moves", size)?;
        if allow {
            if avoid.iter().any(|earlier| earlier.color == color) {
                let what = "Cannot specify allowMoves more than once for the same player";
                return Err(Complaint::about(field, what));
            }
            moves = all_but(&moves, size);
        }
        avoid.push(Avoid {
            color,
            moves,
            until_depth: depth.ok_or_else(bad)? as u32,
        });
    }
    Ok(avoid)
}

fn all_but(allowed: &[Move], size: Size) -> Vec<Move> {
    let all = size.points().map(Move::Play).chain([Move::Pass]);
    all.filter(|mv| !allowed.contains(mv)).collect()
}

fn during(fields: Fields<'_>) -> Result<Option<During>, Complaint> {
    let time = |field| {
        let what = "Must be a number of seconds from 0.001 to 1000000";
        let seconds = fields.number(field, (0.001, 1e6), what)?;
        Ok::<_, Complaint>(seconds.map(Duration::from_secs_f64))
    };
    let every = time("reportDuringSearchEvery")?;
    let first = time("firstReportDuringSearchAfter")?;
    let never = Duration::from_secs(1_000_000);
    Ok(match (first.or(every), every) {
        (Some(first), every) => Some(During {
            first,
            every: every.unwrap_or(never),
        }),
        (None, _) => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(rules: &Value, komi: Option<f32>, expect: f32) {
        let mut query = json!({"moves": [], "rules": rules, "boardXSize": 9, "boardYSize": 9});
        if let Some(komi) = komi {
            query["komi"] = json!(komi);
        }
        let object = query.as_object().expect("it was written as one");
        let read = Query::read("a", object, &QuerySettings::default(), 19).unwrap();
        assert_eq!(read.query.komi, expect, "{query}");
    }

    #[test]
    fn the_komi_is_the_querys_or_its_rules_or_the_usual() {
        let object = json!({"ko": "POSITIONAL", "scoring": "AREA", "komi": 5.5});
        check(&object, None, 5.5);
        check(&object, Some(0.5), 0.5);
        check(&json!(object.to_string()), None, 5.5);
        check(&json!("koSIMPLEscoreTERRITORYkomi-3"), None, -3.0);
        check(&json!({"scoring": "TERRITORY"}), None, 6.5);
        check(&json!({"hasButton": true}), None, 7.0);
        check(&json!("chinese"), None, 7.5);
    }
}
