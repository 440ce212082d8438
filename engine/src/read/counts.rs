//! Invariants of tombstone counts: what the read met before its limit stopped it, each once.
//!
//! A dead cell counts 1; a dead row without one counts 1 for its deletion or expired marker; each place
//! where a range deletion opens, changes or closes counts 1; a partition deletion counts 0.

use crate::keys::{Bound, Clustering};
use crate::rows::{RangeTombstone, Row};

/// What a read met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Visible rows.
    pub live_row_count: usize,
    /// Tombstones and expired values that were passed.
    pub tombstone_count: usize,
}

impl ReadCounts {
    /// Counts one row, static or not. Returns whether it is visible.
    pub(super) fn meet_row(&mut self, row: &Row, now_seconds: u32) -> bool {
        let dead_cells = row
            .cells
            .iter()
            .filter(|(_, cell)| !cell.is_live(now_seconds))
            .count();
        let is_visible = row.is_visible(now_seconds);
        self.tombstone_count += match dead_cells {
            0 => usize::from(!is_visible && !row.is_empty()),
            count => count,
        };
        is_visible
    }
}

/// The places where range deletions open, change or close, in the order of a read.
pub(super) struct Markers<'a> {
    places: Vec<&'a Bound>,
    met: usize,
    reversed: bool,
}

impl<'a> Markers<'a> {
    pub(super) fn new(ranges: &'a [RangeTombstone], reversed: bool) -> Markers<'a> {
        let mut places: Vec<&Bound> = ranges
            .iter()
            .flat_map(|range| [&range.start, &range.end])
            .collect();
        places.dedup();
        if reversed {
            places.reverse();
        }
        Markers {
            places,
            met: 0,
            reversed,
        }
    }

    /// How many come before a row and were not told yet; before the end for `None`.
    pub(super) fn meet(&mut self, row: Option<&Clustering>) -> usize {
        let is_passed =
            |place: &&Bound| row.is_none_or(|row| place.is_before(row) != self.reversed);
        let passed = self.places.partition_point(is_passed);
        passed - std::mem::replace(&mut self.met, passed)
    }
}
