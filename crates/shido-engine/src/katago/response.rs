//! From a response to an [`Analysis`]; its numbers are from Black's side.

use std::sync::Arc;

use serde::Deserialize;
use shido_go::gtp::parse_vertex;
use shido_go::{Color, Move, Position, Size};
use shido_search::{
    Analysis, Candidate, Evaluation, Flip, ForBlack, ForMover, Points, Utility, WinRate,
};

/// What of a response we use; it may hold more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    #[serde(default)]
    pub(super) is_during_search: bool,
    #[serde(default)]
    pub(super) no_results: bool,
    #[serde(default)]
    move_infos: Vec<MoveInfo>,
    root_info: Option<RootInfo>,
    #[serde(default)]
    ownership: Vec<f32>,
    ownership_stdev: Option<Vec<f32>>,
    #[serde(default)]
    policy: Vec<f32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveInfo {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    winrate: f32,
    score_lead: f32,
    score_stdev: f32,
    score_selfplay: Option<f32>,
    lcb: Option<f32>,
    utility: Option<f32>,
    utility_lcb: Option<f32>,
    weight: Option<f32>,
    play_selection_value: Option<f32>,
    no_result_value: Option<f32>,
    prior: f32,
    #[serde(default)]
    pv: Vec<String>,
    #[serde(default)]
    pv_visits: Vec<u64>,
    is_symmetry_of: Option<String>,
    ownership: Option<Vec<f32>>,
    ownership_stdev: Option<Vec<f32>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    visits: u64,
    winrate: f32,
    score_lead: f32,
    score_stdev: Option<f32>,
    score_selfplay: Option<f32>,
    utility: Option<f32>,
    weight: Option<f32>,
    raw_winrate: Option<f32>,
    raw_lead: Option<f32>,
    raw_score_selfplay: Option<f32>,
    raw_score_selfplay_stdev: Option<f32>,
    raw_no_result_prob: Option<f32>,
    raw_st_wr_error: Option<f32>,
    raw_st_score_error: Option<f32>,
    raw_var_time_left: Option<f32>,
}

impl Response {
    /// Returns the analysis it holds, or what is wrong with it.
    pub(super) fn analysis(self, position: &Position) -> Result<Analysis, String> {
        let (size, mover) = (position.size(), position.to_move());
        if self.no_results {
            return Ok(Analysis::unknown(mover));
        }
        let root = self.root_info.as_ref().ok_or("it has no rootInfo")?;
        for (name, found, expect) in [
            ("ownership", self.ownership.len(), size.area()),
            ("policy", self.policy.len(), size.area() + 1),
        ] {
            if found != 0 && found != expect {
                return Err(format!("its {name} has {found} values, not {expect}"));
            }
        }
        let raw = raw(root, &self.policy, mover).map(Arc::new);
        let infos = self.move_infos.into_iter();
        let candidates: Result<_, String> = infos.map(|it| it.candidate(mover, size)).collect();
        let utility = root.utility.unwrap_or(2.0 * root.winrate - 1.0);
        Ok(Analysis {
            visits: root.visits,
            playouts: root.visits,
            weight: root.weight.unwrap_or(root.visits as f32),
            win_rate: ForBlack(WinRate(root.winrate)),
            lead: ForBlack(Points(root.score_lead)),
            score_deviation: Points(root.score_stdev.unwrap_or_default()),
            score_mean: ForBlack(Points(root.score_selfplay.unwrap_or(root.score_lead))),
            utility: ForBlack(Utility(utility)),
            ownership: self.ownership,
            ownership_deviation: self.ownership_stdev,
            raw,
            candidates: candidates?,
            ..Analysis::unknown(mover)
        })
    }
}

impl MoveInfo {
    fn candidate(self, mover: Color, size: Size) -> Result<Candidate, String> {
        let vertex = |text: &str| {
            let mv = parse_vertex(text, size);
            mv.map_err(|error| format!("its moves are wrong: {error}"))
        };
        let mv = vertex(&self.mv)?;
        let line: Result<Vec<Move>, String> = self.pv.iter().map(|text| vertex(text)).collect();
        let line = Some(line?).filter(|line| !line.is_empty());
        let bound = self.lcb.unwrap_or(self.winrate);
        let utility = self.utility.unwrap_or(2.0 * self.winrate - 1.0);
        Ok(Candidate {
            visits: self.visits,
            win_rate: seen(WinRate(self.winrate), mover),
            lower_bound: seen(WinRate(bound), mover),
            lead: seen(Points(self.score_lead), mover),
            score_deviation: Points(self.score_stdev),
            score_mean: seen(
                Points(self.score_selfplay.unwrap_or(self.score_lead)),
                mover,
            ),
            utility: seen(Utility(utility), mover),
            utility_lower_bound: seen(Utility(self.utility_lcb.unwrap_or(utility)), mover),
            weight: self.weight.unwrap_or(self.visits as f32),
            play_value: self.play_selection_value,
            no_result: self.no_result_value,
            prior: self.prior,
            line: line.unwrap_or_else(|| vec![mv]),
            line_visits: self.pv_visits,
            mirrors: self.is_symmetry_of.as_deref().map(vertex).transpose()?,
            ownership: self.ownership,
            ownership_deviation: self.ownership_stdev,
            ..Candidate::unknown(mv)
        })
    }
}

fn seen<T: Flip>(value: T, mover: Color) -> ForMover<T> {
    ForBlack(value).for_mover(mover)
}

/// Returns the network's own words, if the program tells them.
fn raw(root: &RootInfo, policy: &[f32], mover: Color) -> Option<Evaluation> {
    if policy.is_empty() {
        return None;
    }
    let win_rate = root.raw_winrate?;
    let lead = root.raw_lead.unwrap_or(root.score_lead);
    // What a network does not know is told as a negative number.
    let known = |value: Option<f32>| value.filter(|&value| value >= 0.0);
    Some(Evaluation {
        policy: policy.iter().map(|&p| p.max(0.0)).collect(),
        win_rate: seen(WinRate(win_rate), mover),
        no_result: root.raw_no_result_prob.unwrap_or_default(),
        score_mean: seen(Points(root.raw_score_selfplay.unwrap_or(lead)), mover),
        score_deviation: Points(root.raw_score_selfplay_stdev.unwrap_or_default()),
        lead: seen(Points(lead), mover),
        variance_time: known(root.raw_var_time_left),
        short_term_win_loss_error: known(root.raw_st_wr_error).map(|it| 2.0 * it),
        short_term_score_error: known(root.raw_st_score_error).map(Points),
        ownership: None,
    })
}
