//! From a position and limits to a query.

use std::time::Duration;

use serde_json::{Map, Value, json};
use shido_go::gtp::format_vertex;
use shido_go::{Board, Color, HandicapBonus, Move, Position, Rules, Scoring};
use shido_search::puct::Budget;

use crate::Limits;
use crate::parameters::UTILITY_RANGE;

/// Visits that stand for no limit.
const ENDLESS: u64 = 1_000_000_000;
/// How often KataGo must show that it lives while it searches.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// One thing to ask.
pub(super) struct Question<'a> {
    pub(super) id: String,
    pub(super) position: &'a Position,
    pub(super) limits: &'a Limits,
    /// How often to report meanwhile, if asked to.
    pub(super) every: Option<Duration>,
    /// The one candidate to look at, and the visits it should get.
    pub(super) only: Option<Budget>,
}

impl Question<'_> {
    /// Returns the line to send.
    pub(super) fn to_json(&self) -> Value {
        let (position, limits) = (self.position, self.limits);
        let size = position.size();
        let rules = Rules {
            handicap_bonus: HandicapBonus::Zero,
            ..*position.rules()
        };
        let rules: Value =
            serde_json::from_str(&rules.to_json()).expect("rules are written as JSON");
        let visits = match self.only {
            // The root is visited once by itself.
            Some(budget) => budget.visits + 1,
            None => limits.playouts_beyond(0).unwrap_or(ENDLESS),
        };
        let every = self.every.unwrap_or(SIGN_OF_LIFE).min(SIGN_OF_LIFE);
        let mut query = json!({
            "id": self.id,
            "boardXSize": size.width(),
            "boardYSize": size.height(),
            "rules": rules,
            "komi": Komi::of(position, limits.options.steering.komi_offset).asked,
            "maxVisits": visits,
            "includeOwnership": true,
            "includePolicy": true,
            "reportDuringSearchEvery": every.as_secs_f64().max(0.001),
            "overrideSettings": self.settings(),
        });
        let object = query.as_object_mut().expect("it was just made");
        self.put_game(object);
        self.put_options(object);
        query
    }

    fn settings(&self) -> Value {
        let mut settings = Map::new();
        for (name, value) in &self.limits.options.settings {
            settings.insert(name.clone(), json!(value));
        }
        if let Some(exploration) = self.limits.options.steering.exploration {
            let coefficient = UTILITY_RANGE * exploration;
            settings.insert("cpuctExploration".to_owned(), json!(coefficient));
            settings.insert("cpuctUtilityStdevScale".to_owned(), json!(0.0));
        }
        if let Some(noise) = self.limits.options.steering.wide_noise {
            settings.insert("wideRootNoise".to_owned(), json!(noise));
        }
        settings.insert("reportAnalysisWinratesAs".to_owned(), json!("BLACK"));
        if let Some(time) = self.limits.time {
            settings.insert("maxTime".to_owned(), json!(time.as_secs_f64().max(0.001)));
        }
        Value::Object(settings)
    }

    /// Tells the moves where they lead to whose turn it is, else the stones alone.
    fn put_game(&self, object: &mut Map<String, Value>) {
        let position = self.position;
        let history = has_history(position);
        let (board, first) = if history {
            (position.start(), position.first_to_move())
        } else {
            (position.board(), position.to_move())
        };
        let size = position.size();
        let pair =
            |color: Color, mv: Move| json!([color.letter().to_string(), format_vertex(mv, size)]);
        let stones: Vec<Value> = size
            .points()
            .filter_map(|point| Some(pair(board.stone(point)?, Move::Play(point))))
            .collect();
        let told = if history { position.moves() } else { &[] };
        let moves: Vec<Value> = told.iter().map(|it| pair(it.color, it.mv)).collect();
        object.insert("initialStones".to_owned(), Value::Array(stones));
        object.insert(
            "initialPlayer".to_owned(),
            json!(first.letter().to_string()),
        );
        object.insert("moves".to_owned(), Value::Array(moves));
    }

    fn put_options(&self, object: &mut Map<String, Value>) {
        let options = &self.limits.options;
        let size = self.position.size();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        if let Some(temperature) = options.root_policy_temperature {
            put("rootPolicyTemperature", json!(temperature));
        }
        if let Some(reduction) = options.root_fpu_reduction_max {
            put("rootFpuReductionMax", json!(reduction));
        }
        if let Some(length) = options.line_length {
            put("analysisPVLen", json!(length.saturating_sub(1).max(1)));
        }
        for (asked, name) in [
            (options.line_visits, "includePVVisits"),
            (options.no_result, "includeNoResultValue"),
            (options.moves_ownership, "includeMovesOwnership"),
            (options.ownership_deviation, "includeOwnershipStdev"),
            (
                options.moves_ownership_deviation,
                "includeMovesOwnershipStdev",
            ),
        ] {
            if asked {
                put(name, json!(true));
            }
        }
        if let Some(Budget { mv, .. }) = self.only {
            let player = self.position.to_move().letter().to_string();
            let moves = [format_vertex(mv, size)];
            let allow = json!([{"player": player, "moves": moves, "untilDepth": 1}]);
            put("allowMoves", allow);
            return;
        }
        let avoid: Vec<Value> = options
            .avoid
            .iter()
            .map(|it| {
                let moves: Vec<_> = it.moves.iter().map(|&mv| format_vertex(mv, size)).collect();
                let player = it.color.letter().to_string();
                json!({"player": player, "moves": moves, "untilDepth": it.until_depth})
            })
            .collect();
        if !avoid.is_empty() {
            put("avoidMoves", Value::Array(avoid));
        }
    }
}

