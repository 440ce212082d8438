//! Byte layout of the statistics: what a whole sstable holds, gathered while it is written.

use super::entry::{put_key, take_key};
use crate::commitlog::{Interval, Position};
use crate::keys::DecoratedKey;
use crate::rows::wire::{Input, put_signed, put_varint};
use crate::rows::{DeletionTime, NO_DELETION_SECONDS, Partition, Row, RowsError};

/// What an sstable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The part of the commit log whose writes to the table it brought, all of them and no others; empty
    /// when it took the place of other sstables. For people: it is the manifest that counts.
    pub interval: Interval,
    /// First key.
    pub first: DecoratedKey,
    /// Last key.
    pub last: DecoratedKey,
    /// Counts and extremes.
    pub totals: Totals,
}

/// Counts and extremes of what an sstable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Least write time in microseconds, deletions included.
    pub timestamp_min: i64,
    /// Greatest write time in microseconds, deletions included.
    pub timestamp_max: i64,
    /// Least wall second of a deletion or expiry; [`NO_DELETION_SECONDS`] when there is none.
    pub local_deletion_seconds_min: u32,
    /// The wall second from which all is dead: the greatest of a deletion or expiry; [`NO_DELETION_SECONDS`]
    /// when something lives for ever.
    pub local_deletion_seconds_max: u32,
    /// Partitions.
    pub partition_count: u64,
    /// Rows with a marker, complex deletions or cells, static rows included.
    pub row_count: u64,
    /// Cells, tombstones and expiring ones included.
    pub cell_count: u64,
    /// Cells that are tombstones.
    pub cell_tombstone_count: u64,
    /// Deletions of all elements of a multi-cell column.
    pub complex_deletion_count: u64,
    /// Row deletions.
    pub row_deletion_count: u64,
    /// Range tombstones.
    pub range_tombstone_count: u64,
    /// Partition deletions.
    pub partition_deletion_count: u64,
}

impl Default for Totals {
    fn default() -> Totals {
        Totals {
            timestamp_min: i64::MAX,
            timestamp_max: i64::MIN,
            local_deletion_seconds_min: NO_DELETION_SECONDS,
            local_deletion_seconds_max: 0,
            partition_count: 0,
            row_count: 0,
            cell_count: 0,
            cell_tombstone_count: 0,
            complex_deletion_count: 0,
            row_deletion_count: 0,
            range_tombstone_count: 0,
            partition_deletion_count: 0,
        }
    }
}

impl Totals {
    /// Deletions of every kind.
    #[must_use]
    pub fn tombstone_count(&self) -> u64 {
        self.cell_tombstone_count
            + self.complex_deletion_count
            + self.row_deletion_count
            + self.range_tombstone_count
            + self.partition_deletion_count
    }

    /// Counts one partition.
    pub fn add(&mut self, partition: &Partition) {
        self.partition_count += 1;
        if let Some(deletion) = partition.deletion {
            self.partition_deletion_count += 1;
            self.add_deletion(deletion);
        }
        for range in &partition.ranges {
            self.range_tombstone_count += 1;
            self.add_deletion(range.deletion);
        }
        self.add_row(&partition.static_row);
        for row in partition.rows.values() {
            self.add_row(row);
        }
    }

    fn add_row(&mut self, row: &Row) {
        if let Some(deletion) = row.deletion {
            self.row_deletion_count += 1;
            self.add_deletion(deletion);
        }
        if row.liveness.is_some() || !row.complex.is_empty() || !row.cells.is_empty() {
            self.row_count += 1;
        }
        if let Some(liveness) = row.liveness {
            self.add_time(liveness.timestamp, liveness.local_deletion_seconds);
        }
        for (_, deletion) in &row.complex {
            self.complex_deletion_count += 1;
            self.add_deletion(*deletion);
        }
        for (_, cell) in &row.cells {
            self.cell_count += 1;
            self.cell_tombstone_count += u64::from(cell.is_tombstone());
            self.add_time(cell.timestamp, cell.local_deletion_seconds);
        }
    }

    fn add_deletion(&mut self, deletion: DeletionTime) {
        self.add_time(deletion.timestamp, deletion.local_deletion_seconds);
    }

    fn add_time(&mut self, timestamp: i64, local_deletion_seconds: u32) {
        self.timestamp_min = self.timestamp_min.min(timestamp);
        self.timestamp_max = self.timestamp_max.max(timestamp);
        // What lives for ever has the greatest second there is.
        self.local_deletion_seconds_min =
            self.local_deletion_seconds_min.min(local_deletion_seconds);
        self.local_deletion_seconds_max =
            self.local_deletion_seconds_max.max(local_deletion_seconds);
    }

    fn put(&self, out: &mut Vec<u8>) {
        put_signed(self.timestamp_min, out);
        put_signed(self.timestamp_max, out);
        for number in [
            u64::from(self.local_deletion_seconds_min),
            u64::from(self.local_deletion_seconds_max),
            self.partition_count,
            self.row_count,
            self.cell_count,
            self.cell_tombstone_count,
            self.complex_deletion_count,
            self.row_deletion_count,
            self.range_tombstone_count,
            self.partition_deletion_count,
        ] {
            put_varint(number, out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Totals, RowsError> {
        Ok(Totals {
            timestamp_min: input.signed()?,
            timestamp_max: input.signed()?,
            local_deletion_seconds_min: input.varint_u32()?,
            local_deletion_seconds_max: input.varint_u32()?,
            partition_count: input.varint()?,
            row_count: input.varint()?,
            cell_count: input.varint()?,
            cell_tombstone_count: input.varint()?,
            complex_deletion_count: input.varint()?,
            row_deletion_count: input.varint()?,
            range_tombstone_count: input.varint()?,
            partition_deletion_count: input.varint()?,
        })
    }
}

impl Statistics {
    /// Whether both may hold something of one partition, as far as their first and last keys say.
    #[must_use]
    pub fn overlaps(&self, other: &Statistics) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        for position in [self.interval.lower, self.interval.upper] {
            put_varint(position.segment, out);
            put_varint(position.offset, out);
        }
        put_key(out, &self.first);
        put_key(out, &self.last);
        self.totals.put(out);
    }

    pub(super) fn open(input: &mut Input<'_>) -> Result<Statistics, RowsError> {
        let lower = Position {
            segment: input.varint()?,
            offset: input.varint()?,
        };
        let upper = Position {
            segment: input.varint()?,
            offset: input.varint()?,
        };
        if lower > upper {
            return Err(input.malformed("a commit-log interval that ends before it begins"));
        }
        let statistics = Statistics {
            interval: Interval { lower, upper },
            first: take_key(input)?,
            last: take_key(input)?,
            totals: Totals::take(input)?,
        };
        input.finish()?;
        if statistics.first > statistics.last {
            return Err(input.malformed("a last key before the first"));
        }
        Ok(statistics)
    }
}
