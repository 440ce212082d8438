//! Byte layout of sections: a partition's live rows and its deletions lie apart, each in blocks of its own.
//!
//! A section of one block needs no index. A larger one is followed by an index block with an entry for
//! each block: the first position in it, how far its content reaches, its size. Rows are points, range
//! tombstones have an extent; "starts before the slice's end, reaches past its start" serves both.

use bytes::Bytes;

use super::id::SstableName;
use super::layout::{Handle, Kind, put_block};
use crate::keys::Slice;
use crate::rows::RowsError;
use crate::rows::wire::{Input, put_bytes, put_varint};

/// Where a section lies: its blocks one after the other, then their index when it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) offset: u64,
    /// Bytes of the blocks, without the index.
    pub(super) size: u64,
    /// Bytes of the index block; 0 when there is but one block.
    pub(super) index_size: u32,
}

impl Section {
    pub(super) fn put(self, out: &mut Vec<u8>) {
        put_varint(self.offset, out);
        put_varint(self.size, out);
        put_varint(u64::from(self.index_size), out);
    }

    pub(super) fn take(input: &mut Input<'_>) -> Result<Section, RowsError> {
        let section = Section {
            offset: input.varint()?,
            size: input.varint()?,
            index_size: input.varint_u32()?,
        };
        // A single block's size has to fit a handle.
        let single_fits = section.index_size > 0 || section.size <= u64::from(u32::MAX);
        if section.offset.checked_add(section.size).is_none() || !single_fits {
            return Err(input.malformed("a section that cannot be"));
        }
        Ok(section)
    }

    /// The index block; none when there is but one block.
    pub(super) fn index(self) -> Option<Handle> {
        (self.index_size > 0).then_some(Handle {
            offset: self.offset + self.size,
            size: self.index_size,
        })
    }

    /// The only block of a section without an index.
    pub(super) fn single(self) -> Handle {
        let size = u32::try_from(self.size).expect("checked when the section was read");
        Handle {
            offset: self.offset,
            size,
        }
    }
}

/// One block of a section, as its index knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    first: Bytes,
    reach: Bytes,
    pub(super) handle: Handle,
}

impl IndexEntry {
    /// Whether the block may hold something of the slice.
    pub(super) fn meets(&self, slice: &Slice) -> bool {
        self.first < slice.end.0 && self.reach > slice.start.0
    }
}

/// Reads the index of a section.
pub(super) fn open_index(
    input: &mut Input<'_>,
    section: Section,
) -> Result<Vec<IndexEntry>, RowsError> {
    let mut entries: Vec<IndexEntry> = Vec::new();
    let mut offset = section.offset;
    while input.remaining() > 0 {
        let (first, reach) = (input.sized_bytes()?, input.sized_bytes()?);
        let size = input.varint_u32()?;
        if reach < first || entries.last().is_some_and(|last| last.first >= first) {
            return Err(input.malformed("index entries out of order"));
        }
        entries.push(IndexEntry {
            first,
            reach,
            handle: Handle { offset, size },
        });
        offset = offset
            .checked_add(u64::from(size))
            .ok_or_else(|| input.malformed("blocks beyond all files"))?;
    }
    if offset != section.offset + section.size {
        return Err(input.malformed("the index covers more or less than its section"));
    }
    Ok(entries)
}

/// Cuts entries into blocks, and writes the index after them.
#[derive(Debug)]
pub(super) struct SectionWriter<'a> {
    pub(super) name: SstableName,
    pub(super) out: &'a mut Vec<u8>,
    /// File offset of the first byte of `out`.
    pub(super) base: u64,
    /// Payload bytes at which a block is cut.
    pub(super) block_size: usize,
    pub(super) kind: Kind,
}

/// The block that is being filled, and the index of those before it.
#[derive(Debug, Default)]
struct Blocks {
    payload: Vec<u8>,
    first: Bytes,
    reach: Bytes,
    index: Vec<u8>,
    block_count: u32,
}

impl SectionWriter<'_> {
    /// Writes a section: for each entry its first position, how far it reaches, its bytes; in order of the
    /// first position. None when there are no entries.
    pub(super) fn write(
        mut self,
        index_kind: Kind,
        entries: impl Iterator<Item = (Bytes, Bytes, Vec<u8>)>,
    ) -> Option<Section> {
        let offset = self.base + self.out.len() as u64;
        let mut blocks = Blocks::default();
        for (first, reach, bytes) in entries {
            if blocks.payload.is_empty() {
                blocks.reach = reach;
                blocks.first = first;
            } else {
                blocks.reach = std::mem::take(&mut blocks.reach).max(reach);
            }
            blocks.payload.extend_from_slice(&bytes);
            if blocks.payload.len() >= self.block_size {
                self.cut(&mut blocks);
            }
        }
        if !blocks.payload.is_empty() {
            self.cut(&mut blocks);
        }
        let end = self.base + self.out.len() as u64;
        let index_size = match blocks.block_count {
            0 => return None,
            1 => 0,
            _ => put_block(self.out, self.name, end, index_kind, &blocks.index).size,
        };
        Some(Section {
            offset,
            size: end - offset,
            index_size,
        })
    }

    fn cut(&mut self, blocks: &mut Blocks) {
        let offset = self.base + self.out.len() as u64;
        let handle = put_block(self.out, self.name, offset, self.kind, &blocks.payload);
        put_bytes(&blocks.first, &mut blocks.index);
        put_bytes(&blocks.reach, &mut blocks.index);
        put_varint(u64::from(handle.size), &mut blocks.index);
        blocks.payload.clear();
        blocks.block_count += 1;
    }
}
