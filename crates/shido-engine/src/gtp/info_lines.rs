//! An analysis as one line, as Leela Zero and as KataGo write it.
//!
//! All values are the mover's: win rates, scores and ownership alike. KataGo's
//! fields that mean the same in a tree (`visits` and `edgeVisits`) or by now
//! (`scoreMean` and `scoreLead`) bear the same number.

use std::borrow::Cow;
use std::fmt::Write as _;

use shido_go::gtp::format_vertex;
use shido_go::{Color, Move, Size};
use shido_search::{Analysis, Candidate, Evaluation};

/// Which of the formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Whole numbers in ten-thousandths, moves only.
    LeelaZero,
    /// Decimals, more fields, ownership.
    KataGo,
    /// KataGo's under the names without a prefix, which are Sabaki's: all but counts have a
    /// decimal point, by which Sabaki tells it from Leela Zero's.
    Sabaki,
}

impl Format {
    /// Writes up to three decimals of a sum of weights, which is often a whole number.
    pub(super) fn weight(self, weight: f32) -> String {
        let weight = (f64::from(weight) * 1e3).round() / 1e3;
        match self {
            Format::Sabaki => format!("{weight:?}"),
            Format::KataGo | Format::LeelaZero => weight.to_string(),
        }
    }
}

/// What a line should hold.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key of its own that the protocol names"
)]
pub(super) struct LineOptions {
    pub(super) format: Format,
    /// The most moves, if limited.
    pub(super) max_moves: Option<usize>,
    /// Moves to be told of, if only some are allowed.
    pub(super) allow: Option<Vec<Move>>,
    /// Moves not to be told of.
    pub(super) avoid: Vec<Move>,
    /// Moves to be told of even if not searched, with their priors, likeliest first.
    pub(super) fill: Vec<(Move, f32)>,
    /// The least moves, as far as `fill` reaches.
    pub(super) min_moves: usize,
    pub(super) ownership: bool,
    pub(super) ownership_deviation: bool,
    pub(super) moves_ownership: bool,
    pub(super) moves_ownership_deviation: bool,
    pub(super) line_visits: bool,
    pub(super) line_edge_visits: bool,
    pub(super) no_result: bool,
    pub(super) root_info: bool,
}

impl LineOptions {
    pub(super) fn new(format: Format) -> LineOptions {
        LineOptions {
            format,
            max_moves: None,
            allow: None,
            avoid: Vec::new(),
            fill: Vec::new(),
            min_moves: 0,
            ownership: false,
            ownership_deviation: false,
            moves_ownership: false,
            moves_ownership_deviation: false,
            line_visits: false,
            line_edge_visits: false,
            no_result: false,
            root_info: false,
        }
    }

    /// Returns whether a move may be told of.
    pub(super) fn admits(&self, mv: Move) -> bool {
        let allowed = self.allow.as_ref().is_none_or(|it| it.contains(&mv));
        allowed && !self.avoid.contains(&mv)
    }

