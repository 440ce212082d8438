//! Byte layout of file and record headers; `FORMAT.md` says it in full.

use super::error::{Damage, RecordError};
use super::file::FileName;
use crate::limits::{
    FILE_HEADER_SIZE, RECORD_ALIGNMENT, RECORD_FILE_SIZE_MAX, RECORD_HEADER_SIZE,
    RECORD_PAYLOAD_SIZE_MAX,
};

const MAGIC: [u8; 8] = *b"cenotaph";
const VERSION: u16 = 1;
const FILE_CHECKSUM_AT: usize = FILE_HEADER_SIZE - 4;
const RECORD_CHECKSUM_AT: usize = RECORD_HEADER_SIZE - 4;
/// Of what says where a record is: kind and id of its file, and its offset.
const RECORD_PLACE_SIZE: usize = 18;

/// The file that another one continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Previous {
    /// Its id.
    pub id: u64,
    /// Where it ends.
    pub end: u64,
}

/// What a file says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHeader {
    /// Kind and id.
    pub name: FileName,
    /// What it continues.
    pub previous: Option<Previous>,
    /// Every byte of the file below this was synced before the header was written; 0 when it came first.
    pub synced_upto: u64,
}

impl FileHeader {
    /// The header's bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; FILE_HEADER_SIZE] {
        let previous = self.previous.unwrap_or(Previous { id: 0, end: 0 });
        let mut bytes = [0; FILE_HEADER_SIZE];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.name.kind.code().to_le_bytes());
        bytes[12..16].copy_from_slice(&narrow(self.synced_upto).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.name.id.to_le_bytes());
        bytes[24..32].copy_from_slice(&previous.id.to_le_bytes());
        bytes[32..40].copy_from_slice(&previous.end.to_le_bytes());
        let checksum = crc32c::crc32c(&bytes[..FILE_CHECKSUM_AT]);
        bytes[FILE_CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The header at the begin of `bytes`, which is to be that of the file called `name`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn decode(name: FileName, bytes: &[u8]) -> Result<FileHeader, Damage> {
        let Some(bytes) = bytes.first_chunk::<FILE_HEADER_SIZE>() else {
            return Err(Damage::FileHeaderCut);
        };
        let checksum = crc32c::crc32c(&bytes[..FILE_CHECKSUM_AT]);
        if bytes[0..8] != MAGIC || read_u32(bytes, FILE_CHECKSUM_AT) != checksum {
            return Err(Damage::FileHeaderChecksum);
        }
        let (version, kind) = (read_u16(bytes, 8), read_u16(bytes, 10));
        if version != VERSION {
            return Err(Damage::Version(version));
        }
        let (id, previous) = (read_u64(bytes, 16), read_u64(bytes, 24));
        if kind != name.kind.code() || id != name.id {
            return Err(Damage::Misplaced { kind, id });
        }
        let end = read_u64(bytes, 32);
        let previous = (previous != 0).then_some(Previous { id: previous, end });
        let synced_upto = u64::from(read_u32(bytes, 12));
        Ok(FileHeader {
            name,
            previous,
            synced_upto,
        })
    }
}

/// What a record's header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHeader {
    pub(super) payload_size: usize,
    pub(super) synced_upto: u64,
    pub(super) payload_checksum: u32,
}

impl RecordHeader {
    /// The header at `offset` of the file's bytes. `RecordHeaderImpossible` for a whole one that no
    /// writer makes.
    pub(super) fn decode(
        name: FileName,
        bytes: &[u8],
        offset: usize,
    ) -> Result<RecordHeader, Damage> {
        let rest = bytes.get(offset..).unwrap_or_default();
        let Some(header) = rest.first_chunk::<RECORD_HEADER_SIZE>() else {
            return Err(Damage::RecordHeaderCut);
        };
        let checksum = record_checksum(name, offset as u64, &header[..RECORD_CHECKSUM_AT]);
        if read_u32(header, RECORD_CHECKSUM_AT) != checksum {
            return Err(Damage::RecordHeaderChecksum);
        }
        let payload_size = read_u32(header, 0) as usize;
        let synced_upto = u64::from(read_u32(header, 4));
        let possible_size = 0 < payload_size && payload_size <= RECORD_PAYLOAD_SIZE_MAX;
        if !possible_size || synced_upto > offset as u64 {
            return Err(Damage::RecordHeaderImpossible);
        }
        Ok(RecordHeader {
            payload_size,
            synced_upto,
            payload_checksum: read_u32(header, 8),
        })
    }

