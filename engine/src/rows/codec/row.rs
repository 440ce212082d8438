//! Byte layout of rows and cells.

use super::parts::{NOT_CANONICAL, flag, known_flags, positive_count, seconds, timestamp};
use crate::rows::cell::{Cell, ColumnId, Liveness, NO_DELETION_SECONDS};
use crate::rows::deletion::DeletionTime;
use crate::rows::error::RowsError;
use crate::rows::path::{CellKey, CellPath};
use crate::rows::row::Row;
use crate::rows::wire::{Input, put_bytes, put_signed, put_varint};

const ROW_LIVENESS: u8 = 1;
const ROW_DELETION: u8 = 2;
const ROW_CELLS: u8 = 4;
const ROW_COMPLEX: u8 = 8;
const ROW_FLAGS: u8 = ROW_LIVENESS | ROW_DELETION | ROW_CELLS | ROW_COMPLEX;

/// Cells for which there is room at once: what is announced may not be there.
const CELLS_RESERVED_MAX: usize = 16;

const KIND_PLAIN: u8 = 0;
const KIND_EXPIRING: u8 = 1;
const KIND_TOMBSTONE: u8 = 2;
/// Added to the kind of a cell that has a path.
const HAS_PATH: u8 = 4;

impl Row {
    /// Appends the row.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        self.encode_with(self.deletion, out);
    }

    /// Appends the row as if it had no deletion.
    pub fn encode_written_into(&self, out: &mut Vec<u8>) {
        self.encode_with(None, out);
    }

    fn encode_with(&self, deletion: Option<DeletionTime>, out: &mut Vec<u8>) {
        let flags = flag(self.liveness.is_some(), ROW_LIVENESS)
            | flag(deletion.is_some(), ROW_DELETION)
            | flag(!self.cells.is_empty(), ROW_CELLS)
            | flag(!self.complex.is_empty(), ROW_COMPLEX);
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
        if let Some(deletion) = deletion {
            deletion.encode_into(out);
        }
        if !self.complex.is_empty() {
            put_varint(self.complex.len() as u64, out);
        }
        for (column, deletion) in &self.complex {
            put_varint(u64::from(column.0), out);
            deletion.encode_into(out);
        }
        if !self.cells.is_empty() {
            put_varint(self.cells.len() as u64, out);
        }
        for (key, cell) in &self.cells {
            put_varint(u64::from(key.column.0), out);
            cell.encode_into(key.path.as_ref(), out);
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
        if flags & ROW_COMPLEX != 0 {
            for _ in 0..positive_count(input)? {
                let column = ColumnId(input.varint_u32()?);
                row.complex
                    .push((column, DeletionTime::decode_from(input)?));
            }
        }
        if flags & ROW_CELLS != 0 {
            let count = positive_count(input)?;
            row.cells.reserve(count.min(CELLS_RESERVED_MAX));
            for _ in 0..count {
                let column = ColumnId(input.varint_u32()?);
                let (path, cell) = Cell::decode_from(input)?;
                row.cells.push((CellKey { column, path }, cell));
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
    fn encode_into(&self, path: Option<&CellPath>, out: &mut Vec<u8>) {
        let kind = match (self.ttl_seconds, self.local_deletion_seconds) {
            (0, NO_DELETION_SECONDS) => KIND_PLAIN,
            (0, _) => KIND_TOMBSTONE,
            _ => KIND_EXPIRING,
        };
        out.push(kind | flag(path.is_some(), HAS_PATH));
        if let Some(path) = path {
            put_bytes(path.as_bytes(), out);
        }
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

    fn decode_from(input: &mut Input<'_>) -> Result<(Option<CellPath>, Cell), RowsError> {
        let kind = input.byte()?;
        let path = match kind & HAS_PATH {
            0 => None,
            _ => Some(CellPath::from(input.sized()?)),
        };
        let kind = kind & !HAS_PATH;
        if kind > KIND_TOMBSTONE {
            return Err(input.malformed("no kind of cell"));
        }
        let timestamp = timestamp(input)?;
        let cell = match kind {
            KIND_PLAIN => Cell::plain(timestamp, input.sized_bytes()?),
            KIND_TOMBSTONE => Cell::tombstone(timestamp, seconds(input)?),
            _ => {
                let ttl_seconds = input.varint_u32()?;
                if ttl_seconds == 0 {
                    return Err(input.malformed("an expiring cell without a time to live"));
                }
                let expiry_seconds = seconds(input)?;
                Cell::expiring(timestamp, ttl_seconds, expiry_seconds, input.sized_bytes()?)
            }
        };
        Ok((path, cell))
    }
}
