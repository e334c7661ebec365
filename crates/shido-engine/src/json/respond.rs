//! From an analysis to the object of a response.
//!
//! As KataGo writes it: keys in alphabetical order, nine significant digits,
//! ownership to six decimals, −1 for an illegal move's policy. Numbers that our
//! search does not tell apart bear the same value under both names.

use serde_json::{Map, Value, json};
use shido_go::gtp::format_vertex;
use shido_go::{Color, Move, Position, Size};
use shido_search::{Analysis, Candidate, Evaluation, Flip, ForBlack, ForMover};

use super::hashes::hashes;
use super::query::{Query, Wanted};

/// What a response is about.
pub(super) struct About<'a> {
    pub(super) query: &'a Query,
    pub(super) turn: usize,
    pub(super) position: &'a Position,
    /// The policy of an analyst that has no raw evaluation, if wanted.
    pub(super) policy: Option<&'a [f32]>,
    /// What the human network says, if it was asked.
    pub(super) human: Option<&'a Evaluation>,
}

/// Returns the response to a search that was ended before it saw anything.
pub(super) fn nothing(id: &str, turn: usize) -> Value {
    json!({"id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true})
}

impl About<'_> {
    /// Returns the response for an analysis.
    pub(super) fn response(&self, analysis: &Analysis, during: bool) -> Value {
        let wanted = &self.query.wanted;
        let eye = Eye {
            mover: analysis.to_move,
            color: wanted.perspective.color(analysis.to_move),
        };
        let mut object = Map::new();
        let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
        put("id", json!(self.query.id));
        put("turnNumber", json!(self.turn));
        put("isDuringSearch", json!(during));
        put("moveInfos", self.move_infos(analysis, eye));
        put("rootInfo", self.root_info(analysis, eye));
        if wanted.ownership && !analysis.ownership.is_empty() {
            put("ownership", eye.ownership(&analysis.ownership));
        }
        if self.query.options.ownership_deviation
            && let Some(deviation) = &analysis.ownership_deviation
        {
            put("ownershipStdev", decimals(deviation));
        }
        if wanted.policy
            && let Some(policy) = self.policy(analysis)
        {
            put("policy", policy);
        }
        if let (true, Some(human)) = (wanted.policy, self.human) {
            put("humanPolicy", self.legal_policy(&human.policy));
        }
        Value::Object(object)
    }

    fn move_infos(&self, analysis: &Analysis, eye: Eye) -> Value {
        let color = analysis.to_move;
        let told: Vec<&Candidate> = analysis
            .candidates
            .iter()
            .filter(|it| !self.query.options.avoids(color, it.mv, 0))
            .collect();
        // Where the search does not say what it orders moves by: a move is never worth less
        // for being played than one ranked below it.
        let mut worth = 0.0_f32;
        let mut infos: Vec<Value> = told
            .iter()
            .enumerate()
            .rev()
            .map(|(order, it)| {
                worth = worth.max(it.weight);
                self.move_info(it, order, it.play_value.unwrap_or(worth), eye)
            })
            .collect();
        infos.reverse();
        Value::Array(infos)
    }

    fn move_info(&self, it: &Candidate, order: usize, worth: f32, eye: Eye) -> Value {
        let size = self.query.size;
        let lead = number(eye.move_value(it.lead).0);
        let line = &it.line[..it.line.len().min(self.query.wanted.line_length + 1)];
        let mut info = json!({
            "edgeVisits": it.visits,
            "edgeWeight": number(it.weight),
            "lcb": number(eye.move_value(it.lower_bound).0),
            "move": vertex(it.mv, size),
            "order": order,
            "playSelectionValue": number(worth),
            "prior": number(it.prior),
            "pv": line.iter().map(|&mv| vertex(mv, size)).collect::<Vec<_>>(),
            "scoreLead": lead,
            "scoreMean": lead,
            "scoreSelfplay": number(eye.move_value(it.score_mean).0),
            "scoreStdev": number(it.score_deviation.0),
            "utility": number(eye.move_value(it.utility).0),
            "utilityLcb": number(eye.move_value(it.utility_lower_bound).0),
            "visits": it.visits,
            "weight": number(it.weight),
            "winrate": number(eye.move_value(it.win_rate).0),
        });
        let options = &self.query.options;
        if let Some(human) = self.human {
            let place = it.mv.point().map_or(size.area(), |it| size.index_of(it));
            info["humanPrior"] = number(human.policy[place]);
        }
        if let Some(of) = it.mirrors {
            info["isSymmetryOf"] = json!(vertex(of, size));
        }
        if let (true, Some(chance)) = (options.no_result, it.no_result) {
            info["noResultValue"] = number(chance);
        }
        if options.line_visits && !it.line_visits.is_empty() {
            let visits = &it.line_visits[..it.line_visits.len().min(line.len())];
            info["pvVisits"] = json!(visits);
            info["pvEdgeVisits"] = json!(visits);
        }
        if let (true, Some(map)) = (options.moves_ownership, &it.ownership) {
            info["ownership"] = eye.ownership(map);
        }
        if let (true, Some(map)) = (options.moves_ownership_deviation, &it.ownership_deviation) {
            info["ownershipStdev"] = decimals(map);
        }
        info
    }

    fn root_info(&self, analysis: &Analysis, eye: Eye) -> Value {
        let (this, symmetric) = hashes(self.position);
        let mut info = json!({
            "currentPlayer": analysis.to_move.letter().to_string(),
            "scoreLead": number(eye.value(analysis.lead).0),
            "scoreSelfplay": number(eye.value(analysis.score_mean).0),
            "scoreStdev": number(analysis.score_deviation.0),
            "symHash": symmetric,
            "thisHash": this,
            "utility": number(eye.value(analysis.utility).0),
            "visits": analysis.visits,
            "weight": number(analysis.weight),
            "winrate": number(eye.value(analysis.win_rate).0),
        });
        if let Some(raw) = &analysis.raw {
            raw_info(&mut info, raw, eye);
        }
        if let Some(human) = self.human {
            human_info(&mut info, human, eye);
        }
        info
    }

    fn policy(&self, analysis: &Analysis) -> Option<Value> {
        let policy = match &analysis.raw {
            Some(raw) => &raw.policy,
            None => self.policy?,
        };
        Some(self.legal_policy(policy))
    }

    /// Writes a policy, −1 for what may not be played.
    fn legal_policy(&self, policy: &[f32]) -> Value {
        let size = self.query.size;
        let mover = self.position.to_move();
        let moves = size.points().map(Move::Play).chain([Move::Pass]);
        let values = moves.zip(policy).map(|(mv, &p)| {
            if self.position.is_legal(mover, mv) {
                number(p)
            } else {
                json!(-1.0)
            }
        });
        values.collect()
    }
}

/// What the evaluator said before any search; −1 where it cannot say, as KataGo has it.
fn raw_info(info: &mut Value, raw: &Evaluation, eye: Eye) {
    let (halved, score_error) = short_term_errors(raw);
    info["rawLead"] = number(eye.move_value(raw.lead).0);
    info["rawNoResultProb"] = number(raw.no_result);
    info["rawScoreSelfplay"] = number(eye.move_value(raw.score_mean).0);
    info["rawScoreSelfplayStdev"] = number(raw.score_deviation.0);
    info["rawStScoreError"] = number(score_error);
    info["rawStWrError"] = number(halved);
    info["rawVarTimeLeft"] = number(raw.variance_time.unwrap_or(-1.0));
    info["rawWinrate"] = number(eye.move_value(raw.win_rate).0);
}

/// What the human network said; its score is the mean of final scores, not a lead.
fn human_info(info: &mut Value, human: &Evaluation, eye: Eye) {
    let (halved, score_error) = short_term_errors(human);
    info["humanScoreMean"] = number(eye.move_value(human.score_mean).0);
    info["humanScoreStdev"] = number(human.score_deviation.0);
    info["humanStScoreError"] = number(score_error);
    info["humanStWrError"] = number(halved);
    info["humanWinrate"] = number(eye.move_value(human.win_rate).0);
}

/// Returns the errors of the win rate and of the score, less than 0 if they are not known.
fn short_term_errors(raw: &Evaluation) -> (f32, f32) {
    let halved = raw.short_term_win_loss_error.map_or(-0.5, |it| it * 0.5);
    let score_error = raw.short_term_score_error.map_or(-1.0, |it| it.0);
    (halved, score_error)
}

/// Whose eyes see the numbers, and who is to move.
#[derive(Clone, Copy)]
struct Eye {
    mover: Color,
    color: Color,
}

impl Eye {
    fn value<T: Flip>(self, value: ForBlack<T>) -> T {
        value.as_seen_by(self.color)
    }

    fn move_value<T: Flip>(self, value: ForMover<T>) -> T {
        self.value(value.for_black(self.mover))
    }

    fn ownership(self, map: &[f32]) -> Value {
        match self.color {
            Color::Black => decimals(map),
            Color::White => map.iter().map(|it| six_decimals(-it)).collect(),
        }
    }
}

fn vertex(mv: Move, size: Size) -> String {
    format_vertex(mv, size)
}

/// Nine significant digits.
fn number(value: f32) -> Value {
    let text = format!("{value:.8e}");
    // Adding zero makes −0 plain.
    json!(text.parse::<f64>().unwrap_or_default() + 0.0)
}

fn decimals(map: &[f32]) -> Value {
    map.iter().map(|&value| six_decimals(value)).collect()
}

fn six_decimals(value: f32) -> Value {
    json!((f64::from(value) * 1e6).round() / 1e6 + 0.0)
}

impl Wanted {
    /// Returns whether a policy must be asked for beside the search.
    pub(super) fn needs_policy(&self, analysis: &Analysis) -> bool {
        self.policy && analysis.raw.is_none()
    }
}
