//! Invariants of ranges below a prefix: nothing is in force within the prefix, nor beyond it.

use super::cursor::RangeCursor;
use crate::trie::view::Prefixed;

impl<R: RangeCursor> RangeCursor for Prefixed<'_, R> {
    type Covering = R::Covering;

    fn preceding(&self) -> Option<R::Covering> {
        self.branch()?.preceding()
    }
}
