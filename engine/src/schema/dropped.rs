//! Invariants of dropped columns on disk: what the drop killed no later schema shows, so it may be forgotten.
//!
//! What was written to the column with a later time stays: it shows when the column is added again.

use super::table::Table;
use crate::rows::{Partition, Row};

impl Table {
    /// Takes away the cells and complex deletions that died with their column.
    pub fn forget_dropped(&self, partition: &mut Partition) {
        if self.dropped.is_empty() {
            return;
        }
        self.forget_in(&mut partition.static_row);
        partition.rows.retain(|_, row| {
            self.forget_in(row);
            !row.is_empty()
        });
    }

    fn forget_in(&self, row: &mut Row) {
        row.complex
            .retain(|(id, deletion)| !self.is_dropped(*id, deletion.timestamp));
        row.cells
            .retain(|(key, cell)| !self.is_dropped(key.column, cell.timestamp));
    }
}
