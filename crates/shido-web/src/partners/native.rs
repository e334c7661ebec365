//! The house with a network: it judges, and plays beside the classic engine.

use std::sync::Arc;

use shido_engine::native::EvaluationCache;
use shido_engine::{Analyst, Native, NativeSettings, Network};
use shido_search::puct::{Hooks, SettingsError};

use super::classic::{CLASSIC, ClassicSettings};
use super::searching::{Kind, SearchingPartner};
use super::{Engines, House, People};
use crate::wire::{EngineOffer, PartnerOffer};

const NATIVE: Kind = Kind {
    id: "native",
    name: "search on a network",
    strengths: &[("light", 1), ("easy", 8), ("medium", 50), ("serious", 400)],
    usual: "medium",
};

/// A network that judges, and how it is computed.
pub struct NativeParts {
    /// The network.
    pub network: Arc<Network>,
    /// How it is searched with.
    pub settings: NativeSettings,
    /// Bytes for evaluations already made.
    pub cache_bytes: usize,
}

impl House {
    /// Returns the house with a network, or what is wrong with its settings.
    ///
    /// The classic engine stays as another partner.
    pub fn native(
        parts: NativeParts,
        classic: ClassicSettings,
        people: Option<People>,
    ) -> Result<House, SettingsError> {
        let NativeParts {
            network, settings, ..
        } = parts;
        let hash = network.hash.clone();
        let cache = Arc::new(EvaluationCache::new(parts.cache_bytes));
        let make = move || {
            let (network, cache) = (Arc::clone(&network), Arc::clone(&cache));
            Native::with(network, settings.clone(), cache, Hooks::default())
        };
        make()?;
        let analyst =
            move || -> Box<dyn Analyst> { Box::new(make().expect("these settings were tried")) };
        let own = analyst.clone();
        let house = House {
            engines: vec![EngineOffer {
                id: NATIVE.id.to_owned(),
                name: NATIVE.name.to_owned(),
            }],
            partners: vec![
                NATIVE.offer(),
                PartnerOffer {
                    advanced: true,
                    ..CLASSIC.offer()
                },
            ],
            make: Box::new(move || Engines {
                partners: vec![
                    Box::new(SearchingPartner {
                        kind: NATIVE,
                        analyst: analyst(),
                    }),
                    classic.partner(),
                ],
                analyst: analyst(),
            }),
        };
        Ok(match people {
            None => house,
            Some(people) => house.with_teachers(people, hash, own),
        })
    }
}
