//! Byte layout of partition entries: the key, what a read always needs, and where the sections lie.

use super::layout::Handle;
use super::section::Section;
use crate::keys::{DecoratedKey, PartitionKey};
use crate::limits::PARTITION_KEY_SIZE_MAX;
use crate::rows::wire::{Input, put_bytes, put_varint};
use crate::rows::{DeletionTime, RowsError};

const HAS_DELETION: u8 = 0x01;
const HAS_STATIC: u8 = 0x02;
const HAS_ROWS: u8 = 0x04;
const HAS_DELETIONS: u8 = 0x08;
const FLAGS: u8 = HAS_DELETION | HAS_STATIC | HAS_ROWS | HAS_DELETIONS;

/// One partition of an sstable, as the partition index knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: DecoratedKey,
    /// The partition deletion lies here and not in the deletion section: every read needs it.
    pub(super) deletion: Option<DeletionTime>,
    pub(super) static_row: Option<Handle>,
    pub(super) rows: Option<Section>,
    pub(super) deletions: Option<Section>,
}

/// Appends a key; its token follows from it.
pub(super) fn put_key(out: &mut Vec<u8>, key: &DecoratedKey) {
    put_bytes(&key.key.0, out);
}

/// Takes a key.
pub(super) fn take_key(input: &mut Input<'_>) -> Result<DecoratedKey, RowsError> {
    let key = input.sized_bytes()?;
    if key.is_empty() || key.len() > PARTITION_KEY_SIZE_MAX {
        return Err(input.malformed("a partition key of no possible size"));
    }
    Ok(DecoratedKey::new(PartitionKey(key)))
}

fn put_handle(out: &mut Vec<u8>, handle: Handle) {
    put_varint(handle.offset, out);
    put_varint(u64::from(handle.size), out);
}

fn take_handle(input: &mut Input<'_>) -> Result<Handle, RowsError> {
    Ok(Handle {
        offset: input.varint()?,
        size: input.varint_u32()?,
    })
}

impl Entry {
    /// Where the partition's blocks begin and end, when there are several: one block is read as it is.
    pub(super) fn extent(&self) -> Option<(u64, u64)> {
        let of_static = self
            .static_row
            .map(|block| (block.offset, block.size.into()));
        let of_section = |section: Section| {
            let size = section.size.saturating_add(section.index_size.into());
            (section.offset, size)
        };
        let sections = [self.rows, self.deletions];
        let sections = sections.into_iter().flatten();
        let is_single = of_static.is_none() && sections.clone().count() < 2;
        let has_index = sections.clone().any(|section| section.index().is_some());
        if is_single && !has_index {
            return None;
        }
        let all = of_static.into_iter().chain(sections.map(of_section));
        let start = all.clone().map(|(offset, _)| offset).min()?;
        let end = all
            .map(|(offset, size): (u64, u64)| offset.saturating_add(size))
            .max()?;
        Some((start, end))
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_key(out, &self.key);
        let flag = |present: bool, flag: u8| if present { flag } else { 0 };
        out.push(
            flag(self.deletion.is_some(), HAS_DELETION)
                | flag(self.static_row.is_some(), HAS_STATIC)
                | flag(self.rows.is_some(), HAS_ROWS)
                | flag(self.deletions.is_some(), HAS_DELETIONS),
        );
        if let Some(deletion) = self.deletion {
            deletion.encode_into(out);
        }
        if let Some(handle) = self.static_row {
            put_handle(out, handle);
        }
        for section in [self.rows, self.deletions].into_iter().flatten() {
            section.put(out);
        }
    }

    fn take(input: &mut Input<'_>) -> Result<Entry, RowsError> {
        let key = take_key(input)?;
        let flags = input.byte()?;
        if flags & !FLAGS != 0 {
            return Err(input.malformed("unknown flags"));
        }
        let has = |flag: u8| flags & flag != 0;
        Ok(Entry {
            key,
            deletion: has(HAS_DELETION)
                .then(|| DeletionTime::decode_from(input))
                .transpose()?,
            static_row: has(HAS_STATIC).then(|| take_handle(input)).transpose()?,
            rows: has(HAS_ROWS).then(|| Section::take(input)).transpose()?,
            deletions: has(HAS_DELETIONS)
                .then(|| Section::take(input))
                .transpose()?,
        })
    }
}

/// All entries of a block, in key order, at least one.
pub(super) fn open_entries(input: &mut Input<'_>) -> Result<Vec<Entry>, RowsError> {
    let mut entries: Vec<Entry> = Vec::new();
    while entries.is_empty() || input.remaining() > 0 {
        let entry = Entry::take(input)?;
        if entries.last().is_some_and(|last| last.key >= entry.key) {
            return Err(input.malformed("partitions out of order"));
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// Where a block of entries lies, and the first key in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SummaryEntry {
    pub(super) first: DecoratedKey,
    pub(super) handle: Handle,
}

impl SummaryEntry {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        put_key(out, &self.first);
        put_handle(out, self.handle);
    }
}

/// The summary: one entry for each block of partition entries, in key order, at least one.
pub(super) fn open_summary(input: &mut Input<'_>) -> Result<Vec<SummaryEntry>, RowsError> {
    let mut summary: Vec<SummaryEntry> = Vec::new();
    while summary.is_empty() || input.remaining() > 0 {
        let entry = SummaryEntry {
            first: take_key(input)?,
            handle: take_handle(input)?,
        };
        if summary.last().is_some_and(|last| last.first >= entry.first) {
            return Err(input.malformed("summary out of order"));
        }
        summary.push(entry);
    }
    Ok(summary)
}
