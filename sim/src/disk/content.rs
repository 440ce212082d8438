//! Invariants of a file's content: the cache is what calls see, and beyond the size it is all zeros.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::freed::FreedPages;
use super::options::{PAGE_SIZE, SECTOR_SIZE};
use super::pending::{Change, Pending};
use super::readable::bad_sectors;
use super::table::{Table, page_of, page_start, pages_for, within_page};

/// Data and length of one file: durable, cached, and the changes between.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    /// Bytes, as calls see it.
    pub(super) size: u64,
    /// Bytes, as every crash leaves it at least.
    pub(super) durable_size: u64,
    /// Changes with a lower sequence are part of `durable_size` already.
    pub(super) size_settled: u64,
    /// The pages.
    pub(super) table: Table,
    /// The pages whose slots are dirty, each once.
    pub(super) dirty: Vec<u64>,
    /// The pages whose slots are, or lately were, lost.
    pub(super) lost: Vec<u64>,
    /// What no sync covered yet.
    pub(super) pending: Pending,
    /// Writebacks that failed so far.
    pub(super) write_errors: u32,
    /// Pages that count as used space.
    pub(super) allocated_pages: u64,
    /// Whether the last writeback that failed found no block.
    pub(super) lacked_room: bool,
    /// What reads of a sector show instead of its bytes.
    pub(super) misreads: BTreeMap<u64, Arc<[u8; SECTOR_SIZE]>>,
    /// Whether the inode itself was written out.
    pub(super) inode_is_durable: bool,
    /// A crash left a name without its inode: nothing can be opened here.
    pub(super) is_unclean: bool,
}

impl Content {
    /// At most `size` bytes from `offset`; fewer at the end of the file.
    pub(super) fn read(&self, offset: u64, size: usize) -> Vec<u8> {
        let end = offset.saturating_add(size as u64).min(self.size);
        if offset >= end {
            return Vec::new();
        }
        let mut bytes = Vec::with_capacity((end - offset) as usize);
        let mut position = offset;
        while position < end {
            let (from, take) = piece(position, end);
            match self
                .table
                .get(page_of(position))
                .and_then(|slot| slot.cached())
            {
                Some(page) => bytes.extend_from_slice(&page.bytes()[from..from + take]),
                None => bytes.resize(bytes.len() + take, 0),
            }
            position += take as u64;
        }
        bytes
    }

    /// Writes as much of `bytes` as space allows, and says how much; at most `free_pages` pages
    /// are newly allocated.
    pub(super) fn write(&mut self, offset: u64, bytes: &[u8], free_pages: u64) -> usize {
        let end = offset + bytes.len() as u64;
        let (mut record_start, mut record_end) = (offset, end);
        let mut free = free_pages;
        let mut position = offset;
        while position < end {
            let page = page_of(position);
            let (from, take) = piece(position, end);
            let slot = self.table.slot_mut(page);
            if !slot.allocated {
                if free == 0 {
                    break;
                }
                free -= 1;
                slot.allocated = true;
                self.allocated_pages += 1;
            }
            let source = (position - offset) as usize;
            slot.page_mut()[from..from + take].copy_from_slice(&bytes[source..source + take]);
            slot.bad &= !bad_sectors(from, take);
            if !slot.dirty {
                slot.dirty = true;
                self.dirty.push(page);
            }
            if slot.lost {
                // Touching a page that a failed writeback left clean makes the whole page dirty.
                slot.lost = false;
                record_start = record_start.min(page_start(page));
                record_end = record_end.max(page_start(page + 1).min(self.size));
            }
            position += take as u64;
        }
        let written = (position - offset) as usize;
        if written == 0 {
            return 0;
        }
        self.size = self.size.max(position);
        self.written(offset, position);
        if (record_start, record_end) == (offset, end) {
            self.pending.write(offset, &bytes[..written]);
        } else {
            let widened_end = if position < end { position } else { record_end };
            let widened = self.read(record_start, (widened_end - record_start) as usize);
            self.pending.write(record_start, &widened);
        }
        self.shorten_pending();
        written
    }

