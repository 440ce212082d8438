//! Invariants of what rides along in a heap: it takes no part in the order.

use std::cmp::Ordering;

/// A value that equals every other.
#[derive(Clone, Debug)]
pub(super) struct Unordered<T>(pub(super) T);

impl<T> PartialEq for Unordered<T> {
    fn eq(&self, _: &Unordered<T>) -> bool {
        true
    }
}

impl<T> Eq for Unordered<T> {}

impl<T> PartialOrd for Unordered<T> {
    fn partial_cmp(&self, other: &Unordered<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Unordered<T> {
    fn cmp(&self, _: &Unordered<T>) -> Ordering {
        Ordering::Equal
    }
}
