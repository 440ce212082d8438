//! Invariants of mapped content: the nodes are the source's; what a node holds is what becomes of the source's
//! content, or nothing.

use crate::trie::{Cursor, Direction, Position};

/// A walk whose content goes through a function that may drop it.
#[derive(Clone)]
pub struct Mapped<C, F> {
    source: C,
    map: F,
}

impl<C, F> Mapped<C, F> {
    /// Of what `map` makes of the content of `source`.
    pub fn new(source: C, map: F) -> Self {
        Mapped { source, map }
    }
}

impl<C: Cursor, T, F: Fn(C::Content) -> Option<T> + Clone> Cursor for Mapped<C, F> {
    type Content = T;

    fn position(&self) -> Position {
        self.source.position()
    }

    fn content(&self) -> Option<T> {
        self.source.content().and_then(&self.map)
    }

    fn advance(&mut self) -> Position {
        self.source.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.source.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.source.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        Mapped {
            source: self.source.tail(direction),
            map: self.map.clone(),
        }
    }
}
