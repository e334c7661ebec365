//! How much may be asked at once and in a second.
//!
//! One person plays here, from one page or a few. The limits are far above what a
//! page does and far below what would hurt.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;

/// Requests answered at the same time.
const AT_ONCE: usize = 64;
/// Event streams open at the same time.
const STREAMS: usize = 48;
/// Requests a second in the long run.
const PER_SECOND: f64 = 100.0;
/// Requests that may come in a burst.
const BURST: f64 = 300.0;

/// Counts requests.
pub(crate) struct Limiter {
    at_once: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    bucket: Mutex<Bucket>,
}

/// Tokens that refill with time; each request takes one.
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Default for Limiter {
    fn default() -> Limiter {
        Limiter {
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
            streams: Arc::new(Semaphore::new(STREAMS)),
            bucket: Mutex::new(Bucket {
                tokens: BURST,
                filled: Instant::now(),
            }),
        }
    }
}

impl Bucket {
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * PER_SECOND).min(BURST);
        self.filled = now;
        let enough = self.tokens >= 1.0;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }
}

impl Limiter {
    /// Admits a request until the permit is dropped.
    pub(crate) fn admit(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        if !bucket.take(Instant::now()) {
            return Err(ApiError::TooMany);
        }
        drop(bucket);
        let permit = Arc::clone(&self.at_once).try_acquire_owned();
        permit.map_err(|_| ApiError::Busy)
    }

    /// Admits an event stream until the permit is dropped.
    pub(crate) fn admit_stream(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = Arc::clone(&self.streams).try_acquire_owned();
        permit.map_err(|_| ApiError::Busy)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_empties_the_bucket_and_time_fills_it() {
        let start = Instant::now();
        let mut bucket = Bucket {
            tokens: BURST,
            filled: start,
        };
        let taken = (0..1000).filter(|_| bucket.take(start)).count();
        assert_eq!(taken, BURST as usize);
        let later = start + Duration::from_secs(1);
        let taken = (0..1000).filter(|_| bucket.take(later)).count();
        assert_eq!(taken, PER_SECOND as usize);
    }

    #[test]
    fn only_so_many_at_once() {
        let limiter = Limiter::default();
        let held: Vec<_> = (0..AT_ONCE).map(|_| limiter.admit().unwrap()).collect();
        assert!(matches!(limiter.admit(), Err(ApiError::Busy)));
        drop(held);
        assert!(limiter.admit().is_ok());
        let held: Vec<_> = (0..STREAMS).map(|_| limiter.admit_stream()).collect();
        assert!(held.iter().all(Result::is_ok));
        assert!(limiter.admit_stream().is_err());
    }
}
