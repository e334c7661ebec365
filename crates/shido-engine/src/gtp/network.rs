//! Commands about the network: what it is, and what it says without a search.
//!
//! The formats are KataGo's (`kata-raw-nn`, `kata-raw-human-nn`, `kata-get-models`) and
//! Leela Zero's (`heatmap`).

use std::fmt::Write as _;

use shido_go::{Color, Move, Position, Symmetry};
use shido_search::Evaluation;

use super::args::Args;
use super::session::Session;
use super::table::Answer;
use crate::human::{HumanQuestion, PROFILE};

/// How much of the optimistic policy is mixed in unless told.
const OPTIMISM: f32 = 0.0;

fn no_network() -> String {
    "the engine has no network".to_owned()
}

/// Tells of the networks in use as JSON: the engine's, if it has one, and the human one.
pub(super) fn kata_get_models(session: &mut Session, _: &Args<'_>) -> Answer {
    let mut models = Vec::new();
    if let Some(own) = session.analyst.network() {
        models.push(own.info().to_json());
        match session.people() {
            Ok(people) => models.extend(people.network().map(|it| it.info().to_json())),
            Err(why) => tracing::warn!("{why}"),
        }
    }
    Ok(serde_json::Value::from(models).to_string())
}

/// `[COLOR] SYMMETRY|all [OPTIMISM]`: what the network says, from White's side.
pub(super) fn kata_raw_nn(session: &mut Session, args: &Args<'_>) -> Answer {
    let asked = Asked::read(session, args)?;
    asked.answer(Speaker::Engine, |position, symmetry, optimism| {
        let raw = session.analyst.raw(position, symmetry, optimism);
        raw.ok_or_else(no_network)
    })
}

/// The same of the human network, which imitates whom `humanSLProfile` names.
pub(super) fn kata_raw_human_nn(session: &mut Session, args: &Args<'_>) -> Answer {
    let asked = Asked::read(session, args)?;
    let profile = session.profile;
    let people = session.people()?;
    if people.knows_ranks() && profile.is_none() {
        return Err(format!(
            "whom to imitate is not known: kata-set-param {PROFILE} rank_5k"
        ));
    }
    asked.answer(Speaker::People, |position, symmetry, optimism| {
        let question = HumanQuestion {
            profile,
            symmetries: 1 << symmetry.bits(),
            optimism,
            ..HumanQuestion::default()
        };
        let raw = people.evaluate(position, &question);
        raw.ok_or_else(|| "there is no human network".to_owned())
    })
}

/// Whose words are written; KataGo names the scores of the two differently.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Engine,
    People,
}

/// What the arguments of both ask for.
struct Asked {
    position: Position,
    symmetries: Vec<Symmetry>,
    optimism: f32,
}

impl Asked {
    fn read(session: &Session, args: &Args<'_>) -> Result<Asked, String> {
        let color: Option<Color> = args.words().first().and_then(|word| word.parse().ok());
        let first = usize::from(color.is_some());
        let position = session.position_for(color.unwrap_or(session.position.to_move()));
        let word = args.word(first, "a symmetry")?;
        let symmetries: Vec<Symmetry> = if word == "all" {
            Symmetry::of_size(position.size()).collect()
        } else {
            let found = word.parse().ok().and_then(Symmetry::from_bits);
            let bad = || format!("syntax error: `{word}` is not a symmetry: 0 to 7 or all");
            vec![found.ok_or_else(bad)?]
        };
        let optimism = match args.words().get(first + 1) {
            Some(_) => args.parse(first + 1, "an optimism from 0 to 1")?,
            None => OPTIMISM,
        };
        if !(0.0..=1.0).contains(&optimism) {
            return Err(format!(
                "syntax error: `{optimism}` is not an optimism from 0 to 1"
            ));
        }
        Ok(Asked {
            position,
            symmetries,
            optimism,
        })
    }

    /// Writes what is said of the position under each symmetry.
    fn answer(
        &self,
        speaker: Speaker,
        mut say: impl FnMut(&Position, Symmetry, f32) -> Result<Evaluation, String>,
    ) -> Answer {
        let mut text = String::new();
        for &symmetry in &self.symmetries {
            let raw = say(&self.position, symmetry, self.optimism)?;
            let _ = writeln!(text, "symmetry {}", symmetry.bits());
            write_raw(&mut text, &raw, &self.position, speaker);
        }
        Ok(text.trim_end().to_owned())
    }
}