    /// Returns the moves to tell of, in order.
    fn moves<'a>(&self, analysis: &'a Analysis) -> Vec<Cow<'a, Candidate>> {
        let mut told: Vec<_> = analysis
            .candidates
            .iter()
            .filter(|it| self.admits(it.mv))
            .map(Cow::Borrowed)
            .collect();
        let fresh = self
            .fill
            .iter()
            .filter(|&&(mv, _)| self.admits(mv) && analysis.candidate(mv).is_none());
        let missing = self.min_moves.saturating_sub(told.len());
        told.extend(
            fresh
                .take(missing)
                .map(|&(mv, prior)| Cow::Owned(unsearched(mv, prior, analysis))),
        );
        told.truncate(self.max_moves.unwrap_or(usize::MAX));
        told
    }

    /// Writes an analysis of a board of this size.
    pub(super) fn line(&self, analysis: &Analysis, size: Size) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (order, it) in self.moves(analysis).iter().enumerate() {
            match self.format {
                Format::LeelaZero => parts.push(leela_zero(it, order, size)),
                Format::KataGo | Format::Sabaki => {
                    parts.push(katago(it, order, size, self.format));
                    if let (true, Some(chance)) = (self.no_result, it.no_result) {
                        parts.push(format!("noResultValue {}", decimals(chance)));
                    }
                    self.add_visits(it, &mut parts);
                    self.add_ownership(it, analysis.to_move, &mut parts);
                }
            }
        }
        let mover = analysis.to_move;
        if self.root_info {
            parts.push(root_info(analysis, self.format));
        }
        if self.ownership {
            parts.push(ownership("ownership", &analysis.ownership, sign(mover)));
        }
        if let (true, Some(map)) = (self.ownership_deviation, &analysis.ownership_deviation) {
            parts.push(ownership("ownershipStdev", map, 1.0));
        }
        parts.join(" ")
    }

    /// Adds the visits along the expected line, where the search kept them.
    fn add_visits(&self, it: &Candidate, parts: &mut Vec<String>) {
        if it.line_visits.is_empty() {
            return;
        }
        let visits = it.line_visits.iter().map(u64::to_string);
        let visits = visits.collect::<Vec<_>>().join(" ");
        if self.line_visits {
            parts.push(format!("pvVisits {visits}"));
        }
        if self.line_edge_visits {
            parts.push(format!("pvEdgeVisits {visits}"));
        }
    }

    /// Adds who owns what after a move, where the search kept it.
    fn add_ownership(&self, it: &Candidate, mover: Color, parts: &mut Vec<String>) {
        if let (true, Some(map)) = (self.moves_ownership, &it.ownership) {
            parts.push(ownership("movesOwnership", map, sign(mover)));
        }
        if let (true, Some(map)) = (self.moves_ownership_deviation, &it.ownership_deviation) {
            parts.push(ownership("movesOwnershipStdev", map, 1.0));
        }
    }
}

/// Returns a move that was not searched, with the numbers of the position.
fn unsearched(mv: Move, prior: f32, analysis: &Analysis) -> Candidate {
    let mover = analysis.to_move;
    Candidate {
        win_rate: analysis.win_rate.for_mover(mover),
        lead: analysis.lead.for_mover(mover),
        score_mean: analysis.score_mean.for_mover(mover),
        score_deviation: analysis.score_deviation,
        utility: analysis.utility.for_mover(mover),
        prior,
        ..Candidate::unknown(mv)
    }
}

fn leela_zero(it: &Candidate, order: usize, size: Size) -> String {
    format!(
        "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
        format_vertex(it.mv, size),
        it.visits,
        ten_thousandths(it.win_rate.0.0),
        ten_thousandths(it.prior),
        ten_thousandths(it.lower_bound.0.0),
        variation(it, size),
    )
}

fn katago(it: &Candidate, order: usize, size: Size, format: Format) -> String {
    let visits = it.visits;
    let twin = it.mirrors.map_or_else(String::new, |of| {
        format!(" isSymmetryOf {}", format_vertex(of, size))
    });
    format!(
        "info move {} visits {visits} edgeVisits {visits} utility {} winrate {} \
         scoreMean {lead} scoreStdev {} scoreLead {lead} scoreSelfplay {} \
         prior {} lcb {} utilityLcb {} weight {}{twin} order {order} pv {}",
        format_vertex(it.mv, size),
        decimals(it.utility.0.0),
        decimals(it.win_rate.0.0),
        decimals(it.score_deviation.0),
        decimals(it.score_mean.0.0),
        decimals(it.prior),
        decimals(it.lower_bound.0.0),
        decimals(it.utility_lower_bound.0.0),
        format.weight(it.weight),
        variation(it, size),
        lead = decimals(it.lead.0.0),
    )
}

