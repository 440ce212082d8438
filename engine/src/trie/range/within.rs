//! Steps of ranges cut to a set: three states.
//!
//! - both are here: each side of the source's marker stays if the set has that side;
//! - the set is ahead, and here is within it: the source as it is;
//! - the source is ahead, and here is within one of its ranges: the set is walked, and cuts that range.
//!
//! Otherwise whichever is behind skips to the other.

use super::covered::Part;
use super::cursor::RangeCursor;
use super::marker::Marker;
use crate::trie::merge::skip;
use crate::trie::{Cursor, Direction, Position};

/// What ranges are within a set, cut where it begins and ends.
#[derive(Clone)]
pub struct RangeWithin<R: RangeCursor, S: RangeCursor<Covering = ()>> {
    source: Part<R>,
    set: Part<S>,
}

impl<R: RangeCursor, S: RangeCursor<Covering = ()>> RangeWithin<R, S> {
    /// Of two walks at their roots.
    pub fn new(source: R, set: S) -> Self {
        RangeWithin::of(Part::Walk(source), Part::Walk(set))
    }

    pub(crate) fn of(source: Part<R>, set: Part<S>) -> Self {
        assert!(
            source.position() == set.position(),
            "walks in step begin at one root and go one way"
        );
        RangeWithin { source, set }
    }

    /// Which of the two are here.
    fn at(&self) -> (bool, bool) {
        let (source, set) = (self.source.position(), self.set.position());
        (source <= set, set <= source)
    }

    /// Skips until there is something to show.
    fn settle(&mut self) -> Position {
        loop {
            let (source, set) = (self.source.position(), self.set.position());
            if source < set && self.set.preceding().is_none() {
                self.source.skip_to(set);
            } else if source > set && self.source.preceding().is_none() {
                self.set.skip_to(source);
            } else {
                return self.position();
            }
        }
    }
}

impl<R: RangeCursor, S: RangeCursor<Covering = ()>> Cursor for RangeWithin<R, S> {
    type Content = Marker<R::Covering>;

    fn position(&self) -> Position {
        let (source, set) = (self.source.position(), self.set.position());
        match self.at() {
            (true, true) => source.with_flags_of(set),
            (true, false) => source,
            (false, _) => set,
        }
    }

    fn content(&self) -> Option<Self::Content> {
        let position = self.position();
        if position.is_exhausted() {
            return None;
        }
        let cut = match self.at() {
            (true, true) => self.source.state().within(self.set.state(), position),
            (true, false) => self.source.state(),
            (false, _) => {
                Marker::covering(self.source.preceding()).within(self.set.state(), position)
            }
        };
        cut.if_change()
    }

    fn advance(&mut self) -> Position {
        match self.at() {
            (true, true) => {
                let set = self.set.advance();
                if self.set.preceding().is_some() || set.is_exhausted() {
                    self.source.advance();
                } else {
                    self.source.skip_to(set);
                }
            }
            (true, false) => {
                self.source.advance();
            }
            (false, _) => {
                self.set.advance();
            }
        }
        self.settle()
    }

    fn skip_to(&mut self, target: Position) -> Position {
        let (source, set) = self.at();
        skip(&mut self.source, source, target);
        skip(&mut self.set, set, target);
        self.settle()
    }

    fn tail(&self, direction: Direction) -> Self {
        let position = self.position();
        RangeWithin::of(
            self.source.tail_at(position, direction),
            self.set.tail_at(position, direction),
        )
    }
}

impl<R: RangeCursor, S: RangeCursor<Covering = ()>> RangeCursor for RangeWithin<R, S> {
    type Covering = R::Covering;

    fn preceding(&self) -> Option<R::Covering> {
        self.set.preceding().and(self.source.preceding())
    }
}
