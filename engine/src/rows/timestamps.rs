//! Invariants of timestamps: a range holds every write time in a partition, deletions included.

use serde::{Deserialize, Serialize};

use super::error::RowsError;
use super::partition::Partition;
use super::row::Row;

/// The least and the greatest write time of some content, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TimestampRange {
    /// The least.
    pub min: i64,
    /// The greatest.
    pub max: i64,
}

impl TimestampRange {
    /// The range of one write time.
    #[must_use]
    pub const fn at(timestamp: i64) -> TimestampRange {
        TimestampRange {
            min: timestamp,
            max: timestamp,
        }
    }

    /// The range that holds both.
    #[must_use]
    pub fn union(self, other: TimestampRange) -> TimestampRange {
        TimestampRange {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

impl Row {
    /// The write times of all it holds; `None` when it is empty.
    #[must_use]
    pub fn timestamps(&self) -> Option<TimestampRange> {
        union(each(self))
    }
}

impl Partition {
    /// The write times of all it holds; `None` when it is empty.
    #[must_use]
    pub fn timestamps(&self) -> Option<TimestampRange> {
        let rows = self.rows.values().chain([&self.static_row]).flat_map(each);
        let ranges = self.ranges.iter().map(|range| range.deletion.timestamp);
        union(
            rows.chain(ranges)
                .chain(self.deletion.map(|deletion| deletion.timestamp)),
        )
    }

    /// Refuses the timestamp that nothing may have: it would lie below "never deleted".
    ///
    /// # Errors
    /// [`RowsError::ReservedTimestamp`] when anything here has it.
    pub fn reject_reserved(&self) -> Result<(), RowsError> {
        match self.timestamps() {
            Some(TimestampRange { min: i64::MIN, .. }) => Err(RowsError::ReservedTimestamp),
            _ => Ok(()),
        }
    }
}

fn each(row: &Row) -> impl Iterator<Item = i64> {
    let liveness = row.liveness.map(|marker| marker.timestamp);
    let deletion = row.deletion.map(|deletion| deletion.timestamp);
    let complex = row.complex.iter().map(|(_, deletion)| deletion.timestamp);
    let cells = row.cells.iter().map(|(_, cell)| cell.timestamp);
    liveness
        .into_iter()
        .chain(deletion)
        .chain(complex)
        .chain(cells)
}

fn union(timestamps: impl Iterator<Item = i64>) -> Option<TimestampRange> {
    timestamps
        .map(TimestampRange::at)
        .reduce(TimestampRange::union)
}
