//! Invariants of the semaphore: first come, first served; a permit returns when it is dropped.

use std::cell::Cell;

use super::notify::Notify;

/// Lets at most a fixed number of tasks through at once.
#[derive(Debug)]
pub struct Semaphore {
    permits_count: Cell<usize>,
    waiting_count: Cell<usize>,
    freed: Notify,
}

/// A place in the semaphore; dropping it lets the next task through.
#[derive(Debug)]
pub struct Permit<'a>(&'a Semaphore);

impl Semaphore {
    /// A semaphore with this many permits.
    #[must_use]
    pub fn new(permits_count: usize) -> Semaphore {
        Semaphore {
            permits_count: Cell::new(permits_count),
            waiting_count: Cell::new(0),
            freed: Notify::new(),
        }
    }

    /// How many permits are free.
    #[must_use]
    pub fn available(&self) -> usize {
        self.permits_count.get()
    }

    /// Waits for a permit.
    pub async fn acquire(&self) -> Permit<'_> {
        // A newcomer must not overtake those who wait, even when a permit was freed a moment ago.
        while self.permits_count.get() <= self.waiting_count.get() {
            let _queued = Queued::enter(&self.waiting_count);
            self.freed.notified().await;
            if self.permits_count.get() > 0 {
                break;
            }
        }
        let free_count = self.permits_count.get();
        assert!(
            free_count > 0,
            "a task is let through only when a permit is free"
        );
        self.permits_count.set(free_count - 1);
        Permit(self)
    }
}

/// Counts a waiting task, also when its wait is dropped.
struct Queued<'a>(&'a Cell<usize>);

impl<'a> Queued<'a> {
    fn enter(count: &'a Cell<usize>) -> Queued<'a> {
        count.set(count.get() + 1);
        Queued(count)
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.permits_count.set(self.0.permits_count.get() + 1);
        if self.0.waiting_count.get() > 0 {
            self.0.freed.notify_one();
        }
    }
}
