//! Invariants of work on many threads: results stand in the order of their items, every thread is
//! a new one, and an item that panics harms no other.
//!
//! New threads at each call make "again, on another thread" easy to say: call [`map`] again.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// What a piece of work said when it panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked(pub String);

/// Does `work` on each item, on `threads` threads, and returns the results in the items' order.
///
/// `done` is called on the caller's thread after each item, with the count so far. The items are
/// the memory bound: callers cut long work into chunks.
pub fn map<T: Sync, R: Send>(
    threads: NonZeroUsize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(usize),
) -> Vec<Result<R, Panicked>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut results: Vec<Option<Result<R, Panicked>>> = items.iter().map(|_| None).collect();
    let body = |sender: mpsc::Sender<(usize, Result<R, Panicked>)>| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return;
            };
            let result = guarded(|| work(item));
            if sender.send((index, result)).is_err() {
                return;
            }
        }
    };
    scope(|scope| {
        for _ in 0..threads.get().min(items.len()) {
            let sender = sender.clone();
            scope.spawn(|| body(sender));
        }
        drop(sender);
        for (count, (index, result)) in receiver.iter().enumerate() {
            results[index] = Some(result);
            done(count + 1);
        }
    });
    let whole = results
        .into_iter()
        .map(|result| result.expect("each item sends one result"));
    whole.collect()
}

/// Threads that end before this returns.
#[expect(
    clippy::disallowed_methods,
    reason = "runs share nothing, and their order is restored"
)]
pub(super) fn scope<'env>(body: impl for<'scope> FnOnce(&'scope std::thread::Scope<'scope, 'env>)) {
    std::thread::scope(body);
}

pub(super) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let said = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let said = said.or_else(|| payload.downcast_ref::<String>().cloned());
        Panicked(said.unwrap_or_else(|| "a panic without a message".to_owned()))
    })
}
