//! Steps: what a sync, a failed sync, an eviction and background writeback do to one file's content.

use std::sync::Arc;

use super::content::Content;
use super::freed::FreedPages;
use super::page::Page;
use super::pending::Change;
use super::table::{page_of, page_start, within_page};

impl Content {
    /// Makes data, length and reservations durable; pages that a failed writeback lost stay lost.
    pub(super) fn sync(&mut self, freed: &mut FreedPages) {
        for page in std::mem::take(&mut self.dirty) {
            self.settle_page(page, freed);
        }
        self.settle_lost();
        self.settle_size();
        self.pending.clear();
        self.inode_is_durable = true;
    }

    /// Makes one dirty page durable. The caller takes it out of the list of dirty pages.
    pub(super) fn settle_page(&mut self, page: u64, freed: &mut FreedPages) {
        let sequence = self.pending.next_sequence();
        let slot = self.table.slot_mut(page);
        slot.dirty = false;
        if let (Some(old), None) = (&slot.durable, slot.cached()) {
            freed.remember(old);
        }
        slot.make_durable();
        slot.bad_durable = slot.bad;
        slot.settled = sequence;
        slot.reserved_durable = slot.reserved;
        self.recount_space(page);
    }

    /// Makes the length durable.
    pub(super) fn settle_size(&mut self) {
        self.durable_size = self.size;
        self.size_settled = self.pending.next_sequence();
    }

    /// What a sync means for lost pages: the cuts that preceded them are now durable.
    fn settle_lost(&mut self) {
        for index in 0..self.lost.len() {
            let page = self.lost[index];
            let (cut, sequence) = (self.durable_after_cuts(page), self.pending.next_sequence());
            let slot = self.table.slot_mut(page);
            if slot.lost {
                slot.reserved_durable = slot.reserved;
                slot.settled = sequence;
                if let Some(durable) = cut {
                    slot.set_durable(durable);
                }
            }
        }
    }

    /// The durable page as pending cuts leave it; none when no cut touches it.
    fn durable_after_cuts(&self, page: u64) -> Option<Option<Arc<Page>>> {
        let slot = self.table.get(page)?;
        let mut cut_page = None;
        for entry in self.pending.changes() {
            let Change::Cut { size } = entry.change else {
                continue;
            };
            if entry.sequence < slot.settled || page_of(size) > page {
                continue;
            }
            if size <= page_start(page) {
                cut_page = Some(None);
                continue;
            }
            let durable = cut_page.unwrap_or_else(|| slot.durable.clone());
            cut_page = Some(durable.map(|mut durable| {
                Arc::make_mut(&mut durable).bytes_mut()[within_page(size)..].fill(0);
                durable
            }));
        }
        cut_page
    }

    /// A writeback fails: the bytes stay in the cache, but every later sync believes them written.
    /// Lengths and cuts, being metadata, stay pending.
    pub(super) fn fail_writeback(&mut self) {
        self.write_errors += 1;
        self.lacked_room = false;
        for page in std::mem::take(&mut self.dirty) {
            let slot = self.table.slot_mut(page);
            if slot.cached().is_none() || slot.is_shared() {
                self.dirty.push(page);
            } else {
                slot.dirty = false;
                slot.lost = true;
                self.lost.push(page);
            }
        }
        self.pending.drop_writes();
    }

    /// As [`Content::fail_writeback`], of the request that covers this page alone: the unsynced pages
    /// next to it, and next to those. The others are written.
    pub(super) fn fail_request(&mut self, page: u64, freed: &mut FreedPages) {
        self.write_errors += 1;
        self.lacked_room = false;
        self.dirty.sort_unstable();
        if let Ok(index) = self.dirty.binary_search(&page) {
            let adjoins = |at: usize, other: usize| self.dirty[at].abs_diff(self.dirty[other]) == 1;
            let mut first = index;
            while first > 0 && adjoins(first - 1, first) {
                first -= 1;
            }
            let mut last = index;
            while last + 1 < self.dirty.len() && adjoins(last, last + 1) {
                last += 1;
            }
            for &page in &self.dirty[first..=last] {
                let slot = self.table.slot_mut(page);
                // A cut or a promise of space is metadata, and no part of the request.
                if slot.cached().is_some() && !slot.is_shared() {
                    (slot.dirty, slot.lost) = (false, true);
                    self.lost.push(page);
                }
            }
            let table = &self.table;
            self.dirty
                .retain(|&page| table.get(page).is_some_and(|slot| slot.dirty));
        }
        self.sync(freed);
    }

    /// Drops lost pages from the cache: what the medium holds shows again.
    pub(super) fn evict(&mut self) {
        for page in std::mem::take(&mut self.lost) {
            let cut = self.durable_after_cuts(page);
            let slot = self.table.slot_mut(page);
            if !slot.lost {
                continue;
            }
            slot.lost = false;
            slot.bad = slot.bad_durable;
            if let Some(cached) = cut {
                slot.set_cached(cached);
                self.mark_dirty(page);
            } else {
                slot.show_durable();
                self.recount_space(page);
            }
        }
    }

    /// Brings the count of used pages in line with a slot that has just changed.
    pub(super) fn recount_space(&mut self, page: u64) {
        let slot = self.table.slot_mut(page);
        let needed = slot.needs_space();
        if slot.allocated && !needed {
            slot.allocated = false;
            self.allocated_pages -= 1;
        }
    }
}
