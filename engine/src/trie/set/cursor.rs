//! Vocabulary of set walks: what a range cursor says when its ranges only are, or are not.

use crate::trie::range::{Marker, RangeCursor};

/// A walk over where a set begins and ends.
pub trait SetCursor: RangeCursor<Covering = ()> {
    /// Whether what the walk has left behind, up to here, belongs to the set.
    fn precedes(&self) -> bool {
        self.preceding().is_some()
    }

    /// Whether the current node's own key belongs to the set.
    fn contains_here(&self) -> bool
    where
        Self: Sized,
    {
        self.applicable().is_some()
    }

    /// Whether anything at the current node or below it belongs to the set.
    fn reaches_below(&self) -> bool
    where
        Self: Sized,
    {
        if self.contains_here() {
            return true;
        }
        let mut tail = self.tail(self.position().direction());
        while !tail.advance().is_exhausted() {
            if tail.state() != Marker::covering(None) {
                return true;
            }
        }
        false
    }
}

impl<S: RangeCursor<Covering = ()>> SetCursor for S {}
