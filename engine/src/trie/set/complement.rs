//! Invariants of a complement: inside is outside, and the other way round, between the root's first stop and its
//! return, where every set begins and ends.

use crate::trie::range::{Marker, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// All keys that are not in a set.
#[derive(Clone)]
pub struct Complement<S> {
    set: S,
    /// Whether the set's walk ended, and this one is at the root's return.
    closes: bool,
}

impl<S: RangeCursor<Covering = ()>> Complement<S> {
    /// Of a set, whose walk is at its root.
    pub fn new(set: S) -> Self {
        Complement { set, closes: false }
    }

    /// Goes by the root's return when the set has ended elsewhere.
    fn settle(&mut self, before: Position) -> Position {
        let at_return = before.depth() == 0 && before.is_return();
        if self.set.position().is_exhausted() && !at_return {
            self.closes = true;
        }
        self.position()
    }
}

fn inverse(state: Option<()>) -> Option<()> {
    match state {
        Some(()) => None,
        None => Some(()),
    }
}

impl<S: RangeCursor<Covering = ()>> Cursor for Complement<S> {
    type Content = Marker<()>;

    fn position(&self) -> Position {
        let here = self.set.position();
        if self.closes {
            return Position::root(here.direction()).on_return().with_content();
        }
        if here.depth() == 0 {
            here.with_content()
        } else {
            here
        }
    }

    fn content(&self) -> Option<Marker<()>> {
        let position = self.position();
        if position.is_exhausted() {
            return None;
        }
        let direction = position.direction();
        let state = self.set.state();
        let before = self.preceding();
        let at_end = position.depth() == 0 && position.is_return();
        let after = if at_end {
            None
        } else {
            inverse(state.succeeding(direction))
        };
        Marker::on_the_way(before, after, direction).if_change()
    }

    fn advance(&mut self) -> Position {
        let before = self.position();
        if self.closes {
            self.closes = false;
            return self.position();
        }
        self.set.advance();
        self.settle(before)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        if self.closes {
            return self.advance();
        }
        let before = self.position();
        self.set.advance_multiple(passed);
        self.settle(before)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let before = self.position();
        if target.is_exhausted() || self.closes {
            self.closes = false;
            return self.set.skip_to(Position::exhausted(before.direction()));
        }
        self.set.skip_to(target);
        self.settle(before)
    }

    fn tail(&self, direction: Direction) -> Self {
        assert!(
            !self.closes,
            "a tail begins where a node is met on the way down"
        );
        Complement::new(self.set.tail(direction))
    }
}

impl<S: RangeCursor<Covering = ()>> RangeCursor for Complement<S> {
    type Covering = ();

    fn preceding(&self) -> Option<()> {
        let position = self.position();
        let outside = position.is_exhausted() || position.depth() == 0 && !position.is_return();
        if outside {
            return None;
        }
        inverse(self.set.preceding())
    }
}
