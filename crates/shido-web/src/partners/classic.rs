//! The house with the classic engine: UCT with RAVE, no network that judges.

use std::num::NonZero;

use shido_engine::Classic;
use shido_search::uct::{Knowledge, UctSettings};

use super::searching::{Kind, SearchingPartner};
use super::{Engines, House, Partner, People};
use crate::wire::EngineOffer;

pub(super) const CLASSIC: Kind = Kind {
    id: "classic",
    name: "classic tree search",
    strengths: &[
        ("light", 50),
        ("easy", 200),
        ("medium", 800),
        ("serious", 3000),
        ("deep", 12_000),
    ],
    usual: "medium",
};

/// How the classic engine runs.
#[derive(Debug, Clone)]
pub struct ClassicSettings {
    /// Threads of a search.
    pub threads: usize,
    /// Bytes for each of the two trees, the partner's and the analyst's.
    pub memory: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for ClassicSettings {
    fn default() -> ClassicSettings {
        ClassicSettings {
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            memory: 128 << 20,
            seed: 0,
        }
    }
}

impl ClassicSettings {
    fn analyst(&self, stop_when_decided: bool) -> Classic {
        let settings = UctSettings {
            threads: self.threads.max(1),
            seed: self.seed,
            memory: self.memory.max(UctSettings::MIN_MEMORY),
            stop_when_decided,
            ..UctSettings::default()
        };
        Classic::new(settings, Knowledge::shipped())
            .expect("the usual settings with threads and room")
    }

    pub(super) fn partner(&self) -> Box<dyn Partner> {
        Box::new(SearchingPartner {
            kind: CLASSIC,
            analyst: Box::new(self.analyst(true)),
        })
    }
}

impl House {
    /// Returns the house with the classic engine alone; the coach's partners play too if
    /// somebody says what people play.
    pub fn classic(settings: ClassicSettings, people: Option<People>) -> House {
        let (own, classic) = (settings.clone(), CLASSIC.id.to_owned());
        let house = House {
            engines: vec![EngineOffer {
                id: CLASSIC.id.to_owned(),
                name: CLASSIC.name.to_owned(),
            }],
            partners: vec![CLASSIC.offer()],
            make: Box::new(move || Engines {
                partners: vec![settings.partner()],
                analyst: Box::new(settings.analyst(false)),
            }),
        };
        match people {
            None => house,
            Some(people) => {
                house.with_teachers(people, classic, move || Box::new(own.analyst(false)))
            }
        }
    }
}