/// Writes an evaluation from White's side. Writing to a string cannot fail.
fn write_raw(text: &mut String, raw: &Evaluation, position: &Position, speaker: Speaker) {
    let mover = position.to_move();
    let sign = match mover {
        Color::White => 1.0,
        Color::Black => -1.0,
    };
    let win = raw.win_rate.0.0 - 0.5 * raw.no_result;
    let loss = 1.0 - raw.no_result - win;
    let (white_win, white_loss) = match mover {
        Color::White => (win, loss),
        Color::Black => (loss, win),
    };
    let _ = writeln!(text, "whiteWin {white_win:.6}\nwhiteLoss {white_loss:.6}");
    let _ = writeln!(text, "noResult {:.6}", raw.no_result);
    let mean = sign * raw.score_mean.0.0;
    let square = raw.score_mean.0.0.powi(2) + raw.score_deviation.0.powi(2);
    let unknown = -1.0;
    if speaker == Speaker::People {
        let _ = writeln!(text, "whiteScore {mean:.3}\nwhiteScoreSq {square:.3}");
    } else {
        let time = raw.variance_time.unwrap_or(unknown);
        let _ = writeln!(text, "whiteLead {:.3}", sign * raw.lead.0.0);
        let _ = writeln!(text, "whiteScoreSelfplay {mean:.3}");
        let _ = writeln!(text, "whiteScoreSelfplaySq {square:.3}");
        let _ = writeln!(text, "varTimeLeft {time:.3}");
    }
    let win_loss_error = raw.short_term_win_loss_error.unwrap_or(unknown);
    let score_error = raw.short_term_score_error.map_or(unknown, |it| it.0);
    let _ = writeln!(text, "shorttermWinlossError {win_loss_error:.3}");
    let _ = writeln!(text, "shorttermScoreError {score_error:.3}");
    write_maps(text, raw, position, sign);
}

/// Writes the policy and, with a sign that makes it White's, the ownership.
fn write_maps(text: &mut String, raw: &Evaluation, position: &Position, sign: f32) {
    let (mover, size) = (position.to_move(), position.size());
    let legal = |mv| position.is_legal(mover, mv);
    let points: Vec<_> = size.points().map(Move::Play).collect();
    let values: Vec<String> = (points.iter().zip(&raw.policy))
        .map(|(&mv, p)| {
            if legal(mv) {
                format!("{p:8.6}")
            } else {
                "    NAN".to_owned()
            }
        })
        .collect();
    let _ = writeln!(text, "policy\n{}", rows(&values, size.width()));
    let pass = raw.policy.last().copied().unwrap_or(0.0);
    let _ = writeln!(text, "policyPass {pass:8.6}");
    let owners = raw.ownership.as_deref().unwrap_or_default();
    let owners: Vec<_> = owners
        .iter()
        .map(|it| format!("{:.7}", sign * it + 0.0))
        .collect();
    let _ = writeln!(text, "whiteOwnership\n{}\n", rows(&owners, size.width()));
}

fn rows(values: &[String], width: usize) -> String {
    let rows = values.chunks(width).map(|row| row.join(" "));
    rows.collect::<Vec<_>>().join("\n")
}

/// The policy in thousandths, the pass's, and the win rate of the player to move.
pub(super) fn heatmap(session: &mut Session, _: &Args<'_>) -> Answer {
    let position = session.position_for(session.position.to_move());
    let raw = session
        .analyst
        .raw(&position, Symmetry::IDENTITY, OPTIMISM)
        .ok_or_else(no_network)?;
    let thousandths = |p: &f32| format!("{:3}", (1000.0 * p).round());
    let area = position.size().area();
    let points: Vec<_> = raw.policy[..area].iter().map(thousandths).collect();
    Ok(format!(
        "{}\npass: {:.0}\nwinrate: {:.6}",
        rows(&points, position.size().width()),
        1000.0 * raw.policy[area],
        raw.win_rate.0.0
    ))
}