fn variation(it: &Candidate, size: Size) -> String {
    let line = it.line.iter().map(|&mv| format_vertex(mv, size));
    line.collect::<Vec<_>>().join(" ")
}

/// Six decimals, and no minus before a zero.
fn decimals(value: f32) -> String {
    let text = format!("{value:.6}");
    match text.strip_prefix('-') {
        Some(zero) if zero == "0.000000" => zero.to_owned(),
        _ => text,
    }
}

pub(super) fn ten_thousandths(share: f32) -> i32 {
    (10_000.0 * share.clamp(0.0, 1.0)).round() as i32
}

fn root_info(analysis: &Analysis, format: Format) -> String {
    let mover = analysis.to_move;
    let raw = analysis.raw.as_deref().map_or_else(String::new, raw_info);
    format!(
        "rootInfo visits {} utility {} winrate {} scoreMean {lead} scoreStdev {} \
         scoreLead {lead} scoreSelfplay {} weight {}{raw}",
        analysis.visits,
        decimals(analysis.utility.as_seen_by(mover).0),
        decimals(analysis.win_rate.as_seen_by(mover).0),
        decimals(analysis.score_deviation.0),
        decimals(analysis.score_mean.as_seen_by(mover).0),
        format.weight(analysis.weight),
        lead = decimals(analysis.lead.as_seen_by(mover).0),
    )
}

/// What the network knows of its own errors; −1 where it cannot say.
fn raw_info(raw: &Evaluation) -> String {
    let unknown = -1.0;
    format!(
        " rawStWrError {} rawStScoreError {} rawVarTimeLeft {}",
        decimals(raw.short_term_win_loss_error.unwrap_or(unknown)),
        decimals(raw.short_term_score_error.map_or(unknown, |it| it.0)),
        decimals(raw.variance_time.unwrap_or(unknown)),
    )
}

fn sign(mover: Color) -> f32 {
    match mover {
        Color::Black => 1.0,
        Color::White => -1.0,
    }
}

fn ownership(name: &str, map: &[f32], sign: f32) -> String {
    let mut text = String::from(name);
    for value in map {
        // Writing to a string cannot fail; adding zero makes −0 plain.
        let _ = write!(text, " {:.4}", sign * value + 0.0);
    }
    text
}

#[cfg(test)]
mod tests {
    use shido_go::gtp::parse_vertex;
    use shido_search::{ForBlack, ForMover, Points, Utility, WinRate};

    use super::*;

    fn vertex(text: &str) -> Move {
        parse_vertex(text, Size::S9).unwrap()
    }

    fn analysis() -> Analysis {
        let candidate = |text: &str, visits, rate| Candidate {
            mv: vertex(text),
            visits,
            win_rate: ForMover(WinRate(rate)),
            lower_bound: ForMover(WinRate(rate - 0.01)),
            lead: ForMover(Points(-0.5)),
            score_deviation: Points(8.0),
            prior: 0.25,
            score_mean: ForMover(Points(-0.5)),
            utility: ForMover(Utility(2.0 * rate - 1.0)),
            utility_lower_bound: ForMover(Utility(2.0 * (rate - 0.01) - 1.0)),
            weight: visits as f32,
            line: vec![vertex(text), vertex("C3")],
            ..Candidate::unknown(vertex(text))
        };
        Analysis {
            to_move: Color::White,
            visits: 160,
            playouts: 160,
            weight: 160.0,
            win_rate: ForBlack(WinRate(0.75)),
            lead: ForBlack(Points(2.0)),
            score_deviation: Points(9.0),
            score_mean: ForBlack(Points(2.0)),
            utility: ForBlack(Utility(0.5)),
            ownership: vec![0.5, -1.0],
            candidates: vec![candidate("E5", 100, 0.25), candidate("D4", 50, 0.125)],
            ..Analysis::unknown(Color::White)
        }
    }

    #[track_caller]
    fn check(options: &LineOptions, expect: &str) {
        let expect = expect.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(options.line(&analysis(), Size::S9), expect);
    }

