//! Cuts a pass over the data into chunks that threads take in turn.
//!
//! The cuts depend on the data alone and partial sums are added in the order of
//! the chunks, so the result is the same to the last bit for any number of
//! threads.

use std::ops::Range;
use std::sync::Mutex;
use std::thread;

/// How many chunks a pass is cut into: enough to keep the cores of a desktop evenly busy.
const CHUNKS: usize = 32;

/// Cuts lists that begin at `starts` into ranges of about equal numbers of entries.
pub(super) fn chunks(starts: &[u32]) -> Vec<Range<usize>> {
    let lists = starts.len() - 1;
    let total = u64::from(starts[lists]) + lists as u64;
    let mut ranges = Vec::with_capacity(CHUNKS);
    let mut from = 0;
    for chunk in 1..=CHUNKS as u64 {
        let target = total * chunk / CHUNKS as u64;
        let mut to = from;
        while to < lists && u64::from(starts[to + 1]) + (to as u64) < target {
            to += 1;
        }
        if to > from {
            ranges.push(from..to);
            from = to;
        }
    }
    ranges
}

/// Cuts `values` along `ranges`, which must cover it in order.
pub(super) fn cut<'a, T>(ranges: &[Range<usize>], mut values: &'a mut [T]) -> Vec<&'a mut [T]> {
    let mut parts = Vec::with_capacity(ranges.len());
    for range in ranges {
        let (part, rest) = values.split_at_mut(range.len());
        parts.push(part);
        values = rest;
    }
    parts
}

/// Runs `work` on every job; with one thread, on this one and in order.
pub(super) fn run<J: Send>(
    threads: usize,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) + Sync,
) {
    if threads <= 1 {
        return jobs.for_each(work);
    }
    let jobs = Mutex::new(jobs);
    let take = || jobs.lock().expect("taking a job does not panic").next();
    let serve = || {
        while let Some(job) = take() {
            work(job);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(serve);
        }
        serve();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_every_list_once() {
        for starts in [
            vec![0],
            vec![0, 0],
            vec![0, 900, 901],
            (0..500).map(|it| it * it).collect(),
        ] {
            let mut next = 0;
            for range in chunks(&starts) {
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, starts.len() - 1);
        }
    }

    #[test]
    fn every_job_runs_once_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut seen = vec![0; 100];
            run(threads, seen.iter_mut(), |it| *it += 1);
            assert!(seen.iter().all(|&it| it == 1));
        }
    }
}
