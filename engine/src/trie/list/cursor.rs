//! Steps of a walk over a written-down trie: the list's steps, and the content of the entry that is met.

use std::ops::Range;

use super::entries::Entry;
use super::step::Steps;
use crate::trie::{Cursor, Direction, Position};

/// A walk over the entries of a list.
pub struct ListCursor<'a, T> {
    steps: Steps<'a, Entry<T>>,
    ordered: bool,
}

impl<T> Clone for ListCursor<'_, T> {
    fn clone(&self) -> Self {
        ListCursor {
            steps: self.steps.clone(),
            ordered: self.ordered,
        }
    }
}

impl<'a, T: Clone> ListCursor<'a, T> {
    pub(crate) fn new(entries: &'a [Entry<T>], direction: Direction, ordered: bool) -> Self {
        ListCursor {
            steps: Steps::new(entries, 0, direction, ordered, false),
            ordered,
        }
    }

    /// The trie of one entry.
    #[must_use]
    pub fn single(entry: &'a Entry<T>, direction: Direction) -> Self {
        ListCursor::new(std::slice::from_ref(entry), direction, false)
    }

    pub(crate) fn entry(&self) -> Option<&'a Entry<T>> {
        self.steps.turning().or_else(|| self.steps.early())
    }

    /// The indices, among the entries that this is a walk of, of those at this node and below it.
    pub(crate) fn branch_span(&self) -> Range<usize> {
        self.steps.branch_span()
    }

    fn flagged(&self, position: Position) -> Position {
        match self.entry() {
            Some(_) => position.with_content(),
            None => position,
        }
    }
}

impl<T: Clone> Cursor for ListCursor<'_, T> {
    type Content = T;

    fn position(&self) -> Position {
        self.flagged(self.steps.position())
    }

    fn content(&self) -> Option<T> {
        self.entry().map(|entry| entry.content.clone())
    }

    fn advance(&mut self) -> Position {
        let position = self.steps.advance();
        self.flagged(position)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let position = self.steps.advance_multiple(passed);
        self.flagged(position)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let position = self.steps.skip_to(target);
        self.flagged(position)
    }

    fn tail(&self, direction: Direction) -> Self {
        let (entries, base) = (self.steps.branch(), self.steps.branch_base());
        ListCursor {
            steps: Steps::new(entries, base, direction, self.ordered, false),
            ordered: self.ordered,
        }
    }
}
