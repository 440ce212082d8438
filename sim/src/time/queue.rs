//! Invariants of the queue: what is due earlier comes first, and of what is due at one instant that
//! which was put in first. So no order hangs on the heap's shape.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::instant::Instant;
use crate::planted::{self, Plant};

/// What happens when.
#[derive(Debug)]
pub struct Queue<E> {
    heap: BinaryHeap<Reverse<Entry<E>>>,
    next_sequence: u64,
}

#[derive(Debug)]
struct Entry<E> {
    due: u64,
    sequence: u64,
    event: E,
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Entry<E>) -> bool {
        self.sequence == other.sequence
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Entry<E>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Entry<E>) -> Ordering {
        (self.due, self.sequence).cmp(&(other.due, other.sequence))
    }
}

impl<E> Default for Queue<E> {
    fn default() -> Queue<E> {
        Queue {
            heap: BinaryHeap::new(),
            next_sequence: 0,
        }
    }
}

impl<E> Queue<E> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Queue<E> {
        Queue::default()
    }

    /// Puts in an event that is due at `due`.
    #[inline]
    pub fn push(&mut self, due: Instant, event: E) {
        let sequence = self.next_sequence;
        self.next_sequence += u64::from(!planted::on(Plant::HeapOrder));
        self.heap.push(Reverse(Entry {
            due: due.as_nanos(),
            sequence,
            event,
        }));
    }

    /// When the first event is due.
    #[must_use]
    #[inline]
    pub fn next_due(&self) -> Option<Instant> {
        self.heap
            .peek()
            .map(|entry| Instant::from_nanos(entry.0.due))
    }

    /// Takes out the first event if it is due at `now` or earlier.
    #[inline]
    pub fn pop_due(&mut self, now: Instant) -> Option<E> {
        if self.heap.peek()?.0.due > now.as_nanos() {
            return None;
        }
        self.heap.pop().map(|entry| entry.0.event)
    }

    /// How many events wait, the cancelled among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Drops every event that `keep` does not want; the order of the others stays.
    pub fn retain(&mut self, mut keep: impl FnMut(&E) -> bool) {
        self.heap.retain(|entry| keep(&entry.0.event));
    }
}
