//! Steps of watching a walk over ranges: besides its moves, what each stop says is in force before it is what the
//! stop before has left in force.

use super::trail::Trail;
use crate::trie::range::{Marker, RangeCursor};
use crate::trie::{Cursor, Direction, Position};

/// A walk over ranges that fails where it breaks what is promised of them.
#[derive(Clone)]
pub struct VerifiedRange<R: RangeCursor> {
    cursor: R,
    trail: Trail,
    /// What the current stop leaves in force.
    open: Option<R::Covering>,
}

impl<R: RangeCursor> VerifiedRange<R> {
    /// Watches a walk that is at its root.
    ///
    /// # Panics
    /// When it is not, or something is in force before it; later, when it breaks a promise.
    pub fn new(cursor: R) -> Self {
        let trail = Trail::begin(cursor.position());
        let mut verified = VerifiedRange {
            cursor,
            trail,
            open: None,
        };
        verified.follows();
        verified
    }

    /// Holds what is in force before the current stop against what the last left, and takes in what this one
    /// leaves.
    fn follows(&mut self) {
        let position = self.cursor.position();
        let preceding = self.cursor.preceding();
        assert!(
            preceding == self.open,
            "{preceding:?} is in force before {position:?}, where {:?} was left",
            self.open
        );
        if position.is_exhausted() {
            assert!(preceding.is_none(), "{preceding:?} is in force at the end");
            return;
        }
        let state = self.cursor.state();
        let content = self.cursor.content();
        self.trail.holds(content.is_some(), position);
        match content {
            Some(marker) => assert!(
                marker.is_change() && marker == state,
                "{marker:?} at {position:?}, whose state is {state:?}"
            ),
            None => assert!(
                state == Marker::covering(preceding),
                "no content at {position:?}, whose state is {state:?}"
            ),
        }
        let direction = position.direction();
        assert!(
            state.preceding(direction) == preceding,
            "{state:?} at {position:?} does not take over {preceding:?}"
        );
        assert!(
            state.point.is_none() || !position.is_return(),
            "a point on the return path at {position:?}"
        );
        assert!(
            state.point.is_none() || state.point > state.succeeding(direction),
            "a point that says nothing: {state:?} at {position:?}"
        );
        self.open = state.succeeding(direction);
        let is_end = position.depth() == 0 && position.is_return();
        assert!(
            !is_end || self.open.is_none(),
            "{:?} is left in force beyond the root",
            self.open
        );
    }
}

impl<R: RangeCursor> Cursor for VerifiedRange<R> {
    type Content = Marker<R::Covering>;

    fn position(&self) -> Position {
        let position = self.cursor.position();
        self.trail.stays(position);
        position
    }

    fn content(&self) -> Option<Self::Content> {
        let content = self.cursor.content();
        self.trail.holds(content.is_some(), self.cursor.position());
        content
    }

    fn advance(&mut self) -> Position {
        self.trail.leaves();
        let position = self.cursor.advance();
        self.trail.moves(&[], position);
        self.follows();
        position
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.trail.leaves();
        let before = passed.len();
        let position = self.cursor.advance_multiple(passed);
        self.trail.moves(&passed[before..], position);
        self.follows();
        position
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.trail.aims(target);
        let position = self.cursor.skip_to(target);
        self.trail.moves(&[], position);
        self.trail.lands(target);
        self.open = self.cursor.preceding();
        self.follows();
        position
    }

    fn tail(&self, direction: Direction) -> Self {
        let here = self.trail.position();
        assert!(
            !here.is_exhausted() && !here.is_return(),
            "a tail asked for at {here:?}"
        );
        VerifiedRange::new(self.cursor.tail(direction))
    }
}

impl<R: RangeCursor> RangeCursor for VerifiedRange<R> {
    type Covering = R::Covering;

    fn preceding(&self) -> Option<R::Covering> {
        self.cursor.preceding()
    }

    fn state(&self) -> Marker<R::Covering> {
        self.cursor.state()
    }
}
