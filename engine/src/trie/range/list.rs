//! Invariants of ranges written down: places ascend; each marker takes over what the one before it leaves in
//! force, from nothing to nothing; none says nothing; a point says more than what covers it.

use super::cursor::RangeCursor;
use super::marker::{Covering, Marker};
use crate::trie::list::{ListError, Placed, Steps, Turn, check_order};
use crate::trie::{Cursor, Direction, Position};

/// A marker and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeEntry<S> {
    /// The key at which it is.
    pub key: Vec<u8>,
    /// Whether it comes after all keys that begin with its own, or before them.
    pub is_after: bool,
    /// What changes there.
    pub marker: Marker<S>,
}

impl<S: Covering> Placed for RangeEntry<S> {
    fn key(&self) -> &[u8] {
        &self.key
    }

    fn is_after(&self) -> bool {
        self.is_after
    }

    fn turn(&self, direction: Direction) -> Turn {
        let marker = &self.marker;
        match direction {
            Direction::Forward if self.is_after => Turn::Return,
            Direction::Forward => Turn::Descent,
            Direction::Reverse if self.is_after => Turn::Descent,
            Direction::Reverse if marker.left == marker.right => Turn::Descent,
            Direction::Reverse if marker.point.is_some() => Turn::Both,
            Direction::Reverse => Turn::Return,
        }
    }
}

/// A range trie written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeList<S> {
    entries: Vec<RangeEntry<S>>,
}

impl<S: Covering> RangeList<S> {
    /// Of entries that follow one another.
    ///
    /// # Errors
    /// When places do not ascend, or a marker does not take over what the one before it leaves in force, or
    /// one says nothing, or has a point that what covers it supersedes or that has a marker below its key, or
    /// the last leaves a range open.
    pub fn new(entries: Vec<RangeEntry<S>>) -> Result<RangeList<S>, ListError> {
        check_order(&entries)?;
        let mut open = None;
        for (index, entry) in entries.iter().enumerate() {
            let marker = &entry.marker;
            let is_point_sound =
                marker.point.is_none() || !entry.is_after && marker.point > marker.right;
            let is_point_alone = marker.point.is_none()
                || entries.get(index + 1).is_none_or(|next| {
                    next.key.len() == entry.key.len() || !next.key.starts_with(&entry.key)
                });
            if marker.left != open || !marker.is_change() || !is_point_sound || !is_point_alone {
                return Err(ListError::Torn { index });
            }
            open = marker.right;
        }
        match open {
            Some(_) => Err(ListError::Torn {
                index: entries.len(),
            }),
            None => Ok(RangeList { entries }),
        }
    }

    /// Its markers in the order of their places.
    #[must_use]
    pub fn entries(&self) -> &[RangeEntry<S>] {
        &self.entries
    }

    /// A walk over its markers.
    #[must_use]
    pub fn cursor(&self, direction: Direction) -> RangeListCursor<'_, S> {
        RangeListCursor::new(&self.entries, 0, None, direction)
    }
}

/// What is in force at the ends of a branch and at its root's key.
#[derive(Clone, Copy)]
struct Edges<S> {
    left: Option<S>,
    right: Option<S>,
    point: Option<S>,
}

/// A walk over the markers of a list.
#[derive(Clone)]
pub struct RangeListCursor<'a, S> {
    /// Of the markers below the root; the root's own are made of what is in force at the edges.
    steps: Steps<'a, RangeEntry<S>>,
    inner: &'a [RangeEntry<S>],
    base: usize,
    edges: Edges<S>,
}

impl<'a, S: Covering> RangeListCursor<'a, S> {
    /// Over a branch: the markers at its root and below it, and what covers it if there are none.
    fn new(
        branch: &'a [RangeEntry<S>],
        base: usize,
        covering: Option<S>,
        direction: Direction,
    ) -> Self {
        let mut inner = branch;
        let mut edges = Edges {
            left: branch.first().map_or(covering, |first| first.marker.left),
            right: branch.last().map_or(covering, |last| last.marker.right),
            point: None,
        };
        if let Some((first, rest)) = inner.split_first()
            && !first.is_after
            && first.key.len() == base
        {
            (edges.left, edges.point) = (first.marker.right, first.marker.point);
            inner = rest;
        }
        if let Some((last, rest)) = inner.split_last()
            && last.is_after
            && last.key.len() == base
        {
            edges.right = last.marker.left;
            inner = rest;
        }
        Self::within(inner, base, edges, direction)
    }

    fn within(
        inner: &'a [RangeEntry<S>],
        base: usize,
        edges: Edges<S>,
        direction: Direction,
    ) -> Self {
        let (_, closing) = on_the_way(edges, direction);
        RangeListCursor {
            steps: Steps::new(inner, base, direction, false, closing.is_some()),
            inner,
            base,
            edges,
        }
    }

    fn flagged(&self, position: Position) -> Position {
        match self.content() {
            Some(_) => position.with_content(),
            None => position,
        }
    }
}

/// What a walk meets first and last within the edges.
fn on_the_way<S: Copy>(edges: Edges<S>, direction: Direction) -> (Option<S>, Option<S>) {
    match direction {
        Direction::Forward => (edges.left, edges.right),
        Direction::Reverse => (edges.right, edges.left),
    }
}

impl<S: Covering> Cursor for RangeListCursor<'_, S> {
    type Content = Marker<S>;

    fn position(&self) -> Position {
        self.flagged(self.steps.position())
    }

    fn content(&self) -> Option<Marker<S>> {
        let position = self.steps.position();
        if position.is_exhausted() {
            return None;
        }
        let direction = position.direction();
        if position.depth() == 0 {
            let (opening, closing) = on_the_way(self.edges, direction);
            return if position.is_return() {
                Marker::on_the_way(closing, None, direction).if_change()
            } else {
                let mut marker = Marker::on_the_way(None, opening, direction);
                marker.point = self.edges.point;
                marker.if_change()
            };
        }
        let mut marker = match self.steps.turning() {
            Some(entry) => Marker::boundary(entry.marker.left, entry.marker.right),
            None => Marker::covering(self.preceding()),
        };
        let pointed = match direction {
            Direction::Forward => self.steps.turning(),
            Direction::Reverse => self.steps.early(),
        };
        marker.point = pointed.and_then(|entry| entry.marker.point);
        marker.if_change()
    }

    fn advance(&mut self) -> Position {
        let position = self.steps.advance();
        self.flagged(position)
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        let position = self.steps.advance_multiple(passed);
        self.flagged(position)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let position = self.steps.skip_to(target);
        self.flagged(position)
    }

    fn tail(&self, direction: Direction) -> Self {
        if self.steps.position().depth() == 0 {
            assert!(
                !self.steps.position().is_return(),
                "a tail begins where a node is met on the way down"
            );
            return Self::within(self.inner, self.base, self.edges, direction);
        }
        let covering = self.preceding();
        Self::new(
            self.steps.branch(),
            self.steps.branch_base(),
            covering,
            direction,
        )
    }
}

impl<S: Covering> RangeCursor for RangeListCursor<'_, S> {
    type Covering = S;

    fn preceding(&self) -> Option<S> {
        let position = self.steps.position();
        let direction = position.direction();
        match (position.depth(), position.is_return()) {
            (..0, _) | (0, false) => None,
            (0, true) => on_the_way(self.edges, direction).1,
            _ => {
                let ahead = self.steps.ahead();
                let ahead = ahead.expect("below the root a walk is on the way to a marker");
                ahead.marker.preceding(direction)
            }
        }
    }
}
