//! Steps of watching a walk: hold each move against its trail, and each answer against its flag.

use super::trail::Trail;
use crate::trie::{Cursor, Direction, Position};

/// A walk that fails where it breaks what is promised of walks.
#[derive(Clone)]
pub struct Verified<C> {
    cursor: C,
    trail: Trail,
}

impl<C: Cursor> Verified<C> {
    /// Watches a walk that is at its root.
    ///
    /// # Panics
    /// When it is not; later, when it breaks a promise.
    pub fn new(cursor: C) -> Self {
        let trail = Trail::begin(cursor.position());
        Verified { cursor, trail }
    }

    /// The walk.
    pub fn inner(&self) -> &C {
        &self.cursor
    }

    /// The walk, to change what it shows without moving it.
    pub fn inner_mut(&mut self) -> &mut C {
        &mut self.cursor
    }
}

impl<C: Cursor> Cursor for Verified<C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        let position = self.cursor.position();
        self.trail.stays(position);
        position
    }

    fn content(&self) -> Option<C::Content> {
        let content = self.cursor.content();
        self.trail.holds(content.is_some(), self.cursor.position());
        content
    }

    fn advance(&mut self) -> Position {
        self.trail.leaves();
        let position = self.cursor.advance();
        self.trail.moves(&[], position);
        position
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.trail.leaves();
        let before = passed.len();
        let position = self.cursor.advance_multiple(passed);
        self.trail.moves(&passed[before..], position);
        position
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.trail.aims(target);
        let position = self.cursor.skip_to(target);
        self.trail.moves(&[], position);
        self.trail.lands(target);
        position
    }

    fn tail(&self, direction: Direction) -> Self {
        let here = self.trail.position();
        assert!(
            !here.is_exhausted() && !here.is_return(),
            "a tail asked for at {here:?}"
        );
        Verified::new(self.cursor.tail(direction))
    }
}