    #[test]
    fn leela_zero_writes_ten_thousandths() {
        check(
            &LineOptions::new(Format::LeelaZero),
            "info move E5 visits 100 winrate 2500 prior 2500 lcb 2400 order 0 pv E5 C3
             info move D4 visits 50 winrate 1250 prior 2500 lcb 1150 order 1 pv D4 C3",
        );
    }

    #[test]
    fn katago_writes_decimals_for_the_mover() {
        let mut options = LineOptions::new(Format::KataGo);
        options.max_moves = Some(1);
        options.ownership = true;
        options.root_info = true;
        check(
            &options,
            "info move E5 visits 100 edgeVisits 100 utility -0.500000 winrate 0.250000
             scoreMean -0.500000 scoreStdev 8.000000 scoreLead -0.500000
             scoreSelfplay -0.500000 prior 0.250000 lcb 0.240000 utilityLcb -0.520000
             weight 100 order 0 pv E5 C3
             rootInfo visits 160 utility -0.500000 winrate 0.250000 scoreMean -2.000000
             scoreStdev 9.000000 scoreLead -2.000000 scoreSelfplay -2.000000 weight 160
             ownership -0.5000 1.0000",
        );
    }

    #[test]
    fn sabaki_finds_a_point_in_all_but_counts() {
        let mut options = LineOptions::new(Format::Sabaki);
        options.max_moves = Some(1);
        options.root_info = true;
        let line = options.line(&analysis(), Size::S9);
        assert!(line.contains(" weight 100.0 order 0 "), "{line}");
        assert!(line.ends_with(" weight 160.0"), "{line}");
        assert_eq!(Format::Sabaki.weight(2.0 / 3.0), "0.667");
    }

    #[test]
    fn the_network_tells_how_sure_it_is_of_the_root() {
        let told = |raw: Evaluation| {
            let analysis = Analysis {
                raw: Some(raw.into()),
                ..analysis()
            };
            let line = root_info(&analysis, Format::KataGo);
            line.split_once(" weight 160")
                .expect("it ends so")
                .1
                .to_owned()
        };
        let mut raw = Evaluation {
            policy: Vec::new().into(),
            win_rate: ForMover(WinRate(0.5)),
            no_result: 0.0,
            score_mean: ForMover(Points(0.0)),
            score_deviation: Points(0.0),
            lead: ForMover(Points(0.0)),
            variance_time: Some(12.0),
            short_term_win_loss_error: Some(0.25),
            short_term_score_error: Some(Points(1.5)),
            ownership: None,
        };
        let known = " rawStWrError 0.250000 rawStScoreError 1.500000 rawVarTimeLeft 12.000000";
        assert_eq!(told(raw.clone()), known);
        (raw.variance_time, raw.short_term_win_loss_error) = (None, None);
        raw.short_term_score_error = None;
        let unknown = " rawStWrError -1.000000 rawStScoreError -1.000000 rawVarTimeLeft -1.000000";
        assert_eq!(told(raw), unknown);
    }

    #[test]
    fn moves_can_be_avoided_allowed_and_filled_up() {
        let mut options = LineOptions::new(Format::LeelaZero);
        options.avoid = vec![vertex("E5")];
        options.fill = vec![
            (vertex("E5"), 0.4),
            (vertex("D4"), 0.3),
            (vertex("A1"), 0.2),
        ];
        options.min_moves = 2;
        check(
            &options,
            "info move D4 visits 50 winrate 1250 prior 2500 lcb 1150 order 0 pv D4 C3
             info move A1 visits 0 winrate 2500 prior 2000 lcb 0 order 1 pv A1",
        );
        let mut options = LineOptions::new(Format::LeelaZero);
        options.allow = Some(vec![vertex("D4")]);
        check(
            &options,
            "info move D4 visits 50 winrate 1250 prior 2500 lcb 1150 order 0 pv D4 C3",
        );
    }
}
