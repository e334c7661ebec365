//! The flags of the teaching partner.

use std::path::PathBuf;

use shido_coach::play::{PartnerKind, PartnerSettings};
use shido_engine::gtp::GtpSettings;
use shido_engine::human::HumanNet;
use shido_engine::level::LevelChoice;
use shido_go::Rank;

use crate::BadUsage;

/// What `--human-net` takes for the move model in place of a file.
const MOVE_MODEL: &str = "none";

/// Who plays, how well, and by whose moves.
#[derive(Debug, clap::Args)]
pub(crate) struct PartnerArgs {
    /// Play as a teaching partner: strong, human, softmax, roles, halving, natural, naive,
    /// gentle or gentle-a; natural if a level is given.
    #[arg(long, value_name = "NAME")]
    partner: Option<PartnerKind>,

    /// The partner's level: a KGS rank from 30k to 6d, or auto to follow the student.
    #[arg(long, value_name = "RANK")]
    level: Option<LevelChoice>,

    /// The student's rank, for what people play against it and where `--level auto` begins.
    #[arg(long, value_name = "RANK")]
    student: Option<Rank>,

    /// A network that knows what people play, in KataGo's format (humanv0 works), or
    /// `none` for the classic engine's move model; the program's own unless given.
    #[arg(long, value_name = "FILE")]
    human_net: Option<PathBuf>,

    /// A setting of the partner other than its level's, e.g. `beta=3`; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    settings: Vec<(String, String)>,
}

/// Reads a setting and its value.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write NAME=VALUE".to_owned()),
    }
}

/// Returns which source of people's moves a `--human-net` means.
pub(crate) fn human_net(flag: Option<&PathBuf>) -> HumanNet {
    match flag {
        None => HumanNet::Embedded,
        Some(path) if path.as_os_str() == MOVE_MODEL => HumanNet::MoveModel,
        Some(path) => HumanNet::File(path.clone()),
    }
}

impl PartnerArgs {
    /// Returns whether any flag asks for a partner.
    pub(crate) fn wanted(&self) -> bool {
        self.partner.is_some() || self.level.is_some() || !self.settings.is_empty()
    }

    /// Returns which source of people's moves to ask.
    pub(crate) fn human(&self) -> HumanNet {
        human_net(self.human_net.as_ref())
    }

    /// Refuses flags that do not go together.
    pub(crate) fn check(&self) -> Result<(), BadUsage> {
        if let HumanNet::File(path) = self.human()
            && !path.is_file()
        {
            // It may be asked for late in a session, or never.
            let path = path.display();
            return Err(BadUsage(format!(
                "--human-net {path}: there is no such file"
            )));
        }
        let without = self.partner.filter(|it| !it.has_levels());
        match (without, self.level) {
            (Some(kind), Some(_)) => Err(BadUsage(format!(
                "--partner {kind} plays without levels: leave --level out, or choose another partner"
            ))),
            _ => Ok(()),
        }
    }

    /// Puts the flags into an engine's settings.
    pub(crate) fn fill(&self, settings: &mut GtpSettings) {
        settings.partner = self.partner;
        settings.level = self.level;
        settings.student = self.student;
        // A letter stands for another setting with another partner.
        let of_partner = PartnerSettings::new(self.partner.unwrap_or_default());
        let full = |(name, value): &(String, String)| (of_partner.full_name(name), value.clone());
        settings.overrides = self.settings.iter().map(full).collect();
        settings.human = self.human();
    }
}
