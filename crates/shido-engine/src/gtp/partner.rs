//! Commands about the teaching partner: who it is, how it plays, and why it played.
//!
//! `shido-set NAME VALUE` changes anything between two moves, `shido-get` tells it;
//! `shido-why` tells how the latest move of the partner came about.

use std::fmt::Write as _;

use shido_coach::play::{ConsideredMove, PartnerKind, PartnerSettings, SettingsError, WhyRecord};
use shido_coach::{AutoLevelRule, Outcome, StudentGame};
use shido_go::gtp::Reply;
use shido_go::{Color, Played};

use super::args::Args;
use super::info_lines::{Format, ten_thousandths};
use super::session::{GtpSettings, Session};
use super::table::Answer;
use crate::Partner;
use crate::decide::Why;
use crate::level::{self, LevelChoice};
use crate::settle::Settlement;

/// What `shido-set partner` takes to play without one.
const NOBODY: &str = "none";
/// What a setting takes to be the level's own again.
const DEFAULT: &str = "default";

/// A game that is broken off counts as lost by the student where the partner was so sure…
const BROKEN_OFF_WIN_RATE: f32 = 0.9;
/// … and so much of the board's points had been played.
const BROKEN_OFF_AFTER: f32 = 0.2;

/// The names that are the session's own, beside the partner's settings.
const OWN: [&str; 4] = ["partner", "level", "student", "comments"];

/// How a move of the engine came about, for `shido-why` and comments.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// Moves of the game before it.
    pub(super) after: usize,
    /// Whose move.
    pub(super) color: Color,
    /// What was done.
    pub(super) reply: Reply,
    /// What decided.
    pub(super) why: Why,
    /// How the policy chose, if it did.
    pub(super) record: Option<WhyRecord>,
    /// Whether it was only asked for and not played (`reg_genmove`).
    pub(super) is_hint: bool,
}

/// A game that ended here, until it is clear that another has begun.
#[derive(Debug, Clone)]
pub(super) struct Ended {
    game: StudentGame,
    moves: Vec<Played>,
}

/// `shido-set NAME VALUE`.
pub(super) fn set(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0, "a setting")?.to_ascii_lowercase();
    let value = args.word(1, "a value")?;
    match name.as_str() {
        "partner" | "kind" if value.eq_ignore_ascii_case(NOBODY) => {
            session.settings.partner = None;
            session.partner = None;
        }
        "partner" | "kind" => {
            let kind = value.parse().map_err(text)?;
            session.try_partner(|it| it.partner = Some(kind))?;
        }
        "level" => {
            let mut level: LevelChoice = value.parse().map_err(text)?;
            if let LevelChoice::Auto(_) = level {
                level = LevelChoice::auto(session.student);
            }
            session.try_partner(|it| it.level = Some(level))?;
        }
        "student" => {
            session.student = match value {
                "unknown" => None,
                _ => Some(value.parse().map_err(text)?),
            };
            if let Some(partner) = &mut session.partner {
                partner.set_student(session.student);
            }
            if matches!(session.settings.level, Some(LevelChoice::Auto(it)) if it.games == 0) {
                session.settings.level = Some(LevelChoice::auto(session.student));
                session.adapt_partner();
            }
        }
        "comments" => session.comments = switch(value)?,
        _ => {
            let settings = PartnerSettings::new(session.settings.partner.unwrap_or_default());
            let name = name.replace('_', "-");
            if !settings.names().contains(&name) {
                return Err(unknown(&name, &settings));
            }
            // A letter stands for another setting with another partner.
            let name = settings.full_name(&name);
            let value = args.words()[1..].join(" ");
            session.try_partner(|it| {
                it.overrides.retain(|(known, _)| *known != name);
                if !value.eq_ignore_ascii_case(DEFAULT) {
                    it.overrides.push((name, value));
                }
            })?;
        }
    }
    Ok(String::new())
}

/// Says which settings there are.
fn unknown(name: &str, settings: &PartnerSettings) -> String {
    let own = OWN.into_iter().map(str::to_owned);
    let more = settings.names().into_iter();
    let more = more.filter(|it| !OWN.contains(&it.as_str()) && it != "kind");
    let known: Vec<_> = own.chain(more).collect();
    let known = known.join(", ");
    format!("there is no setting `{name}`: choose one of {known}")
}

