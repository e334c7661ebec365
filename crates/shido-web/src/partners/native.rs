//! The house with a network: it judges, and plays beside the classic engine.

use std::sync::Arc;

use shido_engine::native::EvaluationCache;
use shido_engine::{Native, NativeSettings, Network};
use shido_search::puct::{Hooks, SettingsError};

use super::classic::{CLASSIC, ClassicSettings};
use super::searching::{Kind, SearchingPartner};
use super::{Engines, House};
use crate::wire::EngineOffer;

const NATIVE: Kind = Kind {
    id: "native",
    name: "search on a network",
    strengths: &[("light", 1), ("easy", 8), ("medium", 50), ("serious", 400)],
    usual: "medium",
};

impl House {
    /// Returns the house with a network, or what is wrong with its settings.
    ///
    /// The classic engine stays as a second partner.
    pub fn native(
        network: Arc<Network>,
        settings: NativeSettings,
        cache_bytes: usize,
        classic: ClassicSettings,
    ) -> Result<House, SettingsError> {
        let cache = Arc::new(EvaluationCache::new(cache_bytes));
        let make = move || {
            let (network, cache) = (Arc::clone(&network), Arc::clone(&cache));
            Native::with(network, settings.clone(), cache, Hooks::default())
        };
        make()?;
        Ok(House {
            engines: vec![EngineOffer {
                id: NATIVE.id.to_owned(),
                name: NATIVE.name.to_owned(),
            }],
            partners: vec![NATIVE.offer(), CLASSIC.offer()],
            make: Box::new(move || {
                let analyst = || Box::new(make().expect("these settings were tried"));
                let native = SearchingPartner {
                    kind: NATIVE,
                    analyst: analyst(),
                };
                Engines {
                    partners: vec![Box::new(native), classic.partner()],
                    analyst: analyst(),
                }
            }),
        })
    }
}
