//! Invariants of data under deletions at its root: one branch, the whole trie's; the data offers none.

use super::cursor::DeletionAware;
use crate::trie::range::{Covered, Covering, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// Plain data, and deletions that hang on its root, none of which delete it.
#[derive(Clone)]
pub struct Rooted<C, R> {
    data: C,
    deletions: Option<R>,
}

impl<C: Cursor, R: RangeCursor> Rooted<C, R> {
    /// Of two walks at their roots.
    pub fn new(data: C, deletions: R) -> Self {
        Rooted {
            data,
            deletions: Some(deletions),
        }
    }
}

impl<C: Cursor, S: Covering> Rooted<C, Covered<S>> {
    /// Data without deletions.
    pub fn plain(data: C) -> Self {
        Rooted {
            data,
            deletions: None,
        }
    }
}

impl<C: Cursor, R: RangeCursor> Cursor for Rooted<C, R> {
    type Content = C::Content;

    fn position(&self) -> Position {
        let position = self.data.position();
        if position.depth() == 0 && self.deletions.is_some() {
            position.with_branch()
        } else {
            position
        }
    }

    fn content(&self) -> Option<C::Content> {
        self.data.content()
    }

    fn advance(&mut self) -> Position {
        self.data.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.data.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.data.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        let is_root = self.position().depth() == 0;
        let deletions = self.deletions.as_ref().filter(|_| is_root);
        Rooted {
            data: self.data.tail(direction),
            deletions: deletions.map(|deletions| deletions.tail(direction)),
        }
    }
}

impl<C: Cursor, R: RangeCursor> DeletionAware for Rooted<C, R> {
    type Deletions = R;

    fn deletion_branch(&self, direction: Direction) -> Option<R> {
        let at_root = self.data.position().depth() == 0;
        let deletions = self.deletions.as_ref().filter(|_| at_root)?;
        Some(deletions.tail(direction))
    }
}
