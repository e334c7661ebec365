//! Games that are going on: each with its clock, its partner's thinking, its listeners.
//!
//! Every change goes through [`Live::change`]: it is made on a copy, written to
//! the disk, and only then becomes the state that others see. A change runs in a
//! task of its own, so a page that closes in the middle cannot tear it.

mod games;
mod thinking;

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::{Mutex, MutexGuard, mpsc, oneshot};

use crate::engine::EngineService;
use crate::error::ApiError;
use crate::game::{GameState, Moment};
use crate::store::Store;
use crate::wire::{GameView, Phase, Thinking};

pub(crate) use games::Games;

/// Events a listener may lag behind before it is let go; its page then asks anew.
const LISTENER_ROOM: usize = 64;

/// What listeners of a game are told.
#[derive(Debug, Clone)]
pub(crate) enum GameEvent {
    /// The game has changed.
    Game(Box<GameView>),
    /// The partner thinks.
    Thinking(Thinking),
    /// The game is gone.
    Deleted,
}

/// A game in memory.
pub(crate) struct Live {
    store: Store,
    engine: EngineService,
    inner: Mutex<Inner>,
}

struct Inner {
    state: GameState,
    /// What the running turn had lasted when the clock was last stopped.
    spent: Duration,
    /// Since when the clock runs; it stands while nobody listens.
    since: Option<Instant>,
    /// Counts turns and pauses, so that an old timer knows it is old.
    epoch: u64,
    thought: Option<RunningThought>,
    /// Counts thoughts; the number of the latest is its token.
    thoughts: u64,
    failure: Option<String>,
    listeners: Vec<mpsc::Sender<GameEvent>>,
    deleted: bool,
}

/// The partner's thinking or the engine's counting; dropping it cancels.
struct RunningThought {
    token: u64,
    _cancel: oneshot::Sender<()>,
}

impl Inner {
    fn turn_time(&self) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |it| it.elapsed())
    }

    fn view(&self) -> GameView {
        self.state.view(&Moment {
            turn: self.turn_time(),
            running: self.since.is_some(),
            thinking: self.thought.is_some() && self.state.stored.phase == Phase::Playing,
            failure: self.failure.clone(),
        })
    }

    fn tell(&mut self, event: &GameEvent) {
        self.listeners
            .retain(|it| it.try_send(event.clone()).is_ok());
    }

    fn tell_all(&mut self) {
        let view = self.view();
        self.tell(&GameEvent::Game(Box::new(view)));
    }
}

/// A listener's place; when it is dropped the clock may have to stop.
pub(crate) struct Listening {
    live: Arc<Live>,
    pub(crate) events: mpsc::Receiver<GameEvent>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.events.close();
        let live = Arc::clone(&self.live);
        // Without a runtime the program is ending, and clocks with it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { live.listener_left().await });
        }
    }
}

impl Live {
    fn new(store: Store, engine: EngineService, state: GameState) -> Arc<Live> {
        Arc::new(Live {
            store,
            engine,
            inner: Mutex::new(Inner {
                state,
                spent: Duration::ZERO,
                since: None,
                epoch: 0,
                thought: None,
                thoughts: 0,
                failure: None,
                listeners: Vec::new(),
                deleted: false,
            }),
        })
    }

    /// Returns the game as it stands; a partner that should think begins to.
    pub(crate) async fn view(self: &Arc<Live>) -> Result<GameView, ApiError> {
        let mut inner = self.lock().await?;
        self.tend(&mut inner);
        Ok(inner.view())
    }

    /// Returns a copy of the state.
    pub(crate) async fn state(&self) -> Result<GameState, ApiError> {
        Ok(self.lock().await?.state.clone())
    }

