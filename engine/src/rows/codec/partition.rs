//! Byte layout of deletions and partitions.

use bytes::Bytes;

use super::parts::{NOT_CANONICAL, flag, known_flags, positive_count, seconds, timestamp};
use crate::keys::{Bound, Clustering, KeyError};
use crate::rows::deletion::{DeletionTime, RangeTombstone};
use crate::rows::error::RowsError;
use crate::rows::partition::Partition;
use crate::rows::row::Row;
use crate::rows::wire::{Input, put_bytes, put_signed, put_varint};

const PARTITION_DELETION: u8 = 1;
const PARTITION_STATIC: u8 = 2;
const PARTITION_RANGES: u8 = 4;
const PARTITION_ROWS: u8 = 8;
const PARTITION_FLAGS: u8 =
    PARTITION_DELETION | PARTITION_STATIC | PARTITION_RANGES | PARTITION_ROWS;

impl DeletionTime {
    /// Appends the deletion time.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        put_signed(self.timestamp, out);
        put_varint(u64::from(self.local_deletion_seconds), out);
    }

    /// Reads a deletion time.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when the bytes are none.
    pub fn decode_from(input: &mut Input<'_>) -> Result<DeletionTime, RowsError> {
        let timestamp = timestamp(input)?;
        Ok(DeletionTime {
            timestamp,
            local_deletion_seconds: seconds(input)?,
        })
    }
}

impl RangeTombstone {
    /// Appends the range tombstone.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        put_bytes(&self.start.0, out);
        put_bytes(&self.end.0, out);
        self.deletion.encode_into(out);
    }

    /// Reads a range tombstone.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when the bytes are none, or an empty one.
    pub fn decode_from(input: &mut Input<'_>) -> Result<RangeTombstone, RowsError> {
        let (start, end) = (bound(input)?, bound(input)?);
        if end <= start {
            return Err(input.malformed("an empty range"));
        }
        Ok(RangeTombstone {
            start,
            end,
            deletion: DeletionTime::decode_from(input)?,
        })
    }
}

impl Partition {
    /// Appends the partition.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let flags = flag(self.deletion.is_some(), PARTITION_DELETION)
            | flag(!self.static_row.is_empty(), PARTITION_STATIC)
            | flag(!self.ranges.is_empty(), PARTITION_RANGES)
            | flag(!self.rows.is_empty(), PARTITION_ROWS);
        out.push(flags);
        if let Some(deletion) = self.deletion {
            deletion.encode_into(out);
        }
        if !self.static_row.is_empty() {
            self.static_row.encode_into(out);
        }
        if !self.ranges.is_empty() {
            put_varint(self.ranges.len() as u64, out);
        }
        for range in &self.ranges {
            range.encode_into(out);
        }
        if !self.rows.is_empty() {
            put_varint(self.rows.len() as u64, out);
        }
        for (clustering, row) in self.rows.iter() {
            put_bytes(&clustering.0, out);
            row.encode_into(out);
        }
    }

    /// Reads a partition.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when the bytes are none, or one that is not in canonical form.
    pub fn decode_from(input: &mut Input<'_>) -> Result<Partition, RowsError> {
        let flags = known_flags(input, PARTITION_FLAGS)?;
        let mut partition = Partition::default();
        if flags & PARTITION_DELETION != 0 {
            partition.deletion = Some(DeletionTime::decode_from(input)?);
        }
        if flags & PARTITION_STATIC != 0 {
            partition.static_row = Row::decode_from(input)?;
            if partition.static_row.is_empty() {
                return Err(input.malformed(NOT_CANONICAL));
            }
        }
        if flags & PARTITION_RANGES != 0 {
            for _ in 0..positive_count(input)? {
                partition.ranges.push(RangeTombstone::decode_from(input)?);
            }
        }
        if flags & PARTITION_ROWS != 0 {
            for _ in 0..positive_count(input)? {
                let clustering = clustering(input)?;
                if partition
                    .rows
                    .last_key_value()
                    .is_some_and(|(last, _)| *last >= clustering)
                {
                    return Err(input.malformed("rows out of order"));
                }
                partition.rows.insert(clustering, Row::decode_from(input)?);
            }
        }
        if partition.is_canonical() {
            Ok(partition)
        } else {
            Err(input.malformed(NOT_CANONICAL))
        }
    }
}

fn clustering(input: &mut Input<'_>) -> Result<Clustering, RowsError> {
    position(input, Clustering::from_bytes)
}

fn bound(input: &mut Input<'_>) -> Result<Bound, RowsError> {
    position(input, Bound::from_bytes)
}

fn position<T>(
    input: &mut Input<'_>,
    from_bytes: impl FnOnce(Bytes) -> Result<T, KeyError>,
) -> Result<T, RowsError> {
    from_bytes(input.sized_bytes()?).map_err(|_| input.malformed("no clustering position"))
}
