//! Invariants of a search on many threads: the answer is the first item that passes, and which one
//! that is depends on the items alone.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::map::{guarded, scope};

/// The smallest index below `count` for which `test` finds something, with what it found.
///
/// Threads work ahead of the answer; what they find behind it is thrown away. A test that panics
/// has found nothing.
pub fn first<R: Send>(
    threads: NonZeroUsize,
    count: usize,
    test: impl Fn(usize) -> Option<R> + Sync,
) -> Option<(usize, R)> {
    let next = AtomicUsize::new(0);
    let best = AtomicUsize::new(count);
    let found: Mutex<Option<(usize, R)>> = Mutex::new(None);
    let body = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= best.load(Ordering::Relaxed) {
                return;
            }
            let Ok(Some(result)) = guarded(|| test(index)) else {
                continue;
            };
            best.fetch_min(index, Ordering::Relaxed);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if found.as_ref().is_none_or(|(before, _)| index < *before) {
                *found = Some((index, result));
            }
        }
    };
    scope(|scope| {
        for _ in 0..threads.get().min(count) {
            scope.spawn(body);
        }
    });
    // A thread leaves only when all items before the answer are taken, and finishes what it took.
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}