/// `shido-get [NAME]`: one value, or all with their names.
pub(super) fn get(session: &mut Session, args: &Args<'_>) -> Answer {
    let settings = match &session.partner {
        Some(partner) => partner.settings().clone(),
        None => PartnerSettings::default(),
    };
    if let Some(name) = args.words().first() {
        let own = own(session, &name.to_ascii_lowercase());
        let found = own.or_else(|| settings.get(name));
        return found.ok_or_else(|| unknown(name, &settings));
    }
    let mut lines = String::new();
    for name in OWN {
        let _ = writeln!(lines, "{name} {}", own(session, name).unwrap_or_default());
    }
    for (name, value) in settings.list() {
        if name != "kind" {
            let _ = writeln!(lines, "{name} {value}");
        }
    }
    Ok(lines.trim_end().to_owned())
}

fn own(session: &Session, name: &str) -> Option<String> {
    Some(match name {
        "partner" | "kind" => match &session.partner {
            Some(partner) => partner.settings().kind.name().to_owned(),
            None => NOBODY.to_owned(),
        },
        "level" => match (session.settings.level, &session.partner) {
            (Some(level), Some(partner)) if !partner.settings().kind.has_levels() => {
                format!("{level} ({} plays without)", partner.settings().kind)
            }
            (Some(level), _) => level.to_string(),
            (None, _) => NOBODY.to_owned(),
        },
        "student" => session
            .student
            .map_or("unknown".to_owned(), |it| it.to_string()),
        "comments" => if session.comments { "on" } else { "off" }.to_owned(),
        _ => return None,
    })
}

/// `shido-why [json|info]`: how the latest move of the engine came about.
pub(super) fn why(session: &mut Session, args: &Args<'_>) -> Answer {
    let told = session.told.last().ok_or("no move has been chosen yet")?;
    match args.words() {
        [] => Ok(text_of(told, session)),
        ["json"] => Ok(json_of(told, session)),
        ["info"] => match &told.record {
            Some(record) => Ok(all_info_of(record)),
            None => Err(sentence(told, session)),
        },
        [other, ..] => Err(format!("syntax error: `{other}` is not json or info")),
    }
}

