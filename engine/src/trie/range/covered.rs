//! Steps of a branch that is covered whole: its state from the root's first stop to its return.

use super::cursor::RangeCursor;
use super::marker::{Covering, Marker};
use crate::trie::{Cursor, Direction, Position};

/// The branch below a position that lies within a range, or in none.
#[derive(Clone, Copy, Debug)]
pub struct Covered<S> {
    state: Option<S>,
    position: Position,
}

impl<S: Covering> Covered<S> {
    /// A branch with `state` everywhere.
    #[must_use]
    pub const fn new(state: Option<S>, direction: Direction) -> Covered<S> {
        Covered {
            state,
            position: Position::root(direction),
        }
    }
}

impl<S: Covering> Cursor for Covered<S> {
    type Content = Marker<S>;

    fn position(&self) -> Position {
        match self.state {
            Some(_) if !self.position.is_exhausted() => self.position.with_content(),
            _ => self.position,
        }
    }

    fn content(&self) -> Option<Marker<S>> {
        let direction = self.position.direction();
        let (before, after) = if self.position.is_return() {
            (self.state, None)
        } else {
            (None, self.state)
        };
        Marker::on_the_way(before, after, direction).if_change()
    }

    fn advance(&mut self) -> Position {
        assert!(!self.position.is_exhausted(), "the walk is over");
        let is_open = self.state.is_some() && !self.position.is_return();
        self.position = if is_open {
            self.position.on_return()
        } else {
            Position::exhausted(self.position.direction())
        };
        self.position()
    }

    fn skip_to(&mut self, target: Position) -> Position {
        if target.is_exhausted() {
            self.position = target.unflagged();
            return self.position();
        }
        self.advance()
    }

    fn tail(&self, direction: Direction) -> Self {
        Covered::new(self.state, direction)
    }
}

impl<S: Covering> RangeCursor for Covered<S> {
    type Covering = S;

    fn preceding(&self) -> Option<S> {
        if self.position.is_return() {
            self.state
        } else {
            None
        }
    }
}

/// One of the walks that a combined one is made of; it may have begun within a range of its source.
#[derive(Clone)]
pub enum Part<R: RangeCursor> {
    /// A walk of the source.
    Walk(R),
    /// Covered whole: the source has nothing of its own here.
    Covered(Covered<R::Covering>),
}

impl<R: RangeCursor> Part<R> {
    /// The tail of a source at `position`, where a parallel walk is that may be behind it.
    pub(crate) fn tail_at(&self, position: Position, direction: Direction) -> Part<R> {
        if self.position() == position {
            self.tail(direction)
        } else {
            Part::Covered(Covered::new(self.preceding(), direction))
        }
    }
}

impl<R: RangeCursor> Cursor for Part<R> {
    type Content = Marker<R::Covering>;

    fn position(&self) -> Position {
        match self {
            Part::Walk(walk) => walk.position(),
            Part::Covered(walk) => walk.position(),
        }
    }

    fn content(&self) -> Option<Self::Content> {
        match self {
            Part::Walk(walk) => walk.content(),
            Part::Covered(walk) => walk.content(),
        }
    }

    fn advance(&mut self) -> Position {
        match self {
            Part::Walk(walk) => walk.advance(),
            Part::Covered(walk) => walk.advance(),
        }
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        match self {
            Part::Walk(walk) => walk.advance_multiple(passed),
            Part::Covered(walk) => walk.advance(),
        }
    }

    fn skip_to(&mut self, target: Position) -> Position {
        match self {
            Part::Walk(walk) => walk.skip_to(target),
            Part::Covered(walk) => walk.skip_to(target),
        }
    }

    fn tail(&self, direction: Direction) -> Self {
        match self {
            Part::Walk(walk) => Part::Walk(walk.tail(direction)),
            Part::Covered(walk) => Part::Covered(walk.tail(direction)),
        }
    }
}

impl<R: RangeCursor> RangeCursor for Part<R> {
    type Covering = R::Covering;

    fn preceding(&self) -> Option<R::Covering> {
        match self {
            Part::Walk(walk) => walk.preceding(),
            Part::Covered(walk) => walk.preceding(),
        }
    }
}
