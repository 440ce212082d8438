//! Steps of ranges that follow a walk of data: they skip to where the data is when they were with it, or are
//! behind; so what applies to the data is known at every stop.

use super::covered::{Covered, Part};
use super::cursor::RangeCursor;
use crate::trie::{Cursor, Direction, Position};

/// Ranges that hang on a node of a walk, and follow it below that node.
#[derive(Clone)]
pub(crate) struct Follower<R: RangeCursor> {
    ranges: Part<R>,
    host: Position,
}

impl<R: RangeCursor> Follower<R> {
    /// Ranges that are at their root, which is the node at `host`, where the data is.
    pub(crate) fn new(ranges: Part<R>, host: Position) -> Self {
        let host = host.unflagged();
        Follower { ranges, host }
    }

    /// The whole branch, while these are at its root.
    pub(crate) fn branch_at_root(&self, direction: Direction) -> Option<R> {
        match &self.ranges {
            Part::Walk(ranges) if self.position() == self.host => Some(ranges.tail(direction)),
            _ => None,
        }
    }

    pub(crate) fn host(&self) -> Position {
        self.host
    }

    pub(crate) fn position(&self) -> Position {
        let position = self.ranges.position();
        if position.is_exhausted() {
            return self.host.beyond();
        }
        position.hung_on(self.host)
    }

    /// Whether data at `position` has left the branch.
    pub(crate) fn is_left(&self, position: Position) -> bool {
        position.is_exhausted() || position.depth() <= self.host.depth() && position != self.host
    }

    /// Follows the data from `before` to `position`, within the branch.
    pub(crate) fn follow(&mut self, before: Position, position: Position) {
        if self.ranges.position().is_exhausted() {
            return;
        }
        let here = self.position();
        if here == before || here < position {
            self.ranges.skip_to(position.taken_off(self.host));
        }
    }

    /// What applies to data at `position`, to which these have followed.
    pub(crate) fn applicable(&self, position: Position) -> Option<R::Covering> {
        if self.is_at(position) {
            self.ranges.applicable()
        } else {
            self.ranges.preceding()
        }
    }

    pub(crate) fn is_at(&self, position: Position) -> bool {
        !self.ranges.position().is_exhausted() && self.position() == position
    }

    /// What covers the way from the data, which is not at a marker, to where these are.
    pub(crate) fn covering(&self) -> Option<R::Covering> {
        self.ranges.preceding()
    }

    /// What there is below the data, which is at `position`.
    pub(crate) fn tail(&self, position: Position, direction: Direction) -> Part<R> {
        if self.is_at(position) {
            self.ranges.tail(direction)
        } else {
            Part::Covered(Covered::new(self.ranges.preceding(), direction))
        }
    }
}
