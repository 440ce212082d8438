//! Invariants of interval sets: intervals ascend, none is empty, and between two there is a gap.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::position::Position;

/// The positions above `lower`, up to and with `upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Interval {
    /// The last position before it.
    pub lower: Position,
    /// Its last position.
    pub upper: Position,
}

impl Interval {
    /// Whether it holds no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.upper <= self.lower
    }

    /// Whether it holds this position.
    #[must_use]
    pub fn contains(&self, position: Position) -> bool {
        self.lower < position && position <= self.upper
    }
}

impl fmt::Display for Interval {
    /// `(7:48, 7:128]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}]", self.lower, self.upper)
    }
}

/// A set of positions, as few intervals as can be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IntervalSet {
    intervals: Vec<Interval>,
}

impl IntervalSet {
    /// The empty set.
    #[must_use]
    pub const fn new() -> IntervalSet {
        IntervalSet {
            intervals: Vec::new(),
        }
    }

    /// Adds all positions of an interval. O(intervals).
    pub fn add(&mut self, interval: Interval) {
        if interval.is_empty() {
            return;
        }
        // Those that touch or overlap it become one with it.
        let first = self
            .intervals
            .partition_point(|other| other.upper < interval.lower);
        let last = self
            .intervals
            .partition_point(|other| other.lower <= interval.upper);
        let mut merged = interval;
        for other in &self.intervals[first..last] {
            merged.lower = merged.lower.min(other.lower);
            merged.upper = merged.upper.max(other.upper);
        }
        self.intervals.splice(first..last, [merged]);
    }

    /// Whether the set holds this position. O(log intervals).
    #[must_use]
    pub fn contains(&self, position: Position) -> bool {
        self.around(position).is_some()
    }

    /// Whether the set holds all positions of an interval.
    #[must_use]
    pub fn covers(&self, interval: Interval) -> bool {
        let holds = |around: &Interval| around.lower <= interval.lower;
        interval.is_empty() || self.around(interval.upper).is_some_and(holds)
    }

    /// The positions of the set that lie above `floor`.
    #[must_use]
    pub fn above(&self, floor: Position) -> IntervalSet {
        let cut = |interval: &Interval| Interval {
            lower: interval.lower.max(floor),
            upper: interval.upper,
        };
        self.intervals.iter().map(cut).collect()
    }

    /// The intervals, ascending.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    fn around(&self, position: Position) -> Option<&Interval> {
        let index = self
            .intervals
            .partition_point(|interval| interval.upper < position);
        self.intervals
            .get(index)
            .filter(|interval| interval.contains(position))
    }
}

impl FromIterator<Interval> for IntervalSet {
    fn from_iter<I: IntoIterator<Item = Interval>>(intervals: I) -> IntervalSet {
        let mut set = IntervalSet::new();
        intervals.into_iter().for_each(|interval| set.add(interval));
        set
    }
}