/// Returns the record in the form of `lz-analyze` or `kata-analyze`, the move played first.
///
/// Programs cannot read a move without a win rate. So one that was not searched, or whose win
/// rate is that of another game, is left out; the line may be empty.
pub(super) fn info_of(record: &WhyRecord, format: Format) -> String {
    let known = record.candidates.iter().filter_map(|it| {
        let win_rate = record.told(it.win_rate)?;
        Some((it, win_rate.0.0, it.lead?.0.0))
    });
    let parts = known.enumerate().map(|(order, (it, win_rate, lead))| {
        let end = format!("order {order} pv {}", it.vertex);
        match format {
            Format::LeelaZero => {
                let (rate, prior) = (ten_thousandths(win_rate), ten_thousandths(it.naturalness));
                let head = format!("info move {} visits {}", it.vertex, it.visits);
                format!("{head} winrate {rate} prior {prior} lcb {rate} {end}")
            }
            Format::KataGo | Format::Sabaki => {
                let numbers = numbers_of(it, Some(win_rate), Some(lead), format);
                format!("{numbers}{} {end}", thoughts_of(record, it))
            }
        }
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns the whole record in the form of `kata-analyze`, the move played first; what is not
/// known of a candidate is left out of its fields.
fn all_info_of(record: &WhyRecord) -> String {
    let parts = record.candidates.iter().enumerate().map(|(order, it)| {
        let win_rate = record.told(it.win_rate).map(|it| it.0.0);
        let numbers = numbers_of(it, win_rate, it.lead.map(|it| it.0.0), Format::KataGo);
        let thoughts = thoughts_of(record, it);
        format!("{numbers}{thoughts} order {order} pv {}", it.vertex)
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Writes the fields that KataGo's lines have, as far as they are known. A partner keeps no
/// bounds; its prior is how likely people play the move. Writing to a string cannot fail.
fn numbers_of(
    it: &ConsideredMove,
    win_rate: Option<f32>,
    lead: Option<f32>,
    format: Format,
) -> String {
    let (visits, prior) = (it.visits, it.naturalness);
    let mut text = format!(
        "info move {} visits {visits} edgeVisits {visits}",
        it.vertex
    );
    let utility = |rate: f32| 2.0 * rate - 1.0;
    if let Some(rate) = win_rate {
        let _ = write!(text, " utility {:.6} winrate {rate:.6}", utility(rate));
    }
    if let Some(lead) = lead {
        let _ = write!(
            text,
            " scoreMean {lead:.3} scoreLead {lead:.3} scoreSelfplay {lead:.3}"
        );
    }
    let _ = write!(text, " prior {prior:.6}");
    if let Some(rate) = win_rate {
        let _ = write!(text, " lcb {rate:.6} utilityLcb {:.6}", utility(rate));
    }
    let weight = format.weight(visits as f32);
    let _ = write!(text, " weight {weight} humanPrior {prior:.6}");
    text
}

/// Writes what the partner made of a candidate; writing to a string cannot fail.
fn thoughts_of(record: &WhyRecord, it: &ConsideredMove) -> String {
    let mut text = String::new();
    if let Some(loss) = it.loss {
        let _ = write!(text, " loss {loss:.3}");
    }
    if let Some(why) = it.set_aside {
        let _ = write!(text, " setAside {}", why.id());
    } else if let Some(score) = it.score {
        let _ = write!(text, " score {score:e}");
    }
    if it.vertex == record.played {
        let _ = write!(text, " rule {}", record.rule.id());
        if let Some(target) = record.target_loss {
            let _ = write!(text, " targetLoss {target:.3}");
        }
    }
    text
}

/// Returns the record as people read it; no line is empty, so that it fits an answer.
pub(super) fn text_of(told: &Told, session: &Session) -> String {
    match &told.record {
        Some(record) => record.to_string().trim_end().to_owned(),
        None => sentence(told, session),
    }
}

fn sentence(told: &Told, session: &Session) -> String {
    let played = told.reply.display(session.position.size());
    let because = match told.why {
        Why::Search => "the search wants it.",
        Why::OpponentPassed => "you passed, and there is nothing left to play for.",
        Why::Settled => "everything is settled, so I pass.",
        Why::NoMove => "there was no other sensible move.",
        Why::Cleanup => "dead stones must come off.",
        Why::Hopeless => "I cannot win this game any more.",
    };
    format!("{played}: {because}")
}

fn json_of(told: &Told, session: &Session) -> String {
    let record = match &told.record {
        Some(record) => serde_json::to_value(record).expect("records are plain data"),
        None => serde_json::Value::Null,
    };
    let played = told.reply.display(session.position.size()).to_string();
    let why = told.why.word();
    serde_json::json!({"move": played, "after": told.after, "why": why, "record": record})
        .to_string()
}

/// Reads a word that switches something.
fn switch(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        _ => Err(format!("`{value}` is not on or off")),
    }
}

/// An answer to a command is one line.
fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Session {
    /// Changes who plays, or how; nothing is changed if that cannot be.
    pub(super) fn try_partner(
        &mut self,
        change: impl FnOnce(&mut GtpSettings),
    ) -> Result<(), String> {
        let before = self.settings.clone();
        change(&mut self.settings);
        let seated = self.seat_partner();
        if seated.is_err() {
            self.settings = before;
        }
        seated
    }

    /// Gives the partner that the settings describe the seat, or says why not.
    pub(super) fn seat_partner(&mut self) -> Result<(), String> {
        let kind = self.settings.partner.unwrap_or_default();
        self.settings_at_level(kind).map_err(text)?;
        self.settings.partner = Some(kind);
        if self.partner.is_none() {
            let human = self.settings.human.open(self.settings.cpu).map_err(text)?;
            let mut partner = Partner::new(human, PartnerSettings::new(kind)).map_err(text)?;
            partner.set_student(self.student);
            partner.new_game(self.game_seed());
            self.partner = Some(partner);
        }
        let settings = self.settings_at_level(kind).map_err(text)?;
        let partner = self.partner.as_mut().expect("it is there");
        partner.set_settings(settings).map_err(text)
    }

    /// Returns a partner's settings: those of the level, then what was set by hand.
    fn settings_at_level(&self, kind: PartnerKind) -> Result<PartnerSettings, SettingsError> {
        let mut settings = match (&self.partner, self.settings.level) {
            (Some(partner), Some(choice)) => {
                let (size, analyst) = (self.position.size(), &*self.analyst);
                let found = level::settings(kind, choice.now(), size, analyst, partner.human());
                tracing::info!("{kind} at {choice}: {}", found.provenance);
                found.settings
            }
            _ => PartnerSettings::new(kind),
        };
        let overrides = self.settings.overrides.iter();
        settings.set_all(overrides.map(|it| (it.0.as_str(), it.1.as_str())))?;
        Ok(settings)
    }

    /// Fits the partner to the board and the level as they are now.
    pub(super) fn adapt_partner(&mut self) {
        if self.partner.is_some() {
            // These settings were tried with another board; ranges do not depend on it.
            let seated = self.seat_partner();
            debug_assert!(seated.is_ok(), "{seated:?}");
        }
    }

    /// Returns the game that ends here, if a level that follows the student may learn from it.
    pub(super) fn end_game(&mut self) -> Option<Ended> {
        let (Some(LevelChoice::Auto(auto)), Some(partner)) = (self.settings.level, &self.partner)
        else {
            return None;
        };
        let ours = self.our_color()?;
        let (size, stones) = (self.position.size(), self.student_stones(ours));
        let komi = self.komi_at_end.unwrap_or(self.position.komi());
        if !AutoLevelRule::default().is_usual_komi(komi, stones, size) {
            return None;
        }
        let losses = partner.losses_against(ours);
        let resigned = (self.own_moves().last()).is_some_and(|it| it.reply == Reply::Resign);
        let outcome = if resigned {
            Outcome::Resigned { won: true }
        } else if self.position.is_over() {
            let analysis = self.judgment();
            let dead = Settlement::new(self.position.board(), &analysis.ownership).dead();
            let mut end = self.position.clone();
            end.set_komi(komi);
            Outcome::Margin(end.score(&dead).lead(!ours))
        } else if self.is_given_up() {
            Outcome::Resigned { won: false }
        } else {
            Outcome::Unfinished
        };
        let sum: f32 = losses.iter().sum();
        let game = StudentGame {
            level: auto.level(),
            size,
            stones,
            outcome,
            mean_loss: (!losses.is_empty()).then(|| sum / losses.len() as f32),
            moves: losses.len(),
        };
        let moves = self.position.moves().to_vec();
        Some(Ended { game, moves })
    }

    /// Returns the handicap stones the student had, or gave: then negative.
    fn student_stones(&self, ours: Color) -> i16 {
        let stones = self.position.handicap() as i16;
        match ours {
            Color::White => stones,
            Color::Black => -stones,
        }
    }

    /// Returns whether a student who breaks off here has resigned: nothing in the protocol says so.
    fn is_given_up(&self) -> bool {
        let played = self.position.moves().len() as f32;
        let late = played >= BROKEN_OFF_AFTER * self.position.size().area() as f32;
        let record = self.own_moves().last().and_then(|it| it.record.as_ref());
        let outlook = record.and_then(WhyRecord::outlook);
        late && outlook.is_some_and(|it| it.win_rate.0.0 > BROKEN_OFF_WIN_RATE && it.lead.0.0 > 0.0)
    }

    /// Lets a level that follows the student learn from the game before this one.
    ///
    /// Controllers also set up the same game anew: that is none.
    pub(super) fn learn_from_game(&mut self) {
        let (Some(ended), Some(LevelChoice::Auto(auto))) = (self.ended.take(), self.settings.level)
        else {
            return;
        };
        let both = ended.moves.iter().zip(self.position.moves());
        let shared = both.take_while(|(old, new)| old == new).count();
        if 2 * shared > ended.moves.len() {
            return;
        }
        let after = auto.after(&ended.game, &AutoLevelRule::default());
        self.settings.level = Some(LevelChoice::Auto(after));
        self.adapt_partner();
    }

    /// Returns the color the partner plays in this game; `None` if none or both.
    fn our_color(&self) -> Option<Color> {
        let first = self.own_moves().next()?.color;
        let alone = self.own_moves().all(|it| it.color == first);
        alone.then_some(first)
    }

    /// Returns how the moves came about that were ours in this game, the oldest first.
    fn own_moves(&self) -> impl DoubleEndedIterator<Item = &Told> {
        self.told.iter().filter(|it| !it.is_hint)
    }
}
