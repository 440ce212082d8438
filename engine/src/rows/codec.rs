//! Byte layout of rows, partitions and mutations; `FORMAT.md` says it in full.
//!
//! There is one encoding of each content: whatever decodes encodes again to the same bytes, and what is
//! not in canonical form does not decode.

use super::cell::{Cell, ColumnId, Liveness, NO_DELETION_SECONDS};
use super::deletion::{DeletionTime, RangeTombstone};
use super::error::RowsError;
use super::mutation::{Mutation, TableId};
use super::partition::Partition;
use super::row::Row;
use super::wire::{Input, put_bytes, put_signed, put_varint};
use crate::keys::{Bound, Clustering, DecoratedKey, KeyError, PartitionKey};
use crate::limits::{MUTATION_SIZE_MAX, PARTITION_KEY_SIZE_MAX};

const MUTATION_VERSION: u8 = 1;

const ROW_LIVENESS: u8 = 1;
const ROW_DELETION: u8 = 2;
const ROW_CELLS: u8 = 4;
const ROW_FLAGS: u8 = ROW_LIVENESS | ROW_DELETION | ROW_CELLS;

const PARTITION_DELETION: u8 = 1;
const PARTITION_STATIC: u8 = 2;
const PARTITION_RANGES: u8 = 4;
const PARTITION_ROWS: u8 = 8;
const PARTITION_FLAGS: u8 =
    PARTITION_DELETION | PARTITION_STATIC | PARTITION_RANGES | PARTITION_ROWS;

const KIND_PLAIN: u8 = 0;
const KIND_EXPIRING: u8 = 1;
const KIND_TOMBSTONE: u8 = 2;

impl Row {
    /// Appends the row.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let flags = flag(self.liveness.is_some(), ROW_LIVENESS)
            | flag(self.deletion.is_some(), ROW_DELETION)
            | flag(!self.cells.is_empty(), ROW_CELLS);
        out.push(flags);
        if let Some(Liveness {
            timestamp,
            ttl_seconds,
            local_deletion_seconds,
        }) = self.liveness
        {
            put_signed(timestamp, out);
            put_varint(u64::from(ttl_seconds), out);
            if ttl_seconds > 0 {
                put_varint(u64::from(local_deletion_seconds), out);
            }
        }
        if let Some(deletion) = self.deletion {
            deletion.encode_into(out);
        }
        if !self.cells.is_empty() {
            put_varint(self.cells.len() as u64, out);
        }
        for (column, cell) in &self.cells {
            put_varint(u64::from(column.0), out);
            cell.encode_into(out);
        }
    }

    /// Reads a row.
    ///
    /// # Errors
    /// [`RowsError::Malformed`] when the bytes are none, or one that is not in canonical form.
    pub fn decode_from(input: &mut Input<'_>) -> Result<Row, RowsError> {
        let flags = known_flags(input, ROW_FLAGS)?;
        let mut row = Row::default();
        if flags & ROW_LIVENESS != 0 {
            let (timestamp, ttl_seconds) = (timestamp(input)?, input.varint_u32()?);
            row.liveness = Some(match ttl_seconds {
                0 => Liveness::plain(timestamp),
                ttl_seconds => Liveness::expiring(timestamp, ttl_seconds, seconds(input)?),
            });
        }
        if flags & ROW_DELETION != 0 {
            row.deletion = Some(DeletionTime::decode_from(input)?);
        }
        if flags & ROW_CELLS != 0 {
            for _ in 0..positive_count(input)? {
                row.cells
                    .push((ColumnId(input.varint_u32()?), Cell::decode_from(input)?));
            }
        }
        if row.is_canonical(None) {
            Ok(row)
        } else {
            Err(input.malformed(NOT_CANONICAL))
        }
    }
}