    /// Cuts the file, or lets it grow by a hole.
    pub(super) fn truncate(&mut self, size: u64) {
        if size >= self.size {
            if size > self.size {
                self.pending.push(Change::Grow { size });
                self.size = size;
            }
            return;
        }
        self.pending.push(Change::Cut { size });
        self.written(size, self.size);
        self.size = size;
        let whole = pages_for(size);
        for page in whole..self.table.page_limit() {
            if self.table.get(page).is_some_and(|slot| slot.allocated) {
                let slot = self.table.slot_mut(page);
                slot.set_cached(None);
                slot.reserved = false;
                slot.lost = false;
                slot.bad = 0;
                self.mark_dirty(page);
            }
        }
        let last = page_of(size);
        if whole > last
            && self
                .table
                .get(last)
                .is_some_and(|slot| slot.cached().is_some())
        {
            let slot = self.table.slot_mut(last);
            slot.page_mut()[within_page(size)..].fill(0);
            if slot.lost {
                slot.lost = false;
                let start = page_start(last);
                let kept = self.read(start, (size - start) as usize);
                self.pending.write(start, &kept);
            }
            self.mark_dirty(last);
        }
        self.shorten_pending();
    }

    /// Promises space for a range, and lets the file reach its end; all or nothing.
    pub(super) fn reserve(&mut self, offset: u64, size: u64, free_pages: u64, late: bool) -> bool {
        let end = offset + size;
        let pages = page_of(offset)..pages_for(end);
        let missing = pages
            .clone()
            .filter(|&page| !self.is_allocated(page) || (late && self.waits(page)))
            .count() as u64;
        if missing > free_pages {
            return false;
        }
        for page in pages {
            let slot = self.table.slot_mut(page);
            if slot.reserved {
                continue;
            }
            slot.reserved = true;
            if !slot.allocated {
                slot.allocated = true;
                self.allocated_pages += 1;
            }
            if slot.lost {
                // The promise must reach the medium; the lost bytes still do not.
                continue;
            }
            self.mark_dirty(page);
        }
        self.pending.push(Change::Grow { size: end });
        self.size = self.size.max(end);
        true
    }

    /// Whether anything would be lost in a crash.
    pub(super) fn is_clean(&self) -> bool {
        self.dirty.is_empty() && self.pending.is_empty() && self.size == self.durable_size
    }

    pub(super) fn mark_dirty(&mut self, page: u64) {
        let slot = self.table.slot_mut(page);
        if !slot.dirty {
            slot.dirty = true;
            self.dirty.push(page);
        }
    }

    fn is_allocated(&self, page: u64) -> bool {
        self.table.get(page).is_some_and(|slot| slot.allocated)
    }

    fn shorten_pending(&mut self) {
        if self.pending.is_long() {
            self.pending.merge_neighbours();
        }
        if self.pending.is_long() || self.pending.is_heavy(self.dirty.len()) {
            self.collapse_pending();
        }
    }

    /// Keeps of every dirty page only the newest version.
    fn collapse_pending(&mut self) {
        if self.pending.collapse() {
            self.pending.push(Change::Cut { size: self.size });
        }
        for index in 0..self.dirty.len() {
            let start = page_start(self.dirty[index]);
            let newest = self.read(start, PAGE_SIZE);
            if !newest.is_empty() {
                self.pending.write(start, &newest);
            }
        }
        self.pending.push(Change::Grow { size: self.size });
    }

    /// Gives every page back, when no name and no handle leads here any more.
    pub(super) fn release(&mut self, freed: &mut FreedPages) {
        let pages = self.table.iter();
        let pages = pages.filter_map(|(_, slot)| slot.durable.as_ref().or(slot.cached()));
        freed.remember_all(pages.collect());
        *self = Content::default();
    }
}

/// The part of `position..end` within the page of `position`: its place in the page, and its size.
pub(super) fn piece(position: u64, end: u64) -> (usize, usize) {
    let from = within_page(position);
    let rest = usize::try_from(end - position).unwrap_or(usize::MAX);
    (from, rest.min(PAGE_SIZE - from))
}
