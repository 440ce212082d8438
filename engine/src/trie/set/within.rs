//! Steps of data cut to a set: two states.
//!
//! - both are here: the set, which is sparser, moves first; if what it passed is within it, the data moves on
//!   by itself, else it skips to the set;
//! - the set is ahead, and here is within it: the data walks on its own.
//!
//! Of the nodes at which the set has a bound, or on the way to one, those show content whose own key is in
//! the set, or below which it reaches: what a prefix of a key in the set holds may say what that key means. A
//! *slice* shows only what is in the set.

use super::cursor::SetCursor;
use crate::trie::merge::skip;
use crate::trie::range::{Part, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// What data is within a set.
#[derive(Clone)]
pub struct Within<C, S: RangeCursor> {
    source: C,
    set: Part<S>,
    is_slice: bool,
}

impl<C: Cursor, S: RangeCursor<Covering = ()>> Within<C, S> {
    /// What is in the set, and what is on the way to it; both walks are at their roots.
    pub fn new(source: C, set: S) -> Self {
        Within::of(source, Part::Walk(set), false)
    }

    /// Only what is in the set.
    pub fn slice(source: C, set: S) -> Self {
        Within::of(source, Part::Walk(set), true)
    }

    pub(crate) fn of(source: C, set: Part<S>, is_slice: bool) -> Self {
        assert!(
            source.position() == set.position(),
            "walks in step begin at one root and go one way"
        );
        Within {
            source,
            set,
            is_slice,
        }
    }

    pub(crate) fn source(&self) -> &C {
        &self.source
    }

    /// The set, when it has a node here.
    pub(crate) fn set_here(&self) -> Option<&Part<S>> {
        (self.set.position() == self.source.position()).then_some(&self.set)
    }

    /// What the set has below the data, which is at `position`.
    pub(crate) fn set_tail(&self, position: Position, direction: Direction) -> Part<S> {
        self.set.tail_at(position, direction)
    }

    fn settle(&mut self) -> Position {
        loop {
            let (source, set) = (self.source.position(), self.set.position());
            if source > set {
                self.set.skip_to(source);
            } else if source < set && !self.set.precedes() {
                self.source.skip_to(set);
            } else {
                return source;
            }
        }
    }
}

impl<C: Cursor, S: RangeCursor<Covering = ()>> Cursor for Within<C, S> {
    type Content = C::Content;

    fn position(&self) -> Position {
        self.source.position()
    }

    fn content(&self) -> Option<C::Content> {
        let content = self.source.content()?;
        let is_shown = self.set_here().is_none_or(|set| {
            set.contains_here()
                || !self.is_slice && !set.position().is_return() && set.reaches_below()
        });
        is_shown.then_some(content)
    }

    fn advance(&mut self) -> Position {
        if self.set_here().is_none() {
            self.source.advance();
            return self.settle();
        }
        let set = self.set.advance();
        if self.set.precedes() {
            self.source.advance();
        } else {
            self.source.skip_to(set);
        }
        self.settle()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        if self.set_here().is_some() {
            return self.advance();
        }
        self.source.advance_multiple(passed);
        self.settle()
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let is_here = self.set_here().is_some();
        self.source.skip_to(target);
        skip(&mut self.set, is_here, target);
        self.settle()
    }

    fn tail(&self, direction: Direction) -> Self {
        let set = self.set.tail_at(self.position(), direction);
        Within::of(self.source.tail(direction), set, self.is_slice)
    }
}
