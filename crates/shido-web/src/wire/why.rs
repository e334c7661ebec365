//! Why a partner moved as it did, as it is kept with the move and as the page shows it.
//!
//! Rules, notes and reasons are stable ids of the coach's; the page has a sentence for
//! each in its own language. What a version before this one kept can still be read.

use serde::{Deserialize, Serialize};
use shido_coach::play::{ConsideredMove, WhyRecord};
use utoipa::ToSchema;

use super::analysis::{CandidateView, rounded};
use super::position::Color;

/// Why the partner did what it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Why {
    /// The number of the move.
    pub number: usize,
    /// Who moved.
    pub color: Color,
    /// A vertex, `pass` or `resign`.
    #[serde(rename = "move")]
    pub mv: String,
    /// What decided.
    pub reason: Reason,
    /// What thought.
    pub engine: String,
    /// Visits of the search.
    pub visits: u64,
    /// Time it took, without any human-like delay.
    pub time_ms: u64,
    /// The mover's chance to win, as it believed.
    pub win_rate: f32,
    /// Points the mover believed to be ahead by.
    pub lead: f32,
    /// Whether the mover found the game lost.
    pub hopeless: bool,
    /// The moves it looked at, the best first; empty where a teaching partner chose.
    pub candidates: Vec<CandidateView>,
    /// How a teaching partner chose, if one did.
    #[serde(default)]
    pub choice: Option<ChoiceView>,
}

/// What decided a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The search found it best.
    Search,
    /// The partner's own rule; `choice` says which.
    Partner,
    /// The opponent passed and the count is won.
    OpponentPassed,
    /// Everything is settled.
    Settled,
    /// There is no sensible move.
    NoMove,
    /// Dead stones had to come off.
    Cleanup,
    /// The game is lost.
    Hopeless,
}

/// How a teaching partner chose its move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChoiceView {
    /// The partner by name.
    pub partner: String,
    /// The rule that decided, by its id, e.g. `natural-score`.
    pub rule: String,
    /// What else had a part, by ids, e.g. `ladder-answered`.
    pub notes: Vec<String>,
    /// The points it wanted to give away, if it controls that.
    pub target_loss: Option<f32>,
    /// Points it believed to be ahead by with its best candidate.
    pub lead: Option<f32>,
    /// Simulations that the candidates had in all.
    pub simulations: u64,
    /// The moves considered, the one it chose first.
    pub candidates: Vec<ConsideredView>,
}

/// One move a teaching partner considered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConsideredView {
    /// A vertex or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// Simulations it had.
    pub visits: u64,
    /// Points the partner is ahead by after it; none without a search of it.
    pub lead: Option<f32>,
    /// Points it gives away compared with the best candidate.
    pub loss: Option<f32>,
    /// The partner's chance to win after it.
    pub win_rate: Option<f32>,
    /// How likely a person of the partner's level plays it, 0 to 1.
    pub naturalness: f32,
    /// What the partner made of it; none if it was set aside.
    pub score: Option<f32>,
    /// Why it was set aside, by its id, e.g. `own-eye`.
    pub set_aside: Option<String>,
}

impl ChoiceView {
    /// Returns what is kept and shown of a partner's record.
    pub fn new(record: &WhyRecord) -> ChoiceView {
        ChoiceView {
            partner: record.partner.to_string(),
            rule: record.rule.id().to_owned(),
            notes: record.notes.iter().map(|it| it.id().to_owned()).collect(),
            target_loss: record.target_loss.map(|it| rounded(it, 100.0)),
            lead: record.lead.map(|it| rounded(it.0.0, 100.0)),
            simulations: record.simulations,
            candidates: (record.candidates.iter())
                .map(|it| ConsideredView::new(record, it))
                .collect(),
        }
    }
}

impl ConsideredView {
    fn new(record: &WhyRecord, considered: &ConsideredMove) -> ConsideredView {
        ConsideredView {
            mv: considered.vertex.clone(),
            visits: considered.visits,
            lead: considered.lead.map(|it| rounded(it.0.0, 100.0)),
            loss: considered.loss.map(|it| rounded(it, 100.0)),
            win_rate: (record.told(considered.win_rate)).map(|it| rounded(it.0.0, 1000.0)),
            naturalness: rounded(considered.naturalness, 10_000.0),
            score: considered.score.filter(|it| it.is_finite()),
            set_aside: considered.set_aside.map(|it| it.id().to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use shido_coach::play::{Note, Rule};

    /// The other languages have the entries of the English one; its type sees to that.
    #[test]
    fn the_page_has_a_sentence_for_every_rule_and_note() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/lang/en.ts");
        let english = std::fs::read_to_string(path).unwrap();
        let ids = Rule::ALL.into_iter().map(Rule::id);
        for id in ids.chain(Note::ALL.into_iter().map(Note::id)) {
            let quoted = english.contains(&format!("      '{id}':"));
            let plain = english.contains(&format!("      {id}:"));
            assert!(quoted || plain, "{id}");
        }
    }
}
