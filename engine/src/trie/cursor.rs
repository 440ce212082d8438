//! Invariants of cursors: a walk stops at most once at a node before its children, and at most once after them,
//! on the return path; it never goes back.
//!
//! Data is held before the children. Content of an *ordered* trie, and a boundary of a range, has a place among
//! all keys: what comes before a node's branch is met before it when ascending and on the return path when
//! descending, what comes after it the other way round. A node that is stopped at only on its return path may
//! be left out on the way down.
//!
//! A cursor does not keep its path: whoever needs it cuts it to the depth less one at each step, and appends
//! the byte. No step descends more than one level, but for [`Cursor::advance_multiple`], which names the
//! bytes it passes.

use super::direction::Direction;
use super::position::Position;

/// A position in a depth-first walk of a trie, and the moves onward.
pub trait Cursor {
    /// What nodes hold.
    type Content;

    /// Where the walk is. A new cursor is at the root of its trie, even of an empty one.
    fn position(&self) -> Position;

    /// What is held here, the same however often it is asked.
    fn content(&self) -> Option<Self::Content>;

    /// Goes to the next position: the first child, or else the next sibling of the nearest ancestor that has
    /// one.
    ///
    /// # Panics
    /// At the end of the walk.
    fn advance(&mut self) -> Position;

    /// As [`advance`](Cursor::advance), but may descend several levels at once where nothing is held between:
    /// then it appends to `passed` every byte but the last, and the position it returns has the last.
    ///
    /// Not for a cursor that stands where another of the same parallel walk stands: it would run ahead.
    fn advance_multiple(&mut self, _passed: &mut Vec<u8>) -> Position {
        self.advance()
    }

    /// Goes to `target`, or to the first position after it. `target` lies ahead, and at most one level below.
    fn skip_to(&mut self, target: Position) -> Position;

    /// As [`skip_to`](Cursor::skip_to) when `target` is ahead; else stays. Only for a cursor that walks in
    /// step with the one that `target` comes from.
    fn skip_to_when_ahead(&mut self, target: Position) -> Position {
        let here = self.position();
        if here < target {
            self.skip_to(target)
        } else {
            here
        }
    }

    /// A walk of its own over the branch below this node, whose root is this node, in either direction. This
    /// cursor does not move.
    ///
    /// # Panics
    /// On the return path, where the branch has been left, and at the end.
    #[must_use]
    fn tail(&self, direction: Direction) -> Self
    where
        Self: Sized;

    /// Follows `key` down from this node. True when all of it was found; else the walk stands at the first
    /// position after it.
    fn descend_along(&mut self, key: &[u8]) -> bool {
        for &byte in key {
            let target = self.position().child(byte);
            if self.skip_to(target) != target {
                return false;
            }
        }
        true
    }
}
