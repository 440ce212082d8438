//! Invariants of the ready set: it gives the lowest (priority, step) of all it holds, whatever the order
//! in which they came.
//!
//! Most tasks become ready together, when an instant begins: those are sorted once. A heap takes the few
//! that come while the sorted ones are being polled.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::task::TaskId;

/// A ready task. The order of the fields is the order of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) priority: u64,
    /// How many wakes came before.
    pub(super) step: u64,
    pub(super) task: TaskId,
}

/// Tasks that are ready.
#[derive(Debug, Default)]
pub(super) struct Ready {
    /// Came since the last look, in no order.
    fresh: Vec<Entry>,
    /// The lowest last.
    sorted: Vec<Entry>,
    /// Came while some were sorted.
    late: BinaryHeap<Reverse<Entry>>,
}

impl Ready {
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.fresh.push(entry);
    }

    pub(super) fn len(&self) -> usize {
        self.fresh.len() + self.sorted.len() + self.late.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.sorted.is_empty() && self.late.is_empty()
    }

    /// How many were sorted and not taken out.
    #[inline]
    pub(super) fn sorted_count(&self) -> usize {
        self.sorted.len()
    }

    /// Up to so many that are likely to be taken next.
    #[inline]
    pub(super) fn next_sorted(&self, count_max: usize) -> &[Entry] {
        &self.sorted[self.sorted.len().saturating_sub(count_max)..]
    }

    /// Takes the lowest out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        if !self.fresh.is_empty() {
            if !self.sorted.is_empty() || !self.late.is_empty() {
                self.late.extend(self.fresh.drain(..).map(Reverse));
            } else if self.fresh.len() == 1 {
                return self.fresh.pop();
            } else {
                std::mem::swap(&mut self.fresh, &mut self.sorted);
                self.sorted.sort_unstable_by(|left, right| right.cmp(left));
            }
        }
        let Some(Reverse(late)) = self.late.peek() else {
            return self.sorted.pop();
        };
        match self.sorted.last() {
            Some(sorted) if sorted < late => self.sorted.pop(),
            _ => self.late.pop().map(|Reverse(entry)| entry),
        }
    }
}
