//! Who plays and who judges: the one place that knows which engines there are.
//!
//! A [`House`] says what is offered and how the engines are made. The engine
//! thread makes them once and owns them; handlers see the offers only. A new kind
//! of partner is a [`Partner`] here and an entry in a house; nothing else in this
//! crate changes.

mod classic;
mod native;
mod searching;
mod teaching;

use std::sync::Arc;
use std::time::Duration;

use shido_coach::play::WhyRecord;
use shido_engine::human::HumanSource;
use shido_engine::{Analyst, Network, StopFlag, nets};
use shido_go::Position;
use shido_go::gtp::Reply;
use shido_net::CpuChoice;

use teaching::{Nets, TeachingPartner};

use crate::wire::{EngineOffer, GameSettings, NewGame, PartnerOffer, Reason};

pub use classic::ClassicSettings;
pub use native::NativeParts;

/// One turn of a partner.
#[derive(Debug, Clone)]
pub struct Turn {
    /// What the game is played by, the partner's settings among it.
    pub settings: GameSettings,
    /// The position, the partner to move.
    pub position: Box<Position>,
    /// The partner's latest moves in a row that it found hopeless.
    pub hopeless_before: usize,
    /// Its records of the game so far, each with the moves before it.
    pub records: Vec<(usize, WhyRecord)>,
    /// Decides what it draws in this game.
    pub seed: u64,
    /// What the clock allows, if there is one.
    pub time: Option<Duration>,
}

/// What a partner does and why.
#[derive(Debug, Clone)]
pub struct Thought {
    /// A stone, a pass or resignation.
    pub reply: Reply,
    /// What decided.
    pub reason: Reason,
    /// Whether the partner finds the game lost.
    pub hopeless: bool,
    /// What thought, e.g. `classic`.
    pub engine: String,
    /// The analysis it decided by.
    pub analysis: shido_search::Analysis,
    /// How a teaching partner chose, if it was one.
    pub choice: Option<WhyRecord>,
    /// Time it took.
    pub time: Duration,
}

/// A partner that plays with students.
pub trait Partner: Send {
    /// Returns whether it plays as the partner of this name in the API.
    fn plays(&self, partner: &str) -> bool;

    /// Chooses a move; `report` is told the visits so far and the part of the
    /// thinking that is done, now and then.
    fn play(&mut self, turn: &Turn, stop: &StopFlag, report: &mut dyn FnMut(u64, f32)) -> Thought;
}

/// The engines, made.
pub struct Engines {
    /// Those who play; never empty.
    pub partners: Vec<Box<dyn Partner>>,
    /// Who judges positions, for looking at games and for counting.
    pub analyst: Box<dyn Analyst>,
}

/// Who says what people play, for the coach's partners.
#[derive(Clone)]
pub enum People {
    /// The network that is part of the program, computed in this way.
    Embedded(CpuChoice),
    /// Another one.
    Network(Arc<Network>),
    /// The classic engine's move model, which knows no ranks.
    MoveModel,
}

impl People {
    fn open(&self) -> HumanSource {
        match self {
            People::Network(network) => HumanSource::of_network(Arc::clone(network)),
            People::MoveModel => HumanSource::move_model(),
            People::Embedded(cpu) => HumanSource::embedded(*cpu).unwrap_or_else(|error| {
                tracing::warn!("people's moves are guessed by patterns: {error}");
                HumanSource::move_model()
            }),
        }
    }

    fn hash(&self) -> String {
        match self {
            People::Embedded(_) => nets::HUMAN.hash(),
            People::Network(network) => network.hash.clone(),
            People::MoveModel => "patterns".to_owned(),
        }
    }
}

/// What is offered, and how to make it.
pub struct House {
    /// The engines that judge.
    pub engines: Vec<EngineOffer>,
    /// The partners; the first is the default.
    pub partners: Vec<PartnerOffer>,
    /// Makes the engines; called on the engine thread, again after an accident.
    pub make: Box<dyn Fn() -> Engines + Send>,
}

