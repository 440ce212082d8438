//! Steps of two walks in step: whichever is behind moves, or both when they stand at one node. So the paths stay
//! equal up to the shallower depth, and positions are enough to compare.

use crate::trie::{Cursor, Direction, Position};

/// Two walks in step.
#[derive(Clone)]
pub(crate) struct Pair<A, B> {
    pub(crate) first: A,
    pub(crate) second: B,
}

impl<A: Cursor, B: Cursor> Pair<A, B> {
    /// Of two walks that are at their roots and go in one direction.
    pub(crate) fn new(first: A, second: B) -> Self {
        assert!(
            first.position() == second.position(),
            "walks in step begin at one root and go one way"
        );
        Pair { first, second }
    }

    pub(crate) fn position(&self) -> Position {
        let (first, second) = (self.first.position(), self.second.position());
        match first.cmp(&second) {
            std::cmp::Ordering::Less => first,
            std::cmp::Ordering::Equal => first.with_flags_of(second),
            std::cmp::Ordering::Greater => second,
        }
    }

    /// Which of the two are where the pair is.
    pub(crate) fn at(&self) -> (bool, bool) {
        let (first, second) = (self.first.position(), self.second.position());
        (first <= second, second <= first)
    }

    pub(crate) fn advance(&mut self) -> Position {
        let (first, second) = self.at();
        if first {
            self.first.advance();
        }
        if second {
            self.second.advance();
        }
        self.position()
    }

    pub(crate) fn advance_multiple(&mut self, passed: &mut Vec<u8>) -> Position {
        match self.at() {
            (true, false) => self.first.advance_multiple(passed),
            (false, true) => self.second.advance_multiple(passed),
            _ => return self.advance(),
        };
        self.position()
    }

    pub(crate) fn skip_to(&mut self, target: Position) -> Position {
        let (first, second) = self.at();
        skip(&mut self.first, first, target);
        skip(&mut self.second, second, target);
        self.position()
    }

    /// The tail of each that is here.
    pub(crate) fn tails(&self, direction: Direction) -> (Option<A>, Option<B>) {
        let (first, second) = self.at();
        (
            first.then(|| self.first.tail(direction)),
            second.then(|| self.second.tail(direction)),
        )
    }
}

/// Moves a walk that is in step with another: one that is ahead may already be beyond `target`.
pub(crate) fn skip<C: Cursor>(cursor: &mut C, is_here: bool, target: Position) -> Position {
    if is_here {
        cursor.skip_to(target)
    } else {
        cursor.skip_to_when_ahead(target)
    }
}