    async fn lock(&self) -> Result<MutexGuard<'_, Inner>, ApiError> {
        let inner = self.inner.lock().await;
        if inner.deleted {
            return Err(ApiError::NotFound("game"));
        }
        Ok(inner)
    }

    /// Makes a change, on the disk first. The closure gets a copy of the state and
    /// how long the turn has lasted.
    pub(crate) async fn change(
        self: &Arc<Live>,
        change: impl FnOnce(&mut GameState, Duration) -> Result<(), ApiError> + Send + 'static,
    ) -> Result<GameView, ApiError> {
        let live = Arc::clone(self);
        let task = tokio::spawn(async move {
            let mut inner = live.lock().await?;
            live.change_locked(&mut inner, change).await?;
            Ok(inner.view())
        });
        task.await.unwrap_or(Err(ApiError::NoAnswer))
    }

    async fn change_locked(
        self: &Arc<Live>,
        inner: &mut Inner,
        change: impl FnOnce(&mut GameState, Duration) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        let mut next = inner.state.clone();
        change(&mut next, inner.turn_time())?;
        // A page takes the later of two views, so time may not go back with the system's clock.
        next.stored.updated_ms = now_ms().max(inner.state.stored.updated_ms + 1);
        let (before, after) = (&inner.state.stored, &next.stored);
        let kept = before.moves.len().min(after.moves.len());
        let turn_over = before.moves.len() != after.moves.len() || before.phase != after.phase;
        let ending = next.ending();
        self.store.save_game(after, kept, ending.as_ref()).await?;
        inner.state = next;
        inner.failure = None;
        if turn_over {
            inner.thought = None;
            inner.spent = Duration::ZERO;
            inner.since = inner.since.map(|_| Instant::now());
            self.arm_flag(inner);
        }
        self.tend(inner);
        inner.tell_all();
        Ok(())
    }

    /// Sets a timer for the fall of the flag, if the clock runs.
    fn arm_flag(self: &Arc<Live>, inner: &mut Inner) {
        inner.epoch += 1;
        let Some(until) = inner.state.until_flag().filter(|_| inner.since.is_some()) else {
            return;
        };
        let wait = until.saturating_sub(inner.turn_time());
        let epoch = inner.epoch;
        let live: Weak<Live> = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            if let Some(live) = live.upgrade() {
                live.flag_may_fall(epoch).await;
            }
        });
    }

    async fn flag_may_fall(self: Arc<Live>, epoch: u64) {
        let Ok(mut inner) = self.lock().await else {
            return;
        };
        if inner.epoch != epoch {
            return;
        }
        let fall = |state: &mut GameState, turn| {
            state.fall_flag(turn);
            Ok(())
        };
        if let Err(error) = self.change_locked(&mut inner, fall).await {
            tracing::warn!("a fallen flag could not be kept: {error}");
        }
    }

    /// Begins to listen: the game as it stands comes first. The clock runs from now on.
    pub(crate) async fn listen(self: &Arc<Live>) -> Result<Listening, ApiError> {
        let mut inner = self.lock().await?;
        self.tend(&mut inner);
        if inner.since.is_none() {
            inner.since = Some(Instant::now());
            self.arm_flag(&mut inner);
        }
        let (sender, events) = mpsc::channel(LISTENER_ROOM);
        inner.listeners.push(sender);
        inner.tell_all();
        Ok(Listening {
            live: Arc::clone(self),
            events,
        })
    }

    async fn listener_left(self: Arc<Live>) {
        let mut inner = self.inner.lock().await;
        inner.listeners.retain(|it| !it.is_closed());
        if inner.listeners.is_empty() {
            inner.spent = inner.turn_time();
            inner.since = None;
            inner.epoch += 1;
        }
    }

    /// Takes the game away.
    pub(crate) async fn delete(self: &Arc<Live>) -> Result<(), ApiError> {
        let live = Arc::clone(self);
        let task = tokio::spawn(async move {
            let mut inner = live.lock().await?;
            live.store.delete_game(inner.state.id()).await?;
            inner.deleted = true;
            inner.thought = None;
            inner.tell(&GameEvent::Deleted);
            inner.listeners.clear();
            Ok(())
        });
        task.await.unwrap_or(Err(ApiError::NoAnswer))
    }

    /// Lets listeners and thinking go, as the server stops.
    async fn close(&self) {
        let mut inner = self.inner.lock().await;
        inner.listeners.clear();
        inner.thought = None;
    }
}

/// Returns the time in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| it.as_millis() as i64)
}

#[cfg(test)]
mod tests;
