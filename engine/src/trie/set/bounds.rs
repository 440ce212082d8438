//! Invariants of a set's bounds: in order, each opens or closes in turn; two at one place cancel.

use crate::trie::Direction;
use crate::trie::range::{Place, Range, RangeList, RangeListCursor};

/// Keys between bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    ranges: RangeList<()>,
}

/// Why bounds make no set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoundsError {
    /// Bounds must not descend.
    #[error("bound {index} comes before the one before it")]
    OutOfOrder {
        /// Of the bound, from 0.
        index: usize,
    },
    /// Only the first and the last may be left out.
    #[error("bound {index} is left out between others")]
    Missing {
        /// Of the bound, from 0.
        index: usize,
    },
}

impl Set {
    /// No key.
    #[must_use]
    pub fn empty() -> Set {
        Set {
            ranges: RangeList::of([], []),
        }
    }

    /// All keys.
    #[must_use]
    pub fn full() -> Set {
        Set::span(Place::before([]), Place::after([]))
    }

    /// All keys from `start` to `end`.
    #[must_use]
    pub fn span(start: Place, end: Place) -> Set {
        let range = Range {
            start,
            end,
            state: (),
        };
        Set {
            ranges: RangeList::of([range], []),
        }
    }

    /// All keys from the first bound to the second, from the third to the fourth, and so on. Where the first
    /// is left out, all keys up to the second; where the last is, or there is none to close, all from the one
    /// before it on. So no bounds at all are all keys.
    ///
    /// # Errors
    /// When bounds descend, or one between others is left out.
    pub fn of(bounds: &[Option<Place>]) -> Result<Set, BoundsError> {
        let last = bounds.len().saturating_sub(1);
        let mut places = Vec::new();
        for (index, bound) in bounds.iter().enumerate() {
            match bound {
                Some(place) => places.push(place.clone()),
                None if index == 0 => places.push(Place::before([])),
                None if index == last => places.push(Place::after([])),
                None => return Err(BoundsError::Missing { index }),
            }
        }
        if bounds.is_empty() {
            places.push(Place::before([]));
        }
        if places.len() % 2 == 1 {
            places.push(Place::after([]));
        }
        if let Some(index) = places.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(BoundsError::OutOfOrder { index: index + 1 });
        }
        let pairs = places.chunks(2).map(|pair| Range {
            start: pair[0].clone(),
            end: pair[1].clone(),
            state: (),
        });
        Ok(Set {
            ranges: RangeList::of(pairs, []),
        })
    }

    /// A walk over its bounds.
    #[must_use]
    pub fn cursor(&self, direction: Direction) -> RangeListCursor<'_, ()> {
        self.ranges.cursor(direction)
    }

    /// Its bounds, as the ranges that they are.
    #[must_use]
    pub fn ranges(&self) -> &RangeList<()> {
        &self.ranges
    }
}
