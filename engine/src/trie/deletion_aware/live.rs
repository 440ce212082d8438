//! Invariants of a live-only walk: it shows no deletion, whatever is asked of it, since it has none to show; and it
//! takes part in no further merge, since to others it would bring back what it no longer says is deleted.
//!
//! It costs what the sources hold: data that is deleted by another source is passed one by one, and counted,
//! where it cannot be passed over whole.

use std::cell::Cell;

use super::cursor::DeletionAware;
use crate::trie::{Cursor, Direction, Position};

/// A walk over live data alone.
#[derive(Clone)]
pub struct LiveOnly<C> {
    data: Option<C>,
    /// Where the walk stood among deletions when they were dropped.
    left: Option<Position>,
    direction: Direction,
    shadowed_count: Cell<u64>,
    /// Whether the current node is among those counted.
    is_counted: Cell<bool>,
}

impl<C: DeletionAware> LiveOnly<C> {
    /// Of a walk that is at its root.
    pub fn new(data: C) -> Self {
        let direction = data.position().direction();
        LiveOnly::of(Some(data), None, direction)
    }

    pub(super) fn of(data: Option<C>, left: Option<Position>, direction: Direction) -> Self {
        LiveOnly {
            data,
            left,
            direction,
            shadowed_count: Cell::new(0),
            is_counted: Cell::new(false),
        }
    }

    /// How many nodes were asked for content whose data, in one source, is all deleted by another.
    pub fn shadowed_count(&self) -> u64 {
        self.shadowed_count.get()
    }

    fn data_position(&self) -> Position {
        match &self.data {
            Some(data) => data.position(),
            None => Position::exhausted(self.direction),
        }
    }
}

impl<C: DeletionAware> Cursor for LiveOnly<C> {
    type Content = C::Content;

    fn position(&self) -> Position {
        self.left.unwrap_or_else(|| self.data_position())
    }

    fn content(&self) -> Option<C::Content> {
        let data = self.data.as_ref().filter(|_| self.left.is_none())?;
        let content = data.content();
        if content.is_none() && !self.is_counted.get() && data.is_shadowed() {
            self.shadowed_count.set(self.shadowed_count.get() + 1);
            self.is_counted.set(true);
        }
        content
    }

    fn advance(&mut self) -> Position {
        self.is_counted.set(false);
        match (self.left.take(), &mut self.data) {
            (None, Some(data)) => data.advance(),
            _ => self.data_position(),
        }
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.is_counted.set(false);
        match (self.left.take(), &mut self.data) {
            (None, Some(data)) => data.advance_multiple(passed),
            _ => self.data_position(),
        }
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.is_counted.set(false);
        match (self.left.take(), &mut self.data) {
            (None, Some(data)) => data.skip_to(target),
            (Some(_), Some(data)) => data.skip_to_when_ahead(target),
            (_, None) => self.data_position(),
        }
    }

    fn tail(&self, direction: Direction) -> Self {
        let left = self.left.map(|_| Position::root(direction));
        let data = self.data.as_ref().filter(|_| left.is_none());
        LiveOnly::of(data.map(|data| data.tail(direction)), left, direction)
    }
}
