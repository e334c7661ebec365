//! What can be asked of the engines: a partner's move, a judgment.

use std::time::{Duration, Instant};

use shido_engine::Limits;
use shido_go::Position;
use shido_search::Analysis;
use tokio::sync::{mpsc, watch};

use super::queue::Progress;
use super::{Class, EngineService, QueueFull, Ticket};
use crate::partners::{Thought, Turn};

/// How often an analysis is told of while it runs.
const REPORT_EVERY: Duration = Duration::from_millis(250);

/// What a thinking partner tells.
#[derive(Debug)]
pub(crate) enum ThinkEvent {
    /// Visits so far, and the part of the thinking that is done.
    Progress(u64, f32),
    /// What it does.
    Thought(Box<Thought>),
}

/// An analysis, so far or for good.
#[derive(Debug)]
pub(crate) struct Judgment {
    pub(crate) analysis: Analysis,
    pub(crate) done: bool,
}

impl EngineService {
    /// Asks a partner for its move.
    pub(crate) fn think(
        &self,
        key: &str,
        turn: Turn,
    ) -> Result<(Ticket, mpsc::UnboundedReceiver<ThinkEvent>), QueueFull> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let ticket = self.submit(Class::Move, key, move |engines, stop| {
            let partner = engines.partner(&turn.settings.partner);
            // Who has gone away need not be told.
            let thought = partner.play(&turn, stop, &mut |visits, share| {
                let _ = sender.send(ThinkEvent::Progress(visits, share));
            });
            // A search that was cut off has no word in the game.
            if !stop.is_raised() {
                let _ = sender.send(ThinkEvent::Thought(Box::new(thought)));
            }
            Progress::Done
        })?;
        Ok((ticket, receiver))
    }

    /// Asks for an analysis of so many visits in at most `time`; the latest that is
    /// known can be read meanwhile, however slowly.
    pub(crate) fn judge(
        &self,
        class: Class,
        key: &str,
        position: Box<Position>,
        visits: u64,
        time: Duration,
    ) -> Result<(Ticket, watch::Receiver<Option<Judgment>>), QueueFull> {
        let (sender, receiver) = watch::channel(None);
        let mut left = time;
        let ticket = self.submit(class, key, move |engines, stop| {
            let begun = Instant::now();
            let limits = Limits {
                visits: Some(visits),
                time: Some(left),
                stop: stop.clone(),
                ..Limits::default()
            };
            let analyst = &mut engines.analyst;
            let analysis = analyst.watch(&position, &limits, REPORT_EVERY, &mut |analysis| {
                let analysis = analysis.clone();
                sender.send_replace(Some(Judgment {
                    analysis,
                    done: false,
                }));
            });
            left = left.saturating_sub(begun.elapsed());
            if stop.is_raised() && !left.is_zero() && analysis.visits < visits {
                return Progress::Unfinished;
            }
            sender.send_replace(Some(Judgment {
                analysis,
                done: true,
            }));
            Progress::Done
        })?;
        Ok((ticket, receiver))
    }

    /// Asks for an analysis and waits for the end of it; `None` if there is none.
    pub(crate) async fn judge_whole(
        &self,
        class: Class,
        key: &str,
        position: Box<Position>,
        visits: u64,
        time: Duration,
    ) -> Result<Option<Analysis>, QueueFull> {
        let (_ticket, mut receiver) = self.judge(class, key, position, visits, time)?;
        while receiver.changed().await.is_ok() {
            if let Some(judgment) = &*receiver.borrow_and_update()
                && judgment.done
            {
                return Ok(Some(judgment.analysis.clone()));
            }
        }
        Ok(None)
    }
}