impl Cell {
    fn encode_into(&self, out: &mut Vec<u8>) {
        let kind = match (self.ttl_seconds, self.local_deletion_seconds) {
            (0, NO_DELETION_SECONDS) => KIND_PLAIN,
            (0, _) => KIND_TOMBSTONE,
            _ => KIND_EXPIRING,
        };
        out.push(kind);
        put_signed(self.timestamp, out);
        if kind == KIND_EXPIRING {
            put_varint(u64::from(self.ttl_seconds), out);
        }
        if kind != KIND_PLAIN {
            put_varint(u64::from(self.local_deletion_seconds), out);
        }
        if kind != KIND_TOMBSTONE {
            put_bytes(&self.value, out);
        }
    }

    fn decode_from(input: &mut Input<'_>) -> Result<Cell, RowsError> {
        let kind = input.byte()?;
        if kind > KIND_TOMBSTONE {
            return Err(input.malformed("no kind of cell"));
        }
        let timestamp = timestamp(input)?;
        match kind {
            KIND_PLAIN => Ok(Cell::plain(timestamp, input.sized_bytes()?)),
            KIND_TOMBSTONE => Ok(Cell::tombstone(timestamp, seconds(input)?)),
            _ => {
                let ttl_seconds = input.varint_u32()?;
                if ttl_seconds == 0 {
                    return Err(input.malformed("an expiring cell without a time to live"));
                }
                let expiry_seconds = seconds(input)?;
                Ok(Cell::expiring(
                    timestamp,
                    ttl_seconds,
                    expiry_seconds,
                    input.sized_bytes()?,
                ))
            }
        }
    }
}

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
        for (clustering, row) in &self.rows {
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

impl Mutation {
    /// The bytes of the mutation, its version first.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![MUTATION_VERSION];
        put_varint(self.table.0, &mut out);
        put_bytes(&self.key.key.0, &mut out);
        self.update.encode_into(&mut out);
        out
    }

    /// Reads a mutation that fills `bytes`.
    ///
    /// # Errors
    /// [`RowsError`] when the bytes are none of a known version.
    pub fn decode(bytes: &[u8]) -> Result<Mutation, RowsError> {
        let mut input = Input::new(bytes);
        if bytes.len() > MUTATION_SIZE_MAX {
            return Err(input.malformed("a mutation above the maximum size"));
        }
        let version = input.byte()?;
        if version != MUTATION_VERSION {
            return Err(RowsError::UnknownVersion { version });
        }
        let table = TableId(input.varint()?);
        let key = input.sized_bytes()?;
        if key.is_empty() || key.len() > PARTITION_KEY_SIZE_MAX {
            return Err(input.malformed("a partition key of no possible size"));
        }
        let key = DecoratedKey::new(PartitionKey(key));
        let update = Partition::decode_from(&mut input)?;
        input.finish()?;
        Ok(Mutation { table, key, update })
    }
}

const NOT_CANONICAL: &str = "not in canonical form";

const fn flag(is_set: bool, flag: u8) -> u8 {
    if is_set { flag } else { 0 }
}

fn known_flags(input: &mut Input<'_>, known: u8) -> Result<u8, RowsError> {
    let flags = input.byte()?;
    if flags & !known == 0 {
        Ok(flags)
    } else {
        Err(input.malformed("unknown flags"))
    }
}

fn positive_count(input: &mut Input<'_>) -> Result<usize, RowsError> {
    match input.count()? {
        0 => Err(input.malformed("a count of none")),
        count => Ok(count),
    }
}

fn timestamp(input: &mut Input<'_>) -> Result<i64, RowsError> {
    match input.signed()? {
        i64::MIN => Err(input.malformed("the reserved timestamp")),
        timestamp => Ok(timestamp),
    }
}

fn seconds(input: &mut Input<'_>) -> Result<u32, RowsError> {
    match input.varint_u32()? {
        NO_DELETION_SECONDS => Err(input.malformed("no deletion time")),
        seconds => Ok(seconds),
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
    from_bytes: impl FnOnce(bytes::Bytes) -> Result<T, KeyError>,
) -> Result<T, RowsError> {
    from_bytes(input.sized_bytes()?).map_err(|_| input.malformed("no clustering position"))
}
