//! An analysis as one line, as Leela Zero and as KataGo write it.
//!
//! All values are the mover's: win rates, scores and ownership alike. KataGo's
//! fields that a search of ours does not tell apart (`scoreMean`, `scoreLead`,
//! `scoreSelfplay`; `visits`, `edgeVisits`, `weight`) bear the same number; its
//! utility is the win rate from −1 to 1.

use std::fmt::Write as _;

use shido_go::gtp::format_vertex;
use shido_go::{Color, Move, Size};
use shido_search::{Analysis, Candidate};

/// Which of the two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Whole numbers in ten-thousandths, moves only.
    LeelaZero,
    /// Decimals, more fields, ownership.
    KataGo,
}

/// What a line should hold.
#[derive(Debug, Clone, PartialEq)]
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
    pub(super) moves_ownership: bool,
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
            moves_ownership: false,
            root_info: false,
        }
    }

    /// Returns whether a move may be told of.
    pub(super) fn admits(&self, mv: Move) -> bool {
        let allowed = self.allow.as_ref().is_none_or(|it| it.contains(&mv));
        allowed && !self.avoid.contains(&mv)
    }

    /// Returns the moves to tell of, in order.
    fn moves<'a>(&self, analysis: &'a Analysis) -> Vec<Told<'a>> {
        let mut told: Vec<_> = analysis
            .candidates
            .iter()
            .filter(|it| self.admits(it.mv))
            .map(Told::Searched)
            .collect();
        let fresh = self
            .fill
            .iter()
            .filter(|&&(mv, _)| self.admits(mv) && analysis.candidate(mv).is_none());
        let missing = self.min_moves.saturating_sub(told.len());
        told.extend(
            fresh
                .take(missing)
                .map(|&(mv, prior)| Told::Fresh(mv, prior)),
        );
        told.truncate(self.max_moves.unwrap_or(usize::MAX));
        told
    }

    /// Writes an analysis of a board of this size.
    pub(super) fn line(&self, analysis: &Analysis, size: Size) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (order, told) in self.moves(analysis).into_iter().enumerate() {
            let fields = Fields::of(&told, analysis);
            parts.push(match self.format {
                Format::LeelaZero => fields.leela_zero(order, size),
                Format::KataGo => fields.katago(order, size),
            });
            if let (true, Told::Searched(it)) = (self.moves_ownership, &told)
                && let Some(map) = &it.ownership
            {
                parts.push(ownership("movesOwnership", map, analysis.to_move));
            }
        }
        if self.root_info {
            parts.push(root_info(analysis));
        }
        if self.ownership {
            parts.push(ownership(
                "ownership",
                &analysis.ownership,
                analysis.to_move,
            ));
        }
        parts.join(" ")
    }
}

/// A move to tell of.
enum Told<'a> {
    Searched(&'a Candidate),
    Fresh(Move, f32),
}

/// The numbers of one move.
struct Fields {
    mv: Move,
    visits: u64,
    rate: f32,
    bound: f32,
    lead: f32,
    deviation: f32,
    prior: f32,
    line: Vec<Move>,
}

impl Fields {
    /// A move that was not searched has the numbers of the position.
    fn of(told: &Told<'_>, analysis: &Analysis) -> Fields {
        match told {
            Told::Searched(it) => Fields {
                mv: it.mv,
                visits: it.visits,
                rate: it.win_rate.0.0,
                bound: it.lower_bound.0.0,
                lead: it.lead.0.0,
                deviation: it.score_deviation.0,
                prior: it.prior,
                line: it.line.clone(),
            },
            &Told::Fresh(mv, prior) => {
                let rate = analysis.win_rate.as_seen_by(analysis.to_move).0;
                Fields {
                    mv,
                    visits: 0,
                    rate,
                    bound: 0.0,
                    lead: analysis.lead.as_seen_by(analysis.to_move).0,
                    deviation: analysis.score_deviation.0,
                    prior,
                    line: vec![mv],
                }
            }
        }
    }

    fn leela_zero(&self, order: usize, size: Size) -> String {
        format!(
            "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
            format_vertex(self.mv, size),
            self.visits,
            ten_thousandths(self.rate),
            ten_thousandths(self.prior),
            ten_thousandths(self.bound),
            self.variation(size),
        )
    }

    fn katago(&self, order: usize, size: Size) -> String {
        let Fields {
            visits,
            rate,
            bound,
            lead,
            deviation,
            prior,
            ..
        } = self;
        let (utility, utility_bound) = (2.0 * rate - 1.0, 2.0 * bound - 1.0);
        format!(
            "info move {} visits {visits} edgeVisits {visits} utility {utility:.6} \
             winrate {rate:.6} scoreMean {lead:.6} scoreStdev {deviation:.6} \
             scoreLead {lead:.6} scoreSelfplay {lead:.6} prior {prior:.6} lcb {bound:.6} \
             utilityLcb {utility_bound:.6} weight {visits} order {order} pv {}",
            format_vertex(self.mv, size),
            self.variation(size),
        )
    }

    fn variation(&self, size: Size) -> String {
        let line = self.line.iter().map(|&mv| format_vertex(mv, size));
        line.collect::<Vec<_>>().join(" ")
    }
}

fn ten_thousandths(share: f32) -> i32 {
    (10_000.0 * share.clamp(0.0, 1.0)).round() as i32
}

fn root_info(analysis: &Analysis) -> String {
    let rate = analysis.win_rate.as_seen_by(analysis.to_move).0;
    let lead = analysis.lead.as_seen_by(analysis.to_move).0;
    let (visits, deviation) = (analysis.visits, analysis.score_deviation.0);
    let utility = 2.0 * rate - 1.0;
    format!(
        "rootInfo visits {visits} utility {utility:.6} winrate {rate:.6} scoreMean {lead:.6} \
         scoreStdev {deviation:.6} scoreLead {lead:.6} scoreSelfplay {lead:.6} weight {visits}"
    )
}

fn ownership(name: &str, map: &[f32], mover: Color) -> String {
    let sign = match mover {
        Color::Black => 1.0,
        Color::White => -1.0,
    };
    let mut text = String::from(name);
    for value in map {
        // Writing to a string cannot fail.
        let _ = write!(text, " {:.4}", sign * value);
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