/// Returns whether the moves lead to whose turn it is, so that they can be told.
fn has_history(position: &Position) -> bool {
    let last = position.last_move();
    last.is_some_and(|played| !played.color == position.to_move())
}

/// The komi that KataGo is told, and what of it is no part of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Komi {
    /// What it is told: an integer or half-integer, as it demands.
    pub(super) asked: f32,
    /// Points that White has by it beyond those of the game.
    pub(super) offset: f32,
}

impl Komi {
    /// Returns the komi of a position when White is to be given so many points.
    pub(super) fn of(position: &Position, given: f32) -> Komi {
        // KataGo would guess the handicap from the stones; ours is known.
        let bonus = position.rules().handicap_bonus.points(position.handicap());
        let own = position.komi() + bonus as f32 + untold_prisoners(position);
        let asked = (2.0 * (own + given)).round() / 2.0;
        Komi {
            asked,
            offset: asked - own,
        }
    }
}

/// Returns how many prisoners more White has than Black on the board that is told as stones,
/// where they count: stones tell nothing of those taken before.
fn untold_prisoners(position: &Position) -> f32 {
    if position.rules().scoring != Scoring::Territory {
        return 0.0;
    }
    let board: &Board = if has_history(position) {
        position.start()
    } else {
        position.board()
    };
    let of = |color| board.prisoners(color) as f32;
    of(Color::White) - of(Color::Black)
}

#[cfg(test)]
mod tests {
    use shido_go::Size;
    use shido_go::gtp::parse_vertex;

    use super::*;

    fn ask(position: &Position, limits: &Limits) -> Value {
        let question = Question {
            id: "q".to_owned(),
            position,
            limits,
            every: None,
            only: None,
        };
        question.to_json()
    }

    #[test]
    fn a_game_is_told_by_its_moves() {
        let mut position = Position::new(Size::S9, Rules::CHINESE, 7.0);
        for mv in ["E5", "pass"] {
            position.play(parse_vertex(mv, Size::S9).unwrap()).unwrap();
        }
        let query = ask(&position, &Limits::visits(10));
        assert_eq!(query["moves"], json!([["B", "E5"], ["W", "pass"]]));
        assert_eq!(query["initialPlayer"], "B");
        assert_eq!(query["maxVisits"], 10);
        assert_eq!(
            query["overrideSettings"]["reportAnalysisWinratesAs"],
            "BLACK"
        );
        // Out of turn only the stones tell the truth.
        position.set_to_move(Color::White);
        let query = ask(&position, &Limits::default());
        assert_eq!(query["moves"], json!([]));
        assert_eq!(query["initialStones"], json!([["B", "E5"]]));
        assert_eq!(query["initialPlayer"], "W");
    }

