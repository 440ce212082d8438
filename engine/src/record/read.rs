//! Fault policy: no byte of a record file is believed without its checksum; damage where the file is
//! known to have been synced is corruption, damage beyond that ends the file as a torn tail.

use bytes::Bytes;

use super::error::{Damage, RecordError};
use super::file::FileName;
use super::format::{FileHeader, RecordHeader};
use crate::limits::{FILE_HEADER_SIZE, RECORD_ALIGNMENT, RECORD_HEADER_SIZE};

/// A record that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Offset of its first byte.
    pub start: u64,
    /// Offset after its last byte, padding included: its position in the log.
    pub end: u64,
    /// What it holds; shares the bytes of the file.
    pub payload: Bytes,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At the end of a record.
    Clean {
        /// Where.
        offset: u64,
    },
    /// In a torn tail: nothing says that it had ever been synced.
    Torn {
        /// Where the last whole record ends; 0 when even the file header is not whole.
        offset: u64,
        /// What comes instead of a record.
        damage: Damage,
    },
}

impl End {
    /// Where the file ends.
    #[must_use]
    pub const fn offset(self) -> u64 {
        match self {
            End::Clean { offset } | End::Torn { offset, .. } => offset,
        }
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The file's header; `None` when it never became whole, and the file counts for nothing.
    pub header: Option<FileHeader>,
    /// The records, in order.
    pub records: Vec<Record>,
    /// Up to where records say that the file was synced, its header included. What the header itself says
    /// is left out: it holds only if the header is durable, which nothing but a record can tell.
    pub synced_upto: u64,
    /// How it ends.
    pub end: End,
    /// Bytes of the file.
    pub size: u64,
}

/// Reads the file called `name` from its bytes. `known_end` is where a later file says that this one
/// ends: all below is known to have been synced, and nothing above is given.
///
/// Takes any bytes; the time is linear in their number.
///
/// # Errors
/// [`RecordError::Corrupt`] where the file is damaged and is known to have been synced.
pub fn read_all(
    name: FileName,
    bytes: &Bytes,
    known_end: Option<u64>,
) -> Result<Contents, RecordError> {
    let scan = Scan {
        name,
        bytes,
        known_end: known_end.unwrap_or(0),
    };
    let header = match FileHeader::decode(name, bytes) {
        Ok(header) => header,
        Err(damage @ Damage::Version(_)) => {
            let synced_upto = bytes.len() as u64;
            return Err(scan.corrupt(0, damage, synced_upto));
        }
        Err(damage) => {
            let end = scan.judge(0, damage, 0)?;
            let size = bytes.len() as u64;
            return Ok(Contents {
                header: None,
                records: Vec::new(),
                synced_upto: 0,
                end,
                size,
            });
        }
    };
    let mut records: Vec<Record> = Vec::new();
    let (mut offset, mut synced_upto) = (FILE_HEADER_SIZE, 0);
    let end = loop {
        let is_expected = known_end.is_none() && header.synced_upto <= offset as u64;
        let is_last = is_expected && offset == bytes.len();
        if Some(offset as u64) == known_end || is_last {
            break End::Clean {
                offset: offset as u64,
            };
        }
        match scan.record_at(offset) {
            Ok((record, synced)) => {
                synced_upto = synced_upto.max(synced);
                offset += usize::try_from(record.end - record.start).expect("it is in memory");
                records.push(record);
            }
            Err(damage) => break scan.judge(offset, damage, header.synced_upto)?,
        }
    };
    Ok(Contents {
        header: Some(header),
        records,
        synced_upto,
        end,
        size: bytes.len() as u64,
    })
}

struct Scan<'a> {
    name: FileName,
    bytes: &'a Bytes,
    /// Zero when no later file says.
    known_end: u64,
}

impl Scan<'_> {
    /// The record at `offset`, and its `synced_upto`.
    fn record_at(&self, offset: usize) -> Result<(Record, u64), Damage> {
        let (name, bytes) = (self.name, self.bytes);
        if offset == bytes.len() {
            return Err(Damage::Missing);
        }
        let header = match RecordHeader::decode(name, bytes, offset) {
            Err(_) if bytes[offset..].iter().all(|byte| *byte == 0) => return Err(Damage::Zeros),
            other => other?,
        };
        let Some(content) = bytes.get(offset..offset + header.record_size()) else {
            return Err(Damage::PayloadCut);
        };
        if crc32c::crc32c(&content[RECORD_HEADER_SIZE..]) != header.payload_checksum {
            return Err(Damage::PayloadChecksum);
        }
        let end = offset + header.record_size();
        if self.known_end != 0 && end as u64 > self.known_end {
            return Err(Damage::RecordHeaderImpossible);
        }
        let first = offset + RECORD_HEADER_SIZE;
        let payload = bytes.slice(first..first + header.payload_size);
        Ok((
            Record {
                start: offset as u64,
                end: end as u64,
                payload,
            },
            header.synced_upto,
        ))
    }

    /// A torn tail, or corruption when anything says that the file was synced beyond `offset`.
    fn judge(&self, offset: usize, damage: Damage, synced_upto: u64) -> Result<End, RecordError> {
        let evidence = self.synced_upto_after(offset);
        let synced_upto = synced_upto.max(self.known_end).max(evidence);
        if synced_upto > offset as u64 {
            return Err(self.corrupt(offset, damage, synced_upto));
        }
        Ok(End::Torn {
            offset: offset as u64,
            damage,
        })
    }

    fn corrupt(&self, offset: usize, damage: Damage, synced_upto: u64) -> RecordError {
        let (file, offset) = (self.name.to_string(), offset as u64);
        RecordError::Corrupt {
            file,
            offset,
            damage,
            synced_upto,
        }
    }

    /// The largest `synced_upto` beyond `damaged` that a record header after it claims; 0 for none.
    fn synced_upto_after(&self, damaged: usize) -> u64 {
        let mut largest = damaged as u64;
        let mut offset = damaged.max(FILE_HEADER_SIZE);
        while let Some(synced_upto) = RecordHeader::peek_synced_upto(self.bytes, offset) {
            let news = largest < synced_upto && synced_upto <= offset as u64;
            if news && RecordHeader::decode(self.name, self.bytes, offset).is_ok() {
                largest = synced_upto;
            }
            offset += RECORD_ALIGNMENT;
        }
        if largest > damaged as u64 { largest } else { 0 }
    }
}
