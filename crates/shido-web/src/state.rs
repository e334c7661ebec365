//! What all requests share.

use std::sync::Arc;

use crate::engine::EngineService;
use crate::game::{rules, sizes};
use crate::limits::Limiter;
use crate::live::Games;
use crate::partners::House;
use crate::records::{self, Records};
use crate::store::Store;
use crate::wire::About;

/// What all requests share; clones are handles to the same.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    about: About,
    games: Games,
    records: Records,
    engine: EngineService,
    limiter: Limiter,
    store: Store,
}

impl AppState {
    /// Starts the engine thread and joins it with the store.
    pub fn new(store: Store, house: House) -> AppState {
        let about = About {
            name: "shido".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engines: house.engines.clone(),
            partners: house.partners.clone(),
            sizes: sizes(),
            rules: rules(),
            max_record_bytes: records::MAX_BYTES,
        };
        let offers = house.partners.clone();
        let engine = EngineService::start(house);
        AppState {
            inner: Arc::new(Inner {
                about,
                games: Games::new(store.clone(), engine.clone(), offers),
                records: Records::new(store.clone()),
                engine,
                limiter: Limiter::default(),
                store,
            }),
        }
    }

    pub(crate) fn about(&self) -> &About {
        &self.inner.about
    }

    pub(crate) fn games(&self) -> &Games {
        &self.inner.games
    }

    pub(crate) fn records(&self) -> &Records {
        &self.inner.records
    }

    pub(crate) fn engine(&self) -> &EngineService {
        &self.inner.engine
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    pub(crate) fn limiter(&self) -> &Limiter {
        &self.inner.limiter
    }

    /// Ends searches and event streams, so that open connections can end too.
    pub async fn stop(&self) {
        self.inner.games.close().await;
        self.inner.engine.close();
    }

    /// Closes the store; what was acknowledged is in it already.
    pub async fn close(&self) {
        self.stop().await;
        self.inner.store.close().await;
    }
}
