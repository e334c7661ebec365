//! The partner's turn and the proposal of dead stones, as tasks beside a game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use shido_go::gtp::Reply;
use shido_search::Analysis;
use tokio::sync::oneshot;

use super::{GameEvent, Inner, Live, RunningThought};
use crate::engine::{Class, ThinkEvent};
use crate::error::ApiError;
use crate::id;
use crate::partners::{Thought, Turn};
use crate::wire::{Pace, Thinking};

/// Visits and time for judging which stones are dead.
const DEAD_VISITS: u64 = 1000;
const DEAD_TIME: Duration = Duration::from_secs(5);
/// How long to wait before trying a full queue again.
const BUSY_WAIT: Duration = Duration::from_millis(500);

impl Live {
    /// Starts whatever the game waits for, unless it is under way.
    pub(super) fn tend(self: &Arc<Live>, inner: &mut Inner) {
        if inner.thought.is_some() {
            return;
        }
        let partner = inner.state.is_partners_turn();
        if !partner && !inner.state.wants_dead_stones() {
            return;
        }
        inner.thoughts += 1;
        let token = inner.thoughts;
        let (cancel, cancelled) = oneshot::channel();
        inner.thought = Some(RunningThought {
            token,
            _cancel: cancel,
        });
        let live = Arc::clone(self);
        if partner {
            let turn = inner.state.turn();
            let key = inner.state.id().to_owned();
            tokio::spawn(live.take_turn(token, key, turn, cancelled));
        } else {
            let position = Box::new(inner.state.position().clone());
            let key = inner.state.id().to_owned();
            tokio::spawn(async move {
                let judged =
                    live.engine
                        .judge_whole(Class::Move, &key, position, DEAD_VISITS, DEAD_TIME);
                tokio::select! {
                    _ = cancelled => {}
                    judged = judged => live.finish_dead(token, judged.ok().flatten()).await,
                }
            });
        }
    }

    async fn take_turn(
        self: Arc<Live>,
        token: u64,
        key: String,
        turn: Turn,
        mut cancelled: oneshot::Receiver<()>,
    ) {
        let begun = Instant::now();
        let pace = turn.settings.pace;
        let most = turn.time.unwrap_or(Duration::MAX) / 3;
        let after = turn.position.moves().len();
        let thought = tokio::select! {
            _ = &mut cancelled => return,
            thought = self.hear(token, &key, turn, after) => thought,
        };
        let Some(thought) = thought else {
            self.fail(token, &ApiError::NoAnswer).await;
            return;
        };
        if pace == Pace::Natural {
            let wait = natural_pause(&thought).min(most);
            tokio::select! {
                _ = &mut cancelled => return,
                () = tokio::time::sleep(wait.saturating_sub(begun.elapsed())) => {}
            }
        }
        self.finish_turn(token, thought).await;
    }

    /// Waits for the partner's thought and passes on how it comes about.
    async fn hear(&self, token: u64, key: &str, turn: Turn, after: usize) -> Option<Thought> {
        let (_ticket, mut events) = loop {
            match self.engine.think(key, turn.clone()) {
                Ok(thinking) => break thinking,
                Err(_) if self.engine.is_closed() => return None,
                Err(_) => tokio::time::sleep(BUSY_WAIT).await,
            }
        };
        while let Some(event) = events.recv().await {
            match event {
                ThinkEvent::Thought(thought) => return Some(*thought),
                ThinkEvent::Progress(visits, share) => {
                    let mut inner = self.inner.lock().await;
                    if inner.thought.as_ref().is_some_and(|it| it.token == token) {
                        inner.tell(&GameEvent::Thinking(Thinking {
                            after,
                            visits,
                            share,
                        }));
                    }
                }
            }
        }
        None
    }

    async fn finish_turn(self: &Arc<Live>, token: u64, thought: Thought) {
        let Some(mut inner) = self.own_turn(token).await else {
            return;
        };
        let play = |state: &mut crate::game::GameState, turn| state.play_partner(&thought, turn);
        if let Err(error) = self.change_locked(&mut inner, play).await {
            drop(inner);
            self.fail(token, &error).await;
        }
    }

    async fn finish_dead(self: &Arc<Live>, token: u64, analysis: Option<Analysis>) {
        let Some(mut inner) = self.own_turn(token).await else {
            return;
        };
        // Without a judgment nothing is proposed; the student marks what is dead.
        let analysis =
            analysis.unwrap_or_else(|| Analysis::unknown(inner.state.position().to_move()));
        inner.thought = None;
        let propose = |state: &mut crate::game::GameState, _| {
            state.propose_dead(&analysis);
            Ok(())
        };
        if let Err(error) = self.change_locked(&mut inner, propose).await {
            inner.failure = Some(error.to_string());
            inner.tell_all();
        }
    }

    /// Locks the game if the thought of this token is still the one it waits for.
    async fn own_turn(&self, token: u64) -> Option<tokio::sync::MutexGuard<'_, Inner>> {
        let inner = self.lock().await.ok()?;
        let current = inner.thought.as_ref().is_some_and(|it| it.token == token);
        current.then_some(inner)
    }

    /// Says why the partner cannot go on. Whoever looks at the game next lets it try again.
    async fn fail(&self, token: u64, error: &ApiError) {
        tracing::error!("a partner could not move: {error}");
        if let Some(mut inner) = self.own_turn(token).await {
            inner.thought = None;
            inner.failure = Some(error.to_string());
            inner.tell_all();
        }
    }
}

/// Returns how long a person would take: longer where the choice was hard.
fn natural_pause(thought: &Thought) -> Duration {
    let visits: u64 = thought.analysis.candidates.iter().map(|it| it.visits).sum();
    let best = thought.analysis.best().map_or(0, |it| it.visits);
    let doubt = 1.0 - best as f32 / visits.max(1) as f32;
    let hard = if matches!(thought.reply, Reply::Move(mv) if !mv.is_pass()) {
        doubt
    } else {
        0.0
    };
    Duration::from_secs_f32(0.6 + 0.9 * id::chance() + 1.5 * hard)
}
