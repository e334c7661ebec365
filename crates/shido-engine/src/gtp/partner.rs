//! Commands about the teaching partner: who it is, how it plays, and why it played.
//!
//! `shido-set NAME VALUE` changes anything between two moves, `shido-get` tells it;
//! `shido-why` tells how the latest move of the partner came about.

use std::fmt::Write as _;

use shido_coach::play::{PartnerKind, PartnerSettings, SettingsError, WhyRecord};
use shido_coach::{AutoLevelRule, Outcome, StudentGame};
use shido_go::Color;
use shido_go::gtp::Reply;

use super::args::Args;
use super::session::{GtpSettings, Session};
use super::table::Answer;
use crate::Partner;
use crate::decide::Why;
use crate::level::{self, LevelChoice};
use crate::settle::Settlement;

/// What `shido-set partner` takes to play without one.
const NOBODY: &str = "none";

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
        }
        "comments" => session.comments = switch(value)?,
        _ => {
            let pair = (name, value.to_owned());
            session.try_partner(|it| it.overrides.push(pair))?;
        }
    }
    Ok(String::new())
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
        return found.ok_or_else(|| {
            let known: Vec<_> = OWN
                .map(str::to_owned)
                .into_iter()
                .chain(settings.names())
                .collect();
            format!(
                "there is no setting `{name}`: choose one of {}",
                known.join(", ")
            )
        });
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
        "level" => match session.settings.level {
            Some(level) => level.to_string(),
            None => NOBODY.to_owned(),
        },
        "student" => session
            .student
            .map_or("unknown".to_owned(), |it| it.to_string()),
        "comments" => if session.comments { "on" } else { "off" }.to_owned(),
        _ => return None,
    })
}

/// `shido-why [json]`: how the latest move of the engine came about.
pub(super) fn why(session: &mut Session, args: &Args<'_>) -> Answer {
    let told = session.told.last().ok_or("no move has been chosen yet")?;
    match args.words() {
        [] => Ok(text_of(told, session)),
        ["json"] => Ok(json_of(told, session)),
        [other, ..] => Err(format!("syntax error: `{other}` is not json")),
    }
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
        for (name, value) in &self.settings.overrides {
            settings.set(name, value)?;
        }
        settings.check()?;
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

    /// Lets a level that follows the student learn from the game that ends here.
    pub(super) fn learn_from_game(&mut self) {
        let (Some(LevelChoice::Auto(auto)), Some(partner)) = (self.settings.level, &self.partner)
        else {
            return;
        };
        let Some(ours) = self.our_color() else {
            return;
        };
        let losses = partner.losses_against(ours);
        let resigned = self.told.last().is_some_and(|it| it.reply == Reply::Resign);
        let outcome = if resigned {
            Outcome::Resigned { won: true }
        } else if self.position.is_over() {
            let analysis = self.judgment();
            let dead = Settlement::new(self.position.board(), &analysis.ownership).dead();
            Outcome::Margin(self.position.score(&dead).lead(!ours))
        } else {
            Outcome::Unfinished
        };
        let sum: f32 = losses.iter().sum();
        let game = StudentGame {
            level: auto.level(),
            size: self.position.size(),
            stones: match ours {
                Color::White => self.position.handicap() as u8,
                Color::Black => 0,
            },
            outcome,
            mean_loss: (!losses.is_empty()).then(|| sum / losses.len() as f32),
            moves: losses.len(),
        };
        let after = auto.after(&game, &AutoLevelRule::default());
        self.settings.level = Some(LevelChoice::Auto(after));
    }

    /// Returns the color the partner plays in this game; `None` if none or both.
    fn our_color(&self) -> Option<Color> {
        let first = self.told.first()?.color;
        let alone = self.told.iter().all(|it| it.color == first);
        alone.then_some(first)
    }
}
