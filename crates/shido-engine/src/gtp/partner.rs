//! Commands about the teaching partner: who it is, how it plays, and why it played.
//!
//! `shido-set NAME VALUE` changes anything between two moves, `shido-get` tells it;
//! `shido-why` tells how the latest move of the partner came about.

use std::fmt::Write as _;

use shido_coach::play::{PartnerKind, PartnerSettings, WhyRecord};
use shido_go::Rank;
use shido_go::gtp::Reply;

use super::args::Args;
use super::session::Session;
use super::table::Answer;
use crate::Partner;
use crate::decide::Why;
use crate::level::{LevelChoice, ParseLevelChoiceError};

/// What `shido-set partner` takes to play without one.
const NOBODY: &str = "none";

/// The names that are the session's own, beside the partner's settings.
const OWN: [&str; 4] = ["partner", "level", "student", "comments"];

/// How a move of the engine came about, for `shido-why` and comments.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// Moves of the game before it.
    pub(super) after: usize,
    /// What was done.
    pub(super) reply: Reply,
    /// What decided.
    pub(super) why: Why,
    /// How the policy chose, if it did.
    pub(super) record: Option<WhyRecord>,
}

/// `shido-set NAME VALUE`.
pub(super) fn set(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0, "a setting")?;
    let value = args.word(1, "a value")?;
    match name.to_ascii_lowercase().as_str() {
        "partner" if value.eq_ignore_ascii_case(NOBODY) => session.partner = None,
        "partner" => {
            let kind: PartnerKind = value.parse().map_err(text)?;
            let mut settings = session.partner_settings();
            settings.kind = kind;
            session.seat_partner(settings)?;
        }
        "level" => session.set_level(value)?,
        "student" => {
            let rank = match value {
                "unknown" => None,
                _ => Some(value.parse::<Rank>().map_err(text)?),
            };
            session.seated()?.set_student(rank);
            session.student = rank;
        }
        "comments" => session.comments = switch(value)?,
        _ => {
            let mut settings = session.partner_settings();
            settings.set(name, value).map_err(text)?;
            session.seat_partner(settings)?;
        }
    }
    Ok(String::new())
}

/// `shido-get [NAME]`: one value, or all with their names.
pub(super) fn get(session: &mut Session, args: &Args<'_>) -> Answer {
    let settings = session.partner_settings();
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
        "level" => session.level_text(),
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
    /// Returns the partner's settings, or those it would begin with.
    pub(super) fn partner_settings(&self) -> PartnerSettings {
        match &self.partner {
            Some(partner) => partner.settings().clone(),
            None => self.settings.partner.clone(),
        }
    }

    /// Gives a partner of these settings the seat, or says why not.
    pub(super) fn seat_partner(&mut self, settings: PartnerSettings) -> Result<(), String> {
        settings.check().map_err(text)?;
        self.settings.partner = settings.clone();
        if let Some(partner) = &mut self.partner {
            return partner.set_settings(settings).map_err(text);
        }
        let human = self.settings.human.open(self.settings.cpu).map_err(text)?;
        let mut partner = Partner::new(human, settings).map_err(text)?;
        partner.set_student(self.student);
        partner.new_game(self.game_seed());
        self.partner = Some(partner);
        Ok(())
    }

    /// Changes the level, or says which there are.
    pub(super) fn set_level(&mut self, text: &str) -> Result<(), String> {
        let level: LevelChoice = text
            .parse()
            .map_err(|error: ParseLevelChoiceError| error.to_string())?;
        let mut settings = self.partner_settings();
        settings.rank = level.now().rank();
        self.seat_partner(settings)?;
        self.level = Some(level);
        Ok(())
    }

    /// Returns the level as it is set.
    pub(super) fn level_text(&self) -> String {
        self.level
            .as_ref()
            .map_or("none".to_owned(), ToString::to_string)
    }

    /// Returns the partner; one is seated if nobody sits there.
    fn seated(&mut self) -> Result<&mut Partner, String> {
        if self.partner.is_none() {
            self.seat_partner(self.partner_settings())?;
        }
        Ok(self.partner.as_mut().expect("it was just seated"))
    }
}
