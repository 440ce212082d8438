//! Vocabulary of markers: what is in force before a place, after it, and at the one key of a node.
//!
//! A marker whose sides are equal and that has no point changes nothing: it stands for what covers a place, and
//! is never content. A point applies to data at its own key only; it is met on the way down, whatever the
//! direction, and says more than what covers it there, or it is not kept. So a node that has both a point and a
//! boundary before it shows them as one marker to an ascending walk, and the point alone, then the boundary on
//! the return path, to a descending one. No boundary has its place below the key of a point: keys of data are
//! never prefixes of bounds.

use std::cmp::Ordering;
use std::fmt;

use crate::trie::{Direction, Position};

/// What covers a range: of two, the larger supersedes the other.
pub trait Covering: Copy + Ord + fmt::Debug {}

impl<S: Copy + Ord + fmt::Debug> Covering for S {}

/// What is in force around a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Marker<S> {
    /// Before the place, in the order of keys.
    pub left: Option<S>,
    /// After it.
    pub right: Option<S>,
    /// At the key of this node alone, beyond what covers it.
    pub point: Option<S>,
}

impl<S: Covering> Marker<S> {
    /// No change within `state`.
    #[must_use]
    pub const fn covering(state: Option<S>) -> Marker<S> {
        Marker {
            left: state,
            right: state,
            point: None,
        }
    }

    /// From `left` to `right`.
    #[must_use]
    pub const fn boundary(left: Option<S>, right: Option<S>) -> Marker<S> {
        Marker {
            left,
            right,
            point: None,
        }
    }

    /// `point` at one key within `state`.
    #[must_use]
    pub const fn point(point: S, state: Option<S>) -> Marker<S> {
        Marker {
            left: state,
            right: state,
            point: Some(point),
        }
    }

    /// The change that a walk in this direction meets where it goes from `before` to `after`.
    #[must_use]
    pub const fn on_the_way(
        before: Option<S>,
        after: Option<S>,
        direction: Direction,
    ) -> Marker<S> {
        match direction {
            Direction::Forward => Marker::boundary(before, after),
            Direction::Reverse => Marker::boundary(after, before),
        }
    }

    /// Whether it says more than what covers the place: only then is it content.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.left != self.right || self.point.is_some()
    }

    /// It, when it is a change.
    #[must_use]
    pub fn if_change(self) -> Option<Marker<S>> {
        self.is_change().then_some(self)
    }

    /// What a walk in this direction leaves behind here.
    #[must_use]
    pub const fn preceding(&self, direction: Direction) -> Option<S> {
        match direction {
            Direction::Forward => self.left,
            Direction::Reverse => self.right,
        }
    }

    /// What a walk in this direction has ahead of it from here.
    #[must_use]
    pub const fn succeeding(&self, direction: Direction) -> Option<S> {
        self.preceding(direction.opposite())
    }

    /// What applies to data that is met at `position`, where this marker is, and that no boundary lies below:
    /// on the way down the node comes after the marker, on the return path before it.
    #[must_use]
    pub fn applicable(&self, position: Position) -> Option<S> {
        let direction = position.direction();
        let covering = if position.is_return() {
            self.preceding(direction)
        } else {
            self.succeeding(direction)
        };
        self.point.max(covering)
    }

    /// Of two markers at `position`: the larger on each side. A point stays if it says more than what then
    /// covers it.
    #[must_use]
    pub fn merged(self, other: Marker<S>, position: Position) -> Marker<S> {
        let sides = Marker::boundary(self.left.max(other.left), self.right.max(other.right));
        sides.with_point(self.point.max(other.point), position)
    }

    /// What is left within a set that is `set` at `position`.
    #[must_use]
    pub fn within(self, set: Marker<()>, position: Position) -> Marker<S> {
        let sides = Marker::boundary(set.left.and(self.left), set.right.and(self.right));
        sides.with_point(set.applicable(position).and(self.point), position)
    }

    fn with_point(self, point: Option<S>, position: Position) -> Marker<S> {
        let kept = match point.cmp(&self.applicable(position)) {
            Ordering::Greater => point,
            Ordering::Less | Ordering::Equal => None,
        };
        Marker {
            point: kept,
            ..self
        }
    }
}

impl<S: fmt::Debug> fmt::Debug for Marker<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |f: &mut fmt::Formatter<'_>, side: &Option<S>| match side {
            Some(state) => write!(f, "{state:?}"),
            None => f.write_str("-"),
        };
        side(f, &self.left)?;
        f.write_str("→")?;
        side(f, &self.right)?;
        match &self.point {
            Some(point) => write!(f, " ·{point:?}"),
            None => Ok(()),
        }
    }
}
