//! Byte layout of an sstable's outer parts: header, block frame, footer. `FORMAT.md` draws it.

use bytes::Bytes;

use super::error::Flaw;
use super::id::{SstableId, SstableName};
use crate::rows::TableId;

/// First bytes of the file.
pub const MAGIC_HEAD: [u8; 8] = *b"CNTPHSST";
/// Last bytes of the file.
pub const MAGIC_FOOT: [u8; 8] = *b"TSSHPTNC";
/// The version this code writes, and the only one it reads.
pub const VERSION: u32 = 3;
/// Size of the header.
pub const HEADER_SIZE: u32 = 32;
/// Size of the footer.
pub const FOOTER_SIZE: u32 = 60;
/// What a block has before its payload: kind and payload size.
pub const BLOCK_HEAD_SIZE: u32 = 5;
/// What a block has besides its payload: its head and its checksum.
pub const FRAME_SIZE: u32 = BLOCK_HEAD_SIZE + 4;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Rows with their live content.
    Rows = 0x01,
    /// A partition's static row.
    Static = 0x02,
    /// Row deletions and range tombstones.
    Deletions = 0x03,
    /// The index of one partition's live section.
    RowIndex = 0x11,
    /// The index of one partition's deletion section.
    DeletionIndex = 0x12,
    /// Partition entries.
    Entries = 0x21,
    /// First key of each block of partition entries.
    Summary = 0x22,
    /// The membership filter.
    Filter = 0x31,
    /// The statistics.
    Statistics = 0x41,
}

/// Where a block lies. The size includes the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handle {
    pub(super) offset: u64,
    pub(super) size: u32,
}

/// Takes fields of fixed width off the front; whoever calls has checked that there are enough bytes.
#[derive(Debug)]
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn array<const SIZE: usize>(&mut self) -> [u8; SIZE] {
        let (field, rest) = self
            .0
            .split_first_chunk()
            .expect("the part's size was checked");
        self.0 = rest;
        *field
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.array())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.array())
    }

    fn handle(&mut self) -> Handle {
        Handle {
            offset: self.u64(),
            size: self.u32(),
        }
    }
}

/// The checksum of `bytes` at `offset` of this sstable: the same bytes elsewhere have another one.
fn checksum(name: SstableName, offset: u64, bytes: &[u8]) -> u32 {
    let mut place = [0_u8; 24];
    place[..8].copy_from_slice(&name.table.0.to_le_bytes());
    place[8..16].copy_from_slice(&name.id.0.to_le_bytes());
    place[16..].copy_from_slice(&offset.to_le_bytes());
    crc32c::crc32c_append(crc32c::crc32c(&place), bytes)
}

