//! Invariants of counted walks: every move is counted, those of tails too; nothing else differs.

use std::cell::Cell;

use crate::trie::deletion_aware::{DeletionAware, StateOf};
use crate::trie::range::RangeCursor;
use crate::trie::{Cursor, Direction, Position};

/// A walk whose stops are counted.
#[derive(Clone)]
pub struct Counted<'a, C> {
    pub(crate) cursor: C,
    pub(crate) stops: &'a Cell<u64>,
}

impl<'a, C: Cursor> Counted<'a, C> {
    /// Adds the stops of `cursor` to `stops`.
    pub fn new(cursor: C, stops: &'a Cell<u64>) -> Self {
        Counted { cursor, stops }
    }

    fn count(&self, position: Position) -> Position {
        self.stops.set(self.stops.get() + 1);
        position
    }
}

impl<C: Cursor> Cursor for Counted<'_, C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        self.cursor.position()
    }

    fn content(&self) -> Option<C::Content> {
        self.cursor.content()
    }

    fn advance(&mut self) -> Position {
        let position = self.cursor.advance();
        self.count(position)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let before = passed.len();
        let position = self.cursor.advance_multiple(passed);
        let passed_count = (passed.len() - before) as u64;
        self.stops.set(self.stops.get() + passed_count);
        self.count(position)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let position = self.cursor.skip_to(target);
        self.count(position)
    }

    fn tail(&self, direction: Direction) -> Self {
        Counted {
            cursor: self.cursor.tail(direction),
            stops: self.stops,
        }
    }
}

impl<C: RangeCursor> RangeCursor for Counted<'_, C> {
    type Covering = C::Covering;

    fn preceding(&self) -> Option<C::Covering> {
        self.cursor.preceding()
    }
}

impl<'a, C: DeletionAware> DeletionAware for Counted<'a, C> {
    type Deletions = Counted<'a, C::Deletions>;

    fn deletion_branch(&self, direction: Direction) -> Option<Self::Deletions> {
        let branch = self.cursor.deletion_branch(direction)?;
        Some(Counted::new(branch, self.stops))
    }

    fn branch_deleted_by(&self) -> Option<StateOf<Self>> {
        self.cursor.branch_deleted_by()
    }

    fn all_deleted_by(&self) -> Option<StateOf<Self>> {
        self.cursor.all_deleted_by()
    }

    fn is_shadowed(&self) -> bool {
        self.cursor.is_shadowed()
    }
}
