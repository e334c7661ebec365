//! All games: begun, found, listed, taken away.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::{Live, now_ms};
use crate::engine::EngineService;
use crate::error::ApiError;
use crate::game::{GameState, settings};
use crate::id;
use crate::levels;
use crate::store::{Store, StoredGame};
use crate::wire::{GameSummary, GameView, NewGame, PartnerOffer, Phase};

/// Games in memory beyond which those that nobody uses are let go.
const MANY: usize = 64;
/// The most games that are listed.
const MOST_LISTED: u32 = 500;

/// All games.
pub(crate) struct Games {
    store: Store,
    engine: EngineService,
    offers: Vec<PartnerOffer>,
    live: Mutex<HashMap<String, Arc<Live>>>,
}

impl Games {
    pub(crate) fn new(store: Store, engine: EngineService, offers: Vec<PartnerOffer>) -> Games {
        Games {
            store,
            engine,
            offers,
            live: Mutex::default(),
        }
    }

    /// Begins a game.
    pub(crate) async fn begin(&self, wanted: &NewGame) -> Result<GameView, ApiError> {
        let mut settings = settings(wanted, &self.offers)?;
        if settings.auto {
            settings.level = Some(levels::follow(&self.store).await?.level);
        }
        let now = now_ms();
        let stored = StoredGame {
            id: id::fresh(),
            created_ms: now,
            updated_ms: now,
            settings,
            phase: Phase::Playing,
            result: None,
            dead: None,
            undos: 0,
            moves: Vec::new(),
        };
        self.store.save_game(&stored, 0, None).await?;
        let state = GameState::from_store(stored)?;
        let live = self.keep(&mut *self.live.lock().await, state);
        live.view().await
    }

    /// Returns a game, from memory or from the disk.
    pub(crate) async fn find(&self, id: &str) -> Result<Arc<Live>, ApiError> {
        if !id::is_plausible(id) {
            return Err(ApiError::NotFound("game"));
        }
        // The lock is held while the disk is read, so that a game is in memory once.
        let mut live = self.live.lock().await;
        if let Some(found) = live.get(id) {
            return Ok(Arc::clone(found));
        }
        let stored = self.store.game(id).await?;
        let stored = stored.ok_or(ApiError::NotFound("game"))?;
        Ok(self.keep(&mut live, GameState::from_store(stored)?))
    }

    /// Puts a game into memory.
    fn keep(&self, live: &mut HashMap<String, Arc<Live>>, state: GameState) -> Arc<Live> {
        if live.len() >= MANY {
            // Whoever uses a game, a task or a request, holds it too.
            live.retain(|_, it| Arc::strong_count(it) > 1);
        }
        let key = state.id().to_owned();
        let fresh = Live::new(self.store.clone(), self.engine.clone(), state);
        live.insert(key, Arc::clone(&fresh));
        fresh
    }

    /// Lists the games that changed last.
    pub(crate) async fn list(&self) -> Result<Vec<GameSummary>, ApiError> {
        Ok(self.store.games(MOST_LISTED).await?)
    }

    /// Takes a game away.
    pub(crate) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let live = self.find(id).await?;
        live.delete().await?;
        self.live.lock().await.remove(id);
        Ok(())
    }

    /// Ends all streams and thinking.
    pub(crate) async fn close(&self) {
        for live in self.live.lock().await.values() {
            live.close().await;
        }
    }
}
