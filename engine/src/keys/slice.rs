//! Invariants of slices: half-open between two bounds; one whose end is not above its start is empty.

use std::ops;

use serde::{Deserialize, Serialize};

use super::clustering::{Bound, Clustering};

/// The range of an ordered map by clustering.
pub type ByteRange<'a> = (ops::Bound<&'a [u8]>, ops::Bound<&'a [u8]>);

/// The rows between two bounds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slice {
    /// First position within.
    pub start: Bound,
    /// First position beyond.
    pub end: Bound,
}

impl Slice {
    /// Every row.
    pub const ALL: Slice = Slice {
        start: Bound::BOTTOM,
        end: Bound::TOP,
    };

    /// One row.
    #[must_use]
    pub fn only(clustering: &Clustering) -> Slice {
        Slice {
            start: clustering.before(),
            end: clustering.after(),
        }
    }

    /// True when no row can be within.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.end <= self.start
    }

    /// True when the row is within.
    #[must_use]
    pub fn contains(&self, clustering: &Clustering) -> bool {
        self.start.is_before(clustering) && !self.end.is_before(clustering)
    }

    /// What both hold.
    #[must_use]
    pub fn intersection(&self, other: &Slice) -> Slice {
        Slice {
            start: self.start.clone().max(other.start.clone()),
            end: self.end.clone().min(other.end.clone()),
        }
    }

    /// For `BTreeMap::range` of a map by clustering; `None` when empty, as `range` would panic.
    #[must_use]
    pub fn as_range(&self) -> Option<ByteRange<'_>> {
        (!self.is_empty()).then(|| {
            // No clustering equals a bound, so including or excluding the ends is the same.
            (
                ops::Bound::Included(self.start.0.as_ref()),
                ops::Bound::Excluded(self.end.0.as_ref()),
            )
        })
    }
}
