//! Invariants of tombstone counts: what the read met before its limit stopped it, each once.
//!
//! A dead cell counts 1; a row of which an expired marker alone is left counts 1. Deletions of rows, ranges and
//! partitions are not met: their sources are asked what they delete, not walked. How many there are is told apart.

use crate::rows::Row;

/// What a read met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Visible rows.
    pub live_row_count: usize,
    /// Tombstones of cells and expired values that were passed.
    pub tombstone_count: usize,
    /// Rows that were passed because they live in one source and another deletes them.
    pub shadowed_row_count: u64,
    /// At most so many deletions of rows, and ends of range deletions, lie in the partition: none was walked.
    pub stones_present: u64,
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