    /// The `synced_upto` field of what may be a header at `offset`, unchecked: cheap to look at.
    pub(super) fn peek_synced_upto(bytes: &[u8], offset: usize) -> Option<u64> {
        let field = bytes
            .get(offset + 4..offset + RECORD_HEADER_SIZE)?
            .first_chunk::<4>()?;
        Some(u64::from(u32::from_le_bytes(*field)))
    }

    /// Size of the record, header and padding included.
    pub(super) fn record_size(&self) -> usize {
        RECORD_HEADER_SIZE + self.payload_size.next_multiple_of(RECORD_ALIGNMENT)
    }
}

/// Appends a record that begins at `offset` of its file to `out`; the payload is `parts`, one after the
/// other. Gives the offset of its end.
///
/// # Errors
/// [`RecordError::TooLarge`] and [`RecordError::FileFull`]; `out` is then as it was.
pub fn encode_record(
    name: FileName,
    offset: u64,
    synced_upto: u64,
    parts: &[&[u8]],
    out: &mut Vec<u8>,
) -> Result<u64, RecordError> {
    let size = parts.iter().map(|part| part.len()).sum::<usize>();
    assert!(size > 0, "a record has a payload");
    assert!(synced_upto <= offset, "what was synced was written before");
    if size > RECORD_PAYLOAD_SIZE_MAX {
        return Err(RecordError::TooLarge {
            size,
            size_max: RECORD_PAYLOAD_SIZE_MAX,
        });
    }
    let padding = size.next_multiple_of(RECORD_ALIGNMENT) - size;
    let end = offset + (RECORD_HEADER_SIZE + size + padding) as u64;
    if end > RECORD_FILE_SIZE_MAX {
        let (file, size_max) = (name.to_string(), RECORD_FILE_SIZE_MAX);
        return Err(RecordError::FileFull {
            file,
            size: end,
            size_max,
        });
    }
    let padding = &[0; RECORD_ALIGNMENT][..padding];
    let checksum = parts
        .iter()
        .fold(0, |sum, part| crc32c::crc32c_append(sum, part));
    let checksum = crc32c::crc32c_append(checksum, padding);
    let mut header = [0; RECORD_HEADER_SIZE];
    header[0..4].copy_from_slice(&narrow(size as u64).to_le_bytes());
    header[4..8].copy_from_slice(&narrow(synced_upto).to_le_bytes());
    header[8..12].copy_from_slice(&checksum.to_le_bytes());
    let checksum = record_checksum(name, offset, &header[..RECORD_CHECKSUM_AT]);
    header[RECORD_CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
    out.reserve(RECORD_HEADER_SIZE + size + padding.len());
    out.extend_from_slice(&header);
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out.extend_from_slice(padding);
    Ok(end)
}

fn narrow(value: u64) -> u32 {
    u32::try_from(value).expect("a file has 32-bit offsets")
}

/// Binds a record's header to its file and place.
fn record_checksum(name: FileName, offset: u64, header: &[u8]) -> u32 {
    // In one piece: each call of the checksum costs more than a few bytes of it.
    let mut bound = [0; RECORD_CHECKSUM_AT + RECORD_PLACE_SIZE];
    bound[0..2].copy_from_slice(&name.kind.code().to_le_bytes());
    bound[2..10].copy_from_slice(&name.id.to_le_bytes());
    bound[10..RECORD_PLACE_SIZE].copy_from_slice(&offset.to_le_bytes());
    bound[RECORD_PLACE_SIZE..].copy_from_slice(header);
    crc32c::crc32c(&bound)
}

fn read_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(
        bytes[at..at + 2]
            .try_into()
            .expect("a slice of two bytes is an array of two"),
    )
}

fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(
        bytes[at..at + 4]
            .try_into()
            .expect("a slice of four bytes is an array of four"),
    )
}

fn read_u64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(
        bytes[at..at + 8]
            .try_into()
            .expect("a slice of eight bytes is an array of eight"),
    )
}
