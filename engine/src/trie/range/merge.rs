//! Invariants of merged ranges: at every place the largest state of all sources is in force.
//!
//! A source that is ahead takes part with what it has in force here. Where sources change and the largest does
//! not, the walk stops and nothing is held.

use super::covered::Part;
use super::cursor::RangeCursor;
use super::marker::Marker;
use crate::trie::merge::{Many, Pair};
use crate::trie::{Cursor, Direction, Position};

/// Two range tries as one.
#[derive(Clone)]
pub struct RangeMerge<A: RangeCursor, B: RangeCursor> {
    sources: Pair<Part<A>, Part<B>>,
}

impl<A: RangeCursor, B: RangeCursor<Covering = A::Covering>> RangeMerge<A, B> {
    /// Of two walks at their roots.
    pub fn new(first: A, second: B) -> Self {
        RangeMerge::of(Part::Walk(first), Part::Walk(second))
    }

    pub(crate) fn of(first: Part<A>, second: Part<B>) -> Self {
        RangeMerge {
            sources: Pair::new(first, second),
        }
    }
}

/// What a source that may be ahead says at `position`.
fn state_at<R: RangeCursor>(source: &R, position: Position) -> Marker<R::Covering> {
    if source.position() == position {
        source.state()
    } else {
        Marker::covering(source.preceding())
    }
}

impl<A: RangeCursor, B: RangeCursor<Covering = A::Covering>> Cursor for RangeMerge<A, B> {
    type Content = Marker<A::Covering>;

    fn position(&self) -> Position {
        self.sources.position()
    }

    fn content(&self) -> Option<Self::Content> {
        let position = self.position();
        if !position.may_have_content() {
            return None;
        }
        let first = state_at(&self.sources.first, position);
        let second = state_at(&self.sources.second, position);
        first.merged(second, position).if_change()
    }

    fn advance(&mut self) -> Position {
        self.sources.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.sources.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.sources.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        let position = self.position();
        RangeMerge::of(
            self.sources.first.tail_at(position, direction),
            self.sources.second.tail_at(position, direction),
        )
    }
}

impl<A: RangeCursor, B: RangeCursor<Covering = A::Covering>> RangeCursor for RangeMerge<A, B> {
    type Covering = A::Covering;

    fn preceding(&self) -> Option<A::Covering> {
        let first = self.sources.first.preceding();
        first.max(self.sources.second.preceding())
    }
}

/// Any number of range tries as one, one at least.
#[derive(Clone)]
pub struct RangeMergeMany<R: RangeCursor> {
    sources: Many<Part<R>>,
}

impl<R: RangeCursor> RangeMergeMany<R> {
    /// Of walks at their roots.
    ///
    /// # Panics
    /// When there are none.
    pub fn new(sources: impl IntoIterator<Item = R>) -> Self {
        RangeMergeMany::of(sources.into_iter().map(Part::Walk))
    }

    pub(crate) fn of(sources: impl IntoIterator<Item = Part<R>>) -> Self {
        RangeMergeMany {
            sources: Many::new(sources),
        }
    }
}

impl<R: RangeCursor> Cursor for RangeMergeMany<R> {
    type Content = Marker<R::Covering>;

    fn position(&self) -> Position {
        self.sources.position()
    }

    fn content(&self) -> Option<Self::Content> {
        let position = self.position();
        if !position.may_have_content() {
            return None;
        }
        let merged = self
            .sources
            .all()
            .map(|source| state_at(source, position))
            .reduce(|merged, state| merged.merged(state, position));
        merged.and_then(Marker::if_change)
    }

    fn advance(&mut self) -> Position {
        self.sources.advance()
    }

    fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        self.sources.advance_multiple(passed)
    }

    fn skip_to(&mut self, target: Position) -> Position {
        self.sources.skip_to(target)
    }

    fn tail(&self, direction: Direction) -> Self {
        let position = self.position();
        let tails = self
            .sources
            .all()
            .map(|source| source.tail_at(position, direction));
        RangeMergeMany::of(tails)
    }
}

impl<R: RangeCursor> RangeCursor for RangeMergeMany<R> {
    type Covering = R::Covering;

    fn preceding(&self) -> Option<R::Covering> {
        let preceding = self.sources.all().map(RangeCursor::preceding);
        preceding.max().flatten()
    }
}