    #[test]
    fn what_a_partner_asks_has_its_words() {
        let position = Position::new(Size::S9, Rules::CHINESE, 6.5);
        let mut limits = Limits::visits(10);
        limits.options.steering.komi_offset = -4.0;
        limits.options.steering.exploration = Some(10.0);
        limits.options.steering.wide_noise = Some(0.25);
        let mut question = Question {
            id: "q".to_owned(),
            position: &position,
            limits: &limits,
            every: None,
            only: None,
        };
        let query = question.to_json();
        assert_eq!(query["komi"], 2.5);
        assert_eq!(query["overrideSettings"]["cpuctExploration"], 20.0);
        assert_eq!(query["overrideSettings"]["cpuctUtilityStdevScale"], 0.0);
        assert_eq!(query["overrideSettings"]["wideRootNoise"], 0.25);
        assert!(query.get("allowMoves").is_none());
        question.only = Some(Budget {
            mv: Move::Pass,
            visits: 40,
        });
        let query = question.to_json();
        assert_eq!(query["maxVisits"], 41);
        let allow = json!([{"player": "B", "moves": ["pass"], "untilDepth": 1}]);
        assert_eq!(query["allowMoves"], allow);
    }

    #[test]
    fn a_komi_is_told_in_halves() {
        for (komi, given, asked, offset) in [
            (6.5, 0.0, 6.5, 0.0),
            (3.75, 0.0, 4.0, 0.25),
            (0.5, 3.25, 4.0, 3.5),
            (0.5, 3.1, 3.5, 3.0),
            (7.0, -20.3, -13.5, -20.5),
        ] {
            let position = Position::new(Size::S9, Rules::CHINESE, komi);
            let found = Komi::of(&position, given);
            assert_eq!(found, Komi { asked, offset }, "{komi} {given}");
            let mut limits = Limits::default();
            limits.options.steering.komi_offset = given;
            assert_eq!(ask(&position, &limits)["komi"], asked);
        }
    }

    /// White has taken a stone in the corner; Black is to move.
    fn with_a_prisoner(rules: Rules) -> Position {
        let mut position = Position::new(Size::S9, rules, 6.5);
        for mv in ["A1", "A2", "E5", "B1"] {
            position.play(parse_vertex(mv, Size::S9).unwrap()).unwrap();
        }
        assert_eq!(position.board().prisoners(Color::White), 1);
        position
    }

    #[test]
    fn prisoners_that_no_move_tells_of_are_told_as_komi() {
        for (rules, stones_alone) in [(Rules::JAPANESE, 7.5), (Rules::CHINESE, 6.5)] {
            let mut position = with_a_prisoner(rules);
            assert_eq!(ask(&position, &Limits::default())["komi"], 6.5, "by moves");
            position.set_to_move(Color::White);
            let query = ask(&position, &Limits::default());
            assert_eq!(
                (&query["moves"], &query["komi"]),
                (&json!([]), &json!(stones_alone))
            );
            // A game that goes on from its stones has them at its start.
            let board = position.board().clone();
            let mut resumed = Position::from_board(board, Color::Black, rules, 6.5);
            assert_eq!(ask(&resumed, &Limits::default())["komi"], stones_alone);
            resumed.play(Move::Pass).unwrap();
            let query = ask(&resumed, &Limits::default());
            assert_eq!(query["moves"], json!([["B", "pass"]]));
            assert_eq!(query["komi"], stones_alone);
            // They are points of the game, which nothing takes back.
            assert_eq!(Komi::of(&resumed, 0.0).offset, 0.0);
        }
        let mut board = with_a_prisoner(Rules::JAPANESE).board().clone();
        board.add_prisoners(Color::Black, 4);
        let position = Position::from_board(board, Color::Black, Rules::JAPANESE, 6.5);
        assert_eq!(ask(&position, &Limits::default())["komi"], 3.5);
    }

    #[test]
    fn a_handicap_is_paid_in_komi() {
        let mut position = Position::new(Size::S9, Rules::CHINESE, 0.5);
        position.set_handicap(3);
        let query = ask(&position, &Limits::default());
        assert_eq!(query["rules"]["whiteHandicapBonus"], "0");
        assert_eq!(query["komi"], 3.5);
    }
}
