//! Invariants of shade: of a partition goes what the tombstones of another version cover, and nothing of that version
//! comes in. So whoever reads both sees what was seen before, as long as the tombstones are there.

use std::cmp::Ordering;

use super::cell::{Cell, ColumnId};
use super::deletion::{DeletionTime, RangeTombstone};
use super::partition::Partition;
use super::path::CellKey;
use super::row::Row;

impl Partition {
    /// Only its tombstones. An expired value is none: it is what it was written as, until a purge makes it one.
    #[must_use]
    pub fn into_tombstones(mut self) -> Partition {
        self.static_row.keep_tombstones();
        self.rows.retain(|_, row| {
            row.keep_tombstones();
            !row.is_empty()
        });
        self
    }

    /// Drops what the tombstones of `shade` cover, tombstones too; of a range only when one deletion covers it
    /// whole. Returns how many cells, markers and deletions that were.
    pub fn drop_shaded(&mut self, shade: &Partition) -> u64 {
        let before = self.items_count();
        self.deletion = self
            .deletion
            .filter(|deletion| deletion.supersedes(shade.deletion));
        self.ranges.retain(|range| {
            let covers_whole =
                |other: &&RangeTombstone| other.start <= range.start && other.end >= range.end;
            let over = shade.ranges.iter().find(covers_whole);
            let over = over.map(|over| over.deletion);
            range.deletion.supersedes(over.max(shade.deletion))
        });
        self.static_row
            .drop_shaded(shade.deletion, Some(&shade.static_row));
        self.rows.retain(|clustering, row| {
            row.drop_shaded(
                shade.active_deletion(clustering),
                shade.rows.get(clustering),
            );
            !row.is_empty()
        });
        before - self.items_count()
    }

    /// Cells, markers and deletions.
    fn items_count(&self) -> u64 {
        let rows = self.rows.values().chain([&self.static_row]);
        let in_rows: usize = rows.map(Row::items_count).sum();
        (in_rows + self.ranges.len() + usize::from(self.deletion.is_some())) as u64
    }
}

impl Row {
    fn items_count(&self) -> usize {
        let alone = usize::from(self.liveness.is_some()) + usize::from(self.deletion.is_some());
        alone + self.complex.len() + self.cells.len()
    }

    fn keep_tombstones(&mut self) {
        self.liveness = None;
        self.cells.retain(|(_, cell)| cell.is_tombstone());
    }

    /// `active` is in force over the whole row, `shade` what else is known of it.
    fn drop_shaded(&mut self, active: Option<DeletionTime>, shade: Option<&Row>) {
        let own = shade.and_then(|shade| shade.deletion);
        self.shadow(own.max(active));
        let Some(shade) = shade else { return };
        for (column, deletion) in &shade.complex {
            let is_under =
                |other: ColumnId, timestamp| other == *column && deletion.deletes(timestamp);
            self.complex
                .retain(|(other, own)| other != column || own.supersedes(Some(*deletion)));
            self.cells
                .retain(|(key, cell)| !is_under(key.column, cell.timestamp));
        }
        let is_under = |(key, cell): &(CellKey, Cell)| {
            let index = shade.cells.binary_search_by(|(other, _)| other.cmp(key));
            index.is_ok_and(|index| shade.cells[index].1.precedence(cell) != Ordering::Less)
        };
        self.cells.retain(|held| !is_under(held));
    }
}
