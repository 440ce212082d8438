//! Vocabulary of one source of a read: a memtable that is asked bit by bit, or a copy.

use bytes::Bytes;

use crate::keys::{Clustering, Slice};
use crate::memtable::Snapshot;
use crate::rows::{DeletionTime, Partition, Row};

/// One version of a partition.
#[derive(Debug)]
pub(super) enum Source {
    Memtable(Snapshot),
    /// What was read. A reader takes its rows out one by one; its deletions stay.
    Copy(Box<Partition>),
}

impl Source {
    pub(super) fn into_partition(self, slice: &Slice) -> Partition {
        match self {
            Source::Memtable(snapshot) => snapshot.copy(slice),
            Source::Copy(mut partition) => {
                partition.narrow(slice);
                *partition
            }
        }
    }

    /// Leaves out what is not within a slice, as far as it is here already.
    pub(super) fn narrow(&mut self, slice: &Slice) {
        if let Source::Copy(partition) = self
            && *slice != Slice::ALL
        {
            partition.narrow(slice);
        }
    }

    pub(super) const fn deletion(&self) -> Option<DeletionTime> {
        match self {
            Source::Memtable(snapshot) => snapshot.deletion(),
            Source::Copy(partition) => partition.deletion,
        }
    }

    pub(super) fn static_row(&self) -> Row {
        match self {
            Source::Memtable(snapshot) => snapshot.static_row(),
            Source::Copy(partition) => partition.static_row.clone(),
        }
    }

    /// At most so many deletions it has: of rows, and where ranges begin, change or end.
    pub(super) fn stone_count(&self) -> u64 {
        match self {
            Source::Memtable(snapshot) => snapshot.stone_count(),
            Source::Copy(partition) => {
                let rows = partition.rows.values();
                let deleted = rows.filter(|row| row.deletion.is_some()).count();
                (deleted + 2 * partition.ranges.len()) as u64
            }
        }
    }

    /// At least the greatest write time of its rows, as far as that is known without a walk.
    pub(super) const fn timestamp_max(&self) -> i64 {
        match self {
            Source::Memtable(snapshot) => snapshot.timestamp_max(),
            Source::Copy(_) => i64::MAX,
        }
    }

    /// The next row from a position on in the order of a read. A copy gives each once, with its deletion, from its
    /// end or its beginning on.
    pub(super) fn next_row(&mut self, from: &[u8], reversed: bool) -> Option<(Clustering, Row)> {
        match self {
            Source::Memtable(snapshot) => snapshot.next_row(from, reversed),
            Source::Copy(partition) if reversed => partition.rows.pop_last(),
            Source::Copy(partition) => partition.rows.pop_first(),
        }
    }

    /// The deletion in force over a row, but for one that a row of a copy has beside it.
    pub(super) fn in_force(&self, row: &Clustering) -> Option<DeletionTime> {
        match self {
            Source::Memtable(snapshot) => snapshot.in_force(row),
            Source::Copy(partition) => partition.active_deletion(row),
        }
    }

    /// The deletion of the range around a row, and up to which position in the order of a read it is surely in
    /// force.
    pub(super) fn range_over(
        &self,
        row: &Clustering,
        reversed: bool,
    ) -> Option<(DeletionTime, Bytes)> {
        match self {
            Source::Memtable(snapshot) => snapshot.range_over(row, reversed),
            Source::Copy(partition) => {
                let ranges = &partition.ranges;
                let index = ranges.partition_point(|range| range.end.is_before(row));
                let range = ranges.get(index).filter(|range| range.covers(row))?;
                let bound = if reversed { &range.start } else { &range.end };
                Some((range.deletion, bound.0.clone()))
            }
        }
    }
}
