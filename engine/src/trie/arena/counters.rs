//! Vocabulary of work: what an arena has done so far, counted, never timed.

use std::cell::Cell;

/// Work of an arena since it was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub(super) cells_visited: Cell<u64>,
    pub(super) cells_copied: Cell<u64>,
    pub(super) cells_made: Cell<u64>,
    pub(super) cells_released: Cell<u64>,
}

impl Counters {
    /// Cells looked at on the way to a key, in reads and mutations.
    #[must_use]
    pub fn cells_visited(&self) -> u64 {
        self.cells_visited.get()
    }

    /// Cells copied because a reader may see them.
    #[must_use]
    pub fn cells_copied(&self) -> u64 {
        self.cells_copied.get()
    }

    /// Cells and halves taken for new nodes, copies among them.
    #[must_use]
    pub fn cells_made(&self) -> u64 {
        self.cells_made.get()
    }

    /// Cells and halves given back.
    #[must_use]
    pub fn cells_released(&self) -> u64 {
        self.cells_released.get()
    }
}

/// Adds to a counter.
#[inline]
pub(super) fn add(counter: &Cell<u64>, count: u64) {
    counter.set(counter.get() + count);
}