/// Appends a checksum to everything in `out` from `start` on, which lies at `offset` of the file.
fn seal(out: &mut Vec<u8>, start: usize, name: SstableName, offset: u64) {
    let sum = checksum(name, offset, &out[start..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

/// Checks the checksum that ends `bytes`, which lie at `offset` of the file, and gives what it covers.
fn unseal(bytes: &[u8], name: SstableName, offset: u64) -> Result<&[u8], Flaw> {
    let (covered, sum) = bytes.split_last_chunk::<4>().ok_or(Flaw::Ends)?;
    let holds = u32::from_le_bytes(*sum) == checksum(name, offset, covered);
    if holds {
        Ok(covered)
    } else {
        Err(Flaw::Checksum)
    }
}

/// Appends a framed block that will lie at `offset`, and says where it lies.
pub(super) fn put_block(
    out: &mut Vec<u8>,
    name: SstableName,
    offset: u64,
    kind: Kind,
    payload: &[u8],
) -> Handle {
    let start = out.len();
    let payload_size =
        u32::try_from(payload.len()).expect("a block holds a bounded number of bounded entries");
    let size = payload_size
        .checked_add(FRAME_SIZE)
        .expect("a block is far below 4 GiB");
    out.push(kind as u8);
    out.extend_from_slice(&payload_size.to_le_bytes());
    out.extend_from_slice(payload);
    seal(out, start, name, offset);
    Handle { offset, size }
}

/// The payload of the block that fills `bytes`, which lie at `offset`.
pub(super) fn open_block(
    bytes: &Bytes,
    name: SstableName,
    offset: u64,
    kind: Kind,
) -> Result<Bytes, Flaw> {
    let covered = unseal(bytes, name, offset)?;
    let head_size = BLOCK_HEAD_SIZE as usize;
    let payload_size = covered.len().checked_sub(head_size).ok_or(Flaw::Ends)?;
    let found = covered[0];
    if found != kind as u8 {
        return Err(Flaw::Kind {
            expected: kind as u8,
            found,
        });
    }
    if Fields(&covered[1..]).u32() as usize != payload_size {
        return Err(Flaw::BlockSize);
    }
    Ok(bytes.slice(head_size..head_size + payload_size))
}

/// Appends the header.
pub(super) fn put_header(out: &mut Vec<u8>, name: SstableName) {
    let start = out.len();
    out.extend_from_slice(&MAGIC_HEAD);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&name.table.0.to_le_bytes());
    out.extend_from_slice(&name.id.0.to_le_bytes());
    seal(out, start, name, 0);
}

/// Checks the header of the sstable that goes by this name.
pub(super) fn check_header(bytes: &[u8], name: SstableName) -> Result<(), Flaw> {
    if bytes.len() != HEADER_SIZE as usize {
        return Err(Flaw::Ends);
    }
    let mut fields = Fields(bytes);
    if fields.array() != MAGIC_HEAD {
        return Err(Flaw::Magic);
    }
    let version = fields.u32();
    if version != VERSION {
        return Err(Flaw::Version(version));
    }
    let found = SstableName {
        table: TableId(fields.u64()),
        id: SstableId(fields.u64()),
    };
    unseal(bytes, found, 0)?;
    if found != name {
        return Err(Flaw::Identity {
            table: found.table.0,
            id: found.id.0,
        });
    }
    Ok(())
}

/// Where the parts lie that a reader needs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) statistics: Handle,
    pub(super) summary: Handle,
    pub(super) filter: Handle,
    /// Size of the whole file.
    pub(super) file_size: u64,
}

impl Footer {
    /// Appends the footer, which ends the file and so begins at `file_size - FOOTER_SIZE`.
    pub(super) fn put(self, out: &mut Vec<u8>, name: SstableName) {
        let start = out.len();
        for handle in [self.statistics, self.summary, self.filter] {
            out.extend_from_slice(&handle.offset.to_le_bytes());
            out.extend_from_slice(&handle.size.to_le_bytes());
        }
        out.extend_from_slice(&self.file_size.to_le_bytes());
        out.extend_from_slice(&VERSION.to_le_bytes());
        seal(out, start, name, self.file_size - u64::from(FOOTER_SIZE));
        out.extend_from_slice(&MAGIC_FOOT);
    }

    /// The footer, in the last bytes of a file of `file_size` bytes.
    pub(super) fn open(bytes: &[u8], name: SstableName, file_size: u64) -> Result<Footer, Flaw> {
        if bytes.len() != FOOTER_SIZE as usize || file_size < u64::from(FOOTER_SIZE) {
            return Err(Flaw::Ends);
        }
        let Some(sealed) = bytes.strip_suffix(&MAGIC_FOOT) else {
            return Err(Flaw::Magic);
        };
        let mut fields = Fields(unseal(sealed, name, file_size - u64::from(FOOTER_SIZE))?);
        let footer = Footer {
            statistics: fields.handle(),
            summary: fields.handle(),
            filter: fields.handle(),
            file_size: fields.u64(),
        };
        let version = fields.u32();
        if version != VERSION {
            return Err(Flaw::Version(version));
        }
        if footer.file_size != file_size {
            return Err(Flaw::FileSize {
                expected: footer.file_size,
                actual: file_size,
            });
        }
        Ok(footer)
    }
}
