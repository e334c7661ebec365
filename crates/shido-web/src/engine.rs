//! The one engine service: a thread that owns the engines and a fair queue before it.
//!
//! One search runs at a time, with all the threads it was given. A partner's move
//! comes before questions a student asks, and those before a game's graph; what
//! is less urgent is interrupted and goes on later. Among equals whoever was
//! served longest ago comes next. A [`Ticket`] that is dropped cancels its job, so
//! a page that goes away leaves no work behind.

mod ask;
mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use shido_engine::StopFlag;

pub(crate) use ask::ThinkEvent;
pub(crate) use queue::Class;

use crate::partners::{Engines, House};
use queue::{Job, Progress, Queue};

/// A handle to the engine thread; clones share it.
#[derive(Clone)]
pub(crate) struct EngineService {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

/// One piece of work as both sides see it.
#[derive(Debug, Default)]
struct Order {
    stop: StopFlag,
    cancelled: AtomicBool,
}

/// A place in the queue; dropping it cancels the work.
pub(crate) struct Ticket {
    order: Arc<Order>,
    shared: Arc<Shared>,
}

/// Too many jobs are waiting already, or the server is going down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueFull;

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing that can panic happens under the lock.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.order.cancelled.store(true, Ordering::SeqCst);
        self.order.stop.raise();
        self.shared.queue().forget(&self.order);
    }
}

impl EngineService {
    /// Starts the engine thread.
    pub(crate) fn start(house: House) -> EngineService {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue::default()),
            wake: Condvar::new(),
        });
        let service = EngineService {
            shared: Arc::clone(&shared),
        };
        let make = house.make;
        std::thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || run(&shared, &*make))
            .expect("a thread can be started when the program starts");
        service
    }

    /// Puts a job into the queue. `key` says whose it is: a game or a record.
    fn submit(
        &self,
        class: Class,
        key: &str,
        work: impl FnMut(&mut Engines, &StopFlag) -> Progress + Send + 'static,
    ) -> Result<Ticket, QueueFull> {
        let order = Arc::new(Order::default());
        let job = Job {
            class,
            key: key.to_owned(),
            order: Arc::clone(&order),
            work: Box::new(work),
        };
        let mut queue = self.shared.queue();
        queue.push(job)?;
        queue.interrupt_for(class);
        drop(queue);
        self.shared.wake.notify_one();
        Ok(Ticket {
            order,
            shared: Arc::clone(&self.shared),
        })
    }

    /// Returns whether nothing will be served any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.shared.queue().is_closed()
    }

    /// Cancels everything and takes no more; streams that wait for answers end.
    pub(crate) fn close(&self) {
        self.shared.queue().close();
        self.shared.wake.notify_all();
    }
}

/// Serves jobs until the service is closed.
fn run(shared: &Shared, make: &dyn Fn() -> Engines) {
    let mut engines = make();
    while let Some(mut job) = next(shared) {
        let order = Arc::clone(&job.order);
        let served = catch_unwind(AssertUnwindSafe(|| (job.work)(&mut engines, &order.stop)));
        let progress = served.unwrap_or_else(|_| {
            tracing::error!("a search failed; the engines were made anew");
            engines = make();
            Progress::Done
        });
        shared.queue().finished(job, progress);
    }
}

/// Waits for the next job; `None` when the service is closed.
fn next(shared: &Shared) -> Option<Job> {
    let mut queue = shared.queue();
    loop {
        if queue.is_closed() {
            return None;
        }
        if let Some(job) = queue.pop() {
            return Some(job);
        }
        queue = shared
            .wake
            .wait(queue)
            .unwrap_or_else(PoisonError::into_inner);
    }
}
