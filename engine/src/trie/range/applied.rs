//! Steps of data under ranges: the data leads, the ranges follow, and what they have in force at a key takes from
//! what it leads to.

use super::covered::Part;
use super::cursor::RangeCursor;
use super::follow::Follower;
use crate::trie::{Cursor, Direction, Position};

/// What ranges leave of data.
#[derive(Clone)]
pub struct Applied<C, R: RangeCursor, F> {
    source: C,
    ranges: Follower<R>,
    delete: F,
}

impl<C, R, F> Applied<C, R, F>
where
    C: Cursor,
    R: RangeCursor,
    F: Fn(R::Covering, C::Content) -> Option<C::Content> + Clone,
{
    /// Of two walks at their roots. `delete` says what a state leaves of content.
    pub fn new(source: C, ranges: R, delete: F) -> Self {
        Applied::of(source, Part::Walk(ranges), delete)
    }

    fn of(source: C, ranges: Part<R>, delete: F) -> Self {
        assert!(
            source.position() == ranges.position(),
            "walks in step begin at one root and go one way"
        );
        let ranges = Follower::new(ranges, source.position());
        Applied {
            source,
            ranges,
            delete,
        }
    }

    fn follow(&mut self, before: Position, position: Position) -> Position {
        if !position.is_exhausted() {
            self.ranges.follow(before, position);
        }
        position
    }
}

impl<C, R, F> Cursor for Applied<C, R, F>
where
    C: Cursor,
    R: RangeCursor,
    F: Fn(R::Covering, C::Content) -> Option<C::Content> + Clone,
{
    type Content = C::Content;

    fn position(&self) -> Position {
        self.source.position()
    }

    fn content(&self) -> Option<C::Content> {
        let content = self.source.content()?;
        match self.ranges.applicable(self.source.position()) {
            Some(state) => (self.delete)(state, content),
            None => Some(content),
        }
    }

    fn advance(&mut self) -> Position {
        let before = self.source.position();
        let position = self.source.advance();
        self.follow(before, position)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let before = self.source.position();
        if self.ranges.is_at(before) {
            return self.advance();
        }
        let position = self.source.advance_multiple(passed);
        self.follow(before, position)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let before = self.source.position();
        let position = self.source.skip_to(target);
        self.follow(before, position)
    }

    fn tail(&self, direction: Direction) -> Self {
        let ranges = self.ranges.tail(self.source.position(), direction);
        Applied::of(self.source.tail(direction), ranges, self.delete.clone())
    }
}
