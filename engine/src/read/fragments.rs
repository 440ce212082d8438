//! Invariants of a stream with tombstones: rows and the places where a range deletion opens, changes or closes, in the
//! order of a read; what opens within the slice closes within it, and the partition deletion is in none of them.

use std::iter::Peekable;
use std::vec::IntoIter;

use crate::keys::{Bound, Clustering};
use crate::rows::{DeletionTime, Partition, Row};

/// A piece of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// A row, or the deletion of one. The deletion of a range around it is not in it.
    Row(Clustering, Row),
    /// Where the range deletion in force changes.
    Marker {
        /// The place.
        at: Bound,
        /// In force before it, in clustering order.
        left: Option<DeletionTime>,
        /// In force after it, in clustering order.
        right: Option<DeletionTime>,
    },
}

/// The rows and markers of one partition, in order.
#[derive(Debug)]
pub struct Fragments {
    rows: Peekable<IntoIter<(Clustering, Row)>>,
    markers: Peekable<IntoIter<Fragment>>,
    reversed: bool,
}

impl Fragments {
    pub(super) fn new(partition: Partition, reversed: bool) -> Fragments {
        let mut rows: Vec<_> = partition.rows.into_iter().collect();
        let mut markers: Vec<Fragment> = Vec::new();
        for range in partition.ranges {
            match markers.last_mut() {
                Some(Fragment::Marker { at, right, .. }) if *at == range.start => {
                    *right = Some(range.deletion);
                }
                _ => markers.push(Fragment::Marker {
                    at: range.start,
                    left: None,
                    right: Some(range.deletion),
                }),
            }
            markers.push(Fragment::Marker {
                at: range.end,
                left: Some(range.deletion),
                right: None,
            });
        }
        if reversed {
            rows.reverse();
            markers.reverse();
        }
        Fragments {
            rows: rows.into_iter().peekable(),
            markers: markers.into_iter().peekable(),
            reversed,
        }
    }
}

impl Iterator for Fragments {
    type Item = Fragment;

    fn next(&mut self) -> Option<Fragment> {
        let is_marker_first = match (self.markers.peek(), self.rows.peek()) {
            (Some(Fragment::Marker { at, .. }), Some((row, _))) => {
                at.is_before(row) != self.reversed
            }
            (marker, _) => marker.is_some(),
        };
        if is_marker_first {
            return self.markers.next();
        }
        let (clustering, row) = self.rows.next()?;
        Some(Fragment::Row(clustering, row))
    }
}
