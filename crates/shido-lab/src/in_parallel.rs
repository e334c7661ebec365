//! Work on many items by threads of their own, answered in the order of the items.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns what `work` makes of each item, whichever thread it happens on.
///
/// Each of at most `threads` threads begins with a worker of its own from `hire`.
pub(crate) fn in_parallel<T: Sync, W, R: Send>(
    items: &[T],
    threads: usize,
    hire: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                let mut worker = hire();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else {
                        break;
                    };
                    let found = work(&mut worker, i, item);
                    let mut done = done.lock().expect("nobody panics with the lock");
                    done.push((i, found));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("nobody panics with the lock");
    done.sort_by_key(|it| it.0);
    done.into_iter().map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_whatever_the_threads() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            let hired = AtomicUsize::new(0);
            let hire = || hired.fetch_add(1, Ordering::Relaxed);
            let found = in_parallel(&items, threads, hire, |_, i, it| i as u64 + it);
            assert!(found.iter().enumerate().all(|(i, &it)| it == 2 * i as u64));
            assert_eq!(found.len(), items.len());
            assert_eq!(hired.into_inner(), threads.clamp(1, items.len()));
        }
        assert!(in_parallel(&[] as &[u8], 4, || (), |(), _, _| 0).is_empty());
    }
}