impl House {
    /// Puts the coach's partners before the others. `engine` is the hash of the
    /// analyst's network, or `classic`.
    fn with_teachers(
        self,
        people: People,
        engine: String,
        analyst: impl Fn() -> Box<dyn Analyst> + Send + 'static,
    ) -> House {
        let nets = Nets {
            engine,
            human: people.hash(),
        };
        let mut partners = teaching::offers(&nets);
        partners.extend(self.partners);
        let make = self.make;
        House {
            partners,
            make: Box::new(move || {
                let mut engines = make();
                let teacher = TeachingPartner::new(analyst(), people.open());
                engines.partners.insert(0, Box::new(teacher));
                engines
            }),
            ..self
        }
    }
}

impl Engines {
    /// Returns the partner of this name, or the first.
    pub(crate) fn partner(&mut self, id: &str) -> &mut dyn Partner {
        let at = self.partners.iter().position(|it| it.plays(id));
        &mut *self.partners[at.unwrap_or(0)]
    }
}

/// What a student asked of a partner, checked and filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PartnerChoice {
    pub(crate) partner: String,
    pub(crate) strength: Option<String>,
    pub(crate) level: Option<String>,
    pub(crate) style: Option<String>,
}

/// Checks what a student asks of a partner and fills in the rest.
pub(crate) fn choose(offers: &[PartnerOffer], wanted: &NewGame) -> Result<PartnerChoice, String> {
    let offer = match &wanted.partner {
        None => offers.first(),
        Some(id) => offers.iter().find(|it| it.id == *id),
    };
    let offer = offer.ok_or_else(|| match &wanted.partner {
        Some(id) => format!("there is no partner called `{}`", shown(id)),
        None => "there is no partner to play with".to_owned(),
    })?;
    let strengths: Vec<_> = offer
        .strengths
        .iter()
        .map(|it| (&*it.id, it.default))
        .collect();
    let levels: Vec<_> = offer
        .levels
        .iter()
        .map(|it| (&*it.id, it.default))
        .collect();
    let styles: Vec<_> = offer.styles.iter().map(|it| (&*it.id, false)).collect();
    Ok(PartnerChoice {
        partner: offer.id.clone(),
        strength: pick("strength", wanted.strength.as_deref(), &strengths)?,
        level: pick("level", wanted.level.as_deref(), &levels)?,
        style: pick("style", wanted.style.as_deref(), &styles)?,
    })
}

fn pick(
    what: &str,
    wanted: Option<&str>,
    offered: &[(&str, bool)],
) -> Result<Option<String>, String> {
    let Some(wanted) = wanted else {
        let usual = offered.iter().find(|(_, default)| *default);
        return Ok(usual.map(|(id, _)| (*id).to_owned()));
    };
    if offered.iter().any(|(id, _)| *id == wanted) {
        return Ok(Some(wanted.to_owned()));
    }
    Err(format!("this partner has no {what} `{}`", shown(wanted)))
}

/// A student's word, short enough for a message.
fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_as_usual_and_what_is_not_offered_is_refused() {
        let offers = House::classic(ClassicSettings::default(), None).partners;
        let choice = choose(&offers, &NewGame::default()).unwrap();
        assert_eq!(choice.partner, "classic");
        assert!(choice.strength.is_some() && choice.level.is_none());
        let wanted = NewGame {
            strength: Some("godlike".to_owned()),
            ..NewGame::default()
        };
        let error = choose(&offers, &wanted).unwrap_err();
        assert_eq!(error, "this partner has no strength `godlike`");
        let wanted = NewGame {
            partner: Some("nobody".to_owned()),
            ..NewGame::default()
        };
        let error = choose(&offers, &wanted).unwrap_err();
        assert_eq!(error, "there is no partner called `nobody`");
        assert!(choose(&[], &NewGame::default()).is_err());
    }
}
