//! Evaluations already made, up to a number of bytes.
//!
//! Many threads ask at once, so it is cut into shards with a lock each; the oldest
//! evaluation of a shard goes first.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use shido_net::InputKey;
use shido_search::Evaluation;

const SHARDS: usize = 16;
/// Bytes an entry takes beside its numbers, about.
const OVERHEAD: usize = 256;

/// A bounded store of evaluations, for many threads.
#[derive(Debug)]
pub struct EvaluationCache {
    shards: [Mutex<Shard>; SHARDS],
    bytes_of_shard: usize,
    hits: AtomicU64,
    asked: AtomicU64,
}

#[derive(Debug, Default)]
struct Shard {
    known: HashMap<InputKey, Arc<Evaluation>>,
    /// The keys, oldest first.
    order: VecDeque<InputKey>,
    bytes: usize,
}

impl EvaluationCache {
    /// Returns an empty cache that takes up to so many bytes; 0 keeps nothing.
    pub fn new(bytes: usize) -> EvaluationCache {
        EvaluationCache {
            shards: std::array::from_fn(|_| Mutex::default()),
            bytes_of_shard: bytes / SHARDS,
            hits: AtomicU64::new(0),
            asked: AtomicU64::new(0),
        }
    }

    fn shard(&self, key: InputKey) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[key.bits() as usize % SHARDS];
        // A shard is whole between any two statements, so a panic elsewhere harms nothing.
        shard
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns what was said of a position before.
    pub fn get(&self, key: InputKey) -> Option<Arc<Evaluation>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let found = self.shard(key).known.get(&key).cloned();
        self.hits
            .fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
        found
    }

    /// Keeps an evaluation, dropping old ones to make room.
    pub fn insert(&self, key: InputKey, evaluation: Arc<Evaluation>) {
        let bytes = bytes_of(&evaluation);
        if bytes > self.bytes_of_shard {
            return;
        }
        let mut shard = self.shard(key);
        if shard.known.insert(key, evaluation).is_some() {
            return;
        }
        shard.order.push_back(key);
        shard.bytes += bytes;
        while shard.bytes > self.bytes_of_shard {
            let Some(oldest) = shard.order.pop_front() else {
                break;
            };
            if let Some(gone) = shard.known.remove(&oldest) {
                shard.bytes -= bytes_of(&gone);
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for shard in &self.shards {
            let mut shard = shard
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            *shard = Shard::default();
        }
    }

    /// Returns how often it was asked, and how often it knew.
    pub fn asked_and_known(&self) -> (u64, u64) {
        let asked = self.asked.load(Ordering::Relaxed);
        (asked, self.hits.load(Ordering::Relaxed))
    }

    /// Returns the bytes it takes, about.
    pub fn bytes(&self) -> usize {
        let of = |shard: &Mutex<Shard>| {
            let shard = shard.lock();
            shard
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .bytes
        };
        self.shards.iter().map(of).sum()
    }
}

fn bytes_of(evaluation: &Evaluation) -> usize {
    let owners = evaluation.ownership.as_ref().map_or(0, |it| it.len());
    OVERHEAD + size_of::<f32>() * (evaluation.policy.len() + owners)
}

#[cfg(test)]
mod tests {
    use shido_go::{Position, Rules, Size};
    use shido_net::{Encoder, InputSettings};
    use shido_search::{ForMover, Points, WinRate};

    use super::*;

    fn key(number: u64) -> InputKey {
        let position = Position::new(Size::S9, Rules::CHINESE, 7.0);
        Encoder::key(&position, &InputSettings::default()).with([number])
    }

    fn evaluation(rate: f32) -> Arc<Evaluation> {
        Arc::new(Evaluation {
            policy: vec![0.0; 82].into(),
            win_rate: ForMover(WinRate(rate)),
            no_result: 0.0,
            score_mean: ForMover(Points(0.0)),
            score_deviation: Points(0.0),
            lead: ForMover(Points(0.0)),
            variance_time: None,
            short_term_win_loss_error: None,
            short_term_score_error: None,
            ownership: None,
        })
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let cache = EvaluationCache::new(1 << 20);
        assert_eq!(cache.get(key(1)), None);
        cache.insert(key(1), evaluation(0.25));
        cache.insert(key(2), evaluation(0.75));
        assert_eq!(cache.get(key(1)), Some(evaluation(0.25)));
        assert_eq!(cache.asked_and_known(), (2, 1));
        cache.clear();
        assert_eq!(cache.get(key(1)), None);
        assert_eq!(cache.bytes(), 0);
    }

    #[test]
    fn it_never_grows_beyond_its_bytes() {
        let most = 64 << 10;
        let cache = EvaluationCache::new(most);
        for number in 0..2000 {
            cache.insert(key(number), evaluation(0.5));
            assert!(cache.bytes() <= most);
        }
        assert!(cache.bytes() > most / 2);
        assert!(cache.get(key(1999)).is_some());
        let nothing = EvaluationCache::new(0);
        nothing.insert(key(1), evaluation(0.5));
        assert_eq!(nothing.get(key(1)), None);
    }
}
