//! Invariants of ranges without the one that covers them all: sides that say it say nothing, and boundaries that
//! then say nothing are not held.

use crate::trie::range::{Marker, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// Ranges from which a state is left out.
#[derive(Clone)]
pub struct Uncovered<R: RangeCursor> {
    ranges: R,
    dropped: Option<R::Covering>,
}

impl<R: RangeCursor> Uncovered<R> {
    /// `ranges` without `dropped`.
    pub fn new(ranges: R, dropped: Option<R::Covering>) -> Self {
        Uncovered { ranges, dropped }
    }

    fn left_of(&self, state: Option<R::Covering>) -> Option<R::Covering> {
        state.filter(|_| state != self.dropped)
    }
}

impl<R: RangeCursor> Cursor for Uncovered<R> {
    type Content = Marker<R::Covering>;

    fn position(&self) -> Position {
        self.ranges.position()
    }

    fn content(&self) -> Option<Self::Content> {
        let marker = self.ranges.content()?;
        let marker = Marker {
            left: self.left_of(marker.left),
            right: self.left_of(marker.right),
            point: marker.point,
        };
        marker.if_change()
    }

    fn advance(&mut self) -> Position {
        self.ranges.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.ranges.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.ranges.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        Uncovered::new(self.ranges.tail(direction), self.dropped)
    }
}

impl<R: RangeCursor> RangeCursor for Uncovered<R> {
    type Covering = R::Covering;

    fn preceding(&self) -> Option<R::Covering> {
        self.left_of(self.ranges.preceding())
    }
}
