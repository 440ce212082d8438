//! Invariants of a table's turns: flushes share, so many at a time; an exclusive turn begins when no flush runs,
//! and keeps new ones out; whoever comes first goes first, so neither kind starves the other.

use std::cell::Cell;

use cenotaph_sim::sync::{Notify, Permit, Semaphore};

/// Who may change what a table has in files.
#[derive(Debug)]
pub(super) struct Turns {
    /// Held by an exclusive turn to its end, and by a flush only until it may begin.
    gate: Semaphore,
    flushes_count: Cell<usize>,
    flush_ended: Notify,
}

impl Turns {
    pub(super) fn new() -> Turns {
        Turns {
            gate: Semaphore::new(1),
            flushes_count: Cell::new(0),
            flush_ended: Notify::new(),
        }
    }

    /// Waits until no flush runs, and keeps new ones out as long as the permit lives.
    pub(super) async fn exclusive(&self) -> Permit<'_> {
        let permit = self.gate.acquire().await;
        self.fewer_than(1).await;
        permit
    }

    /// Waits until fewer than `flushes_max` flushes run, and no exclusive turn was asked for before.
    pub(super) async fn shared(&self, flushes_max: usize) -> FlushPlace<'_> {
        let _gate = self.gate.acquire().await;
        self.fewer_than(flushes_max).await;
        self.flushes_count.update(|count| count + 1);
        FlushPlace(self)
    }

    async fn fewer_than(&self, flushes_max: usize) {
        loop {
            let ended = self.flush_ended.notified();
            if self.flushes_count.get() < flushes_max {
                return;
            }
            ended.await;
        }
    }
}

/// A flush's place among those of its table; dropping it lets the next one begin.
#[derive(Debug)]
#[must_use = "the flush has its place only as long as this lives"]
pub struct FlushPlace<'a>(&'a Turns);

impl Drop for FlushPlace<'_> {
    fn drop(&mut self) {
        self.0.flushes_count.update(|count| count - 1);
        self.0.flush_ended.notify_all();
    }
}
